"""The page with all parts, as documentation shows it."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QLineEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from docs.scenes.components import SIZE_PX, build
from gui.theme.theme import Theme


@pytest.fixture
def dressed(theme: Theme) -> Iterator[Theme]:
    """The theme, worn by the whole application."""
    theme.apply()
    yield theme
    theme.set_scheme("system")
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    app.setStyleSheet("")


def picture(qtbot: QtBot, theme: Theme) -> QImage:
    page = build(theme)
    qtbot.addWidget(page)
    with qtbot.waitExposed(page):
        page.show()
    return page.grab().toImage()


def test_every_part_changes_its_look_at_run_time(qtbot: QtBot, dressed: Theme) -> None:
    page = build(dressed)
    qtbot.addWidget(page)
    with qtbot.waitExposed(page):
        page.show()
    for scheme in ("dark", "light"):
        dressed.set_scheme(scheme)  # type: ignore[arg-type]
        assert page.grab().toImage() == picture(qtbot, dressed)


def test_page_has_the_size_of_the_window(qtbot: QtBot, dressed: Theme) -> None:
    assert picture(qtbot, dressed).size().toTuple() == SIZE_PX


def test_everything_that_takes_the_focus_has_a_name(qtbot: QtBot, dressed: Theme) -> None:
    page = build(dressed)
    qtbot.addWidget(page)
    for widget in page.findChildren(QWidget):
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
            name = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
            assert name, widget


def test_everything_that_can_be_pressed_is_24_px_or_more(qtbot: QtBot, dressed: Theme) -> None:
    page = build(dressed)
    qtbot.addWidget(page)
    with qtbot.waitExposed(page):
        page.show()
    for kind in (QAbstractButton, QAbstractSlider, QComboBox, QLineEdit):
        for widget in page.findChildren(kind):
            assert min(widget.width(), widget.height()) >= 24, widget
