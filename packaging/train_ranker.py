"""Trains the ranker of the built-in summariser, and writes `resources/ranker/ranker.npz`.

    pip install -e .[ranker]
    python packaging/train_ranker.py ../shared/data/pairs        # about five minutes, one thread

Learns from `train` of the sets whose licence lets the result be shipped. What is learnt for each
sentence: half of it how much ROUGE-1 and 2 it alone has with the summary that a person wrote, to
the best sentence of its document; half whether it is in the set that is picked greedily for
ROUGE-1 and 2 when that summary is known. The same data gives the same file.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from core.documents.readers.door import read_pasted  # noqa: E402
from core.events import result_of  # noqa: E402
from core.gsg.tokens import rouge_words  # noqa: E402
from core.stop import StopToken  # noqa: E402
from core.summarisers.built_in import Candidates, candidates_of  # noqa: E402
from core.summarisers.trees import Trees  # noqa: E402

OUT = ROOT / "resources" / "ranker" / "ranker.npz"
WORDS = {"patents": 105, "openstax": 100, "proposals": 60, "lay": 330}
"""The sets that are learnt from, and how long summaries of each are."""
DEPTH, TREES = 6, 400
LEARNING: dict[str, Any] = {
    "objective": "regression", "max_depth": DEPTH, "num_leaves": 40, "learning_rate": 0.04,
    "min_data_in_leaf": 200, "feature_fraction": 0.3, "bagging_fraction": 0.7, "bagging_freq": 1,
    "lambda_l2": 5.0, "max_bin": 63, "num_threads": 1, "seed": 1, "deterministic": True,
    "force_row_wise": True, "verbose": -1,
}  # fmt: skip
Floats = NDArray[np.float64]


def learn(
    rows: NDArray[np.float32], wanted: Floats, weights: Floats, names: Sequence[str]
) -> Trees:
    """Trees that predict what is wanted of rows."""
    import lightgbm

    data = lightgbm.Dataset(rows, wanted, weight=weights, params={"max_bin": LEARNING["max_bin"]})
    found = lightgbm.train(LEARNING, data, TREES).dump_model()["tree_info"]
    inner = 2**DEPTH - 1
    trees = Trees(
        np.zeros((len(found), inner), np.int16),
        np.full((len(found), inner), np.inf, np.float32),
        np.zeros((len(found), inner + 1), np.int32),
        tuple(names),
    )
    for number, tree in enumerate(found):
        _fill(trees, number, 0, tree["tree_structure"])
    return trees


def _fill(trees: Trees, number: int, node: int, found: dict[str, Any]) -> None:
    """Copies what is under a node; where a leaf comes early, all goes to the first side."""
    inner = trees.signals.shape[1]
    if "leaf_value" in found:
        while node < inner:
            node = 2 * node + 1
        trees.leaves[number, node - inner] = round(found["leaf_value"] * 1e6)
        return
    trees.signals[number, node] = found["split_feature"]
    trees.thresholds[number, node] = found["threshold"]
    for side, name in enumerate(("left_child", "right_child")):
        _fill(trees, number, 2 * node + 1 + side, found[name])


def wanted_of(candidates: Candidates, summary: str, limit: int) -> Floats:
    """[E] what each candidate should be found worth, from 0 to 1.

    Args:
        candidates: Those of a document.
        summary: What a person wrote.
        limit: How many words the picked set may have.
    """
    stem = _stemmer()
    texts = [[stem(word) for word in rouge_words(text)] for text in candidates.texts]
    reference = [stem(word) for word in rouge_words(summary)]
    counted = [_Counted(texts, reference), _Counted(_pairs(texts), _pairs([reference])[0])]
    alone = sum(each.f1(each.held, each.sizes) for each in counted)
    picked = np.zeros(len(texts), bool)
    picked[_picked(counted, candidates.words, limit)] = True
    return 0.5 * alone / max(1e-9, float(alone.max())) + 0.5 * picked


def _picked(counted: "Sequence[_Counted]", words: NDArray[np.int32], limit: int) -> list[int]:
    taken: list[int] = []
    best, left = 0.0, limit
    while True:
        gains = sum(each.with_one_more(taken) for each in counted)
        gains[words > left] = -1
        gains[taken] = -1
        index = int(gains.argmax())
        if gains[index] <= best:
            return taken
        best, left = float(gains[index]), left - int(words[index])
        taken.append(index)


class _Counted:
    """How often the words of a reference stand in each of some texts."""

    def __init__(self, texts: Sequence[Sequence[Any]], reference: Sequence[Any]) -> None:
        numbers = {word: number for number, word in enumerate(dict.fromkeys(reference))}
        self.reference = np.array([Counter(reference)[word] for word in numbers], np.int64)
        self.sizes = np.array([len(text) for text in texts], np.int64)
        self.counts = np.zeros((len(texts), len(numbers)), np.int64)
        for row, text in enumerate(texts):
            for word in text:
                if word in numbers:
                    self.counts[row, numbers[word]] += 1
        self.held = np.minimum(self.counts, self.reference).sum(1)

    def with_one_more(self, taken: list[int]) -> Floats:
        counts = self.counts[taken].sum(0) + self.counts
        return self.f1(
            np.minimum(counts, self.reference).sum(1), self.sizes[taken].sum() + self.sizes
        )

    def f1(self, held: NDArray[np.int64], sizes: NDArray[np.int64]) -> Floats:
        return 2 * held / np.maximum(1, sizes + self.reference.sum())


def _pairs(texts: Sequence[Sequence[str]]) -> list[list[tuple[str, str]]]:
    return [list(pairwise(text)) for text in texts]


def _stemmer() -> Any:
    from functools import cache

    from nltk.stem.porter import PorterStemmer

    stem = PorterStemmer().stem
    return cache(lambda word: stem(word) if len(word) > 3 else word)


def examples(
    pairs: Path, sets: Sequence[str], split: str = "train"
) -> Iterator[tuple[Candidates, str, int]]:
    """The candidates of each document, its summary, and how long summaries of its set are."""
    from pyarrow.parquet import read_table

    for name in sets:
        rows = read_table(pairs / name / f"{split}.parquet").to_pylist()
        for row in rows:
            stop = StopToken()
            document = result_of(read_pasted(row["document"], row["title"], stop))
            yield result_of(candidates_of(document, stop)), row["summary"], WORDS[name]
        print(f"{name}: {len(rows)} documents", flush=True)


def trained(pairs: Path, sets: Sequence[str]) -> Trees:
    """The ranker that learns from some sets; every document counts as the root of its sentences."""
    rows, wanted, weights, names = [], [], [], ()
    for candidates, summary, limit in examples(pairs, sets):
        rows.append(candidates.signals.values.astype(np.float32))
        wanted.append(wanted_of(candidates, summary, limit))
        weights.append(np.full(len(rows[-1]), len(rows[-1]) ** -0.5))
        names = candidates.signals.names
    return learn(*map(np.concatenate, (rows, wanted, weights)), names)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", type=Path, help="the folder of the sets")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--without", choices=WORDS, help="a set that is not learnt from")
    arguments = parser.parse_args()
    sets = [name for name in WORDS if name != arguments.without]
    trained(arguments.pairs, sets).save(arguments.out)
    print(f"{arguments.out}: {arguments.out.stat().st_size / 1024:.0f} KiB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
