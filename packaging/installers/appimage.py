"""The AppImage: one file that runs on any Linux with a desktop.

It is the runtime of the AppImage project, which is given, followed by the tree in a squashfs.
"""

import shutil
import subprocess
from pathlib import Path

from installers.tree import ROOT, compile_tree

from core.version import VERSION

LINUX = ROOT / "packaging" / "linux"
_RUN = """\
#!/bin/sh
exec "$(dirname -- "$(readlink -f -- "$0")")/epitome/epitome" "$@"
"""


def make(tree: Path, work: Path, out: Path, runtime: Path) -> Path:
    """Builds `epitome-VERSION-x86_64.AppImage`; gives the file."""
    compile_tree(tree, Path("epitome"))
    squashed = work / "squashed"
    folder = make_folder(tree, work / "AppDir")
    command = ["mksquashfs", folder, squashed, "-root-owned", "-noappend", "-comp", "zstd"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    file = out / f"epitome-{VERSION}-x86_64.AppImage"
    file.write_bytes(runtime.read_bytes() + squashed.read_bytes())
    file.chmod(0o755)
    return file


def make_folder(tree: Path, folder: Path) -> Path:
    """Lays out what the AppImage contains; gives the folder."""
    folder.mkdir()
    shutil.copytree(tree, folder / "epitome", symlinks=True)
    run = folder / "AppRun"
    run.write_text(_RUN, "utf-8")
    run.chmod(0o755)
    for name in ("epitome.desktop", "epitome.svg"):
        shutil.copy(LINUX / name, folder)
    (folder / ".DirIcon").symlink_to("epitome.svg")
    return folder
