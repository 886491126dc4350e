"""How large the matrices are by which a machine is measured."""

import pytest
import torch

from core.profiling.rate import BUDGET_S, TIMES, matmul_rate, side_for
from core.training.settings import Precision


@pytest.mark.parametrize(
    ("rate", "side"),
    [
        (4e11, 2048),  # a processor with bf16 units
        (6e10, 2048),  # one core in fp32
        (1e10, 1024),
        (8e8, 512),  # bf16 where the processor has no units for it
        (1e6, 256),
    ],
)
def test_a_slow_machine_is_measured_by_smaller_matrices(rate: float, side: int) -> None:
    assert side_for(rate) == side
    assert side == 256 or TIMES * 2 * side**3 / rate < BUDGET_S


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_any_precision_of_the_processor_has_a_rate(precision: Precision) -> None:
    assert 1e6 < matmul_rate(precision, torch.device("cpu")) < 1e15
