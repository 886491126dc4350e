"""Events come back as their classes, each once, however the file grows."""

import os
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from core.errors import EpitomeError
from core.events import Event, Finished, Message, Progress
from core.runs import follower
from core.runs.event_kinds import EventKinds, UnknownEvent
from core.runs.events import Resumed
from core.runs.events_file import EventsFile, Recorded, read_events
from core.runs.follower import Followed, Follower
from core.training.events import KINDS, StepDone, ValidationDone


@dataclass(frozen=True)
class Told(Event):
    """An event with a text."""

    text: str


KNOWN = EventKinds([Told])


def test_events_of_a_training_run_come_back_as_their_classes(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    events = [
        Message("note", "zwei\nЁ"),
        StepDone(1, 0, 2.5, float("inf"), 1e-3, 7, 9, 0.25),
        ValidationDone(1, 2.0, 7, {"1": 0.5}, True, 0.5),
        Resumed(after=3, step=1),
        Finished(None),
    ]
    file = EventsFile(path)
    for event in events:
        file.append(event)
    followed = Follower(path, EventKinds(KINDS)).poll()
    assert [each.event for each in followed] == events
    assert [each.number for each in followed] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("kind", "values"),
    [("Unheard", {}), ("Told", {}), ("Told", {"text": [1]}), ("Progress", {"done": "x"})],
)
def test_what_another_version_wrote_is_kept_as_it_is(kind: str, values: dict[str, object]) -> None:
    assert KNOWN.event_of(Recorded(1, "", kind, values)) == UnknownEvent(kind, values)


class FollowingMachine(RuleBasedStateMachine):
    """One writes, whole and torn lines, and resumes; another reads at any moment."""

    def __init__(self) -> None:
        super().__init__()
        self.path = Path(self.folder.mktemp("run")) / "events.jsonl"
        self.follower = Follower(self.path, KNOWN)
        self.seen: list[Followed] = []

    folder: pytest.TempPathFactory

    @rule(text=st.text(max_size=30))
    def tell(self, text: str) -> None:
        EventsFile(self.path).append(Told(text))

    @rule(after=st.integers(0, 12))
    def resume(self, after: int) -> None:
        EventsFile(self.path).append(Resumed(after, step=0))

    @rule(torn=st.binary(max_size=9).filter(lambda data: b"\n" not in data))
    def tear(self, torn: bytes) -> None:
        if self.path.exists():
            with self.path.open("ab") as file:
                file.write(torn)

    @rule()
    def look(self) -> None:
        for each in self.follower.poll():
            if isinstance(each.event, Resumed):
                after = each.event.after
                self.seen = [earlier for earlier in self.seen if earlier.number <= after]
            self.seen.append(each)

    @invariant()
    def what_was_seen_is_what_counts(self) -> None:
        whole = [Followed(each.number, each.time, KNOWN.event_of(each))
                 for each in read_events(self.path)]  # fmt: skip
        if self.path.exists() and self.follower.offset == self._whole_bytes():
            assert self.seen == whole

    def _whole_bytes(self) -> int:
        return self.path.read_bytes().rfind(b"\n") + 1


def test_whatever_is_written_each_event_is_seen_once(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    from hypothesis.stateful import run_state_machine_as_test

    FollowingMachine.folder = tmp_path_factory
    run_state_machine_as_test(FollowingMachine, settings=settings(max_examples=50))


@given(texts=st.lists(st.text(max_size=99), max_size=9), size=st.integers(64, 400))
def test_a_long_file_comes_in_pieces(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], size: int
) -> None:
    path = tmp_path_factory.mktemp("run") / "events.jsonl"
    file = EventsFile(path)
    for text in texts:
        file.append(Told(text))
    reader, seen = Follower(path, KNOWN), []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(follower, "_AT_ONCE_BYTES", size)
        while new := reader.poll():
            seen += [each.event for each in new]
    assert seen == [Told(text) for text in texts]


def test_a_file_begun_anew_is_told(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    EventsFile(path).append(Told("a long first event"))
    reader = Follower(path, KNOWN)
    assert len(reader.poll()) == 1
    path.unlink()
    EventsFile(path).append(Told("new"))
    assert [each.event for each in reader.poll()] == [Resumed(0, 0), Told("new")]


def test_progress_is_a_base_kind() -> None:
    values = {"done": 1, "total": 2, "unit": "steps", "what": "Training"}
    event = KNOWN.event_of(Recorded(1, "", "Progress", values))
    assert event == Progress(1, 2, "steps", "Training")


def test_a_line_without_end_is_refused_before_it_is_in_memory(tmp_path: Path) -> None:
    file = tmp_path / "events.jsonl"
    EventsFile(file).append(Message("info", "first"))
    whole = file.stat().st_size
    os.truncate(file, 5_000_000_000)
    following = Follower(file, EventKinds())
    assert [each.event for each in following.poll()] == [Message("info", "first")]
    assert following.offset == whole
    with pytest.raises(EpitomeError, match="holds a line longer than any event"):
        following.poll()
