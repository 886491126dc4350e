"""How summaries draw on their documents, and the pairs that look wrong."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QScrollArea,
    QSizePolicy,
    QStackedLayout,
    QWidget,
)

from core.events import Event, Failed, Progress
from core.jobs.corpora.browse_corpus import OpenedCorpus
from core.jobs.corpora.measure_corpus import MeasurePairsJob, PairMeasures
from core.numbers import format_quantity, format_share
from gui.panel import Services
from gui.panels.corpus.notice import Notice
from gui.widgets.charts.histogram import Histogram
from gui.widgets.charts.histogram_model import HistogramModel
from gui.widgets.display.card import Card
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.support import layouts
from gui.widgets.support.ticks import readable
from gui.widgets.tables.table import Table
from gui.widgets.tables.table_model import Column, Record, State, TableModel
from gui.workers.latest_run import LatestRun

_MOST_ROWS = 5_000
_TABLE_PX = 260
_CHART_PX = 270  # narrower charts stand two in a row
_LOW_PX = 720  # in a lower tab all charts stand in one row, if there is room


class MeasuresTab(QWidget):
    """Four histograms, and a table of suspicious pairs.

    Signals:
        row_wanted: The row of a pair that shall be looked at.
    """

    row_wanted = Signal(int)

    def __init__(self, services: Services) -> None:
        super().__init__()
        self._services, self._theme = services, services.theme
        self._corpus: OpenedCorpus | None = None
        self.measures: PairMeasures | None = None
        self._measuring = LatestRun()
        theme = self._theme
        self.charts = {
            "coverage": Histogram(theme, HistogramModel("Coverage", "share", "pair")),
            "density": Histogram(theme, HistogramModel("Density", "words", "pair")),
            "novel_2": Histogram(theme, HistogramModel("Novel bigrams", "share", "pair")),
            "compression": Histogram(theme, HistogramModel("Compression", "ratio", "pair")),
        }
        self.rows = TableModel(
            [
                Column("row", self.tr("Row"), number=True, width=60, kept=True),
                Column("why", self.tr("What looks wrong"), kept=True),
                Column("words", self.tr("Document, words"), number=True, width=148),
                Column("summary", self.tr("Summary, words"), number=True, width=144),
                Column("coverage", self.tr("Coverage"), number=True, width=94, words=readable),
                Column("density", self.tr("Density"), number=True, width=82, words=readable),
            ]
        )
        self.table = Table(theme, self.rows, name=self.tr("Suspicious pairs"))
        self.table.opened.connect(lambda key: self.row_wanted.emit(key))
        self.told = Label(theme, "", "body", "text", wrap=True)
        self.recipe = Label(theme, "", "small", "text3", wrap=True)
        self.notice = Notice(theme, "window")
        self.notice.retry_requested.connect(self._measure)
        self._lay_out()

    def _lay_out(self) -> None:
        self._grid = QGridLayout()
        self._grid.setSpacing(12)
        self._cards: list[QWidget] = []
        self._num_columns = 0
        for chart in self.charts.values():
            # No higher than they must be, so that the table is in sight too.
            chart.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
            chart.failed.connect(self._services.report_failure)
            chart.saved.connect(
                lambda path: self._services.notify("ok", self.tr("Saved the chart"), str(path))
            )
            card = Card(self._theme)
            card.add(chart, 1)
            self._cards.append(card)
        self._place_charts(2)
        table = self._suspicious = Card(self._theme, self.tr("Suspicious pairs"))
        self.table.setMinimumHeight(_TABLE_PX)
        table.add(self.table, 1)
        plane = Plane(self._theme, "window")
        layouts.column(
            self.told,
            (self._grid, 3),
            (table, 2),
            self.recipe,
            into=plane,
            margins=(24, 16, 24, 16),
            spacing=12,
        )
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(plane)
        page = QWidget()
        layouts.row(area, into=page)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(page)
        self._stack.addWidget(self.notice)

    def _place_charts(self, num_columns: int) -> None:
        """Lays the charts out in so many columns, unless they stand so."""
        if self._num_columns == num_columns:
            return
        self._num_columns = num_columns
        for at, card in enumerate(self._cards):
            self._grid.removeWidget(card)
            self._grid.addWidget(card, at // num_columns, at % num_columns)
            self._grid.setColumnStretch(at, int(at < num_columns))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        in_a_row = self.width() >= len(self._cards) * _CHART_PX and self.height() < _LOW_PX
        self._place_charts(len(self._cards) if in_a_row else 2)

    def show_corpus(self, corpus: OpenedCorpus | None) -> None:
        """Shows another corpus; its pairs are measured when the tab is looked at."""
        self._measuring.stop()
        self._corpus, self.measures = corpus, None

    def begin(self) -> None:
        """Measures the pairs, unless that was done."""
        if self.measures is None and self._corpus is not None and not self._measuring.is_running:
            self._measure()

    def _measure(self) -> None:
        assert self._corpus is not None
        self.notice.show_words(self.tr("Measuring the pairs"), running=True)
        self._stack.setCurrentIndex(1)
        run = self._services.controller.run_aside(MeasurePairsJob(self._corpus.folder))
        self._measuring.follow(run, self._measured, self._failed, self._happened)

    def _happened(self, event: Event) -> None:
        if isinstance(event, Progress) and event.total:
            told = self.tr("{share} of {pairs}; you can go on meanwhile.").format(
                share=format_share(event.done, event.total),
                pairs=format_quantity(event.total, "pair"),
            )
            self.notice.show_words(self.tr("Measuring the pairs"), told, running=True)

    def _failed(self, failure: Failed) -> None:
        self.notice.show_failure(failure, self.tr("Try again"))

    def _measured(self, measures: PairMeasures) -> None:
        self.measures = measures
        assert self._corpus is not None
        ends = {"coverage": 1.0, "novel_2": 1.0}
        for name, chart in self.charts.items():
            values: NDArray[np.float32] = getattr(measures, name)
            chart.model.set_values(values, most=ends.get(name))
            chart.refresh()
        suspicious = np.flatnonzero(measures.suspicious)
        self.rows.set_records(
            _record(number, measures, self._corpus) for number in suspicious[:_MOST_ROWS].tolist()
        )
        self._suspicious.setVisible(bool(len(suspicious)))
        self.told.setText(self._line(measures, len(suspicious)))
        self.recipe.setText(measures.recipe)
        self._stack.setCurrentIndex(0)

    def _line(self, measures: PairMeasures, number: int) -> str:
        medians = self.tr(
            "In the median, {coverage} of a summary’s words stand in its document, and {novel} of "
            "its bigrams are new. The median density is {density}: the length, in words, of the "
            "copied passage that a word of the summary stands in, 0 for a new word, averaged over "
            "all its words."
        ).format(
            coverage=format_share(float(np.median(measures.coverage)), 1),
            density=readable(float(np.median(measures.density))),
            novel=format_share(float(np.median(measures.novel_2)), 1),
        )
        if not number:
            return f"{medians} {self.tr('No pair looks wrong.')}"
        some = format_quantity(number, "pair")
        look = self.tr("{some} look wrong.") if number > 1 else self.tr("{some} looks wrong.")
        listed = "" if number <= _MOST_ROWS else f" The first {_MOST_ROWS} are listed."
        return f"{medians} {look.format(some=some)}{listed}"


def _record(number: int, measures: PairMeasures, corpus: OpenedCorpus) -> Record:
    why = "; ".join(measures.reasons(number))
    return Record(
        number,
        {
            "row": number + 1,
            "why": State("note", why[:1].upper() + why[1:]),
            "words": int(corpus.lengths[number, 0]),
            "summary": int(corpus.lengths[number, 1]),
            "coverage": float(measures.coverage[number]),
            "density": float(measures.density[number]),
        },
    )
