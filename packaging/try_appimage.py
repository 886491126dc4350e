#!/usr/bin/env python3
"""Tries the AppImage: `sudo python3 packaging/try_appimage.py dist/*.AppImage`.

On a bare Debian 12 (debootstrap) with FUSE 3 and nothing but the libraries that a desktop has, a
person without root's rights runs it from a folder with spaces, opens a document in the window under
Xvfb, and runs it again without FUSE.
"""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from installers.trying import (
    HOME,
    PERSON,
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

FUSE = Path("/dev/fuse")
FILE = "/person/My programs – 2/Epitome.AppImage"
DATA = f"{HOME}/.local/share/Epitome"
# Opens a document, waits for the window that has its name, and ends the program as a session does.
OPEN = """
"$0" "$1" & program=$!
for each in $(seq 120); do
    seen=$(xwininfo -root -tree | grep Epitome)
    case $seen in *lithium*) break;; esac
    sleep 0.25
done
kill $program; wait $program
echo "windows $seen"
"""


def main() -> int:
    """Tries it; gives the exit code."""
    return try_on_debian("Tries the AppImage on a bare Debian 12.", "The .AppImage", try_image)


def try_image(bare: Bare, options: argparse.Namespace) -> None:
    """All steps, in the order in which a person would do them."""
    libraries = sorted({library.debian for library in DRAWING + X11})
    bare.bring(options.file, "brought", "fuse3", "x11-utils", *libraries)
    # What every installed Debian has, and FUSE looks for.
    bare.run("useradd", "--uid", PERSON, "--home-dir", HOME, "person")
    bare.run("ln", "-sf", "/proc/self/mounts", "/etc/mtab")
    person = partial(bare.run_as_person, HOME=HOME)
    person("mkdir", FILE.rpartition("/")[0])
    person("cp", "/brought", FILE)
    person("chmod", "555", FILE)
    with fuse_for_all():
        try_commands(person, FILE, "(AppImage)")
        open_window = ("xvfb-run", "-a", "sh", "-c", OPEN, FILE, f"/{SAMPLE.name}")
        opened = step("open a file in the window", lambda: person(*open_window))
        assert "lithium" in opened.rpartition("windows ")[2], opened
    beside = {path.name for path in (bare.folder / FILE[1:]).parent.iterdir()}
    assert beside == {"Epitome.AppImage"}, beside
    assert (bare.folder / DATA[1:]).is_dir(), f"no {DATA}"
    print("nothing was written beside it; its data lies in the usual folder")

    apart = ("--appimage-extract-and-run", "--version")
    told = step("epitome --version without FUSE", lambda: person(FILE, *apart))
    assert "(AppImage)" in told, told
    person("env", "-C", HOME, FILE, "--appimage-extract")
    with fuse_for_all():
        try_packages(bare, options, f"{HOME}/squashfs-root/epitome", FILE)


@contextmanager
def fuse_for_all() -> Iterator[None]:
    """Lets a person use FUSE, as every Linux with a desktop does."""
    mode = FUSE.stat().st_mode
    FUSE.chmod(0o666)
    try:
        yield
    finally:
        FUSE.chmod(mode & 0o777)


if __name__ == "__main__":
    sys.exit(main())
