"""Lists in the pages are complete."""

from pathlib import Path

import pytest

from core.cli.main import COMMANDS
from core.documents.readers.formats import FORMATS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("key", FORMATS)
def test_every_format_is_in_the_readme_and_every_suffix_in_the_page_of_formats(key: str) -> None:
    suffixes = [f"`{suffix}`" for suffix in FORMATS[key].suffixes]
    readme, page = ((ROOT / name).read_text("utf-8") for name in ("README.md", "docs/formats.md"))
    assert suffixes[0] in readme
    assert all(suffix in page for suffix in suffixes)


def test_every_command_is_in_the_page_of_commands() -> None:
    page = (ROOT / "docs" / "commands.md").read_text("utf-8")
    assert all(f"| `epitome {name}" in page for name in COMMANDS)
