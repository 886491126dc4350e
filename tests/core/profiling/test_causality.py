"""The gauge tells a model that looks ahead from one that does not."""

import pytest
import torch
from torch import Tensor

from core.models.batch import Batch
from core.models.reformer.family import REFORMER
from core.models.reformer.settings import ReformerSettings
from core.profiling.causality import gauge, gauge_kinds
from core.training.settings import StepSettings

LENGTH, CHANGED, V = 20, 5, 3
TOKENS = torch.randint(0, V, (2, LENGTH), generator=torch.Generator().manual_seed(0))


def looking(ahead: int, weight: float) -> object:
    """A model whose logits are its tokens, and a little of those that many places ahead."""

    def logits(batch: Batch) -> Tensor:
        tokens = batch.tokens.double()
        return (tokens + tokens.roll(-ahead, 1) * weight)[..., None].expand(-1, -1, V)

    return logits


@pytest.mark.parametrize(
    ("ahead", "weight", "moved", "furthest"),
    [(3, 0.5, 6, 1.0), (3, 1e-6, 0, 2e-6), (0, 0.5, 0, 0.0)],
)
def test_places_that_look_ahead_are_counted(
    ahead: int, weight: float, moved: int, furthest: float
) -> None:
    # The last 3 of 15 places before the change look into it, in each of 2 rows.
    effect = gauge(looking(ahead, weight), TOKENS, CHANGED, "toy")  # type: ignore[arg-type]
    assert (effect.kind, effect.num_prefix) == ("toy", 2 * (LENGTH - CHANGED))
    assert effect.moved == moved
    assert effect.furthest == pytest.approx(furthest, abs=1e-9)
    assert effect.spread > 0.5


def test_each_kind_of_the_reformer_is_gauged_and_only_one_looks_ahead() -> None:
    settings = ReformerSettings(
        vocabulary_size=50, length=200, width=16, depth=2, heads=2, bucket_size=8, buckets=8
    )
    threads = torch.get_num_threads()
    effects = {e.kind: e for e in gauge_kinds(settings, StepSettings(threads=threads))}
    assert tuple(effects) == REFORMER.attention_names
    assert {e.num_prefix for e in effects.values()} == {160}
    assert effects["lsh-chunk"].moved > 80
    assert [effects[kind].moved for kind in REFORMER.attention_names if kind != "lsh-chunk"] == [
        0,
        0,
        0,
        0,
    ]


def test_what_is_found_is_told_in_a_line() -> None:
    moving, still = (gauge(looking(3, w), TOKENS, CHANGED, "toy") for w in (0.5, 0.0))  # type: ignore[arg-type]
    assert moving.told().startswith(
        "toy          6 of 30 earlier positions changed, by up to 1 (standard deviation of the "
    )
    assert "0 of 30 earlier positions changed (" in still.told()
