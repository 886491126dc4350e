"""What of the sources is not in the corpus, and why, row by row."""

from PySide6.QtWidgets import QStackedLayout, QWidget

from core.jobs.corpora.browse_corpus import OpenedCorpus
from core.numbers import format_count, format_quantity
from gui.panels.corpus.notice import Notice
from gui.panels.corpus.state import short_path
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.support import layouts
from gui.widgets.tables.table import Table
from gui.widgets.tables.table_model import Column, Record, TableModel


class SkippedTab(Plane):
    """The reasons with their counts, and the rows as a table that can be sorted and saved."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self.told = Label(theme, "", "body", "text2", wrap=True)
        self.model = self._model(has_details=True)
        self.table = Table(theme, self.model, name=self.tr("Skipped rows"))
        self.notice = Notice(theme)
        page = QWidget()
        layouts.column(
            layouts.row(self.told, margins=(24, 12, 24, 12)),
            Divider(theme),
            (layouts.row(self.table, margins=(12, 0, 12, 0)), 1),
            into=page,
        )
        self._stack = QStackedLayout(self)
        self._stack.addWidget(page)
        self._stack.addWidget(self.notice)

    def show_corpus(self, corpus: OpenedCorpus) -> None:
        """Shows the skipped rows of a corpus."""
        if not corpus.num_skipped:
            told = self.tr("Every row of the sources is in the corpus")
            self.notice.show_words(told, "\n".join(corpus.sources))
            self._stack.setCurrentIndex(1)
            return
        reasons = corpus.statistics.get("skipped", {})
        parts = [f"{reason} ({format_count(count)})" for reason, count in reasons.items()]
        if len(parts) == 1:  # the number of rows is said already
            parts = list(reasons)
        told = self.tr("{rows} skipped: {reasons}.").format(
            rows=format_quantity(corpus.num_skipped, "row"), reasons=", ".join(parts)
        )
        if len(corpus.skipped) < corpus.num_skipped:
            first = self.tr("The first {count} are listed; all are in skipped.jsonl.")
            told = f"{told} {first.format(count=format_count(len(corpus.skipped)))}"
        self.told.setText(told)
        self.model = self._model(has_details=any(row.details for row in corpus.skipped))
        self.model.set_records(
            Record(number, {"origin": row.origin, "reason": row.reason, "details": row.details})
            for number, row in enumerate(corpus.skipped)
        )
        self.table.show_table(self.model)
        self._stack.setCurrentIndex(0)

    def _model(self, *, has_details: bool) -> TableModel:
        columns = [
            Column("origin", self.tr("Row"), kept=True, is_path=True, words=short_path),
            Column("reason", self.tr("Why"), width=260 if has_details else 0, kept=True),
        ]
        if has_details:
            columns.append(Column("details", self.tr("What exactly")))
        return TableModel(columns)
