"""All that is random in training comes from run, step, layer and row; nothing else does."""

import random

import numpy as np
import pytest
import torch

from core.models.batch import Batch
from core.models.parts.randomness import Randomness
from core.models.reformer.attention import layer_rotations
from core.models.reformer.language_model import ReformerLM
from core.models.reformer.settings import ReformerSettings
from tests.helpers.reformers import (
    KINDS,
    assert_equal,
    batch_of,
    loss_and_gradients,
    reformer,
)

MIXED = {"attention": ("lsh", "local", "full"), "depth": 3}


def step(number=0, rows=(0, 1), run=0):
    return Randomness(run=run, step=number, rows=rows)


def loss_of(model, randomness=None, batch=None):
    with torch.no_grad():
        return model.loss(batch or batch_of(2, 27), randomness).item()


@pytest.mark.parametrize("reversible", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_two_evaluations_are_equal_to_the_bit(kind, reversible):
    changes = {"attention": (kind,), "reversible": reversible, "dropout": 0.3}
    model = reformer(dtype=torch.float32, **changes)
    batch = batch_of(2, 27)
    first = model(batch)
    model.loss(batch, step(1)).backward()
    torch.manual_seed(99)
    assert model.train()(batch).equal(first)
    assert model.eval()(batch).equal(first)
    again = reformer(dtype=torch.float32, **changes)
    again.load_state_dict(model.state_dict())
    with torch.inference_mode():
        assert again(batch).equal(first)


def test_the_models_seed_draws_the_rotations_of_evaluation():
    one, other = (reformer(attention=("lsh",), seed=seed, buckets=16) for seed in (0, 1))
    other.load_state_dict(one.state_dict())
    assert loss_of(one) != loss_of(other)


def test_rotations_are_drawn_anew_each_step():
    model = reformer(attention=("lsh",), dropout=0, buckets=16)
    losses = [loss_of(model, step(number)) for number in range(6)]
    assert len(set(losses)) == 6
    assert losses == [loss_of(model, step(number)) for number in range(6)]
    assert loss_of(model, step(0, run=1)) not in losses


@pytest.mark.parametrize("randomness", [None, step(3)], ids=["evaluation", "training"])
def test_each_layer_has_rotations_of_its_own(randomness):
    settings = reformer(attention=("lsh",)).settings
    drawn = [layer_rotations(settings, depth).drawn(4, randomness) for depth in range(3)]
    assert not drawn[0].equal(drawn[1])
    assert not drawn[0].equal(drawn[2])
    assert drawn[0].equal(layer_rotations(settings, 0).drawn(4, randomness))


@pytest.mark.parametrize("rotations", ["per-head", "shared"])
def test_rotations_are_the_same_for_all_rows(rotations):
    """Or a row's loss would depend on its place in the batch."""
    model = reformer(attention=("lsh",), dropout=0, buckets=16, rotations=rotations)
    batch = batch_of(1, 27)
    twice = Batch(batch.tokens.expand(2, -1), batch.labels.expand(2, -1))
    once = loss_of(model, step(rows=(4,)), batch)
    assert loss_of(model, step(rows=(0, 1)), twice) == pytest.approx(2 * once, abs=1e-10)


def test_without_hashing_and_dropout_training_is_evaluation():
    for changes in ({"attention": ("local", "full")}, {"attention": ("lsh",), "buckets": 1}):
        model = reformer(dropout=0, **changes)
        assert loss_of(model, step(7)) == loss_of(model)


def test_dropout_differs_by_run_step_and_row():
    model = reformer(attention=("full",), dropout=0.2)
    batch = batch_of(1, 27)
    different = [step(0, (0,)), step(1, (0,)), step(0, (1,)), step(0, (0,), run=1)]
    losses = [loss_of(model, each, batch) for each in different]
    assert len({*losses, loss_of(model, None, batch)}) == 5
    assert losses == [loss_of(model, each, batch) for each in different]


@pytest.mark.parametrize("reversible", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_a_batch_of_two_is_two_batches_of_one(kind, reversible):
    model = reformer(attention=(kind,), dropout=0.2, reversible=reversible, depth=3)
    batch = batch_of(2, 27)
    single = [
        loss_and_gradients(
            model, Batch(batch.tokens[row, None], batch.labels[row, None]), step(2, (number,))
        )
        for row, number in [(0, 6), (1, 3)]
    ]
    together = {name: single[0][name] + single[1][name] for name in single[0]}
    assert_equal(loss_and_gradients(model, batch, step(2, (6, 3))), together)
    turned = Batch(batch.tokens.flip(0), batch.labels.flip(0))
    assert_equal(loss_and_gradients(model, turned, step(2, (3, 6))), together)


@pytest.mark.parametrize("reversible", [True, False])
def test_a_step_leaves_the_global_generators_alone(reversible):
    model = reformer(**MIXED, dropout=0.2, reversible=reversible)
    before = torch.get_rng_state(), random.getstate(), np.random.get_state()[1].tolist()
    model.loss(batch_of(2, 27), step()).backward()
    model(batch_of(2, 27))
    assert torch.get_rng_state().equal(before[0])
    assert random.getstate() == before[1]
    assert np.random.get_state()[1].tolist() == before[2]


def test_the_global_seed_changes_nothing():
    results = []
    for seed in (0, 1):
        torch.manual_seed(seed)
        model = reformer(**MIXED, dropout=0.2)
        results.append(loss_and_gradients(model, batch_of(2, 27), step()))
    assert_equal(*results, atol=0)


def test_first_weights_come_from_the_models_seed():
    def weights(seed, global_seed):
        torch.manual_seed(global_seed)
        model = ReformerLM(ReformerSettings(width=8, length=12, vocabulary_size=9, seed=seed))
        return torch.cat([each.flatten() for each in model.parameters()])

    assert weights(0, 0).equal(weights(0, 1))
    assert not weights(0, 0).equal(weights(1, 0))
