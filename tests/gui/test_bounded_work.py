"""Why the window keeps its pace: others do the long work, and no call handles much at once.

Counts instead of times: a document a hundred times as long must cost no more lines of Python on
the window's thread, no long copy of its text, and no more paragraphs laid out.
"""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from core.documents.document import Block, Document, Kind, Source
from core.events import Finished
from core.jobs.call import CallJob
from core.jobs.documents.open_document import DocumentRanked, DocumentRead
from core.jobs.sources.sources import SourceRef
from core.stop import StopToken
from core.summaries.summary import Length
from core.summarisers.choice import choose
from core.summarisers.ranking import Order, Ranking
from gui.main_window import MainWindow
from gui.panels.summarise.state import Phase, SummariseState
from gui.panels.summarise.summary.choices import MOST_SENTENCES, Choices
from gui.widgets.support.finder import SLICE, Finder
from gui.workers.inline import run_now
from tests.helpers.windows import desk, end_window, show_window

ROOT = Path(__file__).parents[2]
SHORT, LONG = 50_000, 5_000_000
LONGEST_COPY = 100_000
SENTENCE = "The pump of the northern gate was mended in the spring before the water came. "
PARAGRAPH = SENTENCE * 8

# What reads and ranks documents; the window's process must never load any of it.
READERS = (
    "torch", "transformers", "datasets", "scipy", "pyarrow", "matplotlib", "trafilatura", "lxml",
    "docx", "pypdfium2", "markdown_it", "charset_normalizer", "ftfy", "nltk", "rouge_score",
    "Stemmer", "core.documents.sentences", "core.documents.readers.pdf", "core.metrics.rouge",
    "core.gsg.tokens", "core.gsg.selection",  # its settings may be there, for jobs in the queue
    "core.summarisers.built_in",
)  # fmt: skip

USE = """
import json, os, sys
from pathlib import Path
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication
from core.jobs.sources.sources import SourceRef, openable_formats
from core.library.folders import Folders
from core.library.preferences import Preferences
from core.distribution.resources import resource
from core.summaries.summary import Length
from gui.main_window import MainWindow
from gui.panels.summarise.state import Phase
from gui.theme.theme import Theme

app = QApplication([])
window = MainWindow(Theme(motion="off"), Preferences(), Folders.under(Path(sys.argv[1])))
window.show()
window.begin([])
panel, children = window.panel("summarise").desk, set()
for name in ("patent.pdf", "report.docx", "article.md"):
    panel.open_source(SourceRef(path=resource("samples", name)))
    loop, look = QEventLoop(), QTimer(interval=10)
    look.timeout.connect(lambda: panel.state.phase in (Phase.READY, Phase.FAILED) and loop.quit())
    look.start()
    loop.exec()
    look.stop()
    assert panel.state.phase is Phase.READY, panel.state.failure
    panel.editor.wish_length(Length(12), False)
    panel.source.view.find("the")
    panel.outlet.copy_summary()
    children.add(window.controller.engine.child_pid)
openable_formats()
print(json.dumps({"own": os.getpid(), "children": list(children), "modules": list(sys.modules)}))
window.close()
app.clipboard().clear()  # off-screen, Qt crashes at its end with rich text there
"""


