"""Which packages of Debian the copied libraries are from, with version and licence."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

DOC = Path("/usr/share/doc")
_LICENCE = re.compile(r"(?m)^License:[ \t]*(\S.*)$")
_MOST_NAMED = 6


def note_package(library: Path, name: str, folder: Path) -> None:
    """Notes the package of a library; nothing where no package has it.

    Args:
        library: Where it lies in the system.
        name: What its copy is called.
        folder: Where the notes lie: for each package its facts and the text of its licences.
    """
    package = package_of(library)
    if not package:
        return
    folder.mkdir(exist_ok=True)
    facts = folder / f"{package}.json"
    text = DOC / package / "copyright"
    if facts.exists():
        told = json.loads(facts.read_text("utf-8"))
    else:
        licence = licences_in(text.read_text("utf-8", "replace")) if text.is_file() else ""
        told = {"name": package, "version": _version(package), "licence": licence, "files": []}
        if text.is_file():
            shutil.copy(text, folder / f"{package}.txt")
    told["files"] = sorted({*told["files"], name})
    facts.write_text(json.dumps(told, indent=1) + "\n", "utf-8")


def package_of(library: Path) -> str:
    """The name of the package that a library belongs to; empty for none."""
    for path in _names_of(library):
        done = subprocess.run(["dpkg-query", "-S", path], capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout.partition(":")[0].partition(",")[0].strip()
    return ""


def _names_of(library: Path) -> Iterator[Path]:
    """Where packages may say that a library lies: /lib has become a link to /usr/lib."""
    for path in (library.resolve(), library):
        yield path
        if path.is_relative_to("/usr/lib"):
            yield Path("/") / path.relative_to("/usr")


def licences_in(text: str) -> str:
    """The names of the licences that a copyright file lists, most of them; empty for none."""
    names = list(dict.fromkeys(" ".join(found.split()) for found in _LICENCE.findall(text)))
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more


def _version(package: str) -> str:
    command = ["dpkg-query", "-W", "-f", "${Version}\n", package]
    told = subprocess.run(command, capture_output=True, text=True).stdout
    return told.partition("\n")[0]
