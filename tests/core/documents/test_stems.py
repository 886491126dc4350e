"""Stems of other languages, held against NLTK's Snowball stemmers, written by others."""

import pytest
from nltk.stem.snowball import SnowballStemmer

from core.documents.languages import UNKNOWN, language_of, languages
from core.documents.stems import stemmer_of
from core.documents.words import light_stem

WORDS = {
    "de": "häuser untersuchungen freundlichkeit entwicklungen menschen verschiedene gegangen",
    "fr": "continuellement majestueusement chevaux règlements décisions importantes étudiants",
    "es": "chicharrones torneados ciudades rápidamente nacionales investigaciones trabajaban",
    "it": "abbandonata pronunciavano nazionali investigazioni rapidamente lavoravano città",
    "pt": "boataria quilométricas nacionais investigações rapidamente trabalhavam cidades",
    "ru": "вавиловка правительства исследования городами красивого работали возможности",
}


@pytest.mark.parametrize("code", WORDS)
def test_stems_are_those_of_snowball(code: str) -> None:
    language = language_of(code)
    words = WORDS[code].split()
    theirs = SnowballStemmer(language.stemmer)
    assert list(map(stemmer_of(language), words)) == list(map(theirs.stem, words))


def test_dutch_is_stemmed_by_the_newer_algorithm() -> None:
    """Snowball's own has been that of Kraaij and Pohlmann since its version 3; NLTK's is older."""
    stem = stemmer_of(language_of("nl"))
    assert stem("huizen") == stem("huis")
    assert SnowballStemmer("dutch").stem("huizen") != SnowballStemmer("dutch").stem("huis")


@pytest.mark.parametrize("language", [UNKNOWN, language_of("en"), language_of("zh")])
def test_english_and_languages_without_a_stemmer_keep_the_light_one(language) -> None:
    assert stemmer_of(language) is light_stem


def test_every_stemmer_that_is_named_is_there() -> None:
    stemmed = [language for language in languages().values() if language.stemmer]
    assert len(stemmed) >= 15
    for language in stemmed:
        stem = stemmer_of(language)
        assert all(stem(word) for word in language.words)
