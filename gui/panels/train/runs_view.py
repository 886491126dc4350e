"""The runs: the list at the left, the open one beside it; or one sentence where there is none."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from gui.panels.train.run_list import RunList
from gui.panels.train.run_page import RunPage
from gui.panels.train.state import TrainState
from gui.theme.theme import Theme
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.combo import ComboBox
from gui.widgets.inputs.start_area import StartArea
from gui.widgets.support import layouts

WIDE_PX = 1200
"""From this width of the window on, the list and the samples stand beside the charts."""
LIST_PX = 273


class RunsView(QWidget):
    """List and page."""

    new_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.list, self.page = RunList(theme), RunPage(theme)
        self.list.setFixedWidth(LIST_PX)
        self.box = ComboBox(theme, name=self.tr("Run"), width=320)
        self.box.activated.connect(lambda at: self.list.chosen.emit(self.box.itemData(at)))
        self.start = Button(theme, self.tr("New job"), kind="primary", icon="plus", height=36)
        self.start.triggered.connect(self.new_wanted)
        self._stack = QStackedWidget()
        self._empty = self._make_empty()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._make_runs())
        layouts.column(self._stack, into=self)

    def _make_empty(self) -> QWidget:
        area = StartArea(
            self._theme,
            self.tr("Train a model on your own documents."),
            self.tr(
                "A job pre-trains or fine-tunes a model on a corpus. Its curves, samples and log "
                "are shown here while it runs and afterwards. Runs started with “epitome train” "
                "are listed too."
            ),
        )
        area.add_buttons(self.start)
        return area

    def _make_runs(self) -> QWidget:
        page = Plane(self._theme, "surface")
        self._side = Plane(self._theme, "window")
        layouts.row(self.list, Divider(self._theme, Qt.Orientation.Vertical), into=self._side)
        self._strip = Plane(self._theme, "window")
        layouts.column(
            layouts.row(self.box, layouts.stretch(0), margins=(24, 8, 24, 8), spacing=None),
            Divider(self._theme),
            into=self._strip,
        )
        layouts.row(self._side, (layouts.column(self._strip, (self.page, 1)), 1), into=page)
        return page

    def show_state(self, state: TrainState) -> None:
        """Shows the runs there are, or the sentence where there is none."""
        runs, had_focus = state.runs, self.start.hasFocus()
        self._stack.setCurrentIndex(1 if runs else 0)
        if runs and had_focus:
            self.focus_first()
        words = [(f"{run.title}, {run.word}", run.folder) for run in runs]
        shown = [(self.box.itemText(i), self.box.itemData(i)) for i in range(self.box.count())]
        if words != shown:
            self.box.clear()
            for text, folder in words:
                self.box.addItem(text, folder)
        at = next((i for i, run in enumerate(runs) if run.folder == state.selected), -1)
        if at >= 0 and self.box.currentIndex() != at:
            self.box.setCurrentIndex(at)

    def focus_first(self) -> None:
        """Puts the keyboard on the list of runs, or on what stands in its place."""
        for part in (self.list, self.box, self.start):
            if part.isVisible():
                part.setFocus(Qt.FocusReason.OtherFocusReason)
                return

    def fold(self, wide: bool) -> None:
        """Turns the list into a box where there is little room."""
        self._side.setVisible(wide)
        self._strip.setVisible(not wide)
        self.page.fold(wide)

    def regions(self) -> list[QWidget]:
        """The parts that F6 moves between."""
        return [self._empty, self._side, self._strip, *self.page.regions()]
