"""The Settings panel, as a person uses it."""

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QObject, QPoint, QPointF, Qt, QUrl, Slot
from PySide6.QtGui import (
    QAccessible,
    QDesktopServices,
    QGuiApplication,
    QKeySequence,
    QShortcut,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLineEdit,
    QPushButton,
    QScrollBar,
    QSlider,
    QWidget,
)
from pytestqt.qtbot import QtBot

from core.library.folders import Folders
from core.library.preferences import Preferences
from core.library.recent import Recent, Recents
from docs.scenes.settings import build
from gui.forms.amount_editors import LengthEditor, SliderEditor
from gui.forms.editors import ChoiceEditor, SwitchEditor
from gui.panels.settings.about import AboutRow, PartRow
from gui.panels.settings.panel import SettingsPanel
from gui.panels.settings.sample import ReadingSample
from gui.panels.settings.shortcut_list import ShortcutRow
from gui.shortcuts import shortcuts
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.inputs.dialog import ConfirmDialog
from gui.widgets.inputs.text_dialog import TextDialog

PART = {"dark": "2", "off": "1", "inter": "1"}
PAGES = ("reading", "appearance", "summary", "history", "jobs", "privacy", "shortcuts", "about")
WIDE, MEDIUM, NARROW = (1440, 900), (1000, 700), (720, 450)


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return Folders.under(tmp_path)


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme, folders: Folders) -> SettingsPanel:
    return shown(qtbot, SettingsPanel(theme, Preferences(), folders))


def shown(qtbot: QtBot, panel: SettingsPanel, size: tuple[int, int] = WIDE) -> SettingsPanel:
    qtbot.addWidget(panel)
    panel.resize(*size)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


def told(panel: SettingsPanel) -> list[Preferences]:
    """What the panel says from now on."""
    said: list[Preferences] = []
    panel.preferences_changed.connect(said.append)
    return said


Kind = TypeVar("Kind")


def editor(panel: SettingsPanel, name: str, kind: type[Kind]) -> Kind:
    found = panel.rows[name].editor
    assert isinstance(found, kind)
    return found


def give(qtbot: QtBot, field: QLineEdit, text: str) -> None:
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def top_of(widget: QWidget, panel: SettingsPanel) -> int:
    return widget.mapTo(panel.content, QPoint(0, 0)).y()


def test_every_setting_has_a_row(panel: SettingsPanel) -> None:
    assert set(panel.rows) == set(Preferences.model_fields)


@pytest.mark.parametrize("size", [WIDE, (1366, 768), MEDIUM])
def test_no_words_are_cut_off(
    qtbot: QtBot, theme: Theme, folders: Folders, size: tuple[int, int]
) -> None:
    panel = shown(qtbot, SettingsPanel(theme, Preferences(), folders), size)
    panel.show_page("about")  # all pages are made then
    QApplication.processEvents()
    labels = [label for label in panel.findChildren(Label) if label.isVisible()]
    cut = [
        label.text()
        for label in labels
        if not (label.wordWrap() or label._elide) and label.width() < label.sizeHint().width()
    ]
    assert len(labels) > 30 and not cut


def test_help_is_one_line_without_a_stop(panel: SettingsPanel) -> None:
    told = {name: row.told for name, row in panel.rows.items()}
    assert all(told.values())
    assert not [text for text in told.values() if text.endswith(".") or ".;" in text]


@pytest.mark.parametrize(
    ("name", "value"), [("theme", "dark"), ("motion", "off"), ("text_face", "inter")]
)
def test_choosing_a_part_tells_new_settings(
    qtbot: QtBot, panel: SettingsPanel, name: str, value: str
) -> None:
    said = told(panel)
    qtbot.mouseClick(
        editor(panel, name, ChoiceEditor).segmented.part(PART[value]), Qt.MouseButton.LeftButton
    )
    assert said == [Preferences.checked({name: value})]


def test_switch_tells_new_settings(qtbot: QtBot, panel: SettingsPanel) -> None:
    said = told(panel)
    qtbot.keyClick(editor(panel, "contrast", SwitchEditor).control, Qt.Key.Key_Space)
    assert said == [Preferences(contrast=True)]


def test_slider_tells_once_and_moves_the_field(qtbot: QtBot, panel: SettingsPanel) -> None:
    size = editor(panel, "reading_size", SliderEditor)
    with qtbot.waitSignal(panel.preferences_changed) as signal:
        qtbot.keyClick(size.slider, Qt.Key.Key_Right)
    assert signal.args == [Preferences(reading_size=18)]
    assert size.field.text() == "18"


