"""The presets of a new job, each with the number of its weights."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QWidget

from core.jobs.training.job_presets import JobPreset
from core.models.families import num_parameters
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.inputs.toggle import RadioButton
from gui.widgets.support import layouts
from gui.widgets.support.leaving import let_go


class PresetList(QWidget):
    """Radio buttons, one below the other."""

    chosen = Signal(object)
    """A `JobPreset`."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._shown: tuple[JobPreset, ...] = ()
        self._buttons: list[RadioButton] = []
        self._rows: list[QWidget] = []
        self._sizes: list[Label] = []
        self._model_is_given = False
        self._note = Label(theme, "", "small", "text3", wrap=True)
        self._note.hide()
        self._group = QButtonGroup(self)
        self._column = layouts.column(
            Label(theme, self.tr("Presets"), "small", "text2"),
            self._note,
            4,
            into=self,
            margins=(12, 0, 12, 0),
        )

    @property
    def buttons(self) -> list[RadioButton]:
        """The buttons, from the top."""
        return list(self._buttons)

    @property
    def sizes(self) -> list[str]:
        """What stands behind each: the weights of its model, where it has one."""
        return [size.text() for size in self._sizes]

    @property
    def note(self) -> str:
        """What is said of all of them; may be empty."""
        return self._note.text()

    def show_presets(
        self, presets: Sequence[JobPreset], value: JobPreset, *, model_is_given: bool = False
    ) -> None:
        """Shows what may be chosen, and what is.

        Args:
            presets: What may be chosen.
            value: What is.
            model_is_given: Whether the weights of a model are there, whose sizes stay.
        """
        if (tuple(presets), model_is_given) != (self._shown, self._model_is_given):
            self._shown, self._model_is_given = tuple(presets), model_is_given
            only = self.tr("Only their training settings are taken: the model is given.")
            self._note.setText(only if model_is_given else "")
            self._note.setVisible(model_is_given)
            for row in self._rows:
                self._column.removeWidget(row)
                let_go(row)
            self._buttons, self._rows, self._sizes = [], [], []
            for preset in presets:
                self._add(preset)
        if value in self._shown:
            self._buttons[self._shown.index(value)].setChecked(True)

    def _add(self, preset: JobPreset) -> None:
        row = QWidget()
        button = RadioButton(self._theme, preset.title)
        words = "" if self._model_is_given else _short(num_parameters(preset.plan.model))
        size = Label(self._theme, words, "small", "text2")
        only = self.tr("training settings only")
        button.setAccessibleDescription(self.tr("{0} weights").format(words) if words else only)
        self._sizes.append(size)
        layouts.row((button, 1), size, into=row, spacing=None)
        self._group.addButton(button)
        self._buttons.append(button)
        self._rows.append(row)
        self._column.addWidget(row)
        button.clicked.connect(lambda: self.chosen.emit(preset))


def _short(count: int) -> str:
    """ "4.0 M", "27 M"."""
    millions = count / 1e6
    return f"{millions:.1f}\u202fM" if millions < 9.95 else f"{millions:.0f}\u202fM"
