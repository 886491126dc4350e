"""What the estimate says of memory, time and failures, beside what the machine has."""

from dataclasses import replace

from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from core.events import Failed
from core.jobs.training.try_step import StepMeasured
from core.numbers import THIN_SPACE
from core.profiling.advice import Advice
from core.profiling.forecast import Forecast
from core.profiling.training_suggestions import Machine
from gui.panels.train.command_view import CommandView
from gui.panels.train.estimate import Estimate, Known, all_of
from gui.panels.train.new_job import RIGHT_PX
from gui.theme.theme import Theme
from tests.helpers.measurements import MEASURED

GB = 10**9


# 2 GB in all
TWO_GB = Forecast(10_000_000, GB // 4, GB // 4, GB // 2, GB // 2, GB // 4, GB // 4,
                  0.5, 0.4, 10, 100, 4096, GB)  # fmt: skip


def shown(qtbot: QtBot, theme: Theme, known: Known) -> Estimate:
    estimate = Estimate(theme)
    qtbot.addWidget(estimate)
    estimate.show_known(known)
    return estimate


def test_what_is_spare_counts_the_memory_that_is_free_now(qtbot: QtBot, theme: Theme) -> None:
    machine = Machine(memory_bytes=16 * GB, free_bytes=5 * GB)
    estimate = shown(qtbot, theme, Known(TWO_GB, machine=machine))
    assert estimate.chip.text() == f"fits, 3.00{THIN_SPACE}GB spare"
    crowded = Known(TWO_GB, machine=replace(machine, free_bytes=GB))
    estimate = shown(qtbot, theme, crowded)
    assert estimate.chip.text() == f"1.00{THIN_SPACE}GB more must be free"
    assert "close some first" in estimate.words
    assert crowded.fits, "nothing has to be changed in the job"
    unknown = replace(machine, free_bytes=0)
    assert (
        shown(qtbot, theme, Known(TWO_GB, machine=unknown)).chip.text()
        == f"fits, 14.0{THIN_SPACE}GB spare"
    )


def test_the_memory_of_a_gpu_is_compared_with_all_of_it(qtbot: QtBot, theme: Theme) -> None:
    machine = Machine(memory_bytes=16 * GB, free_bytes=GB, gpu="H200", gpu_bytes=8 * GB)
    assert (
        shown(qtbot, theme, Known(TWO_GB, machine=machine)).chip.text()
        == f"fits, 6.00{THIN_SPACE}GB spare"
    )


