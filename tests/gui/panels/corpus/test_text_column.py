"""The strip above a document of a corpus, in a window of usual size."""

import pytest
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from gui.panels.corpus.text_column import TextColumn
from gui.theme.theme import Theme

LAPTOP_PX, WIDE_PX = 614, 664
"""What a window of 1366 and of 1440 px leaves for the text."""


@pytest.mark.parametrize("width", [LAPTOP_PX, WIDE_PX])
def test_all_that_is_known_of_a_sentence_has_room(qtbot: QtBot, theme: Theme, width: int) -> None:
    column = TextColumn(theme)
    qtbot.addWidget(column)
    column.show_gap_parts(True)
    column.counts.setText("231 sentences")
    column.chosen.setText("69 chosen")
    column.scale.show_top(0.015)
    column.pointed.show_words("0.0071, 187th; chosen 26th, at 0.0412")
    column.resize(width, 400)
    with qtbot.waitExposed(column):
        column.show()
    words = QFontMetricsF(theme.font("small")).horizontalAdvance(column.pointed.words)
    assert words <= column.pointed.width() - 20
