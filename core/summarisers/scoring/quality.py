"""The learnt model of quality: importance of sentences, and defects without their context.

Letters: E candidates.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from core.gsg.tokens import Tokens
from core.stop import StopToken
from core.summarisers.features.table import FeatureTable, percentile_ranks
from core.summarisers.scoring.phrases import PhraseModel
from core.summarisers.scoring.ranker import RankerOutput, sigmoid
from core.summarisers.scoring.trees import Trees

Floats = NDArray[np.float64]

TARGETS = ("defect", "dependency", "importance")
"""The targets of the model of phrases, and of the trees."""
MAX_IMPORTANCE = 3.0
"""The main point of a document; sentences of importance 0 are not needed."""


@dataclass(frozen=True, eq=False)
class Quality:
    """Predicted quality of candidates.

    Args:
        importance: [E] from 0 to `MAX_IMPORTANCE`.
        defect_prob: [E] probability that a sentence has a defect without its context.
        dependency_prob: [E] probability that it needs the sentence before it, which is one of
            the defects.
    """

    importance: Floats
    defect_prob: Floats
    dependency_prob: Floats


@dataclass(frozen=True, eq=False)
class QualityModel:
    """The model, trained on documents judged sentence by sentence (`packaging/train_quality.py`).

    Args:
        phrases: A linear model of words and short phrases, with a column for each of `TARGETS`.
        trees: For each of `TARGETS`: log-odds of the first two, and the importance itself.
    """

    phrases: PhraseModel
    trees: Mapping[str, Trees]

    @classmethod
    def load(cls, path: Path) -> Self:
        """Reads a model: a NumPy archive without objects, as `save` writes it."""
        with np.load(path, allow_pickle=False) as arrays:
            trees = {name: Trees.from_arrays(arrays, name) for name in TARGETS}
            return cls(PhraseModel.from_arrays(arrays), trees)

    def save(self, path: Path) -> None:
        """Writes the model, the same bytes for the same model."""
        arrays: dict[str, Any] = self.phrases.to_arrays()
        for part, trees in self.trees.items():
            arrays |= trees.to_arrays(part)
        np.savez_compressed(path, **arrays)

    def predict(self, table: FeatureTable, cue_tokens: Tokens, stop: StopToken) -> Quality:
        """Predicts the quality of candidates.

        Args:
            table: [E] rows of `quality_table`.
            cue_tokens: [E] their words, as `Features` has them.
            stop: Read between the models.

        Returns:
            Their quality.
        """
        rows = add_phrases(table, self.phrases.predict(cue_tokens))
        stop.raise_if_set()
        (names,) = {trees.names for trees in self.trees.values()}
        matrix = rows.to_matrix(names)
        sums = {name: trees.predict(matrix) for name, trees in self.trees.items()}
        stop.raise_if_set()
        return Quality(
            importance=np.clip(sums["importance"], 0.0, MAX_IMPORTANCE),
            defect_prob=sigmoid(sums["defect"]),
            dependency_prob=sigmoid(sums["dependency"]),
        )


def quality_table(output: RankerOutput, independence: FeatureTable) -> FeatureTable:
    """Returns the features from which the quality of candidates is predicted, without phrases.

    Args:
        output: The features that the ranker read of them, and their utility.
        independence: [E] rows of `Features.independence`.

    Returns:
        [E] rows.
    """
    # The shipped model was trained with the utility in the place of this feature of the ranker.
    columns = {
        ("utility" if name == "keywords: sum" else name): column
        for name, column in output.table.columns.items()
    }
    columns |= {"utility": output.utility, "rank: utility": percentile_ranks(output.utility)}
    return FeatureTable(columns) | independence


def add_phrases(table: FeatureTable, predictions: Floats) -> FeatureTable:
    """Returns a table with the predictions of phrases, [E, T] for `TARGETS`, in new columns."""
    columns = zip(TARGETS, predictions.T, strict=True)
    return table | FeatureTable({f"phrases: {name}": column for name, column in columns})
