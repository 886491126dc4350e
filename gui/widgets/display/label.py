"""Plain text in a typographic role and a colour."""

from math import ceil

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QPainter, QPaintEvent, QTextLayout
from PySide6.QtWidgets import QLabel, QWidget

from core.display_names import shown
from gui.theme.theme import Theme
from gui.widgets.support.cut_words import fitted, show_whole
from gui.widgets.support.paint import painter_on

_NATURAL_WIDTH_PX = 420  # of a wrapped text that nobody holds narrower
_NARROWEST_PX = 48
_LINE_BREAK = "\u2028"
_MOST_HEIGHTS = 50


class Label(QLabel):
    """A label that follows the theme. Text is never taken for markup."""

    def __init__(
        self,
        theme: Theme,
        text: str = "",
        role: str = "body",
        color: str = "text",
        *,
        wrap: bool = False,
        elide: bool = False,
        least: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        """Words in a role and a colour.

        Args:
            theme: The look.
            text: The words.
            role: Font role; gives the height of a line too.
            color: Token.
            wrap: Whether it may take several lines.
            elide: Whether it may be shortened with "…" where there is no room.
            least: What is cut and has less room than that, in px, is left out: a few letters
                would say nothing.
            parent: Qt's owner.
        """
        super().__init__(shown(text, lines=True), parent)
        self._theme, self._role, self._color = theme, role, color
        self._elide, self._least = elide, least
        self._heights: dict[int, int] = {}  # by width: layouts ask for the same ones many times
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        self._dress()
        theme.changed.connect(self._dress)

    def setText(self, text: str) -> None:
        """Shows other words; names of files in them cannot turn the reading round."""
        self._heights.clear()
        super().setText(shown(text, lines=True))

    def setToolTip(self, text: str) -> None:
        """As `setText` shows its words."""
        super().setToolTip(shown(text, lines=True))

    def setAccessibleName(self, name: str) -> None:
        """As `setText` shows its words."""
        super().setAccessibleName(shown(name, lines=True))

    def set_color(self, color: str) -> None:
        """Takes the colour of another token."""
        self._color = color
        self._dress()

    def sizeHint(self) -> QSize:
        edges = self._edges()
        width = self._text_width() + 1
        if not self.wordWrap():
            return QSize(width, self._theme.line_height(self._role)) + edges
        width = min(width, _NATURAL_WIDTH_PX) + edges.width()
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        line_px = self._theme.line_height(self._role)
        if self.wordWrap():
            return QSize(_NARROWEST_PX, line_px) + self._edges()
        if self._elide:
            return QSize(min(_NARROWEST_PX, self._text_width() + 1), line_px) + self._edges()
        return self.sizeHint()

    def heightForWidth(self, width: int) -> int:
        if not self.wordWrap():
            return -1
        if width not in self._heights:
            if len(self._heights) >= _MOST_HEIGHTS:
                self._heights.clear()
            edges = self._edges()
            lines = self._laid_out(width - edges.width()).lineCount()
            height = lines * self._theme.line_height(self._role) + edges.height()
            self._heights[width] = height
        return self._heights[width]

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            is_cut = self._elide and self._text_width() > self.contentsRect().width()
            if words := self.toolTip() or (self.text() if is_cut else ""):
                show_whole(event, self, words)
                return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        painter.setFont(self.font())
        painter.setPen(self._theme.color(self._color if self.isEnabled() else "disabled"))
        if self.wordWrap():
            self._paint_lines(painter)
        else:
            box = self.contentsRect()
            painter.drawText(box, self.alignment(), shown(self._shown_text(painter, box)))
        painter.end()

    def _paint_lines(self, painter: QPainter) -> None:
        box = self.contentsRect()
        layout = self._laid_out(box.width())
        line_px = self._theme.line_height(self._role)
        for index in range(layout.lineCount()):
            line = layout.lineAt(index)
            spare = box.width() - line.naturalTextWidth()
            x = spare / 2 if self.alignment() & Qt.AlignmentFlag.AlignHCenter else 0.0
            y = index * line_px + (line_px - line.height()) / 2
            line.draw(painter, QPointF(box.left() + x, box.top() + y))

    def _laid_out(self, width: int) -> QTextLayout:
        layout = QTextLayout(self.text().replace("\n", _LINE_BREAK), self.font())
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(width, 1))
            line.setPosition(QPointF(0, 0))
        layout.endLayout()
        return layout

    def _shown_text(self, painter: QPainter, box: QRect) -> str:
        if not self._elide:
            return self.text()
        if box.width() < min(self._least, self._text_width()):
            return ""
        return fitted(painter, self.text(), QRectF(box))

    def _edges(self) -> QSize:
        """What its margins take."""
        edges = self.contentsMargins()
        return QSize(edges.left() + edges.right(), edges.top() + edges.bottom())

    def _text_width(self) -> int:
        return ceil(QFontMetricsF(self.font()).horizontalAdvance(self.text()))

    def _dress(self) -> None:
        self._heights.clear()
        self.setFont(self._theme.font(self._role))
        self.updateGeometry()
        self.update()
