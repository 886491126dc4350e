"""Small Transformers with weights that matter everywhere, beside their twins."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from core.models.batch import NO_LOSS, Batch, PairBatch
from core.models.parts.randomness import Randomness, dropped
from core.models.transformer.model import Transformer
from core.models.transformer.settings import TransformerSettings
from tests.helpers.reformer_twin import cross_entropy
from tests.helpers.transformer_twin import TransformerTwin

ENCODER_KINDS = ("full", "local", "shifted", "light-convolution", "memory-compressed")
DECODER_KINDS = ("full", "light-convolution", "memory-compressed")
SMALL: dict[str, Any] = {
    "vocabulary_size": 31, "source_length": 23, "target_length": 17, "width": 8, "heads": 2,
    "head_width": 3, "feed_forward_width": 11, "encoder_depth": 2, "decoder_depth": 2,
    "chunk_size": 4, "kernel_size": 3, "compression": 3, "shared_embeddings": False,
    "tied_embeddings": False,
}  # fmt: skip


def transformer(
    *, dtype: torch.dtype = torch.float64, weights: int = 0, **changes: Any
) -> Transformer:
    """A small model; no weight is 0 or 1, so that each one shows in the logits."""
    model = Transformer(TransformerSettings(**(SMALL | changes))).double()
    source = torch.Generator().manual_seed(weights)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            noise = torch.randn(parameter.shape, generator=source, dtype=torch.float64)
            # Token vectors are read multiplied by the root of their width.
            spread = 0.3 / parameter.shape[1] ** 0.5 if "embedding" in name else 0.3
            parameter.copy_(noise * spread + (parameter.abs() == 1))
    return model.to(dtype)


def results(
    model: Transformer,
    pair: tuple[Batch, Batch],
    randomness: Randomness | None = None,
    smoothing: float = 0.0,
) -> dict[str, Tensor]:
    """The loss under "loss", and the gradient of each parameter under its name."""
    names, parameters = zip(*model.named_parameters(), strict=True)
    loss = model.loss(PairBatch(*pair), randomness, smoothing)
    gradients = torch.autograd.grad(loss, parameters)
    return {"loss": loss.detach(), **dict(zip(names, gradients, strict=True))}


def plain_results(
    model: Transformer,
    pair: tuple[Batch, Batch],
    randomness: Randomness | None = None,
    smoothing: float = 0.0,
) -> dict[str, Tensor]:
    """The same of the twin, and under "logits" those of all rows, one behind the other."""
    names, parameters = zip(*model.named_parameters(), strict=True)
    rows = list(plain_rows(model, pair, randomness))
    total = sum(
        cross_entropy(logits, labels, NO_LOSS) + smoothing * spread_of(logits, labels)
        for logits, labels in rows
    )
    assert isinstance(total, Tensor)
    gradients = torch.autograd.grad(total, parameters, allow_unused=True)
    filled = (
        torch.zeros_like(weight) if found is None else found
        for found, weight in zip(gradients, parameters, strict=True)
    )
    logits = torch.cat([logits.detach() for logits, _ in rows])
    return {"loss": total.detach(), "logits": logits, **dict(zip(names, filled, strict=True))}


def spread_of(logits: Tensor, labels: list[int]) -> Tensor:
    """What smoothing adds: how far the label's logit is above the mean of all."""
    total = logits.new_zeros(())
    for row, label in zip(logits, labels, strict=True):
        if label != NO_LOSS:
            total = total + row[label] - sum(row) / len(row)
    return total


def plain_rows(
    model: Transformer, pair: tuple[Batch, Batch], randomness: Randomness | None = None
) -> Iterator[tuple[Tensor, list[int]]]:
    """Logits [T, V] of the twin, and labels, of each row; only of what is no padding."""
    for row in range(len(pair[0].tokens)):
        twin = plain_twin(model, row, randomness)
        (read, read_places, _), (fed, fed_places, labels) = (bare(batch, row) for batch in pair)
        if fed:  # a row may be all padding
            source = read if model.settings.pointer else None
            memory = twin.memory(read, read_places)
            yield twin.logits(memory, fed, fed_places, source), labels


def bare(batch: Batch, row: int) -> tuple[list[int], list[int], list[int]]:
    """Tokens, places and labels of a row without its padding."""
    tokens = batch.tokens[row]
    there = torch.ones_like(tokens, dtype=torch.bool)
    there = there if batch.present is None else batch.present[row]
    places = torch.arange(len(tokens)) if batch.positions is None else batch.positions[row]
    labels = torch.full_like(tokens, NO_LOSS) if batch.labels is None else batch.labels[row]
    return tokens[there].tolist(), places[there].tolist(), labels[there].tolist()


def plain_twin(
    model: Transformer, row: int = 0, randomness: Randomness | None = None
) -> TransformerTwin:
    """The twin that reads and writes one row, with the model's weights and dropout masks."""
    s = model.settings

    def factors(side: str, depth: int, layer: str, at: int) -> Tensor:
        ones = torch.ones(len(randomness.rows), 1, s.width, dtype=torch.float64)  # type: ignore[union-attr]
        what = depth, f"{side} {layer}"
        return dropped(ones, slice(at, at + 1), s.dropout, randomness, *what)[row, 0]

    return TransformerTwin(
        dict(model.named_parameters(remove_duplicate=False)),
        s.encoder_kinds,
        s.decoder_kinds,
        s.heads,
        s.size_of_head,
        s.norm,
        s.positions,
        s.chunk_size,
        s.kernel_size,
        s.compression,
        s.strides,
        factors if randomness and s.dropout else None,
    )
