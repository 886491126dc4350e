"""Everything is done by keyboard, and one sees where it is."""

import sys
from collections.abc import Iterator
from functools import partial
from itertools import starmap
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QKeySequence, QRegion
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget
from pytestqt.qtbot import QtBot

from core.library.preferences import load_preferences
from gui.main_window import MainWindow
from gui.panels.summarise.state import Phase
from gui.widgets.support.focus_ring import FocusRing
from tests.helpers.windows import (
    ARTICLE,
    PATENT,
    WIDE,
    desk,
    hover,
    open_file,
    show_phase,
    texts,
    the_menu,
    wait_for,
)

PHASES = ("empty", "ready", "several", "found", "locked", "failed", "settings", "help")
MOST_STOPS = 120
FORM = """# Application for a permit

Send this page to the council of the town by post. It is read every Monday.

## Applicant

First name:

Family name:

Street and number:

Date of birth:

Phone number:

## Signatures

Signature:

Date:

Place:
"""


def press(qtbot: QtBot, window: MainWindow, keys: str) -> None:
    """Presses keys where the focus is."""
    target = window.focusWidget() or window
    combination = QKeySequence(keys)[0]
    qtbot.keyClick(target, combination.key(), combination.keyboardModifiers())


SIZES = (WIDE, (1000, 700), (720, 450))


def stops(qtbot: QtBot, window: MainWindow, key: str = "Tab") -> list[QWidget]:
    """Where Tab leads, until it is round."""
    seen: list[QWidget] = []
    for _ in range(MOST_STOPS):
        press(qtbot, window, key)
        focus = window.focusWidget()
        assert focus is not None
        if focus in seen:
            return seen
        seen.append(focus)
    raise AssertionError("Tab does not come round")


def can_be_tabbed_to(window: MainWindow) -> set[QWidget]:
    return {
        widget
        for widget in window.findChildren(QWidget)
        if widget.isVisible()
        and widget.isEnabled()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.window() is window
    }


def part_in_sight(widget: QWidget) -> QRegion:
    """What is seen of a widget; what scrolls is covered by its viewport, which is seen instead."""
    seen = widget.visibleRegion()
    if isinstance(widget, QAbstractScrollArea):
        inner = widget.viewport()
        seen += inner.visibleRegion().translated(inner.pos())
    return seen


def in_sight(widget: QWidget) -> None:
    assert not part_in_sight(widget).isEmpty(), named({widget})


def named(widgets: set[QWidget]) -> list[str]:
    return [f"{type(w).__name__} “{w.accessibleName()}”" for w in widgets]


def group(widget: QWidget) -> QWidget:
    """One of a group of which Tab reaches one: arrows lead to the others."""
    exclusive = getattr(widget, "autoExclusive", lambda: False)()
    buttons = getattr(widget, "group", lambda: None)()
    parent = widget.parentWidget()
    return parent if (exclusive or buttons is not None) and parent is not None else widget


def resized(qtbot: QtBot, window: MainWindow, *sizes: tuple[int, int]) -> Iterator[str]:
    """The window in one size after the other; gives each in words."""
    for size in starmap(QSize, sizes):
        window.resize(size)
        qtbot.waitUntil(partial(lambda size: window.size() == size, size))
        yield f"{size.width()} × {size.height()}"


@pytest.mark.parametrize("phase", PHASES)
def test_tab_reaches_every_control_in_sight_and_comes_round(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, phase: str
) -> None:
    show_phase(qtbot, window, phase, tmp_path)
    for size in resized(qtbot, window, *SIZES):
        reached = {group(stop) for stop in stops(qtbot, window)}
        left = {group(control) for control in can_be_tabbed_to(window)} - reached
        assert not left, f"not reached at {size}: {named(left)}"


@pytest.mark.parametrize("phase", PHASES)
def test_what_has_the_focus_is_in_sight_at_the_least_size(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, phase: str
) -> None:
    window.resize(720, 450)
    show_phase(qtbot, window, phase, tmp_path)
    qtbot.waitUntil(lambda: window.width() == 720)
    for _ in range(len(stops(qtbot, window))):
        press(qtbot, window, "Tab")
        focus = window.focusWidget()
        assert focus is not None
        # Rows that are still being laid out may push it away for a moment.
        qtbot.waitUntil(partial(in_sight, focus))
        seen = part_in_sight(focus).boundingRect()
        place = QRect(focus.mapTo(window, seen.topLeft()), seen.size())
        assert window.rect().contains(place), named({focus})


