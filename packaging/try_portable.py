#!/usr/bin/env python3
"""Tries the portable folder: `sudo python3 packaging/try_portable.py dist/*-linux-x86_64.tar.xz`.

On a bare Debian 12 (debootstrap) with nothing but the libraries that a desktop has, a person
without root's rights unpacks it in a folder with spaces, opens the window under Xvfb, summarises
a file, moves the folder, and uses it from a place where nothing can be written.
"""

import argparse
import hashlib
import re
import sys
from functools import partial

from installers.trying import (
    HOME,
    ROOT,
    SAMPLE,
    Bare,
    step,
    try_commands,
    try_on_debian,
    try_packages,
)

sys.path.insert(0, str(ROOT))

from core.distribution.system_libraries import DRAWING, X11

PLACE, MOVED, READ_ONLY = "/person/My programs – 2", "/person/Moved here", "/opt/every one"
# Opens the window, closes it as a person does once it stands, and prints what was painted.
OPEN = """
import sys, gui.app
from PySide6.QtCore import QTimer
from gui.main_window import MainWindow
make = MainWindow.__init__
def made(self, *arguments, **named):
    make(self, *arguments, **named)
    def close():
        print("painted", self.panel("summarise").title or "nothing", flush=True)
        self.close()
    self.first_painted.connect(lambda: QTimer.singleShot(1500, close))
MainWindow.__init__ = made
raise SystemExit(gui.app.main(sys.argv[1:]))
"""


def main() -> int:
    """Tries it; gives the exit code."""
    told = "Tries the portable folder on a bare Debian 12."
    return try_on_debian(told, "The .tar.xz file", try_archive)


def try_archive(bare: Bare, options: argparse.Namespace) -> None:
    """All of it."""
    libraries = sorted({library.debian for library in DRAWING + X11})
    bare.bring(options.file, "portable.tar.xz", "xz-utils", *libraries)
    try_folder(bare)
    try_packages(bare, options, f"{MOVED}/epitome")


def try_folder(bare: Bare) -> None:
    """All steps, in the order in which a person would do them."""
    bare.run_as_person("mkdir", PLACE, HOME=HOME)
    unpack = ("tar", "-xf", "/portable.tar.xz", "-C", PLACE)
    step("unpack in a folder with spaces", lambda: bare.run_as_person(*unpack, HOME=HOME))
    use(bare, PLACE, "portable folder)")
    beside, usual = files_under(bare, f"{PLACE}/epitome/home"), usual_files(bare)
    assert any(name.endswith("window.json") for name in beside), beside
    assert not usual, usual
    print("its data lies beside it, and nothing anywhere else in the home folder")

    bare.run_as_person("mv", PLACE, MOVED)
    use(bare, MOVED, "portable folder)")
    again = files_under(bare, f"{MOVED}/epitome/home")
    assert {name for name in beside if name.endswith(".json")} <= again.keys(), again
    print("moved: it works there, with its data")

    bare.run("cp", "-r", MOVED, READ_ONLY)
    bare.run("rm", "-r", f"{READ_ONLY}/epitome/home")
    before = files_under(bare, READ_ONLY)
    use(bare, READ_ONLY, "portable folder, read-only)")
    assert files_under(bare, READ_ONLY) == before
    assert any(name.endswith("window.json") for name in usual_files(bare))
    print("read-only: nothing was written there; its data lies in the usual folders")


def use(bare: Bare, place: str, title: str) -> None:
    """Everything that a person does with a copy."""
    program = f"{place}/epitome/epitome"
    told = try_commands(partial(bare.run_as_person, HOME=HOME), program, title)
    where = re.search(r"(?m)^Your data (.*)$", told)
    assert where, told
    assert ("read-only" in title) == where[1].startswith(f"{HOME}/.local/share"), told
    command = ("xvfb-run", "-a", bare.python_of(f"{place}/epitome"), "-P", "-c", OPEN)
    opened = step(
        "open a file in the window, and close it",
        lambda: bare.run_as_person(*command, f"/{SAMPLE.name}", HOME=HOME),
    )
    assert "painted" in opened, opened


def usual_files(bare: Bare) -> dict[str, str]:
    """The files of Epitome in the system's usual folders."""
    found = files_under(bare, HOME)
    return {name: hash for name, hash in found.items() if "/Epitome/" in f"/{name}"}


def files_under(bare: Bare, folder: str) -> dict[str, str]:
    """The hash of each file, by its path in the folder."""
    root = bare.folder / folder[1:]
    files = (path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files
    }


if __name__ == "__main__":
    sys.exit(main())
