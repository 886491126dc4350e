"""What the trials of the installers share: a bare Debian, and steps that are timed."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

SUITE, MIRROR = "bookworm", "http://deb.debian.org/debian"
PERSON = "1000"
"""The user and group, without rights of their own, that a person's steps run as."""


class Bare:
    """A bare Debian, and what is done in it.

    Args:
        folder: Its root.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, *command: str, **environment: str) -> str:
        """Runs a command in it as root; gives what it prints, or ends the trial."""
        known = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8"}
        known |= {"DEBIAN_FRONTEND": "noninteractive", **environment}
        done = subprocess.run(
            ["chroot", self.folder, *command], env=known, capture_output=True, text=True
        )
        if done.returncode:
            raise SystemExit(f"{' '.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def run_as_person(self, *command: str, **environment: str) -> str:
        """The same without root's rights; `HOME` is to be given."""
        drop = ("setpriv", f"--reuid={PERSON}", f"--regid={PERSON}", "--clear-groups", "--")
        return self.run(*drop, *command, **environment)

    def install(self, *what: str) -> str:
        """Installs packages, or files of them."""
        return self.run("apt-get", "install", "-y", "-q", "--no-install-recommends", *what)

    def files(self) -> set[str]:
        """All files of programs and settings in it."""
        places = ("usr", "etc", "opt", "var/lib/dpkg/info")
        found = (path for place in places for path in (self.folder / place).rglob("*"))
        return {str(path.relative_to(self.folder)) for path in found if "cache" not in str(path)}


def needs_root() -> None:
    """Ends the program unless it may make a root of its own."""
    if os.geteuid():
        sys.exit("A root of its own is made with debootstrap: run this with sudo.")


@contextmanager
def bare_root(there: Path | None) -> Iterator[Bare]:
    """A fresh root, with /proc and /dev; removed afterwards.

    Args:
        there: A bare root that is copied; None to make one with debootstrap.

    Yields:
        The root.
    """
    with tempfile.TemporaryDirectory(prefix="epitome-try-") as folder:
        root = Path(folder) / "root"
        if there:
            subprocess.run(["cp", "-a", there, root], check=True)
        else:
            command = ["debootstrap", "--variant=minbase", SUITE, root, MIRROR]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        mounts = [root / "proc", root / "dev"]
        subprocess.run(["mount", "-t", "proc", "proc", mounts[0]], check=True)
        subprocess.run(["mount", "--bind", "/dev", mounts[1]], check=True)
        try:
            yield Bare(root)
        finally:
            for mount in mounts:
                subprocess.run(["umount", "-l", mount], check=False)


def step(what: str, do: Callable[[], str]) -> str:
    """Does something and prints how long it took."""
    start_s = time.perf_counter()
    said = do()
    print(f"{what}: {time.perf_counter() - start_s:.1f} s", flush=True)
    return said
