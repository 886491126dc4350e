"""The gauges beside an open run: real ones, with the numbers that the command prints."""

import shutil
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.profiling.events import GaugedLoss, RotationsGauged, TailEffect
from core.profiling.run_gauges import gauge_rotations, open_run
from core.profiling.settings import GAUGES, GaugeSettings
from core.stop import StopToken
from gui.main_window import MainWindow
from gui.panels.train.gauges import Gauges
from gui.theme.theme import Theme
from tests.helpers.runs import run_events, tiny_corpus, tiny_plan
from tests.helpers.training_window import listed, runs_folder, train, train_window

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")


def result_of(steps: Generator[Any, None, Any]) -> Any:
    """What a generator returns; its events are passed over."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trained")
    plan = tiny_plan(tiny_corpus(folder / "corpus"), steps=4, rouge_rows=0)
    run_events(folder / "tiny", plan)
    return folder / "tiny"


@pytest.fixture
def window(qtbot: QtBot, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    with train_window(home, monkeypatch) as window:
        yield window


@pytest.mark.slow
def test_a_button_shows_the_line_that_the_command_prints(
    qtbot: QtBot, window: MainWindow, trained: Path
) -> None:
    folder = runs_folder() / "tiny"
    shutil.copytree(trained, folder)
    panel = train(window)
    panel.desk.look()
    qtbot.waitUntil(lambda: listed(window, folder) is not None)
    panel.desk.open(folder)
    page = panel.view.page
    qtbot.waitUntil(lambda: page.plan is not None)
    page.parts["gauges"].head.click()
    gauges = page.gauges
    assert gauges.command.line == "epitome gauge tiny"
    qtbot.mouseClick(gauges.buttons["rotations"], Qt.MouseButton.LeftButton)
    assert not gauges.buttons["twin"].isEnabled()
    qtbot.waitUntil(lambda: gauges.words("rotations").startswith("5 rotations"))
    qtbot.waitUntil(gauges.buttons["twin"].isEnabled)
    opened = result_of(open_run(folder, GaugeSettings(), StopToken()))
    found = result_of(gauge_rotations(opened, GaugeSettings(), StopToken()))
    assert gauges.words("rotations") == found.told()


@pytest.fixture
def gauges(qtbot: QtBot, theme: Theme) -> Iterator[Gauges]:
    made = Gauges(theme)
    qtbot.addWidget(made)
    made.resize(376, 264)
    made.show()
    made.show_run("tiny", "")
    yield made


def test_each_gauge_is_a_button_that_says_which_is_wanted(qtbot: QtBot, gauges: Gauges) -> None:
    asked: list[str] = []
    gauges.wanted.connect(asked.append)
    for button in gauges.buttons.values():
        button.setFocus()
        qtbot.keyClick(button, Qt.Key.Key_Return)
    assert asked == list(GAUGES) and len(gauges.stops) == 4


def test_what_a_gauge_found_stands_below_its_button(gauges: Gauges) -> None:
    gauges.show_found("causality", [TailEffect("lsh-chunk", 100, 97, 0.25, 1.5, 1e-5)])
    assert gauges.words("causality") == (
        "lsh-chunk: 97 of 100 earlier positions changed, by up to 0.25 "
        "(standard deviation of the logits 1.5)"
    )
    gauges.show_found("twin", [GaugedLoss("full attention", 2.5, {"1": 0.31}, 4.0, 2 * 10**8)])
    assert gauges.words("twin") == (
        "full attention: loss 2.50000, ROUGE-1 31.0, 4.00\u202fs, 200\u202fMB"
    )
    gauges.show_found("rotations", [RotationsGauged((2.5, 2.4, 2.6), (0.3, 0.32))])
    assert "loss 2.50000 with the model's own, 2.40000 to 2.60000" in gauges.words("rotations")
    assert gauges.words("rotations").endswith("ROUGE-1 30.0 to 32.0")


def test_a_run_of_another_family_says_why_it_cannot_be_gauged(gauges: Gauges) -> None:
    gauges.show_run("other", "Gauges are for language models of the family reformer.")
    assert not any(button.isEnabled() for button in gauges.buttons.values())
    assert gauges.words("rotations").startswith("Gauges are for language models")
