"""Small language models with weights that matter everywhere, beside their twins."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from core.data.batches import collate
from core.models.batch import NO_LOSS, Batch
from core.models.language_model.model import LanguageModel
from core.models.language_model.settings import LanguageModelSettings
from core.models.parts.randomness import Randomness, dropped
from tests.helpers.language_model_twin import LanguageModelTwin, Text, text_of
from tests.helpers.reformer_twin import cross_entropy
from tests.helpers.reformers import tokens_of
from tests.helpers.transformers import spread_of

SMALL: dict[str, Any] = {
    "vocabulary_size": 31, "length": 29, "width": 8, "depth": 2, "heads": 2,
    "feed_forward_width": 11, "tied_embeddings": False,
}  # fmt: skip
DIVIDER = 2
Pair = tuple[list[int], list[int]]
"""An article and its summary."""


def language_model(
    *, dtype: torch.dtype = torch.float64, weights: int = 0, **changes: Any
) -> LanguageModel:
    """A small model; no weight is 0 or 1, so that each one shows in the logits."""
    model = LanguageModel(LanguageModelSettings(**(SMALL | changes))).double()
    source = torch.Generator().manual_seed(weights)
    with torch.no_grad():
        for parameter in model.parameters():
            noise = torch.randn(parameter.shape, generator=source, dtype=torch.float64)
            parameter.copy_(0.3 * noise + (parameter.abs() == 1))
    return model.to(dtype)


def pairs_of(*lengths: tuple[int, int], seed: int = 0) -> list[Pair]:
    """Articles and summaries of these lengths, without the divider's token."""
    found = []
    for at, (article, summary) in enumerate(lengths):
        tokens = (3 + tokens_of(1, article + summary, 28, seed=seed + at)[0]).tolist()
        found.append((tokens[:article], tokens[article:]))
    return found


def divided(pairs: Sequence[Pair], length: int | None = None) -> Batch:
    """One batch of pairs, padded behind; each token has its loss but the last."""
    rows = []
    for article, summary in pairs:
        tokens = np.array([*article, DIVIDER, *summary])
        rows.append((tokens, np.append(tokens[1:], NO_LOSS)))
    how = {"pad": 0, "model_length": 29, "places": "left", "divider": DIVIDER}
    return collate(rows, length=length, **how)  # type: ignore[arg-type]


def moved(batch: Batch, by: int) -> Batch:
    """The same rows with so much padding before them."""

    def behind(part: Tensor | None, fill: int) -> Tensor | None:
        if part is None:
            return None
        return torch.cat((torch.full_like(part[:, :1], fill).expand(-1, by), part), 1)

    present = batch.present
    if present is None:
        present = torch.ones_like(batch.tokens, dtype=torch.bool)
    tokens = behind(batch.tokens, 0)
    assert tokens is not None
    return Batch(
        tokens, behind(batch.labels, NO_LOSS), behind(present, 0), behind(batch.positions, 0),
        behind(batch.segments, 0),
    )  # fmt: skip


def results(
    model: LanguageModel,
    batch: Batch,
    randomness: Randomness | None = None,
    smoothing: float = 0.0,
) -> dict[str, Tensor]:
    """Loss, the gradient of each parameter by name, and the logits of all that is no padding."""
    names, parameters = zip(*model.named_parameters(), strict=True)
    loss = model.loss(batch, randomness, smoothing)
    gradients = torch.autograd.grad(loss, parameters)
    logits = model(batch, randomness).detach()
    shown = logits.flatten(0, 1) if batch.present is None else logits[batch.present]
    return {"loss": loss.detach(), "logits": shown, **dict(zip(names, gradients, strict=True))}


def plain_results(
    model: LanguageModel,
    pairs: Sequence[Pair],
    randomness: Randomness | None = None,
    smoothing: float = 0.0,
) -> dict[str, Tensor]:
    """The same of the twin."""
    names, parameters = zip(*model.named_parameters(), strict=True)
    total, shown = torch.zeros((), dtype=torch.float64), []
    for row, (article, summary) in enumerate(pairs):
        text = text_of(article, DIVIDER, summary)
        logits = twin_of(model, row, randomness).logits(text)
        labels = [*text.tokens[1:], NO_LOSS]
        total = total + cross_entropy(logits, labels, NO_LOSS)
        if smoothing:
            total = total + smoothing * spread_of(logits, labels)
        shown.append(logits.detach())
    gradients = torch.autograd.grad(total, parameters, allow_unused=True)
    filled = (
        torch.zeros_like(weight) if found is None else found
        for found, weight in zip(gradients, parameters, strict=True)
    )
    named = dict(zip(names, filled, strict=True))
    return {"loss": total.detach(), "logits": torch.cat(shown), **named}


def twin_of(
    model: LanguageModel, row: int = 0, randomness: Randomness | None = None
) -> LanguageModelTwin:
    """The twin that reads one row, with the model's weights and dropout masks."""
    s = model.settings

    def factors(depth: int, layer: str, at: int) -> Tensor:
        ones = torch.ones(len(randomness.rows), 1, s.width, dtype=torch.float64)  # type: ignore[union-attr]
        what = depth, f"decoder {layer}"
        return dropped(ones, slice(at, at + 1), s.dropout, randomness, *what)[row, 0]

    weights = dict(model.named_parameters(remove_duplicate=False))
    drops = factors if randomness and s.dropout else None
    return LanguageModelTwin(weights, s.depth, s.heads, s.norm, drops)


def continued(source: Sequence[int], fed: Sequence[int]) -> Text:
    """A source and what was fed behind it: first the divider, then the summary."""
    first, *summary = fed
    return text_of(source, first, summary)
