"""The summary: lit, entered, pinned, quoted, and calm while it changes."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QAccessible, QImage
from pytestqt.qtbot import QtBot

from core.documents.document import Document
from core.summaries.summary import Doubt, Summary
from gui.theme.theme import Theme
from gui.widgets.reading.quote_card import Quotation
from gui.widgets.reading.summary_list import SummaryList
from tests.helpers.reading import evidence_in, first_sentences, make_document, make_summary

Show = Callable[..., SummaryList]
NO_SUPPORT = "The foil can be stored for a year without loss."


@pytest.fixture
def document() -> Document:
    return make_document(200)


@pytest.fixture
def show(qtbot: QtBot, theme: Theme, document: Document) -> Show:
    def shown(texts: list[str], *, width: int = 628, pinned: tuple[int, ...] = ()) -> SummaryList:
        rows = SummaryList(theme)
        qtbot.addWidget(rows)
        rows.resize(width, 600)
        with qtbot.waitExposed(rows):
            rows.show()
        rows.set_summary(make_summary(document, texts, pinned=pinned), document)
        return rows

    return shown


def row_point(rows: SummaryList, number: int, x: int = 100) -> QPoint:
    return QPoint(x, rows.row_heights()[number])


def tool_point(rows: SummaryList, row: int, tool: str) -> QPoint:
    assert rows.page is not None
    return rows.page.tool_rects(row, dict(rows.shown)[row])[tool].center().toPoint()


def told(rows: SummaryList) -> list[tuple[str, object]]:
    heard: list[tuple[str, object]] = []
    names = "hovered activated show_in_source pin_requested replace_requested drop_requested"
    for name in [*names.split(), "copy_requested"]:
        getattr(rows, name).connect(lambda value, name=name: heard.append((name, value)))
    return heard


def test_pointing_lights_and_leaving_forgets(qtbot: QtBot, show: Show) -> None:
    rows = show(first_sentences(1, 2, 3))
    heard = told(rows)
    qtbot.mouseMove(rows.viewport(), row_point(rows, 2))
    assert rows.lit == 2
    qtbot.mouseMove(rows.viewport(), row_point(rows, 2, 300))
    qtbot.mouseMove(rows.viewport(), QPoint(100, 590))
    assert heard == [("hovered", 2), ("hovered", None)]


def test_a_click_goes_to_the_source(qtbot: QtBot, show: Show) -> None:
    rows = show([*first_sentences(1), NO_SUPPORT])
    heard = told(rows)
    for number in (1, 2):
        qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=row_point(rows, number))
    assert heard == [("hovered", 1), ("activated", 1), ("hovered", 2)]


@pytest.mark.parametrize("width", [400, 628, 900])
def test_tools_act_on_their_row_even_where_they_overlap_the_next(
    qtbot: QtBot, show: Show, width: int
) -> None:
    rows = show(["Short.", *first_sentences(1, 2, 3)], width=width)
    heard = told(rows)
    for row in (1, 2):
        for tool in ("pin", "replace", "drop"):
            qtbot.mouseMove(rows.viewport(), row_point(rows, row + 1))
            qtbot.mouseClick(
                rows.viewport(), Qt.MouseButton.LeftButton, pos=tool_point(rows, row, tool)
            )
    asked = [item for item in heard if item[0].endswith("requested")]
    names = ("pin_requested", "replace_requested", "drop_requested")
    assert asked == [(name, row) for row in (1, 2) for name in names]


def test_keys_walk_and_act(qtbot: QtBot, show: Show) -> None:
    rows = show(first_sentences(1, 2, 3))
    heard = told(rows)
    keys = Qt.Key
    for key in (keys.Key_J, keys.Key_Down, keys.Key_K, keys.Key_Return, keys.Key_P, keys.Key_R):
        qtbot.keyClick(rows, key)
    for key in (keys.Key_Delete, keys.Key_End, keys.Key_Down, keys.Key_Home, keys.Key_Up):
        qtbot.keyClick(rows, key)
    qtbot.keyClick(rows, keys.Key_C, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(rows, keys.Key_Escape)
    assert heard == [
        *(("hovered", number) for number in (1, 2, 1)),
        ("activated", 1),
        ("pin_requested", 0),
        ("replace_requested", 0),
        ("drop_requested", 0),
        ("hovered", 3),
        ("hovered", 1),
        ("copy_requested", 0),
        ("hovered", None),
    ]


def test_letters_with_ctrl_are_left_to_others(qtbot: QtBot, show: Show) -> None:
    rows = show(first_sentences(1))
    qtbot.keyClick(rows, Qt.Key.Key_J)
    heard = told(rows)
    qtbot.keyClick(rows, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    assert heard == []


def test_the_sentence_that_is_lit_stays_lit_while_the_summary_changes(
    show: Show, document: Document
) -> None:
    rows = show(first_sentences(10, 20, 30))
    rows.set_lit(2)
    rows.current = 1
    heard = told(rows)
    rows.set_summary(make_summary(document, first_sentences(5, 10, 15, 20, 30)), document)
    assert (rows.lit, rows.current, heard) == (4, 3, [("hovered", 4)])
    rows.set_summary(make_summary(document, first_sentences(5)), document)
    assert (rows.lit, rows.current, heard[1:]) == (None, 0, [("hovered", None)])


def test_rows_on_screen_stay_while_the_summary_changes(show: Show, document: Document) -> None:
    rows = show(first_sentences(*range(50, 150)))
    rows.verticalScrollBar().setValue(1_500)
    assert rows.summary is not None
    first, top = rows.shown[0]
    text = rows.summary.sentences[first].text
    rows.set_summary(make_summary(document, first_sentences(*range(150))), document)
    assert rows.summary.sentences[rows.shown[0][0]].text == text
    assert rows.shown[0][1] == top


def test_4500_sentences_are_laid_out_only_on_screen(show: Show) -> None:
    rows = show([f"Sentence {i} of very many." for i in range(4_500)])
    assert rows.page is not None
    rows.scroll_to_end(down=True)
    assert len(rows.page.blocks) <= 60
    assert 4_500 in rows.row_heights()
    assert len(rows.row_heights()) < 40


def test_the_map_hears_where_sentences_are_even_beyond_the_screen(show: Show) -> None:
    rows = show(first_sentences(*range(40)))
    heights = rows.row_heights()
    assert len(heights) == 40
    steps = {heights[n + 1] - heights[n] for n in range(1, 12)}
    assert steps == {41}
    heard: list[dict[int, int]] = []
    rows.rows_moved.connect(heard.append)
    rows.scroll_by(100)
    assert heard[-1][1] == heights[1] - 100


def test_a_quotation_opens_in_place(qtbot: QtBot, show: Show) -> None:
    rows = show([*first_sentences(1, 2), NO_SUPPORT])
    rows.set_quotations(True)
    heard = told(rows)
    before = rows.row_heights()
    qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=row_point(rows, 1))
    assert rows.page is not None
    card = rows.page.card(0, dict(rows.shown)[0])
    assert card is not None
    assert rows.row_heights()[2] == before[2] + 8 + card[0].height
    link = rows.page.link(0, dict(rows.shown)[0]).center().toPoint()
    qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=link)
    assert heard == [("hovered", 1), ("show_in_source", 1)]
    qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=row_point(rows, 1))
    assert rows.row_heights() == before
    qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=row_point(rows, 3))
    assert rows.page.open_row == -1


def test_a_quotation_has_whole_words_round_the_evidence(document: Document) -> None:
    words = document.paragraph(1)
    quoted = words.split(". ")[1][80:120]
    quotation = Quotation(document, evidence_in(document, quoted))
    assert quotation.text[quotation.start : quotation.end] == quoted
    inner = quotation.text.removeprefix("… ").removesuffix(" …")
    assert inner in words
    first = Quotation(document, evidence_in(document, "Paragraph 1 begins."))
    assert first.start == 0
    assert first.text.endswith(" …")


def test_screen_readers_hear_number_page_and_state(show: Show) -> None:
    rows = show([*first_sentences(1, 62), NO_SUPPORT], pinned=(0,))
    rows.set_lit(2)
    interface = QAccessible.queryAccessibleInterface(rows)
    assert interface.childCount() == 3
    heard = [interface.child(i).text(QAccessible.Text.Name) for i in range(3)]  # type: ignore[union-attr]
    assert heard == [
        "1 of 3, page 1, pinned. Paragraph 1 begins.",
        "2 of 3, page 7, evidence lit. Paragraph 62 begins.",
        f"3 of 3, no support. {NO_SUPPORT}",
    ]


def picture(rows: SummaryList) -> QImage:
    return rows.grab().toImage()


@pytest.mark.parametrize("width", [320, 628, 900])
def test_what_is_marked_is_seen(qtbot: QtBot, show: Show, theme: Theme, width: int) -> None:
    rows = show([*first_sentences(1, 2), NO_SUPPORT], width=width, pinned=(0,))
    rows.set_lit(2)
    image = picture(rows)
    colours = {
        image.pixelColor(x, y).name() for x in range(width - 14) for y in range(image.height())
    }
    for token in ("evStrong", "ev", "warn"):
        assert theme.color(token).name() in colours
    assert rows.page is not None
    pin = rows.page.pin_rect(0, rows.shown[0][1]).toRect()
    corner, middle = image.pixelColor(pin.topLeft()), image.pixelColor(pin.center())
    strokes = [image.pixelColor(pin.center().x() + dx, pin.center().y() - 2) for dx in range(-8, 8)]
    assert corner == middle == theme.color("surface")
    assert any(c.blue() - c.red() > 60 for c in strokes)


def test_the_keyboard_is_seen_on_its_sentence(qtbot: QtBot, show: Show) -> None:
    rows = show(first_sentences(1, 2))
    qtbot.keyClick(rows, Qt.Key.Key_End)
    rect, _ = rows.focus_shape()
    assert rect.contains(row_point(rows, 2))
    assert not rect.contains(row_point(rows, 1))


def test_no_summary_is_an_empty_page(qtbot: QtBot, show: Show) -> None:
    rows = show(first_sentences(1))
    rows.set_summary(None)
    qtbot.keyClick(rows, Qt.Key.Key_J)
    qtbot.mouseMove(rows.viewport(), QPoint(100, 30))
    assert (rows.row_heights(), rows.item_at(QPointF(1, 30).y())) == ({}, None)
    rows.grab()


def doubted(document: Document) -> Summary:
    """Two sentences with evidence, words of the first are doubtful."""
    summary = make_summary(document, first_sentences(1, 2))
    doubts = (Doubt(0, 9, "name"), Doubt(10, 11, "number", elsewhere=True))
    first = replace(summary.sentences[0], doubts=doubts)
    return replace(summary, sentences=(first, summary.sentences[1]))


def test_doubtful_words_are_marked_by_shape_and_colour(show: Show, document: Document) -> None:
    rows = show(first_sentences(1, 2))
    plain = rows.grab().toImage()
    rows.set_summary(doubted(document), document)
    marked = rows.grab().toImage()
    assert rows.page is not None
    ((_, (name,)), (_, (number,))) = rows.page.doubts(0, dict(rows.shown)[0])
    color = rows.theme.color("warn").rgb()
    ratio = marked.devicePixelRatio()

    def warned(image: QImage, words: QRectF) -> list[int]:
        y = int((words.bottom() - 2) * ratio)
        across = range(int(words.left() * ratio), int(words.right() * ratio))
        return [x for x in across if image.pixel(x, y) == color]

    for words in (name, number):
        assert not warned(plain, words)
        assert 0 < len(warned(marked, words)) < words.width() * ratio, "dots, not a line"


def test_pointing_at_doubtful_words_says_why(show: Show, document: Document) -> None:
    rows = show(first_sentences(1, 2))
    rows.set_summary(doubted(document), document)
    assert rows.page is not None
    top = dict(rows.shown)[0]
    ((_, (name,)), (_, (number,))) = rows.page.doubts(0, top)
    assert rows._doubt_at(name.center()) == "“Paragraph” is not in the source."
    assert rows._doubt_at(number.center()).startswith(
        "“1” is in the source, but in another context"
    )
    assert rows._doubt_at(QPointF(number.right() + 60, number.center().y())) == ""


def test_a_screen_reader_says_what_is_doubtful(show: Show, document: Document) -> None:
    rows = show(first_sentences(1, 2))
    rows.set_summary(doubted(document), document)
    assert "“Paragraph” is not in the source." in rows.accessible_part(0).name
    assert "stand" not in rows.accessible_part(1).name


def test_who_speaks_stands_before_the_words_and_marks_lie_on_the_words(
    show: Show, document: Document
) -> None:
    rows = show(first_sentences(3))
    plain = make_summary(document, first_sentences(3))
    evidence = replace(plain.sentences[0].evidence[0], speaker="Ms. Read")
    doubt = Doubt(0, 5, "name")
    said = replace(plain.sentences[0], evidence=(evidence,), doubts=(doubt,))
    rows.set_summary(replace(plain, sentences=(said,)), document)
    assert rows.page is not None
    block = rows.page.block(0)
    assert block.text == f"Ms. Read: {said.text}"
    first = block.rects(len("Ms. Read: "), len("Ms. Read: ") + 5)[0]
    ((_, words),) = rows.page.doubts(0, 0)
    assert words[0].left() == first.left() + rows.page.corner(0).x()
    assert rows.page.words(0, 0)[0].left() == words[0].left()
    assert "Ms. Read: " in rows.accessible_part(0).name
