"""Files and folders whose names are not UTF-8: in batches, histories, corpora and job files."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from core.cli.main import main
from core.data.settings import CorpusSettings
from core.errors import EpitomeError
from core.events import Event, Finished
from core.export.kept_combined import combined_from_json, combined_to_json
from core.jobs.batches.adding import AddToBatchJob
from core.jobs.batches.export import ExportBatchJob, ExportKind
from core.jobs.batches.job_file import JOB_FILE
from core.jobs.batches.rows import BatchSettings
from core.jobs.batches.work import BatchDone, BatchJob
from core.jobs.corpora.make_corpus import MakeCorpusJob
from core.jobs.corpora.queued_corpus import load_corpus_job, specify_corpus
from core.jobs.history.history import OpenEntryJob
from core.jobs.run import run_inline
from core.jobs.runs.bundle_run import BundleRunJob
from core.jobs.runs.run_report import RunReportJob
from core.library.folders import Folders
from core.library.history import History
from core.runs.job_file import read_job, write_job
from core.settings import Settings, option
from core.stop import StopToken
from core.storage.parsing import json_text, parse_json
from tests.helpers.full_home import RUN, full_home
from tests.helpers.towns import TOWNS, text_of

Captured = pytest.CaptureFixture[str]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Only Linux has such names")
NAMES = (b"caf\xe9.txt", b"caf\xe8.txt", b"\xff\xfe.txt")
EXPORTS: tuple[tuple[ExportKind, str], ...] = (
    ("document", "all.docx"), ("document", "all.html"), ("document", "all.md"),
    ("document", "all.txt"), ("csv", "all.csv"), ("jsonl", "all.jsonl"), ("folder", "files"),
)  # fmt: skip


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """A folder with documents, all of them named in Latin 1."""
    folder = tmp_path / os.fsdecode(b"f\xe4lder")
    folder.mkdir()
    for name, town in zip(NAMES, TOWNS, strict=False):
        (folder / os.fsdecode(name)).write_text(text_of(town), "utf-8")
    return folder


def run(job: Any) -> Event:
    """The last event of a job."""
    *_, last = run_inline(job, StopToken())
    return last


def kept_in_history() -> list[Any]:
    """What opens of each entry."""
    history = History(Folders.of_this_user().history_file)
    opened = [run(OpenEntryJob(history, entry.id)) for entry in history.search()]
    assert all(isinstance(each, Finished) and each.result for each in opened)
    return [each.result for each in opened]  # type: ignore[attr-defined]


def test_a_batch_summarises_keeps_and_exports_them(documents: Path, tmp_path: Path) -> None:
    folder = tmp_path / "batch"
    settings = BatchSettings.checked({"length": "1s", "processes": 1})
    run(AddToBatchJob(folder, (documents,), settings))
    assert run(BatchJob(folder)) == Finished(BatchDone(3, 3, 0))
    paths = {documents / os.fsdecode(name) for name in NAMES}
    assert {Path(each.kept.summary.source.path) for each in kept_in_history()} == paths
    for kind, name in EXPORTS:
        assert isinstance(last := run(ExportBatchJob(folder, kind, tmp_path / name)), Finished), (
            last
        )
    assert len((tmp_path / "all.jsonl").read_text("utf-8").splitlines()) == 3
    frozen = read_job(folder / JOB_FILE, "summarise", {"settings": BatchSettings})
    assert frozen.sources == (str(documents),)


def test_one_summary_of_them_is_kept(documents: Path) -> None:
    words = ["summarise", str(documents), "--together", "--length", "2s", "--quiet"]
    assert main(words) == 0
    (opened,) = kept_in_history()
    assert combined_from_json(combined_to_json(opened.kept)) == opened.kept
    assert {Path(each.summary.source.path) for each in opened.kept.documents} == {
        documents / os.fsdecode(name) for name in NAMES
    }


def test_json_keeps_letters_where_it_can() -> None:
    assert json_text(["Grüße 界"]) == '["Grüße 界"]'
    odd = ["Grüße", "caf\udce9"]
    assert parse_json(json_text(odd).encode()) == odd


@pytest.mark.parametrize("out", [None, "corpus"])
def test_a_corpus_is_prepared_of_them(documents: Path, tmp_path: Path, out: str | None) -> None:
    rows = [json.dumps({"text": text_of(town), "summary": "Short."}) for town in TOWNS]
    (documents / os.fsdecode(b"t\xe9.jsonl")).write_text("\n".join(rows) + "\n", "utf-8")
    place = tmp_path / out if out else None
    done = run(MakeCorpusJob((str(documents),), CorpusSettings(make="text"), place))
    assert isinstance(done, Finished), done
    if place:
        ids = [row["id"] for split in ("train", "validation", "test")
               for row in _rows(place, split)]  # fmt: skip
        assert len(set(ids)) == len(ids) > 3


def _rows(corpus: Path, split: str) -> Any:
    from core.data.corpus import open_corpus

    found = open_corpus(corpus)
    return found.rows(split) if split in found.splits else ()


def test_a_corpus_with_such_a_path_is_refused(documents: Path, tmp_path: Path) -> None:
    out = tmp_path / os.fsdecode(b"c\xe9")
    with pytest.raises(EpitomeError, match="is not UTF-8; that of a corpus must be") as caught:
        list(MakeCorpusJob((str(documents),), CorpusSettings(), out).run(StopToken()))
    assert caught.value.remedy == "Rename the folder, or choose another one."
    assert not list(tmp_path.glob("c*"))


def test_a_queued_corpus_finds_them_again(documents: Path, tmp_path: Path) -> None:
    order = specify_corpus((str(documents),), CorpusSettings(), tmp_path / "corpus")
    order.folder.mkdir(parents=True)
    order.save()
    assert load_corpus_job(order.folder).sources == (str(documents),)


class Bread(Settings):
    """Settings with a file."""

    recipe: str = option("", "Recipe", "File of the recipe.")


def test_settings_with_such_a_name_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(EpitomeError, match=r"“recipe” was .*: what is kept in a file should be"):
        write_job("bake", (), {"settings": Bread(recipe="caf\udce9")})
    file = tmp_path / "job.toml"
    file.write_bytes(b'[settings]\nrecipe = "caf\xe9"\n')
    with pytest.raises(EpitomeError, match=r"has a \[settings\] that is not UTF-8"):
        read_job(file, "bake", {"settings": Bread})


def test_a_job_with_such_a_source_is_not_printed(documents: Path, capsys: Captured) -> None:
    assert main(["summarise", str(documents), "--print-config"]) == 2
    told = capsys.readouterr()
    assert not told.out
    assert "Leave the source out, and name it beside --config." in told.err


def test_a_run_with_such_a_name_is_reported_and_bundled(home: Path, tmp_path: Path) -> None:
    full_home(home)
    runs = Folders.under(home).runs
    run_folder = (runs / RUN).rename(runs / os.fsdecode(b"mod\xe8le"))
    for job in (
        RunReportJob(run_folder, tmp_path / "run.html"),
        BundleRunJob(run_folder, tmp_path / "run.zip"),
    ):
        assert isinstance(last := run(job), Finished), last
