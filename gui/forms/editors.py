"""The control of a field: a line of text, a choice, a switch, a name or a folder."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFileDialog, QSizePolicy, QWidget

from core.numbers import format_count
from core.settings import NONE
from gui.forms.fields import Kind, Number
from gui.forms.values import title_of
from gui.theme.theme import Theme
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.combo import ComboBox
from gui.widgets.inputs.field import TextField
from gui.widgets.inputs.menu import Menu
from gui.widgets.inputs.segmented import SegmentedControl
from gui.widgets.inputs.toggle import Switch
from gui.widgets.support import layouts
from gui.widgets.support.numbers import parse_number

NUMBER_PX = 120
TEXT_PX = 260
_MIN_TEXT_PX = 120
_MAX_SEGMENTED_PX = 250
_MAX_SEGMENTS = 5
_PAGE = 10


@dataclass(frozen=True)
class Offer:
    """What a field of text may be filled from.

    Args:
        names: Gives the names to choose from; asked each time the list is opened.
        folders: Whether a folder may be chosen too.
    """

    names: Callable[[], Sequence[str]] = tuple
    folders: bool = False


class Editor(QWidget):
    """A control that shows and takes the value of a field as `written` makes it."""

    edited = Signal(object)
    """What a person typed or chose, at each key."""
    committed = Signal()
    """The person is done: the focus left, Enter was pressed, a part was chosen."""

    wide = False
    """Whether it needs the whole width of the form."""

    def __init__(self, name: str) -> None:
        """A control without anything in it.

        Args:
            name: Accessible name.
        """
        super().__init__()
        self._name = name
        self._row = layouts.row(into=self, spacing=4)

    @property
    def control(self) -> QWidget:
        """The widget that takes the keyboard."""
        raise NotImplementedError

    def show_raw(self, raw: object) -> None:
        """Shows a value without a signal."""
        raise NotImplementedError

    def set_error(self, sentence: str) -> None:
        """Marks what is wrong; "" takes the mark away."""

    def describe(self, text: str) -> None:
        """Tells screen readers what the control is for, or what is wrong with it."""
        self.control.setAccessibleDescription(text)

    def _tell(self, raw: object) -> None:
        self.edited.emit(raw)
        self.committed.emit()


class LineEditor(Editor):
    """A number or a text.

    Args:
        theme: The look.
        name: Accessible name.
        kind: What may be typed.
        optional: Whether the line may be empty.
        empty: What an empty line means, shown in it where it may be empty.
    """

    def __init__(
        self, theme: Theme, name: str, kind: Kind, optional: bool, empty: str = NONE
    ) -> None:
        super().__init__(name)
        self._optional = optional and not isinstance(kind, Number)
        self.field = NumberLine(theme, name, kind, empty if optional else "")
        if isinstance(kind, Number):
            self.field.setFixedWidth(NUMBER_PX)
        else:
            self.field.setMinimumWidth(_MIN_TEXT_PX)
            self.setMaximumWidth(TEXT_PX)
            self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._row.addWidget(self.field)
        self.field.textEdited.connect(lambda text: self.edited.emit(self._raw(text)))
        self.field.editingFinished.connect(self.committed)
        self.field.stepped.connect(self._tell)

    @property
    def control(self) -> TextField:
        """The line."""
        return self.field

    def show_raw(self, raw: object) -> None:
        """Shows a value without a signal; the cursor stays where nothing changes."""
        text = "" if raw is None else str(raw)
        if self.field.text() != text:
            self.field.setText(text)
            if not self.field.hasFocus():
                self.field.setCursorPosition(0)  # of a long text the beginning

    def set_error(self, sentence: str) -> None:
        """Marks the line; "" takes the mark away."""
        self.field.set_error(sentence)

    def _raw(self, text: str) -> str | None:
        return None if self._optional and not text else text


class NumberLine(TextField):
    """A line of text; in whole numbers Up and Down add and take 1, Page Up and Down 10."""

    stepped = Signal(str)

    def __init__(self, theme: Theme, name: str, kind: Kind, placeholder: str = "") -> None:
        super().__init__(theme, name=name, placeholder=placeholder)
        self._kind = kind

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = Qt.Key
        steps = {
            keys.Key_Up: 1,
            keys.Key_Down: -1,
            keys.Key_PageUp: _PAGE,
            keys.Key_PageDown: -_PAGE,
        }
        step, value = steps.get(Qt.Key(event.key())), parse_number(self.text())
        if step is None or value is None or not isinstance(self._kind, Number):
            super().keyPressEvent(event)
        elif self._kind.whole:
            self.setText(format_count(_within(self._kind, value + step)))
            self.set_error("")
            self.stepped.emit(self.text())


class ChoiceEditor(Editor):
    """One of a few values: a segmented control; a combo box where they are many or long."""

    def __init__(
        self,
        theme: Theme,
        name: str,
        values: Sequence[object],
        words: Mapping[object, str] = {},
    ) -> None:
        """A choice.

        Args:
            theme: The look.
            name: Accessible name.
            values: What may be chosen; None among them is shown as "None".
            words: How values are called where their own name would not do.
        """
        super().__init__(name)
        self._values = tuple(values)
        parts = [(str(i), words.get(value, title_of(value))) for i, value in enumerate(values)]
        self.segmented = self.combo = None
        if 2 <= len(parts) <= _MAX_SEGMENTS:
            made = SegmentedControl(theme, parts, name=name)
            if made.sizeHint().width() <= _MAX_SEGMENTED_PX:
                self.segmented = made
                made.chosen.connect(lambda key: self._tell(self._values[int(key)]))
        if self.segmented is None:
            self.combo = ComboBox(theme, name=name)
            self.combo.addItems([text for _, text in parts])
            self.combo.activated.connect(lambda index: self._tell(self._values[index]))
        self._row.addWidget(self.control)

    @property
    def control(self) -> QWidget:
        """The segmented control or the combo box."""
        made = self.segmented or self.combo
        assert made is not None
        return made

    def show_raw(self, raw: object) -> None:
        """Shows a value without a signal."""
        index = self._values.index(raw) if raw in self._values else 0
        if self.segmented is not None and self.segmented.value != str(index):
            self.segmented.set_value(str(index))
        if self.combo is not None:
            self.combo.setCurrentIndex(index)


class SwitchEditor(Editor):
    """On or off, for what acts at once."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(name)
        self.switch = Switch(theme, name=name)
        self.switch.toggled.connect(self._tell)
        self._row.addWidget(self.switch)

    @property
    def control(self) -> Switch:
        """The switch."""
        return self.switch

    def show_raw(self, raw: object) -> None:
        """Shows a value without a signal."""
        blocked = self.switch.blockSignals(True)
        self.switch.setChecked(bool(raw))
        self.switch.blockSignals(blocked)
        self.switch.update()


