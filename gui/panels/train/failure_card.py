"""Why a run failed, and what can be done about it: go on, begin again, or need less memory."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from core.events import Failed
from core.jobs.training.retry_training import FailedRun, Retry
from core.numbers import format_count, format_size
from gui.theme.theme import Theme
from gui.widgets.display.area import Area
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.display.sign import Sign
from gui.widgets.inputs.button import Button
from gui.widgets.support import layouts
from gui.widgets.support.leaving import let_go

OF_MEMORY = frozenset({"memory", "gpu-memory"})
"""Kinds of failure after which a smaller job helps."""
_MAY_BE_MEMORY = "killed"
_MOST_COLUMNS = 2
_EDGES_PX = 24 + 16 + 10 + 12  # left of the words and right of them, the sign and its gap


class FailureCard(Plane):
    """Message, remedy and buttons; hidden unless the open run has failed.

    It is as high as they need, but leaves room for the curves: in a small window it scrolls.
    """

    retried = Signal(object)
    """The `Retry` whose button was pressed."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "window")
        self._theme = theme
        self._message = Label(theme, "", "strong", wrap=True)
        self._remedy = Label(theme, "", "body", "text2", wrap=True)
        self._head = Label(theme, "", "smallb", "text2", wrap=True)
        self.retries: list[Button] = []
        self._shown: tuple[Retry, ...] = ()
        self._grid = QGridLayout()
        self._grid.setSpacing(0)
        self._grid.setColumnStretch(_MOST_COLUMNS, 1)
        self._columns = _MOST_COLUMNS
        self._content = Plane(theme, "window")
        self._area = Area()
        self._lay_out()
        self.hide()

    def _lay_out(self) -> None:
        sign = layouts.column(
            Sign(self._theme, "octagon-x", "err"),
            layouts.stretch(0),
            margins=(0, 2, 0, 0),
            spacing=None,
        )
        layouts.row(
            sign,
            (layouts.column(self._message, self._remedy, self._head, self._grid, spacing=4), 1),
            into=self._content,
            margins=(24, 12, 12, 12),
            spacing=10,
        )
        self._area.setWidget(self._content)
        layouts.column((self._area, 1), Divider(self._theme), into=self)

    def fit(self, width: int, most: int) -> None:
        """Takes its height.

        Args:
            width: How wide it is, in px.
            most: How high it may be, in px; what is more can be scrolled to.
        """
        widest = max((button.sizeHint().width() for button in self.retries), default=0)
        columns = _MOST_COLUMNS if _MOST_COLUMNS * widest <= width - _EDGES_PX else 1
        if columns != self._columns:
            self._columns = columns
            self._place_retries()
        self.setFixedHeight(min(self._content.heightForWidth(width) + 1, most))

    @property
    def words(self) -> str:
        """All that is said."""
        labels = (self._message, self._remedy, self._head)
        return " ".join(label.text() for label in labels if label.isVisibleTo(self))

    def show_failure(self, failure: Failed | None, found: FailedRun | None) -> None:
        """Shows why a run failed.

        Args:
            failure: Why; None hides the card.
            found: What can be done; None while that is being looked up.
        """
        self.setVisible(failure is not None)
        if failure is None:
            return
        self._message.setText(failure.message)
        self._remedy.setText(f"{failure.remedy} {self._place(found)}".strip())
        helps = failure.kind in OF_MEMORY or failure.kind == _MAY_BE_MEMORY
        self._show_retries(found.retries if found is not None and helps else ())
        self._head.setText(
            self.tr("Use less memory")
            if failure.kind in OF_MEMORY
            else self.tr("If memory ran out, use less")
        )

    def _place(self, found: FailedRun | None) -> str:
        """Where the run would go on."""
        if found is None:
            return ""
        if found.step:
            told = self.tr("Resume continues after step {0}, the last checkpoint.")
            return told.format(format_count(found.step))
        return self.tr("No checkpoint was saved: Resume starts again at step 1.")

    def _show_retries(self, retries: Sequence[Retry]) -> None:
        if tuple(retries) != self._shown:
            self._shown = tuple(retries)
            for button in self.retries:
                self._grid.removeWidget(button)
                let_go(button)
            self.retries = [self._retry_button(retry) for retry in retries]
            self._place_retries()
        self._head.setVisible(bool(retries))

    def _place_retries(self) -> None:
        for place, button in enumerate(self.retries):
            self._grid.addWidget(button, *divmod(place, self._columns), Qt.AlignmentFlag.AlignLeft)
            button.show()  # now: its height counts at once

    def _retry_button(self, retry: Retry) -> Button:
        how = (
            self.tr("{0} and resume: {1} less")
            if retry.in_place
            else self.tr("{0} in a new job: {1} less")
        )
        words = how.format(retry.words, format_size(retry.saved_bytes))
        icon = "play" if retry.in_place else "plus"
        button = Button(self._theme, words, kind="link", icon=icon, height=28)
        button.triggered.connect(lambda: self.retried.emit(retry))
        return button

    @property
    def stops(self) -> list[QWidget]:
        """Where Tab leads, in order."""
        return list(self.retries)
