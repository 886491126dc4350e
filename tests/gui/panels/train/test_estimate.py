"""What the estimate says of memory: against what the machine has, and what of it is free now."""

from dataclasses import replace

from core.jobs.forecast import Forecast
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
