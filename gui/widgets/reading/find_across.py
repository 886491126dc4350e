"""One search over several texts that are shown side by side."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal

from gui.widgets.reading.reading_view import ReadingView


class FindAcross(QObject):
    """Looks for the same words in several views; one place in all of them is the current one.

    Args:
        parent: Qt's owner.
    """

    find_progress = Signal(int, int)
    """How often the words were found so far, and on which of them one stands, from 1."""
    gone_to = Signal(object)
    """The view with the current place."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.views: list[ReadingView] = []
        self._words = ""
        self._current: ReadingView | None = None
        self._is_asking = False

    def set_views(self, views: Sequence[ReadingView]) -> None:
        """Searches these texts, in this order, for the words of the last search."""
        for view in self.views:
            view.find_progress.disconnect(self._follow)
        for view in views:
            view.find_progress.connect(self._follow)
        self.views = list(views)
        self.find(self._words)

    def find(self, words: str) -> None:
        """Looks for words in all texts; the first place of all is gone to."""
        self._words, self._current = words, None
        self._is_asking = True
        for view in self.views:
            view.find(words)
        self._is_asking = False
        self._follow()

    def find_next(self) -> None:
        """Goes to the next place; after the last of a text comes the first of the next text."""
        self._step(1)

    def find_previous(self) -> None:
        """Goes to the previous place; before the first of a text comes the last of another."""
        self._step(-1)

    def setFocus(self, reason: Qt.FocusReason) -> None:
        """Brings the keyboard into the text with the current place."""
        shown = [view for view in (self._current, *self.views) if view and view.isVisible()]
        if shown:
            shown[0].setFocus(reason)

    def _step(self, by: int) -> None:
        total = sum(view.num_found for view in self.views)
        if not total:
            return
        here = self._place
        at = (here + by if here >= 0 else min(by, 0)) % total
        for view in self.views:
            if at < view.num_found:
                self._go_to(view, at)
                return
            at -= view.num_found

    @property
    def _place(self) -> int:
        """The current place among those of all texts, from 0; -1 for none."""
        before = 0
        for view in self.views:
            if view is self._current:
                return before + view.found if view.found >= 0 else -1
            before += view.num_found
        return -1

    def _go_to(self, view: ReadingView, index: int) -> None:
        self._is_asking = True
        for other in self.views:
            if other is not view:
                other.leave_found()
        self._current = view
        view.go_to_found(index)
        self._is_asking = False
        self.gone_to.emit(view)
        self._tell()

    def _follow(self) -> None:
        """Takes what one of the texts has found; each goes to its own first place by itself."""
        if self._is_asking:
            return
        found = [view for view in self.views if view.found >= 0]
        if self._current not in found:
            self._current = found[0] if found else None
            if self._current is not None:
                self.gone_to.emit(self._current)
        for view in found:
            if view is not self._current:
                view.leave_found()
        self._tell()

    def _tell(self) -> None:
        total = sum(view.num_found for view in self.views)
        self.find_progress.emit(total, self._place + 1)
