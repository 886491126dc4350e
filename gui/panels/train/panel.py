"""The Train panel: runs and their curves, and the page on which a new job is set up."""

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from core.library.preferences import PanelState
from gui.panel import Panel, Services
from gui.panels.train.header import Header
from gui.panels.train.run_desk import RunDesk
from gui.panels.train.runs_view import WIDE_PX, RunsView
from gui.widgets.button import Button
from gui.widgets.plane import Divider


class TrainPanel(Panel):
    """New jobs, the queue, live curves.

    Args:
        services: What the window does for it.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services.theme, "surface")
        self._services = services
        theme = services.theme
        self.view = RunsView(theme)
        self.desk = RunDesk(services, self.view.list, self.view.page, self)
        self.new_button = Button(
            theme, self.tr("New job"), kind="primary", icon="plus", keys="Ctrl N",
            tooltip=self.tr("Set up a new training job"),
        )  # fmt: skip
        self.header = Header(theme, self.tr("Train"))
        self.header.add(self.new_button)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._runs_page())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._pages)
        self.desk.changed.connect(self._show_runs)
        self.view.new_wanted.connect(self.new_job)
        self.new_button.triggered.connect(self.new_job)

    def _runs_page(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(Divider(self._services.theme))
        column.addWidget(self.view, 1)
        return page

    def _show_runs(self) -> None:
        self.view.show_state(self.desk.state)

    def new_job(self) -> None:
        """Sets up a new job."""

    # What the window asks

    def commands(self) -> Mapping[str, Callable[[], object]]:
        """A new job."""
        return {"new": self.new_job}

    def end(self) -> None:
        """Follows no run any more."""
        self.desk.end()

    def regions(self) -> list[QWidget]:
        """The head, and what stands below it."""
        return [self.header, *self.view.regions()]

    def saved_state(self) -> PanelState:
        """The run that is open."""
        selected = self.desk.state.selected
        return {"run": str(selected)} if selected else {}

    def restore_state(self, state: PanelState) -> None:
        """Opens the run that was open."""
        run = state.get("run")
        if isinstance(run, str) and run:
            self.desk.state.selected = Path(run)

    # What Qt says

    def event(self, event: QEvent) -> bool:
        """Looks for new runs when the person comes back to the window."""
        if event.type() == QEvent.Type.WindowActivate and self.isVisible():
            self.desk.look()
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.desk.look()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.view.fold(self.window().width() >= WIDE_PX)
