"""Abbreviations are found where a text explains them, and spelt out where a summary needs them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import count_words
from core.summarisers.presentation.abbreviations import find_abbreviations, spell_out


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        (
            "The Resolution Trust Corporation (RTC) was closed.",
            "RTC",
            "Resolution Trust Corporation",
        ),
        ("We use Return Type Notation (RTN).", "RTN", "Return Type Notation"),
        (
            "at the Office of Foreign Assets Control (OFAC).",
            "OFAC",
            "Office of Foreign Assets Control",
        ),
        ("sold as Software as a Service (SaaS) only", "SaaS", "Software as a Service"),
        (
            "the Technology Transformation Services (TTS)",
            "TTS",
            "Technology Transformation Services",
        ),
        ("with limited liability partnerships (LLPs)", "LLPs", "limited liability partnerships"),
        ("a thioredoxin reductase (TrxR)", "TrxR", "thioredoxin reductase"),
        ("EPA (Environmental Protection Agency) rules", "EPA", "Environmental Protection Agency"),
        ("the Agency’s open source program office (OSPO)", "OSPO", "open source program office"),
        (
            "We use non-negative matrix factorization (NMF) here.",
            "NMF",
            "non-negative matrix factorization",
        ),
        (
            "an adeno-associated virus serotype 9 (AAV9)",
            "AAV9",
            "adeno-associated virus serotype 9",
        ),
        ("with 4′,6-diamidino-2-phenylindole (DAPI)", "DAPI", "4′,6-diamidino-2-phenylindole"),
        ("an anti-tyrosine hydroxylase (TH) antibody", "TH", "tyrosine hydroxylase"),
        ("insulin/Target of Rapamycin (TOR) signals", "TOR", "Target of Rapamycin"),
        (
            "the ANP (Analysis of Nucleosome Places—) program",
            "ANP",
            "Analysis of Nucleosome Places",
        ),
    ],
)
def test_what_an_abbreviation_stands_for_is_found(text: str, short: str, long: str) -> None:
    assert find_abbreviations(text) == {short: long}


@pytest.mark.parametrize(
    "text",
    [
        "He was born in Dover (USA) and died there.",
        "The rule was kept (See below) by all.",
        "Mice were pretreated with this drug (MPA) twice.",
        "A short line\n(LINE) stands alone.",
        "We set A = B. Thus C (AB) holds.",
        "Sales rose in the second quarter (Q2) of the year.",
    ],
)
def test_other_brackets_explain_nothing(text: str) -> None:
    assert find_abbreviations(text) == {}


def test_the_first_explanation_counts() -> None:
    text = "A central server (CS) is here. Computer science (CS) is fun."
    assert find_abbreviations(text) == {"CS": "central server"}


def test_it_is_spelt_out_once_and_not_where_it_is_explained() -> None:
    forms = {"RTC": "Resolution Trust Corporation", "FSA": "Farm Service Agency"}
    assert spell_out(["The RTC and the FSA met.", "The RTC left."], forms) == [
        "The RTC [Resolution Trust Corporation] and the FSA [Farm Service Agency] met.",
        "The RTC left.",
    ]
    explained = ["The Farm Service Agency (FSA) met.", "The FSA paid."]
    assert spell_out(explained, forms) == explained


def test_parts_of_other_words_are_no_abbreviations() -> None:
    forms = {"RTC": "Resolution Trust Corporation"}
    for text in (
        "The RTC-like model.",
        "An RTCS chip.",
        "A (RTC) mark.",
        "The xRTC bus.",
        "RTC+ cells.",
    ):
        assert spell_out([text], forms) == [text]


@given(st.lists(st.text("AB RTC().[]", max_size=30), max_size=4), st.integers(0, 5))
def test_no_more_words_come_in_than_there_is_room(texts: list[str], room: int) -> None:
    forms = {"RTC": "Resolution Trust Corporation", "AB": "a b"}
    spelt = spell_out(texts, forms, room)
    added = sum(map(count_words, spelt)) - sum(map(count_words, texts))
    assert added <= room
    bare = [
        one.replace(" [Resolution Trust Corporation]", "").replace(" [a b]", "") for one in spelt
    ]
    assert bare == [
        one.replace(" [Resolution Trust Corporation]", "").replace(" [a b]", "") for one in texts
    ]


@given(st.text("ABc (),&-", max_size=80))
def test_any_text_is_looked_through(text: str) -> None:
    assert all(long in text for long in find_abbreviations(text).values())
