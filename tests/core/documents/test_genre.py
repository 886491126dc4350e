"""What kind of text a document is by its form, and that ordinary texts are running text."""

import json
from pathlib import Path

import pytest

from core.documents.document import Block, Document, Kind, Source
from core.documents.genre import Genre, genre_of
from core.documents.kinds import refine_kinds

JUDGED = Path(__file__).resolve().parents[4] / "shared" / "data" / "judged"
MAY_BE_OTHER = ("hearings", "files")  # transcripts; forms, lists and slides among test files

SENTENCE = "The mill on the river has ground corn for the village since it was built."
ITEM = Block("A handful of corn", Kind.LIST_ITEM, 1)
TALK = (
    "MR. MILLER: Does the mill still grind corn?",
    "MS. REED: It does so every day of the week.",
    "MR. MILLER: Who mends the wheel when it breaks?",
    "MS. REED: The village does, and it has done so for years.",
)
MINUTES = (
    "Minutes of the meeting of the mill's council",
    "Present: Miller, Reed, Stone",
    "Agenda",
    SENTENCE,
    "ACTION: Reed to mend the wheel.",
    "RESOLVED: The wheel is mended.",
)
STORY = (
    "“I cannot stay,” said the miller, and he went down to the river.",
    "She looked after him for a long time and did not say a word.",
)


def _document(*parts: str | Block, title: str = "Title", **source: str) -> Document:
    blocks = [part if isinstance(part, Block) else Block(part) for part in parts]
    return Document.from_blocks(
        refine_kinds(blocks),
        title=title,
        source=Source("a", **source),  # type: ignore[arg-type]
    )


def _table(*rows: str) -> Block:
    return Block("\n".join(rows), Kind.TABLE)


@pytest.mark.parametrize(
    ("document", "name", "reason"),
    [
        (_document(*TALK), "transcript", "100 % of its words are turns of 2 speakers."),
        (
            _document(*MINUTES, title="The mill"),
            "minutes",
            "It records a meeting: it has “Minutes of”, “Present”, “Agenda”.",
        ),
        (
            _document(*(["Surname:", "Date of birth: ______"] * 5), SENTENCE),
            "form",
            "10 of 11 paragraphs and rows are fields or choices.",
        ),
        (
            _document(_table(*(["Is the wheel whole? Yes No Not available"] * 9))),
            "form",
            "9 of 9 paragraphs and rows are fields or choices.",
        ),
        (
            _document(*([ITEM] * 20), SENTENCE),
            "list",
            "20 of its 21 paragraphs are items or lines that are no whole sentences.",
        ),
        (
            _document(_table(*(["1901\t30\t12 %"] * 20)), SENTENCE),
            "table",
            "80 % of its words stand in tables.",
        ),
        (_document(ITEM, format="pptx"), "slides", "Its text stands on slides."),
        (
            _document(
                *(Block("From: Reed", Kind.BOILERPLATE), SENTENCE),
                *(Block("On Monday Stone wrote:", Kind.BOILERPLATE), SENTENCE),
            ),
            "e-mail thread",
            "It holds the heads of 2 messages.",
        ),
        (
            _document(*(["I, [your name], agree with [COMPANY NAME] on {{sum}}."] * 4)),
            "template",
            "It has 12 blanks and placeholders to fill in.",
        ),
        (_document(*STORY * 70), "fiction", "50 % of its paragraphs hold dialogue."),
        (
            _document(Block("wheel = Wheel()\nwheel.turn(3)\n" * 9, Kind.CODE), SENTENCE),
            "code",
            "64 % of its words are code.",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and " " not in value else "",
)
def test_a_kind_and_its_reason(document: Document, name: str, reason: str) -> None:
    found = genre_of(document)
    assert (found.name, found.reason.replace("\u202f", " ").replace("\u2009", " ")) == (
        name,
        reason,
    )


@pytest.mark.parametrize(
    "document",
    [
        _document(),
        _document(SENTENCE),
        _document(*[SENTENCE] * 30),
        _document("The committee holds a meeting each month.", *[SENTENCE] * 9, "Agenda"),
        _document(SENTENCE, *[ITEM] * 5, SENTENCE),
        _document(*["“We made 312 of 1,400 wheels,” said the miller in May 1901."] * 200),
        _document("Duration::add", "Option::take", *[SENTENCE] * 9),
        _document("磨坊仍然每天磨玉米。" * 40),
    ],
)
def test_running_text_stays_running_text(document: Document) -> None:
    assert genre_of(document) == Genre("running text")


@pytest.mark.skipif(not JUDGED.is_dir(), reason="the judged documents are not on this machine")
def test_judged_documents_are_running_text() -> None:
    wrong = []
    for path in sorted(JUDGED.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines() if path.stem not in MAY_BE_OTHER else ():
            judged = json.loads(line)
            found = genre_of(_document(*judged["text"].split("\n\n")))
            wrong += [] if found.name == "running text" else [(judged["id"], found)]
    assert wrong == []


@pytest.mark.skipif(not JUDGED.is_dir(), reason="the judged documents are not on this machine")
def test_hearings_are_transcripts() -> None:
    lines = (JUDGED / "hearings.jsonl").read_text("utf-8").splitlines()
    kinds = [genre_of(_document(*json.loads(line)["text"].split("\n\n"))).name for line in lines]
    assert kinds == ["transcript"] * len(lines)
