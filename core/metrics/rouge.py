"""ROUGE through `rouge_score`, the field's reference: text in, numbers out."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING

from core.errors import EpitomeError

if TYPE_CHECKING:
    from rouge_score.rouge_scorer import RougeScorer

TYPES = ("1", "2", "3", "4", "L", "Lsum")


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


def rouge(
    prediction: str,
    reference: str,
    types: Collection[str] = ("1", "2", "L"),
    *,
    stem: bool = False,
) -> dict[str, RougeScore]:
    """ROUGE of a text against the one that it should be.

    Args:
        prediction: The text to judge. For Lsum each of its lines is a sentence.
        reference: What it is held against, in the same form.
        types: Which of `TYPES`: words (1), runs of 2 to 4 words, the longest common subsequence
            of the whole (L) or sentence by sentence (Lsum).
        stem: Whether words of more than three letters are compared by their Porter stem.

    Returns:
        The scores by type.

    Raises:
        EpitomeError: If a type is none of `TYPES`.
    """
    for name in types:
        if name not in TYPES:
            raise EpitomeError(
                f"“{name}” is no kind of ROUGE; {', '.join(TYPES)} are.", "Choose one of these."
            )
    scores = _scorer(tuple(types), stem).score(target=reference, prediction=prediction)
    return {name: RougeScore(*(float(part) for part in scores[f"rouge{name}"])) for name in types}


def recipe(*, stem: bool = False) -> str:
    """How the scores are made, to stand beside them: "rouge-score 0.1.2, …".

    Args:
        stem: As it was given to `rouge`.

    Returns:
        Program and version, words and stemming.
    """
    stems = "Porter stems of words over three letters" if stem else "no stemming"
    return (
        f"rouge-score {version('rouge-score')}, its own tokenizer (lower case, runs of a–z and "
        f"0–9), {stems}; Lsum over the lines of a text"
    )


@cache
def _scorer(types: tuple[str, ...], stem: bool) -> "RougeScorer":
    from rouge_score.rouge_scorer import RougeScorer  # slow to import

    return RougeScorer([f"rouge{name}" for name in types], use_stemmer=stem)
