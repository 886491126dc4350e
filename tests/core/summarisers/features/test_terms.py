"""Words and pairs of sentences, and their features, against plain counting."""

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Block, Document, Kind, Source
from core.events import result_of
from core.gsg.tokens import tokenise
from core.stop import StopToken
from core.summarisers.features.extraction import Features
from core.summarisers.features.salience import salience_features
from core.summarisers.features.term_features import pair_features, term_features
from core.summarisers.features.terms import Terms
from tests.helpers.ranking import extract

sentences = st.lists(st.lists(st.sampled_from("abcd"), max_size=5), max_size=6)


def parts(words: list[str], size: int) -> list[Any]:
    return list(words) if size == 1 else list(pairwise(words))


def spelled(terms: Terms, spellings: tuple[str, ...], size: int) -> list[Any]:
    if size == 1:
        return [spellings[key] for key in terms.keys.tolist()]
    pairs = [divmod(key, terms.num_words) for key in terms.keys.tolist()]
    return [(spellings[one], spellings[other]) for one, other in pairs]


@given(sentences, st.sampled_from([1, 2]))
def test_terms_are_counted_by_sentence(texts: list[list[str]], size: int) -> None:
    tokens = result_of(tokenise([" ".join(words) for words in texts], StopToken()))
    terms = Terms.from_tokens(tokens, size)
    names = spelled(terms, tokens.spellings, size)
    everything = [part for words in texts for part in parts(words, size)]
    assert sorted(names) == sorted(set(everything))
    assert terms.counts.tolist() == [everything.count(name) for name in names]
    for index, words in enumerate(texts):
        own = terms.in_candidate(index).tolist()
        assert own == sorted(set(own))
        assert {names[number] for number in own} == set(parts(words, size))
    values = np.arange(1.0, len(names) + 1)
    wanted = [sum(values[names.index(part)] for part in set(parts(words, size))) for words in texts]
    assert terms.sum_by_candidate(values).tolist() == pytest.approx(wanted)


@given(sentences, st.sets(st.sampled_from("abcd")))
def test_pairs_of_likely_words_alone(texts: list[list[str]], likely: set[str]) -> None:
    tokens = result_of(tokenise([" ".join(words) for words in texts], StopToken()))
    flags = np.array([word in likely for word in tokens.spellings], bool)
    terms = Terms.from_tokens(tokens, 2, flags)
    wanted = {pair for words in texts for pair in pairwise(words) if likely.issuperset(pair)}
    assert set(spelled(terms, tokens.spellings, 2)) == wanted


def features_of(*blocks: Block, title: str) -> Features:
    return extract(Document.from_blocks(blocks, title=title, source=Source("a.txt")))


FEATURES = features_of(
    Block("Red pumps move heat."),
    Block("Heat", Kind.HEADING, 1),
    Block("Red pumps cost much. Old trains move late."),
    Block("Trains need heat too."),
    Block("Late trains", Kind.HEADING, 1),
    Block("Red pumps wait for heat."),
    title="Red pumps and heat",
)  # fmt: skip


def columns(size: int) -> dict[Any, dict[str, float]]:
    terms = Terms.from_tokens(FEATURES.stems, size)
    found = dict(term_features(terms, FEATURES, size))
    names = spelled(terms, FEATURES.stems.spellings, size)
    return {
        name: {key: float(column[number]) for key, column in found.items()}
        for number, name in enumerate(names)
    }


def test_where_a_word_stands() -> None:
    heat, train = columns(1)["heat"], columns(1)["train"]
    assert heat["count"] == pytest.approx(math.log(3))
    assert heat["share of the candidates"] == pytest.approx(3 / 5)
    assert heat["share of the words"] == pytest.approx(3 / 21)
    assert (heat["first"], train["first"]) == (0, pytest.approx(2 / 5))
    assert train["candidates before"] == pytest.approx(math.log(3))
    assert (heat["last"], train["last"]) == (pytest.approx(4 / 5), pytest.approx(3 / 5))
    assert heat["share of the sections"] == 1
    assert train["share of the sections"] == pytest.approx(1 / 3)
    assert heat["share of the paragraphs"] == pytest.approx(3 / 4)
    assert (heat["in the title"], train["in the title"]) == (1, 0)
    assert (heat["in headings"], train["in headings"]) == (1, 1)
    assert (heat["in the first 1"], heat["in the first 3"], train["in the first 3"]) == (1, 1, 1)
    assert heat["share of openings of a section"] == pytest.approx(2 / 3)
    assert train["share of openings of a section"] == 0
    assert heat["mean: words"] == pytest.approx((4 + 4 + 5) / 3)
    assert heat["document: closing"] == train["document: closing"] == 0
    assert heat["terms of more candidates"] == 0
    assert train["terms of more candidates"] == pytest.approx(math.log(4))
    greatest = max(FEATURES.table["gain"][[0, 3, 4]])
    assert heat["maximum: gain"] == pytest.approx(greatest)


def test_where_a_pair_stands() -> None:
    both = columns(2)["red", "pump"]
    assert both["candidates"] == pytest.approx(math.log(3))
    assert (both["in the title"], both["in headings"]) == (1, 0)
    assert ("heat", "red") not in columns(2)
    words, pairs = (Terms.from_tokens(FEATURES.stems, size) for size in (1, 2))
    chances = np.linspace(0.1, 0.9, len(words))
    chance = dict(zip(spelled(words, FEATURES.stems.spellings, 1), chances, strict=True))
    found = dict(pair_features(pairs, words, chances))
    at = spelled(pairs, FEATURES.stems.spellings, 2).index(("move", "heat"))
    assert found["expected: first"][at] == chance["move"]
    assert found["expected: second"][at] == chance["heat"]
    assert found["expected: both"][at] == pytest.approx(chance["move"] * chance["heat"])
    assert found["expected: less"][at] == min(chance["move"], chance["heat"])
    assert found["share of the rarer word"][at] == pytest.approx(1 / 2)
    assert found["share of the commoner word"][at] == pytest.approx(1 / 3)


def test_what_a_sentence_holds_of_the_expected() -> None:
    words, pairs = (Terms.from_tokens(FEATURES.stems, size) for size in (1, 2))
    chances, both = np.linspace(0.1, 0.9, len(words)), np.linspace(0.9, 0.1, len(pairs))
    idf = np.arange(len(words), dtype=np.float64)
    found = dict(salience_features(words, chances, pairs, both, idf))
    own, own_pairs = words.in_candidate(3), pairs.in_candidate(3)
    assert found["expected words: sum"][3] == pytest.approx(chances[own].sum())
    assert found["expected words: mean"][3] == pytest.approx(chances[own].mean())
    assert found["expected words: maximum"][3] == chances[own].max()
    f1 = 2 * both[own_pairs].sum() / (3 + both.sum())
    assert found["expected pairs: F"][3] == pytest.approx(f1)
    assert found["expected mean idf"][3] == pytest.approx(idf[own].mean())
    means = found["expected words: mean"]
    assert found["expected words: mean, previous"].tolist() == [0, *means[:-1]]
    assert found["expected words: mean, next"].tolist() == [*means[1:], 0]
    below = [float((means < one).mean() * 5 / 4) for one in means]
    assert found["expected rank: words: mean"].tolist() == pytest.approx(below)
