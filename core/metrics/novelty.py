"""How much of a summary is copied from its document, and how much is new.

Source: Grusky et al. (2018), Newsroom, section 4: extractive fragments, coverage, density and
compression; See et al. (2017) for the share of novel n-grams.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.version import VERSION

SIZES = (1, 2, 3, 4)
_WORDS = re.compile(r"\w+|[^\w\s]").findall


@dataclass(frozen=True)
class Novelty:
    """What a summary takes from its document, over words and punctuation marks.

    Args:
        novel: For n = 1 to 4, the share of the summary's n-grams that are not in the document, from
            0 to 1; 0 if the summary has no n-gram.
        coverage: Share of the summary's words that are in extractive fragments.
        density: Mean length of the fragment that a word of the summary belongs to.
        compression: Words of the document per word of the summary; all if the summary is empty.
    """

    novel: tuple[float, float, float, float]
    coverage: float
    density: float
    compression: float


def novelty(summary: str, document: str) -> Novelty:
    """Compares a summary with its document."""
    words, source = _WORDS(summary.lower()), _WORDS(document.lower())
    lengths = [len(fragment) for fragment in fragments(words, source)]
    one, two, three, four = (_share_of_novel(words, source, size) for size in SIZES)
    num_words = max(len(words), 1)
    return Novelty(
        novel=(one, two, three, four),
        coverage=sum(lengths) / num_words,
        density=sum(length**2 for length in lengths) / num_words,
        compression=len(source) / num_words,
    )


def fragments(summary: Sequence[str], document: Sequence[str]) -> Iterator[Sequence[str]]:
    """The extractive fragments: longest word sequences shared with the document, found greedily.

    Args:
        summary: Its words.
        document: The document's words.

    Yields:
        Each fragment; ties consist of the same words.
    """
    places: dict[str, list[int]] = {}
    for index, word in enumerate(document):
        places.setdefault(word, []).append(index)
    start = 0
    while start < len(summary):
        length = 0
        for place in places.get(summary[start], ()):
            if summary[start : start + length + 1] == document[place : place + length + 1]:
                length = _run_length(summary, start, document, place)
        if length:
            yield summary[start : start + length]
        start += max(length, 1)


def recipe() -> str:
    """How the numbers are computed, to be reported with them."""
    return (
        f"Epitome {VERSION}, after Grusky et al. (2018): words and punctuation marks in lower case"
    )


def _run_length(summary: Sequence[str], start: int, document: Sequence[str], place: int) -> int:
    longest = min(len(summary) - start, len(document) - place)
    for length in range(longest):
        if summary[start + length] != document[place + length]:
            return length
    return longest


def _share_of_novel(summary: Sequence[str], document: Sequence[str], size: int) -> float:
    known = set(_runs(document, size))
    are_novel = [run not in known for run in _runs(summary, size)]
    return sum(are_novel) / max(len(are_novel), 1)


def _runs(words: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    return zip(*(words[start:] for start in range(size)), strict=False)
