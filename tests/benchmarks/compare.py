"""How fast a comparison of many documents opens and scrolls: `python tests/benchmarks/compare.py`.

Bounds: 20,000 documents are open after a second, and the list scrolls at 30 frames a second.
`--quick` takes 500 documents, to see that it runs.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.library.folders import Folders
from core.library.preferences import Preferences
from gui.main_window import MainWindow
from gui.panels.compare.panel import ComparePanel
from gui.theme.theme import Theme
from tests.helpers.comparisons import large_comparison

NUM_DOCUMENTS, NUM_QUICK = 20_000, 500
NUM_FRAMES = 120


def main() -> None:
    """Prints what each step takes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help=f"{NUM_QUICK} documents")
    count = NUM_QUICK if parser.parse_args().quick else NUM_DOCUMENTS
    app = QApplication([])
    with tempfile.TemporaryDirectory() as home:
        folder = large_comparison(Path(home) / "data" / "comparisons" / "many", count)
        theme = Theme(scheme="light", motion="off")
        window = MainWindow(theme, Preferences(motion="off"), Folders.under(Path(home)))
        window.resize(1440, 900)
        window.show()
        window.warm_up()
        window.begin([])
        window.show_panel("compare")
        panel = window.panel("compare")
        assert isinstance(panel, ComparePanel)
        texts = panel.opened_page.texts
        open_and_wait(panel, folder)  # starts the reader
        print(f"open: {timed(lambda: open_and_wait(panel, folder)):.2f} s (bound 1)")
        assert texts.shown is not None
        panel.opened_page.show_tab("documents")
        app.processEvents()
        print(f"scroll: {1 / frame_s(panel):.0f} frames a second (bound 30)")
        page = panel.opened_page.documents
        page.order.setCurrentIndex(1)
        print(f"sort by disagreement: {timed(lambda: page.order.activated.emit(1)):.2f} s")
        print(f"next document: {timed(lambda: step(panel)):.2f} s")
        window.close()


def timed(deed) -> float:  # type: ignore[no-untyped-def]
    """Seconds that something takes."""
    start = time.perf_counter()
    deed()
    return time.perf_counter() - start


def open_and_wait(panel: ComparePanel, folder: Path) -> None:
    """Opens a comparison until its first document is on the screen."""
    texts = panel.opened_page.texts
    texts.shown = None
    panel.open(folder)
    while texts.shown is None:
        QTest.qWait(1)
    panel.grab()


def step(panel: ComparePanel) -> None:
    """Reads the next document."""
    panel.step(1)
    texts = panel.opened_page.texts
    while texts.shown is None or texts.shown.number != panel.state.number:
        QTest.qWait(1)


def frame_s(panel: ComparePanel) -> float:
    """Mean seconds of a frame while the list is scrolled through."""
    table = panel.opened_page.documents.table
    bar = table.verticalScrollBar()
    start = time.perf_counter()
    for frame in range(NUM_FRAMES):
        bar.setValue(frame * bar.maximum() // NUM_FRAMES)
        table.viewport().grab()
    return (time.perf_counter() - start) / NUM_FRAMES


if __name__ == "__main__":
    main()
