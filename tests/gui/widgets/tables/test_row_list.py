"""A list whose rows are painted: its keys, its signals, its place."""

from collections.abc import Hashable

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QPainter
from pytestqt.qtbot import QtBot

from gui.theme.theme import Theme
from gui.widgets.tables.row_list import RowList, RowLook


class Ships(RowList):
    """Ships by their names."""

    def key(self, item: tuple[str, int]) -> Hashable:
        return item[0]

    def words(self, item: tuple[str, int]) -> str:
        return f"Ship {item[0]}"

    def spoken(self, item: tuple[str, int]) -> str:
        return f"Ship {item[0]}, {item[1]} tons"

    def row_height(self, row: object, place: int) -> int:
        return 20 if isinstance(row, str) else 40

    def paint_row(self, painter: QPainter, box: QRectF, row: object, look: RowLook) -> None:
        painter.drawText(box, str(row))


ROWS = ["Here", ("Anna", 7), ("Berta", 9), "Away", *((f"Cog {n}", n) for n in range(30))]


@pytest.fixture
def ships(qtbot: QtBot, theme: Theme) -> Ships:
    ships = Ships(theme, "Ships")
    qtbot.addWidget(ships)
    ships.resize(200, 200)
    ships.show()
    ships.show_rows(ROWS, "Anna")
    return ships


def test_arrow_keys_pass_over_heads_and_only_the_user_is_heard(qtbot: QtBot, ships: Ships) -> None:
    chosen: list[str] = []
    ships.chosen.connect(chosen.append)
    ships.show_rows(ROWS, "Berta")
    assert chosen == [] and ships.currentIndex().data() == "Ship Berta"
    qtbot.keyClick(ships, Qt.Key.Key_Down)
    qtbot.keyClick(ships, Qt.Key.Key_Up)
    qtbot.keyClick(ships, Qt.Key.Key_Up)
    assert chosen == ["Cog 0", "Berta", "Anna"]
    assert ships.titles[:4] == ["Here", "Ship Anna", "Ship Berta", "Away"]
    spoken = ships.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Ship Anna, 7 tons"


def test_enter_and_a_double_click_open_and_heads_do_nothing(qtbot: QtBot, ships: Ships) -> None:
    heard: list[str] = []
    ships.opened.connect(lambda: heard.append("opened"))
    ships.clicked_item.connect(lambda: heard.append("clicked"))
    ships.menu_requested.connect(lambda place: heard.append("menu"))
    qtbot.keyClick(ships, Qt.Key.Key_Return)
    for at in (QPoint(20, 10), QPoint(20, 70)):  # the head, then Berta
        qtbot.mouseClick(ships.viewport(), Qt.MouseButton.LeftButton, pos=at)
        qtbot.mouseDClick(ships.viewport(), Qt.MouseButton.LeftButton, pos=at)
        if at.y() < 20:
            heard.append("head")
    assert heard[:3] == ["opened", "head", "clicked"]
    assert heard.count("opened") == 2 and "menu" not in heard
    assert ships.currentIndex().data() == "Ship Berta"


def test_new_rows_keep_the_place_and_the_current_item(ships: Ships) -> None:
    ships.verticalScrollBar().setValue(400)
    ships.show_rows([*ROWS, ("Zeta", 1)], "Anna")
    assert ships.verticalScrollBar().value() == 400
    assert ships.currentIndex().data() == "Ship Anna"
    ships.show_current()
    assert ships.viewport().rect().contains(ships.visualRect(ships.currentIndex()))
    assert ships.place_of("Zeta") == len(ROWS) and ships.place_of("Nobody") == -1
