"""The map: all of the document, ticks where the evidence is, a frame that can be dragged."""

import itertools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible
from pytestqt.qtbot import QtBot

from core.documents.document import Block, Document, Kind
from gui.theme.theme import Theme
from gui.widgets.display.miniature import LINE_PX, Miniature
from gui.widgets.reading.evidence_map import EvidenceMap
from gui.widgets.reading.marks import Mark
from tests.helpers.reading import document_of, make_document

HEIGHT = 600
Show = Callable[[Document], EvidenceMap]


@pytest.fixture
def show(qtbot: QtBot, theme: Theme) -> Show:
    def shown(document: Document) -> EvidenceMap:
        made = EvidenceMap(theme)
        qtbot.addWidget(made)
        made.resize(72, HEIGHT)
        with qtbot.waitExposed(made):
            made.show()
        made.set_document(document)
        return made

    return shown


def marks_at(document: Document, *paragraphs: int) -> list[Mark]:
    starts = [document.text.index(f"Paragraph {i} begins") for i in paragraphs]
    return [Mark(start, start + 10, number) for number, start in enumerate(starts, 1)]


def tick_point(map_: EvidenceMap, number: int) -> QPoint:
    rects = [map_.accessible_part(i).rect for i in range(map_.accessible_count())]
    return rects[number - 1].center()


@given(st.lists(st.integers(1, 2_000), min_size=1, max_size=80), st.integers(30, 900))
def test_the_whole_document_always_fits_in_order(lengths: list[int], height: int) -> None:
    kinds = itertools.cycle([Kind.HEADING, Kind.PARAGRAPH, Kind.PARAGRAPH])
    document = document_of([Block("x" * n, next(kinds), 1) for n in lengths])
    small = Miniature(document, height)
    assert small.height <= height
    assert len(small.widths) == len(small.is_heading) == small.height // LINE_PX
    assert small.widths.min() >= 0 and small.widths.max() <= 1
    heights = [small.y_of(offset) for offset in range(0, len(document.text), 97)]
    assert heights == sorted(heights)
    assert heights[-1] <= small.height
    for offset in range(0, len(document.text), 97):
        there = small.offset_at(small.y_of(offset))
        assert small.y_of(there) == pytest.approx(small.y_of(offset), abs=LINE_PX + 0.1)


def test_45_000_paragraphs_are_drawn_as_one_screen(show: Show) -> None:
    document = make_document(45_000, words=3)
    map_ = show(document)
    map_.set_marks(marks_at(document, 1, 44_000))
    map_.grab()
    assert map_._miniature is not None
    assert len(map_._miniature.widths) <= HEIGHT / LINE_PX


def test_a_tick_lights_and_leads_to_its_evidence(qtbot: QtBot, show: Show) -> None:
    document = make_document(300)
    map_ = show(document)
    map_.set_marks(marks_at(document, 20, 150, 280))
    heard: list[int | None] = []
    map_.hovered.connect(heard.append)
    qtbot.mouseMove(map_, tick_point(map_, 2))
    with qtbot.waitSignal(map_.activated) as clicked:
        qtbot.mouseClick(map_, Qt.MouseButton.LeftButton, pos=tick_point(map_, 2))
    qtbot.mouseMove(map_, QPoint(50, 300))
    assert (clicked.args, heard) == ([2], [2, None])


def test_a_dot_leads_there_too(qtbot: QtBot, show: Show) -> None:
    document = make_document(300)
    map_ = show(document)
    map_.set_marks(marks_at(document, 20, 150))
    map_.set_rows({1: 100, 2: 140})
    assert map_.number_at(QPointF(66, 141)) == 2
    assert map_.number_at(QPointF(66, 120)) is None


def test_a_click_beside_ticks_scrolls_there(qtbot: QtBot, show: Show) -> None:
    document = make_document(300)
    map_ = show(document)
    with qtbot.waitSignal(map_.scroll_requested) as asked:
        qtbot.mouseClick(map_, Qt.MouseButton.LeftButton, pos=QPoint(18, HEIGHT // 2))
    assert asked.args[0] == pytest.approx(len(document.text) / 2, rel=0.1)


def test_the_frame_is_dragged_from_where_it_is_held(qtbot: QtBot, show: Show) -> None:
    document = make_document(300)
    map_ = show(document)
    middle = len(document.text) // 2
    map_.set_visible_span(middle, middle + 4_000)
    frame = map_.frame_rect()
    assert frame is not None
    asked: list[int] = []
    map_.scroll_requested.connect(asked.append)
    held = frame.center().toPoint()
    qtbot.mousePress(map_, Qt.MouseButton.LeftButton, pos=held)
    qtbot.mouseMove(map_, held + QPoint(0, 4))
    qtbot.mouseMove(map_, held)
    qtbot.mouseMove(map_, QPoint(held.x(), HEIGHT + 500))
    qtbot.mouseRelease(map_, Qt.MouseButton.LeftButton, pos=held)
    down, back, beyond = asked
    assert back == pytest.approx(middle, abs=400)
    assert down > back
    assert beyond > 0.99 * len(document.text)


def test_the_frame_of_a_huge_document_can_still_be_held(show: Show) -> None:
    document = make_document(20_000)
    map_ = show(document)
    map_.set_visible_span(5_000, 7_000)
    frame = map_.frame_rect()
    assert frame is not None and frame.height() >= 12


def test_curves_are_drawn_to_the_sentences_that_are_told(show: Show, theme: Theme) -> None:
    document = make_document(300)
    map_ = show(document)
    map_.set_marks(marks_at(document, 20, 150))
    map_.set_lit(2)
    map_.set_rows({2: 100})
    image = map_.grab().toImage()
    ink = theme.color("ev").name()
    assert image.pixelColor(66, 100).name() == ink
    assert image.pixelColor(66, 140).name() != ink


def test_keys_walk_from_tick_to_tick(qtbot: QtBot, show: Show) -> None:
    document = make_document(300)
    map_ = show(document)
    map_.set_marks(marks_at(document, 20, 150, 280))
    heard: list[int | None] = []
    map_.hovered.connect(heard.append)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_J, Qt.Key.Key_End, Qt.Key.Key_Up):
        qtbot.keyClick(map_, key)
    with qtbot.waitSignal(map_.activated) as entered:
        qtbot.keyClick(map_, Qt.Key.Key_Return)
    assert (heard, entered.args) == ([1, 2, 3, 2], [2])


def test_screen_readers_hear_a_list_of_places(show: Show) -> None:
    document = make_document(300)
    map_ = show(document)
    map_.set_marks(marks_at(document, 20, 150))
    interface = QAccessible.queryAccessibleInterface(map_)
    heard = [interface.child(i).text(QAccessible.Text.Name) for i in range(2)]  # type: ignore[union-attr]
    assert heard == ["sentence 1, page 3", "sentence 2, page 16"]


def test_an_empty_map_is_drawn(qtbot: QtBot, show: Show) -> None:
    for document in (document_of([]), document_of([Block("One.")])):
        map_ = show(document)
        map_.grab()
        qtbot.mouseClick(map_, Qt.MouseButton.LeftButton, pos=QPoint(18, 400))
        qtbot.keyClick(map_, Qt.Key.Key_Down)
