"""Trees out of plain data: each row goes its own way."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.distribution.resources import resource
from core.summarisers.scoring.ranker import Ranker
from core.summarisers.scoring.trees import Trees

floats = st.floats(-4, 4, width=16)


@st.composite
def trees(draw: st.DrawFn) -> Trees:
    number, depth, num_features = draw(st.integers(1, 4)), draw(st.integers(1, 4)), 3
    shape = number, 2**depth - 1
    return Trees(
        draw(arrays.arrays(np.int16, shape, elements=st.integers(0, num_features - 1))),
        draw(arrays.arrays(np.float32, shape, elements=floats)),
        draw(arrays.arrays(np.int32, (number, 2**depth), elements=st.integers(-9, 9))),
        ("a", "b", "c"),
    )


def walked(forest: Trees, row: list[float]) -> int:
    """What the trees add for a row, one node after the other."""
    total = 0
    for features, thresholds, leaves in zip(
        forest.features.tolist(), forest.thresholds.tolist(), forest.leaves.tolist(), strict=True
    ):
        node = 0
        while node < len(features):
            node = 2 * node + (2 if row[features[node]] > thresholds[node] else 1)
        total += leaves[node - len(features)]
    return total


@given(
    trees(), arrays.arrays(np.float32, st.tuples(st.integers(0, 9), st.just(3)), elements=floats)
)
def test_each_row_is_walked_down_each_tree(forest: Trees, rows: np.ndarray) -> None:  # type: ignore[type-arg]
    found = forest.predict(rows)
    assert found.tolist() == [walked(forest, row) / 1e6 for row in rows.tolist()]


def test_rows_are_the_same_however_many_there_are() -> None:
    forest = Ranker.load(resource("ranker", "ranker.npz")).sentences
    rows = np.random.default_rng(0).normal(size=(5000, len(forest.names))).astype(np.float32)
    found = forest.predict(rows)
    assert found[4000:].tolist() == forest.predict(rows[4000:]).tolist()
    for number in (0, 2047, 2048, 4999):
        assert found[number] == walked(forest, rows[number].tolist()) / 1e6
