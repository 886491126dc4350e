"""A document that never ends, or ends its process, is left out of a corpus; a pipe is not read."""

import json
import os
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from core.cli.main import main
from core.data.corpus import open_corpus
from core.data.settings import CorpusSettings
from core.data.shards import read_metadata, read_skipped
from core.data.source_rows import Block, SourceRow
from core.events import Finished
from core.jobs.corpora.make_corpus import MakeCorpusJob
from core.jobs.corpora.make_shards import make_shards
from core.jobs.pool.inline_pool import InlinePool
from core.jobs.pool.pool import Pool
from core.jobs.pool.process_pool import ProcessPool
from core.jobs.run import run_inline
from core.stop import StopToken
from tests.helpers.corpora import TEXTS
from tests.helpers.deadly_shards import DeadlyMaker
from tests.helpers.endless_pdf import endless_pdf

pytest.importorskip("datasets")


@pytest.mark.parametrize("processes", [1, 2])
def test_a_document_of_which_nothing_is_heard_is_left_out(tmp_path: Path, processes: int) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "a.txt").write_text(TEXTS[0], "utf-8")
    (papers / "endless.pdf").write_bytes(endless_pdf())
    (papers / "z.txt").write_text(TEXTS[1], "utf-8")
    settings = CorpusSettings.checked({"processes": processes, "make": "text"})
    job = MakeCorpusJob((str(papers),), settings, tmp_path / "made", silence_s=5)
    *_, last = run_inline(job, StopToken())
    assert isinstance(last, Finished), last
    corpus = open_corpus(tmp_path / "made")
    assert sum(corpus.counts.values()) == 2
    (skipped,) = map(json.loads, (tmp_path / "made/skipped.jsonl").read_text("utf-8").splitlines())
    assert skipped["origin"] == str(papers / "endless.pdf")
    # On a quick machine it is ended by its own limit of memory first.
    ends = ("It did not respond for 5 seconds, so it was stopped.", "The document takes more than")
    assert skipped["details"].startswith(ends)


@pytest.mark.parametrize("pool", [InlinePool, lambda stop: ProcessPool(1)], ids=["here", "beside"])
def test_a_document_that_ends_its_process_is_left_out(
    tmp_path: Path, pool: Callable[[StopToken], Pool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[4]))
    for name, text in zip(("a", "deadly", "z"), TEXTS, strict=False):
        (tmp_path / f"{name}.txt").write_text(text, "utf-8")
    rows = tuple(
        SourceRow(name, path=str(tmp_path / f"{name}.txt")) for name in ("a", "deadly", "z")
    )
    maker = DeadlyMaker(tmp_path, CorpusSettings(), "text", with_texts=True)
    stop = StopToken()
    with closing(pool(stop)) as workers:
        assert sum(make_shards(workers, maker, [Block(0, 0, rows)], stop)) == 3
    assert read_metadata(maker.path(0), ["words"]).num_rows == 2
    (skipped,) = read_skipped(maker.path(0))
    assert skipped.origin == "deadly" and "it ended with status 9" in skipped.details


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_pipes_in_a_folder_hang_no_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "a.txt").write_text(TEXTS[0], "utf-8")
    for name in ("b.txt", "c.csv", "d.parquet", "e.jsonl", "f.pdf"):
        os.mkfifo(papers / name)
    assert main(["summarise", str(papers), "--length", "1s"]) == 0
    told = capsys.readouterr().err
    assert f"{papers / 'b.txt'}: passed over, since it is a device or a pipe." in told
    out = tmp_path / "made"
    command = ["corpus", str(papers), "--make", "text", "--split", "100/0/0", "--out", str(out)]
    assert main(command) == 0
    assert "Left out: 5 rows (files without enough text that can be read)." in (
        capsys.readouterr().err
    )
