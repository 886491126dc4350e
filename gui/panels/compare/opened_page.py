"""An open comparison: its texts, its scores, its documents, judging; one tab at a time."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from core.jobs.evaluation.browse_comparison import ComparedDocument
from core.runs.comparisons import OpenedComparison
from gui.panels.compare.documents_page import DocumentsPage
from gui.panels.compare.groups_page import GroupsPage
from gui.panels.compare.judging_strip import JudgingStrip
from gui.panels.compare.judging_tab import JudgingTab
from gui.panels.compare.scores_table import (
    make_scores_table,
    num_drawn,
    scores_model,
    star_note,
)
from gui.panels.compare.state import CompareState, Light
from gui.panels.compare.text_page import TextPage
from gui.panels.compare.words import recipe_title, tr
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.inputs.button import STRIP_HEIGHT_PX
from gui.widgets.inputs.combo import ComboBox
from gui.widgets.inputs.segmented import SegmentedControl
from gui.widgets.inputs.tabs import HEIGHT_PX as TABS_PX
from gui.widgets.inputs.tabs import Tabs
from gui.widgets.support import layouts
from gui.widgets.support.paint import painter_on
from gui.widgets.tables.table import Table
from gui.widgets.tables.table_paint import HEAD_PX, ROW_PX

TEXTS, SCORES, DOCUMENTS = "texts", "scores", "documents"
LENGTH, ABSTRACTIVENESS, JUDGING = "length", "abstractiveness", "judging"
_MOST_ROWS = 4
_TALL_PX, _TEXTS_PX = 640, 350
"""Below this height of the window, or of the texts, the scores have a tab of their own."""
_AROUND_PX = 230
"""What head, tabs, legend, judging and status bar take of the height."""
_RECIPE_EDGES_PX, _TABLE_EDGES_PX = 10, 48
"""Above and below the recipe of the scores, and at both sides of them."""
_STRIP_PX, _WORDS_PX = 1040, 1320
"""From these widths on the choices of light stand beside the tabs, and have their names."""


class _Head(Plane):
    """The tabs, and what stands beside them, on one line."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self.setFixedHeight(TABS_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = painter_on(self)
        painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme.color("line"))
        painter.end()


