import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.numbers import THIN_SPACE, format_count
from gui.widgets.support.numbers import parse_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("16384", 16384),
        ("16 384", 16384),
        (f"16{THIN_SPACE}384", 16384),
        ("16k", 16000),
        ("1.5K", 1500),
        ("2M", 2_000_000),
        ("-3", -3),
        ("−3", -3),
    ],
)
def test_numbers_are_read_as_people_write_them(text: str, value: int) -> None:
    assert parse_number(text) == value


@pytest.mark.parametrize("text", ["", "k", "1.5", "1.2345k", "12a", "1,5k", "1.2.3", "٣k9"])
def test_what_is_no_whole_number_is_refused(text: str) -> None:
    assert parse_number(text) is None


@given(st.integers(-(10**12), 10**12))
def test_a_number_is_read_as_it_is_shown(value: int) -> None:
    assert parse_number(format_count(value)) == value


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    value = parse_number(text)
    assert value is None or isinstance(value, int)


def test_thousands_are_parted_from_five_digits_on() -> None:
    assert format_count(9210) == f"9{THIN_SPACE}210"
    assert format_count(14962) == f"14{THIN_SPACE}962"
