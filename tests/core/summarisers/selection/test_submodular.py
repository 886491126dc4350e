"""Sentences in an order whose every beginning is a good summary."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.events import result_of
from core.gsg.tokens import tokenise
from core.stop import StopToken
from core.summarisers.features.table import FeatureTable
from core.summarisers.features.terms import Terms
from core.summarisers.scoring.ranker import RankerOutput
from core.summarisers.selection.submodular import (
    MIN_LENGTH,
    PAIR_WEIGHT,
    UTILITY_DECAY,
    WORD_WEIGHT,
    submodular_order,
)

LENGTH_POWER, NUMBER_POWER, COVERAGE = 0.8, 0.5, 0.7

values = st.floats(0.1, 0.9)
texts = st.lists(
    st.lists(st.sampled_from("abcde"), min_size=1, max_size=6).map(" ".join), min_size=1, max_size=7
)


def ordered(
    sentences: list[str],
    worth: list[float],
    limit: int | None = None,
    chances: dict[Any, float] | None = None,
    antecedents: list[int] | None = None,
    power: float = LENGTH_POWER,
) -> tuple[list[int], list[float]]:
    tokens = result_of(tokenise(sentences, StopToken()))
    words, pairs = (Terms.from_tokens(tokens, size) for size in (1, 2))
    spelled = [tokens.spellings[key] for key in words.keys.tolist()]
    number = max(1, tokens.num_words)
    both = [
        (tokens.spellings[key // number], tokens.spellings[key % number])
        for key in pairs.keys.tolist()
    ]
    values = [
        np.array([(chances or {}).get(name, 0.1) for name in names]) for names in (spelled, both)
    ]
    utility = np.array(worth)
    output = RankerOutput(FeatureTable({}), utility, words, values[0], pairs, values[1])
    lengths = np.array([len(text.split()) for text in sentences], np.int32)
    before = np.array(antecedents or [-1] * len(sentences), np.int64)
    return submodular_order(
        utility, output, lengths, before, coverage=COVERAGE, length_power=power, limit=limit
    )


def parts_of(text: str) -> set[Any]:
    words = text.split()
    return {*words, *pairwise(words)}


def greatest(
    sentences: list[str],
    worth: list[float],
    order: list[int],
    chances: dict[Any, float],
    antecedents: list[int],
    power: float,
) -> list[float]:
    """The greatest gain there was before each step, every sentence looked at anew."""
    values = {
        part: (WORD_WEIGHT if isinstance(part, str) else PAIR_WEIGHT) * chances.get(part, 0.1)
        for text in sentences
        for part in parts_of(text)
    }
    fresh = [sum(values[part] for part in parts_of(text)) for text in sentences]
    left, found = list(range(len(sentences))), []
    for taken in order:
        gains = []
        for index in left:
            if antecedents[index] in left:
                continue
            new = sum(values[part] for part in parts_of(sentences[index]))
            own = worth[index] * (new / fresh[index]) ** UTILITY_DECAY
            length = max(MIN_LENGTH, len(sentences[index].split())) ** power
            gains.append((own + COVERAGE * new / max(fresh)) / length)
        found.append(max(gains))
        left.remove(taken)
        values |= dict.fromkeys(parts_of(sentences[taken]), 0.0)
    return found


@given(texts, st.data())
def test_every_step_takes_the_greatest_gain(sentences: list[str], data: st.DataObject) -> None:
    number = len(sentences)
    worth = data.draw(st.lists(st.floats(0.1, 1), min_size=number, max_size=number))
    chances = data.draw(st.dictionaries(st.sampled_from([*"abcde", *pairwise("abcdea")]), values))
    antecedents = [data.draw(st.integers(-1, index - 1)) for index in range(number)]
    power = data.draw(st.sampled_from([LENGTH_POWER, NUMBER_POWER]))
    order, gains = ordered(sentences, worth, chances=chances, antecedents=antecedents, power=power)
    assert sorted(order) == list(range(number))
    wanted = greatest(sentences, worth, order, chances, antecedents, power)
    assert gains == pytest.approx(wanted, abs=1e-4)


def test_what_was_said_is_not_said_again() -> None:
    said = "the pump is red"
    order, _ = ordered([said, said, "valves open late"], [1.0, 1.0, 0.8])
    assert order == [0, 2, 1]


def test_a_long_sentence_must_be_worth_its_length() -> None:
    sentences = [" ".join(f"w{n}" for n in range(40)), "u v w x y"]
    assert ordered(sentences, [1.0, 0.3])[0] == [0, 1]
    assert ordered(sentences, [1.0, 0.8])[0] == [1, 0]
    assert ordered(sentences, [1.0, 0.8], power=0.0)[0] == [0, 1]


def test_no_more_than_requested() -> None:
    sentences, worth = ["a b", "c d", "e f", "g h"], [0.4, 0.8, 0.6, 1.0]
    assert ordered(sentences, worth)[0] == [3, 1, 2, 0]
    assert ordered(sentences, worth, 2)[0] == [3, 1]
    assert ordered([], [], 2) == ([], [])


def test_sentences_of_no_worth_are_ordered_by_what_is_new() -> None:
    order, gains = ordered(["a b c", "a b c", "d e"], [0.0, 0.0, 0.0])
    assert order == [0, 2, 1]
    assert gains == sorted(gains, reverse=True)


def test_sentences_below_nothing_are_left_out_and_what_needs_them_too() -> None:
    assert ordered(["a b", "c d"], [-1.0, 0.5])[0] == [1]
    assert ordered(["a b", "c d"], [-1.0, 0.5], antecedents=[-1, 0])[0] == []


def test_a_sentence_comes_after_its_antecedent() -> None:
    sentences, worth = ["a b", "c d", "e f"], [0.1, 0.5, 1.0]
    assert ordered(sentences, worth)[0] == [2, 1, 0]
    assert ordered(sentences, worth, antecedents=[-1, -1, 0])[0] == [1, 0, 2]
    assert ordered(sentences, worth, antecedents=[-1, 0, 1])[0] == [0, 1, 2]
