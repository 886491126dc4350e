"""What a careful reader would think of each sentence: how much it matters, and whether it stands
alone.

Learnt from documents that were judged sentence by sentence (`packaging/train_quality.py`).

Letters: E candidates, F signals.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from core.gsg.tokens import Tokens
from core.stop import StopToken
from core.summarisers.features.centrality import ranks
from core.summarisers.scoring.phrases import Phrases
from core.summarisers.scoring.ranker import Table, probabilities
from core.summarisers.scoring.trees import Trees

Floats = NDArray[np.float64]

TOLD = ("fault", "leans", "importance")
"""What phrases tell, and what trees are there for."""


@dataclass(frozen=True, eq=False)
class Quality:
    """How good sentences are in a summary.

    Args:
        importance: [E] what they say, from 0 (not needed) to 3 (the main thing).
        fault: [E] how probable it is that a reader stumbles over the sentence when it stands
            alone.
        leans: [E] how probable it is that the reason is that it needs the sentence before it.
    """

    importance: Floats
    fault: Floats
    leans: Floats


@dataclass(frozen=True, eq=False)
class QualityModel:
    """What was learnt from judged documents.

    Args:
        phrases: A linear model of words and short phrases, for each of `TOLD`.
        trees: For each of `TOLD`: log-odds of the first two, the importance itself.
    """

    phrases: Phrases
    trees: Mapping[str, Trees]

    @classmethod
    def load(cls, path: Path) -> Self:
        """Reads a model: a NumPy archive without objects, as `save` wrote it."""
        with np.load(path, allow_pickle=False) as arrays:
            trees = {name: Trees.of(arrays, name) for name in TOLD}
            return cls(Phrases.of(arrays), trees)

    def save(self, path: Path) -> None:
        """Writes it, the same bytes for the same model."""
        arrays: dict[str, Any] = self.phrases.arrays()
        for part, trees in self.trees.items():
            arrays |= {f"{part} {name}": array for name, array in trees.arrays().items()}
        np.savez_compressed(path, **arrays)

    def assess(self, seen: Table, tokens: Tokens, stop: StopToken) -> Quality:
        """Assesses the candidates of a document.

        Args:
            seen: [E, F] what is seen of them, as `quality_table` puts it together.
            tokens: [E] their words in small letters; of a foreign language, its numbers alone.
            stop: The wish to end.

        Returns:
            Their quality.
        """
        rows = with_phrases(seen, self.phrases.predict(tokens))
        stop.raise_if_set()
        found = {name: trees.predict(rows.values) for name, trees in self.trees.items()}
        stop.raise_if_set()
        importance = np.clip(found["importance"], 0.0, 3.0)
        return Quality(importance, probabilities(found["fault"]), probabilities(found["leans"]))


def quality_table(seen: Table, worth: Floats, standing: Mapping[str, Floats]) -> Table:
    """Puts together what is seen of candidates.

    Args:
        seen: [E, F] what the ranker sees of sentences (`sentence_table`).
        worth: [E] what it finds.
        standing: Signals of standing alone, [E] each.

    Returns:
        The table.
    """
    columns = dict(zip(seen.names, seen.values.T.astype(np.float64), strict=True))
    columns |= {"worth": worth, "rank: worth itself": ranks(worth), **standing}
    return Table.of(columns.items())


def with_phrases(seen: Table, told: Floats) -> Table:
    """A table with what phrases tell, [E] for each of `TOLD`, in columns of their own."""
    names = tuple(f"phrases: {name}" for name in TOLD)
    return Table(seen.names + names, np.column_stack([seen.values, told.astype(np.float32)]))
