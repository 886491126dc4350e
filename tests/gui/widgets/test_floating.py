"""Menu, tooltip, drop zone, dialog, focus ring, label."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QEnterEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.tooltip import Tooltip, set_tooltip
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.dialog import ConfirmDialog
from gui.widgets.inputs.drop_zone import DropZone
from gui.widgets.inputs.menu import Menu, shown_keys
from gui.widgets.support.focus_ring import OUTSET_PX, FocusRing


def test_menu_item_is_chosen_with_keys(qtbot: QtBot, theme: Theme) -> None:
    chosen: list[str] = []
    menu = Menu(theme, "Export")
    qtbot.addWidget(menu)
    menu.add("Word, .docx", lambda: chosen.append("docx"), icon="file-text", shortcut="Ctrl+E")
    menu.add("Web page, .html", lambda: chosen.append("html"), icon="file-code")
    menu.popup(menu.pos())
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return):
        qtbot.keyClick(menu, key)
    assert chosen == ["html"]


def test_menu_opens_under_its_button(qtbot: QtBot, theme: Theme) -> None:
    button = Button(theme, "Recent", trailing_icon="chevron-down")
    menu = Menu(theme, "Recent")
    qtbot.addWidget(button)
    qtbot.addWidget(menu)
    menu.add("A long name of a document that was open before")
    button.move(500, 100)
    with qtbot.waitExposed(button):
        button.show()
    menu.open_below(button, flush_right=True)
    right = button.mapToGlobal(button.rect().topRight()).x()
    assert menu.geometry().right() == right
    assert menu.geometry().top() > button.mapToGlobal(button.rect().bottomLeft()).y()


def test_a_menu_is_gone_when_it_has_closed(qtbot: QtBot, theme: Theme) -> None:
    button = Button(theme, "Recent", trailing_icon="chevron-down")
    qtbot.addWidget(button)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Escape):
        menu = Menu(theme, "Recent", button)
        menu.add("Report", lambda: None).setShortcut("Ctrl+R")
        menu.open_below(button)
        for each in (Qt.Key.Key_Down, key):
            qtbot.keyClick(menu, each)
    qtbot.waitUntil(lambda: not button.findChildren(Menu))


def test_menu_is_painted_with_separator_check_and_disabled_item(qtbot: QtBot, theme: Theme) -> None:
    menu = Menu(theme)
    qtbot.addWidget(menu)
    checked = menu.add("Shade by score")
    menu.addSeparator()
    menu.add("Not now").setEnabled(False)
    before = menu.grab().toImage()
    checked.setCheckable(True)
    checked.setChecked(True)
    assert menu.grab().toImage() != before


@pytest.mark.parametrize(
    ("keys", "text"), [("Ctrl+Shift+C", "Ctrl Shift C"), ("P", "P"), ("Ctrl++", "Ctrl +")]
)
def test_keys_are_shown_with_spaces(keys: str, text: str) -> None:
    assert shown_keys(QKeySequence(keys)) == text


def test_tooltip_appears_after_pointing_and_goes_on_leaving(qtbot: QtBot, theme: Theme) -> None:
    button = Button(theme, icon="pin", tooltip="Pin this sentence", keys="P")
    qtbot.addWidget(button)
    with qtbot.waitExposed(button):
        button.show()

    def tips() -> list[Tooltip]:
        return [tip for tip in button.findChildren(Tooltip) if tip.isVisible()]

    qtbot.mouseMove(button)
    QApplication.sendEvent(button, _enter())
    qtbot.waitUntil(lambda: len(tips()) == 1)
    set_tooltip(button, theme, "Unpin this sentence", "P")
    assert tips() == []
    assert button.toolTip() == "Unpin this sentence"


def test_tooltip_beside_leaves_what_is_below_in_sight(qtbot: QtBot, theme: Theme) -> None:
    button = Button(theme, icon="pin", tooltip="Pin")
    set_tooltip(button, theme, "Pin", beside=True)
    qtbot.addWidget(button)
    with qtbot.waitExposed(button):
        button.show()
    QApplication.sendEvent(button, _enter())
    qtbot.waitUntil(lambda: len(button.findChildren(Tooltip)) == 1)
    tip = button.findChildren(Tooltip)[0]
    assert tip.x() > button.mapToGlobal(button.rect().topRight()).x()


def _enter() -> QEnterEvent:
    return QEnterEvent(QPointF(4, 4), QPointF(4, 4), QPointF(4, 4))


def test_dropped_files_arrive_as_paths(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    zone = DropZone(theme, "Drop a document here", "PDF or text", keys=[("Ctrl O", "open")])
    qtbot.addWidget(zone)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a b.pdf")), QUrl("https://example.org/x")])
    with qtbot.waitSignal(zone.files_dropped) as told:
        zone.dropEvent(_drop(data))
    assert told.args == [[tmp_path / "a b.pdf"]]


def test_dropped_words_arrive_as_text(qtbot: QtBot, theme: Theme) -> None:
    zone = DropZone(theme, "Drop a document here", "PDF or text", takes_text=True)
    qtbot.addWidget(zone)
    data = QMimeData()
    data.setText("A long text.")
    with qtbot.waitSignal(zone.text_dropped) as told:
        zone.dropEvent(_drop(data))
    assert told.args == ["A long text."]
    assert zone.accessibleName() == "Drop a document here"


def _drop(data: QMimeData) -> QDropEvent:
    copy, none = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    return QDropEvent(QPointF(5, 5), copy, data, Qt.MouseButton.LeftButton, none)


def test_confirming_dialog_has_its_focus_on_the_safe_button(qtbot: QtBot, theme: Theme) -> None:
    dialog = ConfirmDialog(theme, "Delete 212 summaries?", "For good.", deed="Delete 212 summaries")
    qtbot.addWidget(dialog)
    with qtbot.waitActive(dialog):
        dialog.show()
    qtbot.waitUntil(dialog.keep_button.hasFocus)
    with qtbot.waitSignal(dialog.rejected):
        qtbot.keyClick(dialog.keep_button, Qt.Key.Key_Return)


def test_escape_keeps_and_only_the_deed_accepts(qtbot: QtBot, theme: Theme) -> None:
    dialog = ConfirmDialog(theme, "Delete?", "For good.", deed="Delete")
    qtbot.addWidget(dialog)
    dialog.show()
    with qtbot.waitSignal(dialog.rejected):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    dialog.show()
    with qtbot.waitSignal(dialog.accepted):
        qtbot.mouseClick(dialog.deed_button, Qt.MouseButton.LeftButton)


@pytest.fixture
def pair(qtbot: QtBot, theme: Theme) -> tuple[FocusRing, Button, Button]:
    window = QWidget()
    qtbot.addWidget(window)
    row = QHBoxLayout(window)
    row.setContentsMargins(20, 20, 20, 20)
    first, second = Button(theme, "First"), Button(theme, "Second")
    row.addWidget(first)
    row.addWidget(second)
    ring = FocusRing(window, theme)
    with qtbot.waitActive(window):
        window.show()
    first.setFocus(Qt.FocusReason.OtherFocusReason)
    return ring, first, second


def test_focus_ring_comes_with_the_keyboard(
    qtbot: QtBot, pair: tuple[FocusRing, Button, Button]
) -> None:
    ring, first, second = pair
    qtbot.keyClick(first, Qt.Key.Key_Tab)
    qtbot.waitUntil(ring.isVisible)
    outset = OUTSET_PX
    assert ring.geometry() == second.geometry().adjusted(-outset, -outset, outset, outset)


def test_focus_ring_goes_with_the_pointer(
    qtbot: QtBot, pair: tuple[FocusRing, Button, Button]
) -> None:
    ring, first, second = pair
    qtbot.keyClick(first, Qt.Key.Key_Tab)
    qtbot.waitUntil(ring.isVisible)
    qtbot.mouseClick(second, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not ring.isVisible())


def test_label_never_takes_words_for_markup(qtbot: QtBot, theme: Theme) -> None:
    label = Label(theme, "a < b & <b>c</b>")
    qtbot.addWidget(label)
    assert label.textFormat() == Qt.TextFormat.PlainText


def test_wrapped_label_is_as_high_as_its_lines(qtbot: QtBot, theme: Theme) -> None:
    label = Label(theme, "one two three four five six seven eight nine ten", wrap=True)
    qtbot.addWidget(label)
    assert label.heightForWidth(1000) == 20
    assert label.heightForWidth(60) >= 80
    assert label.heightForWidth(60) % 20 == 0


def test_elided_label_gives_way(qtbot: QtBot, theme: Theme) -> None:
    label = Label(theme, "A very long title of a document", "title", elide=True)
    qtbot.addWidget(label)
    assert label.minimumSizeHint().width() < 60
    assert label.sizeHint().width() > 200