def test_documents_are_read_by_the_child_and_the_window_loads_no_reader(home: Path) -> None:
    command = [sys.executable, "-c", USE, str(home)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    (child,) = told["children"]
    assert child not in (0, told["own"])
    loaded = [
        name
        for name in told["modules"]
        if any(name == reader or name.startswith(f"{reader}.") for reader in READERS)
    ]
    assert loaded == []


# No call handles much


def _whole(name: str) -> Callable[..., Any]:
    """A method of `str` that goes over all of the text."""

    def call(text: "WatchedText", *arguments: Any) -> Any:
        WatchedText.most = max(WatchedText.most, len(text))
        return getattr(str, name)(text, *arguments)

    return call


class WatchedText(str):
    """A text that remembers how much of it was copied or searched at once."""

    most = 0

    def __getitem__(self, key: Any) -> str:
        part = str.__getitem__(self, key)
        WatchedText.most = max(WatchedText.most, len(part))
        return part

    split, splitlines, replace, lower = map(_whole, ("split", "splitlines", "replace", "lower"))
    count, encode, translate, strip = map(_whole, ("count", "encode", "translate", "strip"))
    __iter__ = _whole("__iter__")


def long_document(num_characters: int) -> Document:
    """Headings and paragraphs of running text, so many characters of it."""
    num = num_characters // (len(PARAGRAPH) + 2)
    blocks = [
        Block(f"Part {index // 50}", Kind.HEADING, 1) if index % 50 == 0 else Block(PARAGRAPH)
        for index in range(num)
    ]
    made = Document.from_blocks(blocks, title="Gates", source=Source("gates.txt"))
    # As it comes from the child, but with a text that is watched.
    crossed = Document.from_bytes(made.to_bytes())
    object.__setattr__(crossed, "text", WatchedText(crossed.text))
    return crossed


def ranking_of(document: Document) -> Ranking:
    """Every sentence ranked, evenly over the text."""
    starts = np.array([m.start() for m in re.finditer("The pump", str(document.text))], np.int64)
    order = np.random.default_rng(1).permutation(len(starts))
    words = np.full(len(starts), len(SENTENCE.split()), np.int32)
    ends = starts + len(SENTENCE) - 1
    number = len(order)
    ranked = Order(order, np.linspace(1, 0, number), number, number)
    return Ranking(starts, ends, words, ranked, ranked, np.full(number, -1))


class Costs:
    """Runs what a person does and counts the lines of Python that the window's thread goes through.

    A turn of a loop is a line more, in comprehensions as well.
    """

    def __init__(self) -> None:
        self.most: dict[str, int] = {}
        self._lines = 0

    def count(self, what: str, call: Callable[[], object]) -> None:
        """Counts one call and the painting that follows it."""
        for part, work in ((what, call), (f"{what}, painted", QCoreApplication.processEvents)):
            self._lines = 0
            before = sys.gettrace()
            sys.settrace(self._trace)
            try:
                work()
            finally:
                sys.settrace(before)
            self.most[part] = self._lines

    def _trace(self, frame: FrameType, event: str, argument: object) -> Any:
        self._lines += event == "line"
        return self._trace


@pytest.fixture
def window(qtbot: QtBot, home: Path) -> Iterator[MainWindow]:
    window = show_window(home)
    qtbot.waitExposed(window)
    yield window
    end_window(window)


def work_through(window: MainWindow, document: Document) -> Costs:
    """What the window does with a document that comes, is ranked, scrolled, searched and cut."""
    panel, costs = desk(window), Costs()
    ranked = DocumentRanked(ranking_of(document), 1.0)
    run: Any = object()
    panel.state.begin(SourceRef(path=Path("gates.txt")))
    panel.opener.run, panel.opener._document = run, panel.documents.shown
    WatchedText.most = 0
    costs.count("read", lambda: panel.opener.take(run, DocumentRead(document)))
    costs.count("ranked", lambda: panel.opener.take(run, ranked))
    panel.opener.run = panel.opener._document = None
    view = panel.source.view
    bar = view.verticalScrollBar()
    costs.count("jumped", lambda: bar.setValue(bar.maximum() // 3))
    costs.count("scrolled", lambda: bar.setValue(bar.value() + 60))
    costs.count("end", lambda: view.scroll_to_end(down=True))
    costs.count("length", lambda: panel.editor.wish_length(Length(20), True))
    costs.count("map", lambda: panel.map.resize(72, 500))
    costs.count("width", lambda: view.set_measure(60))
    costs.count("lit", lambda: panel.stage.light(3))
    costs.count("shown", lambda: panel.stage.show_evidence(5))
    costs.count("outline", view.outline)
    costs.count("dropped", lambda: panel.editor.decide(panel.state.drop, 2))
    assert panel.state.phase is Phase.READY
    return costs


def test_a_long_document_costs_the_window_no_more_than_a_short_one(
    qtbot: QtBot, window: MainWindow
) -> None:
    work_through(window, long_document(SHORT))  # what is done only once
    short = work_through(window, long_document(SHORT)).most
    long = work_through(window, long_document(LONG)).most
    limits = {what: 1.25 * lines + 1_000 for what, lines in short.items()}
    more = {what: lines for what, lines in long.items() if lines > limits[what]}
    assert more == {}
    assert WatchedText.most <= LONGEST_COPY
    page = desk(window).source.view.page
    assert page is not None and page.num_laid_out < 200 < len(page.pieces)


def test_a_paragraph_of_five_million_characters_is_laid_out_in_pieces(
    qtbot: QtBot, window: MainWindow
) -> None:
    blocks = [Block((SENTENCE * (1 + LONG // len(SENTENCE)))[:LONG])]
    document = Document.from_blocks(blocks, title="Gates", source=Source("gates.txt"))
    object.__setattr__(document, "text", WatchedText(document.text))
    WatchedText.most = 0
    desk(window).source.view.set_document(document)
    QCoreApplication.processEvents()
    assert WatchedText.most <= LONGEST_COPY


def test_a_search_goes_through_the_text_in_slices(qtbot: QtBot) -> None:
    finder, text = Finder(), SENTENCE * (LONG // len(SENTENCE))
    turns: list[int] = []
    finder.start(text, "the water")
    finder.progressed.connect(lambda: turns.append(finder.count))
    finder._timer.stop()
    while finder._searched < len(text):
        before = finder._searched
        finder.search_slice()
        assert finder._searched - before <= LONGEST_COPY
    finder.stop()
    assert len(turns) >= LONG // LONGEST_COPY
    assert finder.count == text.count("the water")
    assert SLICE <= LONGEST_COPY


def test_a_summary_in_the_window_has_a_limit_and_says_so() -> None:
    document = long_document(LONG)
    ranking = ranking_of(document)
    state = SummariseState(run_now, Length(100, "share"))
    state.begin(SourceRef(path=Path("gates.txt")), Choices(Length(100, "share")))
    state.take_document(document)
    state.take_ranking(DocumentRanked(ranking, 1.0))
    assert state.summary is not None
    assert len(state.summary.sentences) == MOST_SENTENCES < len(ranking.by_words.indices)
    assert state.summary.notes[-1].startswith("The window shows at most 1\u202f000 sentences")
    assert state.most("sentences") == MOST_SENTENCES
    job = CallJob(choose, document, ranking, Length(2_000))
    *_, last = job.run(StopToken())
    assert isinstance(last, Finished) and len(last.result.sentences) == 2_000


@pytest.mark.parametrize("title", ["Gates", "Gates.", "Gates..", "Gates..."])
def test_what_crosses_is_searched_where_it_lies(title: str) -> None:
    made = Document.from_blocks([Block(PARAGRAPH)] * 3, title=title, source=Source("gates.txt"))
    crossed = Document.from_bytes(made.to_bytes())
    assert all(array.flags.aligned for array in (crossed.starts, crossed.ends, crossed.numbers))
    assert crossed.starts.base is None
