"""The installer for Windows: made there, or of a tree that was made there, with NSIS.

It is not signed: Windows asks before it runs such a file.
"""

import subprocess
from pathlib import Path

from installers.icons import write_ico
from installers.tree import ROOT, compile_tree

from core.version import VERSION

SCRIPT = ROOT / "packaging" / "windows" / "epitome.nsi"


def make(tree: Path, work: Path, out: Path) -> Path:
    """Builds `epitome-VERSION-windows-x86_64.exe`; gives the file."""
    compile_tree(tree, Path("epitome"))
    write_ico(tree / "epitome.ico")
    file = out / f"epitome-{VERSION}-windows-x86_64.exe"
    build(tree, file)
    return file


def build(tree: Path, file: Path) -> None:
    """Runs NSIS; fails as `subprocess.run` does, and where NSIS is missing."""
    given = {"VERSION": VERSION, "TREE": tree.absolute(), "OUT": file.absolute()}
    defines = [f"-D{name}={value}" for name, value in given.items()]
    command = ["makensis", "-V2", "-INPUTCHARSET", "UTF8", *defines, str(SCRIPT)]
    subprocess.run(command, check=True)
