"""ROUGE: text in, numbers out.

The numbers are those of `rouge_score`, the field's reference, which the tests hold them against;
they come much quicker. ROUGE-W, which `rouge_score` has not, is that of Lin (2004).
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import TypeVar

from core.errors import EpitomeError
from core.metrics.subsequences import common_length, weighted_common_length, words_in_union
from core.metrics.words import Words
from core.version import VERSION

TYPES = ("1", "2", "3", "4", "L", "Lsum", "W")
WEIGHT = 1.2
"""That of ROUGE-W: a run of k words counts as k to this power."""

REFERENCE = "rouge-score 0.1.2"
"""The program whose numbers these are."""

T = TypeVar("T")
Lines = list[list[int]]


@dataclass(frozen=True)
class RougeScore:
    """What two texts share: each from 0 to 1.

    Args:
        precision: Share of the prediction that stands in the reference.
        recall: Share of the reference that stands in the prediction.
        f1: Their harmonic mean.
    """

    precision: float
    recall: float
    f1: float


class Rouge:
    """Scores one pair of texts after the other.

    Args:
        types: Which of `TYPES`: words (1), runs of 2 to 4 words, the longest common subsequence
            of the whole (L) or sentence by sentence (Lsum), or one in which words in a row count
            for more (W).
        stem: Whether words of more than three letters are compared by their Porter stem.

    Raises:
        EpitomeError: If a type is none of `TYPES`.
    """

    def __init__(self, types: Collection[str], *, stem: bool = False) -> None:
        for name in types:
            if name not in TYPES:
                raise EpitomeError(
                    f"“{name}” is no kind of ROUGE; {', '.join(TYPES)} are.", "Choose one of these."
                )
        self.types = tuple(types)
        self._words = Words(stem=stem)

    def score(self, prediction: str, reference: str) -> dict[str, RougeScore]:
        """Scores a text against the one that it should be.

        Args:
            prediction: The text to judge. For Lsum each of its lines is a sentence.
            reference: What it is held against, in the same form.

        Returns:
            The scores by type.
        """
        found, wanted = self._lines(prediction), self._lines(reference)
        return {name: _score(name, found, wanted) for name in self.types}

    def _lines(self, text: str) -> Lines:
        return [self._words.of(line) for line in text.split("\n")]


def rouge(
    prediction: str,
    reference: str,
    types: Collection[str] = ("1", "2", "L"),
    *,
    stem: bool = False,
) -> dict[str, RougeScore]:
    """ROUGE of a text against the one that it should be; arguments and result as of `Rouge`."""
    return _scorer(tuple(types), stem).score(prediction, reference)


def recipe(*, stem: bool = False) -> str:
    """How the scores are made, to stand beside them: "Epitome 0.1.0, as rouge-score 0.1.2, …".

    Args:
        stem: As it was given to `rouge`.

    Returns:
        Program and version, words and stemming.
    """
    stems = "Porter stemming of words over three letters" if stem else "no stemming"
    return (
        f"Epitome {VERSION}, as {REFERENCE}: its tokenizer (lower case, sequences of a–z and 0–9), "
        f"{stems}; Lsum over the lines of a text; W by Lin (2004), weight {WEIGHT}"
    )


@cache
def _scorer(types: tuple[str, ...], stem: bool) -> Rouge:
    return Rouge(types, stem=stem)


def _score(name: str, found: Lines, wanted: Lines) -> RougeScore:
    if name == "Lsum":
        return _by_sentence(found, wanted)
    prediction, reference = list(chain(*found)), list(chain(*wanted))
    if name == "L":
        hits = common_length(reference, prediction)
        return _shares(hits, len(prediction), len(reference))
    if name == "W":
        return _weighted(prediction, reference)
    size = int(name)
    hits = _overlap(_runs(prediction, size), _runs(reference, size))
    return _shares(hits, len(prediction) - size + 1, len(reference) - size + 1)


def _by_sentence(found: Lines, wanted: Lines) -> RougeScore:
    """Each word of the prediction counts once, in however many subsequences it stands."""
    prediction = Counter(chain(*found))
    hits = Counter(chain(*(words_in_union(sentence, found) for sentence in wanted)))
    return _shares(_overlap(hits, prediction), prediction.total(), sum(map(len, wanted)))


def _weighted(prediction: Sequence[int], reference: Sequence[int]) -> RougeScore:
    if not prediction or not reference:
        return RougeScore(0.0, 0.0, 0.0)
    score = weighted_common_length(reference, prediction, WEIGHT)
    length = score ** (1 / WEIGHT)  # the run of words in a row that would score as much
    return _shares(length, len(prediction), len(reference))


def _runs(words: Sequence[int], size: int) -> Counter[tuple[int, ...]]:
    return Counter(zip(*(words[start:] for start in range(size)), strict=False))


def _overlap(first: Counter[T], second: Counter[T]) -> int:
    return sum(min(first[key], second[key]) for key in first.keys() & second.keys())


def _shares(hits: float, num_found: int, num_wanted: int) -> RougeScore:
    precision, recall = hits / max(num_found, 1), hits / max(num_wanted, 1)
    both = precision + recall
    return RougeScore(precision, recall, 2 * precision * recall / both if both else 0.0)
