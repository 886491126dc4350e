"""A batch is written as one document, a file for each, or a table."""

import csv
import json
from pathlib import Path

import pytest

from core.events import Failed, Finished, Stopped
from core.jobs.batches.adding import AddToBatchJob
from core.jobs.batches.export import BatchExported, ExportBatchJob
from core.jobs.batches.rows import BatchSettings
from core.jobs.batches.work import BatchJob
from core.jobs.run import run_inline
from core.stop import StopToken
from tests.helpers.towns import text_of, write_documents


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A batch of three files, two of the same name, and one that cannot be read."""
    folder = tmp_path_factory.mktemp("batch")
    documents = write_documents(folder / "documents", 2)
    (documents / "other").mkdir()
    (documents / "other" / "0001.txt").write_text(text_of("Holm"), "utf-8")
    (documents / "broken.txt").write_text("Two words.", "utf-8")
    settings = BatchSettings.checked({"length": "2s", "processes": 1})
    for job in (AddToBatchJob(folder / "b", (documents,), settings), BatchJob(folder / "b")):
        list(run_inline(job, StopToken()))
    return folder / "b"


def exported(job: ExportBatchJob) -> object:
    *_, last = run_inline(job, StopToken())
    return last


def test_one_document_holds_all(batch: Path, tmp_path: Path) -> None:
    path = tmp_path / "all.md"
    assert exported(ExportBatchJob(batch, "document", path)) == Finished(BatchExported(path, 3))
    text = path.read_text("utf-8")
    assert text.startswith("# documents\n") and text.count("](#summary-") == 3


def test_each_summary_gets_a_file_of_its_own(batch: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    last = exported(ExportBatchJob(batch, "folder", out, ".json"))
    assert last == Finished(BatchExported(out, 3))
    assert sorted(path.name for path in out.iterdir()) == ["0000.json", "0001-2.json", "0001.json"]
    told = json.loads((out / "0001-2.json").read_text("utf-8"))
    assert told["inputs"][0]["path"].endswith("other/0001.txt")


def test_no_source_is_replaced(batch: Path) -> None:
    documents = batch.parent / "documents"
    before = (documents / "0000.txt").read_bytes()
    exported(ExportBatchJob(batch, "folder", documents, ".txt"))
    assert (documents / "0000.txt").read_bytes() == before
    (documents / "0000-2.txt").unlink()
    refused = exported(ExportBatchJob(batch, "document", documents / "0000.txt"))
    assert isinstance(refused, Failed) and "is one of the sources" in refused.message


def test_chosen_documents_are_written_alone(batch: Path, tmp_path: Path) -> None:
    path = tmp_path / "some.csv"
    assert exported(ExportBatchJob(batch, "csv", path, numbers=(1, 4))) == Finished(
        BatchExported(path, 2)
    )
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [Path(row["file"]).name for row in rows] == ["0000.txt", "0001.txt"]


def test_a_stop_leaves_no_file(batch: Path, tmp_path: Path) -> None:
    stop = StopToken()
    stop.request("cancel")
    *_, last = run_inline(ExportBatchJob(batch, "jsonl", tmp_path / "all.jsonl"), stop)
    assert last == Stopped("cancel")
    assert list(tmp_path.iterdir()) == []


def test_a_batch_without_summaries_says_so(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "documents", 1)
    list(run_inline(AddToBatchJob(tmp_path / "b", (documents,)), StopToken()))
    last = exported(ExportBatchJob(tmp_path / "b", "csv", tmp_path / "all.csv"))
    assert last == Failed("The batch has no summaries yet.", "Wait for the first one.")
