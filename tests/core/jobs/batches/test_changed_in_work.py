"""What a person does to a document counts, though the document is being summarised."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core.events import Event, Failed, Finished
from core.jobs.batches.adding import AddToBatchJob, ChooseColumnJob
from core.jobs.batches.rows import BatchRow, BatchSettings, Wish
from core.jobs.batches.store import BatchStore
from core.jobs.batches.work import BatchDone, BatchJob, UnlockRowJob
from core.jobs.run import run_inline
from core.library.folders import Folders
from core.library.history import History
from core.stop import StopToken
from tests.helpers.inline_pool import InlinePool
from tests.helpers.towns import TOWNS, text_of, write_documents
from tests.helpers.windows import SECRET, locked

CHOSEN = BatchSettings.checked({"length": "1s", "processes": 1})


def run(job: object) -> Event:
    *_, last = run_inline(job, StopToken())  # type: ignore[arg-type]
    return last


def work(
    batch: Path, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[], object]
) -> tuple[Event, list[int]]:
    """Works on a batch; something happens while its first two documents are being summarised."""
    pool = InlinePool(meanwhile)
    monkeypatch.setattr("core.jobs.batches.work._open_pool", lambda *_: pool)
    return run(BatchJob(batch)), pool.done


def change(batch: Path, deed: Callable[[BatchStore], object]) -> Callable[[], None]:
    def changed() -> None:
        with BatchStore(batch) as store:
            deed(store)

    return changed


def rows(batch: Path) -> list[BatchRow]:
    with BatchStore(batch) as store:
        return store.news(0, 0, -1)


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    """A batch of three documents."""
    folder = tmp_path / "batch"
    run(AddToBatchJob(folder, (write_documents(tmp_path / "documents"),), CHOSEN))
    return folder


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table with two columns of texts; the second row has the longer one only."""
    path = tmp_path / "towns.jsonl"
    lines = [
        {"long": f"{text_of(town)} {text_of(town)}", "brief": text_of(f"New {town}")}
        for town in TOWNS[:3]
    ]
    lines[1]["brief"] = ""
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return path


def test_another_column_is_chosen(
    tmp_path: Path, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = tmp_path / "batch"
    run(AddToBatchJob(batch, (table,), CHOSEN))
    last, done = work(
        batch, monkeypatch, lambda: run(ChooseColumnJob(batch, str(table), "text", "brief"))
    )
    assert last == Finished(BatchDone(3, 2, 0)) and sorted(done) == [1, 1, 2, 3]
    first, left_out, third = rows(batch)
    assert "New Arden" in first.first and "New Caster" in third.first
    assert (left_out.state, left_out.first, left_out.made_with) == ("skipped", "", "")
    kept = History(Folders.of_this_user().history_file).search()
    assert len(kept) == 2  # what was made of the old column is not in the history either


def test_summaries_of_the_old_column_are_forgotten(
    tmp_path: Path, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = tmp_path / "batch"
    run(AddToBatchJob(batch, (table,), CHOSEN))
    work(batch, monkeypatch, lambda: None)
    assert [row.state for row in rows(batch)] == ["done"] * 3
    run(ChooseColumnJob(batch, str(table), "text", "brief"))
    assert [row.state for row in rows(batch)] == ["waiting", "skipped", "waiting"]
    assert {(row.first, row.title, row.sentences) for row in rows(batch)} == {("", "", 0)}


def test_a_column_and_its_documents_are_changed_together_or_not_at_all(
    tmp_path: Path, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = tmp_path / "batch"
    run(AddToBatchJob(batch, (table,), CHOSEN))
    before, set_fact = rows(batch), BatchStore._set_fact

    def full(store: BatchStore, name: str, value: str) -> None:
        if name == "tables":
            raise OSError(28, "No space left on device")
        set_fact(store, name, value)

    monkeypatch.setattr(BatchStore, "_set_fact", full)
    assert isinstance(run(ChooseColumnJob(batch, str(table), "text", "brief")), Failed)
    monkeypatch.undo()
    assert rows(batch) == before
    with BatchStore(batch) as store:
        assert store.tables[0].text == "long"


def test_it_is_skipped(batch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    last, done = work(batch, monkeypatch, change(batch, lambda store: store.skip([1])))
    assert [row.state for row in rows(batch)] == ["skipped", "done", "done"]
    assert (last, done) == (Finished(BatchDone(3, 2, 0)), [1, 2, 3])


def test_it_is_skipped_and_cannot_be_read(batch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def skip_and_lose(store: BatchStore) -> None:
        Path(store.waiting()[0].path).unlink()
        store.skip([1])

    work(batch, monkeypatch, change(batch, skip_and_lose))
    first = rows(batch)[0]
    assert (first.state, first.message) == ("skipped", "")


def test_it_is_given_settings_of_its_own(batch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work(batch, monkeypatch, change(batch, lambda store: store.wish([1], Wish(length="3s"))))
    assert [row.sentences for row in rows(batch)] == [3, 1, 1]
    assert not any(row.is_stale(CHOSEN) for row in rows(batch))


def test_it_is_to_be_summarised_again(batch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    again = change(batch, lambda store: store.do_again([1, 2, 3]))
    last, done = work(batch, monkeypatch, again)
    assert last == Finished(BatchDone(3, 3, 0)) and done == [1, 2, 3]  # no work is thrown away


def test_it_is_skipped_while_it_is_unlocked(tmp_path: Path) -> None:
    batch = tmp_path / "batch"
    run(AddToBatchJob(batch, (locked(tmp_path),), CHOSEN))
    run(BatchJob(batch))
    events = run_inline(UnlockRowJob(batch, 1, SECRET), StopToken())
    next(events)
    change(batch, lambda store: store.skip([1]))()
    assert list(events)[-1] == Finished()
    assert rows(batch)[0].state == "skipped"
    assert History(Folders.of_this_user().history_file).search() == ()
