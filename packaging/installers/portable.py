"""A folder that runs wherever it is unpacked."""

import subprocess
from pathlib import Path

from installers.tree import compile_tree

from core.version import VERSION


def make(tree: Path, work: Path, out: Path) -> Path:
    """Packs the tree into `epitome-VERSION-linux-x86_64.tar.xz`; gives the file."""
    compile_tree(tree, Path("epitome"))
    file = out / f"epitome-{VERSION}-linux-x86_64.tar.xz"
    owner = ["--owner=0", "--group=0", "--sort=name"]
    command = ["tar", "-C", work, *owner, "-I", "xz -T0 -6", "-cf", file, tree.name]
    subprocess.run(command, check=True)
    return file
