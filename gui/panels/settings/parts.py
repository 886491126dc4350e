"""What the program is made of: what it brings along, what it stands on, under which licences."""

import platform
import re
import sysconfig
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution
from pathlib import Path

from PySide6 import __version__ as pyside_version
from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication

from core.distribution.packages import licence_files, licence_of, needed_packages
from core.distribution.resources import resource
from core.installation import Library, installation
from core.version import VERSION

NAME = "epitome"

_LINK = re.compile(r"\[[^]]*\]\(([^)]*)\)")


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
    """Every package that Epitome stands on, Epitome itself first, then Python, then by name.

    An installed copy also has pip for the parts that come later, and libraries of the system that
    it brings along.
    """
    installed = installation()
    names = (NAME,) if installed.kind == "source" else (NAME, "pip", "setuptools")
    packages = [_installed(package) for package in needed_packages(*names)]
    own, others = packages[:1], packages[1:]
    others += [_library(told) for told in installed.libraries()]
    return (*own, _python(), *sorted(others, key=lambda part: part.name.lower()))


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


def _python() -> Part:
    text = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    files = (text,) if text.is_file() else ()
    return Part("Python", platform.python_version(), "", "PSF-2.0", files)


def _installed(package: Distribution) -> Part:
    name, licence = package.metadata["Name"], licence_of(package)
    return Part(name, package.version, "", licence, licence_files(package))


def _library(told: Library) -> Part:
    return Part(told.name, told.version, "", told.licence, told.texts)
