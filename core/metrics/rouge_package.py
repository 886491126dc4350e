"""ROUGE by the package `rouge-score`, for those who must report its own numbers."""

from collections.abc import Collection
from importlib.metadata import version

from core.errors import EpitomeError
from core.metrics.rouge import RougeScore

TYPES = ("1", "2", "3", "4", "L", "Lsum")


class PackageRouge:
    """Scores pairs of texts as `core.metrics.rouge.Rouge` does, by the package.

    Args:
        types: Some of `TYPES`.
        stem: Whether English words of more than three letters are compared by their Porter stem.

    Raises:
        EpitomeError: If the package is not installed.
    """

    def __init__(self, types: Collection[str], *, stem: bool = False) -> None:
        try:
            from rouge_score.rouge_scorer import RougeScorer
        except ImportError as error:
            raise EpitomeError(
                "ROUGE is computed by the package rouge-score, which is not installed.",
                "Run pip install rouge-score, or score with --scorer epitome.",
            ) from error
        self.types = tuple(types)
        self._scorer = RougeScorer([f"rouge{name}" for name in self.types], use_stemmer=stem)

    def score(self, prediction: str, reference: str) -> dict[str, RougeScore]:
        """Scores a prediction against a reference; for Lsum, each line is a sentence."""
        found = self._scorer.score(reference, prediction)
        scores = {name: found[f"rouge{name}"] for name in self.types}
        return {
            name: RougeScore(float(score.precision), float(score.recall), float(score.fmeasure))
            for name, score in scores.items()
        }


def recipe(*, stem: bool = False) -> str:
    """Describes how the scores are computed: "rouge-score 0.1.2, …"."""
    stems = "Porter stemming of words over three letters" if stem else "no stemming"
    return f"rouge-score {version('rouge-score')}: its tokenizer, {stems}; Lsum over lines"
