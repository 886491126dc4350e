"""Lengths of documents and summaries against a model's length."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QWidget

from core.events import Event, Failed, Progress
from core.jobs.call import CallJob
from core.jobs.corpora.browse_corpus import OpenedCorpus
from core.jobs.corpora.measure_corpus import MeasureTokensJob, TokenLengths, list_tokenizers
from core.models.families import DEFAULT_FAMILY, REGISTRY
from core.numbers import format_count, format_share
from gui.panel import Services
from gui.panels.corpus.lengths import Lengths
from gui.widgets.charts.histogram import Histogram
from gui.widgets.charts.histogram_model import HistogramModel
from gui.widgets.display.card import Card
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.display.progress import ProgressBar
from gui.widgets.inputs.button import STRIP_HEIGHT_PX, Button
from gui.widgets.inputs.combo import ComboBox
from gui.widgets.inputs.field import NumberField
from gui.widgets.inputs.segmented import SegmentedControl
from gui.widgets.inputs.wrap_row import WrapRow, labelled
from gui.widgets.support import layouts
from gui.widgets.support.leaving import let_go
from gui.workers.latest_run import LatestRun

_LONGEST = 10_000_000
_SIZES = sorted(
    {preset.vocabulary_size for preset in REGISTRY[DEFAULT_FAMILY].presets.values()} - {320}
)


class LengthsTab(QWidget):
    """The controls, the histograms, and what they mean for training.

    Signals:
        changed: Unit, model length or tokens are other ones.
    """

    changed = Signal()

    def __init__(self, services: Services) -> None:
        super().__init__()
        self._services, self._theme = services, services.theme
        self.lengths = Lengths()
        self._counting = LatestRun()
        self._make()
        self._lay_out()
        self._connect()
        self.refresh()

    def _make(self) -> None:
        theme, height = self._theme, STRIP_HEIGHT_PX
        self.unit = SegmentedControl(
            theme,
            [("words", self.tr("Words")), ("tokens", self.tr("Tokens"))],
            height=height,
            name=self.tr("Unit"),
        )
        self.tokenizer = ComboBox(theme, name=self.tr("Tokenizer"), width=240, height=height)
        self.model_length = NumberField(
            theme,
            16,
            _LONGEST,
            self.lengths.model_length,
            name=self.tr("Length of the model"),
            unit=self.tr("tokens"),
            width=128,
            height=height,
        )
        self.count = Button(theme, self.tr("Count tokens"), icon="hash", height=height)
        self.bar = ProgressBar(theme, name=self.tr("Counting tokens"), width=96)
        self.progress = Label(theme, "", "small", "text2")
        self.failure = Label(theme, "", "small", "err", wrap=True)
        self._bar_group = labelled(theme, "", self.bar, self.progress)
        self.controls = WrapRow(
            theme,
            [
                labelled(theme, self.tr("Unit"), self.unit),
                labelled(theme, self.tr("Model length"), self.model_length),
                labelled(theme, self.tr("Tokenizer"), self.tokenizer, self.count),
                self._bar_group,
            ],
        )
        self.documents = Histogram(theme, HistogramModel(self.tr("Lengths"), "words"))
        self.summaries = Histogram(
            theme, HistogramModel(self.tr("Summaries"), "words", what="summary")
        )
        self.told = Label(theme, "", "body", "text", wrap=True)
        self._numbers = QGridLayout()
        self._cells: list[QWidget] = []
        self._offer([])

    def _lay_out(self) -> None:
        theme = self._theme
        charts = [Card(theme), Card(theme)]
        charts[0].add(self.documents, 1)
        charts[1].add(self.summaries, 1)
        self._summaries_card = charts[1]
        facts = Card(theme, self.tr("What this means"))
        body = layouts.column(
            self.told, self.failure, self._numbers, margins=(16, 12, 16, 12), spacing=12
        )
        holder = QWidget()
        holder.setLayout(body)
        facts.add(holder)
        plane = Plane(theme, "window")
        layouts.row(
            (layouts.column((charts[0], 3), (charts[1], 2), spacing=12), 5),
            (layouts.column(facts, layouts.stretch(), spacing=None), 3),
            into=plane,
            margins=(24, 16, 24, 16),
            spacing=16,
        )
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(plane)
        layouts.column(self.controls, Divider(theme), (area, 1), into=self)

    def _connect(self) -> None:
        self.unit.chosen.connect(self._choose_unit)
        self.model_length.value_changed.connect(self._set_length)
        self.count.triggered.connect(self.count_tokens)
        for chart in (self.documents, self.summaries):
            chart.failed.connect(self._services.report_failure)
            chart.saved.connect(
                lambda path: self._services.notify("ok", self.tr("Saved the chart"), str(path))
            )

    def show_corpus(self, corpus: OpenedCorpus | None) -> None:
        """Measures another corpus."""
        self._counting.stop()
        self.lengths.show(corpus)
        self.failure.setText("")
        self.refresh()
        if corpus is not None:
            job = CallJob(list_tokenizers, self._services.folders.tokenizers)
            run = self._services.controller.run_in_thread(job)
            run.finished.connect(self._offer)

    def mark(self, number: int) -> None:
        """Points at a document."""
        self.lengths.marked = number
        self.lengths.mark(self.documents.model)
        self.documents.refresh()

    def set_model_length(self, tokens: int) -> None:
        """Compares with another model's length, as it was remembered."""
        self.model_length.set_value(tokens)
        self.lengths.model_length = tokens
        self.refresh()

    def _offer(self, folders: "list[Path] | tuple[Path, ...]") -> None:
        self.tokenizer.clear()
        for size in _SIZES:
            words = self.tr("Of this corpus, {size} tokens").format(size=format_count(size))
            self.tokenizer.addItem(words, size)
        for folder in folders:
            self.tokenizer.addItem(folder.name, folder)

    def _choose_unit(self, unit: str) -> None:
        self.lengths.unit = unit
        if unit == "tokens" and self.lengths.tokens is None:
            self.count_tokens()
        self.refresh()

    def _set_length(self, tokens: int) -> None:
        self.lengths.model_length = tokens
        self.refresh()

    # Tokens

    def count_tokens(self) -> None:
        """Counts the tokens in a process of its own; a second press ends it."""
        corpus = self.lengths.corpus
        if corpus is None:
            return
        if self._counting.is_running:
            self._counting.stop()
            self.lengths.unit = "words"
            self.unit.set_value("words")
            self.refresh()
            return
        chosen = self.tokenizer.currentData()
        job = (
            MeasureTokensJob(corpus.folder, chosen)
            if isinstance(chosen, Path)
            else MeasureTokensJob(corpus.folder, None, int(chosen))
        )
        run = self._services.controller.run_aside(job)
        self._counting.follow(run, self._counted, self._not_counted, self._happened)
        self.failure.setText("")
        self.bar.set_share(None)
        self.progress.setText(self.tr("starting"))
        self.refresh()

    def _happened(self, event: Event) -> None:
        if isinstance(event, Progress):
            share = event.done / event.total if event.total else None
            self.bar.set_share(share)
            told = format_share(event.done, event.total) if event.total else ""
            self.progress.setText(" ".join(filter(None, (event.what, told))))

    def _counted(self, tokens: TokenLengths) -> None:
        self.lengths.tokens, self.lengths.unit = tokens, "tokens"
        self.unit.set_value("tokens")
        self.refresh()

    def _not_counted(self, failure: Failed) -> None:
        self.lengths.unit = "words"
        self.unit.set_value("words")
        self.failure.setText(f"{failure.message} {failure.remedy}")
        self.refresh()

    # What is shown

    def refresh(self) -> None:
        """Shows the lengths as they are now."""
        lengths, busy = self.lengths, self._counting.is_running
        lengths.fill(self.documents.model)
        lengths.fill_summaries(self.summaries.model)
        for chart in (self.documents, self.summaries):
            chart.refresh()
        self._summaries_card.setVisible(lengths.has_summaries)
        self.told.setText(lengths.told)
        self.failure.setVisible(bool(self.failure.text()))
        self.count.setText(self.tr("Stop") if busy else self.tr("Count tokens"))
        self._bar_group.setVisible(busy)
        self.controls.arrange()
        self._show_numbers()
        self.changed.emit()

    def _show_numbers(self) -> None:
        for cell in self._cells:
            let_go(cell)
        self._cells = []
        for row, (name, value) in enumerate(self.lengths.numbers):
            label = Label(self._theme, name, "small", "text2")
            number = Label(self._theme, value, "small", "text")
            number.setAlignment(Qt.AlignmentFlag.AlignRight)
            self._numbers.addWidget(label, row, 0)
            self._numbers.addWidget(number, row, 1)
            self._cells += [label, number]
