"""The page of first steps: short enough to be read at once; Escape closes it."""

from itertools import combinations, pairwise

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from gui.panel import Panel, Services
from gui.panels.help.cards import TopicCard
from gui.panels.help.topics import topics
from gui.theme.theme import Theme
from gui.widgets.chrome.panel_header import PanelHeader
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.inputs.button import Button
from gui.widgets.support import layouts

_EDGE_PX = 24
_GAP_PX = 16
_FOOT_PX = 12  # so that a window of 1366 × 768 needs no scroll bar
_MOST_COLUMNS = 3
_LEAST_COLUMN_PX, _MOST_COLUMN_PX = 380, 480


class HelpPanel(Panel):
    """What a person needs to begin, and the keys.

    Args:
        services: What the window does for it.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services.theme, "surface")
        theme = services.theme
        keys = {each.key: each for each in services.shortcuts}
        cards = [TopicCard(theme, topic, keys) for topic in topics()]
        for card in cards:
            card.led.connect(services.act)
        facts = self.tr("F1 shows this page, Esc closes it")
        self.head = PanelHeader(theme, self.tr("First steps"), facts)
        self.close_button = Button(theme, self.tr("Close"), icon="x", keys="Esc")
        self.close_button.set_tooltip(self.tr("Close help"), "Esc")
        self.close_button.triggered.connect(services.go_back)
        self.head.add(self.close_button)
        self.content = Content(theme, cards)
        layouts.column(self.head, Divider(theme), (self.content, 1), into=self)

    def regions(self) -> list[QWidget]:
        """The head, and the topics."""
        return [self.head, self.content]


class Content(QScrollArea):
    """The cards in as many columns as there is room for."""

    def __init__(self, theme: Theme, cards: list[TopicCard]) -> None:
        super().__init__()
        self._cards = cards
        self.num_columns = 0
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(self.tr("First steps"))
        plane = Plane(theme, "surface")
        self._row = QHBoxLayout(plane)
        self._row.setSpacing(_GAP_PX)
        self._columns = [QVBoxLayout() for _ in range(_MOST_COLUMNS)]
        for column in self._columns:
            column.setSpacing(_GAP_PX)
            self._row.addLayout(column)
        self.setWidget(plane)
        self._place()

    def focus_shape(self) -> tuple[QRect, int]:
        """Where the focus ring goes: inside the edge."""
        return self.viewport().rect().adjusted(6, 6, -6, -6), 6

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        """Puts the cards into columns, in the order in which they are read."""
        room = self.viewport().width() - 2 * _EDGE_PX
        num_columns = max(1, min(_MOST_COLUMNS, room // _LEAST_COLUMN_PX))
        width = min((room - (num_columns - 1) * _GAP_PX) // num_columns, _MOST_COLUMN_PX)
        edge = _EDGE_PX + (room - num_columns * (width + _GAP_PX) + _GAP_PX) // 2
        self._row.setContentsMargins(edge, _EDGE_PX, edge, _FOOT_PX)
        if num_columns != self.num_columns:
            self.num_columns = num_columns
            self._fill([card.heightForWidth(width) + _GAP_PX for card in self._cards])

    def _fill(self, heights: list[int]) -> None:
        for column in self._columns:
            while column.takeAt(0):
                pass
        ends = column_ends(heights, self.num_columns)
        for number, (start, end) in enumerate(pairwise((0, *ends))):
            for card in self._cards[start:end]:
                self._columns[number].addWidget(card)
            self._columns[number].addStretch(1)
        for number, column in enumerate(self._columns):
            self._row.setStretchFactor(column, int(number < self.num_columns))


def column_ends(heights: list[int], num_columns: int) -> tuple[int, ...]:
    """Where columns end that hold things in their order and are as low as can be.

    Args:
        heights: Of the things.
        num_columns: How many columns there are.

    Returns:
        For each column, one past the last thing in it.
    """
    total = len(heights)
    choices = ((*cut, total) for cut in combinations(range(1, total), num_columns - 1))
    return min(choices, key=lambda ends: max(sum(heights[a:b]) for a, b in pairwise((0, *ends))))
