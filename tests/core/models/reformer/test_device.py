"""On a GPU the model gives what it gives on the CPU, dropout and rotations included."""

import pytest
import torch

from core.models.batch import Batch
from core.models.parts.randomness import Randomness
from tests.helpers.reformers import (
    KINDS,
    assert_equal,
    batch_of,
    loss_and_gradients,
    padded,
    reformer,
    tokens_of,
)

STEP = Randomness(0, 0, (0, 1))

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device"),
]


def moved(batch):
    parts = (batch.tokens, batch.labels, batch.present, batch.positions)
    return Batch(*(None if part is None else part.cuda() for part in parts))


@pytest.mark.parametrize("reversible", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_the_gpu_agrees_with_the_cpu(kind, reversible):
    model = reformer(attention=(kind,), reversible=reversible, dropout=0.2)
    for batch in (batch_of(2, 29), padded([tokens_of(1, 9)[0], tokens_of(1, 17)[0]], (8, 3), 21)):
        wanted = loss_and_gradients(model.cpu(), batch, STEP)
        found = loss_and_gradients(model.cuda(), moved(batch), STEP)
        assert_equal({name: value.cpu() for name, value in found.items()}, wanted, atol=1e-8)


@pytest.mark.parametrize("kind", KINDS)
def test_two_evaluations_on_the_gpu_are_equal_to_the_bit(kind):
    model = reformer(attention=(kind,), dtype=torch.float32).cuda()
    batch = moved(batch_of(2, 29))
    with torch.no_grad():
        assert model(batch).equal(model(batch))


@pytest.mark.parametrize("kind", KINDS)
def test_bf16_on_the_gpu_is_near_fp32(kind):
    model = reformer(attention=(kind,), buckets=1, dtype=torch.float32).cuda()
    batch = moved(batch_of(2, 29))
    with torch.no_grad():
        single = model.loss(batch)
        with torch.autocast("cuda", torch.bfloat16):
            half = model.loss(batch)
    assert half.dtype == torch.float32
    assert (half - single).abs() < 0.02 * single
