"""What the tab of skipped rows says."""

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from core.jobs.corpora.browse_corpus import OpenedCorpus, SkippedRow
from gui.panels.corpus.skipped_tab import SkippedTab
from gui.theme.theme import Theme

EMPTY, SHORT = "rows without a document", "documents that are too short"


def corpus_without(*rows: SkippedRow) -> OpenedCorpus:
    """A corpus of no document, of whose sources these rows were skipped."""
    reasons: dict[str, int] = {}
    for row in rows:
        reasons[row.reason] = reasons.get(row.reason, 0) + 1
    return OpenedCorpus(
        folder=Path("odd"),
        make="text",
        masking="",
        counts=(),
        lengths=np.zeros((0, 2), np.int32),
        skipped=rows,
        num_skipped=len(rows),
        statistics={"skipped": reasons},
        sources=(),
        fingerprint="",
    )


@pytest.fixture
def tab(qtbot: QtBot, theme: Theme) -> SkippedTab:
    tab = SkippedTab(theme)
    qtbot.addWidget(tab)
    return tab


def heads(tab: SkippedTab) -> list[str]:
    return [column.title for column in tab.table.table_model.columns]


def test_a_single_reason_is_not_counted_twice(tab: SkippedTab) -> None:
    tab.show_corpus(corpus_without(*(SkippedRow(f"odd.csv:{n}", EMPTY) for n in (1, 2))))
    assert tab.told.text() == "2 rows skipped: rows without a document."
    tab.show_corpus(corpus_without(SkippedRow("odd.csv:1", EMPTY), SkippedRow("odd.csv:2", SHORT)))
    assert tab.told.text().endswith(f"skipped: {EMPTY} (1), {SHORT} (1).")


def test_what_exactly_was_wrong_has_a_column_where_it_is_known(tab: SkippedTab) -> None:
    tab.show_corpus(corpus_without(SkippedRow("odd.csv:1", EMPTY)))
    assert heads(tab) == ["Row", "Why"]
    told = corpus_without(SkippedRow("odd.csv:1", EMPTY), SkippedRow("odd.csv:2", SHORT, "3 words"))
    tab.show_corpus(told)
    assert heads(tab) == ["Row", "Why", "What exactly"]
    assert tab.model.record(1).cells["details"] == "3 words"
