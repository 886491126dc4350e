"""Summaries of a batch as one PDF: its contents name the pages on which they begin."""

import re
from pathlib import Path

import pypdfium2
import pytest
from pytestqt.qtbot import QtBot

from core.events import Event, Failed, Finished, Stopped
from core.jobs.batches.adding import AddToBatchJob
from core.jobs.batches.export import BatchExported
from core.jobs.batches.rows import BatchSettings
from core.jobs.batches.work import BatchJob
from core.jobs.run import run_inline
from core.stop import StopToken
from gui.panels.batch.pdf import ExportPdfJob
from tests.helpers.towns import TOWNS, write_documents

NUMBER = 45
"""More titles than stand on one page of contents."""


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("batch")
    documents = write_documents(folder / "documents", NUMBER)
    settings = BatchSettings.checked({"length": "1s", "processes": 1})
    for job in (AddToBatchJob(folder / "b", (documents,), settings), BatchJob(folder / "b")):
        list(run_inline(job, StopToken()))
    return folder / "b"


def last_of(job: ExportPdfJob, stop: StopToken | None = None) -> Event:
    *_, last = run_inline(job, stop or StopToken())
    return last


def pages_of(path: Path) -> list[str]:
    pdf = pypdfium2.PdfDocument(path)
    try:
        # pdfium breaks a line also within a word, where a gap looks like one.
        return [page.get_textpage().get_text_bounded().replace("\r\n", "") for page in pdf]
    finally:
        pdf.close()


def test_the_contents_name_the_page_of_each_summary(
    qtbot: QtBot, batch: Path, tmp_path: Path
) -> None:
    path = tmp_path / "all.pdf"
    assert last_of(ExportPdfJob(batch, path)) == Finished(BatchExported(path, NUMBER))
    pages = pages_of(path)
    starts = [at for at, text in enumerate(pages, 1) if "How it was made" in text]
    assert len(starts) == NUMBER and starts[0] == 3  # the contents take two pages
    contents = "\n".join(pages[: starts[0] - 1])
    told = re.findall(r"(\d+)\.\s*(\d{4})\s*(\d+)(?=\s|$)", contents)
    assert [int(page) for _, _, page in told] == starts
    assert [title for _, title, _ in told] == [f"{number:04}" for number in range(NUMBER)]
    assert all(text.rstrip().endswith(str(at)) for at, text in enumerate(pages, 1))
    assert TOWNS[0] in pages[2]


def test_a_stop_or_a_source_in_its_place_leaves_no_file(
    qtbot: QtBot, batch: Path, tmp_path: Path
) -> None:
    stop = StopToken()
    stop.request("cancel")
    assert last_of(ExportPdfJob(batch, tmp_path / "all.pdf"), stop) == Stopped("cancel")
    assert list(tmp_path.iterdir()) == []
    source = batch.parent / "documents" / "0000.txt"
    refused = last_of(ExportPdfJob(batch, source))
    assert isinstance(refused, Failed) and "is one of the sources" in refused.message
    missing = last_of(ExportPdfJob(batch, tmp_path / "none" / "all.pdf"))
    assert isinstance(missing, Failed) and missing.remedy