def test_field_moves_the_slider_and_the_sample(qtbot: QtBot, panel: SettingsPanel) -> None:
    said = told(panel)
    width = editor(panel, "line_width", SliderEditor)
    sample = panel.findChild(ReadingSample)
    assert sample is not None
    before = sample.grab().toImage()
    give(qtbot, width.field, "60")
    assert said == [Preferences(line_width=60)]
    assert width.slider.value() == 60
    assert sample.grab().toImage() != before


def test_number_out_of_bounds_stays_and_says_why(qtbot: QtBot, panel: SettingsPanel) -> None:
    said = told(panel)
    size = editor(panel, "reading_size", SliderEditor)
    give(qtbot, size.field, "40")
    assert size.field.error == panel.rows["reading_size"].told == "Must be at most 24."
    assert size.slider.value() == 17 and said == []
    qtbot.keyClick(editor(panel, "contrast", SwitchEditor).control, Qt.Key.Key_Space)
    assert said == [Preferences(contrast=True)], "the others act all the same"
    assert size.field.text() == "40"
    give(qtbot, size.field, "20")
    assert said[1:] == [Preferences(contrast=True, reading_size=20)]
    assert size.field.error == ""


def test_length_is_a_number_and_its_unit(qtbot: QtBot, panel: SettingsPanel) -> None:
    said = told(panel)
    length = editor(panel, "length", LengthEditor)
    qtbot.mouseClick(length.unit.part("words"), Qt.MouseButton.LeftButton)
    give(qtbot, length.field, " 1 20")
    assert length.field.text() == "120"
    assert [each.length for each in said] == ["220w", "120w"]
    give(qtbot, length.field, "many")
    assert "many" in length.field.error
    assert len(said) == 2


def test_leaving_a_field_unchanged_tells_nothing(qtbot: QtBot, panel: SettingsPanel) -> None:
    said = told(panel)
    length = editor(panel, "length", LengthEditor)
    qtbot.keyClick(length.field, Qt.Key.Key_Return)
    qtbot.keyClick(editor(panel, "line_width", SliderEditor).field, Qt.Key.Key_Return)
    assert said == []


def test_settings_from_elsewhere_are_shown_quietly(panel: SettingsPanel) -> None:
    said = told(panel)
    other = Preferences(
        text_face="inter", reading_size=24, line_width=75, theme="dark", contrast=True, length="3%"
    )
    panel.set_preferences(other)
    assert said == []
    assert panel.preferences == other
    assert editor(panel, "text_face", ChoiceEditor).control.value == "1"
    assert editor(panel, "reading_size", SliderEditor).slider.value() == 24
    assert editor(panel, "contrast", SwitchEditor).control.isChecked()
    assert editor(panel, "length", LengthEditor).unit.value == "share"


