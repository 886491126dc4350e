"""Menu with icons on the left and shortcuts on the right; Qt handles keys and roles."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QAction, QKeySequence, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QMenu, QWidget

from gui.theme.compositing import round_corners
from gui.theme.theme import Theme
from gui.widgets.support.leaving import let_go
from gui.widgets.support.paint import draw_icon, draw_plate, painter_on

_RADIUS_PX = 10
_ICON_X_PX = 11
_TEXT_X_PX = 36
_RIGHT_PX = 11
_GAP_PX = 4


class Menu(QMenu):
    """A menu that paints itself; the style sheet sets its dimensions.

    It is made anew each time it is opened, and gone when it has closed.
    """

    def __init__(self, theme: Theme, name: str = "", parent: QWidget | None = None) -> None:
        """An empty menu.

        Args:
            theme: The look.
            name: Accessible name.
            parent: Qt's owner.
        """
        super().__init__(parent)
        self._theme = theme
        self._icons: dict[QAction, str] = {}
        self.setAccessibleName(name)
        self.setWindowFlags(
            self.windowFlags()
            | Qt.WindowType.FramelessWindowHint
            | Qt.WindowType.NoDropShadowWindowHint
        )
        round_corners(self, _RADIUS_PX)
        self.setFont(theme.font("body"))
        self.setToolTipsVisible(True)
        theme.changed.connect(self.update)
        self.aboutToHide.connect(self._leave)

    def add(
        self,
        text: str,
        on_trigger: Callable[[], object] | None = None,
        *,
        icon: str = "",
        shortcut: QKeySequence | QKeySequence.StandardKey | str = "",
        detail: str = "",
    ) -> QAction:
        """Adds an item.

        Args:
            text: What it does.
            on_trigger: Called when it is chosen.
            icon: Lucide's name, or none.
            shortcut: Keys that do the same.
            detail: A few words about it, at the right.

        Returns:
            The action; it can be disabled, made checkable and so on.
        """
        # Qt keeps room at the right for what follows a tab, as for keys.
        action = QAction(f"{text}\t{detail}" if detail else text, self)
        if shortcut:
            action.setShortcut(QKeySequence(shortcut))
        if on_trigger is not None:
            action.triggered.connect(lambda checked: on_trigger())
        self._icons[action] = icon
        self.addAction(action)
        return action

    def open_below(self, widget: QWidget, *, flush_right: bool = False) -> None:
        """Opens it under a button.

        Args:
            widget: What was pressed.
            flush_right: Whether their right edges meet, rather than their left ones.
        """
        left = widget.width() - self.sizeHint().width() if flush_right else 0
        self.popup(widget.mapToGlobal(QPoint(left, widget.height() + _GAP_PX)))

    def _leave(self) -> None:
        let_go(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        round_corners(self, _RADIUS_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        draw_plate(painter, QRectF(self.rect()), _RADIUS_PX, color("raised"), color("line"))
        for action in self.actions():
            self._paint_item(painter, action, self.actionGeometry(action))
        painter.end()

    def _paint_item(self, painter: QPainter, action: QAction, box: QRect) -> None:
        color, usable = self._theme.color, action.isEnabled()
        if action.isSeparator():
            painter.fillRect(box.left() + 4, box.center().y(), box.width() - 8, 1, color("line"))
            return
        if action is self.activeAction() and usable:
            draw_plate(painter, QRectF(box), 6, color("sunken"))
        icon = "check" if action.isChecked() else self._icons.get(action, "")
        if icon:
            at = QPointF(box.left() + _ICON_X_PX, box.center().y() - 7.5)
            ink = "accent" if action.isChecked() else "text2"
            draw_icon(painter, self._theme, icon, ink if usable else "disabled", at)
        words = QRectF(box).adjusted(_TEXT_X_PX, 0, -_RIGHT_PX, 0)
        text, _, detail = action.text().partition("\t")
        self._write(painter, words, text, "body", "text" if usable else "disabled")
        keys = detail or shown_keys(action.shortcut())
        self._write(painter, words, keys, "small", "text3" if usable else "disabled", right=True)

    def _write(
        self,
        painter: QPainter,
        box: QRectF,
        text: str,
        role: str,
        color: str,
        *,
        right: bool = False,
    ) -> None:
        painter.setFont(self._theme.font(role))
        painter.setPen(self._theme.color(color))
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        flags = Qt.AlignmentFlag.AlignVCenter | side | Qt.TextFlag.TextShowMnemonic
        painter.drawText(box, flags, text)


def shown_keys(keys: QKeySequence) -> str:
    """A shortcut as displayed everywhere: "Ctrl Shift C" (symbols on macOS)."""
    text = keys.toString(QKeySequence.SequenceFormat.NativeText)
    return text[:-1].replace("+", " ") + text[-1:]  # the last may be the plus key itself
