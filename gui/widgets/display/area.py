"""A scroll area that follows the keyboard: what gets the focus comes into sight."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea

_MARGIN_PX = 24


class Area(QScrollArea):
    """It scrolls down and up, has no frame, and takes no focus itself.

    What has the focus stays in sight also when something appears above it, until the person
    scrolls.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._follow)
        self._is_kept_in_sight = False
        bar = self.verticalScrollBar()
        bar.actionTriggered.connect(self._let_go)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._keep_in_sight)
        bar.rangeChanged.connect(lambda: self._soon.start())  # the layout moves the content later

    def _follow(self) -> None:  # what had the focus may be half gone: it is not taken
        if QApplication.mouseButtons() != Qt.MouseButton.NoButton:
            return  # what is pressed must not move away from under the pointer
        content, new = self.widget(), QApplication.focusWidget()
        if new is not None and content is not None and content.isAncestorOf(new):
            self._is_kept_in_sight = True
            self.ensureWidgetVisible(new, 0, _MARGIN_PX)

    def _let_go(self) -> None:
        self._is_kept_in_sight = False

    def _keep_in_sight(self) -> None:
        content, focus = self.widget(), QApplication.focusWidget()
        if not self._is_kept_in_sight or content is None or focus is None:
            return
        if content.isAncestorOf(focus):
            self.ensureWidgetVisible(focus, 0, _MARGIN_PX)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._let_go()
        super().wheelEvent(event)
