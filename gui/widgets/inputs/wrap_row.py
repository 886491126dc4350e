"""A row of labelled controls that goes on below where there is no room at the right."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.inputs.button import STRIP_HEIGHT_PX
from gui.widgets.support import layouts


def labelled(theme: Theme, label: str, *controls: QWidget) -> QWidget:
    """A control with its name at the left."""
    group = QWidget()
    group.setMinimumHeight(STRIP_HEIGHT_PX)
    row = layouts.row(into=group, spacing=8)
    if label:
        name = Label(theme, label, "small", "text2")
        name.setBuddy(controls[0])
        row.addWidget(name)
    for control in controls:
        row.addWidget(control)
    return group


class WrapRow(Plane):
    """Groups of controls, left to right and line by line.

    Args:
        theme: The look.
        groups: What stands in it.
        gap: Between two of them, in px.
        padding: Left, top, right and bottom of them, in px.
        color: The colour behind them: "window" or "surface".
    """

    def __init__(
        self,
        theme: Theme,
        groups: Sequence[QWidget] = (),
        gap: int = 16,
        padding: tuple[int, int, int, int] = (24, 10, 16, 10),
        color: str = "window",
    ) -> None:
        super().__init__(theme, color)
        self._groups, self._gap, self._padding = list[QWidget](), gap, padding
        self._heights: dict[int, int] = {}
        self.set_groups(groups)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_groups(self, groups: Sequence[QWidget]) -> None:
        """Fills the row."""
        self._heights.clear()
        self._groups = list(groups)
        for group in groups:
            group.setParent(self)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:  # asked some dozen times for each change beside it
            self._heights[width] = self._place(width, move=False)
        return self._heights[width]

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show:
            self._heights.clear()
        elif event.type() == QEvent.Type.LayoutRequest:  # a group came, went or changed its size
            self.arrange()
        return super().event(event)

    def sizeHint(self) -> QSize:
        return QSize(400, self._place(max(self.width(), 320), move=False))

    def minimumSizeHint(self) -> QSize:
        return QSize(240, self._place(max(self.width(), 320), move=False))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        height = self._place(self.width(), move=True)
        if height != self.height():
            self.setFixedHeight(height)

    def arrange(self) -> None:
        """Places the groups again, as where one was hidden or shown."""
        self._heights.clear()
        self.setFixedHeight(self._place(self.width(), move=True))

    def _place(self, width: int, *, move: bool) -> int:
        left, top, right, bottom = self._padding
        x, y, line = left, top, 0
        for group in self._groups:
            if group.isHidden():
                continue
            size = group.sizeHint().expandedTo(group.minimumSize())
            if x > left and x + size.width() > width - right:
                x, y, line = left, y + line + 8, 0
            if move:
                room = min(size.width(), max(width - left - right, 1))
                group.setGeometry(QRect(x, y, room, size.height()))
            x += size.width() + self._gap
            line = max(line, size.height())
        return y + line + bottom
