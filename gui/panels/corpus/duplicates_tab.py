"""Documents that are in the corpus more than once, above all in two splits."""

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import Signal
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
from gui.widgets.tables.table_model import Column, Record, State, TableModel


def num_duplicates(corpus: OpenedCorpus) -> int:
    """How many pairs of documents are the same, or nearly."""
    return int(corpus.statistics.get("duplicates", {}).get("pairs", 0))


class DuplicatesTab(Plane):
    """What leaks from one split into another first, then what stands twice in one.

    Signals:
        row_wanted: The row of a document that shall be looked at.
    """

    row_wanted = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self.told = Label(theme, "", "body", "text2", wrap=True)
        self.model = TableModel(
            [
                Column("kind", self.tr("Where"), width=280, kept=True),
                Column("one", self.tr("Document"), kept=True, is_path=True, words=short_path),
                Column("other", self.tr("The same, or nearly"), is_path=True, words=short_path),
            ]
        )
        self.table = Table(theme, self.model, name=self.tr("Duplicates"))
        self.table.opened.connect(self._open)
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
        self._rows: dict[int, int] = {}

    def show_corpus(self, corpus: OpenedCorpus) -> None:
        """Shows the duplicates of a corpus."""
        found: dict[str, Any] = corpus.statistics.get("duplicates", {})
        pairs, leaks = int(found.get("pairs", 0)), int(found.get("in_two_splits", 0))
        if not pairs:
            head = self.tr("No document is in this corpus twice")
            body = self.tr("Documents that share about 60 % of their five-word phrases count.")
            self.notice.show_words(head, body)
            self._stack.setCurrentIndex(1)
            return
        parts = []
        if leaks:
            told = self.tr(
                "{pairs} in two splits: what is tested was trained on. Prepare the corpus "
                "with a split of its own, such as 80/10/10, to keep them together."
            )
            parts.append(told.format(pairs=format_quantity(leaks, "pair")))
        if pairs > leaks:
            told = self.tr("{pairs} within one split: these documents count twice.")
            parts.append(told.format(pairs=format_quantity(pairs - leaks, "pair")))
        examples = [*found.get("examples", ()), *found.get("others", ())]
        if len(examples) < pairs:
            told = self.tr("{count} of them are listed.")
            parts.append(told.format(count=format_count(len(examples))))
        self.told.setText(" ".join(parts))
        self._rows = {at: each["rows"][0] for at, each in enumerate(examples) if "rows" in each}
        self.model.set_records(_records(examples))
        self._stack.setCurrentIndex(0)

    def _open(self, key: int) -> None:
        if key in self._rows:
            self.row_wanted.emit(self._rows[key])


def _records(examples: list[dict[str, Any]]) -> Iterator[Record]:
    for at, example in enumerate(examples):
        one, other = example["splits"]
        leak = one != other
        where = f"in {one} and {other}" if leak else f"twice in {one}"
        cells = {
            "kind": State("note" if leak else "plain", where),
            "one": example["ids"][0],
            "other": example["ids"][1],
        }
        yield Record(at, cells)
