"""Ctrl-C at the end of a command: what is said of it is true."""

import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.cli.command import Report, run_one
from core.cli.console import Console
from core.events import Event, Finished, Progress
from core.stop import StopToken

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")


@dataclass(frozen=True)
class Writing:
    """Writes a file, and is interrupted at the end of that; may heed it."""

    path: Path
    heeds: bool

    def run(self, stop: StopToken) -> Iterator[Event]:
        yield Progress(0, 1, "files", "Writing")
        signal.raise_signal(signal.SIGINT)
        if self.heeds:
            stop.raise_if_set()
        self.path.write_text("whole", "utf-8")
        yield Finished(self.path)


def written(work: Writing) -> int:
    """The exit code of a command that does it."""

    def report(path: Path) -> Report:
        return Report(dict, lambda: [f"Written to {path}"])

    return run_one(work, "", Console(), report, as_json=False)


def test_what_was_written_all_the_same_is_not_said_to_be_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "made"
    assert written(Writing(path, heeds=True)) == 130
    assert capsys.readouterr().err.endswith("Interrupted. Nothing was written.\n")
    assert not path.exists()
    assert written(Writing(path, heeds=False)) == 0
    out, err = capsys.readouterr()
    assert path.exists() and out == f"Written to {path}\n" and "Nothing was written" not in err
