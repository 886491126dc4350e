"""Small Reformers with weights that matter everywhere, and batches for them."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from core.models.batch import NO_LOSS, Batch
from core.models.parts.randomness import Randomness
from core.models.reformer.language_model import ReformerLM
from core.models.reformer.settings import ReformerSettings

KINDS = ("full", "local", "lsh", "local-chunk", "lsh-chunk")
EXACT = ("full", "local", "lsh")
"""The kinds whose prefix does not depend on what follows."""
SMALL: dict[str, Any] = {
    "vocabulary_size": 31, "length": 29, "width": 16, "depth": 2, "heads": 2, "rounds": 2,
    "bucket_size": 4, "buckets": 4, "tied_embeddings": False,
}  # fmt: skip
CLOSE = {"rtol": 0, "atol": 1e-10}


def reformer(*, dtype: torch.dtype = torch.float64, weights: int = 0, **changes: Any) -> ReformerLM:
    """A small model; no weight is 0 or 1, so that each one shows in the logits."""
    model = ReformerLM(ReformerSettings(**(SMALL | changes))).double()
    source = torch.Generator().manual_seed(weights)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            noise = torch.randn(parameter.shape, generator=source, dtype=torch.float64)
            # Token vectors are read multiplied by the root of their width.
            spread = 0.3 / parameter.shape[1] ** 0.5 if "embedding" in name else 0.3
            parameter.copy_(noise * spread + (parameter.abs() == 1))
    return model.to(dtype)


def tokens_of(rows: int, length: int, vocabulary_size: int = 31, seed: int = 0) -> Tensor:
    """[rows, length] int64, at random."""
    source = torch.Generator().manual_seed(seed)
    return torch.randint(0, vocabulary_size, (rows, length), generator=source)


def next_tokens(tokens: Tensor) -> Tensor:
    """Labels [B, T]: what comes next; nothing comes after the last."""
    return torch.cat([tokens[:, 1:], torch.full_like(tokens[:, :1], NO_LOSS)], 1)


def batch_of(rows: int, length: int, seed: int = 0) -> Batch:
    """Random tokens without padding, each with its loss but the last."""
    tokens = tokens_of(rows, length, seed=seed)
    return Batch(tokens, next_tokens(tokens))


def padded(rows: Sequence[Tensor], before: Sequence[int], length: int) -> Batch:
    """One batch of rows of any lengths, each [T]; `before` is the padding on its left.

    Positions are kept: a row's first token has position 0 wherever it stands.
    """
    shape = (len(rows), length)
    tokens = torch.zeros(shape, dtype=torch.int64)
    labels = torch.full(shape, NO_LOSS)
    present = torch.zeros(shape, dtype=torch.bool)
    positions = torch.zeros(shape, dtype=torch.int64)
    for number, (row, start) in enumerate(zip(rows, before, strict=True)):
        at = slice(start, start + len(row))
        tokens[number, at] = row
        labels[number, at] = next_tokens(row[None])[0]
        present[number, at] = True
        positions[number, at] = torch.arange(len(row))
    return Batch(tokens, labels, present, positions)


def loss_and_gradients(
    model: ReformerLM, batch: Batch, randomness: Randomness | None = None
) -> dict[str, Tensor]:
    """The loss under "loss", and the gradient of each parameter under its name."""
    names, parameters = zip(*model.named_parameters(), strict=True)
    loss = model.loss(batch, randomness)
    gradients = torch.autograd.grad(loss, parameters)
    return {"loss": loss.detach(), **dict(zip(names, gradients, strict=True))}


def assert_equal(
    found: dict[str, Tensor], wanted: dict[str, Tensor], atol: float = 1e-10, rtol: float = 0
) -> None:
    """Compares two results of `loss_and_gradients`."""
    assert found.keys() == wanted.keys()
    for name, value in wanted.items():
        torch.testing.assert_close(
            found[name], value, rtol=rtol, atol=atol, msg=lambda told, name=name: f"{name}: {told}"
        )
