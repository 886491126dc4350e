"""The Debian package: the tree under /usr/lib/epitome, and what a desktop looks for."""

import gzip
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from installers.tree import ROOT, compile_tree, executable

from core.distribution.system_libraries import DRAWING, WAYLAND, X11
from core.version import VERSION

HOME = Path("/usr/lib/epitome")
LINUX = ROOT / "packaging" / "linux"
_CONTROL = """\
Package: epitome
Version: {version}
Architecture: amd64
Maintainer: The Epitome project <epitome@localhost>
Installed-Size: {size}
Depends: {depends}
Recommends: fonts-dejavu-core, xdg-utils
Section: text
Priority: optional
Description: Summaries of long documents, with the evidence for every sentence
 Epitome reads long documents on your own machine and shows the evidence for
 every sentence of the summary in the source. Nothing leaves the computer.
 Training, and text recognition for scans, are installed later from its window.
"""
# In Ubuntu 24.04 and Debian 13, for 64-bit times.
_RENAMED = {"libglib2.0-0": "libglib2.0-0 | libglib2.0-0t64"}
_AFTER_REMOVAL = """\
#!/bin/sh
set -e
case "$1" in remove | purge) rm -rf /usr/lib/epitome ;; esac
if [ "$1" = purge ]; then
    echo "Epitome is removed. What people made with it stays in their home folders:"
    echo "  ~/.local/share/Epitome  ~/.config/Epitome  ~/.cache/Epitome"
fi
"""
_GLIBC = re.compile(rb"GLIBC_2\.(\d+)")


def make(tree: Path, work: Path, out: Path) -> Path:
    """Builds `epitome_VERSION_amd64.deb`; gives the file."""
    root = work / "root"
    home = root / HOME.relative_to("/")
    home.parent.mkdir(parents=True)
    compile_tree(tree, HOME)
    tree.rename(home)
    _add_desktop_files(root, commands_of(executable(home / "python")))
    _add_control(root, _oldest_glibc(home))
    file = out / f"epitome_{VERSION}_amd64.deb"
    command = ["dpkg-deb", "--root-owner-group", "-Zxz", "-z6", "--build", root, file]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    home.rename(tree)  # its bill of materials is written next
    return file


def commands_of(python: Path) -> str:
    """The program's commands as the manual page lists them, told by a Python that has the program.

    The one that makes the installer may have nothing but its own library.
    """
    code = (
        "from core.cli.main import COMMANDS\n"
        "for name, each in COMMANDS.items(): print(f'.TP\\n.B {name}\\n{each.told}.')"
    )
    command = [python, "-P", "-c", code]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.rstrip()


def _add_desktop_files(root: Path, commands: str) -> None:
    share = root / "usr" / "share"
    entry = (LINUX / "epitome.desktop").read_text("utf-8")
    _write(share / "applications" / "epitome.desktop", entry)
    icon = share / "icons" / "hicolor" / "scalable" / "apps" / "epitome.svg"
    _write(icon, (LINUX / "epitome.svg").read_text("utf-8"))
    about = LINUX / "org.epitome.Epitome.metainfo.xml"
    _write(share / "metainfo" / about.name, _filled(about.read_text("utf-8"), commands))
    page = _filled((LINUX / "epitome.1").read_text("utf-8"), commands)
    _write(share / "man" / "man1" / "epitome.1.gz", page)
    _write(share / "doc" / "epitome" / "copyright", (ROOT / "LICENSE").read_text("utf-8"))
    command = root / "usr" / "bin" / "epitome"
    command.parent.mkdir(parents=True)
    command.symlink_to(Path("..") / HOME.relative_to("/usr") / "epitome")


def _filled(text: str, commands: str) -> str:
    day = datetime.now(UTC).date().isoformat()
    return text.replace("@VERSION@", VERSION).replace("@DATE@", day).replace("@COMMANDS@", commands)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    packed = path.suffix == ".gz"
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0) if packed else text.encode())


def _add_control(root: Path, glibc: str) -> None:
    size = sum(path.lstat().st_size for path in root.rglob("*") if path.is_file()) // 1024
    libraries = sorted({library.debian for library in DRAWING + X11 + WAYLAND})
    named = [_RENAMED.get(name, name) for name in libraries]
    depends = ", ".join([f"libc6 (>= {glibc})", "libstdc++6", *named])
    control = root / "DEBIAN"
    control.mkdir()
    (control / "control").write_text(
        _CONTROL.format(version=VERSION, size=size, depends=depends), "utf-8"
    )
    removal = control / "postrm"
    removal.write_text(_AFTER_REMOVAL, "utf-8")
    removal.chmod(0o755)


def _oldest_glibc(home: Path) -> str:
    """The oldest C library that has all that the tree's binaries ask for."""
    binaries = [*home.glob("python/bin/*"), *home.rglob("*.so*")]
    asked = (int(n) for path in binaries for n in _GLIBC.findall(path.read_bytes()))
    return f"2.{max(asked)}"
