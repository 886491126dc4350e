"""Copied and new words, by hand, by the paper's own procedure, and on real pairs."""

from pathlib import Path
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics.novelty import fragments, novelty, recipe

PAIRS = Path(__file__).parents[4] / "shared/data/pairs"
WORDS = st.lists(st.sampled_from("abc"), max_size=20)


def test_numbers_by_hand() -> None:
    found = novelty("The cat sat. It purred!", "Yesterday the cat sat on the mat; it was warm.")
    # the cat sat | . | it: fragments of 3, 1 and 1; "purred" and "!" are new.
    assert found.coverage == pytest.approx(5 / 7)
    assert found.density == pytest.approx((9 + 1 + 1) / 7)
    assert found.compression == pytest.approx(12 / 7)
    assert found.novel == pytest.approx((2 / 7, 4 / 6, 4 / 5, 4 / 4))


def test_every_occurrence_of_a_run_counts() -> None:
    assert novelty("new new old", "old").novel[0] == pytest.approx(2 / 3)


def test_a_copy_is_one_fragment_and_an_empty_summary_has_none() -> None:
    copy = novelty("a b c d", "x a b c d y")
    assert (copy.coverage, copy.density, copy.novel) == (1, 4, (0, 0, 0, 0))
    empty = novelty("", "a b c")
    assert (empty.coverage, empty.density, empty.compression) == (0, 0, 3)
    assert empty.novel == (0, 0, 0, 0)


def fragments_of_the_paper(summary: list[str], document: list[str]) -> list[list[str]]:
    """Figure 3 of Grusky et al. (2018), word for word."""
    found, i = [], 0
    while i < len(summary):
        best: list[str] = []
        j = 0
        while j < len(document):
            if summary[i] == document[j]:
                i2, j2 = i, j
                while (i2 < len(summary) and j2 < len(document)
                       and summary[i2] == document[j2]):  # fmt: skip
                    i2, j2 = i2 + 1, j2 + 1
                if len(best) < i2 - i:
                    best = summary[i:i2]
                j = j2
            else:
                j += 1
        i += max(len(best), 1)
        if best:
            found.append(best)
    return found


@given(WORDS, WORDS)
def test_no_fragment_is_shorter_than_the_papers(summary: list[str], document: list[str]) -> None:
    # The paper jumps over what it matched, and so can miss the longest; we never do.
    ours, theirs = list(fragments(summary, document)), fragments_of_the_paper(summary, document)
    assert sum(map(len, ours)) == sum(map(len, theirs))
    for fragment in ours:
        assert "".join(fragment) in "".join(document)
    if ours:
        assert len(ours[0]) >= len(theirs[0])


@pytest.mark.skipif(not PAIRS.exists(), reason="the shared pairs are not here")
@pytest.mark.parametrize(
    ("name", "coverage", "density", "novel"),
    [("openstax", 0.88, 3.7, 0.51), ("patents", 0.92, 5.7, 0.33), ("lay", 0.82, 1.6, 0.66)],
)
def test_real_pairs_have_the_numbers_that_stand_beside_them(
    name: str, coverage: float, density: float, novel: float
) -> None:
    read_table = pytest.importorskip("pyarrow.parquet").read_table
    rows = [
        row
        for split in ("validation", "test")
        for row in read_table(PAIRS / name / f"{split}.parquet").to_pylist()
    ]
    found = [novelty(row["summary"], row["document"]) for row in rows]
    assert fmean(each.coverage for each in found) == pytest.approx(coverage, abs=0.005)
    assert fmean(each.density for each in found) == pytest.approx(density, abs=0.05)
    assert fmean(each.novel[1] for each in found) == pytest.approx(novel, abs=0.005)


def test_the_recipe_names_the_words() -> None:
    assert "words and punctuation marks in lower case" in recipe()
