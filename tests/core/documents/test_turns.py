"""Who speaks in transcripts, and what is no transcript."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Block, Document, Kind, Source
from core.documents.kinds import refine_kinds
from core.documents.sentences import Sentences, split_document
from core.documents.speaker_names import display_names
from core.documents.turns import mark_turns, question_before
from core.events import result_of
from core.stop import StopToken
from core.summaries.summary import Evidence, SummarySentence
from tests.helpers.reader_checks import read

COURT = (
    "CHIEF JUSTICE REHNQUIST: We will hear argument first this morning in number 99-1295.",
    "MR. HALLETT: Mr. Chief Justice, the question is whether the discharge is an item of income.",
    "It is, and the statute says so.",
    "QUESTION: Well, where does the statute say that? I do not see it.",
    "MR. HALLETT: Because the statute names it in section 108.",
    "(Laughter.)",
    "QUESTION: Right.",
    "MR. HALLETT: There is nothing to suggest the contrary.",
)
HEADS = ("TOOLS", "LICENCES", "THE FORUM", "OUR BLOG", "THE NEXT CLASSES")


def _document(*texts: str, kind: Kind = Kind.PARAGRAPH) -> Document:
    blocks = [text if isinstance(text, Block) else Block(text, kind) for text in texts]
    return Document.from_blocks(refine_kinds(blocks), title="Title", source=Source("a"))


def _speakers(document: Document) -> list[str]:
    return [document.speaker(index) for index in range(document.num_paragraphs)]


def _sentences(document: Document) -> Sentences:
    return result_of(split_document(document, StopToken()))


def test_speakers_of_a_court_transcript_are_named_and_are_in_no_sentence() -> None:
    document = _document(*COURT)
    hallett, asked = "Mr. Hallett", "Question"
    assert _speakers(document) == [
        *("Chief Justice Rehnquist", hallett, hallett, asked, hallett, "", asked, hallett)
    ]
    texts = _sentences(document).texts(document.text)
    assert not any("HALLETT:" in text or "QUESTION" in text for text in texts)
    assert "Because the statute names it in section 108." in texts


def test_turns_of_a_word_and_stage_directions_are_no_running_text() -> None:
    kinds = _document(*COURT).kinds
    assert [int(index) for index in np.flatnonzero(kinds == Kind.INTERJECTION)] == [5, 6]


def test_the_text_keeps_what_it_says() -> None:
    assert _document(*COURT).text == "\n\n".join(COURT)


def test_turns_that_a_paragraph_joins_are_parted_on_their_pages() -> None:
    joined = "MR. HALLETT: The answer is no. QUESTION: Why is it no? MR. HALLETT: The law says so."
    at = joined.index("QUESTION") + 4
    blocks = mark_turns([*map(Block, COURT), Block(joined, page=7, page_breaks=(at,))])
    last = blocks[-3:]
    assert [block.speaker for block in last] == ["Mr. Hallett", "Question", "Mr. Hallett"]
    assert [block.page for block in last] == [7, 7, 8]
    assert last[1].page_breaks == (4,)
    assert " ".join(block.text for block in last) == joined


@pytest.mark.parametrize(
    ("form", "names"),
    [
        ("Robert Read: {}", ["Robert Read", "Jesse Taggert"]),
        ("**Robert Read**: {}", ["Robert Read", "Jesse Taggert"]),
        ("RR: {}", ["RR", "JT"]),
        ("[00:01:02] Robert Read: {}", ["Robert Read", "Jesse Taggert"]),
        ("Robert Read (09:12): {}", ["Robert Read", "Jesse Taggert"]),
        ("Robert Read (Ayr) (Lab): {}", ["Robert Read", "Jesse Taggert"]),
        ("12/03/2021, 10:42 - Robert Read: {}", ["Robert Read", "Jesse Taggert"]),
        ("[2021-03-04 10:42:01] <rread> {}", ["rread", "jesse"]),
        ("10:42 <rread> {}", ["rread", "jesse"]),
        ("Mr. READ. {}", ["Mr. Read", "Mrs. Taggert of Ohio"]),
        ("CHAIRMAN READ. {}", ["Chairman Read", "Vice Chairman Taggert"]),
        ("Q. {}", ["Question", "Answer"]),
        ("Q: {}", ["Question", "Answer"]),
        ("Frage: {}", ["Frage", "Antwort"]),
    ],
)
def test_forms_of_labels(form: str, names: list[str]) -> None:
    others = {
        "Robert Read": "Jesse Taggert",
        "RR": "JT",
        "rread": "jesse",
        "Mr. READ": "Mrs. TAGGERT of Ohio",
        "CHAIRMAN READ": "VICE CHAIRMAN TAGGERT",
        "Q.": "A.",
        "Q:": "A:",
        "Frage": "Antwort",
    }
    first = next(name for name in others if name in form)
    second = form.replace(first, others[first])
    said = (
        "When did the team begin to code, and who was asked about it?",
        "The team began on the first day, and nobody had been asked.",
        "Would the team do the same again in the next project?",
        "It would ask the users first and then begin to write the code.",
        "How many users has the team asked until now, all in all?",
        "There were a dozen of them in the first week of the project.",
    )
    turns = [(second if index % 2 else form).format(text) for index, text in enumerate(said)]
    if "**" in form:
        turns = [turn.replace("**", "") for turn in turns]
    document = _document(*turns)
    assert _speakers(document) == names * 3
    assert _sentences(document).texts(document.text) == [*said]


def test_a_few_labels_with_an_honorific_are_turns_beside_questions_and_answers() -> None:
    asked = "Q. Were you at the mill on that night?", "A. I was there with two others."
    document = _document(*asked * 3, "MR. STONE: I object to all of this.", "NOTE: It was dark.")
    assert _speakers(document)[-2:] == ["Mr. Stone", "Mr. Stone"]
    assert document.label_lengths[-1] == 0


def test_offices_in_capitals_are_speakers_though_few_come_again() -> None:
    document = _document(
        "CHAIRMAN STONE. Good afternoon, everybody. We meet to speak of the wheel.",
        "VICE CHAIRMAN MCREED. The wheel has cost more than we thought it would.",
        "MS. HURD.1 I agree with that, and I would add that it is not mended.",
        "CHAIRMAN STONE. Is there anybody who would like to say more of it?",
        "MR. AYR. No, Mr. Chairman, there is nothing to add to it.",
    )
    stone = "Chairman Stone"
    assert _speakers(document) == [stone, "Vice Chairman McReed", "Ms. Hurd", stone, "Mr. Ayr"]


def test_notes_of_what_was_said_name_their_speakers() -> None:
    said = ("coming from an area where safety is critical", "is there a test suite for the spec?")
    order = ("James", "Ralf", "James", "Niko", "Ralf", "James", "Niko", "James", "Ralf")
    notes = [f"{name}: {said[number % 2]}, point {number}" for number, name in enumerate(order * 2)]
    document = _document("Sealed Mills: the Plan", *notes, kind=Kind.LIST_ITEM)
    assert document.speaker_names == ("James", "Ralf", "Niko")


def test_lines_that_only_name_the_speaker_stand_before_the_words() -> None:
    said = [
        ("Adam Jonas: 00:00:00", "Welcome to the podcast, I am here with Murch."),
        ("Mark Erhardt: 00:00:16", "I am very happy to be back after all this time."),
        ("Adam Jonas: 00:00:17", "Why does it need a new format of addresses?"),
        ("Mark Erhardt: 00:00:34", "Because the old one lets a letter be inserted."),
        ("Adam Jonas: 00:00:51", "All right."),
    ]
    document = _document(*(text for turn in said for text in turn))
    assert document.kinds.tolist() == [
        *[Kind.SPEAKER, Kind.PARAGRAPH] * 4,
        *(Kind.SPEAKER, Kind.INTERJECTION),
    ]
    assert document.label(3) == "2"  # lines that only name the speaker are not counted
    assert document.speaker(3) == "Mark Erhardt"
    sentences = _sentences(document)
    assert question_before(document, sentences, 7) == 5
    assert question_before(document, sentences, 3) == -1


def test_a_turn_ends_at_a_heading_and_with_the_items_below_it() -> None:
    items = [
        Block("James: I come from a background where safety is critical.", Kind.LIST_ITEM, 1),
        Block("The tool chains are qualified there.", Kind.LIST_ITEM, 2),
        Block("Nobody spoke for a while.", Kind.LIST_ITEM, 1),
    ]
    talk = [
        Block(f"{name}: What do we say of point {number} of this long list?", Kind.LIST_ITEM, 1)
        for number, name in enumerate(("Ralf", "Niko", "James", "Niko", "Ralf"))
    ]
    document = _document(*talk, *items, Block("Next", Kind.HEADING, 2), Block("We met again."))
    assert _speakers(document)[-5:] == ["James", "James", "", "", ""]


@pytest.mark.parametrize(
    "texts",
    [
        ("Note: the pump is off. It stays off.", *("The pump runs at night.",) * 9),
        tuple(
            f"{field}: the value number {number} is not the one that was expected here."
            for number in range(4)
            for field in ("Symptom", "Cause", "Fix")
        ),
        tuple(
            f"{field}: {number} is the value that holds here if no other value was given."
            for number in range(5)
            for field in ("Rows Wanted", "Columns Wanted", "Sheets Wanted")
        ),
        ("To: Smith", "From: Jones", "Subject: The mill", "Date: today") * 2,
        (
            "Rows: all of the rows are wanted here, or is it none?",
            "Columns: all of the columns are wanted here, or is it none?",
        )
        * 5,
        tuple(
            f"{label}: this is said of the mill in the year {1900 + number}, or is it?"
            for number, label in enumerate(("Ayr", *("The Mill",) * 7))
        ),
        ("Figure A: the mill.", "Table B: the pump.") * 4,
        ("The committee met twice: first in May, then in June.",) * 8,
        ("ACTION: Todd sends the polls to all.", "RESOLVED: the plan is approved by all.") * 4,
        (*HEADS, *(text for head in HEADS for text in (head, "There is much that is new here."))),
    ],
)
def test_prose_heads_and_fields_with_colons_are_no_transcript(texts: tuple[str, ...]) -> None:
    document = _document(*texts)
    assert document.speaker_names == ()
    assert not document.label_lengths.any()


def test_an_answer_finds_the_question_of_the_turn_before() -> None:
    document = _document(*COURT)
    sentences = _sentences(document)
    texts = sentences.texts(document.text)
    answer = texts.index("Because the statute names it in section 108.")
    asked = texts.index("Well, where does the statute say that?")
    assert question_before(document, sentences, answer) == asked
    assert (
        question_before(document, sentences, texts.index("It is, and the statute says so.")) == -1
    )


@pytest.mark.parametrize(
    ("asked", "is_question"),
    [
        ("QUESTION: Γιατί το λέτε; ", True),
        ("QUESTION: Is it said there?", True),
        ("QUESTION: The loop runs while i = 3;", False),
        ("QUESTION: It ends where x = α;", False),
    ],
)
def test_a_semicolon_asks_in_greek_only(asked: str, is_question: bool) -> None:
    document = _document(*COURT[:3], asked, *COURT[4:])
    sentences = _sentences(document)
    answer = sentences.texts(document.text).index("Because the statute names it in section 108.")
    assert (question_before(document, sentences, answer) >= 0) is is_question


def test_statements_in_capitals_are_no_speakers() -> None:
    lines = []
    for number in range(6):
        lines += ["CREATE TABLE SALES AS", f"The table of day {number} is made in the evening."]
        lines += ["DROP TABLE SALES", f"The table of day {number} is dropped in the morning."]
    assert _document(*lines).speaker_names == ()


def test_names_in_capitals_become_names_and_initials_the_speaker_they_stand_for() -> None:
    names = ["MR. MCDONOUGH", "JUSTICE O'CONNOR", "Robert Read", "RR", "FM", "Q", "Ms. J. SMITH"]
    assert list(display_names(names).values()) == [
        *("Mr. McDonough", "Justice O'Connor", "Robert Read", "Robert Read", "FM", "Question"),
        "Ms. J. Smith",
    ]


def test_a_summary_names_who_says_a_sentence_and_does_not_count_the_name() -> None:
    document = _document(*COURT)
    start = document.text.index("Because the statute")
    evidence = Evidence.at(document, 0, start, start + 10)
    sentence = SummarySentence("Because the statute names it.", (evidence,))
    assert sentence.speaker == "Mr. Hallett"
    assert sentence.spoken == "Mr. Hallett: Because the statute names it."
    other = Evidence.at(document, 0, 0, 10)
    assert SummarySentence("Both say so.", (evidence, other)).speaker == ""


def test_speakers_survive_as_bytes_and_older_copies_have_none() -> None:
    document = _document(*COURT)
    again = Document.from_bytes(document.to_bytes())
    assert _speakers(again) == _speakers(document)
    assert again.label_lengths.tolist() == document.label_lengths.tolist()
    plain = Document.from_blocks([Block("One."), Block("Two.")], title="T", source=Source("a"))
    older = plain.to_bytes()
    for part in (
        b', "speakers": ["<i4", 2], "label_lengths": ["<i4", 2]',
        b'"speaker_names": [], ',
    ):
        assert part in older
        older = older.replace(part, b"")
    head, body = older.split(b"\n", 1)
    older = head + b"\n" + body[: -len(plain.text) - 16] + plain.text.encode()
    assert _speakers(Document.from_bytes(older)) == ["", ""]


_LABELS = st.sampled_from(["MR. SMITH: ", "MS. JONES: ", "Q. ", "A. ", "<nick> ", "Note: ", ""])
_WORDS = st.text(st.sampled_from("aB .?!:()-\n"), max_size=30)


@given(st.lists(st.tuples(_LABELS, _WORDS), max_size=20), st.integers(0, 3))
def test_no_word_is_lost_and_pages_ascend(turns: list[tuple[str, str]], page: int) -> None:
    blocks = [Block(label + words, page=page) for label, words in turns]
    marked = mark_turns(blocks)
    before = "".join("".join(block.text.split()) for block in blocks)
    assert "".join("".join(block.text.split()) for block in marked) == before
    assert all(one.page <= other.page for one, other in pairwise(marked))
    assert all(block.label <= len(block.text) for block in marked)


def test_a_single_break_hides_no_transcript() -> None:
    names = ["ANNA KERN", "PAUL WEISS", "MIRA HOLT", "PAUL WEISS"] * 2
    words = "We have to wait with the lights of the new reading room."
    lines = [line for name in names for line in (f"{name}:", words)]
    with_break = [*lines[:8], "Break:", *lines[8:]]
    for written in (lines, with_break):
        document = read("\n\n".join(written), "minutes.txt")
        assert document.speaker_names == ("Anna Kern", "Paul Weiss", "Mira Holt")


def test_a_stamp_is_before_its_own_turn() -> None:
    said = "[05.05.25, 10:{:02}:11] {}: We have to wait with the lights for the new room."
    names = ("Anna Kern", "Paul Weiss", "Anna Kern", "Mira Holt", "Paul Weiss", "Mira Holt") * 2
    turns = [said.format(number, name) for number, name in enumerate(names)]
    turns[1] = turns[1].replace("room.", "room?")
    parted = mark_turns([Block(" ".join(turns[:3])), *map(Block, turns[3:])])
    assert [block.text for block in parted] == turns
