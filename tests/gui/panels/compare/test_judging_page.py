"""The page of blind judging in windows of every allowed size."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect
from pytestqt.qtbot import QtBot

from gui.panels.compare.judging_page import JudgingPage
from gui.theme.theme import Theme


@pytest.mark.parametrize("width", [672, 832, 952, 1294])
def test_the_four_answers_stand_side_by_side(qtbot: QtBot, theme: Theme, width: int) -> None:
    page = JudgingPage(theme)
    qtbot.addWidget(page)
    page.resize(width, 400)
    with qtbot.waitExposed(page):
        page.show()
    places = [
        QRect(button.mapTo(page, QPoint(0, 0)), button.size()) for button in page.buttons.values()
    ]
    assert all(first.right() < second.left() for first, second in pairwise(places)), places
    assert places[-1].right() < width - 8
    widths = [button.width() >= button.sizeHint().width() for button in page.buttons.values()]
    assert all(widths), "every answer is whole"
