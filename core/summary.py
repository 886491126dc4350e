"""A summary: its sentences, the evidence for each, and what was read to make it."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal, Self

from pydantic import AfterValidator

from core.documents.document import Document, Reading, Source, count_words
from core.documents.languages import AUTO, languages
from core.errors import EpitomeError

LengthUnit = Literal["sentences", "words", "share"]
_SUFFIX: dict[str, LengthUnit] = {"s": "sentences", "w": "words", "%": "share"}


@dataclass(frozen=True)
class Length:
    """How long a summary is wished to be.

    Args:
        value: Sentences, words, or percent of the document's words; above 0.
        unit: What `value` counts.
    """

    value: float = 9
    unit: LengthUnit = "sentences"

    @classmethod
    def parse(cls, text: str) -> "Length":
        """Reads "5s", "120w" or "10%".

        Args:
            text: What the person wrote.

        Returns:
            The length.

        Raises:
            EpitomeError: If it is none of these forms, or not above 0 (a share: not up to 100).
        """
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([sw%])\s*", text)
        value = float(match[1]) if match else 0.0
        unit = _SUFFIX[match[2]] if match else "sentences"
        whole = value.is_integer()
        if not value or (unit == "share" and value > 100) or (unit != "share" and not whole):
            raise EpitomeError(
                f"The length “{text}” is not one: whole sentences (5s), whole words (120w) "
                "or a share up to 100 % (10%) are.",
                "Write it as 5s, 120w or 10%.",
            )
        return cls(value, unit)

    def __str__(self) -> str:
        suffix = next(mark for mark, unit in _SUFFIX.items() if unit == self.unit)
        value = float(self.value)
        return f"{int(value) if value.is_integer() else value}{suffix}"


def _length_text(text: str) -> str:
    try:
        return str(Length.parse(text))
    except EpitomeError as error:
        raise ValueError(error.message) from error  # what pydantic gathers


LengthText = Annotated[str, AfterValidator(_length_text)]
"""A length as settings hold it: "9s", "120w" or "10%"."""


def _language_code(code: str) -> str:
    if code != AUTO and code not in languages():
        known = ", ".join(f"{known} ({language.name})" for known, language in languages().items())
        raise ValueError(f"“{code}” is no language; {AUTO} is allowed, and {known}.")
    return code


LanguageCode = Annotated[str, AfterValidator(_language_code)]
"""A language as settings hold it: "de", or `AUTO` for the one that the text tells."""


@dataclass(frozen=True)
class Evidence:
    """A sentence of the source that supports a sentence of the summary.

    Args:
        start: Its first code point in the document's text.
        end: One past its last code point.
        sentence: Its index over all sentences of the document, from 0.
        page: Its page number from 1; 0 when the source has no pages.
        paragraph: The label of its paragraph ("[0031]", or its count from 1).
    """

    start: int
    end: int
    sentence: int
    page: int
    paragraph: str

    @classmethod
    def at(cls, document: Document, sentence: int, start: int, end: int) -> Self:
        """The evidence that a sentence of the source is.

        Args:
            document: The document.
            sentence: Its index over all sentences.
            start: Its first code point.
            end: One past its last.

        Returns:
            The evidence, with its page and paragraph.
        """
        page, paragraph = document.page_at(start), document.label(document.paragraph_at(start))
        return cls(start, end, sentence, page, paragraph)


DoubtKind = Literal["number", "unit", "date", "name", "negation"]


@dataclass(frozen=True)
class Doubt:
    """Words of a summary sentence that the source lacks, or has where it speaks of something else.

    Args:
        start: Their first code point in the sentence.
        end: One past their last.
        kind: What they are.
        elsewhere: Whether the source has them, but nowhere near what the sentence says.
    """

    start: int
    end: int
    kind: DoubtKind
    elsewhere: bool = False


@dataclass(frozen=True)
class SummarySentence:
    """One sentence of a summary.

    Args:
        text: The sentence, on one line.
        evidence: What supports it in the source; empty when nothing does.
        score: How well it stands for the document, higher is better; None when not scored.
        pinned: Whether the person asked for it to stay.
        doubts: What in it the source does not have, in its order; they do not overlap.
    """

    text: str
    evidence: tuple[Evidence, ...]
    score: float | None = None
    pinned: bool = False
    doubts: tuple[Doubt, ...] = ()


@dataclass(frozen=True)
class Summary:
    """A summary of one document.

    Args:
        title: The document's title.
        source: Where the document came from.
        sentences: Its sentences in the order of the document.
        length: The requested length.
        read: What was read of the source, and what was left out.
        notes: What the reader of the summary should know, one sentence each.
        model: What wrote it.
        seconds: How long reading and choosing took.
    """

    title: str
    source: Source
    sentences: tuple[SummarySentence, ...]
    length: Length
    read: Reading
    notes: tuple[str, ...] = ()
    model: str = "built-in"
    seconds: float = 0.0

    @cached_property
    def words(self) -> int:
        """How many words the summary has."""
        return sum(count_words(sentence.text) for sentence in self.sentences)

    @property
    def text(self) -> str:
        """The sentences as one paragraph."""
        return " ".join(sentence.text for sentence in self.sentences)
