"""What stands below the samples, folded: the log, the run's settings, its name and notes."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.jobs.training.run_plan import PlanLine
from gui.panels.train.log import LogWords
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.inputs.field import TextField
from gui.widgets.support import layouts
from gui.widgets.support.dragged import leave_files
from gui.widgets.support.enter_key import pressed_by_enter
from gui.widgets.support.leaving import clear
from gui.widgets.support.paint import draw_icon, painter_on

_EDGE_PX, _HEAD_PX = 16, 40
_LOG_PX, _NOTES_PX = 180, 96


class SectionHead(QAbstractButton):
    """A title that opens and folds what is below it."""

    def __init__(self, theme: Theme, title: str) -> None:
        super().__init__()
        self._theme = theme
        self.setText(title)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.toggled.connect(self._tell)
        self._tell()
        theme.changed.connect(self.update)

    def _tell(self) -> None:
        self.setAccessibleDescription(self.tr("open") if self.isChecked() else self.tr("folded"))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, _HEAD_PX)

    def focus_shape(self) -> tuple[QRect, int]:
        """Where the focus ring goes: inside the head."""
        return self.rect().adjusted(6, 6, -6, -6), 4

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        painter.fillRect(0, 0, self.width(), 1, color("line"))
        painter.setFont(self._theme.font("section"))
        painter.setPen(color("text"))
        box = QRectF(self.rect()).adjusted(_EDGE_PX, 0, -40, 0)
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft,
                         self.text())  # fmt: skip
        icon = "chevron-up" if self.isChecked() else "chevron-down"
        at = QPointF(self.width() - 28, (self.height() - 16) / 2)
        draw_icon(painter, self._theme, icon, "text2", at)
        painter.end()


class FoldedPart(QWidget):
    """A head and what it folds."""

    def __init__(self, theme: Theme, title: str, body: QWidget, *, is_open: bool = False) -> None:
        super().__init__()
        self.head, self.body = SectionHead(theme, title), body
        layouts.column(self.head, body, into=self)
        self.head.setChecked(is_open)
        body.setVisible(is_open)
        self.head.toggled.connect(body.setVisible)

    @property
    def stops(self) -> list[QWidget]:
        """Where Tab leads below the head, in order."""
        if isinstance(self.body, AboutForm):
            return [self.body.title, self.body.notes]
        stops = getattr(self.body, "stops", None)
        return list(stops) if stops is not None else [self.body]


class LogView(QScrollArea):
    """The log, the newest line first."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._lines = _LogLines(theme)
        self.setWidget(self._lines)
        self._lines.setAutoFillBackground(False)  # the area has turned it on
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Log"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.setFixedHeight(_LOG_PX)

    @property
    def lines(self) -> Sequence[LogWords]:
        """What is shown."""
        return self._lines.lines

    def show_lines(self, lines: Sequence[LogWords]) -> None:
        """Shows other lines."""
        self._lines.show_lines(lines)


