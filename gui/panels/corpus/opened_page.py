"""An open corpus: its documents, what was skipped, and its gap sentences."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFrame,
    QScrollArea,
    QStackedWidget,
    QWidget,
)

from core.events import Failed
from core.gsg.settings import GapPairSettings
from core.jobs.call import CallJob
from core.jobs.corpora.browse_corpus import OpenedCorpus, RowShown
from core.jobs.corpora.count_gap_tokens import CountGapTokensJob, GapTokens
from core.jobs.corpora.shade_gaps import GapOrder, OrderGapsJob
from core.numbers import format_count, format_quantity
from core.storage.atomic_files import write_whole
from gui.forms.form import Form
from gui.forms.state import FormState
from gui.panel import Services
from gui.panels.corpus.browser import Browser
from gui.panels.corpus.document_list import DocumentModel
from gui.panels.corpus.documents_tab import DocumentColumn
from gui.panels.corpus.duplicates_tab import DuplicatesTab, num_duplicates
from gui.panels.corpus.facts_side import FactsSide
from gui.panels.corpus.gap_controls import GapControls
from gui.panels.corpus.gaps_side import GapsSide
from gui.panels.corpus.gaps_state import GapsState, training_command
from gui.panels.corpus.lengths_tab import LengthsTab
from gui.panels.corpus.measures_tab import MeasuresTab
from gui.panels.corpus.notice import Notice
from gui.panels.corpus.skipped_tab import SkippedTab
from gui.panels.corpus.state import suggested_name
from gui.panels.corpus.text_column import TextColumn
from gui.widgets.charts.histogram import Histogram
from gui.widgets.charts.histogram_model import HistogramModel
from gui.widgets.display.card import Card
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.inputs.button import icon_button
from gui.widgets.inputs.saving import ask_where
from gui.widgets.inputs.segmented import SegmentedControl
from gui.widgets.inputs.tabs import Tabs
from gui.widgets.reading.gap_marks import GapMarks
from gui.widgets.support import layouts
from gui.workers.latest_run import LatestRun

_SIDE_SHARE, _SIDE_PX = 0.36, (340, 520)
_COUNT_AFTER_MS = 120
_WIDE_PX, _NARROW_PX = 1200, 880


class OpenedPage(QWidget):
    """Tabs over the corpus.

    Signals:
        opened: The `OpenedCorpus`.
    """

    opened = Signal(object)

    def __init__(self, services: Services) -> None:
        super().__init__()
        self._services, self._theme = services, services.theme
        self.gaps = GapsState()
        self._ordering, self._counting = LatestRun(), LatestRun()
        # A slider that is dragged asks often; each count reads the whole document.
        self._count_soon = QTimer(self, singleShot=True, interval=_COUNT_AFTER_MS)
        self._count_soon.timeout.connect(self._count_tokens)
        self._width_class = "wide"
        self._part = "text"
        self._make_parts()
        self._lay_out()
        self._connect()
        self._choose_tab("documents")

    def _make_parts(self) -> None:
        theme = self._theme
        self.documents = DocumentModel()
        self.browser = Browser(self._services.controller, self.documents)
        self.tabs = Tabs(
            theme,
            [
                ("documents", self.tr("Documents")),
                ("skipped", self.tr("Skipped")),
                ("lengths", self.tr("Lengths")),
                ("measures", self.tr("Measures")),
                ("duplicates", self.tr("Duplicates")),
                ("gaps", self.tr("Gap sentences")),
            ],
            name=self.tr("Parts of the corpus"),
        )
        self.controls = GapControls(theme)
        self.column = DocumentColumn(theme, self.documents)
        self.text = TextColumn(theme)
        self.facts, self.gaps_side = FactsSide(theme), GapsSide(theme)
        self.side_notice = Notice(theme, "window")
        self._options_state: FormState[GapPairSettings] = FormState(GapPairSettings)
        self.options = self._options_page()
        self.skipped = SkippedTab(theme)
        self.lengths = LengthsTab(self._services)
        self.measures = MeasuresTab(self._services)
        self.duplicates = DuplicatesTab(theme)
        self.chart = Histogram(theme, HistogramModel(self.tr("Lengths"), "words"))
        self.parts = SegmentedControl(
            theme,
            [
                ("list", self.tr("List")),
                ("text", self.tr("Text")),
                ("side", self.tr("Result")),
            ],
            value="text",
            height=28,
            name=self.tr("What is shown"),
        )

    def _options_page(self) -> QWidget:
        page = Plane(self._theme, "window")
        card = Card(self._theme, self.tr("All options"))
        close = icon_button(self._theme, "x", self.tr("Close the options"))
        close.triggered.connect(lambda: self._show_options(False))
        card.head.addWidget(close)
        self.form = Form(self._theme, self._options_state, compared_with="default")
        self.form.changed.connect(self._options_changed)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        holder = Plane(self._theme, "surface")
        layouts.column(self.form, into=holder, margins=(16, 0, 8, 8))
        area.setWidget(holder)
        card.add(area, 1)
        layouts.column(card, into=page, margins=(16, 14, 16, 12))
        return page

    def _lay_out(self) -> None:
        self.side = QStackedWidget()
        for page in (self.facts, self.gaps_side, self.side_notice, self.options):
            self.side.addWidget(page)
        self.chart_card = Card(self._theme)
        self.chart_card.add(self.chart, 1)
        self.gaps_side.cards.insertWidget(2, self.chart_card, 5)
        self._workspace = QWidget()
        self._lines = [Divider(self._theme, Qt.Orientation.Vertical) for _ in range(2)]
        layouts.row(
            self.column,
            self._lines[0],
            (self.text, 1),
            self._lines[1],
            self.side,
            into=self._workspace,
        )
        self._pages = QStackedWidget()
        self.notice = Notice(self._theme)
        for page in (
            self._workspace,
            self.skipped,
            self.lengths,
            self.measures,
            self.duplicates,
            self.notice,
        ):
            self._pages.addWidget(page)
        self._switch_row = Plane(self._theme, "window")
        layouts.row(
            self.parts,
            layouts.stretch(),
            into=self._switch_row,
            margins=(24, 6, 16, 6),
            spacing=None,
        )
        self._line = Divider(self._theme)
        layouts.column(
            self.tabs, self.controls, self._line, self._switch_row, (self._pages, 1), into=self
        )

    def _connect(self) -> None:
        browser, view = self.browser, self.text.view
        self.tabs.chosen.connect(self._choose_tab)
        self.parts.chosen.connect(self._choose_part)
        self.column.words_typed.connect(browser.find)
        self.column.list.chosen.connect(browser.show)
        browser.found.connect(self._found)
        browser.opened.connect(self._opened)
        browser.failed.connect(self._not_opened)
        browser.row_shown.connect(self._show_row)
        browser.row_failed.connect(self._row_failed)
        self.notice.retry_requested.connect(self._open_again)
        self.text.notice.retry_requested.connect(lambda: self.column.list.step(0))
        self.side_notice.retry_requested.connect(self._order)
        self.controls.changed.connect(self._controls_changed)
        self.controls.more_requested.connect(lambda: self._show_options(True))
        view.hovered.connect(self._point)
        self.gaps_side.target_view.hovered.connect(self._point_from_target)
        self.gaps_side.target_view.activated.connect(self._go_from_target)
        self.gaps_side.export_requested.connect(self._ask_where)
        self.chart.failed.connect(self._services.report_failure)
        self.chart.saved.connect(
            lambda path: self._services.notify("ok", self.tr("Saved the chart"), str(path))
        )
        self.lengths.changed.connect(self._show_lengths)
        self.measures.row_wanted.connect(self.show_document)
        self.duplicates.row_wanted.connect(self.show_document)

    # Opening

    def open(self, folder: Path) -> None:
        """Opens a corpus."""
        self.gaps.show(None)
        self.text.view.set_document(None)
        self.column.field.clear()
        self.notice.show_words(self.tr("Opening the corpus"), running=True)
        self._pages.setCurrentWidget(self.notice)
        self.browser.open(folder)

    def close_corpus(self) -> None:
        """Shows none any more."""
        self.browser.close()
        self.lengths.show_corpus(None)
        self.measures.show_corpus(None)
        self._ordering.stop()
        self._counting.stop()
        self.gaps.show(None)

    def _opened(self, corpus: OpenedCorpus) -> None:
        self.skipped.show_corpus(corpus)
        self.facts.show_corpus(corpus)
        self.lengths.show_corpus(corpus)
        self.measures.show_corpus(corpus)
        self.duplicates.show_corpus(corpus)
        self._name_tabs(corpus)
        self._begin_gaps(corpus)
        self._show_command()
        self._choose_tab(self.tabs.value)
        if len(corpus):
            self.column.list.step(0)
        self.opened.emit(corpus)

    def _name_tabs(self, corpus: OpenedCorpus) -> None:
        counts = {
            "skipped": (self.tr("Skipped"), corpus.num_skipped),
            "duplicates": (self.tr("Duplicates"), num_duplicates(corpus)),
        }
        for value, (words, count) in counts.items():
            self.tabs.set_words(value, f"{words}, {format_count(count)}" if count else words)
        self.tabs.show_tab("measures", corpus.make == "pairs")
        if corpus.make != "pairs" and self.tabs.value == "measures":
            self.tabs.set_value("documents")

    def show_document(self, number: int) -> None:
        """Shows a document in its place in the list."""
        self.column.field.clear()
        self.show_tab("documents")
        self.column.list.show_number(number)
        self.browser.show(number)

    def _show_lengths(self) -> None:
        """Measures the list and the small chart as the lengths are measured."""
        lengths = self.lengths.lengths
        lengths.fill(self.chart.model)
        self.chart.refresh()
        if len(lengths.documents) == len(self.documents.lengths):
            self.documents.set_lengths(lengths.documents, lengths.limit)
        self.gaps_side.model_length = lengths.model_length
        self.gaps_side.show_facts()
        self._count_soon.start()

    def _open_again(self) -> None:
        if self.browser.folder is not None:
            self.open(self.browser.folder)

    def _not_opened(self, failure: Failed) -> None:
        self.notice.show_failure(failure, self.tr("Try again"))
        self._pages.setCurrentWidget(self.notice)

    # Tabs and folding

    @property
    def is_on_gaps(self) -> bool:
        """Whether gap sentences are shown."""
        return self.tabs.value == "gaps"

    def show_tab(self, value: str) -> None:
        """Shows a tab."""
        self.tabs.set_value(value)
        self._choose_tab(value)

    def _choose_tab(self, value: str) -> None:
        gaps = value == "gaps"
        self.controls.setVisible(gaps)
        self._line.setVisible(gaps)
        self.text.show_gap_parts(gaps)
        if self.browser.corpus is None:
            self._arrange()
            return
        pages: dict[str, QWidget] = {
            "skipped": self.skipped,
            "lengths": self.lengths,
            "measures": self.measures,
            "duplicates": self.duplicates,
        }
        if value == "measures":
            self.measures.begin()
        self._pages.setCurrentWidget(pages.get(value, self._workspace))
        self.side.setCurrentWidget(self.gaps_side if gaps else self.facts)
        if gaps:
            self._order()
        else:
            self.text.view.set_marks(())
        self._arrange()

    def fold(self, width: int) -> None:
        """Shows what there is room for.

        Args:
            width: Of the window, in logical px.
        """
        self._width_class = (
            "wide" if width >= _WIDE_PX else "medium" if width >= _NARROW_PX else "narrow"
        )
        self._arrange()

    def _choose_part(self, part: str) -> None:
        self._part = part
        self._arrange()

    def _arrange(self) -> None:
        wide, narrow = self._width_class == "wide", self._width_class == "narrow"
        self.controls.set_brief(narrow)
        on_workspace = self._pages.currentWidget() is self._workspace
        self._switch_row.setVisible(not wide and on_workspace)
        self.parts.part("list").setVisible(narrow)
        if not narrow and self._part == "list":
            self._part = "text"
            self.parts.set_value("text")
        self.column.setVisible(not narrow or self._part == "list")
        self.text.setVisible(wide or self._part == "text")
        self.side.setVisible(wide or self._part == "side")
        self._lines[0].setVisible(not narrow)
        self._lines[1].setVisible(wide)
        if narrow:
            self.column.setMaximumWidth(16_777_215)
        else:
            self.column.setFixedWidth(213)
        if wide:
            least, most = _SIDE_PX
            self.side.setFixedWidth(min(max(round(self.width() * _SIDE_SHARE), least), most))
        else:
            self.side.setMinimumWidth(0)
            self.side.setMaximumWidth(16_777_215)

    # A document

    def _show_row(self, row: RowShown) -> None:
        self._ordering.stop()
        self.gaps.show(row)
        self.text.view.set_document(row.document)
        self.text.show_text()
        words = format_quantity(row.document.reading.words, "word")
        self.text.facts.setText(", ".join((row.split, words, row.id)))
        self.facts.show_row(row)
        self.lengths.mark(row.number)
        self.lengths.lengths.mark(self.chart.model)
        self.chart.refresh()
        self._mark_words()
        if self.is_on_gaps:
            self._order()

    def _row_failed(self, failure: Failed) -> None:
        self.gaps.show(None)
        self.text.show_failure(failure)

    def _found(self, count: int, is_all: bool) -> None:
        self.column.show_found(count, is_all)
        self.column.list.show_number(self.browser.number)
        if self.documents.rowCount() and self.column.list.current < 0:
            self.column.list.step(0)
        self._mark_words()

    def _mark_words(self) -> None:
        """Marks in the text what is looked for in all documents."""
        self.text.view.find(self.browser.words)

    # Gap sentences

    def _begin_gaps(self, corpus: OpenedCorpus) -> None:
        """Begins with what stands in the corpus's card, not with what was tried in another one."""
        self.gaps.settings = corpus.gap_settings
        self.controls.show_settings(corpus.gap_settings)
        self._options_state.show(corpus.gap_settings)
        self.form.refresh()

    def _controls_changed(self) -> None:
        self.gaps.settings = self.controls.settings
        if self.options.isVisible():
            self._options_state.show(self.controls.settings)
            self.form.refresh()
        self._show_command()
        self._order()

    def _options_changed(self) -> None:
        settings = self._options_state.settings
        if settings is not None:
            self.gaps.settings = settings
            self.controls.show_settings(settings)
            self._show_command()
            self._order()

    def _show_options(self, shown: bool) -> None:
        self.side.setCurrentWidget(self.options if shown else self.gaps_side)
        if self._width_class != "wide" and shown:
            self.parts.set_value("side")
            self._choose_part("side")
        if shown:
            self._options_state.show(self.gaps.settings)
            self.form.refresh()
            self.form.go_to("strategy")

    def _order(self) -> None:
        """Shows the chosen sentences, or has them put in order first; the newest wish wins."""
        folder, row = self.browser.folder, self.gaps.row
        if folder is None or row is None:
            return
        if not self.gaps.needs_order:
            self._show_gaps()
            return
        settings = self.gaps.settings
        job = OrderGapsJob(folder, row.number, settings)
        run = self._services.controller.run_in_reader(job)
        self._ordering.follow(run, lambda order: self._ordered(order, settings), self._not_ordered)
        self.text.chosen.setText(self.tr("choosing …"))

    def _ordered(self, order: GapOrder, settings: GapPairSettings) -> None:
        self.gaps.take(order, settings)
        if self.side.currentWidget() is self.side_notice:
            self.side.setCurrentWidget(self.gaps_side)
        self._order()  # the ratio may have gone up meanwhile

    def _not_ordered(self, failure: Failed) -> None:
        self.text.chosen.setText("")
        self.text.view.set_marks(())
        self.side_notice.show_failure(failure, self.tr("Try again"))
        self.side.setCurrentWidget(self.side_notice)

    def _show_gaps(self) -> None:
        gaps, row = self.gaps, self.gaps.row
        assert row is not None
        sentences, chosen = gaps.counts_line
        self.text.counts.setText(sentences)
        self.text.chosen.setText(chosen)
        self.text.scale.show_top(gaps.top)
        self.text.view.set_marks(GapMarks(row.starts, row.ends, gaps.shades, gaps.ranks))
        note = gaps.order.note if gaps.order is not None else ""
        self.text.pointed.show_words(note)
        self.gaps_side.show_gaps(gaps)
        self._count_soon.start()

    def _count_tokens(self) -> None:
        """Has the shown pair counted in tokens, where a tokenizer is known for the corpus."""
        corpus, tokens = self.browser.corpus, self.lengths.lengths.tokens
        if corpus is None or not self.is_on_gaps:
            return
        tokenizer = tokens.folder if tokens is not None else corpus.tokenizer
        if tokenizer is None:
            return
        job = self.gaps.counting(corpus.folder, tokenizer)
        known = self.gaps.counted[0] if self.gaps.counted is not None else None
        if job is not None and job != known:
            run = self._services.controller.run_in_reader(job)
            self._counting.follow(run, lambda found: self._counted(job, found))

    def _counted(self, job: CountGapTokensJob, found: GapTokens) -> None:
        self.gaps.counted = job, found
        self.gaps_side.show_facts()

    def _point(self, number: int | None) -> None:
        if self.is_on_gaps:
            self.text.pointed.show_words(self.gaps.told(number - 1) if number else "")

    def _point_from_target(self, number: int | None) -> None:
        """Lights in the text the sentence that is pointed at in the pseudo-summary."""
        chosen = self.gaps.chosen
        at = chosen[number - 1] + 1 if number and number <= len(chosen) else None
        self.text.view.set_lit(at)
        self._point(at)

    def _go_from_target(self, number: int) -> None:
        chosen = self.gaps.chosen
        if number <= len(chosen):
            self.text.view.scroll_to_number(chosen[number - 1] + 1)

    def _show_command(self) -> None:
        corpus = self.browser.corpus
        if corpus is not None:
            out = suggested_name(f"{corpus.name}-gsg", self._services.folders.corpora)
            line = training_command(corpus.name, self.gaps.settings, out)
            self.gaps_side.command.show_line(line)

    # Export

    def _ask_where(self) -> None:
        row = self.gaps.row
        if row is None:
            return
        name = f"gap-sentences-{row.number + 1}"
        path = ask_where(self._theme, self, self.tr("Export this pair"), name, ".json")
        if path is not None:
            self.export(path)

    def export(self, path: Path) -> None:
        """Writes the pair of this document, with the settings and the scores."""
        text = self.gaps.export_text()
        write: Callable[[], object] = partial(write_whole, path, text, replace=True)
        run = self._services.controller.run_in_thread(CallJob(write))
        told = self.tr("Exported the gap sentences")
        run.finished.connect(lambda _: self._services.notify("ok", told, str(path)))
        run.failed.connect(self._services.report_failure)

    # For the panel

    def regions(self) -> list[QWidget]:
        """The parts that F6 moves between."""
        return [
            self.tabs, self.controls, self._switch_row, self.column, self.text, self.side,
            self.skipped, self.lengths.controls, self.lengths, self.measures, self.duplicates,
        ]  # fmt: skip

    def escape(self) -> bool:
        """Closes the options, or empties the find field; whether there was anything."""
        if self.side.currentWidget() is self.options:
            self._show_options(False)
            return True
        if self.column.field.text():
            self.column.field.clear()
            return True
        return False
