"""Lays source, map and summary side by side, or folds them when there is little room."""

from collections.abc import Callable
from enum import Enum

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from gui.theme.theme import Theme
from gui.widgets.support.paint import painter_on

MAP_PX = 72
MIN_COLUMN_PX = 320
GRIP_PX = 8
_DEFAULT_SHARE = 0.515
_KEY_STEP_PX = 16


class Width(Enum):
    """How much room the window has."""

    WIDE = "everything"
    MEDIUM = "one column and the map"
    NARROW = "one column"

    @classmethod
    def of_window(cls, width_px: int) -> "Width":
        """The class of a window's width in logical px."""
        return cls.WIDE if width_px >= 1200 else cls.MEDIUM if width_px >= 880 else cls.NARROW


class Grip(QWidget):
    """A line of 1 px that can be dragged, or moved with the arrow keys."""

    def __init__(self, theme: Theme, parent: QWidget, moved: Callable[[int], None]) -> None:
        super().__init__(parent)
        self._theme, self._moved = theme, moved
        self._from_x: float | None = None
        self.setCursor(Qt.CursorShape.SplitHCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(self.tr("Width of the columns"))
        theme.changed.connect(self.update)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._from_x = event.position().x()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._from_x is not None:
            self._moved(round(event.position().x() - self._from_x))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._from_x = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -_KEY_STEP_PX, Qt.Key.Key_Right: _KEY_STEP_PX}
        if event.key() in steps:
            self._moved(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        color = self._theme.color("accent" if self.hasFocus() else "line")
        wide = 2 if self.hasFocus() else 1
        painter.fillRect(GRIP_PX // 2, 0, wide, self.height(), color)
        painter.end()


class Columns(QWidget):
    """Source, map and summary.

    Args:
        theme: The look.
        source: The left column.
        map_: The map between them.
        summary: The right column.
        second: A second summary, which stands at the right of the first, or of the source.
    """

    share_changed = Signal(float)
    """The source's share of the width, after the person moved a grip."""

    def __init__(
        self, theme: Theme, source: QWidget, map_: QWidget, summary: QWidget, second: QWidget
    ) -> None:
        super().__init__()
        self.source, self.map, self.summary, self.second = source, map_, summary, second
        self._beside_source, self._compares = summary, False
        self.share = _DEFAULT_SHARE
        self._first_share = 0.5
        self._width = Width.WIDE
        self._side = "summary"
        for part in (source, map_, summary, second):
            part.setParent(self)
        self._grips = [Grip(theme, self, self._move), Grip(theme, self, self._move)]

    def fold(
        self, width: Width, side: str, beside_source: QWidget | None = None, compares: bool = False
    ) -> None:
        """Shows what there is room for.

        Args:
            width: How much room the window has.
            side: The column that is shown when there is room for one. While two summaries are
                compared they have room beside each other, but not beside the source too.
            beside_source: The summary that stands beside the source; None for the first.
            compares: Whether two summaries are compared.
        """
        self._width, self._side = width, side
        self._beside_source, self._compares = beside_source or self.summary, compares
        self._place()

    def set_share(self, share: float) -> None:
        """Sets the source's share of the width, as it was remembered."""
        self.share = min(0.8, max(0.2, share))
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    @property
    def _shows_both(self) -> bool:
        return self._compares and self._side == "summary"

    def _place(self) -> None:
        if self._shows_both:
            self._place_both()
        else:
            self._place_source_and_one()

    def _place_both(self) -> None:
        for part in (self.source, self.map, self._grips[1]):
            part.hide()
        height, width, at = self.height(), self.width(), self._first_px()
        self.summary.setGeometry(0, 0, at, height)
        self.second.setGeometry(at, 0, width - at, height)
        self._grips[0].setGeometry(at - GRIP_PX // 2, 0, GRIP_PX, height)
        for part in (self.second, self.summary, self._grips[0]):
            part.show()
        self._grips[0].raise_()

    def _first_px(self) -> int:
        width = self.width()
        return max(MIN_COLUMN_PX, min(width - MIN_COLUMN_PX, round(width * self._first_share)))

    def _place_source_and_one(self) -> None:
        wide = self._width is Width.WIDE
        summary = self._beside_source
        (self.second if summary is self.summary else self.summary).hide()
        has_map = self._width is not Width.NARROW
        self.source.setVisible(wide or self._side == "source")
        summary.setVisible(wide or self._side == "summary")
        self.map.setVisible(has_map)
        for grip in self._grips:
            grip.setVisible(wide)
        height, width = self.height(), self.width()
        if not wide:
            left = MAP_PX if has_map else 0
            self.map.setGeometry(0, 0, MAP_PX, height)
            for column in (self.source, summary):
                column.setGeometry(left, 0, width - left, height)
            return
        at = self._source_px()
        self.source.setGeometry(0, 0, at, height)
        self.map.setGeometry(at, 0, MAP_PX, height)
        summary.setGeometry(at + MAP_PX, 0, width - at - MAP_PX, height)
        for grip, x in zip(self._grips, (at, at + MAP_PX - 1), strict=True):
            grip.setGeometry(x - GRIP_PX // 2, 0, GRIP_PX, height)
            grip.raise_()

    def _source_px(self) -> int:
        free = self.width() - MAP_PX
        return max(MIN_COLUMN_PX, min(free - MIN_COLUMN_PX, round(free * self.share)))

    def _move(self, by_px: int) -> None:
        if self._shows_both:
            self._first_share = (self._first_px() + by_px) / max(1, self.width())
            self._place()
            return
        free = max(1, self.width() - MAP_PX)
        self.set_share((self._source_px() + by_px) / free)
        self.share_changed.emit(self.share)
