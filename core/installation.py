"""How this copy of Epitome came here: from its repository, or by an installer.

An installer puts a file into the copy's own Python that says so. Such a copy may be the same for
everybody on the machine and read-only, so parts that a person adds lie among the person's own
data. A portable copy keeps that data beside itself, so that it moves with the folder.
"""

import json
import os
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

MARK: Final = "epitome-installation.json"
"""The installer's file, beside the copy's Python."""

PINS: Final = "epitome-constraints.txt"
"""The pinned versions of everything, beside it."""

HASHES: Final = "epitome-locks"
"""The folder with the hashes of their files, beside it."""

LIBRARIES: Final = "epitome-libraries"
"""The folder with what is known of the system libraries in the copy, beside it."""

_TITLES: Final = {
    "deb": "Debian package",
    "portable": "portable folder",
    "appimage": "AppImage",
    "windows": "Windows installer",
    "macos": "macOS app",
}
_MENDS: Final = {
    "deb": "sudo apt-get install --reinstall epitome",
    "portable": "unpack the portable folder again",
    "appimage": "download the AppImage again",
    "windows": "run the installer again",
    "macos": "copy Epitome to the Applications folder again",
}
_HOME: Final = "home"
"""Beside the Python of a portable copy: what the person makes with it."""


@dataclass(frozen=True)
class Library:
    """A package of the system of which an installed copy brings libraries along.

    Args:
        name: Its name in the system where the installer was made.
        version: Its version there.
        licence: The names of its licences, as far as they are known.
        files: The names of the libraries.
        texts: Where its licences stand.
    """

    name: str
    version: str = ""
    licence: str = ""
    files: tuple[str, ...] = ()
    texts: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Installation:
    """A copy of the program.

    Args:
        kind: "source" for a repository, else the installer: "deb", "portable", "appimage",
            "windows" or "macos".
        prefix: The folder of its Python.
        releases: The page where newer versions are published; empty where the installer noted
            none, and for a repository (`core.distribution.releases` knows it then).
    """

    kind: str
    prefix: Path
    releases: str = ""

    @property
    def title(self) -> str:
        """What a person calls it."""
        title = _TITLES.get(self.kind, "source")
        return f"{title}, read-only" if self.kind == "portable" and self.home is None else title

    @property
    def mend(self) -> str:
        """What restores the program itself."""
        return _MENDS.get(self.kind, f"{_python_program()} packaging/bootstrap.py run")

    @property
    def home(self) -> Path | None:
        """The folder beside a portable copy that holds its data and settings.

        None for other copies, and where the portable folder cannot be written to: these use the
        system's usual folders.
        """
        if self.kind != "portable":
            return None
        home = self.prefix.parent / _HOME
        return home if can_hold_files(home if home.exists() else home.parent) else None

    def adding(self, part: str) -> str:
        """The command that installs an optional part."""
        if self.kind == "source":
            return f"{self.mend} --with-{part}"
        return f"epitome install {part}"

    @property
    def pins(self) -> Path | None:
        """The file of pinned versions; None for a repository, which has its own."""
        return None if self.kind == "source" else self.prefix / PINS

    @property
    def locks(self) -> Path | None:
        """The folder of hashes; None for a repository, which has its own."""
        return None if self.kind == "source" else self.prefix / HASHES

    def libraries(self) -> list[Library]:
        """The system libraries that the copy brings along, by package; none of a repository."""
        return libraries_in(self.prefix)

    @property
    def parts(self) -> Path | None:
        """Where a person's added parts lie; None where they go into the environment."""
        return None if self.kind == "source" else _data_folder(self.home) / "parts" / _python()


def libraries_in(prefix: Path) -> list[Library]:
    """What is known of the system libraries beside a copied Python."""
    found = []
    for file in sorted((prefix / LIBRARIES).glob("*.json")):
        told = json.loads(file.read_text("utf-8"))
        text = file.with_suffix(".txt")
        texts = (text,) if text.is_file() else ()
        found.append(
            Library(told["name"], told["version"], told["licence"], tuple(told["files"]), texts)
        )
    return found


@cache
def installation() -> Installation:
    """The running copy."""
    prefix = Path(sys.prefix)
    try:
        told = json.loads((prefix / MARK).read_text("utf-8"))
    except (OSError, ValueError):
        return Installation("source", prefix)
    return Installation(str(told["kind"]), prefix, str(told.get("releases", "")))


def can_hold_files(folder: Path, system: str = sys.platform) -> bool:
    """True if the user may make files in a folder; on Windows, only an attempt says so."""
    if system != "win32":
        return os.access(folder, os.W_OK)
    try:
        attempt = folder / f".epitome-{os.getpid()}"
        attempt.touch()
        attempt.unlink()
    except OSError:
        return False
    return True


def find_parts() -> None:
    """Lets Python find the parts that a person has added; called when Python starts."""
    import site

    parts = installation().parts
    if parts is not None and parts.is_dir():
        site.addsitedir(str(parts))


def _python_program(system: str = sys.platform) -> str:
    """The command that starts Python; on Windows, `python3` may only open the Store."""
    return "py -3" if system == "win32" else "python3"


def _data_folder(beside: Path | None) -> Path:
    """As `core.library.folders` has it, without what takes time to import."""
    if home := os.environ.get("EPITOME_HOME", "").strip() or beside:
        return Path(os.path.expanduser(home)).absolute() / "data"  # noqa: PTH111 - leaves "~nobody"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", "").strip()
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "Epitome"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Epitome"
    shared = os.environ.get("XDG_DATA_HOME", "").strip()
    return (Path(shared) if shared else Path.home() / ".local" / "share") / "Epitome"


def _python() -> str:
    """Compiled packages fit one version of Python."""
    return f"python{sys.version_info.major}.{sys.version_info.minor}"
