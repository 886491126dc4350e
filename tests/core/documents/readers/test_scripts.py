"""Raised and lowered letters, written on the line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.readers.scripts import lowered, raised, shifted, with_scripts


@pytest.mark.parametrize(
    ("before", "text", "written"),
    [
        ("10", "6", "10⁶"),
        ("10", "-6", "10⁻⁶"),
        ("Ca", "2+", "Ca²⁺"),
        ("km", "2", "km²"),
        ("x", "n", "xⁿ"),
        ("x", "k", "x^k"),
        ("(ab)", "?", "(ab)^?"),
        ("10", "1.25", "10^1.25"),
        ("e", "x/2", "e^(x/2)"),
        ("in 2019", "1,2", "in 2019^1,2"),
        ("10", "6 ", "10⁶ "),
    ],
)
def test_a_power_never_becomes_part_of_a_number(before: str, text: str, written: str) -> None:
    assert with_scripts(before + raised(text)) == written


@pytest.mark.parametrize(
    ("before", "text"),
    [("the 1", "st"), ("le 2", "ème"), ("M", "me"), ("Epitome", "TM"), ("Mark", "®"), ("5", "*")],
)
def test_ordinals_and_abbreviations_stay_as_they_are(before: str, text: str) -> None:
    assert with_scripts(before + raised(text)) == before + text


@pytest.mark.parametrize("before", ["in adults", "in adults.", "(in adults)", "by 5%"])
@pytest.mark.parametrize("text", ["1,2", "4–6", "[3]", "3a, 5", "[2; 7]"])
def test_numbers_of_sources_behind_words_are_away(before: str, text: str) -> None:
    assert with_scripts(f"{before}{raised(text)} Later") == f"{before} Later"


def test_one_number_behind_a_word_may_be_a_power_and_stays() -> None:
    assert with_scripts(f"adults{raised('3')} in m{raised('2')}") == "adults³ in m²"


def test_the_number_of_a_note_before_its_text_stays() -> None:
    assert with_scripts(f"{raised('[1]')} This is a note.") == "[1] This is a note."


def test_a_power_in_several_pieces_is_one() -> None:
    text = f"10{raised('-')}{raised('1')}{raised('2')} and adults{raised('1')}{raised(',')}"
    assert with_scripts(text + raised("2")) == "10⁻¹² and adults"


def test_indexes_stay_apart_from_numbers() -> None:
    text = f"H{lowered('2')}O, log{lowered('10')}, T{lowered('1/2')}, CO{lowered('x')}"
    assert with_scripts(text) == "H₂O, log₁₀, T_1/2, COx"


def test_a_typed_fraction_is_no_whole_number() -> None:
    assert with_scripts(f"3{raised('1')}/{lowered('2')} cups") == "3¹/₂ cups"


@given(
    st.lists(
        st.tuples(st.text("a1 ,[n\u00e9", max_size=9), st.integers(-1, 1)), min_size=1, max_size=8
    )
)
def test_no_mark_is_left_and_plain_text_stays(pieces: list[tuple[str, int]]) -> None:
    text = with_scripts("".join(shifted(text, shift) for text, shift in pieces))
    assert text.isprintable()
    plain = "".join(text for text, shift in pieces if not shift)
    rest = iter(text)
    assert all(char in rest for char in plain)
