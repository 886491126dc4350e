"""What the Batch panel shows and allows, without a window."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt

from core.events import Progress
from core.jobs.batches.news import BatchNews
from core.jobs.batches.rows import BatchRow, BatchSettings, Wish, settings_key
from core.jobs.queue.listing import JobNow
from gui.panels.batch.rows import BatchModel, columns, record_of
from gui.panels.batch.state import BatchState
from gui.widgets.tables.table import folded
from gui.widgets.tables.table_model import Progress as Bar
from gui.widgets.tables.table_model import State

SETTINGS = BatchSettings.checked({"length": "5s"})
FOLDER = Path("/batches/b")
ROWS = (
    BatchRow(1, "/d/quay.pdf", -1, "quay.pdf", "done", pages=3, words=900, language="en",
             sentences=5, seconds=0.4, first="The quay is old.", made_with=settings_key(SETTINGS)),
    BatchRow(2, "/d/pier.pdf", -1, "pier.pdf", "done", title="A pier", words=20_000,
             read="2 pages without text", made_with=settings_key(SETTINGS)),
    BatchRow(3, "/d/lock.pdf", -1, "lock.pdf", "failed", message="It opens with its password.",
             remedy="Type it.", kind="password"),
    BatchRow(4, "/d/dock.txt", -1, "dock.txt"),
)  # fmt: skip
COUNTS = {"all": 4, "done": 2, "failed": 1, "note": 1, "waiting": 1, "skipped": 0}


def news(*rows: BatchRow, **changes: object) -> BatchNews:
    told = BatchNews(rows, 7, 0, False, COUNTS, SETTINGS, ("/d",), "")
    return replace(told, **changes)  # type: ignore[arg-type]


def filled() -> BatchState:
    state = BatchState(FOLDER)
    state.take(news(*ROWS), 0.0)
    return state


def job(state: str) -> JobNow:
    return JobNow("x", "d", state, FOLDER, kind="batch")  # type: ignore[arg-type]


def test_it_says_how_far_the_batch_is() -> None:
    state = filled()
    assert (state.title, state.head, state.share) == ("d", "3 of 4", 0.75)
    assert state.told == "2 done, 1 of them with a note; 1 not read"
    assert state.start_words == "Summarise 1 document"
    assert state.export_words() == "Export 2 summaries"
    assert state.meant([2]) == state.meant([2, 3]) == () and state.meant([1, 2, 4]) == (1, 2)


def test_the_phase_follows_the_job_and_what_waits() -> None:
    state = BatchState()
    assert state.phase == "empty"
    state = filled()
    assert state.phase == "ready"
    phases = {
        "waiting": "running", "running": "running", "paused": "paused", "stopped": "paused",
        "failed": "failed", "finished": "ready",
    }  # fmt: skip
    for told, phase in phases.items():
        state.job = job(told)
        assert state.phase == phase
    state.take(news(counts=COUNTS | {"waiting": 0}), 0.0)
    assert state.phase == "done"


def test_filter_and_search_leave_what_they_say() -> None:
    state = filled()
    found = {}
    for name in ("all", "done", "failed", "note", "waiting"):
        state.filter = name  # type: ignore[assignment]
        found[name] = state.shown()
    assert found == {
        "all": [1, 2, 3, 4], "done": [1, 2], "failed": [3], "note": [2], "waiting": [4],
    }  # fmt: skip
    state.filter, state.needle = "all", " PIER "
    assert state.shown() == [2]
    state.rows[3] = replace(state.rows[3], name="cafe\u0301.txt")
    state.needle = "Caf\u00c9"
    assert state.shown() == [3]


def test_the_pace_is_that_of_the_last_half_minute() -> None:
    state = filled()
    state.job = job("running")
    counts = {"all": 400, "done": 0, "failed": 0, "note": 0, "waiting": 400, "skipped": 0}
    for second in range(61):
        done = 10 if second <= 30 else 10 + 4 * (second - 30)
        told = counts | {"done": done, "waiting": 400 - done}
        state.take(news(counts=told), float(second))
    assert state.pace == "about 1\u202fmin left, 4.0 files a second"
    state.job = job("waiting")
    assert state.pace == "waiting for another batch"
    state.job = job("paused")
    assert state.pace == "paused"


def test_a_summary_with_other_settings_is_stale() -> None:
    state = filled()
    assert state.stale() == []
    state.take(news(settings=SETTINGS.model_copy(update={"length": "9s"})), 0.0)
    assert state.stale() == [1, 2]
    state.take(news(replace(ROWS[0], wish=Wish(length="5s"))), 0.0)
    assert state.stale() == [] and state.settings_of([1]).length == "5s"


def test_the_command_names_the_sources_and_what_differs() -> None:
    state = filled()
    assert state.command == "epitome summarise /d --length 5s --out summaries"
    state.sources = tuple(f"/d/{number}.md" for number in range(40))
    typed = state.command.split()
    assert typed[2:-4] == list(state.sources), "what is copied can be run"


def test_a_record_says_what_became_of_a_document() -> None:
    done, note, failed, waiting = (record_of(row, None, SETTINGS) for row in ROWS)
    assert done.cells["state"] == State("done", "done") and done.cells["read"] == "all"
    assert note.cells["state"] == State("note", "done, with a note")
    assert note.cells["read"] == "2 pages without text"
    assert (failed.state, failed.remedy, failed.second) == ("failed", "Enter password", "Skip")
    assert failed.reason == "It opens with its password. The other files go on."
    assert waiting.state == "waiting"
    running = record_of(ROWS[3], Progress(33, 52, "pages", "Reading"), SETTINGS)
    assert running.state == "running"
    assert running.cells["first"] == Bar(33 / 52, "page 33 of 52"), "where its summary will stand"
    assert running.cells["read"] is None


def test_a_record_says_why_a_summary_was_not_made_again() -> None:
    row = replace(ROWS[1], message="It is gone.", remedy="Bring it back.")
    told = "could not be made again: It is gone. Bring it back."
    assert record_of(replace(row, read=""), None, SETTINGS).cells["read"] == told
    assert record_of(row, None, SETTINGS).cells["read"] == f"{told} 2 pages without text"
    assert record_of(replace(row, read=""), None, SETTINGS).cells["state"] == State(
        "note", "done, with a note"
    )
    changed = SETTINGS.model_copy(update={"length": "9s"})
    read = record_of(row, None, changed).cells["read"]
    assert read == f"made with other settings. {told} 2 pages without text"


@pytest.mark.parametrize(
    ("window", "seen"),
    [
        ((1366, 768), "name pages words language state sentences seconds first read"),
        ((1000, 700), "name pages words state first"),
        ((720, 450), "name state first"),
    ],
)
def test_the_beginning_of_a_summary_gets_the_room(window: tuple[int, int], seen: str) -> None:
    rail_and_edges_px = (72 if window[0] >= 1200 else 48) + 24 + 14
    width, model = window[0] - rail_and_edges_px, columns()
    hidden = folded(model, width)
    shown = [column for at, column in enumerate(model) if at not in hidden]
    assert [column.name for column in shown] == seen.split()
    assert width - sum(column.width for column in shown) >= 0.3 * width


def test_a_document_that_has_ended_is_not_said_to_be_read_still() -> None:
    """The note on what is being read may be older than what has been stored."""
    state = filled()
    state.job = job("running")
    progress = Progress(33, 52, "pages", "Reading")
    state.take(news(now={1: progress, 4: progress}), 0.0)
    assert state.now == {4: progress}


def test_rows_are_made_only_when_they_are_looked_at() -> None:
    state = BatchState(FOLDER)
    many = tuple(replace(ROWS[3], number=n, name=f"{n}.txt") for n in range(1, 10_001))
    state.take(news(*many), 0.0)
    model = BatchModel(state)
    model.show(state.shown())
    assert model.rowCount() == 10_000 and not model._made
    assert model.record(9_999).cells["name"] == "10000.txt" and len(model._made) == 1
    model.sort(0)
    assert len(model._made) == 1
    assert [model.record(row).key for row in range(3)] == [1, 10, 100]


def test_sorting_keeps_rows_without_a_value_last() -> None:
    state = filled()
    model = BatchModel(state)
    model.show(state.shown())
    words = [column.name for column in model.columns].index("words")
    model.sort(words)
    assert [model.record(row).key for row in range(4)] == [1, 2, 3, 4]
    model.sort(words, model.sorted_by[1].DescendingOrder)  # type: ignore[index]
    assert [model.record(row).key for row in range(4)] == [2, 1, 3, 4]


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 3)), max_size=12), st.booleans())
def test_a_batch_stays_sorted_as_it_fills(fills: list[tuple[int, int]], descends: bool) -> None:
    state = BatchState(FOLDER)
    state.take(news(*(replace(ROWS[3], number=n) for n in range(1, 7))), 0.0)
    model = BatchModel(state)
    words = [column.name for column in model.columns].index("words")
    model.show(state.shown())
    model.sort(words, Qt.SortOrder.DescendingOrder if descends else Qt.SortOrder.AscendingOrder)
    for number, count in fills:
        changed = state.take(news(replace(ROWS[0], number=number, words=count)), 0.0)
        model.redraw(changed)
        model.show(state.shown())
        counts = {n: row.words for n, row in state.rows.items()}
        order = sorted(counts, key=lambda n: (-counts[n] if descends else counts[n], n))
        order.sort(key=lambda n: not counts[n])  # those without words are last
        assert [model.record(row).key for row in range(6)] == order
