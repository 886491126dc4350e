"""Pictures of Corpus."""

import os
from collections.abc import Callable
from unittest import mock

from docs.pictures_of.stage import settle
from docs.scenes import corpora
from gui.main_window import MainWindow
from gui.panels.corpus.panel import CorpusPanel


def corpus(shown: MainWindow) -> CorpusPanel:
    """The Corpus panel."""
    shown.show_panel("corpus")
    panel = shown.panel("corpus")
    assert isinstance(panel, CorpusPanel)
    return panel


def empty(shown: MainWindow) -> None:
    """No corpus is there yet."""
    corpus(shown)
    settle()


def listed(shown: MainWindow) -> None:
    """Two corpora are there."""
    corpora.write_corpora(shown.folders.corpora, shown.folders.data / "sources")
    panel = corpus(shown)
    settle(lambda: panel.list_page.model.rowCount() == 2)


def new(shown: MainWindow) -> None:
    """A corpus is set up of two tables; of one the columns must be chosen."""
    sources = corpora.write_sources(shown.folders.data / "sources")
    panel = corpus(shown)
    with mock.patch.dict(os.environ, {"HOME": str(shown.folders.data.parent)}):
        panel.new_corpus([str(path) for path in sources])
        settle(lambda: not panel.new_page.state.is_looking)
    panel.new_page.command.show_line("epitome corpus reports.jsonl letters.csv --out reports")
    settle()


def opened(tab: str) -> Callable[[MainWindow], None]:
    """A tab of an open corpus."""

    def show(shown: MainWindow) -> None:
        folder = corpora.write_corpora(shown.folders.corpora, shown.folders.data / "sources")
        panel = corpus(shown)
        page = panel.opened_page
        _at_home(shown)
        panel.open_corpus(folder)
        settle(lambda: page.gaps.row is not None)
        page.show_document(_row_of(page.documents.title, len(page.documents.lengths)))
        settle(lambda: page.gaps.row is not None and page.gaps.row.number == page.browser.number)
        page.show_tab(tab)
        settle(lambda: tab != "gaps" or not page.gaps.needs_order)
        if tab in ("lengths", "gaps"):
            page.lengths.count_tokens()
            settle(lambda: page.lengths.lengths.in_tokens)
        if tab == "gaps":
            settle(lambda: "tokens" in page.gaps_side.input.facts.text())
            page.text.view.set_lit(2)
            page._point(2)
        settle()

    return show


def of_pairs(tab: str) -> Callable[[MainWindow], None]:
    """A tab of a corpus of pairs."""

    def show(shown: MainWindow) -> None:
        folder = corpora.write_pairs(shown.folders.corpora, shown.folders.data / "sources")
        panel = corpus(shown)
        page = panel.opened_page
        _at_home(shown)
        panel.open_corpus(folder)
        settle(lambda: page.gaps.row is not None)
        page.show_tab(tab)
        settle(lambda: tab != "measures" or page.measures.measures is not None)
        settle()

    return show


def _at_home(shown: MainWindow) -> None:
    """Lets the sources lie below the person's folder until the window is gone."""
    home = mock.patch.dict(os.environ, {"HOME": str(shown.folders.data.parent)})
    home.start()
    shown.destroyed.connect(lambda: home.stop())


def _row_of(title: Callable[[int], str], count: int) -> int:
    """The row of the document that is shown; titles come when they are asked for."""

    def found() -> list[int]:
        return [number for number in range(count) if title(number) == corpora.OPENED]

    settle(lambda: bool(found()))
    return found()[0]
