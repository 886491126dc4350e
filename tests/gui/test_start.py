"""The first paint waits for nothing that it does not show."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.patience import PATIENCE_S

pytestmark = pytest.mark.cold_start

ROOT = Path(__file__).parents[2]
START = """
import json, linecache, sys
from PySide6.QtWidgets import QApplication
from PySide6.QtCore import QEvent, QObject
from gui import main_window
from gui.panel_table import panel_table
for hidden in sys.argv[1:]:
    sys.modules[hidden] = None
begin, make = main_window.MainWindow.begin, main_window.MainWindow.__init__
shown = []
class Watch(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Show and watched.isWidgetType() and watched.isWindow():
            shown.append(type(watched).__name__)
        return False
watch = Watch()
def watched(*args, **named):
    QApplication.instance().installEventFilter(watch)
    make(*args, **named)
def tell(window, paths):
    print(json.dumps(sorted(sys.modules)), flush=True)
    print(json.dumps(sorted(linecache.cache)), flush=True)
    is_warm = bool(window.controller._runs)
    begin(window, paths)
    for entry in panel_table():
        window.show_panel(entry.name)
    print(json.dumps(shown), flush=True)
    print(json.dumps(is_warm), flush=True)
    window.close()
    QApplication.quit()
main_window.MainWindow.begin, main_window.MainWindow.__init__ = tell, watched
from gui.app import main
main([])
"""
LATER = (
    # Engines, and what reads documents.
    "torch", "transformers", "datasets", "numpy", "nltk", "Stemmer", "trafilatura", "lxml", "docx",
    "pypdfium2", "markdown_it", "charset_normalizer", "rouge_score",
    # What draws, measures and checks.
    "matplotlib", "pyqtgraph", "psutil", "multiprocessing", "asyncio",
    # What an open document needs, what a crash left, and other panels.
    "core.documents.document", "core.summaries.summary", "core.library.session",
    "gui.panels.summarise.controller", "gui.widgets.reading.reading_view",
    "gui.panels.settings.panel", "gui.forms",
)  # fmt: skip


PARTS = ("torch", "tesserocr", "ctranslate2", "xllamacpp", "peft", "dask")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """What is loaded at the first paint, in a fresh process, what windows opened until all panels
    were shown, and whether the engine had something to do when the first panel began."""
    return start(tmp_path_factory.mktemp("home"))


def start(home: Path, *hidden: str) -> list[Any]:
    """Starts the program, without packages that are hidden from it."""
    done = subprocess.run(
        [sys.executable, "-c", START, *hidden],
        cwd=ROOT,
        env=os.environ | {"EPITOME_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def loaded(told: list[Any]) -> set[str]:
    return set(told[0])


def test_the_engine_warms_up_before_the_first_panel_begins(told: list[Any]) -> None:
    assert told[3] is True


@pytest.mark.parametrize("module", LATER)
def test_the_first_paint_loads_nothing_that_is_needed_later(loaded: set[str], module: str) -> None:
    assert module not in loaded


def test_the_first_paint_shows_the_first_panel(loaded: set[str]) -> None:
    assert "gui.panels.summarise.source.empty_page" in loaded


def test_no_part_of_a_panel_opens_as_a_window_of_its_own(told: list[list[str]]) -> None:
    assert told[2] == ["MainWindow"]


def test_without_the_optional_parts_their_offers_open_no_windows(tmp_path: Path) -> None:
    assert start(tmp_path, *PARTS)[2] == ["MainWindow"]


def test_no_source_is_read_for_names_in_snake_case(told: list[list[str]]) -> None:
    assert not [file for file in told[1] if "/gui/panels/" in file]
