"""The check of the pages finds what is wrong with them."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

FILE = Path(__file__).parents[2] / "packaging" / "check_docs.py"


@pytest.fixture
def check_docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module, looking at pages in a temporary folder."""
    spec = importlib.util.spec_from_file_location("check_docs", FILE)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    return module


def test_broken_links_are_found(check_docs: ModuleType, tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text(
        "# One page\n[a](there.md) [b](there.md#what-is-it) [c](#one-page) [d](https://x.org/y)\n"
        '[e](gone.md) [f](there.md#nowhere) <img src="gone.png">\n',
        "utf-8",
    )
    (tmp_path / "there.md").write_text("## What is it?\n", "utf-8")
    assert list(check_docs.link_faults(check_docs.pages())) == [
        "README.md: no file gone.md",
        "README.md: no heading #nowhere in there.md",
        "README.md: no file gone.png",
    ]


def test_commands_are_read_from_the_table(check_docs: ModuleType) -> None:
    row = "| `epitome gsg SOURCE` | picks: `--ratio` or `--count`, `--lines` (each line) |"
    match = check_docs.COMMAND_ROW.search(f"| command | does |\n{row}\n")
    assert match and match[1] == "gsg"
    assert check_docs.OPTION.findall(match[0]) == ["--ratio", "--count", "--lines"]
