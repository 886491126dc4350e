"""Rows and columns of widgets."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.widgets.support import layouts


def box(width: int, height: int) -> QWidget:
    widget = QWidget()
    widget.setFixedSize(width, height)
    return widget


def test_parts_lie_in_their_order_with_gaps_margins_and_what_grows(qtbot: QtBot) -> None:
    holder, first, second, third = QWidget(), box(10, 10), box(20, 10), box(30, 40)
    qtbot.addWidget(holder)
    inner = layouts.column(first, second, spacing=3)
    layouts.row(
        inner,
        7,
        layouts.stretch(),
        (third, 0, Qt.AlignmentFlag.AlignTop),
        into=holder,
        margins=(5, 6, 4, 0),
    )
    holder.resize(200, 100)
    holder.show()
    assert (first.x(), second.x()) == (5, 5)
    assert second.y() - first.y() >= 13
    assert third.geometry().right() == 200 - 4 - 1 and third.y() == 6


def test_a_part_takes_its_share_of_the_room(qtbot: QtBot) -> None:
    holder, left, right = QWidget(), QWidget(), QWidget()
    qtbot.addWidget(holder)
    layouts.row((left, 1), (right, 3), into=holder)
    holder.resize(400, 20)
    holder.show()
    assert (left.width(), right.width()) == (100, 300)
