#!/usr/bin/env python3
"""Tries the Debian package on a bare Debian 12: `sudo python3 packaging/try_deb.py dist/*.deb`.

In a fresh root (debootstrap) it installs an older version of the package, upgrades it, starts the
window under Xvfb, summarises a file, and removes and purges the package; each step prints its
outcome and time. The first paint is compared with that of this repository in the same root.
"""

import argparse
import re
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

from installers.trying import ROOT, Bare, step, try_commands, try_on_debian, try_packages

TREE = "/usr/lib/epitome"
OLDER = "0.0.1"
STARTS = 5
# Prints the seconds from the process's start to the window's first paint, then leaves.
PAINT = """
import os, time, psutil
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication
import gui.app
class Eye(QObject):
    def eventFilter(self, seen, event):
        if event.type() == QEvent.Type.Paint and seen.isWidgetType() and seen.isWindow():
            took_s = time.time() - psutil.Process().create_time()
            print(f"painted {took_s:.3f}", flush=True)
            os._exit(0)
        return False
make = QApplication.__init__
def made(self, *arguments):
    make(self, *arguments)
    self.eye = Eye()
    self.installEventFilter(self.eye)
QApplication.__init__ = made
raise SystemExit(gui.app.main([]))
"""


def main() -> int:
    """Tries it; gives the exit code."""
    return try_on_debian("Tries the Debian package on a bare Debian 12.", "The .deb", try_package)


def try_package(bare: Bare, options: argparse.Namespace) -> None:
    """All steps, in the order in which a person would do them."""
    bare.bring(options.file, "new.deb", "desktop-file-utils", "man-db")
    make_older(options.file, bare.folder)
    before = bare.files()

    step("install version " + OLDER, lambda: bare.install("/older.deb"))
    bare.run("epitome", "--version")
    step("upgrade", lambda: bare.install("/new.deb"))
    try_commands(bare.run, "epitome", "Debian package")
    bare.run("desktop-file-validate", "/usr/share/applications/epitome.desktop")
    step("man page", lambda: bare.run("man", "-l", "/usr/share/man/man1/epitome.1.gz"))
    try_packages(bare, options, TREE)
    compare_starts(bare)
    step("remove", lambda: bare.run("apt-get", "remove", "-y", "-q", "epitome"))
    told = step("purge", lambda: bare.run("apt-get", "purge", "-y", "-q", "epitome"))
    assert "~/.local/share/Epitome" in told, told
    bare.run("apt-get", "autoremove", "-y", "-q")
    left = {name for name in bare.files() - before if "epitome" in name.lower()}
    assert not left, left
    print("nothing of the package is left")


def make_older(package: Path, folder: Path) -> None:
    """Writes the same package under a lower version into a folder, as `older.deb`."""
    unpacked = folder / "older"
    subprocess.run(["dpkg-deb", "-R", package, unpacked], check=True)
    control = unpacked / "DEBIAN" / "control"
    text = control.read_text("utf-8")
    control.write_text(re.sub(r"(?m)^Version: .*", f"Version: {OLDER}", text), "utf-8")
    build = ["dpkg-deb", "--root-owner-group", "-Znone", "-b", unpacked, folder / "older.deb"]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(unpacked)


def compare_starts(bare: Bare) -> None:
    """Start to first paint of the package and of the repository, in turn."""
    ignored = shutil.ignore_patterns(".git", ".venv", "__pycache__", "dist", "tests", "docs")
    shutil.copytree(ROOT, bare.folder / "repository", ignore=ignored)
    inside = bare.python_of(TREE)
    sides = {"package": "", "repository": "/repository"}
    times_s: dict[str, list[float]] = {side: [] for side in sides}
    bare.run(inside, "-m", "compileall", "-q", "/repository")
    for number in range(STARTS + 1):
        for side, path in sides.items():
            command = ("xvfb-run", "-a", inside, "-P", "-c", PAINT)
            told = bare.run(*command, PYTHONPATH=path, EPITOME_HOME="/tmp/home")
            found = re.search(r"painted ([\d.]+)", told)
            assert found, told
            if number:  # the first start of each reads the disk
                times_s[side].append(float(found[1]))
    middle = {side: statistics.median(times) for side, times in times_s.items()}
    ratio = middle["package"] / middle["repository"]
    print(f"first paint under Xvfb: package {middle['package']:.2f} s, "
          f"repository {middle['repository']:.2f} s, ratio {ratio:.2f} (at most 1.2)")  # fmt: skip
    assert ratio <= 1.2


if __name__ == "__main__":
    sys.exit(main())
