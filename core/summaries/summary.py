"""A summary: its sentences, the evidence for each, and what was read to make it."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Literal, Protocol, Self

from pydantic import AfterValidator

from core.documents.document import Document, Reading, Source, count_words
from core.documents.languages import AUTO, languages
from core.summaries.length import Length as Length
from core.summaries.length import LengthText as LengthText
from core.summaries.length import LengthUnit as LengthUnit


def _language_code(code: str) -> str:
    if code != AUTO and code not in languages():
        known = ", ".join(f"{known} ({language.name})" for known, language in languages().items())
        raise ValueError(f"“{code}” is no language; {AUTO} is allowed, and {known}.")
    return code


LanguageCode = Annotated[str, AfterValidator(_language_code)]
"""A language as settings hold it: "de", or `AUTO` for the one that the text tells."""


class Quotable(Protocol):
    """What exports need of the document that a summary was made of: its facts and its quotations.

    A `Document` is one, and so is the `core.export.excerpt.Excerpt` of a document that was let go.
    """

    @property
    def title(self) -> str:
        """Its title."""
        ...

    @property
    def source(self) -> Source:
        """Where it came from."""
        ...

    @property
    def reading(self) -> Reading:
        """What was read of it."""
        ...

    def passage(self, start: int, end: int) -> str:
        """The text between two offsets."""
        ...


@dataclass(frozen=True)
class Evidence:
    """A sentence of the source that supports a sentence of the summary.

    Args:
        start: Its first code point in the document's text.
        end: One past its last code point.
        sentence: Its index over all sentences of the document, from 0.
        page: Its page number from 1; 0 when the source has no pages.
        paragraph: The label of its paragraph ("[0031]", or its count from 1).
        speaker: Who says it; empty where nobody does.
    """

    start: int
    end: int
    sentence: int
    page: int
    paragraph: str
    speaker: str = ""

    @classmethod
    def at(cls, document: Document, sentence: int, start: int, end: int) -> Self:
        """The evidence that a sentence of the source is.

        Args:
            document: The document.
            sentence: Its index over all sentences.
            start: Its first code point.
            end: One past its last.

        Returns:
            The evidence, with its page, its paragraph and who speaks there.
        """
        at = document.paragraph_at(start)
        page, label, speaker = document.page_at(start), document.label(at), document.speaker(at)
        return cls(start, end, sentence, page, label, speaker)


_LONGEST_QUESTION = 40
"""A question of more words is not shown before its answer."""
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
        trimmed: Whether something was taken off that only joins it to its place (a leading
            "However,", a list mark, a reference); the evidence has the whole sentence.
        spelt_out: Whether an abbreviation was spelt out in it, in square brackets.
        question: The question of somebody else that it answers, on one line; empty if there is
            none, if it is in the summary itself, or if the sentence before answers it too.
        leans: Whether it is understood only after the sentence of the summary that it follows.
    """

    text: str
    evidence: tuple[Evidence, ...]
    score: float | None = None
    pinned: bool = False
    doubts: tuple[Doubt, ...] = ()
    trimmed: bool = False
    spelt_out: bool = False
    question: str = ""
    leans: bool = False

    @property
    def speaker(self) -> str:
        """Who says it: the one speaker of all its evidence, or empty."""
        speakers = {item.speaker for item in self.evidence}
        return speakers.pop() if len(speakers) == 1 else ""

    @property
    def voice(self) -> str:
        """Who says it, and in answer to what: "Ms. Ito, asked “What changed?”"; or empty."""
        question = self.question if count_words(self.question) <= _LONGEST_QUESTION else ""
        asked = f"asked “{question}”" if question else ""
        if not self.speaker:
            return asked[:1].upper() + asked[1:]
        return ", ".join(part for part in (self.speaker, asked) if part)

    @property
    def prefix(self) -> str:
        """What is shown before its words: "Mr. Dreeben: ", or nothing; it is not counted."""
        return f"{self.voice}: " if self.voice else ""

    @property
    def spoken(self) -> str:
        """Its words, and before them who says them."""
        return self.prefix + self.text


@dataclass(frozen=True)
class Edits:
    """What a person took out of a summary by hand; what was pinned, its sentences say.

    Args:
        dropped: Sentences of the source that were dropped.
        replaced: Sentences of the source that were replaced by the next best ones.
    """

    dropped: tuple[Evidence, ...] = ()
    replaced: tuple[Evidence, ...] = ()


@dataclass(frozen=True)
class OutlineEntry:
    """A heading.

    Args:
        level: Its level, from 1.
        title: What it says, on one line.
        start: Its first code point in the document.
        text: The first good sentence between it and the next heading, on one line; empty if there
            is none.
        text_start: The first code point of that sentence; -1 if there is none.
    """

    level: int
    title: str
    start: int
    text: str = ""
    text_start: int = -1


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
        edits: What a person took out of it by hand.
    """

    title: str
    source: Source
    sentences: tuple[SummarySentence, ...]
    length: Length
    read: Reading
    notes: tuple[str, ...] = ()
    model: str = "built-in"
    seconds: float = 0.0
    edits: Edits = field(default_factory=Edits)

    @cached_property
    def words(self) -> int:
        """How many words the summary has; names of speakers do not count."""
        return sum(count_words(sentence.text) for sentence in self.sentences)

    @property
    def text(self) -> str:
        """The sentences as one paragraph."""
        return " ".join(sentence.text for sentence in self.sentences)
