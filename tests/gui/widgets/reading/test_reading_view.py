"""The source: bounded work, marks, reading on in the same place, selection, search."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QAccessible, QGuiApplication, QPaintEvent
from pytestqt.qtbot import QtBot

from core.documents.document import Block, Document, Kind
from gui.theme.theme import Theme
from gui.widgets.reading.marks import Mark
from gui.widgets.reading.pieces import MAX_PIECE
from gui.widgets.reading.reading_view import ReadingView
from tests.helpers.reading import document_of, make_document

Show = Callable[[Document | None], ReadingView]


class Painted(QObject):
    """Remembers what was painted again."""

    def __init__(self, view: ReadingView) -> None:
        super().__init__()
        self.rects: list[QRect] = []
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.rects += list(event.region())
        return False


@pytest.fixture
def show(qtbot: QtBot, theme: Theme) -> Iterator[Show]:
    def shown(document: Document | None) -> ReadingView:
        view = ReadingView(theme)
        qtbot.addWidget(view)
        view.resize(668, 790)
        with qtbot.waitExposed(view):
            view.show()
        view.set_document(document)
        return view

    yield shown


def marks_of(document: Document, *texts: str) -> list[Mark]:
    found = [(document.text.index(text), text) for text in texts]
    return [Mark(at, at + len(text), number) for number, (at, text) in enumerate(found, 1)]


def first_line(view: ReadingView) -> tuple[int, int]:
    assert view.page is not None
    return view.page.first_line(view.shown)


def line_y(view: ReadingView, offset: int) -> int:
    assert view.page is not None
    piece, inner = view.page.place(offset)
    return dict(view.shown)[piece] + inner


# Bounded work


def test_five_million_letters_are_opened_by_laying_out_one_screen(show: Show) -> None:
    document = make_document(45_000, words=14, per_page=20)
    assert len(document.text) > 4_000_000
    view = show(document)
    assert view.page is not None
    assert view.page.num_laid_out <= 25
    for share in (0.2, 0.9, 0.5):
        view.verticalScrollBar().setValue(int(view.verticalScrollBar().maximum() * share))
    view.scroll_to(len(document.text) // 3, animated=False)
    view.scroll_to_end(down=True)
    assert view.page.num_laid_out <= 6 * 25


@pytest.mark.parametrize("text", ["word " * 40_000, "x" * 200_000, "漢" * 200_000])
def test_a_paragraph_of_200_000_letters_is_laid_out_in_slices(show: Show, text: str) -> None:
    view = show(document_of([Block(text)]))
    assert view.page is not None and view.document is not None
    assert view.page.num_laid_out <= 3
    view.scroll_to_end(down=True)
    assert view.page.num_laid_out <= 6
    visible = view.visible_span()
    assert visible is not None
    assert visible[1] == len(view.document.text)
    assert visible[1] - visible[0] <= 3 * MAX_PIECE


def test_the_layouts_that_are_kept_are_bounded(show: Show) -> None:
    view = show(make_document(2_000))
    assert view.page is not None
    for _ in range(300):
        view.scroll_by(700)
    assert view.page.num_laid_out > 300
    assert len(view.page._blocks) <= 160


def test_hovering_paints_only_the_marks_that_change(qtbot: QtBot, show: Show) -> None:
    document = make_document(20)
    view = show(document)
    view.set_marks(marks_of(document, "Paragraph 1 begins.", "Paragraph 2 begins."))
    QCoreApplication.processEvents()
    painted = Painted(view)
    view.set_lit(2)
    qtbot.waitUntil(lambda: bool(painted.rects))
    (words,) = view.mark_rects(2)
    everything = QRect()
    for rect in painted.rects:
        everything = everything.united(rect)
    assert everything.contains(words.toAlignedRect())
    assert everything.height() <= words.height() + 20
    painted.rects.clear()
    view.set_lit(2)
    QCoreApplication.processEvents()
    assert painted.rects == []


# The place of what is read


def test_text_does_not_jump_while_heights_are_put_right(show: Show) -> None:
    view = show(make_document(3_000, words=90))
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2)
    for _ in range(60):
        offset, y = first_line(view)
        view.verticalScrollBar().setValue(view.verticalScrollBar().value() - 60)
        assert line_y(view, offset) == y + 60


def test_width_and_size_keep_the_first_line(show: Show, theme: Theme) -> None:
    view = show(make_document(500))
    view.scroll_by(9_000)
    offset, y = first_line(view)
    view.resize(540, 790)
    assert first_line(view)[0] <= offset
    assert line_y(view, offset) == y
    theme.set_reading_size(21)
    assert line_y(view, offset) == y


def test_the_column_is_never_wider_than_75_letters(show: Show) -> None:
    view = show(make_document(10))
    for width, column in ((668, 540), (1200, 560), (480, 352), (320, 256)):
        view.resize(width, 700)
        assert view.page is not None
        assert view.page.width == column
        assert view.page.left + column <= width - 40


def test_scrolling_tells_what_is_on_screen(qtbot: QtBot, show: Show) -> None:
    document = make_document(200)
    view = show(document)
    with qtbot.waitSignal(view.visible_changed) as told:
        view.scroll_to_end(down=True)
    first, last, page = told.args
    assert last == len(document.text)
    assert page == document.page_at(first) >= 19
    assert view.first_visible_offset == first


def test_a_jump_brings_its_place_on_screen(show: Show) -> None:
    document = make_document(2_000)
    view = show(document)
    for paragraph in (1_990, 1_000, 3, 1_500):
        offset = document.text.index(f"Paragraph {paragraph} begins")
        view.scroll_to(offset)
        assert 0 <= line_y(view, offset) <= 0.8 * 790
    view.show_from(offset)
    assert first_line(view) == (offset, 0)


def test_motion_ends_where_the_jump_goes(qtbot: QtBot, show: Show, theme: Theme) -> None:
    theme.set_motion("system")
    document = make_document(2_000)
    view = show(document)
    view.set_marks(marks_of(document, "Paragraph 1500 begins."))
    view.scroll_to(view.look.marks[0].start)
    assert view.look.pulse is not None
    qtbot.waitUntil(lambda: view.look.pulse is None)
    assert abs(line_y(view, view.look.marks[0].start) - round(790 * 0.33)) <= 1


# Marks


def test_pointing_at_evidence_tells_its_number(qtbot: QtBot, show: Show) -> None:
    document = make_document(20)
    view = show(document)
    view.set_marks(marks_of(document, "Paragraph 1 begins.", "Paragraph 2 begins."))
    told: list[int | None] = []
    view.hovered.connect(told.append)
    (words,) = view.mark_rects(2)
    qtbot.mouseMove(view.viewport(), words.center().toPoint())
    assert (told, view.look.lit) == ([2], 2)
    with qtbot.waitSignal(view.activated) as clicked:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=words.center().toPoint())
    assert clicked.args == [2]
    qtbot.mouseMove(view.viewport(), QPoint(5, 5))
    assert told == [2, None]


def test_the_number_in_the_margin_leads_there_too(show: Show) -> None:
    document = make_document(20)
    view = show(document)
    view.set_marks(marks_of(document, "Paragraph 1 begins."))
    (words,) = view.mark_rects(1)
    assert view.page is not None
    margin = view.page.left + view.page.width + 10
    assert view.number_at(QPointF(margin, words.center().y())) == 1
    assert view.number_at(QPointF(margin, words.center().y() + 27)) is None


def test_keys_go_from_evidence_to_evidence(qtbot: QtBot, show: Show) -> None:
    document = make_document(500)
    view = show(document)
    texts = [f"Paragraph {i} begins." for i in (3, 200, 400)]
    view.set_marks(marks_of(document, *texts))
    told: list[int | None] = []
    view.hovered.connect(told.append)
    for _ in range(4):
        qtbot.keyClick(view, Qt.Key.Key_N)
        assert view.mark_rects(view.look.lit)
    qtbot.keyClick(view, Qt.Key.Key_N, Qt.KeyboardModifier.ShiftModifier)
    assert told == [1, 2, 3, 2]


def test_a_key_with_ctrl_is_left_to_others(qtbot: QtBot, show: Show) -> None:
    document = make_document(20)
    view = show(document)
    view.set_marks(marks_of(document, "Paragraph 1 begins."))
    qtbot.keyClick(view, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert view.look.lit is None


def test_keys_scroll(qtbot: QtBot, show: Show) -> None:
    view = show(make_document(300))
    keys = Qt.Key
    qtbot.keyClick(view, keys.Key_Down)
    assert view.verticalScrollBar().value() == 81
    qtbot.keyClick(view, keys.Key_Space)
    qtbot.keyClick(view, keys.Key_PageUp)
    assert view.verticalScrollBar().value() == 81
    qtbot.keyClick(view, keys.Key_End)
    assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum()
    qtbot.keyClick(view, keys.Key_Home)
    assert view.verticalScrollBar().value() == 0


# Selection


def drag(qtbot: QtBot, view: ReadingView, start: QPoint, end: QPoint) -> None:
    surface, left = view.viewport(), Qt.MouseButton.LeftButton
    qtbot.mousePress(surface, left, pos=start)
    qtbot.mouseMove(surface, end)
    qtbot.mouseRelease(surface, left, pos=end)


def test_what_is_dragged_over_is_copied_as_it_is_in_the_document(qtbot: QtBot, show: Show) -> None:
    text = "At 280 °C under 40 MPa, 𝒜 and 👩‍🔬 hold 91 % of it."
    view = show(document_of([Block(text), Block("Another one.")]))
    assert view.page is not None
    first, last = view.page.words(0, len(text), view.shown), view.page.words(0, 10**6, view.shown)
    start, end = first[0].topLeft() + QPointF(0, 13), last[-1].bottomRight() - QPointF(-3, 13)
    drag(qtbot, view, start.toPoint(), end.toPoint())
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == f"{text}\n\nAnother one."


def test_two_clicks_take_a_word_and_shift_takes_more(qtbot: QtBot, show: Show) -> None:
    view = show(document_of([Block("Thin lithium nitride layers grow.")]))
    assert view.page is not None
    surface, left = view.viewport(), Qt.MouseButton.LeftButton
    (lithium,), (layers,) = (view.page.words(at, at + 3, view.shown) for at in (7, 21))
    qtbot.mouseDClick(surface, left, pos=lithium.center().toPoint())
    assert view.selected_text() == "lithium"
    shift = Qt.KeyboardModifier.ShiftModifier
    qtbot.mousePress(surface, left, shift, layers.center().toPoint())
    assert view.selected_text() == "lithium nitride layers"
    view.copy(with_source=True)
    said = "“lithium nitride layers” (A title, paragraph 1)"
    assert QGuiApplication.clipboard().text() == said


def test_a_click_on_evidence_selects_nothing_and_a_drag_activates_nothing(
    qtbot: QtBot, show: Show
) -> None:
    document = make_document(20)
    view = show(document)
    view.set_marks(marks_of(document, "Paragraph 1 begins."))
    (words,) = view.mark_rects(1)
    with qtbot.assertNotEmitted(view.activated):
        drag(qtbot, view, words.center().toPoint(), words.center().toPoint() + QPoint(40, 0))
    assert view.selected_text()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=words.center().toPoint())
    assert not view.selected_text()


def test_all_can_be_selected(qtbot: QtBot, show: Show) -> None:
    document = make_document(300)
    view = show(document)
    qtbot.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert view.selected_text() == document.text
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert not view.selected_text()


# Search, outline, screen readers


def test_found_words_are_walked_through_from_what_is_on_screen(qtbot: QtBot, show: Show) -> None:
    document = make_document(300)
    view = show(document)
    view.scroll_to(document.text.index("Paragraph 150 "), animated=False)
    told: list[tuple[int, int]] = []
    view.find_progress.connect(lambda count, current: told.append((count, current)))
    view.find("PARAGRAPH 29")
    qtbot.waitUntil(lambda: not view.look.finder.is_running)
    assert told[-1] == (11, 2)  # 29 lies above, 290 to 299 below
    assert line_y(view, document.text.index("Paragraph 290 ")) < 790
    view.find_next()
    assert told[-1] == (11, 3)
    view.find_previous()
    view.find_previous()
    assert told[-1] == (11, 1)
    view.find_previous()
    assert told[-1] == (11, 11)
    view.find("")
    assert told[-1] == (0, 0)


def test_the_outline_names_the_headings(show: Show) -> None:
    view = show(make_document(30))
    assert [(level, title) for _, level, title in view.outline()] == [
        (2, "Section 0"),
        (2, "Section 1"),
        (2, "Section 2"),
    ]
    assert show(None).outline() == []


def test_an_outline_of_very_many_headings_keeps_the_upper_levels(show: Show) -> None:
    blocks = [Block("Part", Kind.HEADING, 1)] + [Block("Item", Kind.HEADING, 3)] * 5_000
    assert [title for _, _, title in show(document_of(blocks)).outline()] == ["Part"]


def test_screen_readers_hear_the_paragraphs_on_screen(show: Show) -> None:
    document = make_document(100)
    view = show(document)
    view.set_marks(marks_of(document, "Paragraph 1 begins."))
    interface = QAccessible.queryAccessibleInterface(view)
    assert interface.role() == QAccessible.Role.Document
    assert interface.text(QAccessible.Text.Name) == "Source"
    names = [
        interface.child(index).text(QAccessible.Text.Name)  # type: ignore[union-attr]
        for index in range(interface.childCount())
    ]
    assert names[0] == "Section 0"
    assert names[2].startswith("Evidence of sentence 1. Paragraph 1 begins.")
    assert len(names) < 20


# Every kind of text is painted


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_kind_is_painted(qtbot: QtBot, show: Show, theme: Theme, scheme: str) -> None:
    theme.set_scheme(scheme)  # type: ignore[arg-type]
    blocks = [
        Block("T", Kind.HEADING, 1, page=1),
        Block("[0012] Numbered.", page=1),
        Block("first", Kind.LIST_ITEM, 1, page=2),
        Block("2. second", Kind.LIST_ITEM, 2, page=2),
        *(Block(f"A {kind.name}\nwith two lines", kind, page=3) for kind in Kind),
        Block("שלום עולם", page=4),
        Block("half \ud800 letter, nul \0, 𝒜", page=4),
    ]
    view = show(document_of(blocks, num_pages=4))
    view.set_marks([Mark(0, 20, 1), Mark(22, 30, 0, "shared"), Mark(30, 40, 0, "unsupported")])
    view.set_lit(1)
    view.find("e")
    qtbot.waitUntil(lambda: not view.look.finder.is_running)
    image = view.grab().toImage()
    colours = {image.pixelColor(x, y).name() for x in range(88, 640, 2) for y in range(0, 700, 2)}
    for token in ("surface", "evStrong", "sunken", "accentSoft", "line"):
        assert theme.color(token).name() in colours


def test_an_empty_document_is_an_empty_page(show: Show) -> None:
    view = show(document_of([]))
    view.grab()
    view.scroll_to(0)
    view.find("x")
    view.look.finder.search_slice()
    assert view.visible_span() is None
    assert np.all([view.first_visible_offset == 0, view.offset_at(QPointF(5, 5)) == 0])
