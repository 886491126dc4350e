"""What the pointer and the copy keys do in the source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent

from gui.widgets.inputs.menu import Menu
from gui.widgets.reading.selection import Grain, Selection

if TYPE_CHECKING:
    from gui.widgets.reading.reading_view import ReadingView

_AUTOSCROLL_MS = 30
_AUTOSCROLL_SHARE = 0.3  # of the distance from the edge, in every step


class ReadingMouse(QObject):
    """Hovering, clicking, selecting and copying in a `ReadingView`."""

    def __init__(self, view: ReadingView) -> None:
        super().__init__(view)
        self._view = view
        self.selection = Selection(self._paragraph_at)
        self._hovered: int | None = None
        self._pressed_at: QPointF | None = None
        self._pointer = QPointF()
        self._last_double_ms = 0
        self._autoscroll = QTimer(self, interval=_AUTOSCROLL_MS)
        self._autoscroll.timeout.connect(self._scroll_on)

    def forget(self) -> None:
        """Selects nothing and points at nothing."""
        self.selection.take(0, 0)
        self._pressed_at = self._hovered = None
        self._autoscroll.stop()

    def _paragraph_at(self, offset: int) -> tuple[int, str]:
        document = self._view.document
        assert document is not None
        index = document.paragraph_at(offset)
        return int(document.starts[index]), document.paragraph(index)

    # Pointer

    def press(self, event: QMouseEvent, *, is_double: bool = False) -> None:
        """Begins a selection: by words after two clicks, by paragraphs after three."""
        if event.button() != Qt.MouseButton.LeftButton or self._view.document is None:
            return
        point = event.position()
        offset = self._view.offset_at(point)
        before = self.selection.span
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.selection.extend(offset)
        else:
            self.selection.begin(offset, self._grain(event, is_double))
        self._pressed_at = point
        self._show(before)

    def _grain(self, event: QMouseEvent, is_double: bool) -> Grain:
        if is_double:
            self._last_double_ms = event.timestamp()
            return Grain.WORD
        hints = QGuiApplication.styleHints()
        since_ms = event.timestamp() - self._last_double_ms
        is_third = self._last_double_ms and since_ms <= hints.mouseDoubleClickInterval()
        return Grain.PARAGRAPH if is_third else Grain.LETTER

    def move(self, event: QMouseEvent) -> None:
        """Lights what is under the pointer, or selects up to it."""
        self._pointer = event.position()
        if self._pressed_at is None:
            self._hover(self._view.number_at(self._pointer))
            return
        self._extend()
        inside = 0 <= self._pointer.y() < self._view.viewport().height()
        if inside:
            self._autoscroll.stop()
        elif not self._autoscroll.isActive():
            self._autoscroll.start()

    def release(self, event: QMouseEvent) -> None:
        """Ends a selection; a click on evidence without one goes to its sentence."""
        pressed, self._pressed_at = self._pressed_at, None
        self._autoscroll.stop()
        if pressed is None or self.selection:
            return
        number = self._view.number_at(event.position())
        if number is not None:
            self._view.activated.emit(number)

    def leave(self) -> None:
        """The pointer is gone."""
        self._hover(None)

    def _hover(self, number: int | None) -> None:
        column = self._view.page
        in_margin = column is not None and self._pointer.x() > column.left + column.width
        hand = number is not None and in_margin
        shape = Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.IBeamCursor
        if self._view.viewport().cursor().shape() != shape:
            self._view.viewport().setCursor(shape)
        if number != self._hovered:
            self._hovered = number
            self._view.set_lit(number)
            self._view.hovered.emit(number)

    def _scroll_on(self) -> None:
        y, screen = self._pointer.y(), self._view.viewport().height()
        beyond = y if y < 0 else y - screen
        self._view.scroll_by(round(beyond * _AUTOSCROLL_SHARE))
        self._extend()

    def _extend(self) -> None:
        before = self.selection.span
        self.selection.extend(self._view.offset_at(self._pointer))
        self._show(before)

    def _show(self, before: tuple[int, int]) -> None:
        view, span = self._view, self.selection.span
        view.look.selected = span
        if view.page is None or span == before:
            return
        for start, end in ((before[0], span[0]), (before[1], span[1])):
            for rect in view.page.words(min(start, end), max(start, end), view.shown):
                view.viewport().update(rect.toAlignedRect())

    # Copying

    def on_key(self, event: QKeyEvent) -> bool:
        """Copies, selects all, or forgets the selection.

        Args:
            event: A key.

        Returns:
            Whether it was one of these keys and something was done.
        """
        keys = QKeySequence.StandardKey
        if event.matches(keys.Copy):
            self.copy()
        elif event.matches(keys.SelectAll) and self._view.document is not None:
            self._take(0, len(self._view.document.text))
        elif event.key() == Qt.Key.Key_Escape and self.selection:
            self.clear()
        else:
            return False
        return True

    def clear(self) -> None:
        """Selects nothing."""
        self._take(0, 0)

    def _take(self, start: int, end: int) -> None:
        self.selection.take(start, end)
        self._view.look.selected = (start, end)
        self._view.viewport().update()

    def selected_text(self) -> str:
        """The words selected, as they are in the document."""
        start, end = self.selection.span
        return self._view.document.text[start:end] if self._view.document else ""

    def copy(self, *, with_source: bool = False) -> None:
        """Puts the selected words on the clipboard, if there are any."""
        if not self.selection:
            return
        text = self.selected_text()
        if with_source:
            text = f"“{text}” ({self.source()})"
        QGuiApplication.clipboard().setText(text)

    def source(self) -> str:
        """Where the selected words come from: title, page, paragraph."""
        document = self._view.document
        assert document is not None
        start = self.selection.span[0]
        parts = [document.title]
        if page := document.page_at(start):
            parts.append(self.tr("page {0}").format(page))
        label = document.label(document.paragraph_at(start))
        return ", ".join([*parts, self.tr("paragraph {0}").format(label)])

    def cursor(self) -> int:
        """The code point that was clicked last, or where the selection begins; -1 for none."""
        return self.selection.span[0] if self.selection.span[1] else -1

    def show_menu(self, at: QPoint, point: QPointF | None = None) -> None:
        """Opens the menu of the selection, and of the sentence under the pointer.

        Args:
            at: Where, on the screen.
            point: Where the pointer is, in the view; None when the menu was opened by key.
        """
        offset = self._view.offset_at(point) if point else self.cursor()
        menu = Menu(self._view.theme, self.tr("Source"), self._view)
        standard = QKeySequence.StandardKey
        copy = menu.add(
            self.tr("Copy"), self.copy, icon="copy", shortcut=QKeySequence(standard.Copy)
        )
        cited = menu.add(self.tr("Copy with source"), self._copy_with_source, icon="text-quote")
        for action in (copy, cited):
            action.setEnabled(bool(self.selection))
        add = menu.add(
            self.tr("Add to the summary"),
            lambda: self._view.add_requested.emit(offset),
            icon="plus",
            shortcut="A",
        )
        add.setEnabled(self._view.can_add and offset >= 0)
        menu.popup(at)

    def _copy_with_source(self) -> None:
        self.copy(with_source=True)
