"""The table of parts agrees with the project, and parts that come later are found."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from core.distribution.parts import CONSTRAINTS, LEADER, PART_NAMES, PartName, activate, part_of

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("name", PART_NAMES)
def test_packages_are_those_of_the_extra(name: PartName) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    part = part_of(name)
    assert sorted(part.packages) == sorted(project["optional-dependencies"][name])
    assert 0 < part.download_bytes < part.installed_bytes
    if name in ("scans", "training"):  # the tests run with these
        pytest.importorskip(part.modules[0])
        assert part.is_installed


def test_versions_are_pinned_where_the_program_looks() -> None:
    assert CONSTRAINTS == ROOT / "packaging" / "constraints.txt"
    assert CONSTRAINTS.is_file()


def test_part_that_was_installed_meanwhile_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, part = tmp_path / "site-packages", tmp_path / "part"
    site.mkdir()
    monkeypatch.setattr(sys, "path", [*sys.path, str(site)])
    assert not activate()
    part.mkdir()
    (site / f"{LEADER}demo.pth").write_text(f"{part}\n{tmp_path / 'gone'}\n", "utf-8", newline="\n")
    assert activate()
    assert sys.path[-1] == str(part)
    assert not activate()


def test_a_part_is_found_relative_to_the_file_that_leads_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, part = tmp_path / "site-packages", tmp_path / "parts" / "demo-1"
    for folder in (site, part):
        folder.mkdir(parents=True)
    (site / f"{LEADER}demo.pth").write_text("../parts/demo-1\n", "utf-8", newline="\n")
    monkeypatch.setattr(sys, "path", [*sys.path, str(site)])
    assert activate()
    assert sys.path[-1] == str(part)


def test_table_is_read_without_anything_installed() -> None:
    """`bootstrap.py` reads the index of PyTorch's CPU builds there."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); "
    code += "from core.distribution.parts import FOLDER; print(FOLDER)"
    done = subprocess.run([sys.executable, "-S", "-E", "-c", code], capture_output=True, text=True)
    assert done.stdout == "epitome-parts\n", done.stderr
