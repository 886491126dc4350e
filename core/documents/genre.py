"""What kind of text a document is, as far as its form alone can tell."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from core.documents.document import RUNNING_TEXT, Document, Kind, count_words
from core.documents.genre_marks import (
    DIALOGUE,
    FIELD,
    MESSAGE,
    MINUTES,
    MINUTES_MARKS,
    NUMBER,
    OPTIONS,
    PLACEHOLDER,
    SENTENCE_END,
)
from core.documents.readers.markdown_slides import SLIDES
from core.numbers import format_count, format_quantity, format_share

GenreName = Literal[
    "running text",
    "transcript",
    "minutes",
    "form",
    "list",
    "table",
    "slides",
    "e-mail thread",
    "template",
    "fiction",
    "code",
]

_FEWEST_UNITS = 8  # paragraphs or rows, for a form or a list
_LEAST_FIELDS, _LEAST_ITEMS = 0.5, 0.7
_IN_SENTENCES = 0.3  # a list has no larger share of its words in whole sentences
_SHORT = 12  # words of an item of a list
_LONGEST_FIELD = 10  # words
_IN_TABLES, _IN_CODE, _IN_TURNS = 0.6, 0.5, 0.5
_FEWEST_PLACEHOLDERS, _OF_WORDS = 4, 0.008
_WORDS_OF_SLIDE, _FEWEST_SLIDES, _TITLED = 80, 5, 0.6
_SHORTEST_STORY, _IN_DIALOGUE, _MOST_NUMBERS = 1500, 0.2, 0.004
_OPENING = 12  # paragraphs, where minutes say that they are minutes
_PIECE = 600  # code points of a paragraph that are looked at


@dataclass(frozen=True)
class Genre:
    """What kind of text a document is.

    Args:
        name: The kind; "running text" where nothing speaks against it.
        reason: Why, as one sentence for a person; empty for running text.
    """

    name: GenreName
    reason: str = ""


def genre_of(document: Document) -> Genre:
    """What kind of text a document is, in time that grows with its length.

    Args:
        document: The document.

    Returns:
        The kind that its form makes plain, with the reason.
    """
    form = _Form(document)
    found = (genre for test in _TESTS if (genre := test(form)) is not None)
    return next(found, Genre("running text"))


class _Form:
    """What is counted of a document, each when it is first wanted."""

    def __init__(self, document: Document) -> None:
        self.document = document
        texts = [document.paragraph(index) for index in range(document.num_paragraphs)]
        self.texts = texts
        self.words = np.array([count_words(text) for text in texts], np.int64)
        self.total = max(1, int(self.words.sum()))
        self.is_whole = np.array([bool(SENTENCE_END.search(text[-9:])) for text in texts], bool)
        self.is_running = np.isin(document.kinds, RUNNING_TEXT)

    def words_of(self, *kinds: Kind) -> int:
        """How many words stand in paragraphs of some kinds."""
        return int(self.words[np.isin(self.document.kinds, kinds)].sum())

    def of_kind(self, *kinds: Kind) -> list[str]:
        """The beginnings of the paragraphs of some kinds."""
        found = np.flatnonzero(np.isin(self.document.kinds, kinds))
        return [self.texts[index][:_PIECE] for index in found]

    @cached_property
    def running(self) -> list[str]:
        """The beginnings of the paragraphs of running text."""
        return self.of_kind(*RUNNING_TEXT)

    @cached_property
    def units(self) -> list[str]:
        """Paragraphs of running text and rows of tables, their beginnings."""
        rows = [row[:_PIECE] for text in self.of_kind(Kind.TABLE) for row in text.split("\n")]
        return [*self.running, *rows]


def _thread(form: _Form) -> Genre | None:
    heads = sum(bool(MESSAGE.match(text)) for text in form.of_kind(Kind.BOILERPLATE))
    if heads < 2:
        return None
    return Genre("e-mail thread", f"It holds the heads of {format_count(heads)} messages.")


def _plain_minutes(form: _Form) -> Genre | None:
    return _minutes(form, fewest=3)


def _minutes(form: _Form, fewest: int = 2) -> Genre | None:
    opening = [form.document.title, *(text[:200] for text in form.texts[:_OPENING])]
    if not any(map(MINUTES.search, opening)):
        return None
    marks: dict[str, str] = {}
    for text in form.texts:
        for name, pattern in MINUTES_MARKS.items():
            if name not in marks and (match := pattern.match(text[:_PIECE])):
                marks[name] = match[0].strip(" :*")
    if len(marks) < fewest:
        return None
    named = ", ".join(f"“{mark}”" for mark in list(marks.values())[:3])
    return Genre("minutes", f"It records a meeting: it has {named}.")


def _transcript(form: _Form) -> Genre | None:
    document = form.document
    spoken = int(form.words[document.speakers >= 0].sum())
    if not document.speaker_names or spoken < _IN_TURNS * form.total:
        return None
    share = format_share(spoken, form.total)
    speakers = format_quantity(len(document.speaker_names), "speaker")
    return Genre("transcript", f"{share} of its words are turns of {speakers}.")


def _slides(form: _Form) -> Genre | None:
    document, pages = form.document, form.document.reading.pages
    told = (
        f"It has {format_count(pages)} pages with {form.total // max(1, pages)} words on average."
    )
    if document.source.format == "pptx" or SLIDES in document.reading.notes:
        where = format_quantity(pages, "slide") if pages else "slides"
        return Genre("slides", f"Its text stands on {where}.")
    if pages < _FEWEST_SLIDES or form.total > _WORDS_OF_SLIDE * pages:
        return None
    titles = document.starts[document.kinds == Kind.HEADING]
    titled = len({document.page_at(int(start)) for start in titles})
    return Genre("slides", told) if titled >= _TITLED * pages else None


def _code(form: _Form) -> Genre | None:
    words = form.words_of(Kind.CODE)
    if words < _IN_CODE * form.total:
        return None
    return Genre("code", f"{format_share(words, form.total)} of its words are code.")


def _table(form: _Form) -> Genre | None:
    words = form.words_of(Kind.TABLE)
    if words < _IN_TABLES * form.total:
        return None
    return Genre("table", f"{format_share(words, form.total)} of its words stand in tables.")


def _form(form: _Form) -> Genre | None:
    fields, count = sum(map(_is_field, form.units)), len(form.units)
    if count < _FEWEST_UNITS or fields < _LEAST_FIELDS * count:
        return None
    told = f"{format_count(fields)} of {format_count(count)} paragraphs and rows are fields"
    return Genre("form", f"{told} or choices.")


def _is_field(text: str) -> bool:
    if OPTIONS.search(text):
        return True
    return bool(FIELD.search(text)) and len(text.split()) <= _LONGEST_FIELD


def _template(form: _Form) -> Genre | None:
    counts = [sum(1 for _ in PLACEHOLDER.finditer(text)) for text in form.running]
    found, holders = sum(counts), sum(map(bool, counts))
    if holders < _FEWEST_PLACEHOLDERS or found < _OF_WORDS * form.total:
        return None
    return Genre("template", f"It has {format_count(found)} blanks and placeholders to fill in.")


def _fiction(form: _Form) -> Genre | None:
    count = len(form.running)
    if form.total < _SHORTEST_STORY or not count:
        return None
    spoken = sum(bool(DIALOGUE.search(text)) for text in form.running)
    numbers = sum(1 for text in form.running for _ in NUMBER.finditer(text))
    if spoken < _IN_DIALOGUE * count or numbers > _MOST_NUMBERS * form.total:
        return None
    return Genre("fiction", f"{format_share(spoken, count)} of its paragraphs hold dialogue.")


def _list(form: _Form) -> Genre | None:
    words, whole = form.words[form.is_running], form.is_whole[form.is_running]
    items, count = int((~whole & (words <= _SHORT)).sum()), len(words)
    if count < _FEWEST_UNITS or items < _LEAST_ITEMS * count:
        return None
    if words[whole & (words > 3)].sum() > _IN_SENTENCES * words.sum():
        return None
    told = f"{format_count(items)} of its {format_count(count)} paragraphs"
    return Genre("list", f"{told} are items or lines that are no whole sentences.")


_TESTS: tuple[Callable[[_Form], Genre | None], ...] = (
    *(_thread, _plain_minutes, _transcript, _slides, _code, _form, _table),
    *(_template, _minutes, _fiction, _list),
)
