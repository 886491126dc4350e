"""The measures of a corpus of pairs."""

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
