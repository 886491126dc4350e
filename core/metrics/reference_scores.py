"""ROUGE of a summary against a reference: quick enough to follow a slider."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

TYPES = ("1", "2", "L")


@dataclass(frozen=True)
class ReferenceScores:
    """How close a summary is to a reference. Words are those that ROUGE counts.

    Args:
        f1: F1 in % by the type of ROUGE ("1", "2", "L").
        shared: Words of the summary that the reference has too, each as often as in both.
        words: Words of the summary.
        reference_words: Words of the reference.
        recipe: How the scores are computed.
    """

    f1: Mapping[str, float]
    shared: int
    words: int
    reference_words: int
    recipe: str


def score_against(summary: str, reference: str) -> ReferenceScores:
    """Scores a summary against a reference, without stemming.

    Args:
        summary: The text of the summary.
        reference: What a person wrote, or another program.

    Returns:
        The scores; all 0 where either has no words that ROUGE counts.
    """
    from core.metrics.rouge import recipe, rouge
    from core.metrics.words import choose_tokenizer, find_words

    tokenizer = choose_tokenizer([reference])
    found, wanted = (Counter(find_words(text, tokenizer)) for text in (summary, reference))
    scores = rouge(summary, reference, TYPES)
    return ReferenceScores(
        {name: 100 * score.f1 for name, score in scores.items()},
        (found & wanted).total(),
        found.total(),
        wanted.total(),
        recipe(TYPES, tokenizer),
    )
