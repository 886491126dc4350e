"""A comparison is opened, and each of its documents is read with evidence and marks."""

from pathlib import Path

import pytest

from core.events import Failed, Finished
from core.jobs.call import CallJob
from core.jobs.evaluation.browse_comparison import (
    REFERENCE,
    SOURCE,
    ComparedDocument,
    CompareDocumentJob,
    OpenComparisonJob,
)
from core.jobs.evaluation.kept_comparisons import FoundComparison, list_comparisons
from core.jobs.job import Job
from core.jobs.run import run_inline
from core.runs.comparisons import OpenedComparison
from core.stop import StopToken
from tests.helpers.comparisons import INVENTED, small_comparison


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_comparison(tmp_path_factory.mktemp("comparisons"))


def result(job: Job) -> object:
    *_, last = run_inline(job, StopToken())
    assert isinstance(last, Finished), last
    return last.result


def read(folder: Path, number: int = 0, against: int = REFERENCE) -> ComparedDocument:
    shown = result(CompareDocumentJob(folder, number, against))
    assert isinstance(shown, ComparedDocument)
    return shown


def test_a_comparison_has_models_and_a_plain_file_side_by_side(folder: Path) -> None:
    opened = result(OpenComparisonJob(folder))
    assert isinstance(opened, OpenedComparison)
    assert [system.title for system in opened.about.systems] == ["built-in", "lead", "theirs"]
    assert [system.is_file for system in opened.about.systems] == [False, False, True]
    assert opened.names.ids == ("cell", "pump", "both")
    assert opened.names.titles[1].startswith("The pump runs while the valve is open.")
    unsupported = opened.measure("unsupported sentences")
    assert unsupported is not None and unsupported[:, 0].tolist() == [0, 0, 50]
    ahead = opened.about.systems[1].score("rouge-1 f1")
    assert ahead is not None and ahead.ahead is not None and ahead.low is not None


def test_each_sentence_leads_to_its_evidence(folder: Path) -> None:
    shown = read(folder)
    theirs, text = shown.outputs[2], INVENTED[0]
    assert [text[s.start : s.end] for s in theirs.sentences] == [
        "A layer of lithium nitride stops the reaction.",
        "The Berlin plant closed in 1987.",
    ]
    assert shown.document is not None
    (place,) = theirs.sentences[0].evidence
    assert shown.document.text[slice(*place)].startswith("A layer of lithium nitride")
    assert theirs.sentences[1].evidence == () and theirs.unsupported == 1


def test_new_words_names_and_numbers_are_marked(folder: Path) -> None:
    theirs = read(folder).outputs[2]
    assert [theirs.text[a:b] for a, b in theirs.novel] == ["Berlin", "plant", "closed", "1987"]
    doubts = {(theirs.text[d.start : d.end], d.kind) for d in theirs.doubts}
    assert doubts >= {("Berlin", "name"), ("1987", "number")} or ("1987", "date") in doubts


def test_marks_stand_right_where_white_space_is_wild(tmp_path: Path) -> None:
    from core.runs.comparisons import ComparedTexts, keep_comparison, open_comparison

    opened = open_comparison(small_comparison(tmp_path))
    source = "The plant closed early. The owner left the town."
    output = "The  owner\nof   Berlin  left."
    texts = [ComparedTexts(source, "", (output,) * 3)] * 3
    keep_comparison(tmp_path / "wild", opened.about, opened.names, opened.values, texts)
    (doubt,) = {(d.start, d.end) for d in read(tmp_path / "wild", against=SOURCE).outputs[0].doubts}
    assert output[slice(*doubt)] == "Berlin"


def test_shared_words_follow_what_is_compared_with(folder: Path) -> None:
    shown = read(folder)
    assert shown.reference is not None
    lit = [shown.reference.text[a:b] for a, b in shown.reference.shared["3"]]
    assert lit == ["A layer of lithium nitride stops"]
    theirs = read(folder, against=0).outputs[2]
    lacking = [theirs.text[a:b] for a, b in theirs.shared["difference"]]
    assert any("Berlin" in words for words in lacking)
    with_source = read(folder, against=SOURCE).outputs[1]
    assert len(with_source.shared["longest"]) == 1
    assert with_source.shared["difference"] == ()


def test_documents_without_references_are_read(tmp_path: Path) -> None:
    folder = small_comparison(tmp_path, references=False)
    opened = result(OpenComparisonJob(folder))
    assert isinstance(opened, OpenedComparison) and not opened.about.has_references
    assert opened.measure("rouge-1 f1") is None and opened.measure("novel 2-grams") is not None
    assert any("has no references" in told for told in opened.about.warnings)
    assert read(folder, against=0).reference is None


def test_a_document_that_is_not_there_is_said(folder: Path) -> None:
    *_, last = run_inline(CompareDocumentJob(folder, 99), StopToken())
    assert isinstance(last, Failed) and "is damaged" in last.message


def test_comparisons_are_listed_the_newest_first_with_damaged_ones(tmp_path: Path) -> None:
    small_comparison(tmp_path / "a")
    (tmp_path / "a" / "torn").mkdir()
    (tmp_path / "a" / "torn" / "comparison.json").write_text("{", "utf-8")
    found = result(CallJob(list_comparisons, tmp_path / "a"))
    assert isinstance(found, tuple) and all(isinstance(each, FoundComparison) for each in found)
    assert [each.folder.name for each in found] == ["out", "torn"]
    assert found[0].about is not None and "is damaged" in found[1].fault
    assert result(CallJob(list_comparisons, tmp_path / "nowhere")) == ()
