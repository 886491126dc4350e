"""A row that wraps is as high as what it shows."""

from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.theme.theme import Theme
from gui.widgets.inputs.wrap_row import WrapRow


def test_it_has_no_hole_where_a_group_was_and_room_for_one_that_comes(
    qtbot: QtBot, theme: Theme
) -> None:
    groups = [QPushButton(str(at)) for at in range(4)]
    for group in groups:
        group.setFixedSize(120, 32)
    row, below, holder = WrapRow(theme, groups, gap=8, padding=(0, 0, 0, 0)), QWidget(), QWidget()
    qtbot.addWidget(holder)
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(row)
    column.addWidget(below, 1)
    holder.resize(400, 300)
    holder.show()
    qtbot.waitUntil(lambda: (row.height(), below.y()) == (72, 72))
    groups[3].hide()
    qtbot.waitUntil(lambda: (row.height(), below.y()) == (32, 32))
    groups[3].show()
    qtbot.waitUntil(lambda: (row.height(), below.y()) == (72, 72))
    groups[0].setFixedWidth(300)
    qtbot.waitUntil(lambda: groups[1].geometry().topLeft().toTuple() == (0, 40))
