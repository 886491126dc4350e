"""The head of a group of fields: a press opens and folds it."""

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from gui.forms.field_row import Difference
from gui.theme.theme import Theme
from gui.widgets.support import layouts
from gui.widgets.support.cut_words import fitted, tell_cut_words
from gui.widgets.support.paint import draw_icon, painter_on

_HEIGHT_PX = 41


class FoldHead(QAbstractButton):
    """The head of a group: a press opens and folds it. Folded, it tells what is inside."""

    def __init__(self, theme: Theme, title: str) -> None:
        super().__init__()
        self._theme, self._told, self._num_changed = theme, "", 0
        self.setText(title)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.difference = Difference(theme)
        self.difference.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.difference.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        layouts.row(layouts.stretch(0), self.difference, 20, into=self, spacing=None)
        self.toggled.connect(lambda: self.tell(self._told, self._num_changed))
        tell_cut_words(self)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(200, _HEIGHT_PX)

    def focus_shape(self) -> tuple[QRect, int]:
        """Where the focus ring goes: round the head."""
        return self.rect().adjusted(0, 4, 0, -4), 4

    @property
    def told(self) -> str:
        """What it tells of the values inside."""
        return self._told

    def tell(self, told: str, num_changed: int) -> None:
        """Says what the values inside are, and how many differ from the preset."""
        self._told, self._num_changed = told, num_changed
        changed = self.tr("{0} changed").format(num_changed) if num_changed else ""
        self.difference.set_text(changed)
        state = self.tr("open") if self.isChecked() else self.tr("folded")
        self.setAccessibleDescription(", ".join(filter(None, (state, changed, told))))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color, theme = painter_on(self), self._theme.color, self._theme
        painter.fillRect(0, 0, self.width(), 1, color("line"))
        icon = "chevron-down" if self.isChecked() else "chevron-right"
        draw_icon(painter, theme, icon, "text2", QPointF(0, (self.height() - 16) / 2))
        align = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setFont(theme.font("section"))
        painter.setPen(color("text"))
        box = QRectF(self.rect()).adjusted(26, 0, 0, 0)
        painter.drawText(box, align, self.text())
        if not self.isChecked():
            start = 26 + QFontMetricsF(theme.font("section")).horizontalAdvance(self.text()) + 12
            room = self.difference.x() - start - 8
            painter.setFont(theme.font("small"))
            painter.setPen(color("text3"))
            line = QRectF(start, 0, max(room, 0), self.height())
            painter.drawText(line, align, fitted(painter, self._told, line))
        painter.end()
