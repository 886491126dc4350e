"""What is told of a failed run, in wide and in small windows."""

from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import QPoint, QRect
from pytestqt.qtbot import QtBot

from core.events import Failed
from core.jobs.training.retry_training import FailedRun, Retry
from core.training.plan import RunPlan
from gui.panels.train.failure_card import FailureCard
from gui.theme.theme import Theme

MB = 10**6
FAILURE = Failed(
    "There is not enough memory for this.",
    "Use a smaller batch, shorter rows or a smaller model.",
    kind="memory",
)
PLAN = cast(RunPlan, None)  # the card only hands it on
RETRIES = (
    Retry("Halve the width to 256", 1_800 * MB, PLAN, False),
    Retry("Halve the length to 8 192 tokens", 1_500 * MB, PLAN, False),
    Retry("Compute each step in 2 parts", 1_500 * MB, PLAN, True),
    Retry("Halve the batch to 4", 1_500 * MB, PLAN, False),
)


@pytest.mark.parametrize(("width", "most", "columns"), [(1020, 344, 2), (672, 160, 1)])
def test_each_remedy_is_whole_in_a_window_of_any_size(
    qtbot: QtBot, theme: Theme, width: int, most: int, columns: int
) -> None:
    card = FailureCard(theme)
    qtbot.addWidget(card)
    card.resize(width, most)
    card.show_failure(FAILURE, None)
    with qtbot.waitExposed(card):
        card.show()
    card.show_failure(FAILURE, FailedRun(Path(), 3_000, RETRIES))  # found a while later
    card.fit(width, most)
    assert card.height() == most if columns == 1 else 120 < card.height() < most
    qtbot.waitUntil(lambda: len({button.x() for button in card.retries}) == columns)
    places = [QRect(each.mapTo(card, QPoint(0, 0)), each.size()) for each in card.retries]
    assert not any(a.intersects(b) for i, a in enumerate(places) for b in places[:i])
    for button, place in zip(card.retries, places, strict=True):
        assert place.width() >= button.sizeHint().width() and place.right() < width
        assert place.height() >= button.sizeHint().height()
        button.setFocus()  # what has the keyboard comes into sight
        qtbot.waitUntil(lambda each=button: 0 <= each.mapTo(card, QPoint(0, 0)).y() <= most - 28)
