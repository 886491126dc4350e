"""The optional parts of the program: what each is for, what it consists of, whether it is there.

A part is an extra of the package. One that the window has installed lies in a folder of its own
beside the other packages; a file in `site-packages` leads Python there
(`core.jobs.program.install_part`).
"""

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import invalidate_caches
from importlib.machinery import PathFinder
from importlib.metadata import PackageNotFoundError, requires
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Literal, get_args

from core.distribution.resources import resource
from core.installation import installation
from core.storage.parsing import parse_json, parse_toml
from core.storage.regular_files import read_regular

PartName = Literal["scans", "training", "fast", "gguf", "lora", "cluster"]
PART_NAMES: tuple[PartName, ...] = get_args(PartName)

_REPOSITORY: Final = Path(__file__).resolve().parents[2]

CONSTRAINTS: Final = installation().pins or _REPOSITORY / "packaging" / "constraints.txt"
"""The pinned versions of everything; there where the program runs from its repository or was
installed by an installer."""

LOCKS: Final = installation().locks or _REPOSITORY / "packaging" / "locks"
"""A file for each part with the hashes of all that it consists of; there as the constraints are."""

_PROJECT: Final = _REPOSITORY / "pyproject.toml"

PYTORCH_CPU_INDEX: Final = "https://download.pytorch.org/whl/cpu"
"""Where PyTorch's builds without CUDA are; asked where the usual index has only those with it."""

FOLDER: Final = "epitome-parts"
"""In the environment: a folder for each part that was installed from the window."""

LEADER: Final = "epitome-part-"
"""The files that lead Python to installed parts are named so, with the part's name after it."""


@dataclass(frozen=True)
class Part:
    """An optional part.

    Args:
        name: Its name; that of the extra, too.
        title: What a person calls it.
        packages: What pip is asked to install.
        modules: What can be imported when it is there.
        download_bytes: What is downloaded, as measured when versions were pinned; 0 for unknown.
        installed_bytes: The size of its files.
        command: Installs it at the command line.
        systems: The platform tags that there are wheels for; empty for all systems.
    """

    name: str
    title: str
    packages: tuple[str, ...]
    modules: tuple[str, ...]
    download_bytes: int = 0
    installed_bytes: int = 0
    command: str = ""
    systems: frozenset[str] = frozenset()

    @property
    def is_offered(self) -> bool:
        """Whether it can be installed on this system."""
        from packaging.tags import platform_tags  # the window's start need not wait for it

        return not self.systems or not self.systems.isdisjoint(platform_tags())

    @property
    def is_installed(self) -> bool:
        """Whether it is there; one that the window has installed is found at once."""
        return self._is_there() or (activate() and self._is_there())

    def _is_there(self) -> bool:
        return all(find_spec(module) for module in self.modules)


_TITLES: Final[dict[PartName, str]] = {
    "scans": "Text recognition",
    "training": "Training",
    "fast": "Faster models",
    "gguf": "GGUF models",
    "lora": "LoRA fine-tuning",
    "cluster": "Several machines",
}
_SYSTEMS: Final[dict[PartName, frozenset[str]]] = {
    # Of tesserocr: Linux with glibc 2.28 or musl 1.2, macOS 15, Windows.
    "scans": frozenset(
        (
            "manylinux_2_28_x86_64",
            "manylinux_2_28_aarch64",
            "musllinux_1_2_x86_64",
            "macosx_15_0_arm64",
            "macosx_15_0_x86_64",
            "win_amd64",
        )
    ),
    # Of ctranslate2: Linux with glibc 2.27, macOS on Apple's processors, Windows.
    "fast": frozenset(
        (
            "manylinux_2_27_x86_64",
            "manylinux_2_27_aarch64",
            "macosx_11_0_arm64",
            "win_amd64",
        )
    ),
}
_MODULES: Final[dict[PartName, tuple[str, ...]]] = {
    "scans": ("tesserocr", "PIL"),
    "training": ("torch", "transformers", "datasets", "tokenizers", "safetensors", "sacrebleu"),
    "fast": ("ctranslate2",),
    "gguf": ("xllamacpp",),
    "lora": ("peft",),
    "cluster": ("dask", "distributed"),
}


@cache
def part_of(name: PartName) -> Part:
    """The part of that name, as it is pinned for this program."""
    size = _sizes().get(name, {})
    return Part(
        name,
        _TITLES[name],
        _packages(name),
        _MODULES[name],
        size.get("download_bytes", 0),
        size.get("installed_bytes", 0),
        installation().adding(name),
        _SYSTEMS.get(name, frozenset()),
    )


def can_install() -> bool:
    """Whether parts can be added to this installation: it has pip, and versions are pinned."""
    if hasattr(sys, "frozen") or not CONSTRAINTS.is_file():
        return False
    # Not by find_spec: where setuptools watches imports, looking for pip takes over distutils.
    return PathFinder.find_spec("pip") is not None


def activate() -> bool:
    """Finds parts that were installed after this process had started; whether there was one."""
    paths = [path for folder in _site_folders() for path in _paths_in(folder)]
    new = [path for path in paths if path not in sys.path and Path(path).is_dir()]
    sys.path += new
    invalidate_caches()
    return bool(new)


def _paths_in(folder: Path) -> Iterator[str]:
    """Where the files of a folder lead; they name places relative to it, as Python reads them."""
    for file in sorted(folder.glob(f"{LEADER}*.pth")):
        for line in filter(None, read_regular(file).decode().split("\n")):
            yield os.path.normpath(folder / line)


def _site_folders() -> list[Path]:
    own = installation().parts
    folders = [Path(path) for path in sys.path if path.endswith("-packages")]
    return [folder for folder in (*folders, *([own] if own else [])) if folder.is_dir()]


def _packages(name: PartName) -> tuple[str, ...]:
    """The requirements of an extra: of the repository, else as they were when it was installed."""
    if _PROJECT.is_file():
        project = parse_toml(_PROJECT.read_text("utf-8"))["project"]
        return tuple(project["optional-dependencies"][name])
    return tuple(_installed_requirements(name))


def _installed_requirements(name: PartName) -> Iterator[str]:
    from packaging.requirements import Requirement

    try:
        known = requires("epitome") or []
    except PackageNotFoundError:
        known = []
    for each in map(Requirement, known):
        if each.marker and not each.marker.evaluate() and each.marker.evaluate({"extra": name}):
            each.marker = None
            yield str(each)


def _sizes() -> dict[str, dict[str, int]]:
    sizes: dict[str, Any] = parse_json(resource("sizes.json").read_text("utf-8"))
    parts: dict[str, dict[str, int]] = sizes.get("parts", {})
    return parts
