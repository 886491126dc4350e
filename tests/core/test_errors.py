"""Errors of other code become one sentence and one thing to do, in one place."""

import errno
import os
import pickle
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from core import errors
from core.errors import (
    DiskFullError,
    EpitomeError,
    GpuOutOfMemoryError,
    MissingPartError,
    NoPermissionError,
    NotFoundError,
    OutOfMemoryError,
    SystemRefusalError,
    TooManyOpenFilesError,
    WrongFileKindError,
    explained,
    foreign,
    is_too_long,
    needs_training,
    of_system,
)
from core.events import Event, Failed
from core.installation import installation
from core.jobs.run import run_inline
from core.stop import StopToken

SMALLER = "Use a smaller batch."


def system(number: int, path: str = "/data/a.md") -> OSError:
    return OSError(number, os.strerror(number), path)


def the_error_of(action: object) -> Exception:
    """What a call really raises."""
    with pytest.raises(Exception) as caught:
        action()  # type: ignore[operator]
    assert isinstance(caught.value, Exception)
    return caught.value


def gpu_memory() -> Exception:
    torch = pytest.importorskip("torch")
    error: Exception = torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB.")
    return error


def cpu_memory() -> Exception:
    torch = pytest.importorskip("torch")
    return the_error_of(lambda: torch.empty(10**15))


PLANTED = [
    (lambda: system(errno.ENOSPC), DiskFullError, "full", "Free some space on its disk."),
    (lambda: system(errno.EDQUOT), DiskFullError, "full", "Free some space on its disk."),
    (lambda: system(errno.EACCES), NoPermissionError, "permission", "Ask its owner"),
    (lambda: system(errno.EPERM), NoPermissionError, "permission", "Ask its owner"),
    (lambda: system(errno.EROFS), NoPermissionError, "permission", "Ask its owner"),
    (
        lambda: the_error_of(Path("/no/such").read_bytes),
        NotFoundError,
        "not-found",
        "Check whether",
    ),
    (lambda: the_error_of(Path("/").read_bytes), WrongFileKindError, "file-kind", "Choose another"),
    (lambda: system(errno.ENOTDIR), WrongFileKindError, "file-kind", "Choose another"),
    (lambda: system(errno.ENAMETOOLONG), SystemRefusalError, "", "Choose a shorter name."),
    (lambda: system(errno.EMFILE), TooManyOpenFilesError, "open-files", "Close other programs"),
    (lambda: system(errno.ENFILE), TooManyOpenFilesError, "open-files", "Close other programs"),
    (lambda: system(errno.ENOMEM), OutOfMemoryError, "memory", SMALLER),
    (MemoryError, OutOfMemoryError, "memory", SMALLER),
    (lambda: the_error_of(lambda: np.empty(10**17)), OutOfMemoryError, "memory", SMALLER),
    (cpu_memory, OutOfMemoryError, "memory", SMALLER),
    (gpu_memory, GpuOutOfMemoryError, "gpu-memory", SMALLER),
]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other numbers")
@pytest.mark.parametrize(("made", "kind", "word", "remedy"), PLANTED)
def test_each_foreign_error_has_its_class_and_its_remedy(
    made: object, kind: type[EpitomeError], word: str, remedy: str
) -> None:
    error = made()  # type: ignore[operator]
    told = foreign(error, SMALLER)
    assert type(told) is kind and told.kind == word
    assert told.remedy.startswith(remedy)
    assert told.message.endswith(".") and "Error" not in told.message
    if isinstance(error, OSError) and kind is not OutOfMemoryError:
        assert told.message.startswith(f"{error.filename} cannot be used (")


def test_what_nobody_foresaw_stays_a_fault_of_the_program() -> None:
    for error in (ValueError("x"), RuntimeError("out of luck"), OSError("no number"), KeyError(1)):
        assert foreign(error) is None


def test_every_number_of_the_map_was_planted() -> None:
    planted = {kind for _, kind, _, _ in PLANTED}
    assert {kind for kind, _ in errors._BY_NUMBER.values()} <= planted


def test_a_caller_says_what_failed_and_the_map_what_it_knows_better() -> None:
    def raised(number: int, **more: str) -> EpitomeError:
        with pytest.raises(EpitomeError) as caught, explained("It failed", "Do this.", **more):
            raise system(number)
        return caught.value

    full = raised(errno.ENOSPC)
    assert str(full) == f"It failed ({os.strerror(errno.ENOSPC)}). Free some space on its disk."
    assert raised(errno.ENOSPC, when_full="Make room.").remedy == "Make room."
    assert raised(errno.EACCES).remedy == "Do this."
    assert type(raised(errno.EIO)) is SystemRefusalError


def test_errors_cross_to_another_process() -> None:
    error = pickle.loads(pickle.dumps(DiskFullError("Full.", "Free.")))
    assert type(error) is DiskFullError and (error.message, error.kind) == ("Full.", "full")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch.nn", None)
    with pytest.raises(MissingPartError) as caught, needs_training("A model writes"):
        import torch.nn  # noqa: F401
    assert str(caught.value) == (
        "A model writes with the training part, which is not installed (torch is missing). "
        f"Run {installation().adding('training')}."
    )


@dataclass(frozen=True)
class Hungry:
    """A job that runs out of memory and says how it gets smaller."""

    memory_remedy = SMALLER

    def run(self, stop: StopToken) -> Iterator[Event]:
        yield from ()
        raise gpu_memory()


def test_a_job_gives_its_own_advice_when_memory_runs_out() -> None:
    (failed,) = run_inline(Hungry(), StopToken())
    assert isinstance(failed, Failed)
    assert failed.message == "The GPU has not enough memory for this."
    assert failed.remedy == SMALLER and "OutOfMemoryError" in failed.details


def test_advice_fits_the_job() -> None:
    from core.jobs.summaries.summarise import SummariseJob
    from core.jobs.training.train import TrainJob

    assert "shorter document" in SummariseJob.memory_remedy
    assert "smaller batch" in TrainJob.memory_remedy


DEEP = "C:\\" + "folder\\" * 40 + "a.md"


@pytest.mark.parametrize(
    ("number", "path", "system", "is_long"),
    [
        (errno.ENOENT, DEEP, "win32", True),
        (errno.EINVAL, "C:\\" + "x" * 256, "win32", True),
        (errno.ENOENT, "C:\\a.md", "win32", False),
        (errno.EACCES, DEEP, "win32", False),
        (errno.ENOENT, DEEP, "linux", False),
        (errno.ENAMETOOLONG, "a", "linux", True),
        (errno.ENOENT, None, "win32", False),
    ],
)
def test_a_path_that_windows_does_not_take_is_known(
    number: int, path: str | None, system: str, is_long: bool
) -> None:
    assert is_too_long(OSError(number, "No such file or directory", path), system) is is_long


def test_a_path_that_windows_does_not_take_is_said_to_be_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(errors, "is_too_long", lambda error: is_too_long(error, "win32"))
    error = of_system(FileNotFoundError(errno.ENOENT, "none", DEEP), "It cannot be written", "No.")
    assert error.message == (
        "It cannot be written (Windows takes paths of 259 characters, and names of 255)."
    )
    assert error.remedy == "Choose a shorter name."
