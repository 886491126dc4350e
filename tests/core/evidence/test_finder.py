"""Evidence of written sentences and their doubts: where it is plain, and on the labelled set."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.document import Document, Kind
from core.documents.readers.door import read_pasted
from core.documents.sentences import split_document
from core.events import result_of
from core.evidence.finder import EvidenceFinder
from core.stop import StopToken
from core.summaries.summary import SummarySentence
from core.summaries.summary_lines import describe_doubt
from tests.helpers.labelled_evidence import PAIRS, counts, read_labels, read_rows

TEXT = (
    "# The boiler of Leeds\n\n"
    "The pump feeds the boiler through a valve. Its walls were tested on 12 May 1931. "
    "A sensor by Siemens reports the pressure of 1,250 bar to the panel.\n\n"
    "The dog of the engineer sleeps in the hall. It is fed twice a day and weighs 30 kg. Miss "
    "Barker takes it for a walk of 4 miles."
)


def read(text: str) -> Document:
    return result_of(read_pasted(text, "", StopToken()))


def checked(written: str, text: str = TEXT) -> SummarySentence:
    document = read(text)
    finder = EvidenceFinder(document, result_of(split_document(document, StopToken())))
    return finder.checked(written)


@pytest.mark.parametrize(
    ("written", "quotations"),
    [
        ("Pressure is reported to the panel by a sensor.", ["A sensor by Siemens"]),
        ("The valve feeds the boiler, and the walls were tested.", ["The pump feeds", "Its walls"]),
        ("Quarterly revenue doubled.", []),
        ("The boiler of Leeds.", ["The pump feeds"]),  # a heading is no evidence
        ("", []),
        ("It is.", []),
    ],
)
def test_a_written_sentence_rests_on_those_that_say_the_same(
    written: str, quotations: list[str]
) -> None:
    text = read(TEXT).text
    evidence = checked(written).evidence
    assert [text[item.start :][: len(q)] for item, q in zip(evidence, quotations, strict=True)] == (
        quotations
    )


def doubts(written: str, text: str = TEXT) -> list[tuple[str, str]]:
    made = checked(written, text)
    return [(made.text[item.start : item.end], item.kind) for item in made.doubts]


def test_a_unit_is_no_name_that_a_source_must_have() -> None:
    text = "The panel has 16 GB of memory and works at 12 °C, as the engineer of the mill says."
    for written in ("The panel has 16GB of memory.", "The panel works at 12 degrees Celsius."):
        assert doubts(written, text) == []
    assert doubts("The panel has 32GB of memory.", text) == [("32", "number")]


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("The sensor reports a pressure of 1 250 bar to the panel.", []),
        ("The sensor reports a pressure of 1,520 bar to the panel.", [("1,520", "number")]),
        ("The walls were tested on May 12, 1931.", []),
        ("The walls were tested on May 21, 1931.", [("May 21, 1931", "date")]),
        ("A walk of 4 km is taken by Barker.", [("4 km", "unit")]),
        ("The sensor was built by Siemens in Leeds.", []),
        ("The sensor was built by Bosch in Leeds.", [("Bosch", "name")]),
        ("The pump does not feed the boiler through a valve.", [("not", "negation")]),
        ("The pump feeds the boiler through a NO valve.", [("NO", "name")]),
        ("It never rains in autumn.", []),  # nothing to hold it against
    ],
)
def test_what_the_source_does_not_have_is_doubtful(
    written: str, found: list[tuple[str, str]]
) -> None:
    assert doubts(written) == found


def test_a_rounded_number_keeps_its_unit_beside_the_same_number_of_something_else() -> None:
    text = "The trial took 12 days. The output of the plant rose by 12.3 % in that year."
    assert doubts("The output of the plant rose by 12 %.", text) == []
    assert doubts("The output of the plant rose by 12 km.", text) == [("12 km", "unit")]


def test_what_the_source_has_of_something_else_is_doubtful_too() -> None:
    made = checked("A sensor by Barker reports the pressure of 30 bar to the panel.")
    assert [item.elsewhere for item in made.doubts] == [True, True]
    assert describe_doubt(made, made.doubts[0]) == (
        "“Barker” is in the source, but in another context."
    )


def test_a_denial_in_the_source_may_be_repeated() -> None:
    text = "The pump never feeds the boiler through a valve. The dog sleeps."
    assert doubts("The pump does not feed the boiler through a valve.", text) == []


@given(st.text(st.characters(exclude_categories=("C",))), st.text())
@settings(max_examples=100, deadline=None)
def test_any_sentence_is_checked_against_any_text(text: str, written: str) -> None:
    made = checked(written, f"Bob. {text}")
    assert made.text == " ".join(written.split())
    ends = 0
    for doubt in made.doubts:
        assert ends <= doubt.start < doubt.end <= len(made.text)
        ends = doubt.end
    assert len(made.evidence) <= 3


def test_words_are_those_of_the_document_s_language() -> None:
    text = (
        "Die Brücken der Stadt sind alt, und der Rat hat sie im Herbst geprüft. Es war nicht das "
        "erste Mal, dass man sich mit ihnen auf diese Weise und in dieser Zeit befasst hat.\n\n"
        "Der Kessel wird von einer Pumpe gespeist. Er ist von der Art, wie sie in den Werken an "
        "der Ruhr seit langer Zeit gebaut wird, und er hat sich dort bewährt."
    )
    assert read(text).reading.language == "de"
    (evidence,) = checked("Eine Brücke wurde durch den Rat der Stadt geprüft.", text).evidence
    assert text[evidence.start : evidence.end].startswith("Die Brücken")
    # Function words alone are no support.
    assert not checked("Er hat sie mit ihnen, und es ist nicht von ihm.", text).evidence


def test_evidence_of_a_document_with_headings_alone_is_none() -> None:
    document = read("# One\n\n# Two")
    assert set(document.kinds.tolist()) == {Kind.HEADING}
    assert checked("One.", "# One\n\n# Two").evidence == ()


needs_data = pytest.mark.skipif(not Path(PAIRS).is_dir(), reason="the pairs are not here")


@needs_data
def test_every_label_names_a_sentence_of_its_document() -> None:
    rows = read_rows()
    assert [row["part"] for row in rows].count("held out") == 40
    assert sum(1 for _ in read_labels()) == len(rows)  # a key that is nowhere raises


@needs_data
def test_evidence_agrees_with_the_labels() -> None:
    shown, right, claims, covered = 0, 0, 0, 0
    for labelled in read_labels("development"):
        made = EvidenceFinder(labelled.document, labelled.sentences).checked(labelled.text)
        found = counts(labelled, [item.sentence for item in made.evidence])
        shown, right = shown + found.shown, right + found.right
        claims, covered = claims + found.claims, covered + found.covered
    assert right >= 0.85 * shown
    assert covered >= 0.72 * claims