def test_tab_and_back_are_each_others_inverse(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    there = stops(qtbot, window)
    back = stops(qtbot, window, "Shift+Tab")
    assert set(there) == set(back)


def test_focus_goes_from_left_to_right(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    panel = desk(window)
    places = [
        next(i for i, stop in enumerate(round_) if part is stop or part.isAncestorOf(stop))
        for round_ in [from_rail(window, stops(qtbot, window))]
        for part in (
            window.rail,
            panel.header,
            panel.source.strip,
            panel.source.view,
            panel.map,
            panel.summary.length,
            panel.summary.list,
            panel.summary.foot,
        )
    ]
    assert places == sorted(places)


def from_rail(window: MainWindow, found: list[QWidget]) -> list[QWidget]:
    first = next(i for i, stop in enumerate(found) if window.rail.isAncestorOf(stop))
    return found[first:] + found[:first]


@pytest.mark.parametrize("phase", PHASES)
def test_f6_goes_round_the_regions_and_shift_f6_back(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, phase: str
) -> None:
    show_phase(qtbot, window, phase, tmp_path)
    forth = stops(qtbot, window, "F6")
    back = stops(qtbot, window, "Shift+F6")
    assert len(forth) >= 2
    assert {region_of(window, stop) for stop in forth} == {region_of(window, stop) for stop in back}
    reachable = {region_of(window, control) for control in can_be_tabbed_to(window)} - {None}
    assert {region_of(window, stop) for stop in forth} == reachable


def region_of(window: MainWindow, widget: QWidget) -> QWidget | None:
    return next(
        (r for r in reversed(window.regions()) if r is widget or r.isAncestorOf(widget)), None
    )


def is_round(ring: FocusRing, stop: QWidget) -> bool:
    """True if the ring surrounds what has the focus."""
    shape, _ = stop.focus_shape()  # type: ignore[attr-defined]
    return ring.geometry().contains(stop.mapTo(ring.parentWidget(), shape.center()))


def test_ring_shows_where_the_keyboard_is_and_goes_with_the_mouse(
    qtbot: QtBot, window: MainWindow
) -> None:
    open_file(qtbot, window)
    ring = window.findChildren(FocusRing)[0]
    for stop in stops(qtbot, window):
        stop.setFocus(Qt.FocusReason.TabFocusReason)
        if hasattr(stop, "focus_shape"):
            qtbot.waitUntil(ring.isVisible)
            # Rows that are still being laid out may move both.
            qtbot.waitUntil(partial(is_round, ring, stop))
    view = desk(window).source.view
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    qtbot.waitUntil(ring.isHidden)


def test_ring_leaves_the_rail_when_another_panel_is_clicked(
    qtbot: QtBot, window: MainWindow
) -> None:
    ring = window.findChildren(FocusRing)[0]
    before, after = window.rail.button("summarise"), window.rail.button("models")
    window.activateWindow()
    before.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(before, Qt.Key.Key_Shift)
    qtbot.waitUntil(ring.isVisible)
    qtbot.mouseClick(after, Qt.MouseButton.LeftButton)
    assert window.panel("models").isAncestorOf(window.focusWidget())
    qtbot.waitUntil(ring.isHidden)
    press(qtbot, window, "Tab")
    qtbot.waitUntil(ring.isVisible)


# Keys of look.md 6


def test_keys_go_to_panels_and_help(qtbot: QtBot, window: MainWindow) -> None:
    press(qtbot, window, "Ctrl+,")
    assert window.panel("settings").isVisible()
    press(qtbot, window, "Ctrl+1")
    assert window.panel("summarise").isVisible()
    press(qtbot, window, "F1")
    assert window.panel("help").isVisible()
    press(qtbot, window, "Shift+F1")
    assert window.rail.value == "settings"


def test_keys_of_panels_bring_the_focus_along_and_back(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    desk(window).source.view.setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, window, "Ctrl+,")
    assert window.panel("settings").isAncestorOf(window.focusWidget())
    press(qtbot, window, "Ctrl+1")
    assert window.focusWidget() is desk(window).source.view


@pytest.mark.skipif(sys.platform == "win32", reason="the system opens the menu there")
def test_shift_f10_opens_the_menu_of_what_has_the_focus(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    desk(window).summary.list.setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, window, "Shift+F10")
    menu = the_menu(window)
    assert "Show in source" in [action.text() for action in menu.actions()]
    menu.close()


def test_a_document_opened_by_keyboard_has_the_focus(qtbot: QtBot, window: MainWindow) -> None:
    window.rail.button("summarise").setFocus(Qt.FocusReason.TabFocusReason)
    open_file(qtbot, window)
    assert window.focusWidget() is desk(window).source.view


def test_paste_key_opens_text_from_any_panel(qtbot: QtBot, window: MainWindow) -> None:
    clipboard = QApplication.clipboard()
    clipboard.setText("The bell was cast in the north. " * 30)
    window.show_panel("settings")
    window.rail.setFocus()
    press(qtbot, window, "Ctrl+V")
    assert window.panel("summarise").isVisible()
    wait_for(qtbot, window)


def test_paste_key_in_a_field_stays_in_the_field(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    QApplication.clipboard().setText("tide")
    press(qtbot, window, "Ctrl+F")
    press(qtbot, window, "Ctrl+V")
    assert desk(window).source.find_bar.field.text() == "tide"
    assert desk(window).state.phase is Phase.READY


def test_find_key_finds_and_steps_and_escape_closes(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    bar, view = (
        desk(window).source.find_bar,
        desk(window).source.view,
    )
    press(qtbot, window, "Ctrl+F")
    assert window.focusWidget() is bar.field
    qtbot.keyClicks(bar.field, "tide")
    count = view.document.text.lower().count("tide")  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: view.look.finder.count == count > 3)
    assert bar._count.text() == f"1 of {count}"
    for keys, at in (("F3", 2), ("Return", 3), ("Shift+F3", 2), ("Shift+Return", 1)):
        press(qtbot, window, keys)
        assert bar._count.text() == f"{at} of {count}", keys
    press(qtbot, window, "Escape")
    assert not bar.isVisible()
    assert view.look.finder.count == 0
    assert window.focusWidget() is view


def test_words_that_are_not_there_are_told(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    press(qtbot, window, "Ctrl+F")
    bar = desk(window).source.find_bar
    qtbot.keyClicks(bar.field, "zeppelin")
    qtbot.waitUntil(lambda: bar._count.text() == "not found")


def test_find_key_shows_the_source_when_it_is_folded(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1000, 700)
    open_file(qtbot, window)
    press(qtbot, window, "Ctrl+F")
    assert desk(window).source.find_bar.field.isVisible()


def test_outline_leads_to_a_heading(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window, PATENT)
    panel = desk(window)
    button = panel.source._buttons[1]
    button.setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, window, "Space")
    menu = the_menu(window)
    offset, _, title = panel.source.view.outline()[-1]
    action = menu.actions()[-1]
    assert action.text().replace("&&", "&") == title
    assert action.toolTip().startswith("1. A solid-state lithium cell")
    menu.setActiveAction(action)
    qtbot.keyClick(menu, Qt.Key.Key_Return)
    start, end = panel.source.view.visible_span() or (0, 0)
    assert start <= offset < end


def test_a_doubt_leads_to_the_outline(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    panel = desk(window)
    link = panel.summary._outline
    coverage = panel.summary._coverage
    assert not link.isVisible()
    assert coverage.width() > panel.summary.width() / 2  # nor does it take room
    panel.open_text(FORM)
    wait_for(qtbot, window)
    link.setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, window, "Space")
    menu = the_menu(window)
    titles = [action.text() for action in menu.actions()]
    assert titles == ["Application for a permit", "Applicant", "Signatures"]
    menu.setActiveAction(menu.actions()[-1])
    qtbot.keyClick(menu, Qt.Key.Key_Return)
    start, end = panel.source.view.visible_span() or (0, 0)
    opened = panel.state.opened
    assert opened is not None
    assert start <= opened.document.text.index("Signatures") < end


def test_reading_size_keys_change_and_save_it(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    for keys, size in (("Ctrl++", 18), ("Ctrl++", 19), ("Ctrl+-", 18), ("Ctrl+0", 17)):
        press(qtbot, window, keys)
        assert window.theme.reading_size == size
        assert window.panel("settings").rows["reading_size"].editor.slider.value() == size  # type: ignore[attr-defined]
    for _ in range(10):
        press(qtbot, window, "Ctrl+-")
    assert window.theme.reading_size == 14
    file = window.folders.settings_file
    qtbot.waitUntil(lambda: file.exists() and load_preferences(file)[0].reading_size == 14)
    press(qtbot, window, "Ctrl+0")


def test_sentences_are_walked_and_shown_by_keyboard(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window, PATENT)
    panel = desk(window)
    panel.summary.list.setFocus(Qt.FocusReason.TabFocusReason)
    assert lit(window) == (1, 1, 1)
    for keys, number in (("J", 2), ("Down", 3), ("K", 2), ("Up", 1), ("End", 9), ("Home", 1)):
        press(qtbot, window, keys)
        assert lit(window) == (number, number, number), keys
    press(qtbot, window, "End")
    evidence = panel.state.summary.sentences[8].evidence[0].start  # type: ignore[union-attr]
    start, end = panel.source.view.visible_span() or (0, 0)
    assert not start <= evidence < end
    press(qtbot, window, "Return")
    start, end = panel.source.view.visible_span() or (0, 0)
    assert start <= evidence < end
    press(qtbot, window, "Escape")
    assert lit(window) == (None, None, None)


def lit(window: MainWindow) -> tuple[int | None, int | None, int | None]:
    panel = desk(window)
    return panel.source.view.look.lit, panel.summary.list.lit, panel.map.lit


def test_evidence_is_walked_in_the_source_and_lights_both_sides(
    qtbot: QtBot, window: MainWindow
) -> None:
    open_file(qtbot, window, PATENT)
    desk(window).source.view.setFocus(Qt.FocusReason.TabFocusReason)
    walked = []
    for keys in ("N", "N", "N", "Shift+N"):
        press(qtbot, window, keys)
        assert len(set(lit(window))) == 1
        walked.append(lit(window)[0])
    assert walked == [1, 2, 3, 2]
    start, end = desk(window).source.view.visible_span() or (0, 0)
    summary = desk(window).state.summary
    assert summary is not None
    assert start <= summary.sentences[1].evidence[0].start < end


def test_brackets_make_it_shorter_and_longer(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    for text in (
        desk(window).summary.list,
        desk(window).source.view,
    ):
        text.setFocus(Qt.FocusReason.TabFocusReason)
        for keys, count in (("[", 8), ("[", 7), ("]", 8), ("]", 9)):
            press(qtbot, window, keys)
            assert len(texts(window)) == count


def test_letters_do_nothing_in_a_field(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    before = texts(window)
    press(qtbot, window, "Ctrl+F")
    qtbot.keyClicks(window.focusWidget(), "prn[]jk")
    assert texts(window) == before
    assert desk(window).source.find_bar.field.text() == "prn[]jk"


def test_undo_takes_back_a_length_that_was_typed(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    before = texts(window)
    field = desk(window).summary.length.field
    field.setFocus(Qt.FocusReason.TabFocusReason)
    field.selectAll()
    qtbot.keyClicks(field, "3")
    press(qtbot, window, "Return")
    assert len(texts(window)) == 3
    press(qtbot, window, "Ctrl+Z")
    assert texts(window) == before
    assert field.value == len(before)


def test_undo_redo_copy_and_export_keys(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    before = texts(window)
    rows = desk(window).summary.list
    rows.setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, window, "Delete")
    press(qtbot, window, "Ctrl+Z")
    assert texts(window) == before
    press(qtbot, window, "Ctrl+Shift+Z")
    assert len(texts(window)) == len(before) - 1
    press(qtbot, window, "Ctrl+Shift+C")
    assert texts(window)[0] in QApplication.clipboard().text()
    press(qtbot, window, "Ctrl+Shift+K")
    assert QApplication.clipboard().text().startswith("epitome summarise ")
    press(qtbot, window, "Ctrl+C")
    assert texts(window)[0] in QApplication.clipboard().text()
    press(qtbot, window, "Ctrl+E")
    assert the_menu(window).actions()


@pytest.mark.parametrize("keys", ["Ctrl+E", "Ctrl+Z", "Ctrl+Shift+C", "Ctrl+Shift+K", "Ctrl+F"])
@pytest.mark.parametrize("phase", ["empty", "reading", "failed"])
def test_keys_of_a_document_do_no_harm_without_one(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, keys: str, phase: str
) -> None:
    show_phase(qtbot, window, phase, tmp_path)
    before = desk(window).state.phase
    QApplication.clipboard().setText("mine")
    press(qtbot, window, keys)
    assert desk(window).state.phase is before
    assert QApplication.clipboard().text() == "mine"
    assert not desk(window).source.find_bar.isVisible()


def test_escape_clears_the_mark_the_pointer_left(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window, ARTICLE)
    hover(desk(window).map, QPoint(10, 10))
    desk(window).source.view.setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, window, "N")
    press(qtbot, window, "Ctrl+A")
    assert desk(window).source.view._mouse.selection
    press(qtbot, window, "Escape")
    assert lit(window) == (None, None, None)
    assert not desk(window).source.view._mouse.selection
    assert desk(window).state.phase is Phase.READY


def test_escape_closes_an_open_quotation(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1000, 700)
    open_file(qtbot, window)
    rows = desk(window).summary.list
    rows.setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, window, "Return")
    assert rows.page is not None
    assert rows.page.open_row == 0
    press(qtbot, window, "Escape")
    assert rows.page.open_row == -1
