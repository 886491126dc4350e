"""The hashes of the files that the pinned versions consist of, as `packaging/locks` has them."""

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from core.distribution.parts import LOCKS

_PIN = re.compile(r"([A-Za-z0-9][\w.-]*)==([^\s;\\]+)")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


@cache
def locked_hashes(folder: Path = LOCKS) -> dict[tuple[str, str], frozenset[str]]:
    """The SHA-256 of each file of a package, by its canonical name and version.

    Args:
        folder: The locks.

    Returns:
        Nothing for what is not locked: where the program came without locks, and for builds that
        only an index of their own has, such as PyTorch's for the CPU.
    """
    return dict(_read(folder))


def _read(folder: Path) -> Iterator[tuple[tuple[str, str], frozenset[str]]]:
    for file in sorted(folder.glob("*.txt")):
        with suppress(OSError):
            for block in re.split(r"\n(?=\S)", file.read_text("utf-8")):
                if found := _PIN.match(block):
                    yield (canonical(found[1]), found[2]), frozenset(_HASH.findall(block))


def canonical(name: str) -> str:
    """A package's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()
