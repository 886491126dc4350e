"""The bar that finds words in a text."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent

from core.numbers import format_count
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.strip import Strip
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.field import TextField
from gui.widgets.reading.find_across import FindAcross
from gui.widgets.reading.reading_view import ReadingView
from gui.widgets.support.paint import painter_on

_WIDEST_PX = 480


class FindBar(Strip):
    """A field, how many places, next, previous, close.

    Args:
        theme: The look.
        text: Where words are looked for.
        name: What the field is called.
    """

    closed = Signal()

    def __init__(self, theme: Theme, text: ReadingView | FindAcross, name: str) -> None:
        super().__init__(theme)
        self._text = text
        self.field = TextField(theme, name=name, placeholder=name, height=28)
        self._count = Label(theme, "", "small", "text3")
        previous = Button(
            theme,
            kind="ghost",
            icon="chevron-up",
            height=28,
            tooltip=self.tr("Previous place"),
            keys="Shift F3",
        )
        following = Button(
            theme,
            kind="ghost",
            icon="chevron-down",
            height=28,
            tooltip=self.tr("Next place"),
            keys="F3",
        )
        close = Button(
            theme, kind="ghost", icon="x", height=28, tooltip=self.tr("Close"), keys="Esc"
        )
        self.field.setMaximumWidth(_WIDEST_PX)
        self.row.addWidget(self.field, 100)
        for part in (self._count, previous, following, close):
            self.row.addWidget(part)
        self.row.addStretch(1)
        self.field.textChanged.connect(text.find)
        previous.triggered.connect(text.find_previous)
        following.triggered.connect(text.find_next)
        close.triggered.connect(self.close_bar)
        text.find_progress.connect(self._show_count)
        self.hide()

    @property
    def count(self) -> str:
        """What is said of the places: "2 of 5", "not found"; empty without words."""
        return self._count.text()

    def open_bar(self) -> None:
        """Shows it with the cursor in the field."""
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def close_bar(self) -> None:
        """Hides it and the marks in the text."""
        self.field.clear()
        self.hide()
        self._text.setFocus(Qt.FocusReason.OtherFocusReason)
        self.closed.emit()

    def clear(self) -> None:
        """Hides it without words, where the focus stays."""
        self.field.clear()
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = painter_on(self)
        painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme.color("line"))
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        backwards = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            (self._text.find_previous if backwards else self._text.find_next)()
        else:
            super().keyPressEvent(event)

    def _show_count(self, count: int, current: int) -> None:
        if not self.field.text():
            self._count.setText("")
        elif count:
            words = self.tr("{current} of {count}")
            self._count.setText(
                words.format(current=format_count(current), count=format_count(count))
            )
        else:
            self._count.setText(self.tr("not found"))
