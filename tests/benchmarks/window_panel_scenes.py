"""Scenes of `window.py` in which a panel shows what is kept: *Compare* and *History*."""

import os
import random
import tempfile
from pathlib import Path
from typing import Any

from core.library.folders import HOME_VARIABLE, Folders
from core.library.history import History
from tests.benchmarks.window_play import Heartbeat, Script, play, window_at
from tests.helpers.comparisons import large_comparison
from tests.helpers.histories import entries_of_samples

NUM_COMPARED, NUM_ENTRIES = 20_000, 10_000
SCROLL_STEPS, NUM_LOOKED_AT = 100, 12
QUERIES = ("electrolyte", "north quay", "zzz")


def comparing(document: Path) -> dict[str, float]:
    """Lateness while 20,000 compared documents are opened, listed, sorted, scrolled and read."""
    with tempfile.TemporaryDirectory() as home:
        os.environ[HOME_VARIABLE] = home
        folder = large_comparison(Path(home, "data", "comparisons", "many"), NUM_COMPARED)
        with window_at(Path(home)) as window:
            window.show_panel("compare")
            beat = Heartbeat()
            play(_compare(window.panel("compare"), folder))
            return beat.stop() | {"documents": float(NUM_COMPARED)}


def remembering(document: Path) -> dict[str, float]:
    """Lateness while 10,000 entries of the history are listed, searched, scrolled and read."""
    with tempfile.TemporaryDirectory() as home:
        os.environ[HOME_VARIABLE] = home
        folders = Folders.under(Path(home))
        folders.history_file.parent.mkdir(parents=True)
        History(folders.history_file).keep(*entries_of_samples(NUM_ENTRIES, random.Random(5)))
        with window_at(Path(home)) as window:
            beat = Heartbeat()
            window.show_panel("history")
            play(_remember(window.panel("history")))
            return beat.stop() | {"documents": float(NUM_ENTRIES)}


def _compare(panel: Any, folder: Path) -> Script:
    texts = panel.opened_page.texts
    panel.open(folder)
    yield lambda: texts.shown is not None
    panel.opened_page.show_tab("documents")
    page = panel.opened_page.documents
    bar = page.table.verticalScrollBar()
    for step in range(1, SCROLL_STEPS + 1):
        bar.setValue(bar.maximum() * step // SCROLL_STEPS)
        yield lambda: True
    for way in range(page.order.count()):
        page.order.setCurrentIndex(way)
        page.order.activated.emit(way)
        yield lambda: True
    panel.opened_page.show_tab("texts")
    for _ in range(NUM_LOOKED_AT):
        panel.step(1)
        yield lambda: texts.shown is not None and texts.shown.number == panel.state.number


def _remember(panel: Any) -> Script:
    yield lambda: bool(panel.state.entries)
    for query in QUERIES:
        for end in range(1, len(query) + 1):
            panel.strip.find_field.setText(query[:end])
            yield lambda: not panel.controller._looking.is_running
        panel.strip.find_field.clear()
        yield lambda: not panel.controller._looking.is_running and bool(panel.state.entries)
    bar = panel.list.verticalScrollBar()
    for step in range(1, SCROLL_STEPS + 1):
        bar.setValue(bar.maximum() * step // SCROLL_STEPS)
        yield lambda: not panel.controller._looking.is_running
    for entry in panel.state.entries[:NUM_LOOKED_AT]:
        panel.select(entry.id)
        yield lambda: not panel.controller._opening.is_running
