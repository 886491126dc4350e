"""What language the source is in: guessed, and overruled by the person."""

from PySide6.QtCore import Signal

from core.documents.languages import AUTO, languages
from core.summaries.summary_lines import language_name
from gui.panels.summarise.state import SummariseState
from gui.theme.theme import Theme
from gui.widgets.inputs.combo import ComboBox

_WIDEST_PX = 176
_MOST_LINES = 12


class LanguageBox(ComboBox):
    """A box with what the source itself tells in the first line, and a language in each other."""

    chosen = Signal(str)
    """A language's code, or `AUTO`."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, name=self.tr("Language of the source"), height=28)
        self.setMaximumWidth(_WIDEST_PX)
        self.setMaxVisibleItems(_MOST_LINES)
        self.activated.connect(lambda index: self.chosen.emit(self.itemData(index)))

    def show_state(self, state: SummariseState) -> None:
        """Shows which language is taken, or wished for, without a signal."""
        if state.opened is None:
            return
        if not self.count():
            self._fill()
        self.setItemText(0, language_name(state.opened.guessed))
        self.setCurrentIndex(max(0, self.findData(state.language)))
        self.setToolTip(self.tr("Language of the source: {name}").format(name=self.currentText()))
        self.updateGeometry()

    def _fill(self) -> None:
        self.addItem("", AUTO)
        for code, language in sorted(languages().items(), key=lambda known: known[1].name):
            self.addItem(language.name, code)
