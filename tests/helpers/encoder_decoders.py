"""Small Reformer encoder-decoders with weights that matter everywhere, and batches for them."""

from typing import Any

import torch
from torch import Tensor

from core.models.batch import Batch, PairBatch
from core.models.parts.randomness import Randomness, dropped
from core.models.reformer.encoder_decoder import ReformerEncoderDecoder
from core.models.reformer.encoder_decoder_settings import ReformerEncoderDecoderSettings
from tests.helpers.encoder_decoder_twin import EncoderDecoder
from tests.helpers.reformers import batch_of, padded, tokens_of

SMALL: dict[str, Any] = {
    "vocabulary_size": 31, "source_length": 23, "target_length": 17, "width": 8, "heads": 2,
    "encoder_depth": 2, "decoder_depth": 2, "encoder_attention": ("full", "local"), "window": 4,
    "shared_embeddings": False, "tied_embeddings": False,
}  # fmt: skip
STEP = Randomness(run=1, step=2, rows=(0, 1))
MIXED = ((9, 14), (17, 3), (1, 8))
"""Lengths of source and target of each row."""


def encoder_decoder(
    *, dtype: torch.dtype = torch.float64, weights: int = 0, **changes: Any
) -> ReformerEncoderDecoder:
    """A small model; no weight is 0 or 1, so that each one shows in the logits."""
    model = ReformerEncoderDecoder(ReformerEncoderDecoderSettings(**(SMALL | changes))).double()
    source = torch.Generator().manual_seed(weights)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            noise = torch.randn(parameter.shape, generator=source, dtype=torch.float64)
            # Token vectors are read multiplied by the root of their width.
            spread = 0.3 / parameter.shape[1] ** 0.5 if "embedding" in name else 0.3
            parameter.copy_(noise * spread + (parameter.abs() == 1))
    return model.to(dtype)


def pair_of(rows: int = 2, source: int = 19, target: int = 13) -> tuple[Batch, Batch]:
    """Random sources and targets without padding."""
    return batch_of(rows, source, seed=5), batch_of(rows, target, seed=6)


def mixed_pair(
    before: tuple[int, ...] = (4, 0, 2), lengths: tuple[tuple[int, int], ...] = MIXED
) -> tuple[Batch, Batch]:
    """Rows of these lengths, padded to the model's; `before` is the padding on their left."""
    sources = [tokens_of(1, source, seed=source)[0] for source, _ in lengths]
    targets = [tokens_of(1, target, seed=40 + target)[0] for _, target in lengths]
    starts = [min(start, 17 - target) for start, (_, target) in zip(before, lengths, strict=True)]
    return padded(sources, before, 23), padded(targets, starts, 17)


def results(
    model: ReformerEncoderDecoder, pair: tuple[Batch, Batch], randomness: Randomness | None = None
) -> dict[str, Tensor]:
    """The loss under "loss", and the gradient of each parameter under its name."""
    names, parameters = zip(*model.named_parameters(), strict=True)
    loss = model.loss(PairBatch(*pair), randomness)
    gradients = torch.autograd.grad(loss, parameters)
    return {"loss": loss.detach(), **dict(zip(names, gradients, strict=True))}


def plain_logits(
    model: ReformerEncoderDecoder, pair: tuple[Batch, Batch], randomness: Randomness | None = None
) -> Tensor:
    """[B, T, V] from the twin, with the model's weights and dropout masks."""
    source, target = (list(rows_of(batch)) for batch in pair)
    logits = []
    for row, (read, written) in enumerate(zip(source, target, strict=True)):
        twin = plain_twin(model, pair, row, randomness)
        memories = [twin.memory(*read)] * model.settings.decoder_depth
        copied = read[0] if model.settings.pointer else None
        logits.append(twin.logits(memories, read[1], *written, copied))
    return torch.stack(logits)


def rows_of(batch: Batch) -> Any:
    """Tokens, presence and places of each row, as lists."""
    for row, tokens in enumerate(batch.tokens):
        num = len(tokens)
        yield (
            tokens.tolist(),
            [True] * num if batch.present is None else batch.present[row].tolist(),
            list(range(num)) if batch.positions is None else batch.positions[row].tolist(),
        )


def plain_twin(
    model: ReformerEncoderDecoder,
    pair: tuple[Batch, Batch],
    row: int,
    randomness: Randomness | None = None,
) -> EncoderDecoder:
    """The twin that reads and writes one row."""
    s = model.settings

    def factors(side: str, depth: int, layer: str) -> Tensor:
        shape = pair[side == "decoder"].tokens.shape
        ones = torch.ones(*shape, s.width, dtype=torch.float64)
        what = depth, f"{side} {layer}"
        return dropped(ones, slice(0, shape[1]), s.dropout, randomness, *what)[row]

    return EncoderDecoder(
        dict(model.named_parameters(remove_duplicate=False)),
        s.encoder_kinds,
        s.decoder_depth,
        s.heads,
        s.window,
        factors if randomness and s.dropout else None,
    )
