"""The tree for Windows, made on any system: a Python, Epitome and what the window needs.

Epitome.exe                 opens the window: a small program of NSIS
bin/epitome.cmd             the command line
python/python.exe           the embeddable Python of python.org, as it is published
python/python311._pth       where it looks for modules: what a user has set changes nothing
python/Lib/site-packages    Epitome, pip and the packages
python/epitome-*            what `core.installation` reads
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import urllib.request
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from installers.icons import write_ico
from installers.tree import LOCKS, QT_LEFT_OUT, ROOT, compile_modules, leave_out, mark
from installers.wheels import PYTHON, needed_on, pip_for

from core.version import VERSION

PUBLISHED: Final = "https://www.python.org/ftp/python/3.11.9/python-3.11.9-embed-amd64.zip"
PUBLISHED_HASH: Final = "009d6bf7e3b2ddca3d784fa09f90fe54336d5b60f0e0f305c37f400bf83cfd3b"
"""The SHA-256 of the last Python 3.11 that python.org publishes for Windows."""

# All of Qt is in one folder on Windows. opengl32sw.dll draws without a graphics driver: 20 MB that
# only Qt Quick uses.
QT_OF_WINDOWS_LEFT_OUT: Final = (
    "qml", "translations", "metatypes", "resources", "*.exe", "*.lib", "opengl32sw.dll",
    "pyside6qml*", "Qt6Qml*.dll", "Qt6Quick*.dll", "Qt6Designer*.dll", "Qt6Help*.dll",
    "Qt6UiTools*.dll", "Qt6Sql*.dll", "Qt6Test*.dll", "Qt6Labs*.dll", "plugins/qmltooling",
    "plugins/designer", "plugins/sqldrivers", "plugins/qmllint", "plugins/qmlls",
)  # fmt: skip
# Tests, examples, and what compiles other packages: a part that needs setuptools brings it.
_LEFT_OUT: Final = (
    "tests", "nltk/test", "joblib/test", "numpy/f2py", "numpy/distutils", "pyqtgraph/examples",
    "lxml/includes", "*.pyi", "*.lib", "*.h", "*.pxd", "setuptools*", "pkg_resources",
    "_distutils_hack", "distutils-precedence.pth",
)  # fmt: skip
START: Final = '-E -s -P -c "from gui.app import main; raise SystemExit(main())"'
LAUNCHER: Final = ROOT / "packaging" / "windows" / "launcher.nsi"
SETUP: Final = ROOT / "packaging" / "windows" / "epitome_setup.py"


@dataclass(frozen=True)
class EmbeddablePython:
    """A Python for Windows as python.org packs it for programs.

    Args:
        archive: The .zip file.
        sha256: Its hash.
        version: Its version.
    """

    archive: Path
    sha256: str
    version: str

    @property
    def title(self) -> str:
        """Its version and origin, for the log of a build."""
        origin = "of python.org" if self.sha256 == PUBLISHED_HASH else "NOT of python.org"
        return f"Python {self.version} for Windows, {origin} (SHA-256 {self.sha256})"


def find_python(given: Path | None, work: Path) -> EmbeddablePython:
    """The Python that an installer brings along.

    Args:
        given: Its archive; None to download the one that python.org publishes.
        work: A folder for the download.

    Returns:
        The Python.

    Raises:
        OSError: If it cannot be downloaded or read, or the download has another hash.
    """
    archive = given or work / "python.zip"
    if given is None:
        try:
            with urllib.request.urlopen(PUBLISHED, timeout=60) as answer:
                archive.write_bytes(answer.read())
        except OSError as error:
            advice = "Download it elsewhere, and name the file with --python."
            raise OSError(f"{PUBLISHED} cannot be downloaded ({error}). {advice}") from error
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if given is None and found != PUBLISHED_HASH:
        raise OSError(f"{PUBLISHED} has the SHA-256 {found}, not {PUBLISHED_HASH}.")
    return EmbeddablePython(archive, found, _read_version(archive))


def _read_version(archive: Path) -> str:
    """The version that the library of an archived Python states."""
    with zipfile.ZipFile(archive) as packed:
        library = next(
            (name for name in packed.namelist() if re.search(r"(^|/)python3\d+\.dll$", name)), ""
        )
        if not library:
            raise OSError(f"{archive} contains no embeddable Python for Windows.")
        data = packed.read(library)
    found = re.search("ProductVersion".encode("utf-16-le") + rb"\0+((?:[\d.]\0)+)", data)
    return found[1].decode("utf-16-le") if found else "unknown"


def make_tree(folder: Path, kind: str, releases: str, python: EmbeddablePython) -> Path:
    """Makes the tree.

    Args:
        folder: The place for it; must not exist.
        kind: The installer that it is for, as `core.installation` names it.
        releases: The page where newer versions are published; may be empty.
        python: The Python that it brings along.

    Returns:
        The folder.

    Raises:
        subprocess.CalledProcessError: If a package cannot be installed, or NSIS fails.
    """
    inside = folder / "python"
    _unpack(python.archive, inside)
    packages = inside / "Lib" / "site-packages"
    _install(packages, folder.with_name("listed.txt"))
    leave_out(packages, _LEFT_OUT)
    qt = packages / "PySide6"
    leave_out(qt, (*QT_LEFT_OUT, *QT_OF_WINDOWS_LEFT_OUT))
    # Of Microsoft's runtime, the embeddable Python has only what C needs: PyTorch needs that of
    # C++, too, which few machines lack. Qt brings it.
    for library in qt.glob("msvcp140*.dll"):
        shutil.copy(library, inside)
    shutil.copy(SETUP, inside)
    mark(folder, packages, kind, releases)
    compile_modules(Path(sys.executable), folder, packages, Path("epitome"))
    (folder / "bin").mkdir()
    command = f'@"%~dp0..\\python\\python.exe" {START} %*\r\n'
    (folder / "bin" / "epitome.cmd").write_bytes(command.encode())
    write_ico(folder / "epitome.ico")
    make_launcher(folder)
    return folder


def make_launcher(tree: Path) -> None:
    """Makes `Epitome.exe` in a tree that has its icon."""
    run_nsis(LAUNCHER, tree / "Epitome.exe", TREE=tree.absolute(), START=START)


def run_nsis(script: Path, out: Path, **defines: object) -> None:
    """Compiles a script with NSIS.

    Args:
        script: The script.
        out: The program that it makes.
        **defines: What the script needs beside the version.

    Raises:
        subprocess.CalledProcessError: If it does not compile.
    """
    given = {"VERSION": VERSION, "OUT": out.absolute(), **defines}
    options = [f"-D{name}={value}" for name, value in given.items()]
    subprocess.run(["makensis", "-V2", "-INPUTCHARSET", "UTF8", *options, str(script)], check=True)


def _unpack(archive: Path, folder: Path) -> None:
    """Unpacks a Python, wherever it is in its archive, and lets it find packages."""
    with zipfile.ZipFile(archive) as packed:
        (program,) = (name for name in packed.namelist() if name.rpartition("/")[2] == "python.exe")
        top = program.removesuffix("python.exe")
        for name in packed.namelist():
            if name.startswith(top) and not name.endswith("/"):
                file = folder / name.removeprefix(top)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(packed.read(name))
    (paths,) = folder.glob("python3*._pth")
    paths.write_text(f"{paths.stem}.zip\n.\nimport site\n", "utf-8")


def _install(packages: Path, listed: Path) -> None:
    """Installs pip and all that the window needs, with pinned hashes, and then Epitome itself."""
    locks = (LOCKS / f"{name}.txt" for name in ("tools", "base"))
    blocks = [block for lock in locks for block in needed_on("windows", lock)]
    target = ("install", "--no-compile", "--target", str(packages))
    pip_for("windows", *target, blocks=blocks, listed=listed)
    own = [sys.executable, "-m", "pip", *target, "--quiet", "--no-deps", "--no-build-isolation"]
    # What builds it is among the packages.
    environment = {**os.environ, "PYTHONPATH": str(packages.absolute())}
    subprocess.run([*own, ROOT], check=True, env=environment)
    for name in ("bin", "Scripts", "share"):
        shutil.rmtree(packages / name, ignore_errors=True)


def check_builder() -> str:
    """Why this Python cannot make the tree; empty if it can."""
    ours = "{}.{}".format(*sys.version_info)
    return "" if ours == PYTHON else f"It is made with Python {PYTHON}; this is {ours}."
