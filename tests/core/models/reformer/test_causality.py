"""What comes later changes nothing that came before, except by `lsh-chunk`, as is documented."""

import pytest
import torch

from core.models.batch import Batch
from tests.helpers.reformers import EXACT, KINDS, reformer, tokens_of

LENGTH = 29
BOUNDS = {
    ("full", torch.float64): 0, ("full", torch.float32): 0,
    ("local", torch.float64): 0, ("local", torch.float32): 0,
    ("lsh", torch.float64): 1e-12, ("lsh", torch.float32): 1e-5,
}  # fmt: skip


def kept_as_it_was(model, start, seed=0):
    """How far the logits before `start` move when all tokens from there on change."""
    tokens = tokens_of(2, LENGTH, seed=seed)
    changed = tokens.clone()
    changed[:, start:] = tokens_of(2, LENGTH - start, seed=seed + 1)
    with torch.no_grad():
        before, after = model(Batch(tokens)), model(Batch(changed))
    assert not before[:, start:].equal(after[:, start:])
    return (before - after)[:, :start].abs().max().item()


@pytest.mark.parametrize("reversible", [True, False])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("kind", EXACT)
def test_later_tokens_change_no_earlier_logit(kind, dtype, reversible):
    for rounds, seed in [(1, 0), (2, 1), (4, 2)]:
        model = reformer(attention=(kind,), rounds=rounds, reversible=reversible, dtype=dtype)
        for start in (1, 3, 4, 13, 28):
            assert kept_as_it_was(model, start, seed) <= BOUNDS[kind, dtype]


def test_exact_kinds_stay_exact_together():
    model = reformer(attention=("lsh", "local", "full", "lsh"), depth=4)
    for start in (1, 4, 13, 28):
        assert kept_as_it_was(model, start) <= 1e-12


@pytest.mark.parametrize("kind", EXACT)
def test_a_prefix_alone_gives_the_same_logits(kind):
    """One more token changes no rotation, whatever it does to lengths inside."""
    model = reformer(attention=(kind,))
    tokens = tokens_of(2, LENGTH)
    with torch.no_grad():
        whole = model(Batch(tokens))
        for end in range(1, LENGTH):
            alone = model(Batch(tokens[:, :end]))
            assert (alone - whole[:, :end]).abs().max() <= 1e-12


@pytest.mark.parametrize("reversible", [True, False])
@pytest.mark.parametrize("kind", [*EXACT, "local-chunk"])
def test_no_logit_has_a_gradient_to_a_later_token(kind, reversible):
    """Every token occurs once, so that a row of the table is an embedding of the text."""
    model = reformer(attention=(kind,), reversible=reversible)
    logits = model(Batch(torch.arange(LENGTH)[None]))
    for i in range(LENGTH):
        (gradient,) = torch.autograd.grad(
            logits[0, i].sum(), model.embedding.weight, retain_graph=True
        )
        assert gradient[i].any()
        assert not gradient[i + 1 :].any()


@pytest.mark.parametrize("kind", KINDS)
def test_a_logit_feels_what_came_before(kind):
    """Or the tests above would pass with no attention at all."""
    model = reformer(attention=(kind,))
    tokens = tokens_of(1, LENGTH)
    changed = tokens.clone()
    changed[0, 11] = (changed[0, 11] + 1) % 31
    with torch.no_grad():
        moved = (model(Batch(tokens)) - model(Batch(changed))).abs().amax(-1)[0]
    assert (moved[11:13] > 1e-3).all()


def test_lsh_chunk_is_not_causal():
    """A limit of the papers' form: later tokens choose which keys share a chunk."""
    model = reformer(attention=("lsh-chunk",))
    assert max(kept_as_it_was(model, 20, seed) for seed in range(4)) > 1e-3
