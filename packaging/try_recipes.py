#!/usr/bin/env python3
"""Checks what can be checked here of the installers for other systems.

    .venv/bin/python packaging/try_recipes.py

For Windows and macOS: the index has a wheel with a pinned hash of everything that the window
needs, and these wheels hold every module that the program imports. NSIS compiles its script, where
`makensis` is installed. Nothing of it is started.
"""

import ast
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from installers.wheels import (  # noqa: E402 - found by the path above
    PLATFORMS,
    needed_on,
    pip_for,
)
from installers.windows import compile_scripts  # noqa: E402

from core.distribution.parts import PART_NAMES, part_of  # noqa: E402

LOCK = ROOT / "packaging" / "locks" / "base.txt"
# Beside the modules that `core.distribution.parts` names: what else the optional parts bring.
_OF_PARTS = {
    "accelerate", "huggingface_hub", "matplotlib", "numba", "pyarrow", "scipy", "tensorboardX",
    "yaml",
}  # fmt: skip


def main() -> int:
    """Checks all of it; gives the exit code."""
    failed = False
    for system in PLATFORMS:
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
    wheels = work / "wheels"
    download = ("download", "--dest", str(wheels))
    pip_for(system, *download, blocks=needed_on(system, LOCK), listed=work / "listed.txt")
    for wheel in wheels.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(tree)
    return len(list(wheels.glob("*.whl")))


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
    """What becomes of the NSIS scripts, with next to nothing as their tree."""
    if shutil.which("makensis") is None:
        return "the NSIS scripts were not compiled: makensis is missing (apt-get install nsis)"
    compile_scripts(work)
    return "the NSIS scripts compile"


if __name__ == "__main__":
    sys.exit(main())
