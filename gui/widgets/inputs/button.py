"""The button in its kinds: primary, secondary, ghost, danger; with an icon; busy."""

from dataclasses import dataclass
from typing import Final, Literal

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from gui.theme.theme import Theme
from gui.widgets.display.tooltip import set_tooltip
from gui.widgets.support.enter_key import pressed_by_enter
from gui.widgets.support.paint import (
    HoverFade,
    RunningRing,
    clear,
    draw_icon,
    draw_plate,
    mixed,
    painter_on,
)

Kind = Literal["primary", "secondary", "ghost", "danger", "danger_filled", "link"]

HEIGHT_PX = 32
STRIP_HEIGHT_PX = 28

_RADIUS_PX = 6
_ICON_PX = 16
_GAP_PX = 6  # 8 to the eye: an icon's strokes end 2 px before its edge
_ICON_BEARING_PX = 2
_BUSY_SHOWN_AFTER_MS = 400


@dataclass(frozen=True)
class _Look:
    """Style tokens of one kind; "" means none."""

    fill: str
    hover: str
    pressed: str
    border: str
    pressed_border: str
    ink: str
    icon: str
    padding_px: int = 13


_LOOKS: Final[dict[Kind, _Look]] = {
    "primary": _Look(
        "accent", "accentHover", "accentHover", "", "text", "accentText", "accentText"
    ),
    "secondary": _Look("raised", "hover", "track", "line2", "line2", "text", "text2"),
    "ghost": _Look("", "hover", "track", "", "", "text2", "text2", padding_px=9),
    "danger": _Look("surface", "errSoft", "errSoft", "err", "text", "err", "err"),
    "danger_filled": _Look("err", "err", "err", "", "text", "errText", "errText"),
    "link": _Look("", "accentSoft", "accentSoft", "", "", "accent", "accent", padding_px=6),
}


