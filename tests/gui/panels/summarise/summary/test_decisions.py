"""Pins, drops and lengths survive a normal close, and come back with their document."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from core.library.decisions import Decisions
from core.summaries.summary import Length
from gui.main_window import MainWindow
from gui.panels.summarise.saving.dates import day_of, time_of
from tests.helpers.windows import ARTICLE, PATENT, desk, end_window, open_file, show_window, texts

Make = Callable[[], MainWindow]


@pytest.fixture
def window(qtbot: QtBot, home: Path) -> Iterator[Make]:
    """Makes one window after the other, in the same home."""
    made: list[MainWindow] = []

    def make() -> MainWindow:
        if made:
            end_window(made.pop())
        made.append(show_window(home))
        return made[-1]

    yield make
    for each in made:
        end_window(each)


def decide(window: MainWindow) -> None:
    """Five sentences, of which the second is pinned and the first replaced."""
    rows = desk(window).summary.list
    desk(window).editor.wish_length(Length(5), False)
    rows.pin_requested.emit(1)
    rows.replace_requested.emit(0)


def test_pins_and_length_come_back_after_a_normal_close(qtbot: QtBot, window: Make) -> None:
    first = window()
    open_file(qtbot, first)
    decide(first)
    shown = texts(first)
    again = window()
    open_file(qtbot, again)
    assert texts(again) == shown
    assert desk(again).summary.length.field.text() == "5"
    row = desk(again).summary.restored
    assert row.isVisible()
    assert row._words.text() == "Your changes from today are back."


def test_pins_come_back_after_another_document_was_open(qtbot: QtBot, window: Make) -> None:
    shown = window()
    open_file(qtbot, shown)
    decide(shown)
    before = texts(shown)
    open_file(qtbot, shown, PATENT)
    assert desk(shown).state.length == Length()
    assert not desk(shown).summary.restored.isVisible()
    open_file(qtbot, shown, ARTICLE)
    assert texts(shown) == before


def test_starting_fresh_forgets_them_for_good(qtbot: QtBot, window: Make) -> None:
    first = window()
    open_file(qtbot, first)
    before = texts(first)
    decide(first)
    again = window()
    open_file(qtbot, again)
    desk(again).summary.restored.fresh.triggered.emit()
    assert texts(again) == before
    assert not desk(again).summary.restored.isVisible()
    opened = desk(again).state.opened
    assert opened is not None
    assert window().decisions.find(opened.document.source.sha256) is None


def test_the_copied_command_says_what_it_leaves_out(qtbot: QtBot, window: Make) -> None:
    shown = window()
    open_file(qtbot, shown)
    decide(shown)
    desk(shown).outlet.copy_command()
    assert QGuiApplication.clipboard().text() == f"epitome summarise {ARTICLE} --length 5s"
    assert shown.toasts.shown[-1].sentence == (
        "Copied the command that does this "
        "It leaves out what was edited by hand: 1 sentence pinned, 1 replaced."
    )


NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        ("2026-11-22T11:00:00+00:00", "today"),
        ("2026-11-21T11:00:00+00:00", "yesterday"),
        ("2026-11-03T12:00:00+00:00", "3 Nov"),
        ("2025-11-03T12:00:00+00:00", "3 Nov 2025"),
        ("", ""),
    ],
)
def test_days_are_said_as_people_say_them(moment: str, day: str) -> None:
    assert day_of(moment, NOW) == day


def test_a_time_is_told_for_today_alone() -> None:
    moment = NOW.replace(hour=11, minute=5)
    local = f"{moment.astimezone():%H:%M}"
    assert time_of(moment.isoformat(), NOW) == f"today, {local}"
    assert time_of("2026-11-03T12:00:00+00:00", NOW) == "3 Nov"


def test_settings_clear_pins_with_the_recents(qtbot: QtBot, window: Make) -> None:
    shown = window()
    shown.decisions.keep(Decisions("5e", "3s"))
    panel = shown.panel("settings")
    panel.clear_recents_requested.emit()  # type: ignore[attr-defined]
    assert shown.decisions.find("5e") is None


def test_opening_a_document_again_does_not_change_the_day(qtbot: QtBot, home: Path) -> None:
    first = show_window(home)
    open_file(qtbot, first)
    decide(first)
    desk(first)._choose_language("de")
    qtbot.waitUntil(lambda: desk(first).state.wish is None)
    end_window(first)
    file = home / "data" / "decisions.json"
    values = json.loads(file.read_text("utf-8"))
    values["documents"][0]["saved"] = "2025-11-03T12:00:00+00:00"
    file.write_text(json.dumps(values), "utf-8")
    again = show_window(home)
    open_file(qtbot, again)
    assert desk(again).summary.restored._words.text() == "Your changes from 3 Nov 2025 are back."
    desk(again).saver.keep_decisions()
    qtbot.waitUntil(lambda: desk(again).state.wish is None)
    end_window(again)
    assert json.loads(file.read_text("utf-8")) == values


def test_a_decision_that_comes_too_late_is_no_fault(qtbot: QtBot, window: Make) -> None:
    shown = window()
    open_file(qtbot, shown)
    panel, before = desk(shown), texts(shown)
    panel.state.wish = panel.state.opened.choices  # type: ignore[union-attr]  # not drawn yet
    panel.editor.decide(panel.state.drop, 0)
    assert texts(shown) == before
