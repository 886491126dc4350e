"""Documents with gap sentences, as rows of a corpus.

Letters: S sentences, G gap sentences.
"""

import re
from dataclasses import dataclass

from core.documents.sentences import Span, split_paragraph
from core.events import result_of
from core.gsg.masking import gap_pair
from core.gsg.selection import select
from core.gsg.settings import GapPairSettings
from core.gsg.tokens import tokenise
from core.stop import StopToken

_PARAGRAPH_BREAK = re.compile(r"\n[^\S\n]*\n\s*")


@dataclass(frozen=True)
class GapRow:
    """A document, split at its gap sentences.

    Args:
        pieces: [G + 1] the text before, between and after the gap sentences.
        gaps: [G] the gap sentences, each with the spaces before it, but without line breaks.
        stays: [G] whether each also stays in the input.
    """

    pieces: list[str]
    gaps: list[str]
    stays: list[bool]

    @property
    def summary(self) -> str:
        """The gap sentences as one text."""
        return "".join(summary_parts(self.gaps))


def summary_parts(gaps: list[str]) -> list[str]:
    """[G] the gap sentences as they follow each other in the target text."""
    return [f"{' ' if number else ''}{gap.strip()}" for number, gap in enumerate(gaps)]


def sentence_spans(text: str) -> list[Span]:
    """Half-open spans of the sentences of a text with blank lines between paragraphs."""
    spans: list[Span] = []
    start = 0
    for end in (*(match.start() for match in _PARAGRAPH_BREAK.finditer(text)), len(text)):
        spans += [(start + a, start + b) for a, b in split_paragraph(text[start:end])]
        start = end
    return spans


def gap_row(text: str, settings: GapPairSettings, document: int) -> GapRow | None:
    """Selects the gap sentences of a document.

    Args:
        text: The document.
        settings: How they are selected, and what replaces them in the input.
        document: Its number, which seeds its random numbers.

    Returns:
        The row; None if fewer than two sentences have words.
    """
    spans = sentence_spans(text)
    stop = StopToken()
    texts = [text[start:end] for start, end in spans]
    tokens = result_of(tokenise(texts, stop, settings.tokenizer, settings.stem))
    selection = result_of(select(tokens, settings, stop, document))
    if not selection.picked:
        return None
    # Sentences are represented by numbers, since a sentence may contain the mask token itself.
    names = [str(number) for number in range(len(spans))]
    kept = set(gap_pair(names, selection, settings, document).input)
    picked = selection.in_document_order
    stays = [names[number] in kept for number in picked]
    return cut_row(text, [spans[number] for number in picked], stays, settings.masking)


def cut_row(text: str, spans: list[Span], stays: list[bool], masking: str) -> GapRow:
    """The row of a document whose gap sentences are known.

    Args:
        text: The document.
        spans: [G] where its gap sentences stand, ascending.
        stays: [G] whether each also stays in the input.
        masking: What stands for those that do not, as in `GapPairSettings`.

    Returns:
        The row.
    """
    row = GapRow(*_cut(text, spans), stays)
    if masking == "remove":
        _close(row)
    return row


def _cut(text: str, spans: list[Span]) -> tuple[list[str], list[str]]:
    """Splits a text at its gap sentences: spaces before one go with it, line breaks do not."""
    pieces, gaps = [], []
    last = 0
    for start, end in spans:
        before = text[last:start]
        bare = before.rstrip()
        if "\n" not in before[len(bare) :]:
            start = last + len(bare)
        pieces.append(text[last:start])
        gaps.append(text[start:end])
        last = end
    return [*pieces, text[last:]], gaps


def _close(row: GapRow) -> None:
    """Removes the double white space that a removed sentence leaves."""
    end = ""
    for number, stays in enumerate(row.stays):
        end = (row.pieces[number] or end)[-1:]
        if stays:
            end = row.gaps[number][-1:]
        elif not end or end.isspace():
            row.pieces[number + 1] = row.pieces[number + 1].lstrip()
