"""The measures of a corpus of pairs."""

import numpy as np

from core.jobs.corpora.measure_corpus import PairMeasures
from gui.main_window import MainWindow
from gui.panels.corpus.measures_tab import MeasuresTab


def test_lengths_of_suspicious_pairs_name_their_unit(window: MainWindow) -> None:
    window.show_panel("corpus")
    (tab,) = window.panel("corpus").findChildren(MeasuresTab)
    titles = {column.name: column.title for column in tab.rows.columns}
    assert titles["words"] == "Document, words" and titles["summary"] == "Summary, words"
    (words, summary) = (each for each in tab.rows.columns if each.name in ("words", "summary"))
    for column in (words, summary):
        advance = tab.fontMetrics().horizontalAdvance(column.title)
        assert advance + 24 <= column.width, "the head is whole"


def test_density_is_told_as_the_length_of_the_passage_of_a_word(window: MainWindow) -> None:
    window.show_panel("corpus")
    (tab,) = window.panel("corpus").findChildren(MeasuresTab)
    share, none = np.array([0.5], np.float32), np.array([False])
    measures = PairMeasures(
        coverage=share, density=np.array([0.833], np.float32), compression=share, novel_1=share,
        novel_2=share, empty=none, copied=none, other_language=none, longer=none, recipe="",
    )  # fmt: skip
    told = tab._line(measures, 0)
    assert "0.833 words long" not in told
    assert "density is 0.833: the length, in words, of the copied passage" in told
    assert "0 for a new word, averaged over all its words. No pair" in told
