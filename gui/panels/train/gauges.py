"""What hashing does to the open run: three gauges, each a button, with what they found."""

import re
from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.jobs.runs.gauge_run import Found
from core.profiling.settings import GAUGES, GaugeName
from core.system.shell import shell_line
from gui.theme.theme import Theme
from gui.widgets.display.area import Area
from gui.widgets.display.label import Label
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.command_line import CommandLine
from gui.widgets.support import layouts

_EDGE_PX, _HEIGHT_PX = 16, 264


class Gauges(Area):
    """The part of the page of a run."""

    wanted = Signal(str)
    """The `GaugeName` whose button was pressed."""
    cancelled = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        words: dict[GaugeName, tuple[str, str]] = {
            "causality": (
                self.tr("Causality"),
                self.tr("Does a change at the end of a document move what is said before it?"),
            ),
            "twin": (
                self.tr("Full-attention twin"),
                self.tr("The same weights with hashing off: loss, time and memory."),
            ),
            "rotations": (
                self.tr("Rotations"),
                self.tr("The same documents, hashed with other random rotations."),
            ),
        }
        self.buttons: dict[GaugeName, Button] = {}
        self._results: dict[GaugeName, Label] = {}
        page = QWidget()
        column = layouts.column(into=page, margins=(_EDGE_PX, 4, _EDGE_PX, 12), spacing=4)
        for name in GAUGES:
            title, told = words[name]
            self._add(column, name, title, told)
        self.command = CommandLine(theme, wrap=True)
        column.addSpacing(4)
        column.addWidget(self.command)
        column.addStretch()
        self.setWidget(page)
        page.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        self.setFixedHeight(_HEIGHT_PX)
        self.setAccessibleName(self.tr("Gauges"))

    def _add(self, column: QVBoxLayout, name: GaugeName, title: str, told: str) -> None:
        button = Button(self._theme, title, icon="gauge", height=28, tooltip=told)
        button.triggered.connect(lambda: self.wanted.emit(name))
        button.cancelled.connect(self.cancelled)
        result = Label(self._theme, told, "small", "text2", wrap=True)
        column.addLayout(layouts.row(button, layouts.stretch(0), spacing=None))
        column.addWidget(result)
        column.addSpacing(6)
        self.buttons[name], self._results[name] = button, result

    @property
    def stops(self) -> list[QWidget]:
        """Where Tab leads, in order."""
        return [*self.buttons.values(), self.command.button]

    def words(self, name: GaugeName) -> str:
        """What a gauge says now."""
        return self._results[name].text()

    def show_run(self, run: str, why_not: str) -> None:
        """Shows that nothing was gauged of a run yet.

        Args:
            run: Its name.
            why_not: Why it cannot be gauged; empty where it can.
        """
        for name, button in self.buttons.items():
            self._results[name].setText(why_not)
            self._results[name].setVisible(bool(why_not) and name == GAUGES[-1])
            button.set_usable(not why_not, why_not)
        self.command.show_line(shell_line(["epitome", "gauge", run]))

    def show_busy(self, name: GaugeName | None) -> None:
        """Shows which gauge is at work; the others wait. None for none."""
        for each, button in self.buttons.items():
            button.set_busy(each == name)
            button.set_usable(name is None or each == name, self.tr("Another gauge is at work."))

    def show_found(self, name: GaugeName, found: Sequence[Found]) -> None:
        """Shows what a gauge found: the lines that the command prints."""
        lines = [re.sub("  +", ": ", each.told()) for each in found]  # without the columns
        self._results[name].setText("\n".join(lines))
        self._results[name].setVisible(True)

    def show_trouble(self, name: GaugeName, told: str) -> None:
        """Says why a gauge found nothing."""
        self._results[name].setText(told)
        self._results[name].setVisible(True)
