"""The head of the Memory panel: title, the papers' figures, export, measuring."""

from PySide6.QtCore import Signal

from gui.panels.memory.words import tr
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.inputs.button import Button, icon_button
from gui.widgets.inputs.segmented import SegmentedControl
from gui.widgets.support import layouts

HEIGHT_PX = 52


class Header(Plane):
    """Title and facts at the left; where there is room for one side, the switch of two."""

    side_chosen = Signal(str)
    """ "model" or "charts", from the two-part switch."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self.setFixedHeight(HEIGHT_PX)
        facts = tr("what a model needs before it is run")
        self._facts = Label(theme, facts, "body", "text2", elide=True)
        self.switch = SegmentedControl(
            theme,
            [("model", tr("Model")), ("charts", tr("Charts"))],
            value="charts",
            name=tr("What is shown"),
        )
        self.switch.chosen.connect(self.side_chosen)
        self.paper = Button(
            theme,
            tr("As in the paper"),
            kind="ghost",
            icon="book-open",
            tooltip=tr("Draw a figure of a paper for this machine"),
        )
        self.export = Button(theme, tr("Export"), kind="ghost", icon="download")
        self.measure = Button(theme, tr("Measure"), kind="primary", icon="gauge")
        small = (icon_button(theme, "book-open", tr("As in the paper")),
                 icon_button(theme, "download", tr("Export")))  # fmt: skip
        self.small_paper, self.small_export = small
        layouts.row(
            Label(theme, tr("Memory"), "title"),
            (self._facts, 1),
            self.switch,
            self.paper,
            self.export,
            *small,
            self.measure,
            into=self,
            margins=(24, 0, 16, 1),
            spacing=8,
        )

    def fold(self, *, wide: bool, both: bool) -> None:
        """Keeps only icons where there is little room, and the switch where there is one side.

        Args:
            wide: Whether there is room for words.
            both: Whether model and charts stand side by side.
        """
        self.switch.setVisible(not both)
        self._facts.setVisible(both)
        for words, icon in ((self.paper, self.small_paper), (self.export, self.small_export)):
            words.setVisible(wide)
            icon.setVisible(not wide)
