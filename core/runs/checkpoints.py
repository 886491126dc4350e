"""Checkpoints by name: written beside, flushed, renamed, then named, so nobody meets half of one.

What is in their files is their writer's business; here it is only known by size and digest.
"""

import hashlib
import json
import shutil
import stat
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Literal

from core.errors import EpitomeError, NotFoundError, of_system
from core.runs.folder import gone, not_written
from core.storage.files import flush, write_json
from core.storage.parsing import parse_json
from core.storage.regular_files import open_regular, read_regular, rename_patiently

Name = Literal["last", "best", "proven"]
Files = Collection[str] | None
TOKENIZER_KEY = "tokenizer"
"""In a checkpoint's state: the fingerprint of its tokenizer, which older ones lack."""

_OF_NEWEST: tuple[Name, ...] = ("last", "proven")
_STATE = "state.json"
_PIECE_BYTES = 1 << 20
_DAMAGE = (ValueError, KeyError, TypeError, AttributeError, OverflowError)


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint that was found whole.

    Args:
        path: Its folder.
        step: The step it was made after.
        state: What its writer put into `state.json`.
    """

    path: Path
    step: int
    state: dict[str, Any]


class Checkpoints:
    """The checkpoints of a run.

    Args:
        run: The run's folder.
    """

    def __init__(self, run: Path) -> None:
        self.run = run
        self._folder = run / "checkpoints"

    def write(
        self, step: int, files: Mapping[str, Callable[[Path], None]], state: dict[str, Any]
    ) -> Path:
        """Makes a checkpoint and names it the last.

        Args:
            step: The step it is made after.
            files: By file name, what writes the file.
            state: Plain values beside them.

        Returns:
            Its folder.

        Raises:
            EpitomeError: If it cannot be written, of the kind `FULL` where the disk is; the
                checkpoints that were there stay.
        """
        place = self._folder / f"step-{step:08}"
        draft = self._folder / f".{place.name}.draft"
        try:
            shutil.rmtree(draft, ignore_errors=True)
            self._folder.mkdir(exist_ok=True)  # never the run's: it may have been moved away
            draft.mkdir()
            _fill(draft, files, state)
            shutil.rmtree(place, ignore_errors=True)  # of the same step, from before a resume
            rename_patiently(draft, place)
            flush(self._folder)
        except OSError as error:
            shutil.rmtree(draft, ignore_errors=True)
            raise not_written(f"The checkpoint {place}", self.run, error) from error
        self.name("last", step)
        return place

    def name(self, name: Name, step: int) -> None:
        """Lets `last.json`, `best.json` or `proven.json` name the checkpoint of a step.

        Args:
            name: "last" is the newest; "proven" the newest whose weights are known to be of use.
            step: Its step.

        Raises:
            EpitomeError: If it cannot be written.
        """
        told = {"checkpoint": f"step-{step:08}", "step": step}
        try:
            write_json(self.run / f"{name}.json", told, makes_folder=False)
        except NotFoundError as error:
            raise gone(self.run) from error

    def named(self, name: Name, needed: Files = None) -> Checkpoint | None:
        """The checkpoint of that name, if it is there and whole.

        Args:
            name: "last", "best" or "proven".
            needed: The files that must be whole; None for all.

        Returns:
            The checkpoint; None where there is none.
        """
        step = self.step_named(name)
        return None if step is None else self._opened(self._folder / f"step-{step:08}", needed)

    def newest(self, needed: Files = None) -> Checkpoint | None:
        """The newest checkpoint that is whole, as far as it is needed."""
        return self.search(needed)[0]

    def search(self, needed: Files = None) -> tuple[Checkpoint | None, list[Path]]:
        """Looks for the newest checkpoint that is whole; each file is read once.

        Args:
            needed: The files that must be whole; None for all.

        Returns:
            The checkpoint, None where there is none; and the newer ones, which are damaged.

        Raises:
            EpitomeError: If a checkpoint cannot be read, whole or not.
        """
        damaged: list[Path] = []
        for path in self._newest_first():
            if (found := self._opened(path, needed)) is not None:
                return found, damaged
            damaged.append(path)
        return None, damaged

    def likely(self, needed: Files = None) -> Path | None:
        """The checkpoint whose weights are used: the best, or else the newest.

        Nothing is read but names and sizes, so damage that keeps the size is not noticed.

        Args:
            needed: The files that must be there; None for all.

        Returns:
            Its folder; None where there is none.

        Raises:
            EpitomeError: If the folder of checkpoints cannot be read.
        """
        best = self.step_named("best")
        first = [] if best is None else [self.at(best)]
        paths = (*first, *self._newest_first())
        return next((path for path in paths if _looks_whole(path, needed)), None)

    def set_aside(self, path: Path, why: str) -> Path | None:
        """Renames a checkpoint, so that it is not used; the names leave it.

        The one before it becomes the last, and is proven: this one was made by going on from it.
        Those that were set aside earlier for the same reason are deleted.

        Args:
            path: Its folder.
            why: A word that its new name begins with.

        Returns:
            Its new name, "damaged-step-00000030" and so on; None where it is not there, or cannot
            be renamed.
        """
        aside, number = path.with_name(f"{why}-{path.name}"), 1
        while aside.exists():
            number += 1
            aside = path.with_name(f"{why}-{path.name}-{number}")
        try:
            rename_patiently(path, aside)
        except OSError:
            return None
        for older in self._folder.glob(f"{why}-step-*"):
            if older != aside:
                shutil.rmtree(older, ignore_errors=True)
        if self.step_named("best") == step_of(path):
            (self.run / "best.json").unlink(missing_ok=True)
        if self.step_named("last") == step_of(path):
            for name in _OF_NEWEST:
                (self.run / f"{name}.json").unlink(missing_ok=True)
            for newest, name in product(self._newest_first()[:1], _OF_NEWEST):
                self.name(name, step_of(newest))
        return aside

    def is_proven(self, step: int) -> bool:
        """Whether the weights of a step's checkpoint are known to be of use."""
        return step in (self.step_named("proven"), self.step_named("best"))

    def at(self, step: int) -> Path:
        """The folder of a step's checkpoint, whether it is there or not."""
        return self._folder / f"step-{step:08}"

    def prune(self, keep: int) -> None:
        """Deletes all but the newest that are whole, the best and the last; and drafts.

        A draft is left where a process was killed while it wrote; none is being written now.

        Args:
            keep: How many of the newest stay; one that is cut short or not readable is not counted.
        """
        named = {self.step_named("best"), self.step_named("last")}
        kept = 0
        for draft in self._folder.glob(".step-*.draft"):
            shutil.rmtree(draft, ignore_errors=True)
        for path in self._newest_first():
            if kept >= keep and step_of(path) not in named:
                shutil.rmtree(path, ignore_errors=True)
            kept += _looks_whole(path)

    def _newest_first(self) -> list[Path]:
        try:
            # Not by `glob`, which finds nothing in a folder that it may not read.
            paths = [path for path in self._folder.iterdir() if path.name.startswith("step-")]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise _unreadable(self._folder, error) from error
        return sorted(paths, key=step_of, reverse=True)

    def step_named(self, name: Name) -> int | None:
        """The step that a name stands for; None where nothing has that name."""
        with suppress(OSError, *_DAMAGE):
            return int(parse_json(read_regular(self.run / f"{name}.json"))["step"])
        return None

    def _opened(self, path: Path, needed: Files = None) -> Checkpoint | None:
        try:
            values = parse_json(read_regular(path / _STATE))
            stamps = {name: values["files"][name] for name in needed or values["files"]}
            if all(_is_whole(path, name, stamp) for name, stamp in stamps.items()):
                return Checkpoint(path, step_of(path), values["state"])
        except (*_DAMAGE, FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None
        except OSError as error:
            raise _unreadable(path, error) from error
        return None


def _looks_whole(path: Path, needed: Files = None) -> bool:
    """Whether no file is missing or cut short; nothing is read for it but the list of files."""
    with suppress(OSError, *_DAMAGE):
        files = parse_json(read_regular(path / _STATE))["files"]
        names = needed or files
        return all(_has_size(path, name, files[name]) for name in names)
    return False


def _has_size(path: Path, name: str, stamp: dict[str, Any]) -> bool:
    """Whether a file has the size that a checkpoint's list of files says.

    Args:
        path: The checkpoint's folder.
        name: The file's name, which a list made to do harm may have chosen.
        stamp: What the list says of it.

    Returns:
        Whether it is a regular file in this folder, and so large.
    """
    if Path(name).name != name:
        return False  # not in this folder: perhaps a device, or somebody else's file
    status = (path / name).stat()
    return stat.S_ISREG(status.st_mode) and status.st_size == stamp["bytes"]


def _is_whole(path: Path, name: str, stamp: dict[str, Any]) -> bool:
    """The same, and whether its bytes are those that were written."""
    return _has_size(path, name, stamp) and _stamp(path / name) == stamp


def _unreadable(path: Path, error: OSError) -> EpitomeError:
    return of_system(error, f"{path} cannot be read", "Make it readable, and try again.")


def _fill(draft: Path, files: Mapping[str, Callable[[Path], None]], state: dict[str, Any]) -> None:
    for name, write in files.items():
        write(draft / name)
        flush(draft / name)
    stamps = {name: _stamp(draft / name) for name in files}
    # Written last, so that a folder without it is no checkpoint.
    (draft / _STATE).write_text(json.dumps({"files": stamps, "state": state}, indent=1), "utf-8")
    flush(draft / _STATE)
    flush(draft)


def _stamp(path: Path) -> dict[str, Any]:
    """Size and digest of a file, by which damage is found."""
    digest = hashlib.blake2b(digest_size=16)
    with open_regular(path, "rb") as file:
        while piece := file.read(_PIECE_BYTES):
            digest.update(piece)
    return {"bytes": path.stat().st_size, "blake2b": digest.hexdigest()}


def step_of(path: Path) -> int:
    """The step of a checkpoint, by the name of its folder; -1 where that names none."""
    number = path.name.removeprefix("step-")
    return int(number) if number.isdigit() else -1