class OpenedPage(Plane):
    """The tabs and what they show."""

    against_chosen = Signal(int)
    """What the summaries shall be compared with."""
    document_chosen = Signal(int)
    """The document that shall be read."""
    listed = Signal()
    """Other documents are listed."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self._theme = theme
        self.state = CompareState()
        self.tabs = Tabs(
            theme,
            [
                (TEXTS, tr("Text and scores")),
                (SCORES, tr("Scores")),
                (DOCUMENTS, tr("Documents")),
                (LENGTH, tr("By length")),
                (ABSTRACTIVENESS, tr("By abstractiveness")),
                (JUDGING, tr("Blind judging")),
            ],
            name=tr("What is shown of the comparison"),
        )
        self.light = SegmentedControl(
            theme,
            [("3", tr("3 words")), ("4", tr("4 words")), ("longest", tr("Longest run")),
             ("difference", tr("Differences")), ("off", tr("Off"))],
            height=STRIP_HEIGHT_PX,
            name=tr("Light up"),
        )  # fmt: skip
        self.against = ComboBox(theme, name=tr("Compared with"), height=STRIP_HEIGHT_PX)
        self._light_words = Label(theme, tr("Light up"), "small", "text2")
        self._against_words = Label(theme, tr("against"), "small", "text2")
        self.texts = TextPage(theme)
        self.scores: Table = make_scores_table(theme)
        self.recipe = Label(theme, "", "small", "text3", wrap=True)
        self.judging_strip = JudgingStrip(theme)
        self.documents = DocumentsPage(theme)
        self.by_length = GroupsPage(theme, ("length",))
        self.by_kind = GroupsPage(theme, ("kind", "novelty"))
        self.judging = JudgingTab(theme)
        self._pages = QStackedWidget()
        self._scores_holder, self._scores_alone = self._make_scores()
        self._lay_out()
        self._connect()

    def _make_scores(self) -> tuple[Plane, Plane]:
        """The table of scores, and the page it goes to where there is little room."""
        holder, alone = Plane(self._theme, "surface"), Plane(self._theme, "surface")
        layouts.column(
            self.scores,
            layouts.row(self.recipe, margins=(12, 4, 12, 6)),
            into=holder,
            margins=(12, 0, 12, 0),
        )
        QVBoxLayout(alone).setContentsMargins(0, 0, 0, 0)
        return holder, alone

    def _lay_out(self) -> None:
        self._head = _Head(self._theme)
        self._choices = QWidget()
        layouts.row(
            self._light_words,
            self.light,
            self._against_words,
            self.against,
            into=self._choices,
            spacing=8,
        )
        layouts.row(
            (self.tabs, 1), self._choices, into=self._head, margins=(0, 0, 16, 0), spacing=8
        )
        self._below = Plane(self._theme, "surface")
        layouts.row(layouts.stretch(), into=self._below, margins=(24, 6, 16, 6))
        self._below.hide()
        text_tab = Plane(self._theme, "surface")
        self._scores_line = Divider(self._theme)
        self._judging_line = Divider(self._theme)
        self._text_column = layouts.column(
            (self.texts, 1),
            self._scores_line,
            self._scores_holder,
            self._judging_line,
            self.judging_strip,
            into=text_tab,
        )
        self._shown: dict[str, QWidget] = {
            TEXTS: text_tab, SCORES: self._scores_alone, DOCUMENTS: self.documents,
            LENGTH: self.by_length, ABSTRACTIVENESS: self.by_kind, JUDGING: self.judging,
        }  # fmt: skip
        for page in self._shown.values():
            self._pages.addWidget(page)
        layouts.column(self._head, self._below, (self._pages, 1), into=self)

    def _connect(self) -> None:
        self.tabs.chosen.connect(self.show_tab)
        self.light.chosen.connect(self._set_light)
        self.against.activated.connect(
            lambda index: self.against_chosen.emit(self.against.itemData(index))
        )
        self.documents.opened.connect(self.document_chosen)
        self.documents.changed.connect(self.listed)
        self.judging_strip.results_requested.connect(lambda: self.show_tab(JUDGING))

    # What is shown

    def open(self, state: CompareState) -> None:
        """Shows another comparison from its first document on."""
        self.state = state
        opened: OpenedComparison | None = state.opened
        assert opened is not None
        self._drawn = -1
        self._show_scores()
        rows = min(len(opened.about.systems), _MOST_ROWS)
        self.scores.setMinimumHeight(HEAD_PX + rows * ROW_PX)
        self.scores.setMaximumHeight(HEAD_PX + rows * ROW_PX)
        told = [f"{recipe_title(name)}: {recipe}." for name, recipe in opened.about.recipes.items()]
        star = star_note(opened.about)
        self.recipe.setText(" ".join(filter(None, [star, *opened.about.warnings, *told])))
        self.texts.open(opened)
        self.documents.open(state)
        self.judging.open(opened)
        for tab, page in ((LENGTH, self.by_length), (ABSTRACTIVENESS, self.by_kind)):
            has_groups = page.has_groups(opened.about)
            self.tabs.show_tab(tab, has_groups)
            if has_groups:
                page.open(opened.about)
        self.tabs.show_tab(JUDGING, len(opened.about.systems) > 1)
        self.against.clear()
        for value, words in state.comparisons:
            self.against.addItem(words, value)
        values = [value for value, _ in state.comparisons]
        self.against.setCurrentIndex(values.index(state.against) if state.against in values else -1)
        self.light.set_value(state.light)
        self.show_tab(TEXTS)

    def show_document(self, shown: ComparedDocument) -> None:
        """Shows another document."""
        self.texts.show_document(shown, self.state)
        self.documents.show_number(shown.number)

    def show_tab(self, tab: str) -> None:
        """Shows a tab."""
        self.tabs.set_value(tab)
        self._pages.setCurrentWidget(self._shown[tab])
        self._fold_choices()

    @property
    def tab(self) -> str:
        """The tab that is shown."""
        return self.tabs.value

    def _set_light(self, light: Light) -> None:
        self.state.light = light
        self.texts.relight(self.state)

    # Room

    def fold(self, width_px: int, height_px: int) -> None:
        """Gives the texts the room there is."""
        self._width_px = width_px
        self._show_scores()
        tall = height_px >= _TALL_PX
        with_scores = tall and height_px - _AROUND_PX - self._scores_px >= _TEXTS_PX
        self.tabs.show_tab(SCORES, not with_scores)
        self.tabs.set_words(TEXTS, tr("Text and scores") if with_scores else tr("Text"))
        home = self._text_column if with_scores else self._scores_alone.layout()
        if home is not None and home.indexOf(self._scores_holder) < 0:
            if with_scores:
                self._text_column.insertWidget(2, self._scores_holder)
            else:
                home.addWidget(self._scores_holder)
        self.scores.setMaximumHeight(self.scores.minimumHeight() if with_scores else 16_777_215)
        self._scores_line.setVisible(with_scores)
        for part in (self._judging_line, self.judging_strip):
            part.setVisible(tall)
        if with_scores and self.tab == SCORES:
            self.show_tab(TEXTS)
        if self.state.opened is not None and len(self.state.opened.about.systems) < 2:
            self.judging_strip.hide()
            self._judging_line.hide()
        self.documents.fold(width_px)
        self._name_judging()
        self._fold_choices()

    _width_px = _WORDS_PX
    _drawn = -1

    @property
    def _scores_px(self) -> int:
        """What the table of scores and its recipe take of the height."""
        recipe_px = self.recipe.heightForWidth(self._width_px - _TABLE_EDGES_PX)
        return self.scores.minimumHeight() + recipe_px + _RECIPE_EDGES_PX

    def _show_scores(self) -> None:
        """Shows the scores with as many drawn intervals as there is room for."""
        opened = self.state.opened
        if opened is None:
            return
        drawn = num_drawn(opened.about, self._width_px - _TABLE_EDGES_PX)
        if drawn != self._drawn:
            self._drawn = drawn
            self.scores.show_table(scores_model(opened.about, drawn))

    def tell_judged(self, words: str) -> None:
        """Says on the tab how far judging is, where there is room."""
        self._judged = words
        self._name_judging()

    _judged = ""

    def _name_judging(self) -> None:
        roomy = self._width_px >= _STRIP_PX
        self.tabs.set_words(
            JUDGING, self._judged if roomy and self._judged else tr("Blind judging")
        )

    def _fold_choices(self) -> None:
        """Puts the choices of light beside the tabs, or in a line of their own."""
        beside = self._width_px >= _STRIP_PX
        layout = self._head.layout() if beside else self._below.layout()
        assert layout is not None
        if layout.indexOf(self._choices) < 0:
            layout.addWidget(self._choices)
        of_texts = self.tab == TEXTS
        self._choices.setVisible(of_texts)
        self._below.setVisible(of_texts and not beside)
        for part in (self._light_words, self._against_words):
            part.setVisible(self._width_px >= _WORDS_PX or not beside)

    def regions(self) -> list[QWidget]:
        """The parts that F6 moves between."""
        inner: dict[str, list[QWidget]] = {
            TEXTS: [*self.texts.regions(), self._scores_holder, self.judging_strip],
            SCORES: [self._scores_holder],
            DOCUMENTS: self.documents.regions(),
            LENGTH: [self.by_length],
            ABSTRACTIVENESS: [self.by_kind],
            JUDGING: self.judging.regions(),
        }
        return [self.tabs, self._choices, *inner[self.tab]]