class NameEditor(LineEditor):
    """A text that may be chosen from a list of names, or from the folders."""

    def __init__(self, theme: Theme, name: str, kind: Kind, optional: bool, offer: Offer) -> None:
        super().__init__(theme, name, kind, optional)
        self._theme, self._offer = theme, offer
        self.button = Button(
            theme,
            kind="secondary",
            icon="folder-open" if offer.folders else "chevron-down",
            tooltip=self.tr("Choose: {0}").format(name),
        )
        self.button.triggered.connect(self._choose)
        self._row.addWidget(self.button)

    def _choose(self) -> None:
        names = list(self._offer.names())
        if not names and self._offer.folders:
            self._choose_folder()
            return
        menu = Menu(self._theme, self._name, self)
        for name in names:
            menu.add(name, lambda name=name: self._take(name))  # type: ignore[misc]
        if not names:
            menu.add(self.tr("Nothing to choose from yet")).setEnabled(False)
        if self._offer.folders:
            menu.addSeparator()
            menu.add(self.tr("Choose a folder…"), self._choose_folder, icon="folder-open")
        menu.popup(self.button.mapToGlobal(QPoint(0, self.button.height() + 4)))

    def _choose_folder(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, self._name, self.field.text())
        if folder:
            self._take(folder)

    def _take(self, text: str) -> None:
        self.show_raw(text)
        self._tell(text)


def whole_bounds(kind: Number) -> tuple[int | None, int | None]:
    """The lowest and the highest whole number that is allowed; None where there is none."""
    low = None if kind.low is None else floor(kind.low) + 1 if kind.low_open else ceil(kind.low)
    high = (
        None if kind.high is None else ceil(kind.high) - 1 if kind.high_open else floor(kind.high)
    )
    return low, high


def _within(kind: Number, value: int) -> int:
    low, high = whole_bounds(kind)
    value = value if low is None else max(low, value)
    return value if high is None else min(high, value)