LESS = (Advice("Halve the batch to 2", (("batch", 2),), GB // 2),)


def test_only_a_lack_of_memory_says_that_it_does_not_fit(qtbot: QtBot, theme: Theme) -> None:
    machine = Machine(memory_bytes=16 * GB, free_bytes=9 * GB)
    known = Known(TWO_GB, machine=machine, advice=LESS)
    lacking = Failed("The step needs more memory.", "Use less.", kind="memory")
    estimate = shown(qtbot, theme, replace(known, failure=lacking))
    assert estimate.chip.text() == "does not fit" and estimate.advice_buttons
    refused = Failed("The precision fp16 works on cuda only.", "Choose another.")
    estimate = shown(qtbot, theme, replace(known, failure=refused))
    assert estimate.chip.text() == "not measured" and not estimate.advice_buttons
    assert "The precision fp16 works on cuda only. Choose another." in estimate.words
    assert estimate.words.startswith("2.00 GB at the peak")


def test_a_wrong_value_leaves_nothing_of_the_old_forecast(qtbot: QtBot, theme: Theme) -> None:
    machine = Machine(memory_bytes=2 * GB, free_bytes=GB, disk_free_bytes=9 * GB)
    estimate = shown(qtbot, theme, Known(TWO_GB, machine=machine, advice=LESS))
    assert not estimate.bar.isHidden() and estimate.advice_buttons
    estimate.show_known(Known(machine=machine))
    assert estimate.words.split() == ["–", "correct", "the", "marked", "values", "first", *"–––"]
    assert estimate.bar.isHidden() and not estimate.advice_buttons
    assert {label.text() for label in estimate.part_labels} == {"–"}
    estimate.show_known(Known(TWO_GB, machine=machine))
    assert estimate.words.startswith("2.00 GB at the peak") and not estimate.bar.isHidden()


def test_there_is_no_command_of_wrong_values(theme: Theme) -> None:
    command = CommandView(theme)
    command.show_options([("--steps", "33")])
    command.copy()
    assert QGuiApplication.clipboard().text() == "epitome train --steps 33"
    command.show_options(None)
    assert not command.copy_button.isEnabled() and command.words == []
    command.copy()
    assert QGuiApplication.clipboard().text() == "epitome train --steps 33"


def measured(step_s: float, total_bytes: int, load: float = 0.5) -> StepMeasured:
    return replace(
        MEASURED, step_s=step_s, baseline_bytes=GB // 4, peak_bytes=total_bytes - GB // 4,
        load_1min=load, num_cores=2,
    )  # fmt: skip


def test_what_was_measured_stands_beside_the_forecast(qtbot: QtBot, theme: Theme) -> None:
    known = Known(TWO_GB, measured(0.5, 2 * GB + GB // 10), Machine(memory_bytes=16 * GB))
    estimate = shown(qtbot, theme, known)
    assert estimate.words.startswith("2.10 GB at the peak, from a measured step")
    assert "The largest step: forecast 2.00, measured 2.10 GB" in _plain(estimate.words)


def test_what_a_run_keeps_beside_its_step_counts(qtbot: QtBot, theme: Theme) -> None:
    grown = replace(TWO_GB, growth=GB // 10)
    machine = Machine(memory_bytes=16 * GB)
    estimate = shown(qtbot, theme, Known(grown, machine=machine))
    assert estimate.words.startswith("2.10 GB at the peak")
    assert _plain(estimate.part_labels[-1].text()) == "350 MB"
    estimate = shown(qtbot, theme, Known(grown, measured(0.5, 2 * GB), machine))
    assert estimate.words.startswith("2.10 GB at the peak, from a measured step")
    assert "measured 2.00 GB. A run keeps 100 MB beside it." in _plain(estimate.words)


def test_of_several_jobs_time_and_disk_are_of_all(qtbot: QtBot, theme: Theme) -> None:
    small = replace(TWO_GB, activations=0, run_s=600, disk_bytes=GB)
    known = Known(all_of([small, replace(TWO_GB, run_s=1200, disk_bytes=2 * GB)]), jobs=2)
    estimate = shown(qtbot, theme, known)
    assert _plain(estimate.words).startswith("2.00 GB at the peak")
    assert "≈ 30 min" in _plain(estimate.time.words) and "3.0 GB" in _plain(estimate.disk.words)
    assert "Memory is that of the largest of 2 jobs, time and disk are of all." in estimate.words


def test_the_command_of_several_jobs_is_that_of_the_first(qtbot: QtBot, theme: Theme) -> None:
    command = CommandView(theme)
    qtbot.addWidget(command)
    command.show_options([("--steps", "33")], jobs=4)
    assert command.title == "The first of 4 jobs on the command line"
    command.show_options([("--steps", "33")])
    assert command.title == "Same job on the command line"


def test_a_measured_step_narrows_the_time(qtbot: QtBot, theme: Theme) -> None:
    forecast = replace(TWO_GB, run_s=6000.0, longest_step_s=0.5)
    machine = Machine(memory_bytes=16 * GB)
    estimate = shown(qtbot, theme, Known(forecast, machine=machine))
    assert _plain(estimate.time.words) == "≈ 1 h 40 min 1 h 5 min to 2 h 15 min"
    estimate = shown(qtbot, theme, Known(forecast, measured(0.5, 2 * GB), machine))
    assert _plain(estimate.time.words) == "≈ 1 h 40 min 1 h 25 min to 1 h 55 min"
    busy = measured(0.5, 2 * GB, load=6.0)
    estimate = shown(qtbot, theme, Known(forecast, busy, machine))
    assert _plain(estimate.time.words) == "≈ 1 h 40 min 1 h 5 min to 1 h 55 min"


def _plain(words: str) -> str:
    return words.replace(THIN_SPACE, " ").replace("\u00a0", " ")


def test_long_times_and_large_numbers_fit_into_the_column(qtbot: QtBot, theme: Theme) -> None:
    """A run of half a day, a fast device and a large disk, beside a scroll bar."""
    long = replace(TWO_GB, step_s=2.0, run_s=16 * 3600, tokens_per_step=480_000)
    machine = Machine(memory_bytes=16 * GB, free_bytes=5 * GB, disk_free_bytes=212 * GB)
    estimate = shown(qtbot, theme, Known(long, machine=machine))
    assert "10\u202fh\u00a024\u202fmin to 21\u202fh\u00a036\u202fmin" in estimate.time.words
    room = RIGHT_PX - 2 * 20 - 12
    assert estimate.minimumSizeHint().width() <= room
    estimate.resize(room, estimate.heightForWidth(room))
    with qtbot.waitExposed(estimate):
        estimate.show()
    for figure in (estimate.time, estimate.step, estimate.disk):
        assert figure.geometry().right() < room
