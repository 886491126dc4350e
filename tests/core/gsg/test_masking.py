import pytest

from core.gsg.masking import MASK, gap_pair
from core.gsg.selection import Selection
from core.gsg.settings import GapPairSettings

SENTENCES = [f"sentence {index}" for index in range(10)]


def chosen(*picked):
    return Selection(picked, (None,) * len(picked), len(SENTENCES), len(SENTENCES))


@pytest.mark.parametrize(
    ("masking", "start"),
    [
        ("mask", ["sentence 0", MASK, "sentence 2", MASK, MASK]),
        ("remove", ["sentence 0", "sentence 2", "sentence 5"]),
        ("keep", SENTENCES[:5]),
    ],
)
def test_picked_sentences_leave_the_input_as_told(masking, start):
    pair = gap_pair(SENTENCES, chosen(4, 1, 3), GapPairSettings(masking=masking))
    assert list(pair.input[: len(start)]) == start
    assert pair.target == ("sentence 1", "sentence 3", "sentence 4")


def test_a_share_of_the_picked_stays_in_the_input():
    selection = chosen(*range(8))
    wanted = GapPairSettings(left_in=0.25, seed=5)
    pairs = [gap_pair(SENTENCES, selection, wanted, document) for document in range(20)]
    assert all(pair.input.count(MASK) == 6 for pair in pairs)
    assert all(pair.target == tuple(SENTENCES[:8]) for pair in pairs)
    assert len({pair.input for pair in pairs}) > 5
    assert pairs[0] == gap_pair(SENTENCES, selection, wanted, 0)


def test_nothing_picked_leaves_all():
    pair = gap_pair(SENTENCES, chosen(), GapPairSettings())
    assert pair.input == tuple(SENTENCES)
    assert pair.target == ()
