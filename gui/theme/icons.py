"""Icons: drawn from SVG on demand in the asked colour, size and sharpness, and kept."""

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from core.distribution.resources import resource

_FILLED = "-filled"
_THICK_AT_PX = 12  # the smallest icons keep Lucide's full stroke, or they fade


class IconCache:
    """Draws icons and keeps them by name, colour, size and device pixel ratio."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, int, int, float, float], QPixmap] = {}

    def clear(self) -> None:
        """Forgets all pictures, as after a change of theme."""
        self._kept.clear()

    def pixmap(
        self, name: str, color: QColor, size_px: int, ratio: float = 1.0, angle: float = 0.0
    ) -> QPixmap:
        """One icon as a picture.

        Args:
            name: File name in `resources/icons`, without ".svg"; with "-filled" behind it, its
                inside has the colour of its strokes.
            color: Of its strokes.
            size_px: Width and height in logical px.
            ratio: Device pixels in a logical one.
            angle: Degrees clockwise, for the running ring.

        Returns:
            The picture; it knows its ratio.
        """
        key = (name, color.rgba(), size_px, ratio, angle)
        if key not in self._kept:
            self._kept[key] = _drawn(name, color, size_px, ratio, angle)
        return self._kept[key]

    def icon(self, name: str, color: QColor, disabled: QColor, size_px: int) -> QIcon:
        """One icon for menus, actions and fields, sharp at 1 to 3 device pixels.

        Args:
            name: File name in `resources/icons`, without ".svg".
            color: Of its strokes when usable.
            disabled: Of its strokes when not.
            size_px: Width and height in logical px.

        Returns:
            The icon, with pictures for Normal and Disabled.
        """
        made = QIcon()
        for mode, ink in ((QIcon.Mode.Normal, color), (QIcon.Mode.Disabled, disabled)):
            for ratio in (1.0, 2.0, 3.0):
                made.addPixmap(self.pixmap(name, ink, size_px, ratio), mode)
        return made


def _drawn(name: str, color: QColor, size_px: int, ratio: float, angle: float) -> QPixmap:
    renderer = QSvgRenderer(QByteArray(_svg(name, color.name(), size_px).encode()))
    pixmap = QPixmap(round(size_px * ratio), round(size_px * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.translate(size_px / 2, size_px / 2)
    painter.rotate(angle)
    painter.setOpacity(color.alphaF())
    renderer.render(painter, QRectF(-size_px / 2, -size_px / 2, size_px, size_px))
    painter.end()
    return pixmap


def _svg(name: str, color: str, size_px: int) -> str:
    stroke = "2" if size_px <= _THICK_AT_PX else "1.75"
    text = _source(name.removesuffix(_FILLED)).replace("currentColor", color)
    if name.endswith(_FILLED):
        text = text.replace('fill="none"', f'fill="{color}"')
    return text.replace('stroke-width="2"', f'stroke-width="{stroke}"')


@cache
def _source(name: str) -> str:
    return resource("icons", f"{name}.svg").read_text("utf-8")
