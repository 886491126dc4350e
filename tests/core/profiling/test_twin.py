"""The same weights with hashing off."""

import math

import torch

from core.models.batch import NO_LOSS, Batch
from core.profiling.point import random_batch
from core.profiling.twin import compare_losses, compare_point, full_twin
from tests.helpers.measurements import sweep
from tests.helpers.reformers import batch_of, reformer


def test_the_twin_has_the_same_weights_and_sees_everything() -> None:
    model = reformer(attention=("lsh", "local"), weights=3)
    twin = full_twin(model)
    assert twin.settings.kinds == ("full", "full")
    for (name, weight), (other, copied) in zip(
        model.named_parameters(), twin.named_parameters(), strict=True
    ):
        assert name == other
        assert torch.equal(weight, copied) and weight is not copied
    assert next(twin.parameters()).dtype == torch.float64


def test_losses_are_means_over_the_loss_tokens_of_the_one_and_the_other() -> None:
    model, batch = reformer(attention=("lsh",)), batch_of(2, 24)
    own, full = compare_losses(model, batch)
    for found, one in ((own, model), (full, full_twin(model))):
        assert batch.labels is not None
        scores = one(batch).detach().log_softmax(-1)
        wanted = [
            -float(scores[row, place, label])
            for row, labels in enumerate(batch.labels.tolist())
            for place, label in enumerate(labels)
            if label != NO_LOSS
        ]
        assert math.isclose(found, sum(wanted) / len(wanted), rel_tol=1e-9)
    assert abs(own - full) > 1e-4


def test_one_bucket_that_holds_all_loses_nothing() -> None:
    model = reformer(attention=("lsh",), buckets=1, bucket_size=32)
    own, full = compare_losses(model, batch_of(2, 24))
    assert math.isclose(own, full, rel_tol=1e-9)


def test_a_point_is_compared_on_its_own_length_and_loss_tokens() -> None:
    (point,) = sweep(
        "length=48", "bucket_size=4", "depth=1", "width=16", "vocabulary_size=32",
        threads=torch.get_num_threads(), loss_tokens=1,
    )  # fmt: skip
    own, full = compare_point(point)
    assert own != full
    assert 0 < own < 2 * math.log(32)


def test_the_random_text_is_the_same_each_time_and_each_token_is_followed_by_the_next() -> None:
    (point,) = sweep("length=40", "batch=3", "loss_tokens=10")
    batch, again = (random_batch(point, torch.device("cpu")) for _ in range(2))
    assert isinstance(batch, Batch) and batch.labels is not None
    assert torch.equal(batch.tokens, again.tokens)
    assert batch.tokens.shape == (3, 40) and batch.num_loss_tokens == 30
    assert torch.equal(batch.labels[:, 30:-1], batch.tokens[:, 31:])
    assert (batch.labels[:, :30] == NO_LOSS).all()
