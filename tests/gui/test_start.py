"""The first paint waits for nothing that it does not show."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
START = """
import json, sys
from PySide6.QtWidgets import QApplication
from gui import main_window
def tell(window, paths):
    print(json.dumps(sorted(sys.modules)), flush=True)
    window.close()
    QApplication.quit()
main_window.MainWindow.begin = tell
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
    "core.documents.document", "core.summary", "core.library.session",
    "gui.panels.summarise.desk", "gui.widgets.reading_view", "gui.panels.settings.panel",
    "gui.forms",
)  # fmt: skip


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What is loaded when the window was painted for the first time, in a fresh process."""

    home = tmp_path_factory.mktemp("home")
    done = subprocess.run(
        [sys.executable, "-c", START],
        cwd=ROOT,
        env=os.environ | {"EPITOME_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout))


@pytest.mark.parametrize("module", LATER)
def test_the_first_paint_loads_nothing_that_is_needed_later(loaded: set[str], module: str) -> None:
    assert module not in loaded


def test_the_first_paint_shows_the_first_panel(loaded: set[str]) -> None:
    assert "gui.panels.summarise.empty_page" in loaded
