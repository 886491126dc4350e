"""A trained run as a summariser: by name, by folder, in parts, and in the scores."""

import json
import shutil
from pathlib import Path

import pytest

from core.cli.main import main
from core.documents.readers.door import read_pasted
from core.errors import NO_RUN
from core.evaluation.predictors import predictor_for
from core.evaluation.settings import ScoreSettings
from core.events import Failed, Finished, result_of
from core.jobs.run import run_inline
from core.jobs.sources.sources import SourceRef
from core.jobs.summaries.summarise import Summarised, SummariseJob, SummariseSettings
from core.stop import StopToken
from core.summaries.summary import Length
from core.summaries.summary_lines import reading_line
from core.summarisers.trained import TrainedSummariser
from core.training.plan import RunPlan
from tests.helpers.corpora import TEXTS
from tests.helpers.runs import run_events, tiny_corpus, tiny_plan
from tests.helpers.schemas import validate

LONG = "\n\n".join(TEXTS[:10])


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "tiny"
    corpus = tiny_corpus(tmp_path_factory.mktemp("corpora") / "tiny")
    plan = tiny_plan(corpus, steps=60, validate_every=60, rouge_rows=0, learning_rate=0.02)
    longer = plan.decoding.model_copy(update={"max_length": 100})
    plan = RunPlan(plan.run, plan.model, plan.train, longer)
    assert isinstance(run_events(folder, plan)[-1], Finished)
    return folder


def summarised(text: str, run: Path, length: str = "3s") -> Summarised:
    settings = SummariseSettings(length=length, model=str(run))
    *_, last = run_inline(SummariseJob(SourceRef(text=text), settings), StopToken())
    assert isinstance(last, Finished), last
    result: Summarised = last.result
    return result


def test_a_model_writes_the_summary_of_a_short_document_at_once(run: Path) -> None:
    result = summarised(TEXTS[0], run)
    assert result.summary.model == "tiny, step 60"
    assert 1 <= len(result.summary.sentences) <= 3
    assert result.summary.notes[0].startswith("Written by the model tiny, step 60, which can be")
    assert not any("parts of up to" in note for note in result.summary.notes)
    assert result.timings_s.keys() == {"read", "load", "write"}


def test_a_document_is_written_as_if_it_were_alone(run: Path) -> None:
    texts = [LONG, TEXTS[0], "\n\n".join(TEXTS[2:5]), TEXTS[7][:150]]
    documents = [result_of(read_pasted(text, "", StopToken())) for text in texts]
    summariser, length = TrainedSummariser.of_run(run), Length(20, "words")
    together = result_of(summariser.write(documents, length, StopToken()))
    for document, written in zip(documents, together, strict=True):
        (alone,) = result_of(summariser.write([document], length, StopToken()))
        assert alone == written


def test_a_long_document_is_read_in_parts_and_that_is_said(run: Path) -> None:
    result = summarised(LONG, run, "90w")
    told = [note for note in result.summary.notes if "parts of up to" in note]
    assert len(told) == 1
    assert told[0].startswith("The document was read in ")
    assert told[0].endswith("the most that this model can read at once.")
    assert result.summary.words <= 90
    few = summarised(LONG, run, "1s")
    num_parts = int(told[0].split()[5])
    of_one = [note for note in few.summary.notes if "parts of up to" in note]
    assert of_one[0].startswith(f"Of the document’s {num_parts} parts of up to ")
    assert of_one[0].endswith("the most that this model can read at once, it read 1.")
    read = few.summary.read
    *_, left_out = read.left_out
    assert read.words + left_out.words == result.summary.read.words
    assert reading_line(read).startswith(f"Read {read.words} of ")
    assert left_out.why == "the model did not read them for so short a summary"


def test_what_a_model_writes_twice_stands_in_the_summary_once(run: Path) -> None:
    sentence = "The mill stands on the river since the year of the flood, and its wheel turns."
    summary = summarised("\n\n".join([sentence] * 200), run, "6s").summary
    texts = [each.text for each in summary.sentences]
    assert len(texts) == len(set(texts)) < 6
    assert "Left out: 5 sentences that repeated an earlier one word for word." in summary.notes


@pytest.mark.parametrize(("length", "asked"), [("400s", "400 sentences"), ("900w", "900 words")])
def test_a_summary_that_the_model_ends_early_says_so(run: Path, length: str, asked: str) -> None:
    summary = summarised(TEXTS[0], run, length).summary
    size = summary.words if length.endswith("w") else len(summary.sentences)
    assert summary.notes[-1] == f"The model ended after {size} of the {asked} that were requested."


def test_a_summary_of_the_requested_length_says_nothing_of_it(run: Path) -> None:
    assert not any("requested" in note for note in summarised(LONG, run, "1s").summary.notes)


def test_the_same_document_gives_the_same_summary_from_a_copied_folder(
    run: Path, tmp_path: Path
) -> None:
    copied = shutil.copytree(run, tmp_path / "tiny")
    first, second = summarised(LONG, run), summarised(LONG, copied)
    assert first.summary.sentences == second.summary.sentences


def test_a_run_is_scored_by_name_like_any_system(run: Path, home: Path) -> None:
    shutil.copytree(run, home / "data" / "runs" / "tiny")
    writer = predictor_for("tiny", ScoreSettings(length="40w"), StopToken())
    texts = [TEXTS[0], "", LONG]
    found = list(writer.summaries(texts))
    assert [bool(text) for text in found] == [True, False, True]
    assert found[0].splitlines() == [
        each.text for each in summarised(TEXTS[0], run, "40w").summary.sentences
    ]
    assert writer.description.startswith("tiny, step 60, 40w, ")


def test_the_command_line_names_a_run(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.txt").write_text(TEXTS[3], "utf-8")
    words = ["summarise", str(tmp_path / "text.txt"), "--model", str(run), "--json"]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    validate(told, "summarise")
    assert told["settings"]["model"] == str(run)


def test_what_is_no_run_is_told(tmp_path: Path) -> None:
    settings = SummariseSettings(model=str(tmp_path))
    *_, last = run_inline(SummariseJob(SourceRef(text=TEXTS[0]), settings), StopToken())
    remedy = "Train one with epitome train."
    assert last == Failed(f"There is no run in {tmp_path}.", remedy, kind=NO_RUN)


def test_the_document_itself_is_not_changed(run: Path) -> None:
    document = result_of(read_pasted(TEXTS[0], "", StopToken()))
    assert summarised(TEXTS[0], run).document.text == document.text
