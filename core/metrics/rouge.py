"""ROUGE.

The scores are those of `rouge_score`, the reference implementation, as the tests check, but
computed much faster. ROUGE-W, which `rouge_score` does not have, follows Lin (2004).
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import TypeVar

from core.documents.words import Tokenizer
from core.errors import EpitomeError
from core.metrics.subsequences import common_length, weighted_common_length, words_in_union
from core.metrics.words import Words, choose_tokenizer
from core.version import VERSION

TYPES = ("1", "2", "3", "4", "L", "Lsum", "W")
WEIGHT = 1.2
"""The weight of ROUGE-W: k consecutive words count as k to this power."""

REFERENCE = "rouge-score 0.1.2"
"""The reference implementation."""

T = TypeVar("T")
Lines = list[list[int]]


@dataclass(frozen=True)
class RougeScore:
    """Precision, recall and F1, each from 0 to 1.

    Args:
        precision: Share of the prediction that is in the reference.
        recall: Share of the reference that is in the prediction.
        f1: Their harmonic mean.
    """

    precision: float
    recall: float
    f1: float


class Rouge:
    """Scores pairs of texts.

    Args:
        types: Some of `TYPES`: n-grams (1 to 4), the longest common subsequence of the whole text
            (L) or by sentence (Lsum), or weighted for consecutive words (W).
        tokenizer: What a word is: as `rouge_score` has it, or in any script.
        stem: Whether English words of more than three letters are compared by their Porter stem.

    Raises:
        EpitomeError: If a type is not in `TYPES`.
    """

    def __init__(
        self, types: Collection[str], tokenizer: Tokenizer = "rouge", *, stem: bool = False
    ) -> None:
        for name in types:
            if name not in TYPES:
                raise EpitomeError(
                    f"“{name}” is not a ROUGE type; the types are {', '.join(TYPES)}.",
                    "Choose one of these.",
                )
        self.types = tuple(types)
        self._words = Words(tokenizer, stem=stem)

    def score(self, prediction: str, reference: str) -> dict[str, RougeScore]:
        """Scores a prediction against a reference.

        Args:
            prediction: The text to score. For Lsum, each line is a sentence.
            reference: The text to compare it with, in the same form.

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
    """ROUGE of a prediction against a reference; arguments and result as for `Rouge`.

    The tokenizer is that of the reference's script.
    """
    return _scorer(tuple(types), choose_tokenizer([reference]), stem).score(prediction, reference)


def recipe(
    types: Collection[str] = TYPES, tokenizer: Tokenizer = "rouge", *, stem: bool = False
) -> str:
    """How the scores are computed: "Epitome 0.1.0, as rouge-score 0.1.2, …".

    Args:
        types: The types that are reported.
        tokenizer: As passed to `Rouge`.
        stem: As passed to `Rouge`.

    Returns:
        Program and version, tokenizer and stemming, and what is special to some types.
    """
    stems = "Porter stemming of words over three letters" if stem else "no stemming"
    words = (
        "its tokenizer (lower case, sequences of a–z and 0–9)"
        if tokenizer == "rouge"
        else "words of any script, case-folded (pairs of characters where no spaces are written)"
    )
    told = [f"Epitome {VERSION}, as {REFERENCE}: {words}, {stems}"]
    if "Lsum" in types:
        told.append("Lsum over the lines of a text")
    if "W" in types:
        told.append(f"W by Lin (2004), weight {WEIGHT}")
    return "; ".join(told)


@cache
def _scorer(types: tuple[str, ...], tokenizer: Tokenizer, stem: bool) -> Rouge:
    return Rouge(types, tokenizer, stem=stem)


def _score(name: str, found: Lines, wanted: Lines) -> RougeScore:
    if name == "Lsum":
        return _by_sentence(found, wanted)
    prediction, reference = list(chain(*found)), list(chain(*wanted))
    if name == "L":
        hits = common_length(reference, prediction)
        return shares(hits, len(prediction), len(reference))
    if name == "W":
        return _weighted(prediction, reference)
    size = int(name)
    hits = _overlap(_runs(prediction, size), _runs(reference, size))
    return shares(hits, len(prediction) - size + 1, len(reference) - size + 1)


def _by_sentence(found: Lines, wanted: Lines) -> RougeScore:
    """Each word of the prediction counts once, even if it is in several subsequences."""
    prediction = Counter(chain(*found))
    hits = Counter(chain(*(words_in_union(sentence, found) for sentence in wanted)))
    return shares(_overlap(hits, prediction), prediction.total(), sum(map(len, wanted)))


def _weighted(prediction: Sequence[int], reference: Sequence[int]) -> RougeScore:
    if not prediction or not reference:
        return RougeScore(0.0, 0.0, 0.0)
    score = weighted_common_length(reference, prediction, WEIGHT)
    length = score ** (1 / WEIGHT)  # the number of consecutive words with the same score
    return shares(length, len(prediction), len(reference))


def _runs(words: Sequence[int], size: int) -> Counter[tuple[int, ...]]:
    return Counter(zip(*(words[start:] for start in range(size)), strict=False))


def _overlap(first: Counter[T], second: Counter[T]) -> int:
    return sum(min(first[key], second[key]) for key in first.keys() & second.keys())


def shares(hits: float, num_found: int, num_wanted: int) -> RougeScore:
    """The score of so many common words in a prediction and a reference of so many."""
    precision, recall = hits / max(num_found, 1), hits / max(num_wanted, 1)
    both = precision + recall
    return RougeScore(precision, recall, 2 * precision * recall / both if both else 0.0)
