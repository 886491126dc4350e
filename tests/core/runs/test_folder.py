"""A run's folder belongs to one process at a time, and can be told what to do."""

import json
import os
import re
from pathlib import Path

import pytest

from core.errors import EpitomeError
from core.events import Progress
from core.runs.control import ControlFile, request
from core.runs.folder import RunFolder, at_work, begin_start, last_start, new_run_name
from core.stop import StopToken


def test_one_process_works_in_a_run_at_a_time(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    with at_work(folder):
        told = json.loads(folder.process_file.read_text("utf-8"))
        assert told["pid"] == os.getpid()
        with pytest.raises(EpitomeError) as error, at_work(folder):
            pass
        assert error.value.message == (
            f"The run {tmp_path} is being worked on by process {os.getpid()} of {told['host']}."
        )
        assert error.value.remedy == "Wait until it has ended, or stop it."
    with at_work(folder):
        pass


def test_names_of_runs_tell_day_and_model_and_differ() -> None:
    first, second = new_run_name("reformer-small"), new_run_name("reformer-small")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d-reformer-small-[0-9a-f]{4}", first)
    assert first != second


def test_a_request_from_outside_reaches_the_job(tmp_path: Path) -> None:
    path, stop = tmp_path / "control.jsonl", StopToken()
    request(path, "cancel")  # meant for an earlier process
    control = ControlFile(path)
    control.pass_on(stop)
    assert stop.wish == ""
    request(path, "pause")
    control.pass_on(stop)
    assert stop.wish == "pause"


def test_a_request_reaches_the_start_it_is_meant_for_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "control.jsonl"
    request(path, "cancel", start=1)  # late: start 2 is about to begin
    request(path, "pause", start=2)  # early: it is not yet reading
    second, stop = ControlFile(path, start=2), StopToken()
    second.pass_on(stop)
    assert stop.wish == "pause"
    third, stop = ControlFile(path, start=3), StopToken()
    request(path, "stop", start=2)
    third.pass_on(stop)
    assert not stop


def test_starts_are_counted_and_one_may_be_written_down_before(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    for number in (1, 2):
        with at_work(folder) as heartbeat:
            assert heartbeat.start == last_start(folder) == number
    begin_start(folder, 7)
    with at_work(folder) as heartbeat:
        assert heartbeat.start == last_start(folder) == 7
    folder.process_file.write_text("[", "utf-8")
    assert last_start(folder) == 0


def test_showing_progress_does_not_wait_for_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = RunFolder(tmp_path)
    with at_work(folder) as heartbeat:
        monkeypatch.setattr(os, "fsync", lambda number: pytest.fail("waits for the disk"))
        heartbeat.show(Progress(1, 4, "steps", "Training"))
    assert json.loads(folder.progress_file.read_text("utf-8"))["done"] == 1


def test_signs_of_life_make_no_folder_in_the_place_of_one_that_was_moved_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.runs.folder._HEARTBEAT_S", 0.0)
    folder = RunFolder(tmp_path / "run")
    folder.path.mkdir()
    with at_work(folder) as heartbeat:
        folder.path.rename(tmp_path / "moved")
        heartbeat.beat()
        heartbeat.show(Progress(1, 4, "steps", "Training"))
    assert not folder.path.exists()


@pytest.mark.parametrize("line", [b'{"wish": "fly"}\n', b"{}\n", b"\xff\n", b"[1]\n", b'{"wish"'])
def test_what_is_no_request_changes_nothing(tmp_path: Path, line: bytes) -> None:
    path, stop = tmp_path / "control.jsonl", StopToken()
    control = ControlFile(path)
    path.write_bytes(line)
    control.pass_on(stop)
    assert not stop
