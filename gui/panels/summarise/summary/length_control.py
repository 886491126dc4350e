"""How long the summary is to be: a unit, a slider, and a field."""

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.summaries.length import Length, LengthUnit
from gui.panels.summarise.state import SummariseState
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.inputs.length_field import LengthField
from gui.widgets.inputs.segmented import SegmentedControl
from gui.widgets.inputs.slider import Slider

_FIELD_PX = 64
_GAP_PX = 8


class LengthControl(QWidget):
    """Sentences, words or share; a slider and its field."""

    length_wished = Signal(object, bool)
    """A `Length`, and whether more is to come (the slider is still moving)."""
    unit_chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.unit = SegmentedControl(
            theme,
            [
                ("sentences", self.tr("Sentences")),
                ("words", self.tr("Words")),
                ("share", self.tr("Share")),
            ],
            height=28,
            name=self.tr("Length in"),
        )
        self.slider = Slider(theme, 1, 30, 9, name=self.tr("Length of the summary"), width=112)
        self.field = LengthField(theme, self.tr("Length of the summary"))
        self._percent = Label(theme, "%", "small", "text3")
        self._percent.hide()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP_PX)
        for part in (self.unit, self.slider, self.field, self._percent):
            row.addWidget(part, 1 if part is self.slider else 0)
        self.unit.chosen.connect(self.unit_chosen)
        self.slider.followed.connect(self._on_followed)
        self.slider.sliderPressed.connect(self._end_drag)
        self.slider.sliderReleased.connect(self._end_drag)
        self.field.length_entered.connect(lambda length: self.length_wished.emit(length, False))

    def show_state(self, state: SummariseState) -> None:
        """Shows the length as the state has it, without a signal."""
        length = state.length
        self.unit.set_value(length.unit)
        self._percent.setVisible(length.unit == "share")
        top = state.slider_top(length.unit)
        with QSignalBlocker(self.slider):
            self.slider.set_bounds(1, top)
            self.slider.setValue(min(top, round(length.value)))
        self.slider.update()
        self.field.show_length(length, state.most(length.unit))

    @property
    def least_px(self) -> int:
        """The width it needs with its slider, in any unit."""
        unit, slider = self.unit.sizeHint().width(), self.slider.minimumSizeHint().width()
        return unit + slider + max(_FIELD_PX, self.field.width()) + 2 * _GAP_PX

    def fold(self, with_slider: bool) -> None:
        """Leaves out the slider where it has no room; the field does the same."""
        self.slider.setVisible(with_slider)

    @property
    def is_dragged(self) -> bool:
        """Whether the slider is held, so that more is to come."""
        return self.slider.isSliderDown()

    def step(self, by: int) -> None:
        """Makes the summary shorter or longer by a step of its unit."""
        size = {"sentences": 1, "words": 10, "share": 1}[self.unit.value]
        self.length_wished.emit(self.field.stepped(by * size), False)

    def _on_followed(self, value: int) -> None:
        self._wish(value, more=True)

    def _end_drag(self) -> None:
        """What follows is another change, with an undo of its own."""
        self._wish(self.slider.value(), more=True)
        self._wish(self.slider.value(), more=False)

    def _wish(self, value: int, *, more: bool) -> None:
        unit: LengthUnit = self.unit.value  # type: ignore[assignment]  # one of its three parts
        self.length_wished.emit(Length(value, unit), more)
