"""A linear model of words and phrases, beside the same done with dictionaries of words."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.events import result_of
from core.gsg.tokens import Tokens, tokenise
from core.stop import StopToken
from core.summarisers.scoring.phrases import PhraseModel, hash_phrases

words = st.lists(st.sampled_from(["a", "this", "pump", "red", "however"]), max_size=7)
sentences = st.lists(words.map(" ".join), min_size=1, max_size=6)


def tokens_of(texts: list[str]) -> Tokens:
    return result_of(tokenise(texts, StopToken(), "unicode"))


def named(text: str) -> list[tuple[object, ...]]:
    """The phrases of a sentence, by name."""
    found = text.split()
    return [
        *(("word", word) for word in found),
        *(("pair", *pair) for pair in pairwise(found)),
        *(("at", place, word) for place, word in enumerate(found[:4])),
        *([("two", *found[:2])] if len(found) > 1 else []),
        *([("three", *found[:3])] if len(found) > 2 else []),
        *(("end", word) for word in found[-2:]),
    ]


@given(sentences)
def test_the_phrases_of_a_sentence_are_those_of_its_words_and_places(texts: list[str]) -> None:
    owners, keys = hash_phrases(tokens_of(texts))
    for index, text in enumerate(texts):
        own = keys[owners == index]
        assert len(own) == len(named(text))
        assert len(set(own.tolist())) == len(set(named(text)))


def test_a_phrase_has_the_same_number_in_every_document() -> None:
    _, keys = hash_phrases(tokens_of(["this pump"]))
    _, others = hash_phrases(tokens_of(["red", "a red pump", "this pump"]))
    assert set(keys.tolist()) <= set(others.tolist())


def test_known_phrases_add_up_over_the_root_of_the_number_of_all() -> None:
    tokens = tokens_of(["this pump", "red"])
    owners, keys = hash_phrases(tokens)
    known = np.unique(keys[owners == 0])[:3]
    weights = np.array([[1.0, 0.0], [2.0, 1.0], [4.0, 0.5]], np.float32)
    model = PhraseModel(known, weights, np.array([0.5, -1.0], np.float32))
    number = int((owners == 0).sum())
    predicted = model.predict(tokens)
    assert predicted[0] == pytest.approx([0.5 + 7 / number**0.5, -1 + 1.5 / number**0.5])
    assert predicted[1] == pytest.approx([0.5, -1.0])


def test_a_model_without_phrases_says_its_base_of_all() -> None:
    model = PhraseModel(
        np.zeros(0, np.uint64), np.zeros((0, 1), np.float32), np.array([0.25], np.float32)
    )
    assert model.predict(tokens_of(["this pump", ""])).tolist() == [[0.25], [0.25]]
