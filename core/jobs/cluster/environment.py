"""The parts of an installation on which summaries and shards depend."""

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from core.distribution.parts import part_of
from core.version import VERSION


@dataclass(frozen=True)
class Environment:
    """The environment of a process; two machines with the same one make the same summaries.

    Args:
        version: The version of Epitome.
        python: The version of Python, without its last number.
        reads_scans: True if text recognition is installed.
    """

    version: str
    python: str
    reads_scans: bool

    @classmethod
    @cache
    def here(cls) -> "Environment":
        """That of this process."""
        python = ".".join(platform.python_version_tuple()[:2])
        return cls(VERSION, python, part_of("scans").is_installed)

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> "Environment":
        """Reads the environment of another machine; raises `ValueError` if it is none."""
        environment = cls(**value)
        kinds = tuple(map(type, vars(environment).values()))
        if kinds != (str, str, bool):
            raise ValueError("its environment is of the wrong type")
        return environment

    def __str__(self) -> str:
        scans = "with" if self.reads_scans else "without"
        return f"Epitome {self.version}, Python {self.python}, {scans} text recognition"
