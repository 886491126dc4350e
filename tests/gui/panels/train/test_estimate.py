"""What the estimate says of memory, time and failures, beside what the machine has."""

from dataclasses import replace

from core.events import Failed
from core.jobs.forecast import Advice, Forecast
from core.jobs.suggest_training import Machine
from core.numbers import THIN_SPACE
from gui.panels.train.estimate import Estimate, Known
from gui.theme.theme import Theme

GB = 10**9


# 2 GB in all
TWO_GB = Forecast(10_000_000, GB // 4, GB // 4, GB // 2, GB // 2, GB // 4, GB // 4,
                  0.5, 0.4, 10, 100, 4096, GB)  # fmt: skip


def shown(theme: Theme, known: Known) -> Estimate:
    estimate = Estimate(theme)
    estimate.show_known(known)
    return estimate


def test_what_is_spare_counts_the_memory_that_is_free_now(theme: Theme) -> None:
    machine = Machine(memory_bytes=16 * GB, free_bytes=5 * GB)
    estimate = shown(theme, Known(TWO_GB, machine=machine))
    assert estimate.chip.text() == f"fits, 3.00{THIN_SPACE}GB spare"
    crowded = Known(TWO_GB, machine=replace(machine, free_bytes=GB))
    estimate = shown(theme, crowded)
    assert estimate.chip.text() == f"1.00{THIN_SPACE}GB more must be free"
    assert "close some first" in estimate.words
    assert crowded.fits, "nothing has to be changed in the job"
    unknown = replace(machine, free_bytes=0)
    assert (
        shown(theme, Known(TWO_GB, machine=unknown)).chip.text()
        == f"fits, 14.0{THIN_SPACE}GB spare"
    )


def test_the_memory_of_a_gpu_is_compared_with_all_of_it(theme: Theme) -> None:
    machine = Machine(memory_bytes=16 * GB, free_bytes=GB, gpu="H200", gpu_bytes=8 * GB)
    assert (
        shown(theme, Known(TWO_GB, machine=machine)).chip.text()
        == f"fits, 6.00{THIN_SPACE}GB spare"
    )


LESS = (Advice("Halve the batch to 2", (("batch", 2),), GB // 2),)


def test_only_a_lack_of_memory_says_that_it_does_not_fit(theme: Theme) -> None:
    machine = Machine(memory_bytes=16 * GB, free_bytes=9 * GB)
    known = Known(TWO_GB, machine=machine, advice=LESS)
    lacking = Failed("The step needs more memory.", "Use less.", kind="memory")
    estimate = shown(theme, replace(known, failure=lacking))
    assert estimate.chip.text() == "does not fit" and estimate.advice_buttons
    refused = Failed("The precision fp16 works on cuda only.", "Choose another.")
    estimate = shown(theme, replace(known, failure=refused))
    assert estimate.chip.text() == "not measured" and not estimate.advice_buttons
    assert "The precision fp16 works on cuda only. Choose another." in estimate.words
    assert estimate.words.startswith("2.00 GB at the peak")
