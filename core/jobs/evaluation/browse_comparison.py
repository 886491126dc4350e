"""Shows what is in a comparison: its scores, then its documents one by one.

These jobs run in a warm process beside the window: evidence is looked for only in the document
that is read.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from core.documents.document import Document, count_words
from core.errors import EpitomeError
from core.events import Event, Finished, Started
from core.runs.comparisons import (
    ComparedTexts,
    OpenedComparison,
    open_comparison,
    read_texts,
)
from core.stop import StopToken
from core.summaries.summary import Doubt

if TYPE_CHECKING:
    from core.evaluation.support import Support
    from core.evaluation.text_marks import Words

Span = tuple[int, int]
Lighting = Literal["3", "4", "longest", "difference"]
SOURCE, REFERENCE = -2, -1
"""What outputs are compared with beside one another: the document, or its reference."""
_SIZES: dict[Lighting, int] = {"3": 3, "4": 4}


@dataclass(frozen=True)
class OpenComparisonJob:
    """Opens a comparison.

    Args:
        folder: Where it lies.
    """

    folder: Path

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with an `OpenedComparison`."""
        yield Started("Opening a comparison")
        found: OpenedComparison = open_comparison(self.folder)
        yield Finished(found)


@dataclass(frozen=True)
class ComparedSentence:
    """A sentence of a summary and its evidence.

    Args:
        start: Its first code point in the summary.
        end: One past its last.
        evidence: The sentences of the document that support it; empty if it is unsupported.
    """

    start: int
    end: int
    evidence: tuple[Span, ...]


@dataclass(frozen=True)
class ComparedSummary:
    """A summary with all that can be marked in it.

    Args:
        text: The summary.
        words: How many words it has.
        sentences: Its sentences; empty where there is no document.
        shared: For each lighting, what it shares with the text it is compared with; for
            "difference", what that text lacks.
        novel: Words that are not in the document.
        doubts: Names, numbers, units, dates and negations that the document does not support.
    """

    text: str
    words: int
    sentences: tuple[ComparedSentence, ...] = ()
    shared: dict[Lighting, tuple[Span, ...]] = field(default_factory=dict)
    novel: tuple[Span, ...] = ()
    doubts: tuple[Doubt, ...] = ()

    @property
    def unsupported(self) -> int:
        """How many of its sentences have no evidence."""
        return sum(not sentence.evidence for sentence in self.sentences)


@dataclass(frozen=True, eq=False)
class ComparedDocument:
    """A document with its summaries.

    Args:
        number: Which document of the comparison.
        against: What the summaries are compared with: `SOURCE`, `REFERENCE` or a system.
        document: The document; None where the comparison has none.
        reference: Its reference; None where there is none.
        outputs: The summary of each system.
    """

    number: int
    against: int
    document: Document | None
    reference: ComparedSummary | None
    outputs: tuple[ComparedSummary, ...]


@dataclass(frozen=True)
class CompareDocumentJob:
    """Finds evidence and shared words of the summaries of one document.

    Args:
        folder: The comparison.
        number: Which document.
        against: What the summaries are compared with: `SOURCE`, `REFERENCE` or a system.
    """

    folder: Path
    number: int
    against: int = REFERENCE

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with a `ComparedDocument`."""
        from core.documents.guessing import guess_language
        from core.documents.plain import first_line, plain_document
        from core.evaluation.text_marks import Words

        yield Started("Reading a document")
        texts = read_texts(self.folder, self.number)
        stop.raise_if_set()
        document = None
        if texts.document:
            title, language = first_line(texts.document), guess_language(texts.document)
            document = plain_document(texts.document, title, title, language)
        source = Words(texts.document)
        other = _Other(Words(self._other(texts)), is_source=self.against == SOURCE)
        made = []
        for at, text in enumerate((texts.reference, *texts.outputs), REFERENCE):
            # The text the others are compared with is marked where any of them shares it.
            lit = _shared_by_any(text, texts) if at == self.against else other.shared(Words(text))
            made.append(_summary(text, texts.document, source, lit))
            stop.raise_if_set()
        reference = made[0] if texts.reference else None
        yield Finished(
            ComparedDocument(self.number, self.against, document, reference, tuple(made[1:]))
        )

    def _other(self, texts: ComparedTexts) -> str:
        if self.against == SOURCE:
            return texts.document
        if self.against == REFERENCE:
            return texts.reference
        if self.against >= len(texts.outputs):
            raise EpitomeError("There is no such summary.", "Choose another one to compare with.")
        return texts.outputs[self.against]


@dataclass(frozen=True)
class _Other:
    """What summaries are compared with.

    Args:
        words: Its words.
        is_source: Whether it is the document, which is too long to be aligned.
    """

    words: "Words"
    is_source: bool

    @cached_property
    def _runs(self) -> dict[Lighting, set[tuple[str, ...]]]:
        return {name: set(self.words.runs(size)) for name, size in _SIZES.items()}

    def shared(self, words: "Words") -> dict[Lighting, tuple[Span, ...]]:
        """What a summary shares with it, for each lighting."""
        from core.evaluation.text_marks import differences, longest_run, novel_words, shared_runs

        found: dict[Lighting, tuple[Span, ...]] = {
            name: shared_runs(words, self._runs[name], size) for name, size in _SIZES.items()
        }
        lacking = novel_words if self.is_source else differences
        return found | {
            "longest": longest_run(words, self.words),
            "difference": lacking(words, self.words),
        }


def _shared_by_any(text: str, texts: ComparedTexts) -> dict[Lighting, tuple[Span, ...]]:
    """What a text shares with any of the others."""
    from core.evaluation.text_marks import Words, shared_runs

    others = [Words(each) for each in (texts.reference, *texts.outputs) if each != text]
    found: dict[Lighting, tuple[Span, ...]] = {}
    for name, size in _SIZES.items():
        known = {run for other in others for run in other.runs(size)}
        found[name] = shared_runs(Words(text), known, size)
    return found | {"longest": (), "difference": ()}


def _summary(
    text: str, document: str, source: "Words", shared: dict[Lighting, tuple[Span, ...]]
) -> ComparedSummary:
    from core.evaluation.text_marks import Words, novel_words

    if not document:
        return ComparedSummary(text, count_words(text), shared=shared)
    sentences, doubts = _checked(text, document)
    novel = novel_words(Words(text), source)
    return ComparedSummary(text, count_words(text), sentences, shared, novel, doubts)


def _checked(text: str, document: str) -> tuple[tuple[ComparedSentence, ...], tuple[Doubt, ...]]:
    from core.evaluation.support import sentences_of

    support = _support()
    finder = support.finder(document)
    sentences, doubts = [], []
    for start, end in sentences_of(text, support.language):
        checked = finder.checked(text[start:end])
        evidence = tuple((found.start, found.end) for found in checked.evidence)
        sentences.append(ComparedSentence(start, end, evidence))
        places = _places(text, start, end)
        doubts += [
            replace(doubt, start=places[doubt.start], end=places[doubt.end - 1] + 1)
            for doubt in checked.doubts
        ]
    return tuple(sentences), tuple(doubts)


def _places(text: str, start: int, end: int) -> list[int]:
    """Where the code points of a sentence stand that has a single space between its words."""
    places: list[int] = []
    for match in re.finditer(r"\S+", text[start:end]):
        if places:
            places.append(start + match.start() - 1)
        places += range(start + match.start(), start + match.end())
    return places


@lru_cache(maxsize=1)
def _support() -> "Support":
    """Keeps the document that was looked at last."""
    from core.evaluation.support import Support

    return Support()
