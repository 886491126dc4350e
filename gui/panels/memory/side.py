"""The side of the Memory panel: which model, against what, which variants, on which device."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from core.numbers import format_size
from core.profiling.memory_fields import PRESET_TITLES
from gui.panels.memory.charts import color_of
from gui.panels.memory.state import PARTS, MemoryState
from gui.panels.memory.words import gigabytes, tr
from gui.theme.theme import Theme
from gui.widgets.charts.chart_series import MARKERS
from gui.widgets.charts.mark_box import MarkBox
from gui.widgets.display.area import Area
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.display.sign import Sign
from gui.widgets.inputs.button import Button, icon_button
from gui.widgets.inputs.combo import ComboBox
from gui.widgets.inputs.field import TextField
from gui.widgets.support import layouts
from gui.widgets.support.leaving import clear
from gui.widgets.support.tab_order import put_in_order

WIDTH_PX = 280
_EDGE_PX = 20
_TYPING_MS = 250
_NUMBERS: Final = (
    "length", "source_length", "batch", "rounds", "bucket_size", "ff_chunks", "width", "heads",
    "encoder_depth", "chunk_size",
)  # fmt: skip
_SHORT: Final = {"ff_chunks": "Chunks"}
_MOST_NUMBERS = 4


class Side(Plane):
    """The column; what is done there goes into the state, and `changed` tells it."""

    changed = Signal()
    all_requested = Signal()
    """All settings are to be shown."""
    add_requested = Signal(QWidget)
    """The button under which the menu of models to add is to open."""

    def __init__(self, theme: Theme, state: MemoryState) -> None:
        super().__init__(theme, "window")
        self._state = state
        self._area = Area()
        self.preset = ComboBox(theme, name=tr("Preset"))
        for name, title in PRESET_TITLES.items():
            self.preset.addItem(title, name)
        self.axis = ComboBox(theme, name=tr("Against"))
        self.values = TextField(theme, name=tr("Values"), from_start=True)
        self._fault_sign = Sign(theme, "octagon-x", "err", 14, beside="small")
        self._fault = Label(theme, "", "small", "err", wrap=True)
        self.fields: dict[str, TextField] = {}
        self._numbers = QGridLayout()
        self.all_settings = Button(
            theme, tr("All settings"), kind="link", icon="sliders-horizontal", height=28
        )
        self.boxes: dict[str, MarkBox] = {}
        self._boxes = QVBoxLayout()
        self.add = Button(theme, tr("Add a model"), kind="link", icon="plus", height=28)
        self.device = ComboBox(theme, name=tr("Device"))
        self._held = Label(theme, "", "small", "text3", wrap=True)
        self._soon = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._soon.timeout.connect(self._take_typed)
        self._lay_out()
        self._connect()
        self.refresh()

    def _connect(self) -> None:
        self.preset.activated.connect(
            lambda at: self._act(lambda: self._state.choose_preset(self.preset.itemData(at)))
        )
        self.axis.activated.connect(
            lambda at: self._act(lambda: self._state.choose_axis(self.axis.itemData(at)))
        )
        self.device.activated.connect(
            lambda at: self._act(lambda: self._state.put("device", self.device.itemData(at)))
        )
        self.values.textEdited.connect(lambda _: self._soon.start())
        self.values.editingFinished.connect(self._take_typed)
        self.all_settings.triggered.connect(self.all_requested)
        self.add.triggered.connect(lambda: self.add_requested.emit(self.add))

    def _lay_out(self) -> None:
        page = Plane(self._theme, "window")
        column = layouts.column(
            Label(self._theme, tr("Model"), "section"),
            4,
            into=page,
            margins=(_EDGE_PX, 14, _EDGE_PX, _EDGE_PX),
            spacing=4,
        )
        self._labelled(column, tr("Preset"), self.preset)
        self._labelled(column, tr("Against"), self.axis)
        self._values_label = self._labelled(column, tr("Values"), self.values)
        fault = layouts.row(
            (self._fault_sign, 0, Qt.AlignmentFlag.AlignTop), (self._fault, 1), spacing=4
        )
        column.addLayout(fault)
        self._numbers.setSpacing(4)
        self._numbers.setHorizontalSpacing(12)
        column.addLayout(self._numbers)
        row = layouts.row(self.all_settings, layouts.stretch(0), spacing=None)
        column.addLayout(row)
        self._divide(column)
        column.addWidget(Label(self._theme, tr("Variants"), "section"))
        self._boxes.setSpacing(0)
        column.addLayout(self._boxes)
        row = layouts.row(self.add, layouts.stretch(0), spacing=None)
        column.addLayout(row)
        self._divide(column)
        column.addWidget(Label(self._theme, tr("Device"), "section"))
        column.addWidget(self.device)
        column.addWidget(self._held)
        column.addStretch()
        self._area.setWidget(page)
        for each in (self._area, self._area.viewport()):
            each.setAutoFillBackground(False)
        layouts.column(self._area, into=self)

    def _divide(self, column: QVBoxLayout) -> None:
        column.addSpacing(10)
        column.addWidget(Divider(self._theme))
        column.addSpacing(10)

    def _labelled(self, column: QVBoxLayout, words: str, control: QWidget) -> Label:
        label = Label(self._theme, words, "small", "text2")
        label.setBuddy(control)
        column.addWidget(label)
        column.addWidget(control)
        column.addSpacing(4)
        return label

    # What a person does

    def focusNextPrevChild(self, next: bool) -> bool:
        put_in_order(self)
        return super().focusNextPrevChild(next)

    def _act(self, deed: Callable[[], object]) -> None:
        deed()
        self.changed.emit()

    def _take_typed(self) -> None:
        """Takes the values when the person has stopped typing."""
        self._soon.stop()
        if self.values.text() != self._state.tried:
            self._act(lambda: self._state.choose_values(self.values.text()))

    def _take_number(self, name: str) -> None:
        field, raw = self.fields[name], self.fields[name].text()
        if raw != _raw(self._state, name):
            self._state.put(name, raw)
            self._state.form.tidy(name)
            field.set_error(self._state.form.problems.get(name, ""))
            self.changed.emit()

    # What is shown

    def refresh(self) -> None:
        """Shows the state as it is now."""
        state = self._state
        self.preset.setCurrentIndex(max(self.preset.findData(state.preset), 0))
        self._show_axes()
        for part in (self._values_label, self.values):
            part.setVisible(state.axis != PARTS)
        if not self.values.hasFocus() or self.values.text() != state.tried:
            self.values.setText(state.tried)
        self._show_numbers()
        self._show_fault()
        self._show_boxes()
        self._show_device()

    def _show_axes(self) -> None:
        items = [(each.title, each.name) for each in self._state.axes]
        items.append((tr("Parts switched off"), PARTS))
        now = [(self.axis.itemText(i), self.axis.itemData(i)) for i in range(self.axis.count())]
        if items != now:
            self.axis.clear()
            for title, name in items:
                self.axis.addItem(title, name)
        self.axis.setCurrentIndex(self.axis.findData(self._state.axis))

    def _show_fault(self) -> None:
        state = self._state
        told = state.values_problem or next(iter(state.form.problems.values()), "")
        self._fault.setText(told)
        self._fault.setVisible(bool(told))
        self._fault_sign.setVisible(bool(told))
        self.values.set_error(state.values_problem)

    def _show_numbers(self) -> None:
        """The commonest numbers of the family, but for the one that is varied."""
        state = self._state
        known = {field.name for field in state.form.fields}
        names = [n for n in _NUMBERS if n in known and n != state.axis][:_MOST_NUMBERS]
        if names != list(self.fields):
            self._make_numbers(names)
        for name, field in self.fields.items():
            if not field.hasFocus() or name not in state.form.problems:
                field.setText(_raw(state, name))
            field.set_error(state.form.problems.get(name, ""))

    def _make_numbers(self, names: Sequence[str]) -> None:
        clear(self._numbers)
        self.fields = {}
        for at, name in enumerate(names):
            title = self._state.form.field(name).title
            field = TextField(self._theme, name=title, placeholder=tr("auto"))
            words = _SHORT.get(name, title)
            label = Label(self._theme, words, "small", "text2", elide=True)
            label.setBuddy(field)
            field.editingFinished.connect(lambda name=name: self._take_number(name))
            self._numbers.addWidget(label, 2 * (at // 2), at % 2)
            self._numbers.addWidget(field, 2 * (at // 2) + 1, at % 2)
            self.fields[name] = field

    def _show_boxes(self) -> None:
        variants, shown = self._state.variants, self._state.shown
        if [(v.key, v.title) for v in variants] != [(k, b.words) for k, b in self.boxes.items()]:
            self._make_boxes()
        places = {each.key: at for at, each in enumerate(shown)}
        parts = self._state.axis == PARTS
        for key, box in self.boxes.items():
            place = places.get(key)
            box.setChecked(place is not None)
            box.setEnabled(not parts and (place is not None or not self._state.is_full))
            if place is None or parts:
                box.set_mark("", "")
            else:
                box.set_mark(color_of(place), MARKERS[place])

    def _make_boxes(self) -> None:
        focused = next((key for key, box in self.boxes.items() if box.hasFocus()), "")
        clear(self._boxes)
        self.boxes = {}
        for variant in self._state.variants:
            line = QWidget()
            box = MarkBox(self._theme, variant.title)
            box.clicked.connect(
                lambda on, key=variant.key: self._act(lambda: self._state.tick(key, on))
            )
            row = layouts.row((box, 1), into=line)
            if any(each.key == variant.key for each in self._state.pinned):
                words = tr("Take away {0}").format(variant.title)
                away = icon_button(self._theme, "x", words)
                away.triggered.connect(
                    lambda key=variant.key: self._act(lambda: self._state.unpin(key))
                )
                row.addWidget(away)
            self.boxes[variant.key] = box
            self._boxes.addWidget(line)
        if focused in self.boxes:
            self.boxes[focused].setFocus()

    def show_machine(self, gpu: str, gpu_bytes: int, memory_bytes: int) -> None:
        """Offers the devices there are."""
        items = [(tr("Processor, {0}").format(format_size(memory_bytes)), "cpu")]
        if gpu:
            items.insert(0, (f"{gpu}, {format_size(gpu_bytes)}", "auto"))
        self.device.clear()
        for words, value in items:
            self.device.addItem(words, value)
        self._show_device()

    def _show_device(self) -> None:
        device = self._state.form.raw("device")
        self.device.setCurrentIndex(max(self.device.findData(device), 0))
        self.device.setEnabled(self.device.count() > 1)
        held = self._state.held_bytes
        words = tr("{0} is held by other programs and is taken off.")
        self._held.setText(words.format(gigabytes(held)) if held else "")
        self._held.setVisible(bool(held))


def _raw(state: MemoryState, name: str) -> str:
    raw = state.form.raw(name)
    return "" if raw is None else str(raw)
