import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.tokenizers import DefaultTokenizer

from core.documents.words import light_stem
from core.events import result_of
from core.gsg.bags import bags_of
from core.gsg.tokens import tokenise
from core.stop import Stopping, StopToken
from tests.helpers.tokens import tokens_of


@given(st.lists(st.text(alphabet="aeinrstygdl ", max_size=30)))
def test_stems_are_those_of_rouge_score(sentences):
    tokens = tokens_of(sentences, stem=True)
    stemmed = [DefaultTokenizer(use_stemmer=True).tokenize(text) for text in sentences]
    numbers = {}
    expected = [numbers.setdefault(word, len(numbers)) for words in stemmed for word in words]
    assert tokens.lengths.tolist() == [len(words) for words in stemmed]
    found = {}
    assert [found.setdefault(word, len(found)) for word in tokens.words.tolist()] == expected
    assert tokens.num_words == len(numbers)


def test_words_of_three_letters_keep_their_ending():
    tokens = tokens_of(["was wa", "cats cat"], stem=True)
    assert tokens.words.tolist() == [0, 1, 2, 2]


def test_rouge_words_are_deaf_outside_ascii():
    tokens = tokens_of(["Привет", "hello"])
    assert tokens.lengths.tolist() == [0, 1]


def test_words_and_bags_are_numbered():
    tokens = tokens_of(["b a b", "", "a c"])
    assert tokens.words.tolist() == [0, 1, 0, 1, 2]
    assert len(tokens) == 3
    bags = bags_of(tokens)
    assert bags.sentences.tolist() == [0, 2]
    assert (bags.words.tolist(), bags.counts.tolist()) == ([0, 1, 1, 2], [2, 1, 1, 1])
    assert bags_of(tokens, unique=True).lengths.tolist() == [2, 2]


def test_pairs_of_words_never_cross_a_sentence_end():
    tokens = tokens_of(["a b a b", "b", "a b"])
    bags = bags_of(tokens, 2)
    assert bags.lengths.tolist() == [3, 0, 1]
    assert bags.num_words == 2


def test_a_wish_to_stop_is_heard():
    stop = StopToken()
    stop.request("stop")
    with pytest.raises(Stopping):
        result_of(tokenise(["a"], stop))


def test_words_that_are_reduced_to_the_same_are_one() -> None:
    tokens = result_of(tokenise(["Pumps move", "a pump moves", ""], StopToken()))
    reduced = tokens.reduced(light_stem)
    assert [reduced.spellings[word] for word in reduced.words] == [
        "pump",
        "move",
        "a",
        "pump",
        "move",
    ]
    assert reduced.starts.tolist() == tokens.starts.tolist()
    assert sorted(reduced.spellings) == ["a", "move", "pump"]
