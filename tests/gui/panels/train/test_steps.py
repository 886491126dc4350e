"""The steps and the presets of a new job say what holds, in the room that they need."""

import pytest
from pytestqt.qtbot import QtBot

from core.jobs.training.job_presets import BUILT_IN
from gui.panels.train.preset_list import PresetList
from gui.panels.train.step_list import Step, StepList
from gui.theme.theme import Theme


@pytest.mark.parametrize(
    ("told", "height_px"),
    [("a new model", 54), ("", 54), ("reports of the last twenty years, 1 024 documents", 70)],
)
def test_a_step_is_as_high_as_what_it_says(
    qtbot: QtBot, theme: Theme, told: str, height_px: int
) -> None:
    steps = StepList(theme, (Step("data", "Data"),))
    qtbot.addWidget(steps)
    steps.resize(229, 300)
    steps.show()
    steps.tell("data", told, done=True)
    assert steps.item("data").height() == height_px


def test_beside_a_given_model_presets_have_no_sizes(qtbot: QtBot, theme: Theme) -> None:
    presets = PresetList(theme)
    qtbot.addWidget(presets)
    presets.show_presets(BUILT_IN, BUILT_IN[0])
    assert presets.sizes[0].endswith("M") and len(presets.note) == 0
    presets.show_presets(BUILT_IN, BUILT_IN[0], model_is_given=True)
    assert set(presets.sizes) == {""}
    assert presets.note == "Only their training settings are taken: the model is given."
    assert presets.buttons[0].accessibleDescription() == "training settings only"
    presets.show_presets(BUILT_IN, BUILT_IN[0])
    assert presets.sizes[0].endswith("M") and not presets.note
