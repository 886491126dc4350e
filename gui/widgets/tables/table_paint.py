"""How the rows and heads of a table are painted."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QTextLayout

from core.display_names import shown
from gui.theme.theme import Theme
from gui.widgets.support.cut_words import fitted
from gui.widgets.support.numbers import format_decimal
from gui.widgets.support.paint import draw_icon, draw_plate
from gui.widgets.tables.table_model import (
    Cell,
    Column,
    Interval,
    Measure,
    Progress,
    Record,
    RowState,
    State,
    told,
)

HEAD_PX, ROW_PX, FAILED_PX = 36, 40, 64
"""Heights; a failed row is higher where its reason takes more than one line."""
PADDING_PX = 12
"""Between the edge of a cell and its words."""
_LINE_PX = 20
_BAR_PX, _TRACK_PX, _TRACK_WIDTH_PX = 3, 4, 200
_REMEDY_PX = 28
_REASON_AT_PX = 33  # where the reason of a failed row begins, below its cells
_HALF_AT_PX = 38  # where half of an interval is written, after a short value
_INTERVAL_AT_PX = 92  # where the line of an interval begins, after value and ±
_HATCH_PX = 6
_DOT_PX = 4
_ICONS: dict[RowState, tuple[str, str]] = {
    "plain": ("", "text"),
    "done": ("circle-check", "ok"),
    "note": ("triangle-alert", "warn"),
    "running": ("loader-circle", "accent"),
    "waiting": ("clock", "text3"),
    "paused": ("circle-pause", "warn"),
    "failed": ("octagon-x", "err"),
}
ARROWS = {
    Qt.SortOrder.AscendingOrder: "arrow-up",
    Qt.SortOrder.DescendingOrder: "arrow-down",
}
_VCENTER = Qt.AlignmentFlag.AlignVCenter
_LEFT, _RIGHT = Qt.AlignmentFlag.AlignLeft | _VCENTER, Qt.AlignmentFlag.AlignRight | _VCENTER

Placed = Sequence[tuple[Column, int, int]]
"""Columns with their left edges and widths."""


def detail_height(hidden: Sequence[int]) -> int:
    """The room that the values of hidden columns take under their row."""
    return _LINE_PX * len(hidden) + 8 if hidden else 0


def paint_head(
    painter: QPainter, theme: Theme, box: QRectF, column: Column, order: Qt.SortOrder | None
) -> None:
    """Paints the head of a column.

    Args:
        painter: Where.
        theme: The look.
        box: Its place.
        column: What it is.
        order: How the table is sorted by it, if it is.
    """
    inner = box.adjusted(PADDING_PX, 0, -PADDING_PX, 0)
    painter.setFont(theme.font("smallb"))
    painter.setPen(theme.color("text" if order is not None else "text3"))
    metrics = QFontMetricsF(painter.font())
    words = fitted(painter, column.title, inner)
    painter.drawText(inner, _RIGHT if column.number else _LEFT, words)
    if order is not None:
        icon = ARROWS[order]
        width = metrics.horizontalAdvance(words)
        at = inner.right() - width - 18 if column.number else inner.left() + width + 6
        draw_icon(painter, theme, icon, "text2", QPointF(at, box.center().y() - 7), 14)
    if column.scale:
        low, high = column.scale
        scale = inner.adjusted(_INTERVAL_AT_PX, 0, 0, 0)
        painter.setFont(theme.font("small"))
        painter.setPen(theme.color("text3"))
        painter.drawText(scale, _LEFT, format_decimal(low).replace("-", "−"))
        painter.drawText(scale, _RIGHT, format_decimal(high))


class RowPainter:
    """Paints rows, each at once, since some of what they hold spans columns."""

    def __init__(self, theme: Theme, columns: Sequence[Column]) -> None:
        """A painter in the colours of a theme, for all columns, the hidden ones too."""
        self._theme, self._columns = theme, columns

    def paint(
        self,
        painter: QPainter,
        rect: QRectF,
        record: Record,
        columns: Placed,
        selected: bool,
        hidden: Sequence[int] = (),
    ) -> None:
        """Paints one row.

        Args:
            painter: Where.
            rect: Its place.
            record: What it shows.
            columns: Those that are shown.
            selected: Whether it is.
            hidden: Columns whose values stand under it, where it is unfolded.
        """
        color = self._theme.color
        lit = selected or record.state == "running"
        if record.state == "failed":
            painter.fillRect(rect, color("errSoft"))
            painter.fillRect(QRectF(0, rect.top(), _BAR_PX, rect.height()), color("err"))
        elif lit:
            painter.fillRect(rect, color("accentSoft"))
        if selected and record.state == "failed":
            draw_plate(painter, rect, 0, None, color("err"), 1.5)
        line = QRectF(0, rect.bottom() - 1, rect.width(), 1)
        painter.fillRect(line, color("line"))
        failed = record.state == "failed"
        cells = QRectF(rect.left(), rect.top() + (2 if failed else 0), rect.width(), ROW_PX)
        for index, (column, left, width) in enumerate(columns):
            box = QRectF(left, cells.top(), width, ROW_PX).adjusted(PADDING_PX, 0, -PADDING_PX, 0)
            if index == 0 and record.color:
                self._square(painter, box, record.color)
                box.adjust(18, 0, 0, 0)
            self._cell(painter, box, record, column)
        if failed:
            self._failure(painter, rect, record)
        if hidden:
            self._details(painter, rect, record, hidden)

    def remedy_box(self, rect: QRectF, record: Record) -> QRectF:
        """Where the button of a failed row is; empty where it has none."""
        if record.state != "failed" or not record.remedy:
            return QRectF()
        words = QFontMetricsF(self._theme.font("strong")).horizontalAdvance(record.remedy)
        width = words + 2 * 13
        top = rect.top() + (FAILED_PX - _REMEDY_PX) / 2
        second = self.second_box(rect, record)
        right = rect.right() - PADDING_PX if second.isEmpty() else second.left() - 8
        return QRectF(right - width, top, width, _REMEDY_PX)

    def second_box(self, rect: QRectF, record: Record) -> QRectF:
        """Where the quieter button of a failed row is, at the right; empty where it has none."""
        if record.state != "failed" or not record.second:
            return QRectF()
        words = QFontMetricsF(self._theme.font("strong")).horizontalAdvance(record.second)
        width = words + 2 * 9
        top = rect.top() + (FAILED_PX - _REMEDY_PX) / 2
        return QRectF(rect.right() - PADDING_PX - width, top, width, _REMEDY_PX)

    def _square(self, painter: QPainter, box: QRectF, token: str) -> None:
        square = QRectF(box.left(), box.center().y() - 4, 8, 8)
        draw_plate(painter, square, 2, self._theme.color(token))

    def _ink(self, record: Record, column: Column) -> str:
        if record.state == "waiting":
            return "text3"
        return "text" if column.strong or column.number else "text2"

    def _cell(self, painter: QPainter, box: QRectF, record: Record, column: Column) -> None:
        cell: Cell = record.cells.get(column.name)
        match cell:
            case None:
                return
            case State():
                self._state(painter, box, cell)
            case Progress():
                self._progress(painter, box, cell)
            case Interval() if column.scale:
                self._interval(painter, box, cell, column)
            case Measure():
                self._measure(painter, box, cell, column)
            case _:
                self._words(painter, box, told(cell, column), self._ink(record, column), column)

    def _words(self, painter: QPainter, box: QRectF, words: str, ink: str, column: Column) -> None:
        painter.setFont(self._theme.font("strong" if column.strong else "body"))
        painter.setPen(self._theme.color(ink))
        elide = Qt.TextElideMode.ElideLeft if column.is_path else Qt.TextElideMode.ElideRight
        cut = fitted(painter, words, box, elide)
        painter.drawText(box, _RIGHT if column.number else _LEFT, cut)

    def _state(self, painter: QPainter, box: QRectF, state: State) -> None:
        icon, ink = _ICONS[state.kind]
        if icon:
            at = QPointF(box.left(), box.center().y() - 8)
            draw_icon(painter, self._theme, icon, ink, at)
            box = box.adjusted(24, 0, 0, 0)
        painter.setFont(self._theme.font("body"))
        painter.setPen(self._theme.color("text2" if state.kind == "waiting" else ink))
        painter.drawText(box, _LEFT, fitted(painter, state.text, box))

    def _progress(self, painter: QPainter, box: QRectF, progress: Progress) -> None:
        painter.setFont(self._theme.font("small"))
        metrics, color = QFontMetricsF(painter.font()), self._theme.color
        words = metrics.horizontalAdvance(progress.text) + 12 if progress.text else 0
        width = max(min(box.width() - words, _TRACK_WIDTH_PX), 40)
        track = QRectF(box.left(), box.center().y() - _TRACK_PX / 2, width, _TRACK_PX)
        draw_plate(painter, track, _TRACK_PX / 2, color("accentLine"))
        share = 0.3 if progress.share is None else min(max(progress.share, 0.0), 1.0)
        start = 0.35 * width if progress.share is None else 0.0
        done = QRectF(track.left() + start, track.top(), share * width, _TRACK_PX)
        draw_plate(painter, done, _TRACK_PX / 2, color("accent"))
        painter.setPen(color("text2"))
        painter.drawText(box.adjusted(width + 12, 0, 0, 0), _LEFT, progress.text)

    def _interval(self, painter: QPainter, box: QRectF, cell: Interval, column: Column) -> None:
        color, (low, high) = self._theme.color, column.scale
        painter.setFont(self._theme.font("section"))
        painter.setPen(color("text"))
        words = column.value_words(cell)
        half_px = max(_HALF_AT_PX, QFontMetricsF(painter.font()).horizontalAdvance(words) + 6)
        painter.drawText(box, _LEFT, words)
        painter.setFont(self._theme.font("small"))
        painter.setPen(color("text3"))
        painter.drawText(box.adjusted(half_px, 0, 0, 0), _LEFT, column.half_words(cell))
        line = box.adjusted(_INTERVAL_AT_PX, 0, 0, 0)
        middle = round(box.center().y()) + 0.5

        def place(value: float) -> float:
            share = (value - low) / (high - low) if high > low else 0.5
            return line.left() + min(max(share, 0.0), 1.0) * line.width()

        painter.setPen(QPen(color("line"), 1))
        painter.drawLine(QPointF(line.left(), middle), QPointF(line.right(), middle))
        painter.setPen(QPen(color(cell.color), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawLine(QPointF(place(cell.low), middle), QPointF(place(cell.high), middle))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color(cell.color))
        painter.drawEllipse(QPointF(place(cell.value), middle), _DOT_PX, _DOT_PX)

    def _measure(self, painter: QPainter, box: QRectF, cell: Measure, column: Column) -> None:
        color = self._theme.color
        if cell.over:
            area = box.adjusted(-8, 5, 8, -5)
            painter.save()
            painter.setClipRect(area)
            faint = color("err")
            painter.setOpacity(0.3)
            painter.setPen(QPen(faint, 1))
            for index in range(int((area.width() + area.height()) / _HATCH_PX) + 1):
                x = area.left() - area.height() + index * _HATCH_PX
                end = QPointF(x + area.height(), area.top())
                painter.drawLine(QPointF(x, area.bottom()), end)
            painter.restore()
        ink = "err" if cell.over else "text3" if cell.forecast else "text"
        self._words(painter, box, told(cell, column), ink, column)

    def failed_height(self, record: Record, width: float) -> int:
        """How high a failed row is that has so much width: its whole reason stands in it."""
        return FAILED_PX + (len(self.reason_lines(record, width)) - 1) * _LINE_PX

    def reason_lines(self, record: Record, width: float) -> list[str]:
        """The reason of a failed row, broken into lines that end before its buttons."""
        button = self.remedy_box(QRectF(0, 0, width, FAILED_PX), record)
        right = width - PADDING_PX if button.isEmpty() else button.left() - 12
        room = max(right - PADDING_PX, 1)
        font, reason = self._theme.font("body"), shown(record.reason)
        if QFontMetricsF(font).horizontalAdvance(reason) < room:
            return [reason]
        layout = QTextLayout(reason, font)
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(room)
        layout.endLayout()
        units = reason.encode("utf-16-le")  # two bytes for each of Qt's letters
        ends = [layout.lineAt(at).textStart() for at in range(1, layout.lineCount())]
        parts = zip([0, *ends], [*ends, len(units) // 2], strict=True)
        return [units[2 * a : 2 * b].decode("utf-16-le").rstrip() for a, b in parts]

    def _failure(self, painter: QPainter, rect: QRectF, record: Record) -> None:
        painter.setFont(self._theme.font("body"))
        painter.setPen(self._theme.color("text"))
        for at, words in enumerate(self.reason_lines(record, rect.width())):
            top = rect.top() + _REASON_AT_PX + at * _LINE_PX
            painter.drawText(QRectF(PADDING_PX, top, rect.width(), _LINE_PX), _LEFT, words)
        button = self.remedy_box(rect, record)
        if not button.isEmpty():
            color = self._theme.color
            draw_plate(painter, button, 6, color("raised"), color("line2"))
            painter.setFont(self._theme.font("strong"))
            painter.setPen(color("text"))
            painter.drawText(button, Qt.AlignmentFlag.AlignCenter, record.remedy)
        second = self.second_box(rect, record)
        if not second.isEmpty():
            painter.setFont(self._theme.font("strong"))
            painter.setPen(self._theme.color("text2"))
            painter.drawText(second, Qt.AlignmentFlag.AlignCenter, record.second)

    def _details(
        self, painter: QPainter, rect: QRectF, record: Record, hidden: Sequence[int]
    ) -> None:
        failed = record.state == "failed"
        top = rect.top() + (self.failed_height(record, rect.width()) if failed else ROW_PX)
        for line, (title, words) in enumerate(self.details(record, hidden)):
            box = QRectF(PADDING_PX, top + line * _LINE_PX, rect.width(), _LINE_PX)
            painter.setFont(self._theme.font("small"))
            painter.setPen(self._theme.color("text3"))
            painter.drawText(box, _LEFT, title)
            painter.setPen(self._theme.color("text"))
            painter.drawText(box.adjusted(128, 0, 0, 0), _LEFT, words)

    def details(self, record: Record, hidden: Sequence[int]) -> list[tuple[str, str]]:
        """Title and words of the cells that are hidden."""
        columns = self._columns
        return [
            (columns[at].title, told(record.cells.get(columns[at].name), columns[at]) or "–")
            for at in hidden
        ]
