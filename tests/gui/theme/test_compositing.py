"""Pop-ups have round corners with and without a compositing manager."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.theme import compositing
from gui.theme.theme import Theme
from gui.widgets.inputs.combo import ComboBox
from gui.widgets.inputs.menu import Menu


def _menu(qtbot: QtBot, theme: Theme) -> QWidget:
    menu = Menu(theme, "Export")
    qtbot.addWidget(menu)
    for words in ("Word, .docx", "Web page, .html"):
        menu.add(words)
    menu.popup(menu.pos())
    return menu


def _combo_popup(qtbot: QtBot, theme: Theme) -> QWidget:
    box = ComboBox(theme, name="Kind")
    qtbot.addWidget(box)
    box.addItems(["Word", "Web page"])
    box.show()
    box.showPopup()
    return box.view().window()


@pytest.mark.parametrize("composited", [True, False])
def test_corners_show_what_lies_behind(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, composited: bool
) -> None:
    monkeypatch.setattr(compositing, "has_compositor", lambda: composited)
    popup = QWidget()
    qtbot.addWidget(popup)
    popup.resize(100, 60)
    compositing.round_corners(popup, 10)
    popup.show()
    translucent = popup.testAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    assert translucent is composited
    if not composited:
        assert not popup.mask().contains(QPoint(0, 0))
        assert popup.mask().contains(QPoint(50, 30))


@pytest.mark.parametrize("make", [_menu, _combo_popup], ids=["menu", "combo"])
def test_a_pop_up_of_any_size_is_cut(
    qtbot: QtBot,
    theme: Theme,
    monkeypatch: pytest.MonkeyPatch,
    make: Callable[[QtBot, Theme], QWidget],
) -> None:
    monkeypatch.setattr(compositing, "has_compositor", lambda: False)
    popup = make(qtbot, theme)
    assert not popup.mask().contains(QPoint(0, 0))
    assert popup.mask().contains(popup.rect().center())
    popup.close()


def test_other_platforms_need_not_be_asked(qtbot: QtBot) -> None:
    compositing.has_compositor.cache_clear()
    assert compositing.has_compositor()
