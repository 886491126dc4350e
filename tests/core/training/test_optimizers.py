"""Learning rates as their formulas say; optimisers that are torch's own without its compiler."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.training.optimizers import learning_rate, optimizer_of
from core.training.settings import TrainSettings


def settings(schedule: str, warm_up: int = 10, steps: int = 100) -> TrainSettings:
    values = {"schedule": schedule, "warm_up": warm_up, "steps": steps, "learning_rate": 0.5}
    return TrainSettings.checked(values)


@pytest.mark.parametrize("schedule", ["constant", "linear", "cosine", "inverse-square-root"])
def test_the_rate_rises_in_equal_parts_to_its_height(schedule: str) -> None:
    rates = [learning_rate(step, settings(schedule)) for step in range(1, 11)]
    assert rates == pytest.approx([0.05 * step for step in range(1, 11)])


@pytest.mark.parametrize(
    ("schedule", "wanted"),
    [
        ("constant", 0.5),
        ("linear", 0.5 * (101 - 55.5) / 91),
        ("cosine", 0.5 * (1 + math.cos(math.pi * (55.5 - 10) / 91)) / 2),
        ("inverse-square-root", 0.5 * math.sqrt(10 / 55.5)),
    ],
)
def test_the_rate_halfway(schedule: str, wanted: float) -> None:
    around = [learning_rate(step, settings(schedule)) for step in (55, 56)]
    assert sum(around) / 2 == pytest.approx(wanted, rel=1e-3)


@given(
    st.sampled_from(["constant", "linear", "cosine", "inverse-square-root"]),
    st.integers(0, 60),
    st.integers(1, 50),
)
def test_every_step_of_a_run_learns_and_none_more_than_the_height(
    schedule: str, warm_up: int, steps: int
) -> None:
    chosen = settings(schedule, warm_up, steps)
    rates = [learning_rate(step, chosen) for step in range(1, steps + 1)]
    assert all(0 < rate <= 0.5 for rate in rates)
    assert max(rates) == rates[min(warm_up, steps) - 1 if warm_up else 0]


@pytest.mark.parametrize("optimizer", ["adam", "adamw"])
def test_adam_has_the_constants_that_are_set(optimizer: str) -> None:
    values = {"optimizer": optimizer, "adam_beta2": 0.98, "adam_epsilon": 1e-9}
    made = optimizer_of([torch.nn.Parameter(torch.ones(2))], TrainSettings.checked(values))
    (group,) = made.param_groups
    assert (group["betas"], group["eps"]) == ((0.9, 0.98), 1e-9)
    (usual,) = optimizer_of([torch.nn.Parameter(torch.ones(2))], TrainSettings()).param_groups
    assert (usual["betas"], usual["eps"]) == ((0.9, 0.999), 1e-8)


@pytest.mark.parametrize("optimizer", ["adam", "adamw", "adafactor"])
def test_it_steps_to_the_bit_as_torch_s_own(optimizer: str) -> None:
    chosen = TrainSettings.checked({"optimizer": optimizer, "weight_decay": 0.1})
    start = torch.randn(5, 3, generator=torch.Generator().manual_seed(1))
    ours, theirs = (torch.nn.Parameter(start.clone()) for _ in range(2))
    kind = {
        "adam": torch.optim.Adam,
        "adamw": torch.optim.AdamW,
        "adafactor": torch.optim.Adafactor,
    }
    made = optimizer_of([ours], chosen)
    own = {name: value for name, value in made.defaults.items() if name != "decoupled_weight_decay"}
    twin = kind[optimizer]([theirs], **own)
    for _ in range(3):
        for weight, each in ((ours, made), (theirs, twin)):
            weight.pow(2).sum().backward()
            each.step()
            each.zero_grad()
            assert weight.grad is None
        assert torch.equal(ours, theirs)
    assert not torch.equal(ours, start)
