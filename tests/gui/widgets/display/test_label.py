"""A label is as high as its words need at each width."""

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QBitmap, QImage, QRegion
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.theme.theme import Theme
from gui.widgets.display.label import Label

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


@pytest.mark.parametrize("wrap", [True, False])
def test_words_stand_inside_the_margins(qtbot: QtBot, theme: Theme, wrap: bool) -> None:
    label, bare = Label(theme, WORDS, wrap=wrap), Label(theme, WORDS, wrap=wrap)
    qtbot.addWidget(label)
    qtbot.addWidget(bare)
    label.setContentsMargins(20, 16, 12, 4)
    assert label.sizeHint() == bare.sizeHint() + QSize(32, 20)
    label.resize(label.sizeHint())
    ink = ink_box(label)
    assert 20 <= ink.left() <= 23 and ink.right() <= label.width() - 12
    assert ink.top() >= 16 and ink.bottom() <= label.height() - 4


def test_a_few_letters_of_a_longer_text_are_left_out(qtbot: QtBot, theme: Theme) -> None:
    label = Label(theme, WORDS, elide=True, least=72)
    qtbot.addWidget(label)
    label.resize(60, 20)
    assert ink_box(label).isEmpty()
    label.resize(90, 20)
    assert not ink_box(label).isEmpty()
    label.setText("Brief")
    label.resize(60, 20)
    assert not ink_box(label).isEmpty()


def ink_box(label: Label) -> QRect:
    """The smallest box round all that is drawn."""
    image = QImage(label.size(), QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    label.render(image, QPoint(), QRegion(), QWidget.RenderFlag(0))
    return QRegion(QBitmap.fromImage(image.createAlphaMask())).boundingRect()
