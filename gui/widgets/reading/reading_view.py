"""The source as it is read: evidence marked, words found and selected, of any length."""

from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import (
    QAccessible,
    QContextMenuEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QWidget

from core.documents.document import Document, Kind
from gui.theme.theme import Theme
from gui.widgets.reading.flow_area import FlowArea
from gui.widgets.reading.marks import Mark, Marks
from gui.widgets.reading.pieces import Pieces
from gui.widgets.reading.reading_mouse import ReadingMouse
from gui.widgets.reading.reading_page import MAX_MEASURE, ReadingPage
from gui.widgets.reading.reading_paint import Look, PiecePainter, margin_numbers, pulse_rect
from gui.widgets.support.accessible import Part, install_accessibility
from gui.widgets.support.finder import Finder
from gui.widgets.support.paint import painter_on

PULSE_MS = 600
_COMFORT = (0.08, 0.8)  # a place between these shares of the screen need not be scrolled to
_ARRIVAL = 0.33  # where on the screen a jump brings its place
_MAX_HEADINGS = 2_000
_MAX_TITLE = 200


class ReadingView(FlowArea):
    """Shows a document in one column with its marks. Offsets are code points of its text."""

    hovered = Signal(object)
    """The number of the summary sentence whose evidence is under the pointer, or None."""
    activated = Signal(int)
    """The number of the summary sentence whose evidence was clicked."""
    add_requested = Signal(int)
    """A code point of the sentence that shall be in the summary; -1 when none was pointed at."""
    visible_changed = Signal(int, int, int)
    """First code point on screen, one past the last, and the page of the first (0: no pages)."""
    find_progress = Signal(int, int)
    """How often the words were found so far, and on which of them one stands, from 1."""

    def __init__(
        self,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        compact_left: int | None = None,
        small: bool = False,
    ) -> None:
        """A view without a document.

        Args:
            theme: The look.
            parent: Qt's owner.
            compact_left: The left margin in px of a view in a card; None for a page.
            small: Whether text is set smaller, as in narrow columns.
        """
        super().__init__(theme, parent)
        self._compact_left, self._small = compact_left, small
        self.document: Document | None = None
        self.page: ReadingPage | None = None
        self.measure = MAX_MEASURE
        self._pieces: Pieces | None = None
        self._visible = (-1, -1, -1)
        self.look = Look(Finder(self), Marks())
        self.look.finder.progressed.connect(self._on_found)
        self._find_from = 0
        self._mouse = ReadingMouse(self)
        self.can_add = False
        """Whether sentences can be added to the summary."""
        self._pulse = QVariantAnimation(self, startValue=0.0, endValue=1.0)
        self._pulse.valueChanged.connect(self._on_pulse)
        self._pulse.finished.connect(lambda: self._on_pulse(None))
        self.setAccessibleName(self.tr("Source"))
        install_accessibility()

    # What is shown

    def set_document(self, document: Document | None) -> None:
        """Shows another document from its beginning, without marks."""
        self.look.finder.stop()
        self.look = Look(self.look.finder, Marks())
        self.look.finder.start("", "")
        self.document = document
        self._pieces = Pieces.of(document) if document is not None else None
        self._mouse.forget()
        self._visible = (-1, -1, -1)
        self.page = self.flow = None
        self.rebuild()
        self.settle()

    def set_measure(self, characters: int) -> None:
        """Sets how many characters the longest line has, up to 75."""
        if characters != self.measure:
            self.measure = characters
            self.rebuild()
            self.settle()

    def rebuild(self) -> None:
        """Lays out for another width or size; the first line on screen keeps its height."""
        if self.document is None or self._pieces is None or not len(self._pieces):
            return
        kept = self.page.first_line(self.shown) if self.page and self.shown else None
        at_top = self.flow is None or self.flow.value == 0
        width = self.width()
        self.page = ReadingPage(
            self.theme,
            self.document,
            self._pieces,
            width,
            self.measure,
            self._compact_left,
            self._small,
        )
        self.flow = self.page.flow
        if kept is not None and not at_top:
            piece, inner = self.page.place(kept[0])
            self.flow.place(piece, kept[1] - inner)

    def on_theme_changed(self) -> None:
        """Takes new colours and fonts."""
        self.rebuild()
        self.settle()

    def on_settled(self) -> None:
        """Tells which part of the text is on screen."""
        visible = self.visible_span()
        if visible is not None and self.document is not None and visible != self._visible[:2]:
            self._visible = (*visible, self.document.page_at(visible[0]))
            self.visible_changed.emit(*self._visible)

    def visible_span(self) -> tuple[int, int] | None:
        """First code point on screen and one past the last; None without a document."""
        if self.page is None or not self.shown:
            return None
        first, _ = self.page.first_line(self.shown)
        return first, self.page.last_offset(self.shown, self.viewport().height())

    def outline(self) -> list[tuple[int, int, str]]:
        """The headings as (offset, level, title); of very many only the upper levels."""
        document = self.document
        if document is None:
            return []
        headings = np.flatnonzero(document.kinds == Kind.HEADING)
        counts = np.cumsum(np.bincount(document.levels[headings], minlength=7))
        fitting = np.flatnonzero(counts <= _MAX_HEADINGS)
        deepest = fitting[-1] if len(fitting) else -1
        chosen = headings[document.levels[headings] <= max(int(deepest), 1)][:_MAX_HEADINGS]
        starts, ends = document.starts[chosen], document.ends[chosen]
        ends = np.minimum(ends, starts + _MAX_TITLE)
        levels = document.levels[chosen]
        rows = zip(starts.tolist(), levels.tolist(), ends.tolist(), strict=True)
        return [(start, level, document.text[start:end]) for start, level, end in rows]

    # Marks

    def set_marks(self, marks: Iterable[Mark]) -> None:
        """Marks these words and no others; `GapMarks` are taken as they are."""
        self.look.marks = marks if isinstance(marks, Marks) else Marks(marks)
        self.viewport().update()

    def set_lit(self, number: int | None) -> None:
        """Lights the evidence of one summary sentence; only what changes is painted again."""
        if number == self.look.lit:
            return
        before, self.look.lit = self.look.lit, number
        for changed in (before, number):
            self._update_marks(changed)

    def _update_marks(self, number: int | None) -> None:
        for rect in self.mark_rects(number):
            self.viewport().update(pulse_rect(rect).toAlignedRect())

    def mark_rects(self, number: int | None) -> list[QRectF]:
        """Where the evidence of a summary sentence is on screen, a rectangle a line."""
        if self.page is None:
            return []
        marks = self.look.marks.of(number)
        return [r for mark in marks for r in self.page.words(mark.start, mark.end, self.shown)]

    def number_at(self, point: QPointF) -> int | None:
        """The summary sentence whose evidence, or whose number in the margin, is at a point."""
        found = self.item_at(point.y())
        if self.page is None or found is None:
            return None
        for number in margin_numbers(self.page, self.look.marks, *found):
            if number.box.contains(point):
                return number.numbers[0]
        offset = self.page.block(found[0]).hit(point - self.page.corner(*found))
        if offset is None:
            return None
        mark = self.look.marks.at(offset + self.page.span(found[0])[0])
        return mark.number if mark else None

    def offset_at(self, point: QPointF) -> int:
        """The code point before which a click at a point puts the cursor."""
        if self.page is None or not self.shown:
            return 0
        last = self.shown[-1]
        piece, top = self.item_at(max(point.y(), self.shown[0][1])) or last
        start, end = self.page.span(piece)
        block, inside = self.page.block(piece), point - self.page.corner(piece, top)
        if inside.y() < 0 and piece > self.shown[0][0]:
            return start
        return end if inside.y() >= block.height else start + block.offset_at(inside)

    # Going somewhere

    def scroll_to(self, offset: int, animated: bool = True) -> None:
        """Brings a code point to a comfortable place; its evidence pulses once.

        Args:
            offset: Code point.
            animated: Whether the movement is shown.
        """
        if self.page is None:
            return
        piece, inner = self.page.place(offset)
        screen = self.viewport().height()
        tops = dict(self.shown)
        y = tops[piece] + inner if piece in tops else -1
        if not _COMFORT[0] * screen <= y <= _COMFORT[1] * screen:
            self.bring(piece, inner, round(screen * _ARRIVAL), animated=animated)
        mark = self.look.marks.at(offset)
        if animated and mark is not None:
            self._start_pulse(mark.number)

    def show_from(self, offset: int) -> None:
        """Brings the line of a code point to the top of the screen, at once."""
        if self.page is not None:
            piece, inner = self.page.place(offset)
            self.bring(piece, inner, 0, animated=False)

    @property
    def first_visible_offset(self) -> int:
        """The first code point on screen; 0 without a document."""
        return (self.visible_span() or (0, 0))[0]

    def scroll_to_number(self, number: int) -> None:
        """Brings the first evidence of a summary sentence on screen."""
        marks = self.look.marks.of(number)
        if marks:
            self.scroll_to(marks[0].start)

    def scroll_to_heading(self, offset: int) -> None:
        """Brings a heading to the top of the screen."""
        if self.page is not None:
            piece, inner = self.page.place(offset)
            self.bring(piece, inner, self.page.flow.before)

    def go_to_evidence(self, *, forward: bool) -> None:
        """Lights the next or the previous evidence and scrolls to it."""
        here = self.look.marks.of(self.look.lit)
        visible = self.visible_span() or (0, 0)
        at = here[0].start if here else visible[0] - 1
        marks = self.look.marks
        mark = marks.next_after(at) if forward else marks.last_before(at)
        if mark is not None:
            self.set_lit(mark.number)
            self.hovered.emit(mark.number)
            self.scroll_to(mark.start)

    def _start_pulse(self, number: int) -> None:
        duration_ms = self.theme.motion_ms(PULSE_MS)
        self._pulse.stop()
        if duration_ms and self.isVisible():
            self.look.pulse = (number, 0.0)
            self._pulse.setDuration(duration_ms)
            self._pulse.start()

    def _on_pulse(self, amount: float | None) -> None:
        if self.look.pulse is not None:
            number = self.look.pulse[0]
            self.look.pulse = None if amount is None else (number, float(amount))
            self._update_marks(number)

    # Find

    def find(self, words: str) -> None:  # type: ignore[override]  # Qt's own looks up windows
        """Looks for words in slices; `find_progress` tells how many there are."""
        if not self.look.finder.is_running and not self.look.finder.count:
            self._find_from = (self.visible_span() or (0, 0))[0]
        self.look.current = -1
        self.look.finder.start(self.document.text if self.document else "", words)

    def find_next(self) -> None:
        """Goes to the next found words; after the last come the first."""
        self.go_to_found(self.look.current + 1)

    def find_previous(self) -> None:
        """Goes to the previous found words; before the first come the last."""
        self.go_to_found(self.look.current - 1)

    def _on_found(self) -> None:
        finder = self.look.finder
        if self.look.current < 0 and finder.count:
            first = finder.first_from(self._find_from)
            if not finder.is_running or finder.hit(first)[0] >= self._find_from:
                self.go_to_found(first)
                return
        self.viewport().update()
        self.find_progress.emit(finder.count, self.look.current + 1)

    @property
    def num_found(self) -> int:
        """How often the words were found so far."""
        return self.look.finder.count

    @property
    def found(self) -> int:
        """The place one stands on among those found, from 0; -1 for none."""
        return self.look.current

    def leave_found(self) -> None:
        """Stands on none of the places; they stay marked."""
        self.look.current = -1
        self.viewport().update()

    def go_to_found(self, index: int) -> None:
        """Goes to one of the places that were found; after the last come the first."""
        finder = self.look.finder
        if finder.count:
            self.look.current = index % finder.count
            self.scroll_to(finder.hit(self.look.current)[0], animated=False)
        self.viewport().update()
        self.find_progress.emit(finder.count, self.look.current + 1)

    # Selection

    def selected_text(self) -> str:
        """The words selected, as they are in the document."""
        return self._mouse.selected_text()

    def copy(self, *, with_source: bool = False) -> None:
        """Puts the selected words on the clipboard, with title, page and paragraph if wished."""
        self._mouse.copy(with_source=with_source)

    def clear_selection(self) -> None:
        """Selects nothing."""
        self._mouse.clear()

    # Qt

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the pieces that the event's rectangle touches."""
        painter = painter_on(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        painter.fillRect(event.rect(), self.theme.color("surface"))
        if self.page is not None:
            clip = QRectF(event.rect())
            pieces = PiecePainter(painter, self.theme, self.page, self.look, clip)
            for piece, top in self.shown:
                if top < clip.bottom() and top + self.page.flow.height(piece) + 8 > clip.top():
                    pieces.paint(piece, top)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._mouse.press(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._mouse.press(event, is_double=True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._mouse.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._mouse.release(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._mouse.leave()
        return super().viewportEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_pointer = event.reason() == QContextMenuEvent.Reason.Mouse
        point = QPointF(event.pos()) if by_pointer else None
        self._mouse.show_menu(event.globalPos(), point)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        plain = event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
        if self._mouse.on_key(event):
            return
        if event.key() == Qt.Key.Key_N and plain == Qt.KeyboardModifier.NoModifier:
            self.go_to_evidence(forward=not shift)
        elif event.key() == Qt.Key.Key_A and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            self.add_requested.emit(self._mouse.cursor())
        elif not self.scroll_by_key(event):
            event.ignore()

    # For screen readers and the focus ring

    def focus_shape(self) -> tuple[QRect, int]:
        """The whole view, inside its own edges."""
        return self.rect().adjusted(4, 4, -4, -4), 3

    def accessible_role(self) -> QAccessible.Role:
        """A document."""
        return QAccessible.Role.Document

    def accessible_count(self) -> int:
        """The paragraphs on screen."""
        return len(self.shown) if self.page is not None else 0

    def accessible_focus(self) -> int:
        """A text has no part with the focus."""
        return -1

    def accessible_part(self, index: int) -> Part:
        """One paragraph on screen, with what it is evidence of."""
        assert self.page is not None
        page, (piece, top) = self.page, self.shown[index]
        corner, block = page.corner(piece, top), page.block(piece)
        is_heading = page.kind(piece) == Kind.HEADING
        role = QAccessible.Role.Heading if is_heading else QAccessible.Role.Paragraph
        rect = QRect(round(corner.x()), round(corner.y()), page.width, block.height)
        marks = self.look.marks.between(*page.span(piece))
        gaps = sorted(m.rank for m in marks if m.rank)
        numbers = sorted({m.number for m in marks if m.number and m.kind != "gap"}) or gaps
        told = self.tr("Gap sentence {0}. ") if gaps else self.tr("Evidence of sentence {0}. ")
        said = told.format(", ".join(map(str, numbers)))
        return Part((said if numbers else "") + block.text, rect, role)
