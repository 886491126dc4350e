"""The tree that every installer contains: Python, Epitome and what the window needs.

epitome                     starts the program
python/bin/python3.11       a Python of its own; found by the program's own child processes, too
python/lib/*.so*            libpython, and system libraries that its modules load
python/lib/python3.11       the standard library and `site-packages`
python/epitome-*            what `core.installation` reads

The tree for Windows is made in `installers.windows_tree`.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from installers.libraries import note_package

from core.installation import HASHES, LIBRARIES, MARK, PINS

ROOT = Path(__file__).resolve().parents[2]
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
LOCKS = ROOT / "packaging" / "locks"

# Of the standard library: tests, and what draws with Tk or reads a terminal.
_NOT_COPIED = (
    "__pycache__", "site-packages", "test", "tests", "idlelib", "tkinter", "turtledemo",
    "turtle.py", "lib2to3", "ensurepip", "config-*", "_tkinter*", "_curses*", "readline*",
    "nis.*", "_dbm*", "_gdbm*", "_test*", "xxlimited*", "_ctypes_test*", "pydoc_data",
)  # fmt: skip
# Of Qt: what no window of Epitome loads.
QT_LEFT_OUT = (
    "include", "typesystems", "glue",
    "doc", "scripts", "assistant*", "designer*", "linguist*", "lrelease*", "lupdate*", "qmllint*",
    "qmlformat*", "qmlls*", "balsam*", "svgtoqml*", "QtQml*", "QtQuick*", "QtDesigner*",
    "QtHelp*", "QtUiTools*", "QtSql*", "QtTest*", "QtXml*", "QtOpenGL*", "QtConcurrent*", "*.pyi",
)  # fmt: skip
# As well on Linux and macOS.
_QT_OF_OTHERS_LEFT_OUT = (
    "Qt/qml", "Qt/translations", "Qt/metatypes", "Qt/libexec",
    "Qt/lib/libQt6Qml*", "Qt/lib/libQt6Quick*", "Qt/lib/libQt6Designer*", "Qt/lib/libQt6Help*",
    "Qt/lib/libQt6UiTools*", "Qt/lib/libQt6Sql*", "Qt/lib/libQt6Test*", "Qt/lib/libQt6Labs*",
    "Qt/plugins/qmltooling", "Qt/plugins/designer", "Qt/plugins/sqldrivers", "Qt/plugins/qmllint",
    "Qt/plugins/qmlls", "Qt/plugins/platforms/libqvnc*", "Qt/plugins/platforms/libqlinuxfb*",
    "Qt/plugins/platforms/libqeglfs*", "Qt/plugins/platforms/libqvkkhr*",
    "Qt/plugins/egldeviceintegrations",
)  # fmt: skip
# Every Linux with a desktop has these, and a copy would not fit its C library or its drivers.
_OF_THE_SYSTEM = re.compile(
    r"ld-linux|lib(c|m|dl|rt|pthread|util|resolv|nsl|gcc_s|stdc\+\+|python[\d.]+)\.so"
)
_LAUNCHER = """\
#!/bin/sh
# Starts Epitome with its own Python, whatever Python this system or this user has.
here=$(dirname -- "$(readlink -f -- "$0")")
unset PYTHONHOME PYTHONPATH PYTHONSTARTUP
export PYTHONNOUSERSITE=1
exec "$here/python/bin/{python}" -P -c "from gui.app import main; raise SystemExit(main())" "$@"
"""


def make_tree(folder: Path, kind: str, releases: str) -> Path:
    """Makes the tree.

    Args:
        folder: Where; must not exist.
        kind: The installer that it is for, as `core.installation` names it.
        releases: The page where newer versions are published; may be empty.

    Returns:
        The folder.

    Raises:
        subprocess.CalledProcessError: If a package cannot be installed or a library not be patched.
    """
    python = folder / "python"
    _copy_python(python)
    if sys.platform == "linux":
        _bundle_libraries(python)
    _install(python)
    leave_out(_packages(python) / "PySide6", (*QT_LEFT_OUT, *_QT_OF_OTHERS_LEFT_OUT))
    mark(folder, _packages(python), kind, releases)
    _write_launcher(folder)
    return folder


def mark(folder: Path, packages: Path, kind: str, releases: str) -> None:
    """Writes what `core.installation` reads, and the licence.

    Args:
        folder: The tree.
        packages: Its `site-packages`.
        kind: The installer that it is for.
        releases: The page where newer versions are published; may be empty.
    """
    python = folder / "python"
    told = {"kind": kind, "releases": releases}
    (python / MARK).write_text(json.dumps(told) + "\n", "utf-8")
    shutil.copy(CONSTRAINTS, python / PINS)
    shutil.copytree(LOCKS, python / HASHES)
    shutil.copy(ROOT / "LICENSE", folder)
    # Read whenever this Python starts, also for child processes and for pip.
    finder = "import core.installation; core.installation.find_parts()\n"
    (packages / "epitome-parts.pth").write_text(finder, "utf-8")


def _write_launcher(folder: Path) -> None:
    launcher = folder / "epitome"
    launcher.write_text(_LAUNCHER.format(python=executable().name), "utf-8")
    launcher.chmod(0o755)


def executable(python: Path = Path(sys.base_prefix)) -> Path:
    """Where a Python's program lies in its folder."""
    return python / "bin" / f"python{sysconfig.get_python_version()}"


