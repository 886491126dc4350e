"""A comparison is written for others: nothing in it acts, and nothing is left out unsaid."""

import csv
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from core.evaluation.settings import ScoreSettings
from core.events import Finished
from core.jobs.evaluation.export_comparison import ExportComparisonJob
from core.jobs.job import Job
from core.jobs.run import run_inline
from core.runs.comparisons import ComparedTexts, keep_comparison, open_comparison
from core.runs.judgements import Judgements, Session
from core.stop import StopToken
from tests.helpers.comparisons import compare_job, large_comparison, small_comparison

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)> & \"'"


def written(job: Job) -> object:
    *_, last = run_inline(job, StopToken())
    assert isinstance(last, Finished), last
    return last.result


class _Tags(HTMLParser):
    """Collects the tags of a page and what they load."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.loads += [value or "" for name, value in attrs if name in ("src", "href", "onerror")]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A comparison whose every text and name is an injection."""
    folder = tmp_path_factory.mktemp("hostile")
    opened = open_comparison(large_comparison(folder / "kept", 2))
    systems = tuple(replace(s, title=HOSTILE, description=HOSTILE) for s in opened.about.systems)
    about = replace(opened.about, pairs=HOSTILE, systems=systems, recipes={HOSTILE: HOSTILE},
                    warnings=(HOSTILE,))  # fmt: skip
    names = replace(opened.names, titles=(HOSTILE, "=1+1"), ids=("@SUM(A1)", "ok"))
    texts = [ComparedTexts(HOSTILE, HOSTILE, (HOSTILE, HOSTILE))] * 2
    keep_comparison(folder / "kept", about, names, opened.values, texts, replace=True)
    return folder / "kept"


@pytest.mark.parametrize("form", ["html", "print"])
def test_no_text_becomes_a_tag(hostile: Path, form: str) -> None:
    page = written(ExportComparisonJob(hostile, None, form))  # type: ignore[arg-type]
    assert isinstance(page, bytes)
    tags = _Tags()
    tags.feed(page.decode())
    assert not tags.tags & {"script", "img", "iframe", "link", "a", "object"}
    assert tags.loads == []
    assert b"default-src 'none'" in page
    assert page.decode().count("&lt;script&gt;alert(1)") >= 10


def test_no_cell_is_a_formula(hostile: Path, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    written(ExportComparisonJob(hostile, path, "csv"))
    rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    assert [row["document"] for row in rows] == ["'@SUM(A1)", "'@SUM(A1)", "ok", "ok"]
    assert rows[2]["title"] == "'=1+1" and float(rows[0]["words"]) >= 0


def test_a_report_has_scores_differences_texts_and_recipes(tmp_path: Path) -> None:
    folder = small_comparison(tmp_path)
    session = Session("Ada", 0, ("built-in", "lead"), ("overall",), (0,), ("cell",), (False,))
    judged = Judgements(session, ("A",))
    page = written(ExportComparisonJob(folder, tmp_path / "r.html", "html", (0,), judged))
    assert page == tmp_path / "r.html"
    told = (tmp_path / "r.html").read_text("utf-8")
    for words in ("ROUGE-1 F1, %", "lead less built-in", "95 % interval", "A layer of lithium",
                  '<u title="no support in the source">The Berlin plant closed in 1987.</u>',
                  "Blind judging", "rouge: Epitome", "<summary>Source</summary>"):  # fmt: skip
        assert words in told, words
    assert "The pump runs while the valve is open." not in told


def test_scores_and_differences_have_a_row_for_each_measure(tmp_path: Path) -> None:
    page = written(ExportComparisonJob(small_comparison(tmp_path), None, "print", (0,)))
    assert isinstance(page, bytes)
    rows = [row.split("</th>")[:-1] for row in page.decode().split("<tr>") if row[:4] == "<th>"]
    heads = [[cell.removeprefix("<th>") for cell in row] for row in rows]
    assert heads[0] == ["Measure", "built-in", "lead", "theirs"], "a column for each system alone"
    assert heads[1] == ["Measure", "lead less built-in", "theirs less built-in"]
    scores, differences = page.decode().split("<table>")[1:3]
    assert "Reference words" in scores and "Reference words" not in differences
    assert "−" in differences and "<td>-" not in differences


def test_what_is_measured_in_two_parts_is_in_the_report(tmp_path: Path) -> None:
    job = replace(compare_job(tmp_path), settings=ScoreSettings(metrics=("content",), length="2s"))
    assert job.out is not None
    written(job)
    page = written(ExportComparisonJob(job.out, None, "html", (0,)))
    assert isinstance(page, bytes)
    scores, differences = page.decode().split("<table>")[1:3]
    for part in ("precision", "recall"):
        assert (
            f"<td>Content {part}, %</td>" in scores and f"<td>Content {part}, %</td>" in differences
        )


def test_a_page_for_paper_has_no_source(tmp_path: Path) -> None:
    page = written(ExportComparisonJob(small_comparison(tmp_path), None, "print", (0,)))
    assert isinstance(page, bytes) and b"<details>" not in page and b"Berlin plant" in page


def test_documents_stand_in_the_order_that_is_asked_for(tmp_path: Path) -> None:
    folder = large_comparison(tmp_path / "kept", 5)
    written(ExportComparisonJob(folder, tmp_path / "s.csv", "csv", (4, 1)))
    rows = list(csv.DictReader((tmp_path / "s.csv").read_text("utf-8").splitlines()))
    assert [row["document"] for row in rows[::2]] == ["d-00004", "d-00001"]