class Button(QPushButton):
    """A push button that paints itself.

    `triggered` says "do it"; while the button is busy a click says `cancelled` instead.
    """

    triggered = Signal()
    cancelled = Signal()

    def __init__(
        self,
        theme: Theme,
        text: str = "",
        *,
        kind: Kind = "secondary",
        icon: str = "",
        trailing_icon: str = "",
        height: int = HEIGHT_PX,
        tooltip: str = "",
        keys: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """A button.

        Args:
            theme: The look.
            text: A verb; empty for a square button with an icon only.
            kind: Primary (one in a view), secondary, ghost, danger, danger filled (only in
                the confirming dialog), link.
            icon: Lucide's name, or none.
            trailing_icon: After the words, such as "chevron-down" for a menu.
            height: 32; 28 in strips, 36 in empty states.
            tooltip: What it does; the accessible name of an icon-only button.
            keys: Its shortcut as shown in the tooltip.
            parent: Qt's owner.

        Raises:
            ValueError: If it has neither words nor a tooltip, and so no name.
        """
        super().__init__(text, parent)
        if not text and not tooltip:
            raise ValueError("a button with an icon only needs a tooltip")
        self._theme, self._kind = theme, kind
        self._is_folded = False
        self._icon, self._trailing_icon = icon, trailing_icon
        self._height, self._tooltip, self._keys = height, tooltip, keys
        self._busy = self._shows_busy = False
        self._busy_timer = QTimer(self, singleShot=True, interval=_BUSY_SHOWN_AFTER_MS)
        self._busy_timer.timeout.connect(self._show_busy)
        self._hover, self._ring = HoverFade(self, theme), RunningRing(self, theme)
        self._dress()
        self._tell_tooltip(tooltip)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._on_clicked)
        theme.changed.connect(self._dress)

    @property
    def icon_name(self) -> str:
        """Its icon; empty for none."""
        return self._icon

    def set_icon_name(self, icon: str) -> None:
        """Changes the icon."""
        self._icon = icon
        self.updateGeometry()
        self.update()

    def set_tooltip(self, text: str, keys: str = "") -> None:
        """Sets the tooltip, with its shortcut."""
        self._tooltip, self._keys = text, keys
        self._tell_tooltip(text)

    def fold(self, folded: bool) -> None:
        """Leaves its icon, as a ghost button, where there is little room."""
        if folded != self._is_folded:
            self._is_folded = folded
            self._tell_tooltip(self._told)
            self.updateGeometry()
            self.update()

    def set_usable(self, usable: bool, why: str = "") -> None:
        """Enables or disables it; the tooltip of a disabled button says why.

        Args:
            usable: Whether it may be pressed.
            why: One sentence for when it may not.
        """
        self.setEnabled(usable)
        self._tell_tooltip(self._tooltip if usable or not why else why)

    def set_busy(self, busy: bool) -> None:
        """Shows that its action is running: after 400 ms a ring and "Cancel"."""
        if busy == self._busy:
            return
        self._busy = busy
        if busy:
            self._busy_timer.start()
            return
        self._busy_timer.stop()
        self._ring.stop()
        self._shows_busy = False
        self._name()
        self.update()

    @property
    def _look(self) -> _Look:
        return _LOOKS["ghost" if self._is_folded else self._kind]

    @property
    def _shown_text(self) -> str:
        return "" if self._is_folded else self.text()

    @property
    def padding_px(self) -> int:
        """How far from its edge its words stand."""
        return self._look.padding_px

    def focus_shape(self) -> tuple[QRect, int]:
        """The focus ring surrounds the whole button."""
        return self.rect(), _RADIUS_PX

    def sizeHint(self) -> QSize:
        text = self._shown_text
        if not text:
            return QSize(self._height, self._height)
        width = 2 * self._look.padding_px + self._text_width(text)
        icons = bool(self._icon) + bool(self._trailing_icon)
        width += icons * (_ICON_PX + _GAP_PX) + (_ICON_BEARING_PX if icons == 1 else 0)
        return QSize(round(width), self._height)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        self._paint_plate(painter)
        self._paint_content(painter)
        painter.end()

    def _paint_plate(self, painter: QPainter) -> None:
        look, color = self._look, self._theme.color
        fill, border = self._fill(), look.border
        if not self.isEnabled() and (look.fill or look.border):
            fill, border = color("sunken"), "line"
        elif self.isDown():
            fill, border = color(look.pressed), look.pressed_border
        draw_plate(
            painter, QRectF(self.rect()), _RADIUS_PX, fill, color(border) if border else None
        )

    def _fill(self) -> QColor:
        hover = self._theme.color(self._look.hover)
        rest = self._theme.color(self._look.fill) if self._look.fill else clear(hover)
        return mixed(rest, hover, self._hover.amount if self.isEnabled() else 0.0)

    def _paint_content(self, painter: QPainter) -> None:
        ink = self._look.ink if self.isEnabled() else "disabled"
        icon_ink = self._look.icon if self.isEnabled() else "disabled"
        icon, text = self._icon, self._shown_text
        if self._shows_busy:
            icon, text = "loader-circle", self._busy_text() if text else ""
        width = self._text_width(text) + (_ICON_PX if icon else 0)
        width += _GAP_PX if icon and text else 0
        width += _ICON_PX + _GAP_PX if self._trailing_icon else 0
        x, y = (self.width() - width) / 2, (self.height() - _ICON_PX) / 2
        if bool(icon) != bool(self._trailing_icon) and text:
            x += -_ICON_BEARING_PX / 2 if icon else _ICON_BEARING_PX / 2
        if icon:
            angle = self._ring.angle if self._shows_busy else 0.0
            draw_icon(painter, self._theme, icon, icon_ink, QPointF(round(x), y), angle=angle)
            x += _ICON_PX + _GAP_PX
        if text:
            painter.setFont(self.font())
            painter.setPen(self._theme.color(ink))
            box = QRectF(x, 0, self._text_width(text) + 1, self.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
            x += self._text_width(text) + _GAP_PX
        if self._trailing_icon:
            draw_icon(painter, self._theme, self._trailing_icon, icon_ink, QPointF(round(x), y))

    def _busy_text(self) -> str:
        return self.tr("Cancel…") if self._theme.reduced_motion else self.tr("Cancel")

    def _text_width(self, text: str) -> float:
        return QFontMetricsF(self.font()).horizontalAdvance(text) if text else 0.0

    def _show_busy(self) -> None:
        self._shows_busy = True
        self._ring.start()
        self._name()
        self.update()

    def _on_clicked(self) -> None:
        if not self._busy:
            self.triggered.emit()
        elif self._shows_busy:  # before that a second click would be meant as the first
            self.cancelled.emit()

    def _name(self) -> None:
        words = self.text() or self._tooltip
        self.setAccessibleName(self.tr("Cancel: %s") % words if self._shows_busy else words)

    def _tell_tooltip(self, text: str) -> None:
        self._name()
        self.setAccessibleDescription(text if self.text() else "")
        self._told = text
        shown = text or self.text() if self._is_folded else text
        set_tooltip(self, self._theme, shown, self._keys)

    def _dress(self) -> None:
        self.setFont(self._theme.font("strong"))
        self.updateGeometry()
        self.update()


def icon_button(theme: Theme, icon: str, tooltip: str, height: int = STRIP_HEIGHT_PX) -> Button:
    """A quiet square button with an icon only.

    Args:
        theme: The look.
        icon: Lucide's name.
        tooltip: What it does; its accessible name.
        height: Its side, in px.

    Returns:
        The button.
    """
    return Button(theme, kind="ghost", icon=icon, height=height, tooltip=tooltip)
