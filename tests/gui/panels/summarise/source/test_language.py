"""The language of the source, shown and overruled in the real window."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from core.library.session import LeftBehind, LeftDocument
from core.library.session_state import SessionState
from gui.main_window import MainWindow
from gui.panels.summarise.source.language_box import LanguageBox
from tests.helpers.windows import desk, open_file, texts, wait_for, words_on

DOCUMENTS = Path(__file__).parents[4] / "reference" / "languages" / "documents"


@pytest.fixture
def box(qtbot: QtBot, window: MainWindow) -> LanguageBox:
    """The box of a window with a German document."""
    open_file(qtbot, window, DOCUMENTS / "de.md")
    return desk(window).source.language


def choose(qtbot: QtBot, window: MainWindow, name: str) -> None:
    """Chooses a language with the keyboard, as its letters are typed."""
    box = desk(window).source.language
    box.setFocus()
    qtbot.keyClicks(box, name)
    qtbot.waitUntil(lambda: desk(window).state.wish is None)


def test_the_guess_is_shown_and_has_a_name(box: LanguageBox) -> None:
    assert box.isVisible()
    assert box.currentText() == "German (guessed)"
    assert box.toolTip() == "Language of the source: German (guessed)"
    assert box.accessibleName() == "Language of the source"


def test_another_language_is_chosen_with_the_keyboard_and_undone(
    qtbot: QtBot, window: MainWindow, box: LanguageBox
) -> None:
    panel, before = desk(window), texts(window)
    choose(qtbot, window, "Du")
    assert box.currentText() == "Dutch"
    assert panel.state.summary is not None
    assert panel.state.summary.read.language == "nl"
    assert box.itemText(0) == "German (guessed)"
    made = texts(window)
    panel.undo()
    assert (texts(window), box.currentText()) == (before, "German (guessed)")
    panel.redo()
    assert (texts(window), box.currentText()) == (made, "Dutch")


def test_the_summary_before_stands_while_the_sentences_are_ranked_again(
    qtbot: QtBot, window: MainWindow, box: LanguageBox
) -> None:
    panel, before = desk(window), texts(window)
    panel._choose_language("nl")
    assert panel.summary.writing.isVisible()
    assert "Ranking again" in words_on(panel.summary)
    assert texts(window) == before
    assert panel.cancel()
    assert (box.currentText(), texts(window)) == ("German (guessed)", before)


def test_the_command_names_the_language_that_was_chosen(
    qtbot: QtBot, window: MainWindow, box: LanguageBox
) -> None:
    desk(window).outlet.copy_command()
    assert "--language" not in QGuiApplication.clipboard().text()
    choose(qtbot, window, "Du")
    desk(window).outlet.copy_command()
    assert QGuiApplication.clipboard().text().endswith("--language nl")


def test_the_next_document_is_guessed_again(
    qtbot: QtBot, window: MainWindow, box: LanguageBox
) -> None:
    choose(qtbot, window, "Du")
    open_file(qtbot, window, DOCUMENTS / "fr.md")
    assert box.currentText() == "French (guessed)"
    assert desk(window).state.language == "auto"


def test_the_language_that_was_chosen_is_taken_again_after_a_crash(
    qtbot: QtBot, window: MainWindow, box: LanguageBox
) -> None:
    panel, session = desk(window), desk(window).saver.session
    assert session is not None
    state = SessionState(title="Brücke", length="3s", language="nl")
    panel.take_up(LeftBehind(session.folder, (LeftDocument(state, session.copy_file()),)), session)
    wait_for(qtbot, window)
    assert box.currentText() == "Dutch"
    assert box.itemText(0) == "German (guessed)"


def test_a_language_that_is_not_known_is_said_over_the_summary(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    latin = "Gallia est omnis divisa in partes tres. Unam incolunt Belgae, aliam Aquitani. " * 2
    (tmp_path / "gallia.txt").write_text(latin + "Tertiam incolunt Celtae, nostra Galli.", "utf-8")
    open_file(qtbot, window, tmp_path / "gallia.txt")
    assert desk(window).source.language.currentText() == "not known"
    assert "the rules for English were used" in words_on(desk(window).summary)


def test_the_box_can_be_reached_with_tab(
    qtbot: QtBot, window: MainWindow, box: LanguageBox
) -> None:
    assert box.focusPolicy() & Qt.FocusPolicy.TabFocus
