"""The picks are those of the plain twin, on every kind of document."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.events import result_of
from core.gsg.selection import order
from core.gsg.settings import GapSentenceSettings
from core.gsg.tokens import tokenise
from tests.helpers import gsg_twin

CASES = [
    *product(["independent-document", "sequential-document"], "12", [False, True], ["mean"]),
    *product(["independent-pairwise", "sequential-pairwise"], "12", [False, True], ["mean", "max"]),
    ("independent-document", "L", False, "mean"),
    ("independent-pairwise", "L", False, "mean"),
    ("independent-pairwise", "L", False, "max"),
]
PAIRWISE = [case for case in CASES if case[0].endswith("pairwise")]

AWKWARD = {
    "one word": ["a"],
    "two alike": ["a b", "a b"],
    "all equal": ["a b c"] * 7,
    "nothing shared": ["a", "b", "c d", "e f g"],
    "empty ones between": ["", "a b", "...", "b c", " ", "c a", "?!"],
    "repeats in a sentence": ["a a a", "a a", "a", "b b a", "b a b a"],
    "ties of different words": ["a x", "b y", "a z", "b w", "c c", "a", "b"],
    "one word sentences": ["a", "b", "a", "c", "b", "a"],
    "pairs turned round": ["a b", "b a", "a b a", "b a b"],
    "one long": [" ".join("abcdefgh" * 12), "a b c", "h g f", "a a b b", "c"],
    "equal sums of unequal parts": ["a b c d e", "a", "b q r s t", "c u v w x", "a d"],
}

sentence = st.lists(st.sampled_from("aabbcdef"), max_size=6).map(" ".join)
documents = st.lists(sentence, max_size=9)


def picks(document, strategy, rouge, unique, aggregate, algorithm="fast", before=()):
    wanted = GapSentenceSettings(
        strategy=strategy, rouge=rouge, unique=unique, aggregate=aggregate, algorithm=algorithm
    )
    tokens = result_of(tokenise(document))
    return result_of(order(tokens, wanted, given=before))


def assert_like_twin(document, case, algorithm="fast", before=()):
    expected = gsg_twin.order(document, *case, given=before)
    selection = picks(document, *case, algorithm=algorithm, before=before)
    assert list(selection.picked) == [index for index, _ in expected]
    for score, (_, exact) in zip(selection.scores, expected, strict=True):
        assert score == pytest.approx(float(exact), abs=1e-12)


@pytest.mark.parametrize("case", CASES, ids=" ".join(["{}"] * 4).format)
@settings(max_examples=40, deadline=None)
@given(documents)
def test_picks_equal_the_twin(case, document):
    assert_like_twin(document, case)
