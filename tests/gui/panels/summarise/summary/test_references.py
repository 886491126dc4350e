"""A reference is pasted under the summary, scored, kept with its document, and removed."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.jobs.sources.sources import SourceRef
from core.library.decisions import LONGEST_REFERENCE, Decisions
from core.metrics.reference_scores import score_against
from core.summaries.length import Length
from gui.main_window import MainWindow
from gui.panels.summarise.summary.choices import BUILT_IN
from gui.panels.summarise.summary.reference_part import ReferencePart
from tests.helpers.windows import (
    ARTICLE,
    PATENT,
    STILL,
    WIDE,
    desk,
    end_window,
    open_file,
    show_window,
    texts,
    toasts,
    wait_for,
)

Make = Callable[[], MainWindow]
REFERENCE = "The estuary is measured each year, and the tide gauge was moved."
_CTRL = Qt.KeyboardModifier.ControlModifier


def part(window: MainWindow) -> ReferencePart:
    return desk(window).summary.reference


def paste(qtbot: QtBot, window: MainWindow, text: str = REFERENCE) -> None:
    """Presses the button and pastes, as a person does."""
    qtbot.mouseClick(desk(window).summary.reference_button, Qt.MouseButton.LeftButton)
    assert part(window).text.hasFocus()
    QGuiApplication.clipboard().setText(text)
    qtbot.keyClick(part(window).text, Qt.Key.Key_V, _CTRL)


def expected(window: MainWindow, reference: str = REFERENCE) -> str:
    f1 = score_against("\n".join(texts(window)), reference).f1
    return "  ·  ".join(f"ROUGE-{name} {value:.1f}" for name, value in f1.items())


@pytest.fixture
def windows(qtbot: QtBot, home: Path) -> Iterator[Make]:
    """Makes one window after the other, in the same home."""
    made: list[MainWindow] = []

    def make() -> MainWindow:
        if made:
            end_window(made.pop())
        made.append(show_window(home))
        made[-1].resize(*WIDE)
        made[-1].activateWindow()
        qtbot.waitUntil(made[-1].isActiveWindow)
        return made[-1]

    yield make
    for each in made:
        end_window(each)


def test_nothing_of_it_is_shown_until_it_is_asked_for(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    assert not part(window).isVisible() and desk(window).summary.reference_button.isVisible()
    desk(window).redraw()
    assert not part(window).isVisible()


def test_a_pasted_reference_is_scored_at_once(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    paste(qtbot, window)
    scores = score_against("\n".join(texts(window)), REFERENCE)
    assert part(window).scores.text() == expected(window)
    told = f"{scores.shared} of its 12 words are in the summary."
    assert part(window).told.text() == told
    assert scores.recipe in part(window).recipe.text() and part(window).recipe.isVisible()
    assert len(desk(window).documents.all) == 1, "it is no new document"


def test_the_scores_follow_the_length(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    paste(qtbot, window)
    before = part(window).scores.text()
    desk(window).editor.wish_length(Length(2), False)
    assert part(window).scores.text() == expected(window) != before


def test_by_keyboard_alone_it_is_opened_typed_and_folded(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    button = desk(window).summary.reference_button
    desk(window).summary.list.setFocus()
    while not button.hasFocus():
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    qtbot.keyClick(button, Qt.Key.Key_Space)
    qtbot.keyClicks(part(window).text, "the tide")
    assert part(window).scores.text() == expected(window, "the tide")
    qtbot.keyClick(part(window).text, Qt.Key.Key_Tab)
    assert not part(window).text.hasFocus(), "Tab leaves the text"
    part(window).text.setFocus()
    qtbot.keyClick(part(window).text, Qt.Key.Key_Escape)
    assert not part(window).is_unfolded and button.hasFocus()
    assert part(window).isVisible() and part(window).scores.text()


def test_without_a_text_it_goes_when_it_is_folded(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    qtbot.mouseClick(desk(window).summary.reference_button, Qt.MouseButton.LeftButton)
    assert part(window).isVisible()
    qtbot.keyClick(part(window).text, Qt.Key.Key_Escape)
    assert not part(window).isVisible()


def test_it_is_removed_by_one_click_and_given_back_by_the_message(
    qtbot: QtBot, window: MainWindow
) -> None:
    open_file(qtbot, window)
    paste(qtbot, window)
    qtbot.mouseClick(part(window).remove_button, Qt.MouseButton.LeftButton)
    opened = desk(window).state.opened
    assert opened is not None and opened.reference == "" and not part(window).isVisible()
    assert toasts(window) == ["The reference was removed"]
    toast = window.toasts.shown[-1]
    assert toast.action is not None
    qtbot.mouseClick(toast.action, Qt.MouseButton.LeftButton)
    assert opened.reference == REFERENCE and part(window).scores.text() == expected(window)


def test_each_open_document_has_its_own(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    paste(qtbot, window)
    first = desk(window).documents.shown
    desk(window).turner.add([SourceRef(path=PATENT)])
    wait_for(qtbot, window)
    assert not part(window).isVisible() and part(window).text.toPlainText() == ""
    desk(window).turner.show(first)
    assert part(window).text.toPlainText() == REFERENCE and part(window).isVisible()


def test_it_comes_back_with_its_document_and_nothing_is_said_of_pins(
    qtbot: QtBot, windows: Make
) -> None:
    first = windows()
    open_file(qtbot, first)
    paste(qtbot, first)
    again = windows()
    open_file(qtbot, again)
    assert part(again).scores.text() == expected(again) and not part(again).is_unfolded
    assert not desk(again).summary.restored.isVisible()
    part(again).removal_requested.emit()
    opened = desk(again).state.opened
    assert opened is not None
    assert windows().decisions.find(opened.document.source.sha256) is None


def test_it_is_kept_beside_pins_and_not_in_private_mode(qtbot: QtBot, windows: Make) -> None:
    shown = windows()
    shown.set_preferences(STILL.model_copy(update={"private": True}))
    open_file(qtbot, shown)
    paste(qtbot, shown)
    opened = desk(shown).state.opened
    assert opened is not None
    sha256 = opened.document.source.sha256
    desk(shown).saver.keep_decisions()
    assert desk(shown).saver._new_decisions() is None
    shown.set_preferences(STILL)
    desk(shown).summary.list.pin_requested.emit(0)
    kept = windows().decisions.find(sha256)
    assert kept is not None and kept.pinned and kept.reference == REFERENCE


def test_forgetting_everything_forgets_it(qtbot: QtBot, windows: Make, home: Path) -> None:
    shown = windows()
    open_file(qtbot, shown)
    paste(qtbot, shown, "Quetzalcoatlus counts the lanterns")
    desk(shown).saver.keep_decisions()
    file = home / "data" / "decisions.json"
    qtbot.waitUntil(lambda: file.exists() and "Quetzalcoatlus" in file.read_text("utf-8"))
    shown.forget_everything()
    qtbot.waitUntil(lambda: bool(toasts(shown)))
    assert "Quetzalcoatlus" not in file.read_text("utf-8")
    assert part(shown).text.toPlainText() == ""
    windows()
    found = [path for path in home.rglob("*") if path.is_file()]
    assert not any(b"Quetzalcoatlus" in path.read_bytes() for path in found)


def test_two_summaries_are_scored_side_by_side(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window, PATENT)
    paste(qtbot, window, "A layer of lithium nitride is grown on the lithium surface.")
    panel = desk(window)
    panel.comparison.open(BUILT_IN)
    column = panel.comparison.column
    assert column.reference.isVisible() and column.reference.scores.text()
    assert column.reference.scores.text() != part(window).scores.text()
    assert not column.reference.remove_button.isVisible()
    panel.comparison.close()
    assert part(window).isVisible()


def test_a_text_that_is_too_long_is_not_taken_and_says_so(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    paste(qtbot, window, "word " * (LONGEST_REFERENCE // 5 + 1))
    assert part(window).told.text() == (
        "A reference has at most 20\u202f000 characters; this text has 20\u202f004."
    )
    opened = desk(window).state.opened
    assert opened is not None and opened.reference == "" and not part(window).scores.text()
    desk(window).redraw()
    assert part(window).told.text().startswith("A reference has at most")


def test_a_reference_without_words_of_rouge_says_so(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    paste(qtbot, window, "… !")
    assert part(window).scores.text() == ""
    assert part(window).told.text() == ("ROUGE compares words; this reference has none.")


@pytest.mark.parametrize("size", [(1440, 900), (1366, 768), (1200, 700), (1000, 700), (720, 450)])
def test_there_is_room_for_it_and_the_summary_in_every_window(
    qtbot: QtBot, window: MainWindow, size: tuple[int, int]
) -> None:
    open_file(qtbot, window, PATENT)
    window.resize(*size)
    paste(qtbot, window)
    QApplication.processEvents()
    column = desk(window).summary
    assert (window.width(), window.height()) == size, "nothing needs more room"
    assert column.list.height() >= 48 and part(window).text.height() >= 52
    buttons = [
        each
        for each in (column._undo, column._redo, column.compare, column.reference_button,
                     column._copy, column.export)
        if each.isVisible()
    ]  # fmt: skip
    edges = [(each.geometry().left(), each.geometry().right()) for each in buttons]
    assert all(end < start for (_, end), (start, _) in pairwise(edges))
    assert edges[-1][1] <= column.foot.width()


def test_a_reference_of_decisions_is_found_by_content(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    opened = desk(window).state.opened
    assert opened is not None
    sha256 = opened.document.source.sha256
    desk(window).close_document()
    window.decisions.keep(Decisions(sha256, reference=REFERENCE))
    open_file(qtbot, window, ARTICLE)
    assert part(window).scores.text() == expected(window)
