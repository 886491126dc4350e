"""Where the sentences of a document begin and end.

Letters: S sentences.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from core.documents.boundaries import find_ends
from core.documents.document import RUNNING_TEXT, Document, Kind
from core.documents.stop_rules import stop_rules
from core.events import Progress, Steps
from core.stop import StopToken

Span = tuple[int, int]

LONGEST = 2000  # code points; a longer sentence is cut where lines or half-sentences end
_LONGEST_UNCUT = 20_000  # what is longer still has no such ends, and is cut at spaces or anywhere
_NUM_PROGRESS = 100
_SPLIT_KINDS = frozenset((*RUNNING_TEXT, Kind.FOOTNOTE, Kind.BOILERPLATE, Kind.INTERJECTION))
_LINE_END = re.compile(r"\n")
_HALF_END = re.compile(r"[;；؛]")


@dataclass(frozen=True, eq=False)
class Sentences:
    """The sentences of a document, in its order; headings and table rows are sentences too.

    Args:
        starts: [S] int64, first code point of each.
        ends: [S] int64, one past the last; white space around a sentence belongs to none.
        paragraphs: [S] int32, the paragraph each lies in.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    paragraphs: NDArray[np.int32]

    @classmethod
    def from_spans(cls, spans: Iterable[tuple[int, int, int]]) -> Self:
        """Makes the arrays.

        Args:
            spans: (start, end, paragraph) of each sentence, ascending.

        Returns:
            The sentences.
        """
        table = np.array(list(spans), np.int64).reshape(-1, 3)
        return cls(table[:, 0].copy(), table[:, 1].copy(), table[:, 2].astype(np.int32))

    def __len__(self) -> int:
        return len(self.starts)

    def texts(self, text: str) -> list[str]:
        """[S] the sentences themselves, out of the text that was split."""
        spans = zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        return [text[start:end] for start, end in spans]


def split_paragraph(text: str, language: str = "") -> list[Span]:
    """The sentences of running text.

    Args:
        text: One paragraph of any script; line breaks in it count as white space.
        language: The code of its language; empty where it is not known.

    Returns:
        Half-open spans, ascending and disjoint, without the white space around them; every
        other character lies in one. A sentence longer than `LONGEST` is cut at its line ends,
        and where that does not help at its semicolons.
    """
    ends = find_ends(text, stop_rules(language))
    return list(_shortened(text, _spans(text, 0, len(text), ends)))


def split_document(document: Document, stop: StopToken) -> Steps[Sentences]:
    """The sentences of a document, paragraph by paragraph.

    A heading, a caption, a block of code, an entry of a list of references and a row of a table
    are one sentence each. What names the speaker of a turn is part of no sentence, but where it
    stands alone.

    Args:
        document: What was read; its language says what full stops mean.
        stop: Asked before every paragraph.

    Yields:
        How many paragraphs are done, about a hundred times.

    Returns:
        The sentences, their spans in `document.text`.
    """
    found: list[tuple[int, int, int]] = []
    total, language = document.num_paragraphs, document.reading.language
    every = max(1, -(-total // _NUM_PROGRESS))
    for index in range(total):
        stop.raise_if_set()
        if index % every == 0:
            yield Progress(index, total, "paragraphs", "Splitting")
        text, label = document.paragraph(index), int(document.label_lengths[index])
        label = label if label < len(text) else 0
        offset = int(document.starts[index]) + label
        spans = _split_as(Kind(document.kinds[index]), text[label:], language)
        found.extend((offset + start, offset + end, index) for start, end in spans)
    return Sentences.from_spans(found)


def split_lines(text: str) -> Sentences:
    """Takes each line that is not blank as one sentence and one paragraph.

    Args:
        text: The text, its lines ended by line feeds.

    Returns:
        The sentences; their paragraphs are counted from 0.
    """
    spans = _spans(text, 0, len(text), (match.start() for match in _LINE_END.finditer(text)))
    return Sentences.from_spans((start, end, index) for index, (start, end) in enumerate(spans))


def _split_as(kind: Kind, text: str, language: str) -> Iterable[Span]:
    if kind in _SPLIT_KINDS:
        return split_paragraph(text, language)
    whole = _spans(text, 0, len(text), ())
    if kind is not Kind.TABLE:
        return _shortened(text, whole)
    return (part for row in _cut(text, whole, _LINE_END) for part in _chopped(text, row))


def _spans(text: str, start: int, end: int, ends: Iterable[int]) -> Iterator[Span]:
    """Cuts text[start:end] at `ends`; pieces lose the white space around them, empty ones drop."""
    for cut in (*ends, end):
        piece = text[start:cut]
        bare = piece.lstrip()
        if bare:
            first = cut - len(bare)
            yield first, first + len(bare.rstrip())
        start = cut


def _shortened(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    for span in spans:
        if span[1] - span[0] <= LONGEST:
            yield span
            continue
        for line in _cut(text, (span,), _LINE_END):
            parts = _cut(text, (line,), _HALF_END) if line[1] - line[0] > LONGEST else (line,)
            for part in parts:
                yield from _chopped(text, part)


def _chopped(text: str, span: Span) -> Iterator[Span]:
    """Pieces of a sentence without any end, cut at spaces where there are any."""
    start, end = span
    while end - start > _LONGEST_UNCUT:
        space = text.rfind(" ", start + LONGEST // 2, start + LONGEST)
        cut = start + LONGEST if space < 0 else space
        yield from _spans(text, start, cut, ())
        start = cut
    yield from _spans(text, start, end, ())


def _cut(text: str, spans: Iterable[Span], pattern: re.Pattern[str]) -> Iterator[Span]:
    for start, end in spans:
        cuts = (match.end() for match in pattern.finditer(text, start, end))
        yield from _spans(text, start, end, cuts)
