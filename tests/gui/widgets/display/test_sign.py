"""A sign stands in the middle of the first line of the words beside it."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QBitmap, QImage, QRegion
from PySide6.QtWidgets import QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.sign import Sign


@pytest.mark.parametrize(("role", "size"), [("title", 20), ("body", 16), ("small", 14)])
def test_a_sign_is_in_the_middle_of_the_first_line(
    qtbot: QtBot, theme: Theme, role: str, size: int
) -> None:
    card = QWidget()
    qtbot.addWidget(card)
    row = QHBoxLayout(card)
    row.setContentsMargins(0, 0, 0, 0)
    sign = Sign(theme, "octagon-x", "err", size, beside=role)
    row.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
    row.addWidget(Label(theme, "What happened, in so many words. " * 4, role, wrap=True), 1)
    card.resize(300, card.heightForWidth(300))
    with qtbot.waitExposed(card):
        card.show()
    assert sign.size().width() == size
    image = QImage(sign.size(), QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    sign.render(image, QPoint(), QRegion(), QWidget.RenderFlag(0))
    ink = QRegion(QBitmap.fromImage(image.createAlphaMask())).boundingRect()
    middle = sign.y() + ink.y() + ink.height() / 2
    assert abs(middle - theme.line_height(role) / 2) <= 0.5
