"""Who writes the summary: the built-in summariser, or a model that the person trained."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal

from core.display_names import shown
from core.jobs.summaries.summarise import BUILT_IN
from gui.theme.theme import Theme
from gui.widgets.inputs.combo import ComboBox

_NARROWEST_PX, _WIDEST_PX = 96, 208


class ModelBox(ComboBox):
    """A box with a model in each line; it says of itself whether there is anything to choose."""

    chosen = Signal(str)
    """The model the person chose."""

    def __init__(self, theme: Theme) -> None:
        # Names of runs begin with their day, and differ at their end.
        middle = Qt.TextElideMode.ElideMiddle
        super().__init__(theme, name=self.tr("Summary by"), height=28, elide=middle)
        self.setMinimumWidth(_NARROWEST_PX)
        self.setMaximumWidth(_WIDEST_PX)
        self._shown: dict[str, str] = {}
        self.activated.connect(lambda index: self.chosen.emit(list(self._shown)[index]))

    @property
    def offers(self) -> bool:
        """Whether there is more than one model to choose from."""
        return len(self._shown) > 1

    def show_models(self, titles: Mapping[str, str], model: str) -> None:
        """Shows what there is, without a signal.

        Args:
            titles: What the trained ones are called, by name.
            model: The chosen one; it is shown also when it is not there any longer.
        """
        called = {BUILT_IN: self.tr("Built-in"), **titles}
        called.setdefault(model, model)
        called = {name: shown(title) for name, title in called.items()}
        if list(called.items()) != list(self._shown.items()):
            self._shown = called
            self.clear()
            self.addItems(list(called.values()))
            self.updateGeometry()
        self.setCurrentIndex(list(called).index(model))
        self.setToolTip("" if model == BUILT_IN else called[model])
