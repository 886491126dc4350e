"""The installer for Windows and the portable folder, both of a tree made on any system.

Neither is signed: Windows asks before it runs such a file.
"""

import shutil
import zipfile
from pathlib import Path

from installers.icons import write_ico, write_side_picture
from installers.tree import ROOT
from installers.windows_tree import SETUP, make_launcher, run_nsis

from core.version import VERSION

SCRIPT = ROOT / "packaging" / "windows" / "epitome.nsi"


def make(tree: Path, work: Path, out: Path) -> Path:
    """Builds `epitome-VERSION-windows-x86_64.exe` with NSIS; gives the file."""
    file = out / f"epitome-{VERSION}-windows-x86_64.exe"
    side = work.absolute() / "side.bmp"
    write_side_picture(side)
    run_nsis(SCRIPT, file, TREE=tree.absolute(), SIZE=size_of(tree) // 1024, SIDE=side)
    return file


def make_portable(tree: Path, work: Path, out: Path) -> Path:
    """Packs the tree into `epitome-VERSION-windows-x86_64-portable.zip`; gives the file."""
    file = out / f"epitome-{VERSION}-windows-x86_64-portable.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(tree.rglob("*")):
            packed.write(path, path.relative_to(work))
    return file


def compile_scripts(work: Path) -> Path:
    """Compiles all scripts with next to nothing as their tree; gives the installer."""
    tree = work / "tree"
    (tree / "python").mkdir(parents=True)
    shutil.copy(ROOT / "LICENSE", tree)
    shutil.copy(SETUP, tree / "python")
    write_ico(tree / "epitome.ico")
    make_launcher(tree)
    return make(tree, work, work)


def size_of(tree: Path) -> int:
    """The bytes of all files in a tree."""
    return sum(path.stat().st_size for path in tree.rglob("*") if path.is_file())
