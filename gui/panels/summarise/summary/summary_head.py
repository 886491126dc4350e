"""The strip over the summary: how long it is to be, and what writes it."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.panels.summarise.state import SummariseState
from gui.panels.summarise.summary.length_control import LengthControl
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.display.sign import Sign
from gui.widgets.display.strip import Strip
from gui.widgets.inputs.model_box import ModelBox

_NAME_GAP_PX = 8


class SummaryHead(Plane):
    """Name, length and models in a strip; where there is no room for them, they fold.

    The name goes first, then the models' label; then the models get a strip of their own; then the
    slider goes, since the field does the same. Without a choice of models there is neither box nor
    second strip.
    """

    def __init__(self, theme: Theme, name: str = "") -> None:
        """A strip.

        Args:
            theme: The look.
            name: What the column is called; empty for "Summary".
        """
        super().__init__(theme, "surface")
        self.length = LengthControl(theme)
        self.models = ModelBox(theme)
        self._with_name = True
        self._strip, self._second = Strip(theme), Strip(theme)
        self._name = QWidget()
        named = QHBoxLayout(self._name)
        named.setContentsMargins(0, 0, _NAME_GAP_PX, 0)
        named.addWidget(Label(theme, name or self.tr("Summary"), "section"))
        self._strip.row.addWidget(self._name)
        self._strip.row.addWidget(self.length)
        self._strip.row.addStretch(1)
        self._named_models = QWidget()
        labelled = QHBoxLayout(self._named_models)
        labelled.setContentsMargins(0, 0, 0, 0)
        labelled.setSpacing(8)
        self._models_name = Label(theme, self.tr("Summary by"), "small", "text2")
        for part in (self._models_name, self.models):
            labelled.addWidget(part)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._strip)
        column.addWidget(self._second)
        self._problem = self._make_problem(theme)
        column.addWidget(self._problem)
        self._fold()

    def _make_problem(self, theme: Theme) -> QWidget:
        """What is wrong with the length that was typed, under the strip."""
        problem, words = QWidget(), Label(theme, "", "small", "err", wrap=True)
        row = QHBoxLayout(problem)
        row.setContentsMargins(24, 0, 16, 8)
        row.setSpacing(4)
        row.addWidget(
            Sign(theme, "octagon-x", "err", 14, beside="small"), 0, Qt.AlignmentFlag.AlignTop
        )
        row.addWidget(words, 1)
        self.length.field.error_changed.connect(words.setText)
        self.length.field.error_changed.connect(lambda error: problem.setVisible(bool(error)))
        problem.hide()
        return problem

    def fold(self, with_name: bool) -> None:
        """Says the name, where there is room, or leaves it to another part of the window."""
        self._with_name = with_name
        self._fold()

    def show_models(self, state: SummariseState) -> None:
        """Shows which models there are, and which is chosen."""
        self.models.show_models(state.models, state.model)
        self._fold()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def _fold(self) -> None:
        row, offers = self._strip.row, self.models.offers
        margins, gap = row.contentsMargins(), row.spacing()
        room = self.width() - margins.left() - margins.right() - self.length.least_px
        self.length.fold(with_slider=room >= 0)
        box_px = self.models.minimumWidth() + gap if offers else 0
        is_beside = room >= box_px
        named_px = box_px + self._models_name.sizeHint().width() + gap if offers else 0
        is_named = room >= named_px
        self._models_name.setVisible(is_named or not is_beside)
        box_px = named_px if is_named else box_px
        self._place_models(self._strip if is_beside else self._second)
        self._second.setVisible(offers and not is_beside)
        name_px = self._name.sizeHint().width() + gap
        self._name.setVisible(self._with_name and room - is_beside * box_px >= name_px)

    def _place_models(self, strip: Strip) -> None:
        if self._named_models.parentWidget() is not strip:
            strip.row.addWidget(self._named_models)
        self._named_models.setVisible(self.models.offers)
