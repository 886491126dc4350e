"""What is said of a run: time left, place, log, and the words that two texts share."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.events import Failed, Message, Progress
from core.jobs.runs.run_history import COLUMNS, RunHistory
from core.training.events import CheckpointSaved
from gui.panels.train.log import log_words, told
from gui.panels.train.progress import place, rounded, time_left
from gui.panels.train.shared_words import shared_spans
from tests.gui.panels.train.test_curves import WHEN, news, rows, validation

NOW = datetime(2026, 11, 22, 10, 1, 30, tzinfo=UTC)


def test_the_time_left_follows_from_steps_and_validations() -> None:
    history = RunHistory()
    history.take(news(rows(1, 50), (60, validation(25)), (70, validation(50))))
    left = time_left(history, 100, 25)
    assert left is not None
    assert (left.training_s, left.validation_s) == (100, 12)
    assert left.told() == "2\u202fmin left"
    assert left.parts() == "training 2\u202fmin, validation 12\u202fs"


def test_reading_data_is_a_part_of_the_time_where_the_run_tells_it() -> None:
    history, steps = RunHistory(), rows(1, 50)
    steps[:, COLUMNS.index("data_seconds")] = 0.5
    history.take(news(steps, (60, validation(25)), (70, validation(50))))
    left = time_left(history, 100, 25)
    assert left is not None
    assert (left.data_s, left.training_s, left.seconds) == (25, 75, 112)
    assert left.parts() == "data 25\u202fs, training 1\u202fmin, validation 12\u202fs"


@pytest.mark.parametrize(("steps", "made"), [(100, 3), (50, 50)])
def test_nothing_is_said_of_the_time_when_too_little_is_known(steps: int, made: int) -> None:
    history = RunHistory()
    history.take(news(rows(1, made)))
    assert time_left(history, steps, 25) is None


def test_the_place_says_step_epoch_and_the_last_checkpoint() -> None:
    history = RunHistory()
    assert place(history, 100, NOW) == ""
    history.take(news(rows(1, 50), (60, CheckpointSaved(50, 20.0))))
    assert (
        place(history, 100, NOW) == "Step 50 of 100, epoch 1. Last saved 1\u202fmin 30\u202fs ago."
    )
    history.is_live = False
    assert place(history, 100, NOW).endswith("Last saved after step 50.")


def test_of_a_run_that_was_killed_the_saved_step_is_the_only_last_one() -> None:
    history = RunHistory()
    history.take(news(rows(1, 50), (60, CheckpointSaved(50, 20.0))))
    history.take(news(rows(51, 63), (90, Failed("It was killed.", "Resume it."))))
    history.is_live = False
    assert place(history, 100, NOW) == "Saved up to step 50 of 100. 13 steps after that are lost."


def test_of_a_run_that_was_killed_before_its_first_checkpoint_nothing_is_saved() -> None:
    history = RunHistory()
    history.take(news(rows(1, 7), (9, Failed("It was killed.", "Resume it."))))
    history.is_live = False
    assert place(history, 100, NOW) == "7 steps of 100 made, none of them saved."


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "1 s"), (45, "45 s"), (150, "2 min"), (7800, "2 h 10 min"), (100_000, "27 h")],
)
def test_times_are_told_in_two_units_at_most(seconds: float, words: str) -> None:
    assert rounded(seconds).replace("\u202f", " ") == words


def test_the_log_has_the_newest_first_and_says_what_failed() -> None:
    history = RunHistory()
    events = [(1, Message("info", "It begins.")), (2, Failed("The disk is full.", "Free some."))]
    history.take(news(rows(1, 1), *events))
    lines = log_words(history)
    assert [(line.words, line.color) for line in lines] == [
        ("The disk is full. Free some.", "err"), ("It begins.", "text2"),
    ]  # fmt: skip
    assert lines[0].time == f"{datetime.fromisoformat(WHEN).astimezone():%H:%M:%S}"


def test_what_needs_no_line_has_none() -> None:
    assert told(Progress(1, 2, "steps", "Training")) == ("", "text2")


def test_shared_runs_of_three_words_are_lit() -> None:
    text, other = "The old valve is shut by hand.", "By night the OLD valve is open."
    spans = shared_spans(text, other)
    assert [text[a:b] for a, b in spans] == ["The old valve is"]


@given(st.text(alphabet="ab c.", max_size=60), st.text(alphabet="ab c.", max_size=60))
def test_shared_spans_rise_and_stand_in_both_texts(text: str, other: str) -> None:
    spans = shared_spans(text, other)
    ends = [edge for span in spans for edge in span]
    assert ends == sorted(ends)
    assert all(len(text[a:b].split()) >= 1 for a, b in spans)
    assert shared_spans(text, "") == []
