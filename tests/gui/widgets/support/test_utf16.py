"""Code points and UTF-16 units name the same places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextLayout
from pytestqt.qtbot import QtBot

from gui.widgets.support.utf16 import Utf16Map, display_text

ANY_TEXT = st.text(st.characters(codec="utf-8") | st.sampled_from("a𝒜𝔅👩‍🔬é∑שم漢"), max_size=60)


@given(ANY_TEXT)
def test_offsets_go_there_and_back(text: str) -> None:
    offsets = Utf16Map(text)
    for offset in range(len(text) + 1):
        unit = offsets.to_utf16(offset)
        assert unit == len(text[:offset].encode("utf-16-le")) // 2
        assert offsets.to_code_points(unit) == offset


@given(ANY_TEXT)
def test_the_second_half_of_a_letter_belongs_to_it(text: str) -> None:
    offsets = Utf16Map(text)
    for offset, letter in enumerate(text):
        if letter > "\uffff":
            assert offsets.to_code_points(offsets.to_utf16(offset) + 1) == offset


@given(st.text(st.characters() | st.sampled_from("\ud800\udc00 \n5%m"), max_size=40))
def test_shown_text_is_as_long_as_the_original(text: str) -> None:
    shown = display_text(text)
    assert len(shown) == len(text)
    assert len(QTextLayout(shown).text()) == len(shown)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("under 40 MPa now", "under 40\u00a0MPa now"),
        ("14 Ω cm² and", "14\u00a0Ω\u00a0cm² and"),
        ("91 % of it", "91\u00a0% of it"),
        ("at 60 °C for", "at 60\u00a0°C for"),
        ("in 2019 more cells", "in 2019 more cells"),
        ("7 min. later", "7\u00a0min. later"),
        ("7 minutes", "7 minutes"),
        ("about 410 000 euros", "about 410\u00a0000 euros"),
        ("EP 3 902 115 A1", "EP 3\u00a0902\u00a0115 A1"),
        ("over 12 500 km of it", "over 12\u00a0500\u00a0km of it"),
        ("in 2019 100 wells, 7 12 345", "in 2019 100 wells, 7 12 345"),
    ],
)
def test_a_number_stays_with_its_unit(text: str, shown: str) -> None:
    assert display_text(text) == shown


def test_breaks_in_code_stay_breaks(qtbot: QtBot) -> None:
    assert display_text("a\nb") == "a\u2028b"


def test_half_a_letter_takes_its_place() -> None:
    assert display_text("a\ud800b\udc00") == "a\ufffdb\ufffd"
    assert display_text("\ud83d\ude00") == "\ufffd\ufffd"