def _library(python: Path) -> Path:
    """Where its standard library lies."""
    return python / "lib" / executable().name


def _packages(python: Path) -> Path:
    return _library(python) / "site-packages"


def _copy_python(python: Path) -> None:
    (python / "bin").mkdir(parents=True)
    shutil.copy(executable().resolve(), python / "bin" / executable().name)
    source = Path(sys.base_prefix)
    left_out = shutil.ignore_patterns(*_NOT_COPIED)
    shutil.copytree(_library(source), _library(python), ignore=left_out)
    _packages(python).mkdir(exist_ok=True)
    libraries = [*source.glob("lib/libpython3.*.so*"), *source.glob("lib/libpython3.*.dylib")]
    for library in libraries:
        if not library.is_symlink():
            shutil.copy(library, python / "lib")


def _bundle_libraries(python: Path) -> None:
    """Copies the system libraries that Python's own modules load, and points to the copies."""
    modules = sorted((_library(python) / "lib-dynload").glob("*.so"))
    for module in modules:
        for name, path in _needed(module):
            if not (python / "lib" / name).exists():
                shutil.copy(path.resolve(), python / "lib" / name)
                note_package(path, name, python / LIBRARIES)
    _point(executable(python), "$ORIGIN/../lib")
    for library in (python / "lib").glob("*.so*"):
        library.chmod(0o755)
        _point(library, "$ORIGIN")
    for module in modules:
        _point(module, "$ORIGIN/../..")


def _needed(binary: Path) -> Iterator[tuple[str, Path]]:
    told = subprocess.run(["ldd", binary], capture_output=True, text=True, check=True).stdout
    for name, path in re.findall(r"(\S+) => (/\S+)", told):
        if not _OF_THE_SYSTEM.match(name):
            yield name, Path(path)


def _point(binary: Path, folder: str) -> None:
    subprocess.run(["patchelf", "--force-rpath", "--set-rpath", folder, binary], check=True)


def _install(python: Path) -> None:
    """Installs Epitome, pip for the parts that come later, and all else with pinned hashes."""
    # A fresh Python has no pip: the one that runs this command lends its own, and nothing else.
    command = [sys.executable, "-P", "-m", "pip", "--python", executable(python)]
    environment = {**os.environ, "PYTHONNOUSERSITE": "1"}
    for name in ("PYTHONHOME", "PYTHONPATH"):
        environment.pop(name, None)
    options = [
        "--quiet",
        "--disable-pip-version-check",
        "--no-warn-script-location",
        "--no-compile",
    ]
    locked = [each for name in ("tools", "base") for each in ("-r", LOCKS / f"{name}.txt")]
    install = [*command, "install", *options]
    needs = [*install, "--ignore-installed", "--require-hashes", *locked]
    subprocess.run(needs, check=True, env=environment)
    own = [*install, "--ignore-installed", "--no-deps", "--no-build-isolation", ROOT]
    subprocess.run(own, check=True, env=environment)
    shutil.rmtree(python / "share", ignore_errors=True)
    for script in (python / "bin").glob("*"):
        if script.name != executable().name:
            script.unlink()


def leave_out(folder: Path, patterns: tuple[str, ...]) -> None:
    """Removes the files and folders below a folder whose names match."""
    for path in sorted(folder.rglob("*"), reverse=True):
        name = path.relative_to(folder).as_posix()
        if any(fnmatchcase(each, pattern) for each in (name, path.name) for pattern in patterns):
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def compile_tree(folder: Path, final: Path) -> None:
    """Compiles everything, so that the program starts as fast where nobody can write to it.

    Args:
        folder: The tree.
        final: Where it will lie, for the names in tracebacks.
    """
    python = folder / "python"
    compile_modules(executable(python), folder, _library(python), final)


def compile_modules(program: Path, folder: Path, modules: Path, final: Path) -> None:
    """Compiles the modules in a tree with a Python of the version that it contains.

    Args:
        program: That Python.
        folder: The tree.
        modules: The folder with the modules.
        final: Where the tree will lie, for the names in tracebacks.
    """
    code = [program, "-P", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash"]
    # Templates of other packages need not compile.
    command = [*code, "-s", folder, "-p", final, modules]
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
