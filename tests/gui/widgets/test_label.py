"""A label is as high as its words need at each width."""

from pytestqt.qtbot import QtBot

from gui.theme.theme import Theme
from gui.widgets.label import Label

WORDS = "Words that take several lines where there is little room for them. "


def test_a_wrapped_label_has_the_height_of_the_words_it_shows_now(
    qtbot: QtBot, theme: Theme
) -> None:
    label = Label(theme, WORDS, wrap=True)
    qtbot.addWidget(label)
    line_px = theme.line_height("body")
    narrow, wide = label.heightForWidth(120), label.heightForWidth(900)
    assert narrow > wide == line_px
    label.setText(WORDS * 4)
    assert label.heightForWidth(120) > 2 * narrow and label.heightForWidth(900) > wide
    label.setText("Few.")
    assert label.heightForWidth(120) == line_px


def test_any_number_of_widths_is_answered_alike(qtbot: QtBot, theme: Theme) -> None:
    label = Label(theme, WORDS * 3, wrap=True)
    qtbot.addWidget(label)
    first = [label.heightForWidth(width) for width in range(60, 400)]
    assert [label.heightForWidth(width) for width in range(60, 400)] == first
    assert first == sorted(first, reverse=True)
