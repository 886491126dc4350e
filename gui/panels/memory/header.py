"""The head of the Memory panel: the papers' figures, export, measuring."""

from gui.panels.memory.words import tr
from gui.theme.theme import Theme
from gui.widgets.chrome.panel_header import PanelHeader
from gui.widgets.inputs.button import Button


class MemoryHeader(PanelHeader):
    """Title and facts; the switch of model and charts; actions."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(
            theme,
            tr("Memory"),
            sides=(("model", tr("Model")), ("charts", tr("Charts"))),
            side="charts",
        )
        self.paper = Button(
            theme,
            tr("As in the paper"),
            kind="ghost",
            icon="book-open",
            tooltip=tr("Draw a figure of a paper for this machine"),
        )
        self.export = Button(theme, tr("Export"), kind="ghost", icon="download")
        self.measure = Button(theme, tr("Measure"), kind="primary", icon="gauge")
        folding = (self.paper, self.export)
        self.add(*folding, self.measure, folding=folding)