class _LogLines(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.lines: Sequence[LogWords] = ()
        theme.changed.connect(self.update)

    def show_lines(self, lines: Sequence[LogWords]) -> None:
        if list(lines) != list(self.lines):
            self.lines = lines
            newest = [f"{line.time} {line.words}" for line in lines[:5]]
            self.setAccessibleName("\n".join(newest))
            self.setFixedHeight(self._height())
            self.update()

    def _height(self) -> int:
        return 8 + sum(len(self._wrapped(line)) for line in self.lines) * self._line_px

    @property
    def _line_px(self) -> int:
        return self._theme.line_height("monos")

    def _wrapped(self, line: LogWords) -> list[str]:
        """The words of a line in pieces that fit beside the time."""
        metrics = QFontMetricsF(self._theme.font("monos"))
        most = max(int((self.width() - 2 * _EDGE_PX - 64) / metrics.horizontalAdvance("0")), 20)
        pieces, piece = [], ""
        for word in line.words.split(" "):
            if piece and len(piece) + 1 + len(word) > most:
                pieces.append(piece)
                piece = word
            else:
                piece = f"{piece} {word}" if piece else word
        return [*pieces, piece]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setFixedHeight(self._height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, y = painter_on(self), 2
        painter.setFont(self._theme.font("monos"))
        for line in self.lines:
            pieces = self._wrapped(line)
            if y + len(pieces) * self._line_px >= event.rect().top():
                self._paint(painter, line, pieces, y)
            y += len(pieces) * self._line_px
            if y > event.rect().bottom():
                break
        painter.end()

    def _paint(self, painter: QPainter, line: LogWords, pieces: list[str], y: int) -> None:
        align = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setPen(self._theme.color("text3"))
        painter.drawText(QRectF(_EDGE_PX, y, 64, self._line_px), align, line.time)
        painter.setPen(self._theme.color(line.color))
        for at, piece in enumerate(pieces):
            box = QRectF(_EDGE_PX + 64, y + at * self._line_px, self.width(), self._line_px)
            painter.drawText(box, align, piece)


class SettingsList(QScrollArea):
    """The settings of a run: those that differ from the defaults first."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Settings of this run"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.setFixedHeight(240)
        content, self._column = QWidget(), QVBoxLayout()
        content.setLayout(self._column)
        self._column.setContentsMargins(_EDGE_PX, 0, _EDGE_PX, 8)
        self._column.setSpacing(0)
        self.setWidget(content)
        content.setAutoFillBackground(False)  # the area has just turned it on

    def show_lines(self, lines: Sequence[PlanLine]) -> None:
        """Shows the settings of a run."""
        clear(self._column)
        for line in sorted(lines, key=lambda each: not each.differs):
            holder = QWidget()
            ink = "text" if line.differs else "text3"
            layouts.row(
                Label(self._theme, line.title, "small", "text2"),
                layouts.stretch(0),
                Label(self._theme, line.words, "small", ink, elide=True),
                into=holder,
                margins=(0, 2, 0, 2),
                spacing=None,
            )
            self._column.addWidget(holder)
        self._column.addStretch()


class _Notes(QPlainTextEdit):
    left = Signal()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if not leave_files(event):
            super().dragEnterEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()


class AboutForm(QWidget):
    """The name of a run, and notes on it; kept when the focus leaves a field."""

    edited = Signal(object)
    """What was typed: the title, the notes, or both, by these names."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._kept = ("", "")
        self.title = TextField(theme, name=self.tr("Name of the run"))
        self.notes = _Notes()
        self.notes.setAccessibleName(self.tr("Notes"))
        self.notes.setPlaceholderText(self.tr("Notes on this run"))
        self.notes.setFont(theme.font("body"))
        self.notes.setFixedHeight(_NOTES_PX)
        self.notes.setTabChangesFocus(True)
        layouts.column(
            self.title, self.notes, into=self, margins=(_EDGE_PX, 4, _EDGE_PX, 12), spacing=8
        )
        self.title.editingFinished.connect(self._tell)
        self.notes.left.connect(self._tell)

    def open(self, title: str, notes: str) -> None:
        """Shows those of another run, once what was typed of the one before is told."""
        self._tell()
        self._show(title, notes)

    def show_about(self, title: str, notes: str) -> None:
        """Shows what was kept; what is being typed stays."""
        if (title, notes) != self._kept and not (self.title.hasFocus() or self.notes.hasFocus()):
            self._show(title, notes)

    def _show(self, title: str, notes: str) -> None:
        self._kept = (title, notes)
        self.title.setText(title)
        self.notes.setPlainText(notes)

    def _tell(self) -> None:
        now = (self.title.text().strip(), self.notes.toPlainText().strip())
        texts = zip(("title", "notes"), now, self._kept, strict=True)
        changed = {name: text for name, text, before in texts if text != before}
        if changed:
            self._kept = now
            self.edited.emit(changed)
