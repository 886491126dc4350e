"""Progress bar: determinate, paused or indeterminate; its text is a separate widget."""

from PySide6.QtCore import QRectF, QSize, QVariantAnimation
from PySide6.QtGui import QHideEvent, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from gui.theme.theme import Theme
from gui.widgets.support.paint import draw_plate, painter_on

_STEPS = 10_000
_SEGMENT = 0.3
_SWEEP_MS = 1200
_STILL_AT = 0.35  # where the segment stands when nothing may move


class ProgressBar(QProgressBar):
    """A bar 4 px high (6 as head of a panel)."""

    def __init__(
        self,
        theme: Theme,
        *,
        name: str,
        width: int = 0,
        height: int = 4,
        parent: QWidget | None = None,
    ) -> None:
        """A bar at 0.

        Args:
            theme: The look.
            name: Accessible name.
            width: In px; 0 leaves it to the layout.
            height: 4, or 6 as head of a panel.
            parent: Qt's owner.
        """
        super().__init__(parent)
        self._theme = theme
        self._paused = False
        self._sweep = QVariantAnimation(self)
        self._sweep.setDuration(_SWEEP_MS)
        self._sweep.setStartValue(-_SEGMENT)
        self._sweep.setEndValue(1.0)
        self._sweep.setLoopCount(-1)
        self._sweep.valueChanged.connect(self.update)
        self.setTextVisible(False)
        self.setAccessibleName(name)
        self.setFixedHeight(height)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        if width:
            self.setFixedWidth(width)
        self.set_share(0.0)
        theme.changed.connect(self._restart)

    @property
    def share(self) -> float | None:
        """The progress from 0 to 1; None if indeterminate."""
        return None if self.maximum() == 0 else self.value() / _STEPS

    @property
    def moves(self) -> bool:
        """Whether the indeterminate animation is running."""
        return self._sweep.state() == QVariantAnimation.State.Running

    def set_share(self, share: float | None) -> None:
        """Sets the progress.

        Args:
            share: 0 to 1; None when nobody knows how much there is.
        """
        if share is None:
            self.setRange(0, 0)
        else:
            self.setRange(0, _STEPS)
            self.setValue(round(min(max(share, 0.0), 1.0) * _STEPS))
        self._restart()

    def set_paused(self, paused: bool) -> None:
        """Shows the paused state."""
        self._paused = paused
        self._restart()

    def sizeHint(self) -> QSize:
        return QSize(200, self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(24, self.height())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._restart()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._sweep.stop()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        track, radius = QRectF(self.rect()), self.height() / 2
        draw_plate(painter, track, radius, color("track"))
        start, length = self._filled()
        left = max(0.0, start) * track.width()
        right = min(1.0, start + length) * track.width()
        fill = color("line2" if self._paused else "accent")
        if right > left:
            bar = QRectF(left, 0, max(right - left, track.height()), track.height())
            draw_plate(painter, bar, radius, fill)
        painter.end()

    def _filled(self) -> tuple[float, float]:
        share = self.share
        if share is not None:
            return 0.0, share
        return (float(self._sweep.currentValue()) if self.moves else _STILL_AT), _SEGMENT

    def _restart(self) -> None:
        should = self.share is None and not self._paused and not self._theme.reduced_motion
        if should and self.isVisible():
            if not self.moves:
                self._sweep.start()
                self._sweep.setCurrentTime(_SWEEP_MS // 2)  # at once in sight
        else:
            self._sweep.stop()
        self.update()
