#!/usr/bin/env python3
"""Checks what can be checked here of the installers for other systems.

    .venv/bin/python packaging/try_recipes.py

For Windows and macOS: the index has a wheel with a pinned hash of everything that the window
needs, and these wheels hold every module that the program imports. NSIS compiles its script, where
`makensis` is installed. Nothing of it is started.
"""

import ast
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from installers import windows  # noqa: E402 - found by the path above

from core.parts import PART_NAMES, part_of  # noqa: E402

LOCK = ROOT / "packaging" / "locks" / "base.txt"
PYTHON = "3.11"
_SYSTEMS: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "windows": (
        ("win_amd64",),
        {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt",
         "platform_machine": "AMD64"},
    ),
    "macos": (
        ("macosx_14_0_arm64", "macosx_13_0_arm64", "macosx_12_0_arm64", "macosx_11_0_arm64",
         "macosx_10_13_universal2", "macosx_10_9_universal2", "macosx_13_0_universal2"),
        {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix",
         "platform_machine": "arm64"},
    ),
}  # fmt: skip
# Beside the modules that `core.parts` names: what else the optional parts bring.
_OF_PARTS = {
    "accelerate", "huggingface_hub", "matplotlib", "numba", "pyarrow", "scipy", "tensorboardX",
    "yaml",
}  # fmt: skip


def main() -> int:
    """Checks all of it; gives the exit code."""
    failed = False
    for system in _SYSTEMS:
        with tempfile.TemporaryDirectory(prefix="epitome-recipe-") as folder:
            tree = Path(folder) / "tree"
            num_wheels = unpack_wheels(system, Path(folder), tree)
            missing = sorted(imported_modules() - set(modules_in(tree)))
            lacking = f"lack {', '.join(missing)}" if missing else "hold all that is imported"
            print(f"{system}: {num_wheels} wheels with pinned hashes {lacking}")
            failed = failed or bool(missing)
    with tempfile.TemporaryDirectory(prefix="epitome-recipe-") as folder:
        print(f"windows: {compiled(Path(folder))}")
    return int(failed)


def unpack_wheels(system: str, work: Path, tree: Path) -> int:
    """Downloads and unpacks what the window needs on a system; gives the number of wheels."""
    platforms, _ = _SYSTEMS[system]
    listed = work / "listed.txt"
    listed.write_text("\n".join([*needed_on(system), ""]), "utf-8")
    wheels = work / "wheels"
    options = ["--quiet", "--no-deps", "--require-hashes", "--only-binary=:all:"]
    where = ["--python-version", PYTHON, "--implementation", "cp", "--dest", str(wheels)]
    tags = [option for platform in platforms for option in ("--platform", platform)]
    command = [sys.executable, "-m", "pip", "download", *options, *where, *tags]
    subprocess.run([*command, "--requirement", listed], check=True)
    for wheel in wheels.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(tree)
    return len(list(wheels.glob("*.whl")))


def needed_on(system: str) -> Iterator[str]:
    """The blocks of the lock whose markers hold there: pip would ask for those of this system."""
    _, values = _SYSTEMS[system]
    environment = {"python_version": PYTHON, "python_full_version": f"{PYTHON}.9", **values}
    for block in re.split(r"\n(?=\S)", LOCK.read_text("utf-8").strip()):
        pin, _, hashes = block.partition(" \\\n")
        if pin.startswith("#"):
            continue
        asked = Requirement(pin)
        if asked.marker is None or asked.marker.evaluate(environment):
            asked.marker = None
            yield f"{asked} \\\n{hashes}"


def imported_modules() -> set[str]:
    """The top-level modules of others that the program imports, but for the optional parts."""
    known = {*sys.stdlib_module_names, "core", "gui", "resources", "__main__", *_OF_PARTS}
    for name in PART_NAMES:
        known |= set(part_of(name).modules)
    return {name for name in _imports() if name not in known}


def _imports() -> Iterator[str]:
    for folder in ("core", "gui"):
        for file in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Import):
                    yield from (alias.name.partition(".")[0] for alias in node.names)
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    yield node.module.partition(".")[0]


def modules_in(tree: Path) -> Iterator[str]:
    """The top-level modules in a folder of unpacked wheels."""
    for path in tree.iterdir():
        if path.is_dir() or path.suffix in (".py", ".pyd", ".so"):
            yield path.name.partition(".")[0]


def compiled(work: Path) -> str:
    """What becomes of the NSIS script, with next to nothing as its tree."""
    if shutil.which("makensis") is None:
        return "the NSIS script was not compiled: makensis is missing (apt-get install nsis)"
    tree = work / "tree"
    (tree / "python").mkdir(parents=True)
    shutil.copy(ROOT / "LICENSE", tree)
    windows.build(tree, work / "installer.exe")
    return "the NSIS script compiles"


if __name__ == "__main__":
    sys.exit(main())
