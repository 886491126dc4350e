"""What the program is made of: what it brings along, what it stands on, under which licences."""

import platform
import re
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from PySide6 import __version__ as pyside_version
from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication

from core.resources import resource
from core.version import VERSION

NAME = "epitome"

_LINK = re.compile(r"\[[^]]*\]\(([^)]*)\)")
_REQUIREMENT = re.compile(r"[\w.-]+")
_LICENCE_FILE = re.compile(r"licen[cs]e|copying|notice", re.IGNORECASE)


@dataclass(frozen=True)
class Part:
    """Something with a licence.

    Args:
        name: As its makers call it.
        version: Its version.
        makers: Who made it; empty where its licence says so.
        licence: Name of the licence.
        files: Where the licence's text stands; empty when it came without.
    """

    name: str
    version: str
    makers: str
    licence: str
    files: tuple[Path, ...]

    @property
    def facts(self) -> str:
        """Version, makers and licence in one line."""
        return ", ".join(filter(None, (self.version, self.makers, self.licence)))

    def read_licence(self) -> str:
        """The licence's text; its name alone where the part came without it."""
        texts = [file.read_text("utf-8", "replace").strip("\n") for file in self.files]
        return "\n\n\n".join(texts) or self.licence


def bundled_parts() -> tuple[Part, ...]:
    """The typefaces and icons, as `resources/LICENCES.md` lists them."""
    lines = resource("LICENCES.md").read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if "](" in line]
    return tuple(_bundled(*row) for row in rows)


@cache
def installed_parts() -> tuple[Part, ...]:
    """The packages that Epitome asks for, apart from training; Epitome itself stands first."""
    try:
        asked = distribution(NAME).requires or []
    except PackageNotFoundError:
        return ()
    names = [_REQUIREMENT.match(line) for line in asked if "extra ==" not in line]
    found = [_installed(name[0]) for name in names if name]
    return tuple(part for part in (_installed(NAME), *found) if part is not None)


def technical_details() -> str:
    """What helps to find a fault: versions and the system, nothing of any document."""
    lines = (
        f"Epitome {VERSION}",
        f"Python {platform.python_version()}",
        f"Qt {qVersion()}, PySide {pyside_version}, {QGuiApplication.platformName()}",
        f"{platform.platform()}, {platform.machine()}",
    )
    return "\n".join(lines) + "\n"


def _bundled(name: str, version: str, makers: str, licence: str, text: str) -> Part:
    link = _LINK.search(text)
    files = (resource(*link[1].split("/")),) if link else ()
    return Part(name, version, makers, licence, files)


def _installed(name: str) -> Part | None:
    try:
        found = distribution(name)
    except PackageNotFoundError:
        return None
    paths = [Path(str(file.locate())) for file in found.files or () if _is_licence(Path(file))]
    files = tuple(sorted(path for path in paths if path.is_file()))
    return Part(found.metadata["Name"], found.version, "", _licence(found), files)


def _licence(found: Distribution) -> str:
    told = found.metadata
    named = [line for key in ("License-Expression", "License") for line in told.get_all(key) or ()]
    classes = [line for line in told.get_all("Classifier") or () if line.startswith("License ::")]
    if named:
        return str(named[0]).partition("\n")[0]
    return str(classes[0]).rpartition(" :: ")[2] if classes else ""


def _is_licence(path: Path) -> bool:
    """Whether a file of a package is its licence: the project's own, or what a wheel lists."""
    if path.parent != Path() and ".dist-info" not in path.parts[0]:
        return False
    return "licenses" in path.parts or bool(_LICENCE_FILE.match(path.name))
