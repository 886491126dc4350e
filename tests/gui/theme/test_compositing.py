"""Pop-ups have round corners with and without a compositing manager."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.theme import compositing


@pytest.mark.parametrize("composited", [True, False])
def test_corners_show_what_lies_behind(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, composited: bool
) -> None:
    monkeypatch.setattr(compositing, "has_compositor", lambda: composited)
    popup = QWidget()
    qtbot.addWidget(popup)
    compositing.round_corners(popup, 10)
    popup.resize(100, 60)
    popup.show()
    translucent = popup.testAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    assert translucent is composited
    if not composited:
        assert not popup.mask().contains(QPoint(0, 0))
        assert popup.mask().contains(QPoint(50, 30))


def test_a_pop_up_is_cut_even_while_its_python_part_is_collected(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compositing, "has_compositor", lambda: False)
    popup = QWidget()
    qtbot.addWidget(popup)
    compositing.round_corners(popup, 10)
    (mask,) = popup.findChildren(compositing._Mask)
    vars(mask).clear()
    popup.resize(100, 60)
    popup.show()
    assert not popup.mask().contains(QPoint(0, 0))


def test_other_platforms_need_not_be_asked(qtbot: QtBot) -> None:
    compositing.has_compositor.cache_clear()
    assert compositing.has_compositor()
