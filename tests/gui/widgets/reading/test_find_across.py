"""One search goes through several texts, in their order and round again."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.documents.document import Block, Document, Source
from gui.theme.theme import Theme
from gui.widgets.reading.find_across import FindAcross
from gui.widgets.reading.find_bar import FindBar
from gui.widgets.reading.reading_view import ReadingView


def across(theme: Theme, parent: QWidget, texts: list[str]) -> FindAcross:
    """A search over views of these texts."""
    found = FindAcross(parent)
    views = []
    for text in texts:
        view = ReadingView(theme, parent)
        view.resize(300, 200)
        view.set_document(Document.from_blocks([Block(text)], title="", source=Source("t")))
        views.append(view)
    found.set_views(views)
    return found


def finish(found: FindAcross) -> None:
    """Searches all texts to their ends."""
    for view in found.views:
        while view.look.finder.is_running:
            view.look.finder.search_slice()


def places(found: FindAcross) -> list[int]:
    """On which of its places each text stands; -1 for none."""
    return [view.found for view in found.views]


def test_one_place_of_all_is_the_current_one_and_they_are_walked_in_order(
    qtbot: QtBot, theme: Theme
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    found = across(theme, parent, ["no words here", "a pump and a pump", "the pump"])
    told: list[tuple[int, int]] = []
    found.find_progress.connect(lambda count, at: told.append((count, at)))
    found.find("pump")
    finish(found)
    assert told[-1] == (3, 1) and places(found) == [-1, 0, -1]
    for expected, at in (([-1, 1, -1], 2), ([-1, -1, 0], 3), ([-1, 0, -1], 1)):
        found.find_next()
        assert places(found) == expected and told[-1] == (3, at)
    found.find_previous()
    assert places(found) == [-1, -1, 0] and told[-1] == (3, 3)


def test_the_view_with_the_current_place_is_told(qtbot: QtBot, theme: Theme) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    found = across(theme, parent, ["pump", "valve pump"])
    told: list[object] = []
    found.gone_to.connect(told.append)
    found.find("valve")
    finish(found)
    assert told == [found.views[1]]


def test_other_texts_are_searched_for_the_same_words(qtbot: QtBot, theme: Theme) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    found = across(theme, parent, ["pump", "pump"])
    found.find("pump")
    finish(found)
    left = found.views[0]
    found.set_views(found.views[1:])
    finish(found)
    assert places(found) == [0] and found.views[0].num_found == 1
    told: list[tuple[int, int]] = []
    found.find_progress.connect(lambda count, at: told.append((count, at)))
    left.find("pump")
    assert not told and found.views[0].found == 0, "it is followed no longer"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=4), st.lists(st.booleans(), max_size=9))
def test_walking_comes_to_every_place_once_a_round(
    qtbot: QtBot, theme: Theme, counts: list[int], steps: list[bool]
) -> None:
    parent = QWidget()
    found = across(theme, parent, [f"text {'pump ' * count}" for count in counts])
    told: list[tuple[int, int]] = []
    found.find_progress.connect(lambda count, at: told.append((count, at)))
    found.find("pump")
    finish(found)
    total, here = sum(counts), 0
    for forward in steps:
        (found.find_next if forward else found.find_previous)()
        here = (here + (1 if forward else -1)) % max(total, 1)
    assert told[-1] == (total, here + 1 if total else 0)
    assert sum(place >= 0 for place in places(found)) == min(total, 1)
    parent.deleteLater()


def test_the_bar_tells_how_many_there_are_in_all_texts(qtbot: QtBot, theme: Theme) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    found = across(theme, parent, ["a pump", "the pump"])
    bar = FindBar(theme, found, "Find in all texts")
    bar.setParent(parent)
    bar.open_bar()
    qtbot.keyClicks(bar.field, "pump")
    finish(found)
    assert bar.count == "1 of 2"
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert bar.count == "2 of 2"
    qtbot.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert bar.count == "1 of 2"
    qtbot.keyClicks(bar.field, "s")
    finish(found)
    assert bar.count == "not found"
