"""Several values in some fields are several jobs, each allowed and named for what differs."""

import pytest

from core.errors import EpitomeError
from core.jobs.training.job_grid import MOST_JOBS, grid_of
from core.jobs.training.job_presets import BUILT_IN
from core.training.training_fields import flat_of

FIELDS = flat_of(BUILT_IN[0].plan)


def test_every_combination_is_a_job() -> None:
    jobs = grid_of(FIELDS, "learning_rate=0.001,0.002; clip=none,1; attention=lsh,local+lsh")
    assert len(jobs) == 8
    assert jobs[0].suffix == "learning-rate-0.001-clip-none-attention-lsh"
    assert jobs[0].fields.clip is None  # type: ignore[attr-defined]
    assert jobs[-1].fields.attention == ("local", "lsh")  # type: ignore[attr-defined]
    assert jobs[-1].fields.learning_rate == 0.002  # type: ignore[attr-defined]


def test_without_values_it_is_the_one_job() -> None:
    (job,) = grid_of(FIELDS, "  ")
    assert job.fields is FIELDS and job.suffix == ""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("rate=1", "“rate” is not a field of this job."),
        ("family=reformer", "“family” is not a field"),
        ("heads=3,4", "heads must divide the width"),
        ("steps=none", "steps"),
        ("steps", "does not say what is varied"),
        ("seed=1..99+1", f"99 jobs; at most {MOST_JOBS}"),
    ],
)
def test_what_cannot_be_meant_is_told(text: str, told: str) -> None:
    with pytest.raises(EpitomeError, match=told):
        grid_of(FIELDS, text)
