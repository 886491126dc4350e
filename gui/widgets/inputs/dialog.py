"""The base of dialogs: 420 wide, title, words, buttons at the right."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.inputs.button import Button
from gui.widgets.support import layouts
from gui.widgets.support.focus_ring import FocusRing
from gui.widgets.support.paint import draw_plate, painter_on

WIDTH_PX = 420
_EDGE_PX = 24


class Dialog(QDialog):
    """A question in the way, for what is worth it: to destroy something, to choose a place."""

    def __init__(self, theme: Theme, title: str, text: str, parent: QWidget | None = None) -> None:
        """A dialog without buttons; `add_content` and `add_button` fill it.

        Args:
            theme: The look.
            title: The question.
            text: What follows from it.
            parent: The window it belongs to.
        """
        super().__init__(parent)
        self._theme = theme
        self.setWindowTitle(title)
        self.setModal(True)
        self.setFixedWidth(WIDTH_PX)
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        self._content = QVBoxLayout()
        self._row = layouts.row(layouts.stretch(0), spacing=12)
        self._column = layouts.column(
            Label(theme, title, "title", wrap=True),
            8,
            Label(theme, text, "body", "text2", wrap=True),
            self._content,
            20,
            self._row,
            into=self,
            margins=_EDGE_PX,
        )
        self._ring = FocusRing(self, theme, from_keyboard=True)

    def add_content(self, widget: QWidget) -> None:
        """Puts a widget between words and buttons."""
        self._content.addSpacing(16)
        self._content.addWidget(widget)

    def add_button(self, button: Button) -> None:
        """Puts a button at the right of those there are."""
        self._row.addWidget(button)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        color = self._theme.color
        if self.isWindow():
            painter.fillRect(self.rect(), color("raised"))
        else:  # shown inside a page, as in the documentation
            draw_plate(painter, QRectF(self.rect()), 10, color("raised"), color("line"))
        painter.end()


class ConfirmDialog(Dialog):
    """Asks before something is destroyed. The safe button has the focus; Esc keeps."""

    def __init__(
        self,
        theme: Theme,
        title: str,
        text: str,
        *,
        deed: str,
        keep: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """A question with two answers.

        Args:
            theme: The look.
            title: The question: "Delete 212 summaries?".
            text: What follows from it.
            deed: The button that does it, naming the deed: "Delete 212 summaries".
            keep: The safe button; "Keep" if empty.
            parent: The window it belongs to.
        """
        super().__init__(theme, title, text, parent)
        self.keep_button = Button(theme, keep or self.tr("Keep"))
        self.deed_button = Button(theme, deed, kind="danger_filled")
        self.add_button(self.keep_button)
        self.add_button(self.deed_button)
        self.keep_button.triggered.connect(self.reject)
        self.deed_button.triggered.connect(self.accept)
        self.keep_button.setFocus(Qt.FocusReason.OtherFocusReason)

    @classmethod
    def ask(
        cls, theme: Theme, title: str, text: str, *, deed: str, parent: QWidget | None = None
    ) -> bool:
        """Asks and waits.

        Args:
            theme: The look.
            title: The question.
            text: What follows from it.
            deed: The button that does it.
            parent: The window it belongs to.

        Returns:
            Whether the deed was chosen.
        """
        dialog = cls(theme, title, text, deed=deed, parent=parent)
        return bool(dialog.exec())
