"""What the built-in systems write."""

from pathlib import Path

import pytest

from core.documents.document import count_words
from core.errors import EpitomeError
from core.evaluation.predictors import BUILT_IN, Predictor, predictor_for
from core.evaluation.settings import ScoreSettings
from core.events import Finished
from core.gsg.selection import select_gap_sentences
from core.gsg.settings import GapSentenceSettings
from core.jobs.run import run_inline
from core.jobs.sources.sources import SourceRef
from core.jobs.summaries.summarise import SummariseJob, SummariseSettings
from core.stop import Stopping, StopToken
from tests.helpers.pair_files import DOCUMENT, OTHER
from tests.helpers.reader_checks import read

SENTENCES = [
    "The pump runs while the valve is open.",
    "The valve opens when the pressure falls below three bar.",
    "A second valve opens at two bar, and a lamp is lit.",
    "The lamp goes out when the pressure is above three bar again.",
    "The pump is lubricated once a year.",
]


def predictor(name: str, **settings: object) -> Predictor:
    return predictor_for(name, ScoreSettings.checked(settings), StopToken())


def written(name: str, document: str = OTHER, **settings: object) -> list[str]:
    (summary,) = predictor(name, **settings).summaries([document])
    return summary.split("\n")


@pytest.mark.parametrize("length", ["2s", "25w", "30%"])
def test_built_in_writes_what_summarise_does(length: str) -> None:
    job = SummariseJob(SourceRef(text=OTHER), SummariseSettings(length=length))
    *_, last = run_inline(job, StopToken())
    assert isinstance(last, Finished)
    wished = [sentence.text for sentence in last.result.summary.sentences]
    assert written("built-in", length=length) == wished


@pytest.mark.parametrize(
    ("length", "wished"),
    [("2s", 2), ("99s", 5), ("18w", 2), ("17w", 1), ("1w", 1), ("500w", 5), ("70%", 3)],
)
def test_lead_is_the_first_sentences_that_fit(length: str, wished: int) -> None:
    assert written("lead", length=length) == SENTENCES[:wished]


def test_headings_are_no_part_of_the_lead() -> None:
    assert written("lead", f"# A pump\n\n{OTHER}", length="1s") == SENTENCES[:1]


def test_documents_of_files_keep_their_headings() -> None:
    document = read(f"# A pump\n\n{OTHER}", "a.md")
    assert document.text.startswith("A pump\n")  # by its text alone it is no heading
    known = {document.text: document}
    lead = predictor_for("lead", ScoreSettings(length="1s"), StopToken(), known)
    assert list(lead.summaries([document.text, OTHER])) == SENTENCES[:1] * 2


def test_gap_sentences_are_those_of_the_engine() -> None:
    picked = select_gap_sentences(SENTENCES, GapSentenceSettings(count=2))
    wished = [SENTENCES[index] for index in picked.in_document_order]
    assert written("gap-sentences", length="2s") == wished


def test_random_sentences_follow_the_seed_and_the_document_alone() -> None:
    first = list(predictor("random", length="2s", seed=1).summaries([DOCUMENT, OTHER]))
    # Also where the writing begins with the second document, as after an interruption.
    assert (
        list(predictor("random", length="2s", seed=1).summaries([" ".join(OTHER.split(" "))]))
        == first[1:]
    )
    drawn = {tuple(written("random", length="2s", seed=seed)) for seed in range(20)}
    assert len(drawn) > 5
    for sentences in drawn:
        assert sorted(sentences, key=SENTENCES.index) == list(sentences)


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("document", ["", " \n", "…", "<!-- -->", "Word"])
def test_no_document_is_too_small(name: str, document: str) -> None:
    (summary,) = predictor(name).summaries([document])
    assert count_words(summary) == ("Word" in document)


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_description_names_all_that_changes_the_text(name: str) -> None:
    told = predictor(name, length="5s", seed=3).description
    assert told.startswith(f"{name}, 5s, ") and ", Epitome " in told
    assert ("seed 3" in told) == (name == "random")


def test_a_wish_to_end_is_heard_between_documents() -> None:
    stop = StopToken()
    summaries = predictor_for("lead", ScoreSettings(), stop).summaries([OTHER, OTHER])
    next(summaries)
    stop.request("stop")
    with pytest.raises(Stopping):
        next(summaries)


def test_other_names_are_refused(tmp_path: Path) -> None:
    with pytest.raises(EpitomeError, match=r"“leed” is no model; built-in, lead, random, gap-sen"):
        predictor("leed")
    pytest.importorskip("torch")
    with pytest.raises(EpitomeError, match="There is no run in"):
        predictor(str(tmp_path))
