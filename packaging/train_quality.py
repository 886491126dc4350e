"""Trains the model of sentence quality, and writes `resources/ranker/quality.npz`.

    pip install -e .[ranker]
    python packaging/train_quality.py              # a few minutes; needs ../shared/data

Learns from documents that were judged sentence by sentence (`packaging/judged.py`; never from those
that are held out) how much a sentence matters, whether it has a fault when it stands alone, and
whether the fault is that it leans on the one before it. First a linear model of words and phrases;
then trees that also see what it says of documents it has not learnt from. The same data gives the
same file.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]

from judged import FAULTS, Judged, own_documents, picked_documents, shared_documents  # noqa: E402
from train_ranker import learn  # noqa: E402

from core.events import result_of  # noqa: E402
from core.gsg.tokens import Tokens  # noqa: E402
from core.stop import StopToken  # noqa: E402
from core.summarisers.candidates import cut_candidates  # noqa: E402
from core.summarisers.features.table import FeatureTable  # noqa: E402
from core.summarisers.scoring.phrases import PhraseModel, hash_phrases  # noqa: E402
from core.summarisers.scoring.quality import TARGETS, QualityModel, add_phrases  # noqa: E402
from core.summarisers.scoring.scores import (  # noqa: E402
    ScoredCandidates,
    score_candidates,
    shipped_ranker,
)

OUT = ROOT / "resources" / "ranker" / "quality.npz"
FEWEST_DOCUMENTS = 4
"""Phrases of fewer documents are not learnt."""
DAMPING = 1.6
PARTS = 4
"""The linear model says of each quarter of the documents what it learnt from the others."""
OF_QUALITY: dict[str, Any] = {
    "max_depth": 6, "num_leaves": 20, "learning_rate": 0.08, "min_data_in_leaf": 40,
    "feature_fraction": 0.25, "bagging_fraction": 0.7, "num_iterations": 160,
}  # fmt: skip
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Example:
    """A judged document.

    Letters: E candidates that were judged.

    Args:
        id: Its name.
        kind: What it is.
        table: [E] rows of features, without the predictions of phrases.
        tokens: [E] their words.
        targets: [E] for each of `TARGETS`.
        indices: [E] their sentences in the document.
    """

    id: str
    kind: str
    table: FeatureTable
    tokens: Tokens
    targets: dict[str, Floats]
    indices: NDArray[np.int64]


def score_judged(judged: Judged) -> ScoredCandidates:
    """Scores the candidates of a judged document by the shipped ranker."""
    candidates = cut_candidates(judged.document, judged.sentences)
    return result_of(score_candidates(judged.document, candidates, shipped_ranker(), StopToken()))


def example_of(judged: Judged, scored: ScoredCandidates) -> Example:
    """Makes an example of a judged document."""
    known = np.flatnonzero(judged.importance[scored.candidates.indices] >= 0)
    indices = scored.candidates.indices[known]
    fault = judged.fault[indices]
    targets = {
        "defect": (fault > 0).astype(np.float64),
        "dependency": (fault == FAULTS.index("d")).astype(np.float64),
        "importance": judged.importance[indices].astype(np.float64),
    }
    table, tokens = scored.table.select_rows(known), _rows(scored.cue_tokens, known)
    return Example(judged.id, judged.kind, table, tokens, targets, indices)


def _rows(tokens: Tokens, rows: NDArray[np.int64]) -> Tokens:
    lengths = tokens.lengths[rows]
    places = [np.arange(tokens.starts[row], tokens.starts[row + 1]) for row in rows.tolist()]
    words = tokens.words[np.concatenate([np.zeros(0, np.int64), *places])]
    return Tokens(np.append(0, np.cumsum(lengths)), words, tokens.spellings)


def trained(examples: Sequence[Example]) -> QualityModel:
    """The model that learns from judged documents."""
    parts = np.array([int(sha256(one.id.encode()).hexdigest(), 16) % PARTS for one in examples])
    predicted = [np.zeros((0, len(TARGETS)))] * len(examples)
    for part in range(PARTS):
        others = phrases_from([one for one, at in zip(examples, parts, strict=True) if at != part])
        for index in np.flatnonzero(parts == part).tolist():
            predicted[index] = others.predict(examples[index].tokens)
    both = zip(examples, predicted, strict=True)
    tables = [add_phrases(one.table, each) for one, each in both]
    trees = {
        name: learn(
            tables,
            [one.targets[name] for one in examples],
            OF_QUALITY | {"objective": "regression" if name == "importance" else "binary"},
        )
        for name in TARGETS
    }
    return QualityModel(phrases_from(examples), trees)


def phrases_from(examples: Sequence[Example]) -> PhraseModel:
    """A linear model of phrases, by damped least squares; every document counts as its root."""
    from scipy.sparse import csr_matrix, diags
    from scipy.sparse.linalg import lsqr

    found = [hash_phrases(one.tokens) for one in examples]
    keys = _shared([key for _, key in found])
    sizes = np.array([len(one.tokens) for one in examples])
    starts = np.cumsum(sizes) - sizes
    owners = np.concatenate([own + start for (own, _), start in zip(found, starts, strict=True)])
    every = np.concatenate([key for _, key in found])
    spots = np.minimum(keys.searchsorted(every), len(keys) - 1)
    known = keys[spots] == every
    values = 1 / np.sqrt(np.maximum(1, np.bincount(owners, minlength=sizes.sum())))
    matrix = csr_matrix(
        (values[owners[known]], (owners[known], spots[known])), shape=(sizes.sum(), len(keys))
    )
    weights = np.repeat(sizes**-0.5, sizes)
    weights /= weights.mean()
    columns, base = [], []
    for name in TARGETS:
        target = np.concatenate([one.targets[name] for one in examples])
        base.append(float(np.average(target, weights=weights)))
        root = np.sqrt(weights)
        columns.append(
            lsqr(diags(root) @ matrix, root * (target - base[-1]), DAMPING, iter_lim=60)[0]
        )
    return PhraseModel(
        keys, np.column_stack(columns).astype(np.float32), np.array(base, np.float32)
    )


def _shared(keys: Sequence[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    """The keys of enough documents, ascending."""
    each, counts = np.unique(np.concatenate([np.unique(own) for own in keys]), return_counts=True)
    return each[counts >= FEWEST_DOCUMENTS]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    documents = [*shared_documents(), *own_documents("tuning"), *picked_documents()]
    examples = [example_of(judged, score_judged(judged)) for judged in documents]
    print(f"{len(examples)} documents, {sum(len(one.indices) for one in examples):,} sentences")
    trained(examples).save(arguments.out)
    print(f"{arguments.out}: {arguments.out.stat().st_size / 1024:.0f} KiB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
