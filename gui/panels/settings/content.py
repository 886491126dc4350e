"""The sections of the Settings panel in one column that scrolls, with cards beside it."""

from itertools import takewhile

from PySide6.QtCore import QRect, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QScrollBar, QVBoxLayout, QWidget

from gui.panels.settings.cards import Card
from gui.panels.settings.rows import Section
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.inputs.button import Button
from gui.widgets.support import layouts
from gui.widgets.support.tab_order import put_in_order

COLUMN_PX = 714
CARDS_PX = 294
_EDGE_PX = 48
_NARROW_EDGE_PX = 24
_ROOMY_PX = 1100
_SCROLL_BAR_PX = 17  # with the air before it
_TOP_PX = 7
_GAP_PX = 16
_SPY_PX = 80  # a section counts as reached this far below the upper edge
_AHEAD_PX = 200  # its rows are made when it is this far below the lower edge


class Content(QScrollArea):
    """All sections, one below the other; one of them is the page that is shown."""

    page_reached = Signal(str)
    """The section the person scrolled to."""

    def __init__(self, theme: Theme, sections: dict[str, Section], cards: list[Card]) -> None:
        """The column.

        Args:
            theme: The look.
            sections: By the name of their page, in order.
            cards: They stand beside the column where there is room, else in "privacy".
        """
        super().__init__()
        self._sections, self._cards = sections, cards
        self._page, self._is_wide, self._wanted = next(iter(sections)), False, ""
        self._jumping = False
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._jump)
        self._to_end = QTimer(self, singleShot=True, interval=0)
        self._to_end.timeout.connect(self._scroll_to_end)
        self._told = Label(theme, "", "body", "text2", wrap=True)
        self.show_all = Button(theme, self.tr("Show all settings"))
        self._nothing = self._nothing_found()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(self.tr("All settings"))
        self._lay_out(theme)
        self._place_cards()
        self.keep_found("")
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.verticalScrollBar().actionTriggered.connect(self._on_action)

    def _lay_out(self, theme: Theme) -> None:
        plane = Plane(theme, "surface")
        self._row = QHBoxLayout(plane)
        self._row.setSpacing(0)
        self._column, self._side = QWidget(), QWidget()
        self._column.setMaximumWidth(COLUMN_PX)
        column, side = QVBoxLayout(self._column), QVBoxLayout(self._side)
        column.setContentsMargins(0, _TOP_PX, 0, 40)
        side.setSpacing(_GAP_PX)
        column.setSpacing(0)
        column.addWidget(self._nothing)
        for section in self._sections.values():
            column.addWidget(section)
        column.addStretch(1)
        self._row.addWidget(self._column, 100)
        self._row.addStretch()
        self._side_column = side
        for card in self._cards:
            side.addWidget(card)
        side.addStretch()
        self.setWidget(plane)

    def _nothing_found(self) -> QWidget:
        nothing = QWidget()
        layouts.column(
            self._told,
            (self.show_all, 0, Qt.AlignmentFlag.AlignLeft),
            into=nothing,
            margins=(0, 17, 0, 0),
            spacing=12,
        )
        return nothing

    @property
    def page(self) -> str:
        """The page shown last by name or reached by scrolling."""
        return self._page

    def set_wide(self, wide: bool) -> None:
        """Puts the cards beside the column, or into it."""
        if wide != self._is_wide:
            self._is_wide = wide
            self._place_cards()
            self.keep_found(self._wanted)
            self._later.start()

    def show_page(self, name: str) -> None:
        """Scrolls to a page; a name that is none is a KeyError."""
        self._sections[name]
        self._page = name
        self._jump()
        self._later.start()  # again when heights are known

    def focus_page(self) -> bool:
        """Moves the focus to the first control of the page; False if it has none, or is the first.

        The first one is where Tab leads anyhow.
        """
        if self._page == next(iter(self._sections)):
            return False
        for widget in self._sections[self._page].findChildren(QWidget):
            stops = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
            if stops and widget.isVisible() and widget.isEnabled():
                widget.setFocus(Qt.FocusReason.TabFocusReason)
                return True
        return False

    def keep_found(self, wanted: str) -> int:
        """Leaves out what does not hold the words looked for.

        Args:
            wanted: Words; "" for everything.

        Returns:
            How many rows and cards are shown.
        """
        self._wanted = wanted
        total, lined = 0, False
        for name, section in self._sections.items():
            num_shown = section.keep_found(wanted)
            section.setVisible(bool(num_shown) and not self._is_beside(name))
            section.set_line(lined)
            lined = lined or section.isVisibleTo(self._column)
            total += num_shown
        self._side.setVisible(self._is_wide or self._sections["privacy"].isVisibleTo(self._column))
        self._told.setText(self.tr("No setting matches “{0}”.").format(wanted.strip()))
        self._nothing.setVisible(not total)
        return total

    def focus_shape(self) -> tuple[QRect, int]:
        """Where the focus ring goes: inside the edge."""
        return self.viewport().rect().adjusted(6, 6, -6, -6), 6

    def focusNextPrevChild(self, next: bool) -> bool:
        put_in_order(self)
        return super().focusNextPrevChild(next)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_edges()
        if self.isVisible():
            self._fill_reached(self.verticalScrollBar().value())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fill_reached(self.verticalScrollBar().value())
        self._later.start()

    def _fill_reached(self, top_px: int) -> None:
        """Makes the rows of what is seen from a place on; the hundreds below may never be."""
        for section in self._sections.values():
            if self._top_of(section) < top_px + self.viewport().height() + _AHEAD_PX:
                section.fill()

    def _top_of(self, section: Section) -> int:
        """Returns where a section begins once all above it have the heights that they ask for."""
        above = takewhile(lambda each: each is not section, self._sections.values())
        return sum(each.sizeHint().height() for each in above if not each.isHidden())

    def _fill_to(self, page: str) -> None:
        """Makes the rows of a page and of all above it, whose heights decide where it is."""
        for name, section in self._sections.items():
            section.fill()
            if name == page:
                return

    def fill(self) -> None:
        """Makes the rows of all pages."""
        self._fill_to(list(self._sections)[-1])

    @property
    def _is_whole(self) -> bool:
        return all(section.is_filled for section in self._sections.values())

    def _is_beside(self, name: str) -> bool:
        return self._is_wide and name == "privacy"

    def _place_cards(self) -> None:
        if self._is_wide:
            self._row.insertWidget(1, self._side)
            self._set_edges()
        else:
            self._sections["privacy"].put(self._side)
            self._side.setMinimumWidth(0)
            self._side.setMaximumWidth(COLUMN_PX)
            self._side_column.setContentsMargins(0, _GAP_PX // 2, 0, 0)

    def _set_edges(self) -> None:
        edge = _EDGE_PX if self.width() >= _ROOMY_PX else _NARROW_EDGE_PX
        self._row.setContentsMargins(edge, 0, edge - _SCROLL_BAR_PX, 0)
        if self._is_wide:
            self._side.setFixedWidth(CARDS_PX + edge)
            self._side_column.setContentsMargins(edge, 24, 0, 24)

    def _jump(self) -> None:
        section = self._sections[self._page]
        self._fill_to(self._page)
        self._fill_reached(self._top_of(section))
        layout = self._column.layout()
        if layout is not None:
            layout.activate()
        first = self._page == next(iter(self._sections)) or self._is_beside(self._page)
        self._jumping = True
        self.verticalScrollBar().setValue(0 if first else section.y() + 1)  # below its line
        self._jumping = False

    def _on_action(self, action: int) -> None:
        if action == QScrollBar.SliderAction.SliderToMaximum.value and not self._is_whole:
            self.fill()
            self._to_end.start()  # when heights are known

    def _scroll_to_end(self) -> None:
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def _on_scrolled(self, value: int) -> None:
        if self._jumping or self._wanted:
            return
        self._fill_reached(value)
        self._later.stop()
        shown = {name: each for name, each in self._sections.items() if each.isVisible()}
        reached = [name for name, each in shown.items() if each.y() <= value + _SPY_PX]
        if value >= self.verticalScrollBar().maximum() and self._is_whole:
            reached = list(shown)
        if reached and reached[-1] != self._page:
            self._page = reached[-1]
            self.page_reached.emit(self._page)
