"""Tables of a batch: each row with a text is a document, of whichever column is read."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.cli.main import main
from core.events import Event, Finished
from core.jobs.batches.adding import AddToBatchJob, ChooseColumnJob, SourcesAdded
from core.jobs.batches.job_file import JOB_FILE
from core.jobs.batches.queued import specify_batch
from core.jobs.batches.rows import BatchSettings
from core.jobs.batches.store import BatchStore
from core.jobs.batches.table_texts import TableReader
from core.jobs.batches.tables import TextColumns
from core.jobs.batches.work import BatchDone, BatchJob
from core.jobs.run import run_inline
from core.stop import StopToken
from tests.helpers.towns import text_of

TOWNS = ("Arden", "Borrow", "Caster")


def run(job: object) -> Event:
    *_, last = run_inline(job, StopToken())  # type: ignore[arg-type]
    return last


def rows_of(number: int) -> list[dict[str, object]]:
    return [
        {"id": n, "town": TOWNS[n % 3], "about": text_of(TOWNS[n % 3]), "short": f"No. {n}"}
        for n in range(number)
    ]


def parquet(path: Path, rows: list[dict[str, object]], group: int = 2) -> Path:
    pa = pytest.importorskip("pyarrow")
    from pyarrow.parquet import write_table

    write_table(pa.Table.from_pylist(rows), path, row_group_size=group)
    return path


def jsonl(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


@pytest.mark.parametrize("make", [parquet, jsonl])
def test_each_row_is_summarised_from_the_column_that_holds_the_texts(
    tmp_path: Path, make: object
) -> None:
    table = make(tmp_path / f"towns.{make.__name__}", rows_of(3))  # type: ignore[operator, attr-defined]
    batch = tmp_path / "batch"
    chosen = BatchSettings.checked({"length": "2s", "processes": 1})
    assert run(AddToBatchJob(batch, (table,), chosen)) == Finished(SourcesAdded(3, 0))
    with BatchStore(batch) as store:
        (known,) = store.tables
        assert (known.text, known.count) == ("about", 3)
        assert known.columns == ("id", "town", "about", "short") and len(known.rows) == 3
        assert [row.record for row in store.news(0, 0, -1)] == [0, 1, 2]
    assert run(BatchJob(batch)) == Finished(BatchDone(3, 3, 0))
    with BatchStore(batch) as store:
        first = store.row(1)
    assert first is not None and "Arden" in first.first and first.sentences == 2


def test_another_column_is_read_when_it_is_chosen(tmp_path: Path) -> None:
    rows = rows_of(3)
    rows[1]["short"] = ""
    table, batch = jsonl(tmp_path / "towns.jsonl", rows), tmp_path / "batch"
    run(AddToBatchJob(batch, (table,)))
    assert run(ChooseColumnJob(batch, str(table), "title", "town")) == Finished(3)
    with BatchStore(batch) as store:
        assert [row.name for row in store.news(0, 0, -1)] == [
            f"towns.jsonl: {town}" for town in TOWNS
        ]
        store.skip([3])
    assert run(ChooseColumnJob(batch, str(table), "text", "short")) == Finished(2)
    with BatchStore(batch) as store:
        assert [row.state for row in store.news(0, 0, -1)] == ["waiting", "skipped", "waiting"]
        assert store.columns_of(str(table)) == TextColumns("short", "town")
        found = TableReader(store.columns_of).text(table, 2)
    assert found is not None and (found.title, found.text) == ("Caster", "No. 2")


def test_a_column_is_never_both_text_and_title(tmp_path: Path) -> None:
    table, batch = jsonl(tmp_path / "towns.jsonl", rows_of(3)), tmp_path / "batch"
    run(AddToBatchJob(batch, (table,)))
    run(ChooseColumnJob(batch, str(table), "title", "town"))
    run(ChooseColumnJob(batch, str(table), "text", "town"))
    with BatchStore(batch) as store:
        assert store.columns_of(str(table)) == TextColumns("town", "")


def test_a_table_without_a_clear_column_waits_for_one(tmp_path: Path) -> None:
    table, batch = tmp_path / "numbers.csv", tmp_path / "batch"
    table.write_text("a,b\n1,2\n3,4\n", "utf-8")
    assert run(AddToBatchJob(batch, (table,))) == Finished(SourcesAdded(0, 0))
    with BatchStore(batch) as store:
        (known,) = store.tables
        assert (known.text, known.columns, store.counts()["all"]) == ("", ("a", "b"), 0)
    assert run(ChooseColumnJob(batch, str(table), "text", "b")) == Finished(2)


def test_the_file_for_the_command_gives_the_same_summaries(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{**row, "other": text_of(TOWNS[(n + 1) % 3])} for n, row in enumerate(rows_of(3))]
    table, batch = jsonl(tmp_path / "towns.jsonl", rows), tmp_path / "batch"
    chosen = BatchSettings.checked({"length": "1s", "processes": 1})
    run(AddToBatchJob(batch, (table,), chosen))
    run(ChooseColumnJob(batch, str(table), "text", "other"))
    specify_batch(batch).save()
    run(BatchJob(batch))
    with BatchStore(batch) as store:
        made = [row.first for row in store.news(0, 0, -1)]
    command = ["summarise", "--config", str(batch / JOB_FILE), "--processes", "1", "--json"]
    assert main(command) == 0
    values = json.loads(capsys.readouterr().out)
    assert [value["result"]["sentences"][0]["text"] for value in values] == made
    assert all(made) and len(set(made)) == 3


@settings(max_examples=20, deadline=None)
@given(wanted=st.lists(st.integers(0, 9), max_size=8))
def test_rows_of_parquet_are_found_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, wanted: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("table")
    table = parquet(folder / "towns.parquet", rows_of(9), group=4)
    reader = TableReader(lambda path: TextColumns("short", "town"))
    for record in wanted:
        found = reader.text(table, record)
        expected = None if record == 9 else (TOWNS[record % 3], f"No. {record}")
        assert (found and (found.title, found.text)) == expected
