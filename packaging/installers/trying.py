"""What the trials of the installers share: a bare Debian, and steps that are timed."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "resources" / "samples" / "patent.pdf"
SUITE, MIRROR = "bookworm", "http://deb.debian.org/debian"
PERSON = "1000"
"""The user and group, without rights of their own, that a person's steps run as."""
HOME = "/person"
"""That person's folder, in the root."""


class Bare:
    """A bare Debian, and what is done in it.

    Args:
        folder: Its root.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, *command: str, **environment: str) -> str:
        """Runs a command in it as root; gives what it prints, or ends the trial."""
        process = self.start(*command, **environment)
        said, errors = process.communicate()
        if process.returncode:
            raise SystemExit(f"{' '.join(command)}: {process.returncode}\n{said}{errors}")
        return said + errors

    def start(
        self, *command: str, quietly: bool = False, **environment: str
    ) -> subprocess.Popen[str]:
        """Starts a command in it as root, with pipes for what it prints unless quietly."""
        known = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8"}
        known |= {"DEBIAN_FRONTEND": "noninteractive", **environment}
        return subprocess.Popen(
            ["chroot", self.folder, *command],
            env=known,
            stdout=subprocess.DEVNULL if quietly else subprocess.PIPE,
            stderr=subprocess.DEVNULL if quietly else subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
        )

    def run_as_person(self, *command: str, **environment: str) -> str:
        """The same without root's rights; `HOME` is to be given."""
        drop = ("setpriv", f"--reuid={PERSON}", f"--regid={PERSON}", "--clear-groups", "--")
        return self.run(*drop, *command, **environment)

    def install(self, *what: str) -> str:
        """Installs packages, or files of them."""
        return self.run("apt-get", "install", "-y", "-q", "--no-install-recommends", *what)

    def bring(self, file: Path, packed: str, *packages: str) -> None:
        """Brings what is tried, a file to read, a display without a screen, and a person.

        Args:
            file: What is tried.
            packed: Its name in the root.
            packages: What is installed beside the display.
        """
        shutil.copy(file, self.folder / packed)
        shutil.copy(SAMPLE, self.folder / SAMPLE.name)
        self.run("apt-get", "update", "-q")
        self.install("xvfb", "xauth", *packages)
        self.run("mkdir", HOME)
        self.run("chown", f"{PERSON}:{PERSON}", HOME)

    def python_of(self, tree: str) -> str:
        """The Python of a copy of the program, by the folder of the copy in the root."""
        found = next((self.folder / tree[1:] / "python" / "bin").glob("python3*"))
        return f"{tree}/python/bin/{found.name}"

    def files(self) -> set[str]:
        """All files of programs and settings in it."""
        places = ("usr", "etc", "opt", "var/lib/dpkg/info")
        found = (path for place in places for path in (self.folder / place).rglob("*"))
        return {str(path.relative_to(self.folder)) for path in found if "cache" not in str(path)}


def try_on_debian(told: str, file: str, try_it: Callable[[Bare, argparse.Namespace], None]) -> int:
    """What the command of a trial does.

    Args:
        told: What it is, for its help.
        file: What is tried, for its help.
        try_it: Takes the root and the options; ends the program where something fails.

    Returns:
        The exit code.
    """
    parser = argparse.ArgumentParser(description=told)
    parser.add_argument("file", type=Path, help=file)
    parser.add_argument("--root", type=Path, help="A bare root that is there, which is copied")
    parser.add_argument("--part", help="An optional part that is downloaded and installed, too")
    options = parser.parse_args()
    if os.geteuid():
        sys.exit("A root of its own is made with debootstrap: run this with sudo.")
    with bare_root(options.root) as bare:
        try_it(bare, options)
    return 0


