"""Checkpoints by name: written beside, flushed, renamed, then named, so nobody meets half of one.

What is in their files is their writer's business; here it is only known by size and digest.
"""

import errno
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from core.errors import FULL, EpitomeError
from core.files import write_json

Name = Literal["last", "best"]
Files = Collection[str] | None
_STATE = "state.json"
_PIECE_BYTES = 1 << 20


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
        self._run = run
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
            draft.mkdir(parents=True)
            _fill(draft, files, state)
            shutil.rmtree(place, ignore_errors=True)  # of the same step, from before a resume
            draft.rename(place)
            _flush(self._folder)
        except OSError as error:
            shutil.rmtree(draft, ignore_errors=True)
            raise _not_written(place, error) from error
        self.name("last", step)
        return place

    def name(self, name: Name, step: int) -> None:
        """Lets `last.json` or `best.json` name the checkpoint of a step."""
        write_json(self._run / f"{name}.json", {"checkpoint": f"step-{step:08}", "step": step})

    def named(self, name: Name, needed: Files = None) -> Checkpoint | None:
        """The checkpoint of that name, if it is there and whole.

        Args:
            name: "last" or "best".
            needed: The files that must be whole; None for all.

        Returns:
            The checkpoint; None where there is none.
        """
        step = self._named_step(name)
        return None if step is None else self._opened(self._folder / f"step-{step:08}", needed)

    def newest(self, needed: Files = None) -> Checkpoint | None:
        """The newest checkpoint that is whole, as far as it is needed."""
        opened = (self._opened(path, needed) for path in self._newest_first())
        return next(filter(None, opened), None)

    def damaged(self) -> list[Path]:
        """The checkpoints newer than the newest whole one: those that cannot be used."""
        found = []
        for path in self._newest_first():
            if self._opened(path) is not None:
                break
            found.append(path)
        return found

    def prune(self, keep: int) -> None:
        """Deletes all but the newest, and the best.

        Args:
            keep: How many of the newest stay.
        """
        best = self._named_step("best")
        for path in self._newest_first()[keep:]:
            if _step_of(path) != best:
                shutil.rmtree(path, ignore_errors=True)

    def _newest_first(self) -> list[Path]:
        return sorted(self._folder.glob("step-*"), key=_step_of, reverse=True)

    def _named_step(self, name: Name) -> int | None:
        with suppress(OSError, ValueError, KeyError, TypeError):
            return int(json.loads((self._run / f"{name}.json").read_text("utf-8"))["step"])
        return None

    def _opened(self, path: Path, needed: Files = None) -> Checkpoint | None:
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            values = json.loads((path / _STATE).read_text("utf-8"))
            stamps = {name: values["files"][name] for name in needed or values["files"]}
            if all(_stamp(path / name) == stamp for name, stamp in stamps.items()):
                return Checkpoint(path, _step_of(path), values["state"])
        return None


def _fill(draft: Path, files: Mapping[str, Callable[[Path], None]], state: dict[str, Any]) -> None:
    for name, write in files.items():
        write(draft / name)
        _flush(draft / name)
    stamps = {name: _stamp(draft / name) for name in files}
    # Written last, so that a folder without it is no checkpoint.
    (draft / _STATE).write_text(json.dumps({"files": stamps, "state": state}, indent=1), "utf-8")
    _flush(draft / _STATE)
    _flush(draft)


def _stamp(path: Path) -> dict[str, Any]:
    """Size and digest of a file, by which damage is found."""
    digest = hashlib.blake2b(digest_size=16)
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            digest.update(piece)
    return {"bytes": path.stat().st_size, "blake2b": digest.hexdigest()}


def _flush(path: Path) -> None:
    """Waits until a file, or a folder's names, lie on the disk."""
    if os.name == "nt" and path.is_dir():
        return  # Windows opens no folders
    number = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _step_of(path: Path) -> int:
    number = path.name.removeprefix("step-")
    return int(number) if number.isdigit() else -1


def _not_written(place: Path, error: OSError) -> EpitomeError:
    full = error.errno == errno.ENOSPC
    return EpitomeError(
        f"The checkpoint {place} cannot be written ({error.strerror or error}).",
        "Free some space on its disk." if full else "Make the run's folder writable.",
        FULL if full else "",
    )
