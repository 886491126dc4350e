"""The summary as a list of sentences: numbered, lit with their evidence, pinned or dropped."""

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPaintEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from core.documents.document import Document
from core.summaries.summary import Summary, SummarySentence
from core.summaries.summary_lines import describe_doubt
from gui.theme.theme import Theme
from gui.widgets.inputs.menu import Menu
from gui.widgets.reading.flow_area import FlowArea
from gui.widgets.reading.summary_page import Blocks, SummaryPage
from gui.widgets.reading.summary_paint import RowPainter, page_text
from gui.widgets.support.accessible import Part, install_accessibility, tell_focus
from gui.widgets.support.paint import painter_on

MAX_CURVES = 60
"""With more sentences only those on screen are told to the map."""
_BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
_LINK = "link"


class SummaryList(FlowArea):
    """Shows a summary. A sentence's *number* counts from 1, its *row* from 0."""

    hovered = Signal(object)
    """The number of the sentence under the pointer or the keyboard, or None."""
    activated = Signal(int)
    """The number of the sentence that was clicked or entered."""
    show_in_source = Signal(int)
    """The number of the sentence whose quotation was asked for in its place."""
    pin_requested = Signal(int)
    """The row to pin, or to let go."""
    replace_requested = Signal(int)
    drop_requested = Signal(int)
    copy_requested = Signal(int)
    rows_moved = Signal(object)
    """A dict: number to the height of its first line's middle, in px of the window."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.summary: Summary | None = None
        self.page: SummaryPage | None = None
        self.current = -1
        self.lit: int | None = None
        self._document: Document | None = None
        self._editable = True
        self._quotations = False
        self._pointed: int | None = None
        self._tool: str | None = None
        self._rows: dict[int, int] = {}
        self.new_row = -1
        """The sentence that was just added or took another's place, until the next change."""
        self.setAccessibleName(self.tr("Summary"))
        install_accessibility()

    # What is shown

    def set_summary(self, summary: Summary | None, document: Document | None = None) -> None:
        """Shows another summary; what is lit, entered and on screen stays where it can.

        Args:
            summary: The sentences, or None for nothing.
            document: Their source, for quotations.
        """
        if summary is not self.summary:
            self.new_row = -1
        before = self.summary.sentences if self.summary else ()
        keys = {_key(s): row for row, s in enumerate(summary.sentences)} if summary else {}
        same = self._document is document

        def moved(row: int) -> int:
            return keys.get(_key(before[row]), -1) if same and 0 <= row < len(before) else -1

        lit, opened = moved((self.lit or 0) - 1), moved(self.page.open_row if self.page else -1)
        anchor = next(((moved(r), top) for r, top in self.shown if moved(r) >= 0), None)
        kept = moved(self.current)
        if kept < 0 <= self.current and same and summary and self.hasFocus():
            # Its sentence was dropped or replaced: the keyboard stays where it was.
            kept = min(self.current, len(summary.sentences) - 1)
        self.current, self._pointed = kept, None
        self.summary, self._document = summary, document
        self._build(self.page.blocks if self.page else None, opened)
        if anchor and self.flow is not None:
            self.flow.place(*anchor)
        self.settle()
        if self.lit is not None:
            self._light(lit + 1 or None)

    def point_out(self, row: int, *, focus: bool) -> None:
        """Marks a sentence as new, brings it on screen and lights its evidence.

        Args:
            row: Its place, from 0.
            focus: Whether the keyboard goes to it.
        """
        self._update_row(self.current)
        self.current = self.new_row = row
        self._light(row + 1)
        self.scroll_to(row + 1, animated=False)  # the focus ring goes where it is then
        self._update_row(row)
        if focus:
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        tell_focus(self, row)

    def set_editable(self, on: bool) -> None:
        """Whether sentences can be pinned, replaced and dropped; at first they can."""
        if on != self._editable:
            self._editable, self._tool = on, None
            self.viewport().update()

    def set_quotations(self, on: bool) -> None:
        """Whether a click opens the quotation in its place instead of going to the source."""
        self._quotations = on
        if not on:
            self._open(-1)

    def rebuild(self) -> None:
        """Lays out for another width or size; the first sentence on screen stays."""
        anchor = self.shown[0] if self.shown else None
        self._build(None, self.page.open_row if self.page else -1)
        if anchor and self.flow is not None and self.verticalScrollBar().value():
            self.flow.place(*anchor)

    def _build(self, blocks: Blocks | None, opened: int) -> None:
        if self.summary is None:
            self.page = self.flow = None
            return
        self.page = SummaryPage(self.theme, self.summary, self._document, self.width(), blocks)
        self.page.open(opened)
        self.flow = self.page.flow

    def on_theme_changed(self) -> None:
        """Takes new colours and fonts."""
        self.rebuild()
        self.settle()

    def on_settled(self) -> None:
        """Tells where the sentences are."""
        rows = self.row_heights()
        if rows != self._rows:
            self._rows = rows
            self.rows_moved.emit(rows)

    def row_heights(self) -> dict[int, int]:
        """Number of each sentence to the middle of its first line, in px of the window."""
        if self.page is None or self.flow is None:
            return {}
        middle = int(self.page.first_line(0).center().y())
        origin = self.viewport().mapTo(self.window(), QPoint(0, 0)).y() + middle
        tops = dict(self.shown)
        if len(self.flow) <= MAX_CURVES:
            value = self.flow.value
            tops = {r: tops.get(r, self.flow.top(r) - value) for r in range(len(self.flow))}
        return {row + 1: origin + top for row, top in tops.items()}

    # What is lit

    def set_lit(self, number: int | None) -> None:
        """Lights one sentence; only the two rows concerned are painted again."""
        if number == self.lit:
            return
        for row in ((self.lit or 0) - 1, (number or 0) - 1):
            self._update_row(row)
        self.lit = number

    def _light(self, number: int | None) -> None:
        if number != self.lit:
            self.set_lit(number)
            self.hovered.emit(number)

    def _update_row(self, row: int) -> None:
        for shown, top in self.shown:
            if shown == row and self.flow is not None:
                # Tools of a short row reach a little into the next one.
                height = self.flow.height(row) + 16
                self.viewport().update(0, top, self.viewport().width(), height)

    def scroll_to(self, number: int, animated: bool = True) -> None:
        """Brings a sentence on screen, as far as it is not there already."""
        row = number - 1
        if self.flow is None or not 0 <= row < len(self.flow):
            return
        tops, screen = dict(self.shown), self.viewport().height()
        height = self.flow.height(row)
        top = tops.get(row)
        if top is None or top < 0 or top + height > screen:
            above = top is not None and top < 0
            at = 8 if above or height > screen else min(screen // 3, screen - height)
            self.bring(row, 0, at, animated=animated)

    def return_to(self, anchor: tuple[int, int] | None, current: int) -> None:
        """Shows the summary as it was left.

        Args:
            anchor: What `anchor` was then.
            current: What `current` was then.
        """
        self.current = current if self.flow is not None and current < len(self.flow) else -1
        if anchor is not None and self.flow is not None and anchor[0] < len(self.flow):
            self.flow.place(*anchor)
            self.settle()

    def close_quotation(self) -> None:
        """Closes the quotation that is open, if there is one."""
        self._open(-1)

    def _open(self, row: int) -> None:
        if self.page is not None and row != self.page.open_row:
            self.page.open(row)
            self.settle()

    # Pointer

    def _part_at(self, point: QPointF) -> tuple[int | None, str | None]:
        """The row and the tool at a point."""
        if self.page is None:
            return None, None
        tops = dict(self.shown)
        if self._editable and self._pointed in tops:  # its tools may lie over the next row
            rects = self.page.tool_rects(self._pointed, tops[self._pointed])
            tool = next((name for name, rect in rects.items() if rect.contains(point)), None)
            if tool:
                return self._pointed, tool
        found = self.item_at(point.y())
        if found is None:
            return None, None
        return found[0], _LINK if self.page.link(*found).contains(point) else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        row, tool = self._part_at(event.position())
        if (row, tool) == (self._pointed, self._tool):
            return
        for changed in {self._pointed, row} - {None}:
            self._update_row(changed if changed is not None else -1)
        self._pointed, self._tool = row, tool
        if tool is None and row is not None:  # a tool may have come under the pointer just now
            self._tool = self._part_at(event.position())[1]
        shapes = Qt.CursorShape
        self.viewport().setCursor(shapes.ArrowCursor if row is None else shapes.PointingHandCursor)
        self._light(None if row is None else row + 1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.mouseMoveEvent(event)
        if event.button() != Qt.MouseButton.LeftButton or self._pointed is None:
            return
        row, tool = self._pointed, self._tool
        self._update_row(self.current)
        self.current = row
        if tool is None:
            self._activate(row)
        elif tool == _LINK:
            self.show_in_source.emit(row + 1)
        else:
            self._ask(tool, row)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click acts when it begins."""

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The second of two quick clicks does nothing more."""

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave and self._pointed is not None:
            self._update_row(self._pointed)
            self._pointed = self._tool = None
            self._light(None)
        if isinstance(event, QHelpEvent):
            self._show_tooltip(event)
            return True
        return super().viewportEvent(event)

    def _show_tooltip(self, event: QHelpEvent) -> None:
        tips = {
            "pin": self.tr("Pin this sentence (P)"),
            "replace": self.tr("Replace this sentence (R)"),
            "drop": self.tr("Drop this sentence (Delete)"),
        }
        tip = tips.get(self._tool or "", "") or self._doubt_at(QPointF(event.pos()))
        QToolTip.showText(event.globalPos(), tip, self)

    def _doubt_at(self, point: QPointF) -> str:
        """What is doubtful under a point, in words."""
        found = self.item_at(point.y())
        doubt = self.page.doubt_at(*found, point) if self.page and found else None
        return describe_doubt(self._sentence(found[0]), doubt) if found and doubt else ""

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_pointer = event.reason() == QContextMenuEvent.Reason.Mouse
        found = self.item_at(event.pos().y()) if by_pointer else None
        row = found[0] if found else self.current
        if row < 0:
            return
        menu = Menu(self.theme, self.tr("Sentence"), self)
        copy = QKeySequence(QKeySequence.StandardKey.Copy)
        source = menu.add(self.tr("Show in source"), lambda: self.show_in_source.emit(row + 1))
        source.setEnabled(bool(self._sentence(row).evidence))
        menu.add(
            self.tr("Copy with source"),
            lambda: self.copy_requested.emit(row),
            icon="copy",
            shortcut=copy,
        )
        if self._editable:
            self._add_tools(menu, row)
        menu.popup(event.globalPos())

    def _add_tools(self, menu: Menu, row: int) -> None:
        pinned = self._sentence(row).pinned
        pin = self.tr("Let go") if pinned else self.tr("Pin")
        menu.add(pin, lambda: self._ask("pin", row), icon="pin", shortcut="P")
        menu.add(
            self.tr("Replace"), lambda: self._ask("replace", row), icon="repeat-2", shortcut="R"
        )
        menu.add(self.tr("Drop"), lambda: self._ask("drop", row), icon="x", shortcut="Del")

    # Keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        )
        if event.matches(QKeySequence.StandardKey.Copy) and self.current >= 0:
            self.copy_requested.emit(self.current)
        elif not (plain and self._on_plain_key(Qt.Key(event.key()))) and not (
            event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown) and self.scroll_by_key(event)
        ):
            event.ignore()

    def _on_plain_key(self, key: Qt.Key) -> bool:
        keys = Qt.Key
        steps = {keys.Key_J: 1, keys.Key_Down: 1, keys.Key_K: -1, keys.Key_Up: -1}
        tools = {keys.Key_P: "pin", keys.Key_R: "replace", keys.Key_Delete: "drop"}
        count = len(self.summary.sentences) if self.summary else 0
        if key in steps:
            self._enter(self.current + steps[key])
        elif key in (keys.Key_Home, keys.Key_End):
            self._enter(0 if key == keys.Key_Home else count - 1)
        elif key in tools and self._editable and 0 <= self.current < count:
            self._ask(tools[key], self.current)
        elif key in (keys.Key_Return, keys.Key_Enter) and 0 <= self.current < count:
            self._activate(self.current)
        elif key == keys.Key_Escape and self.lit is not None:
            self._open(-1)
            self._light(None)
        else:
            return False
        return True

    def _enter(self, row: int) -> None:
        if self.summary is None or not self.summary.sentences:
            return
        self._update_row(self.current)
        self.current = min(max(row, 0), len(self.summary.sentences) - 1)
        self._update_row(self.current)
        self._light(self.current + 1)
        self.scroll_to(self.current + 1, animated=False)
        tell_focus(self, self.current)

    def _activate(self, row: int) -> None:
        self._light(row + 1)
        self._update_row(row)
        if self._quotations and self.page is not None:
            self._open(-1 if row == self.page.open_row else row)
        elif self._sentence(row).evidence:
            self.activated.emit(row + 1)

    def _ask(self, tool: str, row: int) -> None:
        signals = {
            "pin": self.pin_requested,
            "replace": self.replace_requested,
            "drop": self.drop_requested,
        }
        signals[tool].emit(row)

    def _sentence(self, row: int) -> SummarySentence:
        assert self.summary is not None
        return self.summary.sentences[row]

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in _BY_KEYBOARD:
            self._enter(max(0, self.current))
        self._update_row(self.current)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._update_row(self.current)

    # Qt

    def _active_row(self) -> int:
        if not self._editable:
            return -1
        if self._pointed is not None:
            return self._pointed
        return self.current if self.hasFocus() else -1

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the rows that the event's rectangle touches."""
        painter = painter_on(self.viewport())
        painter.fillRect(event.rect(), self.theme.color("surface"))
        if self.page is not None and self.flow is not None:
            rows = RowPainter(painter, self.theme, self.page, QRectF(event.rect()))
            active = self._active_row()
            for row, top in self.shown:
                if (
                    top <= event.rect().bottom()
                    and top + self.flow.height(row) >= event.rect().top()
                ):
                    lit, new = row + 1 == self.lit, row == self.new_row
                    rows.row(row, top, lit=lit, active=row == active, new=new)
            if active in dict(self.shown):
                rows.tools(active, dict(self.shown)[active], self._tool)
        painter.end()

    # For screen readers and the focus ring

    def focus_shape(self) -> tuple[QRect, int]:
        """The words of the sentence one stands on; the whole list while there is none."""
        tops = dict(self.shown)
        if self.page is None or self.current not in tops:
            return self.rect().adjusted(4, 4, -4, -4), 3
        rect = QRectF()
        for words in self.page.words(self.current, tops[self.current]):
            rect = rect.united(words)
        return rect.toAlignedRect().adjusted(-3, 0, 3, 0), 6

    def accessible_role(self) -> QAccessible.Role:
        """A list."""
        return QAccessible.Role.List

    def accessible_count(self) -> int:
        """All sentences."""
        return len(self.summary.sentences) if self.summary else 0

    def accessible_focus(self) -> int:
        """The sentence one stands on."""
        return self.current

    def accessible_part(self, index: int) -> Part:
        """One sentence: "4 of 9, page 7, evidence lit. To stop it, …"."""
        sentence = self._sentence(index)
        said = [self.tr("{0} of {1}").format(index + 1, self.accessible_count())]
        if not sentence.evidence:
            said.append(page_text(sentence))
        elif sentence.evidence[0].page:
            said.append(self.tr("page {0}").format(sentence.evidence[0].page))
        else:
            said.append(self.tr("paragraph {0}").format(sentence.evidence[0].paragraph))
        if index == self.new_row:
            said.append(self.tr("new"))
        if sentence.pinned:
            said.append(self.tr("pinned"))
        if self.lit == index + 1 and sentence.evidence:
            said.append(self.tr("evidence lit"))
        top = dict(self.shown).get(index)
        rect = QRect()
        if top is not None and self.flow is not None:
            rect = QRect(0, top, self.viewport().width(), self.flow.height(index))
        doubts = [describe_doubt(sentence, doubt) for doubt in sentence.doubts]
        return Part(" ".join((f"{', '.join(said)}.", sentence.spoken, *doubts)), rect)


def _key(sentence: SummarySentence) -> int | str:
    """What makes a sentence the same in the next summary: its evidence, else its words."""
    return sentence.evidence[0].start if sentence.evidence else sentence.text