def try_commands(run: Callable[..., str], program: str, title: str) -> str:
    """Version, doctor, and the summary of a PDF that lies in the root; gives what doctor says.

    Args:
        run: Runs a command in the root.
        program: The command.
        title: What the version says of the copy.
    """
    said = step("epitome --version", lambda: run(program, "--version"))
    assert title in said, said
    told = step("epitome doctor", lambda: run(program, "doctor"))
    text = step("summarise a PDF", lambda: run(program, "summarise", f"/{SAMPLE.name}"))
    assert len(text.split()) > 20, text
    return told


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
            make_root(root)
        with mounted(root):
            yield Bare(root)


def make_root(root: Path, suite: str = SUITE) -> None:
    """Makes the root of a bare Debian with debootstrap."""
    command = ["debootstrap", "--variant=minbase", suite, root, MIRROR]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


@contextmanager
def mounted(root: Path) -> Iterator[None]:
    """Lets a root have /proc and /dev.

    Args:
        root: Its folder.

    Yields:
        None: the root is used inside the block.
    """
    mounts = [root / "proc", root / "dev"]
    subprocess.run(["mount", "-t", "proc", "proc", mounts[0]], check=True)
    subprocess.run(["mount", "--bind", "/dev", mounts[1]], check=True)
    try:
        yield
    finally:
        for mount in mounts:
            subprocess.run(["umount", "-l", mount], check=False)


def try_packages(bare: Bare, options: argparse.Namespace, tree: str, program: str = "") -> None:
    """What a copy contains is told, and an optional part can be added to it.

    Args:
        bare: The root.
        options: Those of the command.
        tree: The folder of the copy, in the root.
        program: The command; empty for that of the tree.
    """
    bill = options.file.with_name(f"{options.file.name}.cdx.json")
    _try_licences(bare, bare.python_of(tree), bill)
    if options.part:
        _try_part(bare, program or f"{tree}/epitome", options.part)


def _try_licences(bare: Bare, python: str, bill: Path) -> None:
    """About lists every package of the bill of materials with its licence."""
    listed = "import gui.panels.settings.parts as p; print(*(t.name for t in p.installed_parts()))"
    told = {_plain(name) for name in bare.run(python, "-P", "-c", listed).split()}
    wanted = {
        _plain(each["name"])
        for each in json.loads(bill.read_text("utf-8"))["components"]
        if each.get("licenses")
    }
    assert wanted <= told, sorted(wanted - told)
    print(f"About lists all {len(wanted)} packages of the bill of materials")


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _try_part(bare: Bare, program: str, name: str) -> None:
    """A person installs an optional part, as Settings does, and the program finds it.

    The index is reached through this machine's network, with its certificates and its own wheels.
    """
    certificates = Path("/etc/ssl/certs/ca-certificates.crt")
    environment = {"HOME": HOME}
    if certificates.is_file():
        shutil.copy(certificates, bare.folder / "etc" / "index.crt")
        environment["PIP_CERT"] = "/etc/index.crt"
    if wheels := os.environ.get("PIP_FIND_LINKS"):
        shutil.copytree(wheels, bare.folder / "wheels")
        environment["PIP_FIND_LINKS"] = "/wheels"
    install = (program, "install", name)
    step(f"install the part {name}", lambda: bare.run_as_person(*install, **environment))
    told = bare.run_as_person(program, "doctor", "--json", **environment)
    packages = json.loads(told[told.index("{") :])["result"]["packages"]
    missing = [each["name"] for each in packages if each["part"] == name and not each["version"]]
    assert not missing, missing
    files = [file for file in (bare.folder / HOME[1:]).rglob("*") if file.is_file()]
    size = sum(file.lstat().st_size for file in files)
    print(f"the part {name} is there, {size / 1e6:.0f} MB")


def step(what: str, do: Callable[[], str]) -> str:
    """Does something and prints how long it took."""
    start_s = time.perf_counter()
    said = do()
    print(f"{what}: {time.perf_counter() - start_s:.1f} s", flush=True)
    return said
