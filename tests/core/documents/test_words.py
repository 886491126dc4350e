"""What a word is, in any script, and which forms of it are one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.tokenizers import DefaultTokenizer

from core.documents.words import light_stem, rouge_words, unicode_words


@given(st.text())
def test_rouge_words_are_those_of_rouge_score(text):
    assert rouge_words(text) == DefaultTokenizer(use_stemmer=False).tokenize(text)


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


@given(st.text())
def test_unicode_words_of_any_text_stand_alone(text):
    for word in unicode_words(text):
        assert word
        assert not any(letter.isspace() for letter in word)


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
