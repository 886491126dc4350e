"""The list of the open documents, beside their text; it is there when several are open."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QEnterEvent, QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.numbers import format_count
from gui.panels.summarise.documents.document_words import DocumentWords
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.display.sign import Sign
from gui.widgets.display.strip import STRIP_PX
from gui.widgets.display.tooltip import set_tooltip
from gui.widgets.inputs.button import icon_button
from gui.widgets.support.enter_key import pressed_by_enter
from gui.widgets.support.leaving import let_go
from gui.widgets.support.paint import HoverFade, clear, draw_plate, mixed, painter_on

WIDTH_PX = 200
_ROW_PX = 52
_CLOSE_PX = 24
_RADIUS_PX = 6
_BAR_PX = (3, 24)
_FAR = 1_000_000
_STEPS = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Home: -_FAR,
    Qt.Key.Key_End: _FAR,
}


class DocumentRow(QAbstractButton):
    """One document: its state, its name, a few words; the button that closes it."""

    close_requested = Signal()
    moved = Signal(int)
    """The keyboard goes so many documents on; far more for the last one."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._hover = HoverFade(self, theme)
        self._sign = Sign(theme, "clock", "text3", 16)
        self._name = Label(theme, "", "body", elide=True)
        self._words = Label(theme, "", "small", "text3", elide=True)
        self.closing = icon_button(theme, "x", self.tr("Close"), _CLOSE_PX)
        self.closing.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Delete and Ctrl W do the same
        self.closing.triggered.connect(self.close_requested)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setFixedHeight(_ROW_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._lay_out()
        self.toggled.connect(self._show_closing)
        theme.changed.connect(self.update)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 0, 10, 0)
        row.setSpacing(8)
        words = QVBoxLayout()
        words.setContentsMargins(0, 6, 0, 6)
        words.setSpacing(0)
        words.addWidget(self._name)
        words.addWidget(self._words)
        row.addWidget(self._sign)
        row.addLayout(words, 1)
        row.addWidget(self.closing)
        for part in (self._sign, self._name, self._words):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._show_closing()

    def show_document(self, document: DocumentWords) -> None:
        """Shows a document."""
        if self._sign.icon != document.icon:  # a ring turns on
            self._sign.set_icon(document.icon, document.color)
        self._name.setText(document.name)
        self._words.setText(document.words)
        self._words.set_color("err" if document.has_failed else "text3")
        self.setAccessibleName(document.name)
        self.setAccessibleDescription(document.words)
        self.closing.set_tooltip(self.tr("Close “{name}”").format(name=document.name), "Ctrl W")
        set_tooltip(self, self._theme, document.tooltip, beside=True)

    def focus_shape(self) -> tuple[QRect, int]:
        """Where the focus ring goes: inside, since the list cuts off what is outside."""
        return self._plate().toRect().adjusted(4, 4, -4, -4), _RADIUS_PX - 3

    def _plate(self) -> QRectF:
        return QRectF(self.rect()).adjusted(4, 1, -4, -1)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        hover = color("hover")
        amount = self._hover.amount
        fill = color("accentSoft") if self.isChecked() else mixed(clear(hover), hover, amount)
        draw_plate(painter, self._plate(), _RADIUS_PX, fill)
        if self.isChecked():
            width, height = _BAR_PX
            bar = QRectF(-width, (self.height() - height) / 2, 2 * width, height)
            draw_plate(painter, bar, 2, color("accent"))
        painter.end()

    def _show_closing(self) -> None:
        self.closing.setVisible(self.isChecked() or self.underMouse())

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.closing.show()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.closing.setVisible(self.isChecked())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            event.accept()
        else:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        is_inside = self.rect().contains(event.position().toPoint())
        if event.button() == Qt.MouseButton.MiddleButton and is_inside:
            self.close_requested.emit()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Delete:
            self.close_requested.emit()
        elif key in _STEPS:
            self.moved.emit(_STEPS[key])
        elif not pressed_by_enter(self, event):
            super().keyPressEvent(event)


class DocumentList(Plane):
    """The open documents. Arrow keys move along them; Tab leaves."""

    chosen = Signal(int)
    """The place of the document to show, from 0."""
    close_requested = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "window")
        self._theme = theme
        self.rows: list[DocumentRow] = []
        self.setFixedWidth(WIDTH_PX)
        self.setAccessibleName(self.tr("Open documents"))
        self._count = Label(theme, "", "small", "text3")
        self._content = QWidget()
        self._column = QVBoxLayout(self._content)
        self._column.setContentsMargins(0, 6, 0, 6)
        self._column.setSpacing(0)
        self._column.addStretch(1)
        self._scroll = QScrollArea()
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self._content)
        self._content.setAutoFillBackground(False)
        self._scroll.viewport().setAutoFillBackground(False)
        self._lay_out()
        self.hide()

    def _lay_out(self) -> None:
        head = QWidget()
        head.setFixedHeight(STRIP_PX - 1)
        row = QHBoxLayout(head)
        row.setContentsMargins(14, 0, 14, 0)
        row.addWidget(Label(self._theme, self.tr("Documents"), "section"))
        row.addWidget(self._count)
        row.addStretch(1)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(Divider(self._theme))
        column.addWidget(self._scroll, 1)
        whole = QHBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(column, 1)
        whole.addWidget(Divider(self._theme, Qt.Orientation.Vertical))

    @property
    def has_focus(self) -> bool:
        """Whether the keyboard is in the list."""
        return any(row.hasFocus() for row in self.rows)

    def show_documents(self, documents: Sequence[DocumentWords], shown: int) -> None:
        """Shows these documents.

        Args:
            documents: In their order.
            shown: The place of the one that is shown.
        """
        had_focus = self.has_focus
        while len(self.rows) > len(documents):
            row = self.rows.pop()
            let_go(row)
        while len(self.rows) < len(documents):
            self._add_row()
        for row, document in zip(self.rows, documents, strict=True):
            row.show_document(document)
        self._count.setText(format_count(len(documents)))
        if documents:
            self._mark(shown, take_focus=had_focus)

    def _mark(self, shown: int, *, take_focus: bool) -> None:
        was_shown = self.rows[shown].isChecked()
        self.rows[shown].setChecked(True)
        for row in self.rows:
            is_stop = row.isChecked()
            row.setFocusPolicy(Qt.FocusPolicy.TabFocus if is_stop else Qt.FocusPolicy.NoFocus)
        if take_focus:
            self.rows[shown].setFocus(Qt.FocusReason.TabFocusReason)
        if not was_shown:
            self._content.adjustSize()
            self._scroll.ensureWidgetVisible(self.rows[shown], 0, _ROW_PX)

    def _add_row(self) -> None:
        row = DocumentRow(self._theme, self._content)
        self._column.insertWidget(len(self.rows), row)
        self.rows.append(row)
        row.clicked.connect(lambda: self.chosen.emit(self.rows.index(row)))
        row.close_requested.connect(lambda: self.close_requested.emit(self.rows.index(row)))
        row.moved.connect(lambda step: self._move(row, step))
        row.show()

    def _move(self, row: DocumentRow, step: int) -> None:
        place = min(max(self.rows.index(row) + step, 0), len(self.rows) - 1)
        self.chosen.emit(place)
