"""A run's file of events: whatever cuts it off, what counts is read and nothing else."""

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import EpitomeError
from core.events import Event, Failed, Message
from core.runs.control import ControlFile, request
from core.runs.event_kinds import EventKinds
from core.runs.events import Resumed
from core.runs.events_file import EventsFile, read_events
from core.runs.folder import RunFolder, last_start
from core.runs.follower import Follower
from core.stop import StopToken


@dataclass(frozen=True)
class Told(Event):
    """An event with a text."""

    text: str


def texts(path: Path) -> list[str]:
    return [each.values["text"] for each in read_events(path) if each.kind == "Told"]


def write(path: Path, *events: Event) -> None:
    file = EventsFile(path)
    for event in events:
        file.append(event)


def test_events_are_numbered_and_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    write(path, Told("one"), Message("note", "zwei\nЁ"))
    write(path, Told("three"))
    events = read_events(path)
    assert [(each.number, each.kind) for each in events] == [
        (1, "Told"), (2, "Message"), (3, "Told"),
    ]  # fmt: skip
    assert events[1].values == {"level": "note", "text": "zwei\nЁ"}


@given(texts_of=st.lists(st.text(), min_size=1, max_size=5), cut=st.integers(1, 60))
def test_a_torn_last_line_is_not_read_and_the_next_is_whole(
    tmp_path_factory: pytest.TempPathFactory, texts_of: list[str], cut: int
) -> None:
    path = tmp_path_factory.mktemp("run") / "events.jsonl"
    write(path, *map(Told, texts_of))
    data = path.read_bytes()
    last_line = data[data[:-1].rfind(b"\n") + 1 :]
    path.write_bytes(data[: len(data) - min(cut, len(last_line))])
    assert texts(path) == texts_of[:-1]
    write(path, Told("after"))
    assert texts(path) == [*texts_of[:-1], "after"]


@given(
    st.lists(st.one_of(st.just("event"), st.integers(0, 20)), max_size=30),
)
def test_what_a_resumed_run_left_behind_does_not_count(
    tmp_path_factory: pytest.TempPathFactory, acts: list[str | int]
) -> None:
    path = tmp_path_factory.mktemp("run") / "events.jsonl"
    counting: list[int] = []
    for number, act in enumerate(acts, start=1):
        if isinstance(act, int):
            counting = [each for each in counting if each <= act]
            write(path, Resumed(after=act, step=0))
        else:
            write(path, Told(""))
        counting.append(number)
    assert [each.number for each in read_events(path)] == counting


def test_a_damaged_line_hides_itself_alone(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    write(path, Told("one"), Told("two"))
    with path.open("ab") as file:
        file.write(b"\xff{nonsense\n[1]\n")
    write(path, Told("three"))
    assert texts(path) == ["one", "two", "three"]


def test_a_run_without_events_has_none(tmp_path: Path) -> None:
    assert read_events(tmp_path / "events.jsonl") == []


@dataclass(frozen=True)
class Odd(Event):
    """An event whose fields are called as the file's own."""

    number: str
    time: int


def test_an_event_s_fields_never_hide_its_class_and_number(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    write(path, Odd("x", 7), Failed("It is wrong.", "Mend it.", kind="full"))
    odd, failed = read_events(path)
    assert (odd.number, odd.kind, odd.values) == (1, "Odd", {"number": "x", "time": 7})
    assert (failed.kind, failed.values["kind"]) == ("Failed", "full")


def test_a_failure_that_hid_its_class_is_still_read(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    told = {"message": "It is wrong.", "remedy": "Mend it.", "details": ""}
    path.write_text(json.dumps({"number": 1, "time": "", "kind": "full"} | told) + "\n", "utf-8")
    (failed,) = read_events(path)
    assert (failed.kind, failed.values["kind"]) == ("Failed", "full")


@pytest.mark.parametrize(
    "line",
    [
        '{"number": "2", "time": "", "kind": "Told", "text": "x"}',
        '{"number": 2, "time": 0, "kind": "Told", "text": "x"}',
        '{"number": 2, "time": "", "kind": "Resumed", "step": 3}',
        '{"number": 2, "time": "", "kind": "Resumed", "after": "1", "step": 3}',
        "[" * 200_000,
    ],
)
def test_a_line_of_wrong_types_hides_itself_alone(tmp_path: Path, line: str) -> None:
    path = tmp_path / "events.jsonl"
    write(path, Told("one"))
    with path.open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    write(path, Told("two"))
    assert texts(path) == ["one", "two"]


def test_a_name_that_is_no_utf8_is_written_and_read_back(tmp_path: Path) -> None:
    name = "Bogot\udce1.txt"
    write(tmp_path / "events.jsonl", Told(name))
    assert texts(tmp_path / "events.jsonl") == [name]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes")
def test_no_pipe_in_a_run_folder_is_waited_for(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    for path in (folder.events_file, folder.process_file, folder.control_file):
        os.mkfifo(path)
    with pytest.raises(EpitomeError, match="it is a named pipe"):
        read_events(folder.events_file)
    with pytest.raises(EpitomeError, match="it is a named pipe"):
        Follower(folder.events_file, EventKinds()).poll()
    with pytest.raises(EpitomeError, match="it is a named pipe"):
        request(folder.control_file, "stop")
    ControlFile(folder.control_file).pass_on(StopToken())
    assert last_start(folder) == 0
