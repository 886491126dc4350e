"""A histogram: bars, what is over the limit hatched, one value pointed at; the same as a table."""

from pathlib import Path

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QIODevice,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QBrush,
    QFont,
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from core.errors import EpitomeError
from core.numbers import format_count
from core.storage.atomic_files import write_whole
from gui.theme.theme import Theme
from gui.widgets.charts.histogram_model import HistogramModel
from gui.widgets.display.label import Label
from gui.widgets.inputs.button import icon_button
from gui.widgets.inputs.menu import Menu
from gui.widgets.inputs.saving import CHART_FORMATS, ask_where
from gui.widgets.support.paint import draw_plate, painter_on
from gui.widgets.support.ticks import labels, readable, ticks
from gui.widgets.tables.table import Table
from gui.widgets.tables.table_model import Column, Record, TableModel

LEAST_HEIGHT_PX = 150
_HEAD_PX = 36
_LEAST_LEFT_PX, _RIGHT_PX, _TOP_PX, _BOTTOM_PX = 44, 22, 8, 26
_LABEL_GAP_PX = 8
_LABEL_PX = 16
_GAP_PX = 1.0
_HATCH_PX = 5.0
_RATIO = 2


class _Bars(QWidget):
    """The bars; Left and Right, or the pointer, read them."""

    read = Signal(str)

    def __init__(self, theme: Theme, model: HistogramModel) -> None:
        super().__init__()
        self._theme, self._model = theme, model
        self._bin = -1
        self._measured: tuple[tuple[int, float, QFont] | None, float] = (None, 0.0)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumHeight(LEAST_HEIGHT_PX - _HEAD_PX)
        theme.changed.connect(self.update)

    def refresh(self) -> None:
        self._bin = min(self._bin, len(self._model.counts) - 1)
        self.setAccessibleName(self._model.title)
        self.setAccessibleDescription(self._model.describe())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, 240)

    def focus_shape(self) -> tuple[QRect, int]:
        return self.rect().adjusted(2, 2, -2, -2), 4

    def _plane(self) -> QRectF:
        rows = 2 * (self._model.limit is not None) + (self._model.marked is not None)
        note = rows * _LABEL_PX + 4
        rect = QRectF(self.rect()).adjusted(0, _TOP_PX + note, -_RIGHT_PX, -_BOTTOM_PX)
        rect.setLeft(max(_LEAST_LEFT_PX, self._widest_label(rect.height()) + _LABEL_GAP_PX))
        return rect

    @property
    def _most(self) -> int:
        return max(int(self._model.counts.max(initial=0)), 1)

    def _heights(self, room: float) -> list[float]:
        """The heights with a line and a number, as many as there is room for."""
        lines = max(2, min(5, int(room / 36)))
        return ticks(0.0, float(self._most), most=lines, whole=True)

    def _widest_label(self, room: float) -> float:
        """How many pixels the longest number beside the bars takes."""
        font = self._theme.font("capr")
        if self._measured[0] != (self._most, room, font):  # asked for many times a paint
            metrics = QFontMetricsF(font)
            width = max(metrics.horizontalAdvance(words) for words in labels(self._heights(room)))
            self._measured = (self._most, room, font), width
        return self._measured[1]

    def _x(self, value: float) -> float:
        plane, last = self._plane(), float(self._model.edges[-1]) or 1.0
        return plane.left() + plane.width() * min(max(value / last, 0.0), 1.0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        self.draw(painter)
        painter.end()

    def draw(self, painter: QPainter) -> None:
        """Draws all of it, on the screen or into a file."""
        if self._model.empty:
            return
        heights = self._heights(self._plane().height())
        top = max(heights[-1], float(self._most))
        self._grid(painter, heights, top)
        self._bars(painter, top)
        self._axis(painter)
        self._notes(painter, top)

    def _grid(self, painter: QPainter, heights: list[float], top: float) -> None:
        color, plane = self._theme.color, self._plane()
        painter.setFont(self._theme.font("capr"))
        for value, words in zip(heights, labels(heights), strict=True):
            y = round(plane.bottom() - plane.height() * value / top) + 0.5
            painter.setPen(QPen(color("grid"), 1))
            painter.drawLine(QPointF(plane.left(), y), QPointF(plane.right(), y))
            painter.setPen(color("text3"))
            box = QRectF(0, y - _LABEL_PX / 2, plane.left() - _LABEL_GAP_PX, _LABEL_PX)
            align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(box, align, words)

    def _bars(self, painter: QPainter, top: float) -> None:
        color, plane, model = self._theme.color, self._plane(), self._model
        painter.setPen(Qt.PenStyle.NoPen)
        for at, (low, high, count) in enumerate(model.rows()):
            if not count:
                continue
            height = max(plane.height() * count / top, 1.0)
            left, right = self._x(low) + _GAP_PX / 2, self._x(high) - _GAP_PX / 2
            bar = QRectF(left, plane.bottom() - height, max(right - left, 1.0), height)
            over = model.limit is not None and low >= model.limit
            split = model.limit is not None and low < model.limit < high
            if over:
                self._hatched(painter, bar)
            elif split and model.limit is not None:
                at_limit = self._x(model.limit)
                painter.fillRect(QRectF(bar.left(), bar.top(), at_limit - bar.left(), height),
                                 color("line2"))  # fmt: skip
                rest = QRectF(at_limit, bar.top(), bar.right() - at_limit, height)
                self._hatched(painter, rest)
            else:
                painter.fillRect(bar, color("text2" if at == self._bin else "line2"))

    def _hatched(self, painter: QPainter, bar: QRectF) -> None:
        color = self._theme.color
        if bar.width() <= 0:
            return
        painter.save()
        painter.setClipRect(bar)
        painter.setPen(QPen(color("warn"), 1))
        x = bar.left() - bar.height()
        while x < bar.right():
            painter.drawLine(QPointF(x, bar.bottom()), QPointF(x + bar.height(), bar.top()))
            x += _HATCH_PX
        painter.restore()
        painter.setPen(QPen(color("warn"), 1))
        painter.setBrush(QBrush(Qt.BrushStyle.NoBrush))
        painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, 0))
        painter.setPen(Qt.PenStyle.NoPen)

    def _axis(self, painter: QPainter) -> None:
        color, plane, model = self._theme.color, self._plane(), self._model
        bottom = round(plane.bottom()) + 0.5
        painter.setPen(QPen(color("line2"), 1))
        painter.drawLine(QPointF(plane.left(), bottom), QPointF(plane.right(), bottom))
        places = ticks(0.0, float(model.edges[-1]), most=max(2, min(6, int(plane.width() / 72))))
        painter.setFont(self._theme.font("capr"))
        metrics = QFontMetricsF(painter.font())
        words = labels(places)
        if model.num_beyond and words:
            words[-1] = f"{words[-1]} +"
        for value, text in zip(places, words, strict=True):
            x, width = self._x(value), metrics.horizontalAdvance(text)
            start = min(max(x - width / 2, 0.0), self.width() - width - 1)
            painter.setPen(color("text3"))
            box = QRectF(start, bottom + 6, width + 2, _LABEL_PX)
            painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter), text)

    def _notes(self, painter: QPainter, top: float) -> None:
        color, plane, model = self._theme.color, self._plane(), self._model
        painter.setFont(self._theme.font("cap"))
        metrics = QFontMetricsF(painter.font())
        if model.marked is not None:
            x = self._x(model.marked)
            painter.setPen(QPen(color("accent"), 1))
            painter.drawLine(QPointF(x, plane.top() + 2), QPointF(x, plane.bottom() - 6))
            tip = plane.bottom() - 1
            painter.setBrush(color("accent"))
            painter.drawPolygon([QPointF(x - 4, tip - 7), QPointF(x + 4, tip - 7), QPointF(x, tip)])
            width = metrics.horizontalAdvance(model.marked_name)
            start = min(max(x - 14, plane.left()), max(plane.right() - width, plane.left()))
            box = QRectF(start, plane.top() - _LABEL_PX - 2, width + 2, _LABEL_PX)
            painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter), model.marked_name)
        if model.limit is not None:
            x = round(self._x(model.limit)) + 0.5
            painter.setPen(QPen(color("text"), 1))
            painter.drawLine(QPointF(x, _TOP_PX), QPointF(x, plane.bottom()))
            named = f"{model.limit_name} {format_count(round(model.limit))}"
            for row, (words, token) in enumerate(
                ((named, "text"), (model.over_line, "warn" if model.num_over else "text3"))
            ):
                width = metrics.horizontalAdvance(words)
                room = plane.right() - x
                start = x + 8 if room > width + 8 else x - 8 - width
                painter.setPen(color(token))
                box = QRectF(start, _TOP_PX + row * _LABEL_PX, width + 2, _LABEL_PX)
                painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter), words)

    def _point(self, bin: int) -> None:
        if bin != self._bin:
            self._bin = bin
            self.read.emit(self._model.told(bin) if bin >= 0 else "")
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        plane, number = self._plane(), len(self._model.counts)
        x = event.position().x() - plane.left()
        inside = number and 0 <= x < plane.width()
        self._point(int(x / plane.width() * number) if inside else -1)

    def leaveEvent(self, event: object) -> None:
        self._point(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        step = steps.get(Qt.Key(event.key()))
        if step is None or self._model.empty:
            super().keyPressEvent(event)
            return
        self._point(min(max(self._bin + step, 0), len(self._model.counts) - 1))


class Histogram(QWidget):
    """Draws a model; call `refresh` when the model has changed.

    Signals:
        failed: An `EpitomeError`: the file could not be written.
        saved: The path of a file that was written.
    """

    failed = Signal(object)
    saved = Signal(object)

    def __init__(self, theme: Theme, model: HistogramModel) -> None:
        super().__init__()
        self._theme, self.model = theme, model
        self.bars = _Bars(theme, model)
        self._title = Label(theme, model.title, "section", elide=True)
        self._told = Label(theme, "", "small", "text3", elide=True)
        self._empty = Label(theme, "", "small", "text3")
        self.table_button = icon_button(theme, "table-2", self.tr("Show as a table"))
        self.table_button.setCheckable(True)
        self.download = icon_button(theme, "download", self.tr("Download"))
        self.table_button.triggered.connect(self.refresh)
        self.download.triggered.connect(self._open_menu)
        self.bars.read.connect(self._tell)
        columns = [
            Column("low", self.tr("From"), number=True, words=readable),
            Column("high", self.tr("To"), number=True, words=readable),
            Column("count", self.tr("Number"), number=True),
        ]
        self.rows = TableModel(columns)
        self.table = Table(theme, self.rows, name=model.title)
        self._lay_out()
        self.refresh()

    def _lay_out(self) -> None:
        head = QWidget()
        head.setFixedHeight(_HEAD_PX)
        row = QHBoxLayout(head)
        row.setContentsMargins(16, 0, 6, 0)
        row.setSpacing(8)
        row.addWidget(self._title)
        row.addWidget(self._told, 1)
        row.addWidget(self.table_button)
        row.addWidget(self.download)
        body = QWidget()
        self._stack = QStackedLayout(body)
        waiting = QWidget()
        centre = QHBoxLayout(waiting)
        centre.addStretch(1)
        centre.addWidget(self._empty)
        centre.addStretch(1)
        for part in (self.bars, self.table, waiting):
            self._stack.addWidget(part)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(body, 1)
        self.setMinimumHeight(LEAST_HEIGHT_PX)

    def refresh(self) -> None:
        """Draws the model as it is now."""
        model = self.model
        shown = self.table_button.isChecked()
        for button in (self.table_button, self.download):
            button.set_usable(not model.empty, self.tr("There are no values yet."))
        words = self.tr("Show as a chart") if shown else self.tr("Show as a table")
        self.table_button.set_tooltip(words)
        self._title.setText(model.title)
        self._tell("")
        if model.empty:
            self._stack.setCurrentIndex(2)
            return
        if shown:
            self.rows.set_records(
                Record(at, {"low": low, "high": high, "count": count})
                for at, (low, high, count) in enumerate(model.rows())
            )
        self.bars.refresh()
        self._stack.setCurrentIndex(1 if shown else 0)

    def show_waiting(self, words: str) -> None:
        """Says what stands there while there are no values."""
        self._empty.setText(words)

    def _tell(self, words: str) -> None:
        usual = f"{self.model.whats} by {self.model.unit}" if self.model.unit else ""
        self._told.setText(words or usual)

    def _open_menu(self) -> None:
        menu = Menu(self._theme, self.tr("Download"), self)
        menu.add(self.tr("Picture, .png"), lambda: self._save_as(".png"), icon="download")
        menu.add(self.tr("Drawing, .svg"), lambda: self._save_as(".svg"), icon="download")
        menu.add(self.tr("Table, .csv"), lambda: self._save_as(".csv"), icon="table-2")
        button = self.download
        width = menu.sizeHint().width()
        menu.popup(button.mapToGlobal(QPoint(button.width() - width, button.height() + 4)))

    def _save_as(self, suffix: str) -> None:
        title, name = self.tr("Download"), self.model.title
        path = ask_where(self._theme, self, title, name, suffix, known=CHART_FORMATS)
        if path is not None:
            self.save(path)

    def save(self, path: Path) -> None:
        """Writes the histogram as its path ends: .png, .svg or .csv."""
        make = {".png": self._png, ".svg": self._svg, ".csv": self._csv}[path.suffix.lower()]
        try:
            write_whole(path, make(), replace=True)
        except EpitomeError as error:
            self.failed.emit(error)
        else:
            self.saved.emit(path)

    def _csv(self) -> bytes:
        return self.model.csv().encode()

    def _png(self) -> bytes:
        size = self.bars.size()
        image = QImage(_RATIO * size.width(), _RATIO * size.height(), QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(_RATIO)
        painter = QPainter(image)
        self._draw(painter)
        data, buffer = QByteArray(), QBuffer()
        buffer.setBuffer(data)
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        image.save(buffer, "PNG")  # type: ignore[call-overload]
        return bytes(data.data())

    def _svg(self) -> bytes:
        data, buffer = QByteArray(), QBuffer()
        buffer.setBuffer(data)
        generator = QSvgGenerator()
        generator.setOutputDevice(buffer)
        generator.setSize(self.bars.size())
        generator.setViewBox(self.bars.rect())
        self._draw(QPainter(generator))
        return bytes(data.data())

    def _draw(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.bars.rect())
        draw_plate(painter, rect, 0, self._theme.color("surface"))
        self.bars.draw(painter)
        painter.end()
