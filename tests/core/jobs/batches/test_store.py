"""The file of a batch: what is written stays, whole; every change is told once."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import EpitomeError
from core.events import Failed
from core.export.excerpt import KeptSummary
from core.jobs.batches.rows import BatchRow, BatchSettings, Made, Wish, settings_key
from core.jobs.batches.store import BatchStore, FoundSource
from core.jobs.summaries.summarise import SummariseSettings
from tests.helpers.databases import OpenedDatabases

MADE = Made("Title", 3, 400, "en", 2, 0.5, "It begins.", "", "{}", "")


def store_of(folder: Path, number: int = 3) -> BatchStore:
    store = BatchStore(folder, make=True)
    store.add([FoundSource(f"/d/{n}.txt", f"{n}.txt") for n in range(1, number + 1)], ["/d"])
    return store


def states(store: BatchStore) -> list[str]:
    return [row.state for row in store.news(0, 0, -1)]


def test_a_document_is_added_once(tmp_path: Path) -> None:
    with store_of(tmp_path) as store:
        again = [FoundSource("/d/2.txt", "2.txt"), FoundSource("/d/9.txt", "9.txt")]
        assert store.add(again, ["/d", "/e"]) == 1
        assert [row.name for row in store.waiting(0, 9)] == ["1.txt", "2.txt", "3.txt", "9.txt"]
        assert store.sources == ("/d", "/e")


def test_what_is_done_is_there_when_it_is_opened_again(tmp_path: Path) -> None:
    with store_of(tmp_path) as store:
        store.set_settings(BatchSettings.checked({"length": "5s"}))
        store.finish(1, MADE)
        store.fail(2, Failed("It is broken.", "Mend it.", kind="broken"))
        store.skip([3])
    with BatchStore(tmp_path) as store:
        assert states(store) == ["done", "failed", "skipped"]
        assert store.settings.length == "5s"
        row = store.row(1)
        assert row is not None and (row.title, row.words, row.first) == ("Title", 400, "It begins.")
        assert store.counts() == {
            "all": 3, "done": 1, "failed": 1, "note": 0, "waiting": 0, "skipped": 1,
        }  # fmt: skip


def test_a_summary_and_its_row_are_written_together_or_not_at_all(tmp_path: Path) -> None:
    with store_of(tmp_path) as store:
        store._database.execute("DROP TABLE summaries")
        with pytest.raises(EpitomeError, match="cannot be written or read"):
            store.finish(1, MADE)
        assert states(store) == ["waiting"] * 3


def test_a_summary_made_with_other_settings_stays_known_when_it_cannot_be_made_again(
    tmp_path: Path,
) -> None:
    with store_of(tmp_path, 1) as store:
        made_with = settings_key(BatchSettings.checked({"length": "5s"}))
        store.finish(1, replace(MADE, made_with=made_with))
        store.do_again([1])
        store.fail(1, Failed("It is gone.", "Bring it back.", kind="password"))
        row = store.row(1)
        assert row is not None and row.is_stale(BatchSettings.checked({"length": "6s"}))
        assert (row.state, row.message, row.kind) == ("done", "It is gone.", "password")


def test_a_batch_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    store_of(tmp_path).close()
    with sqlite3.connect(tmp_path / "batch.sqlite") as database:
        database.execute("UPDATE facts SET value = '99' WHERE name = 'schema'")
    database.close()
    with pytest.raises(EpitomeError, match="newer Epitome"):
        BatchStore(tmp_path)


def test_a_batch_that_is_gone_is_told(tmp_path: Path) -> None:
    with pytest.raises(EpitomeError, match="not there any more"):
        BatchStore(tmp_path / "gone")
    assert not (tmp_path / "gone").exists()


@pytest.mark.parametrize("data", [b"no database" * 500, b"", b"SQLite format 3\0" * 100])
def test_a_file_that_cannot_be_used_is_not_left_open(
    data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = OpenedDatabases(monkeypatch, "core.jobs.batches.store")
    (tmp_path / "batch.sqlite").write_bytes(data)
    with pytest.raises(EpitomeError):
        BatchStore(tmp_path)
    assert len(opened) == 1 and opened.count_open() == 0


def test_a_batch_that_cannot_be_made_is_not_left_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = OpenedDatabases(monkeypatch, "core.jobs.batches.store")
    monkeypatch.setattr("core.jobs.batches.store._TABLES", "CREATE NONSENSE")
    with pytest.raises(EpitomeError):
        BatchStore(tmp_path / "new", make=True)
    assert len(opened) == 1 and opened.count_open() == 0


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "batch.sqlite").write_bytes(b"no database" * 500)
    with pytest.raises(EpitomeError, match="cannot be written or read"):
        BatchStore(tmp_path)


def test_rows_follow_the_batch_unless_they_say_otherwise(tmp_path: Path) -> None:
    with store_of(tmp_path) as store:
        store.set_settings(BatchSettings.checked({"length": "5s", "language": "de"}))
        store.wish([2, 3], Wish(length="10%"))
        store.wish([3], Wish(language="fr"))
        lengths = [row.wish.over(store.settings).length for row in store.waiting(0, 9)]
        languages = [row.wish.over(store.settings).language for row in store.waiting(0, 9)]
        assert (lengths, languages) == (["5s", "10%", "10%"], ["de", "de", "fr"])
        store.clear_wishes("length")
        assert {row.wish.over(store.settings).length for row in store.waiting(0, 9)} == {"5s"}
        assert store.waiting(2)[0].wish.language == "fr"


def test_a_summary_made_with_other_settings_is_known() -> None:
    settings = SummariseSettings.checked({"length": "5s"})
    row = BatchRow(1, "/a", -1, "a", "done", made_with=settings_key(settings))
    assert not row.is_stale(settings)
    assert row.is_stale(SummariseSettings.checked({"length": "6s"}))


@pytest.mark.parametrize(
    ("how", "told"),
    [("pause", "pause"), ("end", "end"), ("", "killed")],
)
def test_how_the_last_start_ended_is_known(tmp_path: Path, how: str, told: str) -> None:
    with store_of(tmp_path) as store:
        assert store.begin_start() is None
        store.finish(1, MADE)
        if how:
            store.end_start(how)
        earlier = store.begin_start()
        assert earlier is not None and (earlier.how, earlier.done) == (told, 1)


def test_a_machine_that_was_switched_off_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store_of(tmp_path) as store:
        store.begin_start()
        store.finish(1, MADE)
        monkeypatch.setattr("core.jobs.batches.store.psutil.boot_time", lambda: 2e9)
        earlier = store.begin_start()
        assert earlier is not None and earlier.how == "off"


Deeds = st.lists(
    st.tuples(st.sampled_from(["finish", "fail", "skip", "again", "wish"]), st.integers(1, 6)),
    max_size=12,
)


@settings(max_examples=25)
@given(deeds=Deeds, most=st.integers(1, 4))
def test_whoever_follows_the_news_knows_every_row(
    tmp_path_factory: pytest.TempPathFactory, deeds: list[tuple[str, int]], most: int
) -> None:
    with store_of(tmp_path_factory.mktemp("batch"), 6) as store:
        known: dict[int, BatchRow] = {}
        revision = 0
        for deed, number in deeds:
            match deed:
                case "finish":
                    store.finish(number, MADE)
                case "fail":
                    store.fail(number, Failed("No.", "Yes."))
                case "skip":
                    store.skip([number])
                case "again":
                    store.do_again([number])
                case _:
                    store.wish([number], Wish(length="3s"))
            until, after = store.revision, 0
            while rows := store.news(revision, after, most):
                known |= {row.number: row for row in rows}
                after = rows[-1].number
            revision = until
        assert known == {row.number: row for row in store.news(0, 0, -1)} or not deeds


def test_a_kept_summary_is_no_other_text() -> None:
    with pytest.raises(ValueError, match="validation error"):
        KeptSummary.from_json("{}")
