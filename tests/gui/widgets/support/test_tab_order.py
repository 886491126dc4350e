"""Tab goes where the eye goes, whenever a control was made."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.theme.theme import Theme
from gui.widgets.display.area import Area
from gui.widgets.inputs.button import Button
from gui.widgets.support.tab_order import put_in_order


def test_controls_follow_each_other_as_they_are_laid_out(qtbot: QtBot, theme: Theme) -> None:
    page, content = QWidget(), QWidget()
    qtbot.addWidget(page)
    column, area, inner = QVBoxLayout(page), Area(), QVBoxLayout(content)
    foot, fourth, third, first, second = (Button(theme, name) for name in "54312")
    for late in (foot, fourth):
        late.setParent(page)
    row = QHBoxLayout()
    row.addWidget(first)
    row.addWidget(second)
    column.addLayout(row)
    area.setWidget(content)
    column.addWidget(area)
    column.addWidget(foot)
    inner.addWidget(third)
    inner.addWidget(fourth)
    put_in_order(page)
    with qtbot.waitExposed(page):
        page.show()
    page.activateWindow()
    first.setFocus()
    reached = [first.text()]
    for _ in range(4):
        focus = page.focusWidget()
        assert focus is not None
        qtbot.keyClick(focus, Qt.Key.Key_Tab)
        focus = page.focusWidget()
        assert isinstance(focus, Button)
        reached.append(focus.text())
    assert reached == list("12345")
