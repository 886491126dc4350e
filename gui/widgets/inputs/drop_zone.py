"""The area on which a document is dropped."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, QRectF, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.sign import Sign
from gui.widgets.display.tooltip import KeyCap
from gui.widgets.support import layouts
from gui.widgets.support.dragged import accept_copy
from gui.widgets.support.paint import painter_on

_RADIUS_PX = 12
_HEIGHT_PX = 260


class DropZone(QWidget):
    """A dashed area that says what may be dropped, with equivalent buttons and their shortcuts."""

    files_dropped = Signal(list)
    """The paths of local files."""
    text_dropped = Signal(str)
    """Text dragged from another program."""

    def __init__(
        self,
        theme: Theme,
        title: str,
        text: str,
        buttons: Sequence[QWidget] = (),
        keys: Sequence[tuple[str, str]] = (),
        parent: QWidget | None = None,
        *,
        takes_text: bool = False,
    ) -> None:
        """A place to drop.

        Args:
            theme: The look.
            title: What to do.
            text: What may be dropped.
            buttons: Other ways, in a row below.
            keys: Shortcuts and what they do.
            parent: Qt's owner.
            takes_text: Whether text may be dropped; otherwise it goes to what lies below, as the
                window, which knows a panel that takes it.
        """
        super().__init__(parent)
        self._theme, self._takes_text = theme, takes_text
        self._is_over = False
        self.setAcceptDrops(True)
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        self.setMinimumHeight(_HEIGHT_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        centre = Qt.AlignmentFlag.AlignHCenter
        layouts.column(
            (Sign(theme, "file-down", "accent", 32), 0, centre),
            17,
            (Label(theme, title, "section"), 0, centre),
            4,
            (Label(theme, text, "body", "text3"), 0, centre),
            20,
            _row(buttons),
            12,
            _row(self._key_row(keys), spacing=6),
            layouts.stretch(0),
            into=self,
            margins=(24, 40, 24, 40),
        )
        theme.changed.connect(self.update)

    def _key_row(self, keys: Sequence[tuple[str, str]]) -> list[QWidget]:
        row: list[QWidget] = []
        for index, (cap, words) in enumerate(keys):
            if index:
                gap = QWidget()
                gap.setFixedWidth(4)
                row.append(gap)
            row.append(KeyCap(self._theme, cap))
            row.append(Label(self._theme, words, "small", "text3"))
        return row

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self._can_take(event.mimeData()):
            self._set_over(accept_copy(event))
        else:
            event.ignore()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._set_over(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self._set_over(False)
        if not self._can_take(event.mimeData()):
            event.ignore()
            return
        accept_copy(event)
        paths = _paths(event.mimeData())
        if paths:
            self.files_dropped.emit(paths)
        else:
            self.text_dropped.emit(event.mimeData().text())

    def _can_take(self, data: QMimeData) -> bool:
        return bool(_paths(data)) or (self._takes_text and data.hasText())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        pen = QPen(color("accent" if self._is_over else "line2"), 1.0)
        pen.setDashPattern([4, 4])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.setBrush(color("accentSoft" if self._is_over else "window"))
        painter.drawRoundedRect(
            QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS_PX, _RADIUS_PX
        )
        painter.end()

    def _set_over(self, is_over: bool) -> None:
        self._is_over = is_over
        self.update()


def _paths(data: QMimeData) -> list[Path]:
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


def _row(widgets: Sequence[QWidget], spacing: int = 8) -> QHBoxLayout:
    row = layouts.row(layouts.stretch(0), *widgets, layouts.stretch(0), spacing=spacing)
    return row
