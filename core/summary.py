"""A summary: its sentences, the evidence for each, and what was read to make it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal, Self

from pydantic import AfterValidator

from core.documents.document import Document, LeftOut, Reading, Source, count_words
from core.documents.languages import AUTO, language_of, languages
from core.errors import EpitomeError

THIN_SPACE = "\u202f"
"""Stands in thousands and before a unit or %, and never at the end of a line."""

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


def format_count(number: int) -> str:
    """A whole number as a person reads it: thin no-break spaces in thousands."""
    return f"{number:,}".replace(",", THIN_SPACE)


def format_quantity(number: int, one: str, many: str = "") -> str:
    """A number and what it counts: "1 page", "30 pages"."""
    return f"{format_count(number)} {one if number == 1 else many or one + 's'}"


def format_share(part: float, whole: float) -> str:
    """A share in percent: one decimal below 10, none above."""
    percent = 100 * part / whole if whole else 0.0
    if 0 < percent < 0.05:
        return f"under 0.1{THIN_SPACE}%"
    digits = f"{percent:.1f}".removesuffix(".0") if percent < 9.95 else f"{percent:.0f}"
    return f"{digits}{THIN_SPACE}%"


def format_seconds(seconds: float) -> str:
    """A time as a person says it: "0.4 s", "12 s", "2 min 10 s", "2 h 10 min"."""
    if seconds < 0.05:
        return f"Under 0.1{THIN_SPACE}s"
    if seconds < 9.95:
        return f"{seconds:.1f}{THIN_SPACE}s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole}{THIN_SPACE}s"
    large, small, units = (
        (whole // 60, whole % 60, ("min", "s"))
        if whole < 3600
        else (whole // 3600, whole % 3600 // 60, ("h", "min"))
    )
    return f"{large}{THIN_SPACE}{units[0]} {small}{THIN_SPACE}{units[1]}"


def format_pages(pages: tuple[int, ...]) -> str:
    """Page numbers as a person writes them: "page 3", "pages 3–5, 9"."""
    runs: list[list[int]] = []
    for page in sorted(set(pages)):
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    parts = [str(first) if first == last else f"{first}–{last}" for first, last in runs]
    return f"{'page' if len(set(pages)) == 1 else 'pages'} {', '.join(parts)}"


def describe_left_out(item: LeftOut) -> str:
    """What is missing, how much of it and why, as a clause without a full stop."""
    amounts = [format_quantity(item.words, "word")] if item.words else []
    if item.pages:
        amounts.append(format_pages(item.pages))
    amount = f" ({', '.join(amounts)})" if amounts else ""
    return f"{item.what}{amount}, as {item.why}"


def describe_doubt(sentence: SummarySentence, doubt: Doubt) -> str:
    """What is doubtful in a summary sentence, as a sentence of its own."""
    words = f"“{sentence.text[doubt.start : doubt.end]}”"
    if doubt.kind == "negation":
        return f"The source seems to say this without {words}."
    if doubt.kind == "unit":
        return f"The source gives the number in {words} with another unit."
    if doubt.elsewhere:
        return f"{words} is in the source, but in another context."
    return f"{words} is not in the source."


def reading_line(read: Reading) -> str:
    """How much of the source was read: "Read all 14 962 words (30 pages)."."""
    missed_words = sum(item.words for item in read.left_out if item.missed)
    words = format_quantity(read.words, "word")
    if read.complete:
        words = f"all {words}" if read.words != 1 else words
    elif missed_words:
        of_words = format_quantity(read.words + missed_words, "word")
        words = f"{format_count(read.words)} of {of_words}"
    if not read.of_pages:
        return f"Read {words}."
    pages = format_quantity(read.of_pages, "page")
    missed = {page for item in read.left_out if item.missed for page in item.pages}
    if missed and read.pages < read.of_pages:
        pages = f"{format_count(read.pages)} of {pages}"
    return f"Read {words} ({pages})."


def left_out_line(read: Reading) -> str:
    """What a reader of the summary may miss, and why; empty when that is nothing."""
    missed = [describe_left_out(item) for item in read.left_out if item.missed]
    return f"Left out: {'; '.join(missed)}." if missed else ""


def taken_out_line(read: Reading) -> str:
    """What was taken out of the text without loss, such as page numbers; or empty."""
    furniture = [item for item in read.left_out if not item.missed]
    names = ", ".join(dict.fromkeys(item.what for item in furniture))
    words = sum(item.words for item in furniture)
    amount = f" ({format_quantity(words, 'word')})" if words else ""
    return f"Taken out: {names}{amount}." if names else ""


def language_name(read: Reading) -> str:
    """The language of the text, and how it was found: "German (guessed)"."""
    name = language_of(read.language).name
    if not read.language:
        return name
    return f"{name} ({'guessed' if read.language_guessed else 'chosen'})"


def language_line(read: Reading) -> str:
    """The language of the text: "Language: German (guessed)."."""
    instead = "" if read.language else "; the rules for English were used"
    return f"Language: {language_name(read)}{instead}."


def size_line(summary: Summary) -> str:
    """How long a summary is: "9 sentences, 218 words, 1.5 % of the text."."""
    sentences = format_quantity(len(summary.sentences), "sentence")
    share = format_share(summary.words, summary.read.words)
    return f"{sentences}, {format_quantity(summary.words, 'word')}, {share} of the text."


def support_line(summary: Summary) -> str:
    """How much of a summary the source does not support; empty if it supports everything."""
    bare = sum(not one.evidence for one in summary.sentences)
    doubtful = sum(bool(one.evidence and one.doubts) for one in summary.sentences)
    parts = (
        (bare, "no support in the source"),
        (doubtful, "words that the source does not confirm"),
    )
    return " ".join(
        f"{format_quantity(number, 'sentence')} {'has' if number == 1 else 'have'} {what}."
        for number, what in parts
        if number
    )


def notes_of(summary: Summary) -> Iterator[str]:
    """What a reader should know about a summary: what was read first, then warnings."""
    read = summary.read
    first = (coverage_line(summary), language_line(read), support_line(summary))
    said = dict.fromkeys((*first, *read.notes, *summary.notes, taken_out_line(read)))
    yield from (note for note in said if note)


def coverage_line(summary: Summary, *, timed: bool = True) -> str:
    """The line above every summary: what was read, the size of the summary, what is missing.

    Args:
        summary: The summary.
        timed: Whether to include the time taken; reproducible files do not.

    Returns:
        "Read all 14 962 words (30 pages). 9 sentences, 218 words, 1.5 % of the text. 0.4 s.",
        and a further sentence when something is missing (then `Reading.complete` is false).
    """
    seconds = f"{format_seconds(summary.seconds)}." if timed and summary.seconds else ""
    parts = (reading_line(summary.read), size_line(summary), seconds, left_out_line(summary.read))
    return " ".join(part for part in parts if part)
