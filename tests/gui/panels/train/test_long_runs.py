"""A run of a million steps is drawn with few points, and each redraw looks at what is new."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.jobs.runs.run_history import RunHistory
from gui.panels.train.curves import Places, RunCurves
from gui.panels.train.run_page import RunPage
from gui.panels.train.state import ListedRun
from gui.theme.theme import Theme
from gui.widgets.charts import chart_lines
from tests.helpers.long_runs import long_news

STEPS = 1_000_000


@pytest.fixture(scope="module")
def history() -> RunHistory:
    made = RunHistory()
    for news in long_news(STEPS, STEPS // 10):
        made.take(news)
    return made


def test_a_million_steps_are_drawn_with_few_points(
    qtbot: QtBot, theme: Theme, history: RunHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = RunPage(theme)
    qtbot.addWidget(page)
    page.resize(1100, 850)
    page.open(ListedRun(Path("long"), "long", "running", "running"), history, RunCurves(STEPS))
    drawn, draw = [], chart_lines._polygon

    def counted(px: np.ndarray, py: np.ndarray) -> object:
        drawn.append(len(px))
        return draw(px, py)

    monkeypatch.setattr(chart_lines, "_polygon", counted)
    page.show()
    qtbot.waitUntil(lambda: all_painted(page))
    page.grab()
    lines = sum(len(model.series) + 1 for model in page.curves.all)
    assert len(page.curves._each) == STEPS
    # Four points and a joint for each column of pixels, for each line and for its whisper.
    assert 1000 < sum(drawn) < 2 * 5 * lines * page.width()


def test_parts_are_painted_in_turns_and_another_run_opened_between_is_painted_too(
    qtbot: QtBot, theme: Theme, history: RunHistory
) -> None:
    page = RunPage(theme)
    qtbot.addWidget(page)
    page.resize(1100, 850)
    page.open(ListedRun(Path("long"), "long", "running", "running"), history, RunCurves(STEPS))
    page.show()
    assert not all_painted(page)
    page.open(ListedRun(Path("other"), "other", "running", "running"), history, RunCurves(STEPS))
    page.hide()
    page.show()
    assert not all_painted(page)
    qtbot.waitUntil(lambda: all_painted(page))


def all_painted(page: RunPage) -> bool:
    """Whether no part waits to be painted."""
    return all(part.updatesEnabled() for part in page.findChildren(QWidget))


def test_new_steps_do_not_copy_those_there_are(history: RunHistory) -> None:
    places = Places()
    places.extend(history)
    before = places._columns["step"].values
    for news in long_news(10, 10, first=STEPS + 1):
        history.take(news)
    assert len(places.extend(history)["step"]) == 10
    assert len(places) == STEPS + 10
    for news in long_news(10, 10, first=STEPS + 11):
        history.take(news)
    grown = places._columns["step"].values
    places.extend(history)
    assert np.shares_memory(grown, places._columns["step"].values)
    assert len(before) == STEPS
