import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.tokenizers import DefaultTokenizer

from core.events import result_of
from core.gsg.bags import bags_of
from core.gsg.tokens import light_stem, rouge_words, tokenise, unicode_words
from core.stop import Stopping, StopToken
from tests.helpers.tokens import tokens_of


@given(st.text())
def test_rouge_words_are_those_of_rouge_score(text):
    assert rouge_words(text) == DefaultTokenizer(use_stemmer=False).tokenize(text)


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


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The CAT, don’t!", ["the", "cat", "don", "t"]),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("Привет, мир", ["привет", "мир"]),
        ("naïve cafe\u0301 café", ["naïve", "café", "café"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("مَرحبا", ["مَرحبا"]),
        ("中文句子。", ["中文", "文句", "句子"]),
        ("字", ["字"]),
        ("𠀀𠀁。😀 𞤀𞥄𞤁", ["𠀀𠀁", "𞤢𞥄𞤣"]),
        ("日本語のテスト", ["日本", "本語", "語の", "のテ", "テス", "スト"]),
        ("AI技術2024年", ["ai", "技術", "2024", "年"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("ที่นี่", ["ที่นี่"]),
        ("ﬁne ２０", ["fine", "20"]),
        ("… — !", []),
    ],
)
def test_unicode_words(text, words):
    assert unicode_words(text) == words


def test_rouge_words_are_deaf_outside_ascii():
    tokens = tokens_of(["Привет", "hello"])
    assert tokens.lengths.tolist() == [0, 1]


@given(st.text())
def test_unicode_words_of_any_text_stand_alone(text):
    for word in unicode_words(text):
        assert word
        assert not any(letter.isspace() for letter in word)


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


@pytest.mark.parametrize(
    ("word", "stem"),
    [("pumps", "pump"), ("queries", "query"), ("houses", "house"), ("shoes", "shoe"),
     ("bees", "bee"), ("proposals", "propos"), ("proposing", "propos"), ("мостами", "мостам")],
)  # fmt: skip
def test_forms_of_a_word_have_one_stem(word: str, stem: str) -> None:
    assert light_stem(word) == stem


@pytest.mark.parametrize(
    "word", ["glass", "virus", "its", "was", "pump", "", "心", "1000000", "x86asm"]
)
def test_other_words_stay(word: str) -> None:
    assert light_stem(word) == word


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
