"""The length field takes what the command line takes, and says in words what is possible."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import EpitomeError
from core.summaries.length import Length, LengthUnit
from gui.theme.theme import Theme
from gui.widgets.inputs.length_field import LengthField, parse_length


@pytest.mark.parametrize(
    ("text", "unit", "length"),
    [
        ("12", "sentences", Length(12)),
        ("4,000", "words", Length(4000, "words")),
        ("4 000", "words", Length(4000, "words")),
        ("4\u202f000", "words", Length(4000, "words")),
        ("100 %", "share", Length(100, "share")),
        ("100%", "sentences", Length(100, "share")),
        ("2.5", "share", Length(2.5, "share")),
        ("120w", "sentences", Length(120, "words")),
        (" 120 Words ", "share", Length(120, "words")),
        ("1 sentence", "words", Length(1)),
        ("1k", "words", Length(1000, "words")),
    ],
)
def test_lengths_are_read_as_people_write_them(text: str, unit: LengthUnit, length: Length) -> None:
    assert parse_length(text, unit) == length


@given(
    st.one_of(
        st.builds(
            Length, st.integers(1, 10**6).map(float), st.sampled_from(["sentences", "words"])
        ),
        st.builds(Length, st.integers(1, 1000).map(lambda n: n / 10), st.just("share")),
    )
)
def test_what_the_command_line_takes_is_taken(length: Length) -> None:
    assert parse_length(str(length), "words") == Length.parse(str(length)) == length


@pytest.mark.parametrize(
    ("text", "unit", "said"),
    [
        ("", "words", "such as 5s, 120w or 10%"),
        ("ten", "words", "such as 5s, 120w or 10%"),
        ("12 pages", "words", "such as 5s, 120w or 10%"),
        ("101", "share", "at most 100 %"),
        ("0 %", "words", "more than 0 %"),
        ("0", "sentences", "whole numbers from 1"),
        ("2.5", "words", "whole numbers from 1"),
    ],
)
def test_what_is_no_length_is_refused_in_words(text: str, unit: LengthUnit, said: str) -> None:
    with pytest.raises(EpitomeError, match=said):
        parse_length(text, unit)


@pytest.mark.parametrize(("value", "most"), [(9, 30), (100, 100), (9, 4450), (123456, 30)])
def test_all_digits_have_room(theme: Theme, value: int, most: int) -> None:
    field = LengthField(theme, "Length")
    field.show_length(Length(value, "words"), most)
    for digits in (field.text(), f"{most:,}".replace(",", "\u202f")):
        field.setText(digits)
        field.setCursorPosition(len(digits))
        needed = field.fontMetrics().horizontalAdvance(digits)
        margins = field.textMargins()
        assert field.width() - margins.left() - margins.right() - needed >= 24, "padding and border"
    field.deleteLater()


def test_the_arrows_stay_within_the_document(theme: Theme) -> None:
    field = LengthField(theme, "Length")
    field.show_length(Length(29), 30)
    assert field.stepped(1) == field.stepped(10) == Length(30)
    assert field.stepped(-40) == Length(1)
    field.show_length(Length(50), 30)
    assert field.stepped(1) == Length(50)
    field.deleteLater()
