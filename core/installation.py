"""How this copy of Epitome came here: from its repository, or by an installer.

An installer puts a file into the copy's own Python that says so. Such a copy is the same for
everybody on the machine and cannot be written to, so parts that a person adds lie among the
person's own data.
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


@dataclass(frozen=True)
class Installation:
    """A copy of the program.

    Args:
        kind: "source" for a repository, else the installer: "deb" or "portable".
        prefix: The folder of its Python.
    """

    kind: str
    prefix: Path

    @property
    def title(self) -> str:
        """What a person calls it."""
        return {"deb": "Debian package", "portable": "portable folder"}.get(self.kind, "source")

    @property
    def mend(self) -> str:
        """What restores the program itself."""
        if self.kind == "deb":
            return "sudo apt-get install --reinstall epitome"
        if self.kind == "portable":
            return "unpack the portable folder again"
        return "python3 packaging/bootstrap.py run"

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
    def parts(self) -> Path | None:
        """Where a person's added parts lie; None where they go into the environment."""
        return None if self.kind == "source" else _data_folder() / "parts" / _python()


@cache
def installation() -> Installation:
    """The running copy."""
    prefix = Path(sys.prefix)
    try:
        told = json.loads((prefix / MARK).read_text("utf-8"))
    except (OSError, ValueError):
        return Installation("source", prefix)
    return Installation(str(told["kind"]), prefix)


def find_parts() -> None:
    """Lets Python find the parts that a person has added; called when Python starts."""
    import site

    parts = installation().parts
    if parts is not None and parts.is_dir():
        site.addsitedir(str(parts))


def _data_folder() -> Path:
    """As `core.library.folders` has it, without what takes time to import."""
    if home := os.environ.get("EPITOME_HOME", "").strip():
        return Path(home).expanduser().absolute() / "data"
    shared = os.environ.get("XDG_DATA_HOME", "").strip()
    return (Path(shared) if shared else Path.home() / ".local" / "share") / "Epitome"


def _python() -> str:
    """Compiled packages fit one version of Python."""
    return f"python{sys.version_info.major}.{sys.version_info.minor}"
