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

from installers.trying import Bare, bare_root, needs_root, step

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "resources" / "samples"
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
    parser = argparse.ArgumentParser(description="Tries the Debian package on a bare Debian 12.")
    parser.add_argument("package", type=Path, help="The .deb file")
    parser.add_argument("--root", type=Path, help="A bare root that is there, which is copied")
    options = parser.parse_args()
    needs_root()
    with bare_root(options.root) as bare:
        try_package(bare, options.package)
    return 0


def try_package(bare: Bare, package: Path) -> None:
    """All steps, in the order in which a person would do them."""
    shutil.copy(package, bare.folder / "new.deb")
    shutil.copytree(SAMPLE, bare.folder / "samples")
    subprocess.run(["dpkg-deb", "-R", package, bare.folder / "older"], check=True)
    control = bare.folder / "older" / "DEBIAN" / "control"
    text = control.read_text("utf-8")
    control.write_text(re.sub(r"(?m)^Version: .*", f"Version: {OLDER}", text), "utf-8")
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Znone", "-b", control.parents[1],
         bare.folder / "older.deb"], check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    shutil.rmtree(control.parents[1])
    bare.run("apt-get", "update", "-q")
    bare.install("xvfb", "xauth", "desktop-file-utils", "man-db")
    before = bare.files()

    step("install version " + OLDER, lambda: bare.install("/older.deb"))
    bare.run("epitome", "--version")
    step("upgrade", lambda: bare.install("/new.deb"))
    said = step("epitome --version", lambda: bare.run("epitome", "--version"))
    assert "Debian package" in said, said
    step("epitome doctor", lambda: bare.run("epitome", "doctor"))
    sample = next(path for path in sorted(SAMPLE.rglob("*.pdf")))
    inside = f"/samples/{sample.relative_to(SAMPLE)}"
    text = step("summarise a PDF", lambda: bare.run("epitome", "summarise", inside))
    assert len(text.split()) > 20, text
    bare.run("desktop-file-validate", "/usr/share/applications/epitome.desktop")
    step("man page", lambda: bare.run("man", "-l", "/usr/share/man/man1/epitome.1.gz"))
    compare_starts(bare)
    step("remove", lambda: bare.run("apt-get", "remove", "-y", "-q", "epitome"))
    told = step("purge", lambda: bare.run("apt-get", "purge", "-y", "-q", "epitome"))
    assert "~/.local/share/Epitome" in told, told
    bare.run("apt-get", "autoremove", "-y", "-q")
    left = {name for name in bare.files() - before if "epitome" in name.lower()}
    assert not left, left
    print("nothing of the package is left")


def compare_starts(bare: Bare) -> None:
    """Start to first paint of the package and of the repository, in turn."""
    ignored = shutil.ignore_patterns(".git", ".venv", "__pycache__", "dist", "tests", "docs")
    shutil.copytree(ROOT, bare.folder / "repository", ignore=ignored)
    python = next((bare.folder / "usr/lib/epitome/python/bin").glob("python3*")).name
    inside = f"/usr/lib/epitome/python/bin/{python}"
    sides = {"package": "", "repository": "/repository"}
    times_s: dict[str, list[float]] = {side: [] for side in sides}
    bare.run(inside, "-m", "compileall", "-q", "/repository")
    for number in range(STARTS + 1):
        for side, path in sides.items():
            told = bare.run(
                "xvfb-run",
                "-a",
                inside,
                "-P",
                "-c",
                PAINT,
                PYTHONPATH=path,
                EPITOME_HOME="/tmp/home",
            )
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
