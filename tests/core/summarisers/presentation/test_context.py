"""What kind of text misleads when sentences are picked from it, and which question is answered."""

import math

import pytest

from core.documents.genre import Genre
from core.documents.readers.door import read_pasted
from core.events import result_of
from core.stop import StopToken
from core.summaries.summary import Length
from core.summarisers.built_in import rank_document
from core.summarisers.choice import choose
from core.summarisers.presentation.context import explain_doubt
from core.summarisers.ranking import CitationStyle

FORM = Genre("form", "12 of 15 paragraphs and rows are fields or choices.")
INTERVIEW = "\n\n".join(
    (
        "Q: What did the council decide about the old bridge in the end?",
        "A: The council decided to rebuild the old bridge for two million next year.",
        "Q: Who pays for the work, and how much of it?",
        "A: The county pays half of the sum, and the town pays the rest over four years.",
        "Q: When will the bridge be open again to the public?",
        "A: The bridge will be open to cars and to trams again in the spring of next year.",
    )
)


def test_a_form_is_named_with_the_reason() -> None:
    reason = "This looks like a form: 12 of 15 paragraphs and rows are fields or choices. "
    assert explain_doubt(FORM, 1.0, has_outline=True) == (
        f"{reason}Picked sentences may mislead here; the outline shows more."
    )
    assert explain_doubt(FORM, 1.0, has_outline=False) == (
        f"{reason}Picked sentences may mislead here."
    )


@pytest.mark.parametrize(
    ("genre", "best", "doubted"),
    [
        (FORM, 2.0, False),
        (Genre("transcript", "90 % of its words are turns of 4 speakers."), 1.2, True),
        (FORM, math.inf, True),
        (Genre("running text"), math.inf, False),
        (Genre("running text"), 1.2, False),
        (Genre("running text"), 0.8, True),
        (Genre("fiction", "40 % of its paragraphs hold dialogue."), 1.2, False),
        (Genre("fiction", "40 % of its paragraphs hold dialogue."), 0.8, True),
    ],
)
def test_what_has_good_sentences_is_not_doubted(genre: Genre, best: float, doubted: bool) -> None:
    assert bool(explain_doubt(genre, best, has_outline=True)) == doubted


def test_an_answer_of_an_interview_tells_what_was_asked() -> None:
    document = result_of(read_pasted(INTERVIEW, "", StopToken()))
    ranking = result_of(rank_document(document, StopToken()))
    told = {one.text: one.question for one in choose(document, ranking, Length(3)).sentences}
    for text, question in told.items():
        if text.startswith("The county"):
            assert question == "Who pays for the work, and how much of it?"
    assert any(told.values())


def test_what_is_far_behind_a_question_does_not_tell_it() -> None:
    far = " ".join(f"The bridge number {n} was paid for by the county in May." for n in range(9))
    text = INTERVIEW.replace("A: The county pays", f"A: {far} The county pays")
    document = result_of(read_pasted(text, "", StopToken()))
    ranking = result_of(rank_document(document, StopToken()))
    starts = document.text.index("The county pays")
    index = int(ranking.starts.searchsorted(starts))
    first = int(ranking.starts.searchsorted(document.text.index("The bridge number 0")))
    assert first in ranking.questions
    assert index not in ranking.questions


def test_a_closing_statement_does_not_answer_the_last_question() -> None:
    text = INTERVIEW.replace(
        "A: The county pays", "A: Three quarters. In summary, the work is paid for. The county pays"
    )
    document = result_of(read_pasted(text, "", StopToken()))
    ranking = result_of(rank_document(document, StopToken()))
    closing = document.text.index("In summary")
    behind = document.text.index("The county pays")
    indices = [int(ranking.starts.searchsorted(at)) for at in (closing, behind)]
    assert not {*indices} & {*ranking.questions}


def test_a_ranking_knows_how_its_document_cites() -> None:
    text = "Bees purr [1]. Cats do [2]. Dogs bark [3]."
    document = result_of(read_pasted(text, "", StopToken()))
    ranking = result_of(rank_document(document, StopToken()))
    assert ranking.citing == CitationStyle(numbers=True)
