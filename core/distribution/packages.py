"""Installed Python packages: what they ask for, and under which licences they are."""

import re
from collections.abc import Iterator
from importlib.metadata import (
    Distribution,
    PackageMetadata,
    PackageNotFoundError,
    distribution,
)
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from packaging.requirements import Requirement

_LICENCE_FILE = re.compile(r"licen[cs]e|copying|notice", re.IGNORECASE)
_LICENCE_CLASS = "License :: OSI Approved"


def found_package(name: str) -> Distribution | None:
    """An installed package; None where it is not."""
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def needed_packages(*names: str) -> Iterator[Distribution]:
    """Packages, and all that they ask for on this system, and what that asks for, and so on.

    Args:
        *names: Where to begin; optional parts of these are not followed.

    Yields:
        Each package that is installed, once.
    """
    from packaging.requirements import Requirement

    seen: dict[str, frozenset[str]] = {}
    todo: list[tuple[str, frozenset[str]]] = [(name, frozenset()) for name in reversed(names)]
    while todo:
        name, extras = todo.pop()
        package, key = found_package(name), re.sub(r"[-_.]+", "-", name).lower()
        if package is None or (key in seen and extras <= seen[key]):
            continue  # asked for on other systems only, or followed
        if key not in seen:
            yield package
        seen[key] = extras | seen.get(key, frozenset())
        for line in package.requires or []:
            asked = Requirement(line)
            if any(is_wanted(asked, extra) for extra in ("", *extras)):
                todo.append((asked.name, frozenset(asked.extras)))


def is_wanted(asked: "Requirement", extra: str) -> bool:
    """Whether a requirement holds on this system, for an extra or, if that is empty, always."""
    return asked.marker is None or asked.marker.evaluate({"extra": extra})


def licence_of(package: Distribution) -> str:
    """The name of a package's licence, as its makers state it; empty where they do not."""
    told = package.metadata
    if expression := _field(told, "License-Expression"):
        return expression
    lines = [str(line) for line in told.get_all("Classifier") or ()]
    classes = [line for line in lines if line.startswith("License ::") and line != _LICENCE_CLASS]
    named = ", ".join(line.rpartition(" :: ")[2] for line in classes)
    return named or _field(told, "License").strip().partition("\n")[0]


def _field(told: PackageMetadata, name: str) -> str:
    """A field, or empty: of one that is not there, `[]` raises in some versions of Python."""
    return str((told.get_all(name) or [""])[0])


def licence_files(package: Distribution) -> tuple[Path, ...]:
    """Where the text of a package's licence stands; empty when it came without."""
    paths = [Path(str(file.locate())) for file in package.files or () if _is_licence(Path(file))]
    return tuple(sorted(path for path in paths if path.is_file()))


def _is_licence(path: Path) -> bool:
    """Whether a file of a package is its licence: the project's own, or what a wheel lists."""
    if path.parent != Path() and ".dist-info" not in path.parts[0]:
        return False
    return "licenses" in path.parts or bool(_LICENCE_FILE.match(path.name))
