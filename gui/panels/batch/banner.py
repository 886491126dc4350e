"""A line above the table: what was done before, what was changed, or why the work ended."""

from typing import Literal

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.sign import Sign
from gui.widgets.inputs.button import Button, icon_button
from gui.widgets.support import layouts
from gui.widgets.support.paint import draw_plate, painter_on

BannerKind = Literal["info", "warn", "err"]
_LOOKS = {
    "info": ("accentSoft", "accentLine", "history", "accent"),
    "warn": ("warnSoft", "warn", "triangle-alert", "warn"),
    "err": ("errSoft", "err", "octagon-x", "err"),
}


class Banner(QWidget):
    """A sentence with its sign, one deed, and a button that closes it.

    Signals:
        asked: The deed was asked for.
        closed: It was closed.
    """

    asked = Signal()
    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._kind = theme, "info"
        self._sign = Sign(theme, "history", "accent", 16)
        self.words = Label(theme, "", "body", "text", wrap=True)
        self.deed = Button(theme, self.tr("Start over"), kind="link", height=28)
        self.close_button = icon_button(theme, "x", self.tr("Close"))
        self.deed.triggered.connect(self.asked)
        self.close_button.triggered.connect(self._close)
        layouts.row(
            (self._sign, 0, Qt.AlignmentFlag.AlignVCenter),
            (layouts.column(layouts.stretch(), self.words, layouts.stretch()), 1),
            self.deed,
            self.close_button,
            into=self,
            margins=(16, 5, 6, 5),
            spacing=10,
        )
        theme.changed.connect(self.update)
        self.hide()

    def say(self, kind: BannerKind, words: str, deed: str) -> None:
        """Shows a sentence.

        Args:
            kind: How it looks.
            words: What is said; empty hides it all.
            deed: What the button says; empty for none.
        """
        self._kind = kind
        _, _, icon, color = _LOOKS[kind]
        self._sign.set_icon(icon, color)
        self.words.setText(words)
        self.deed.setText(deed)
        self.deed.setVisible(bool(deed))
        self.setAccessibleName(words)
        self.setVisible(bool(words))
        self.update()

    def _close(self) -> None:
        self.hide()
        self.closed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        fill, line, _, _ = _LOOKS[self._kind]
        box = QRectF(self.rect())
        draw_plate(painter, box, 8, self._theme.color(fill), self._theme.color(line))
        painter.end()