def test_wheel_over_a_slider_scrolls_the_page(panel: SettingsPanel) -> None:
    slider = editor(panel, "reading_size", SliderEditor).slider
    event = QWheelEvent(
        QPointF(5, 5),
        slider.mapToGlobal(QPointF(5, 5)),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(slider, event)
    assert slider.value() == 17


@pytest.mark.parametrize("size", [WIDE, MEDIUM, NARROW])
def test_page_comes_into_sight_by_name(
    qtbot: QtBot, theme: Theme, folders: Folders, size: tuple[int, int]
) -> None:
    panel = shown(qtbot, SettingsPanel(theme, Preferences(), folders), size)
    panel.show_page("about")
    heads: dict[str, QWidget] = {
        "reading": panel.rows["text_face"],
        "appearance": panel.rows["theme"],
        "summary": panel.rows["length"],
        "history": panel.rows["private"],
        "jobs": panel.rows["keep_awake"],
        "privacy": panel.privacy,
        "shortcuts": panel.findChildren(ShortcutRow)[0],
        "about": panel.findChildren(AboutRow)[0],
    }
    for name in (*reversed(PAGES), *PAGES):
        panel.show_page(name)
        QApplication.processEvents()
        top = top_of(heads[name], panel)
        assert panel.page == panel.navigation.value == panel.pages.currentData() == name
        assert 0 <= top < panel.content.height() - 24, (name, top)


def test_page_named_before_the_first_showing_is_shown(
    qtbot: QtBot, theme: Theme, folders: Folders
) -> None:
    panel = SettingsPanel(theme, Preferences(), folders)
    panel.show_page("shortcuts")
    shown(qtbot, panel)
    qtbot.waitUntil(lambda: panel.content.verticalScrollBar().value() > 0)
    assert 0 <= top_of(panel.findChildren(ShortcutRow)[0], panel) < 120


def test_unknown_page_is_an_error(panel: SettingsPanel) -> None:
    with pytest.raises(KeyError):
        panel.show_page("device")


def test_rows_are_made_when_they_are_reached(qtbot: QtBot, panel: SettingsPanel) -> None:
    QApplication.processEvents()
    assert not panel.findChildren(ShortcutRow) and not panel.findChildren(PartRow)
    panel.content.verticalScrollBar().triggerAction(QScrollBar.SliderAction.SliderToMaximum)
    QApplication.processEvents()
    last = panel.findChildren(PartRow)[-1]
    assert len(panel.findChildren(ShortcutRow)) == len(shortcuts())
    assert 0 < top_of(last, panel) < panel.content.height()


def test_scrolling_step_by_step_comes_to_every_page(panel: SettingsPanel) -> None:
    bar, passed = panel.content.verticalScrollBar(), []
    QApplication.processEvents()
    while bar.value() < bar.maximum():
        bar.triggerAction(QScrollBar.SliderAction.SliderPageStepAdd)
        QApplication.processEvents()
        passed.append(panel.page)
    assert passed[-1] == "about" and "shortcuts" in passed


def test_scrolling_marks_the_page_that_is_reached(panel: SettingsPanel) -> None:
    QApplication.processEvents()
    bar = panel.content.verticalScrollBar()
    bar.triggerAction(QScrollBar.SliderAction.SliderToMaximum)
    QApplication.processEvents()
    assert panel.navigation.value == "about"
    bar.setValue(0)
    assert panel.navigation.value == "reading"


def test_arrow_keys_move_along_the_pages(qtbot: QtBot, panel: SettingsPanel) -> None:
    panel.navigation.item("reading").setFocus()
    qtbot.keyClick(panel.navigation.item("reading"), Qt.Key.Key_Down)
    assert panel.page == "appearance"
    assert panel.navigation.item("appearance").hasFocus()


@pytest.mark.parametrize(("width", "wide"), [(1200, True), (1199, False)])
def test_navigation_and_cards_fold_with_the_window(
    panel: SettingsPanel, width: int, wide: bool
) -> None:
    panel.resize(width, 700)
    QApplication.processEvents()
    assert panel.navigation.isVisible() == wide
    assert panel.pages.isVisible() != wide
    beside = panel.privacy.mapTo(panel, QPoint(0, 0)).x() > panel.rows["theme"].geometry().right()
    assert beside == wide
    assert panel.privacy.isVisible()


@pytest.mark.parametrize(("width", "edge"), [(1440, 48), (1200, 24), (720, 24)])
def test_edges_follow_the_room(panel: SettingsPanel, width: int, edge: int) -> None:
    panel.resize(width, 700)
    QApplication.processEvents()
    assert panel.rows["theme"].mapTo(panel.content, QPoint(0, 0)).x() == edge


def test_folding_twice_brings_the_cards_back(qtbot: QtBot, panel: SettingsPanel) -> None:
    QApplication.processEvents()
    before = panel.grab().toImage()
    panel.resize(*NARROW)
    QApplication.processEvents()
    assert panel.grab().toImage() != before
    panel.resize(*WIDE)
    qtbot.waitUntil(lambda: panel.grab().toImage() == before)


@pytest.mark.parametrize("size", [WIDE, MEDIUM, NARROW])
def test_nothing_is_wider_than_the_window(
    qtbot: QtBot, theme: Theme, folders: Folders, size: tuple[int, int]
) -> None:
    panel = shown(qtbot, SettingsPanel(theme, Preferences(), folders), size)
    QApplication.processEvents()
    assert panel.size().toTuple() == size
    inner = panel.content.widget()
    assert inner.minimumSizeHint().width() <= panel.content.viewport().width()


def test_find_leaves_out_all_else(qtbot: QtBot, panel: SettingsPanel) -> None:
    qtbot.keyClicks(panel.find_field, "line width")
    assert panel.rows["line_width"].isVisible()
    assert not panel.rows["theme"].isVisible()
    assert not panel.privacy.isVisible()
    assert panel.find_field.accessibleDescription() == "1 found"
    qtbot.keyClick(panel.find_field, Qt.Key.Key_Escape)
    assert panel.rows["theme"].isVisible()
    assert panel.privacy.isVisible()


def test_escape_in_the_find_field_is_not_the_window_s(qtbot: QtBot, panel: SettingsPanel) -> None:
    pressed: list[bool] = []
    QShortcut(QKeySequence("Esc"), panel).activated.connect(lambda: pressed.append(True))
    panel.focus_find()
    qtbot.waitUntil(panel.find_field.hasFocus)
    qtbot.keyClicks(panel.find_field, "zzz")
    qtbot.keyClick(panel.find_field, Qt.Key.Key_Escape)
    assert (panel.find_field.text(), pressed) == ("", [])
    qtbot.keyClick(panel.find_field, Qt.Key.Key_Escape)
    assert pressed == [True]


def test_regions_hold_all_that_takes_the_focus(panel: SettingsPanel) -> None:
    panel.show_page("about")
    regions = panel.regions()
    for widget in panel.findChildren(QWidget):
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus and widget.isVisible():
            assert any(each is widget or each.isAncestorOf(widget) for each in regions), widget


def test_find_reaches_keys_cards_and_licences(qtbot: QtBot, panel: SettingsPanel) -> None:
    for wanted, kind in (("copy the summary", ShortcutRow), ("lucide", PartRow)):
        panel.find_field.setText(wanted)
        assert len([each for each in panel.findChildren(kind) if each.isVisible()]) == 1
    panel.find_field.setText("network")
    assert panel.privacy.isVisible()
    assert not panel.folders.isVisible()


def test_find_that_finds_nothing_shows_the_way_back(qtbot: QtBot, panel: SettingsPanel) -> None:
    panel.find_field.setText("zzz")
    assert panel.content.show_all.isVisible()
    qtbot.mouseClick(panel.content.show_all, Qt.MouseButton.LeftButton)
    assert panel.rows["theme"].isVisible()
    assert not panel.content.show_all.isVisible()


def test_naming_a_page_ends_the_search(panel: SettingsPanel) -> None:
    panel.find_field.setText("zzz")
    panel.show_page("about")
    assert panel.find_field.text() == ""
    assert panel.page == "about"
    QApplication.processEvents()
    assert 0 <= top_of(panel.findChildren(AboutRow)[0], panel) < 120


def test_all_keys_of_the_table_are_listed(panel: SettingsPanel) -> None:
    panel.show_page("shortcuts")
    listed = [each.shortcut for each in panel.findChildren(ShortcutRow)]
    assert listed == list(shortcuts())


def test_clearing_recents_asks_first(qtbot: QtBot, theme: Theme, folders: Folders) -> None:
    for name in ("a.pdf", "b.pdf"):
        Recents(folders.recents_file).add(Recent(name, name))
    panel = shown(qtbot, SettingsPanel(theme, Preferences(), folders))
    asked: list[bool] = []
    panel.clear_recents_requested.connect(lambda: asked.append(True))
    for accepted in (False, True):
        qtbot.mouseClick(panel.privacy.clear, Qt.MouseButton.LeftButton)
        dialog = panel.findChildren(ConfirmDialog)[-1]
        assert dialog.deed_button.text() == "Clear 2 recent documents"
        qtbot.waitUntil(dialog.keep_button.hasFocus)
        button = dialog.deed_button if accepted else dialog.keep_button
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert asked == [True] * accepted
        qtbot.waitUntil(lambda: not panel.findChildren(ConfirmDialog))


def test_nothing_to_clear_is_said(panel: SettingsPanel) -> None:
    assert not panel.privacy.clear.isEnabled()
    assert panel.privacy.clear.toolTip() == "The list of recent documents is empty."


def test_refresh_counts_again(panel: SettingsPanel, folders: Folders) -> None:
    Recents(folders.recents_file).add(Recent("a.pdf", "a"))
    panel.refresh()
    assert panel.privacy.clear.isEnabled()


def test_folders_show_their_sizes(qtbot: QtBot, panel: SettingsPanel, folders: Folders) -> None:
    folders.log.mkdir()
    (folders.log / "log.txt").write_bytes(b"x" * 5_200)
    folders.cache.mkdir()
    panel.refresh()
    lines = panel.folders.lines
    qtbot.waitUntil(lambda: lines["log"].size_text == "5.2\u202fkB")
    qtbot.waitUntil(lambda: lines["cache"].size_text == "empty")
    assert lines["data"].size_text == "not created yet"
    assert not lines["data"].open_button.isEnabled()
    assert lines["log"].open_button.isEnabled()


class Opener(QObject):
    """Takes the place of the system's file manager."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened.append(url.toLocalFile())


@pytest.fixture
def opener(qtbot: QtBot) -> Iterator[Opener]:
    opener = Opener()
    QDesktopServices.setUrlHandler("file", opener, "open")
    yield opener
    QDesktopServices.unsetUrlHandler("file")


def test_folder_opens(qtbot: QtBot, panel: SettingsPanel, folders: Folders, opener: Opener) -> None:
    folders.data.mkdir()
    panel.refresh()
    qtbot.mouseClick(panel.folders.lines["data"].open_button, Qt.MouseButton.LeftButton)
    assert opener.opened == [str(folders.data)]


def test_licence_can_be_read_to_its_end(qtbot: QtBot, panel: SettingsPanel) -> None:
    panel.show_page("about")
    part = next(each for each in panel.findChildren(PartRow) if each.matches("lucide"))
    part.read.click()
    dialog = panel.findChild(TextDialog)
    assert dialog is not None
    assert "ISC License" in dialog.text.toPlainText()
    qtbot.waitUntil(dialog.text.hasFocus)
    assert dialog.width() <= panel.width() and dialog.height() <= panel.height()
    assert dialog.text.geometry().bottom() < dialog.findChildren(QPushButton)[-1].y() - 16
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: panel.findChild(TextDialog) is None)


def test_licence_fits_the_smallest_window(qtbot: QtBot, theme: Theme, folders: Folders) -> None:
    panel = shown(qtbot, SettingsPanel(theme, Preferences(), folders), NARROW)
    panel.show_page("about")
    panel.findChildren(PartRow)[1].read.click()
    dialog = panel.findChild(TextDialog)
    assert dialog is not None
    assert dialog.height() <= NARROW[1]
    assert dialog.width() <= NARROW[0]
    dialog.close()


def test_technical_details_are_copied(qtbot: QtBot, panel: SettingsPanel) -> None:
    panel.show_page("about")
    about = panel.findChildren(AboutRow)[0]
    about.copy.click()
    assert QGuiApplication.clipboard().text().startswith("Epitome ")
    assert about.copied.text() == "Copied"


def test_everything_that_takes_the_focus_has_a_name(panel: SettingsPanel) -> None:
    panel.show_page("about")
    for widget in panel.findChildren(QWidget):
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
            name = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
            assert name, widget


def test_everything_that_can_be_pressed_is_24_px_or_more(panel: SettingsPanel) -> None:
    panel.show_page("about")
    QApplication.processEvents()
    for kind in (QAbstractButton, QSlider, QComboBox, QLineEdit):
        for widget in filter(QWidget.isVisible, panel.findChildren(kind)):
            assert min(widget.width(), widget.height()) >= 24, widget


def test_tab_reaches_every_control_and_scrolls_to_it(qtbot: QtBot, panel: SettingsPanel) -> None:
    panel.activateWindow()
    panel.find_field.setFocus()
    reached: list[QWidget] = []
    while (now := QApplication.focusWidget()) is not None and now not in reached:
        reached.append(now)
        if panel.content.widget().isAncestorOf(now):
            assert 0 <= top_of(now, panel) < panel.content.height(), now
        qtbot.keyClick(now, Qt.Key.Key_Tab)
    wanted = [editor(panel, name, SliderEditor).slider for name in ("reading_size", "line_width")]
    assert set(wanted) <= set(reached)
    assert panel.findChildren(PartRow)[1].read in reached
    assert panel.content in reached


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_tab_goes_through_the_settings_in_the_order_in_which_they_are_seen(
    qtbot: QtBot, panel: SettingsPanel, size: tuple[int, int]
) -> None:
    panel.resize(*size)
    QApplication.processEvents()
    panel.activateWindow()
    panel.content.setFocus()
    inner = panel.content.widget()
    passed: list[tuple[int, int]] = []
    while (now := QApplication.focusWidget()) is panel.content or inner.isAncestorOf(now):
        if now is not panel.content:
            place = now.mapTo(inner, now.rect().center())
            beside = size == WIDE and panel.privacy.parentWidget().isAncestorOf(now)
            passed.append((int(beside), place.y()))
        qtbot.keyClick(now, Qt.Key.Key_Tab)
    assert len(passed) > 20
    assert passed == sorted(passed)


@pytest.mark.parametrize("size", [WIDE, MEDIUM, NARROW])
def test_scene_changes_its_look_at_run_time(
    qtbot: QtBot, theme: Theme, size: tuple[int, int]
) -> None:
    page = build(theme, size)
    qtbot.addWidget(page)
    with qtbot.waitExposed(page):
        page.show()
    light = page.grab().toImage()
    theme.set_scheme("dark")
    dark = page.grab().toImage()
    theme.set_scheme("light")
    assert dark != light
    assert page.grab().toImage() == light
    assert page.size().toTuple() == size
