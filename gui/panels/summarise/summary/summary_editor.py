"""What a person does to one summary: its length and model, its sentences, undo and redo."""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from core.errors import EpitomeError
from core.summaries.length import Length, LengthUnit
from core.summaries.summary import Summary
from gui.panel import Services
from gui.panels.summarise.saving.export_actions import ABOUT
from gui.panels.summarise.state import Phase, SummariseState
from gui.panels.summarise.summary.summary_column import SummaryColumn


class SummaryEditor(QObject):
    """Changes the state behind a column as the person asks there.

    Args:
        services: Shows why something cannot be done.
        column: The summary and its controls.
        state: Gives the state that the column shows.
        redraw: Called after every change.
        parent: Qt's owner.
    """

    def __init__(
        self,
        services: Services,
        column: SummaryColumn,
        state: Callable[[], SummariseState],
        redraw: Callable[[], object],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._services, self._column = services, column
        self._get_state, self._redraw = state, redraw
        rows = column.list
        column.length.length_wished.connect(self.wish_length)
        column.length.unit_chosen.connect(self.choose_unit)
        column.models.chosen.connect(self.choose_model)
        column.undo_requested.connect(self.undo)
        column.redo_requested.connect(self.redo)
        column.fresh_requested.connect(self.start_fresh)
        rows.pin_requested.connect(lambda row: self.decide(self.state.toggle_pin, row))
        rows.replace_requested.connect(self.replace)
        rows.drop_requested.connect(lambda row: self.decide(self.state.drop, row))

    @property
    def state(self) -> SummariseState:
        """The state that the column shows."""
        return self._get_state()

    # Length and model

    def wish_length(self, length: Length, more: bool) -> None:
        """Sets the length.

        Args:
            length: The requested one.
            more: Whether the slider is still moving.
        """
        self.state.set_length(length, merge=more)
        if not self._column.length.is_dragged:
            self.state.settle()
        self._redraw()

    def choose_unit(self, unit: LengthUnit) -> None:
        """Sets the unit of the length."""
        self.state.set_unit(unit)
        self._redraw()

    def step_length(self, by: int) -> None:
        """Makes the summary longer (1) or shorter (-1)."""
        if self.state.phase is Phase.READY:
            self._column.length.step(by)

    def choose_model(self, model: str) -> None:
        """Lets a model write the summary: the name of a run, or `BUILT_IN`."""
        self.state.choose_model(model)
        self._redraw()

    # Sentences

    def replace(self, row: int) -> None:
        """Replaces a sentence by the next best, and moves the focus to that."""
        before = self.state.summary
        self.decide(self.state.replace, row)
        self._point_out_new(before, focus=True)

    def add(self, offset: int) -> None:
        """Adds the sentence at an offset of the source, where the summary can be edited."""
        if self.state.can_edit and self.state.phase is Phase.READY:
            before = self.state.summary
            self.decide(self.state.add, offset)
            self._point_out_new(before, focus=False)

    def _point_out_new(self, before: Summary | None, *, focus: bool) -> None:
        """Marks the first sentence that was not in the summary before."""
        after = self.state.summary
        if before is None or after is None:
            return
        known = {sentence.text for sentence in before.sentences}
        new = [row for row, item in enumerate(after.sentences) if item.text not in known]
        if new:
            self._column.list.point_out(new[0], focus=focus)

    def decide(self, decide: Callable[[int], None], row: int) -> None:
        """Makes a decision about a row; says why where it cannot be made."""
        if not self.state.can_edit:  # the key was pressed before the list was drawn as it is now
            return
        try:
            decide(row)
        except EpitomeError as error:
            self._services.notify("warn", error.message, error.remedy, about=ABOUT)
        self._redraw()

    # History

    def undo(self) -> None:
        """Takes the last decision back."""
        self.state.undo()
        self._redraw()

    def redo(self) -> None:
        """Takes the last undo back."""
        self.state.redo()
        self._redraw()

    def start_fresh(self) -> None:
        """Lets go of all pins and drops, and of the length."""
        self.state.start_fresh()
        self._redraw()
