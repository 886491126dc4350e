"""A pointer head: what comes next is written, or copied from the source.

P(y) = (1 - g) · softmax(logits)(y) + g · Σ a(s), summed over the positions s of the source whose
token is y, where a is a softmax over the source and g a gate, both learnt from the hidden state.
Source: See et al.: Get To The Point (2017), with keys of its own.

Letters: B rows, T positions that predict, S positions of the source, D width, V vocabulary.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.models.batch import NO_LOSS
from core.models.parts.block_attention import HIDDEN
from core.models.parts.products import Linear, linear
from core.models.parts.residual import leaf

# Logits and scores made at once.
_SCORES_AT_ONCE = 3 << 20
# The smallest probability: its logarithm is finite in float32.
_SMALLEST = 1e-37


@dataclass(frozen=True)
class Source:
    """What may be copied.

    Args:
        keys: [B, S, D], what `PointerHead.offer` gave.
        tokens: [B, S] int64.
        present: [B, S] bool, False at padding; None without padding.
        first: Where source and text are one sequence, the place of the first position that
            predicts: each sees the source up to its own place. None where all is seen.
    """

    keys: Tensor
    tokens: Tensor
    present: Tensor | None = None
    first: int | None = None

    def row(self, number: int) -> "Source":
        """One row of it, as a source of one row; a view."""
        one = slice(number, number + 1)
        present = None if self.present is None else self.present[one]
        return replace(self, keys=self.keys[one], tokens=self.tokens[one], present=present)

    def rows(self, which: Tensor) -> "Source":
        """Some of its rows, [N] int64; the same where these are all of them, in order."""
        if which.equal(torch.arange(len(self.tokens), device=which.device)):
            return self
        present = None if self.present is None else self.present[which]
        return replace(self, keys=self.keys[which], tokens=self.tokens[which], present=present)

    def hides(self, at: Tensor) -> Tensor | None:
        """[B or 1, T or 1, S] bool: what the positions `at`, [T] int64, must not copy."""
        absent = None if self.present is None else ~self.present[:, None]
        if self.first is None:
            return absent
        later = torch.arange(self.tokens.shape[1], device=at.device) > at[:, None] + self.first
        return later[None] if absent is None else later | absent


class PointerHead(nn.Module):
    """Where to copy from, and whether to.

    Args:
        width: D.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.queries = Linear(width, width, bias=False)
        self.keys = Linear(width, width, bias=False)
        self.gate = nn.Linear(width, 1)

    def offer(self, x: Tensor) -> Tensor:
        """[B, S, D], what is known of each position of the source, to keys, [B, S, D]."""
        keys: Tensor = self.keys(x)
        return keys

    def ask(self, hidden: Tensor) -> tuple[Tensor, Tensor]:
        """[..., D] hidden states to scaled queries, [..., D], and logits of the gate, [...]."""
        queries: Tensor = self.queries(hidden)
        return queries / math.sqrt(queries.shape[-1]), self.gate(hidden)[..., 0]

    def log_probs(self, hidden: Tensor, logits: Tensor, source: Source) -> Tensor:
        """The logarithm of P.

        Args:
            hidden: [B, T, D].
            logits: [B, T, V], of what is written.
            source: What may be copied.

        Returns:
            [B, T, V], float32 at least.
        """
        queries, gates = self.ask(hidden)
        scores = queries @ source.keys.transpose(1, 2)
        scores = scores.to(torch.promote_types(scores.dtype, torch.float32))
        hidden_from = source.hides(torch.arange(hidden.shape[1], device=hidden.device))
        if hidden_from is not None:
            scores = scores.masked_fill(hidden_from, HIDDEN)
        tokens = source.tokens[:, None].expand(scores.shape)
        return mixed(logits, gates, scores, tokens)

    def loss_sum(
        self,
        hidden: Tensor,
        source: Source,
        output: nn.Linear,
        labels: Tensor,
        num_pieces: int | None = None,
        smoothing: float = 0.0,
    ) -> Tensor:
        """The sum of -log P(label) over all positions that have a label, made in pieces.

        Args:
            hidden: [B, T, D].
            source: What may be copied.
            output: What makes logits of hidden states.
            labels: [B, T] int64 below V, or `NO_LOSS`.
            num_pieces: Pieces the positions of a row are worked on in; None lets the memory decide.
            smoothing: Share of the target that is spread evenly over all V tokens.

        Returns:
            A scalar in nats, of at least float32.
        """
        queries, gates = self.ask(hidden)
        how = _How(num_pieces, smoothing, torch.is_grad_enabled())
        parts = (hidden, queries, gates, source.keys, output.weight, output.bias)
        out: Tensor = _LossSum.apply(labels, source, how, *parts)
        return out


def mixed(logits: Tensor, gates: Tensor, scores: Tensor, tokens: Tensor) -> Tensor:
    """The logarithm of P.

    Args:
        logits: [..., V], of what is written.
        gates: [...], logits of the gate.
        scores: [..., S] of the source's positions.
        tokens: [..., S] int64, what stands there.

    Returns:
        [..., V], float32 at least.
    """
    exact = torch.promote_types(logits.dtype, torch.float32)
    gates = gates.to(exact)[..., None]
    written = torch.softmax(logits, -1, dtype=exact) * torch.sigmoid(-gates)
    copied = torch.softmax(scores, -1, dtype=exact) * torch.sigmoid(gates)
    return written.scatter_add(-1, tokens, copied).clamp_min(_SMALLEST).log()


class _How(NamedTuple):
    num_pieces: int | None
    smoothing: float
    learning: bool


class _LossSum(torch.autograd.Function):
    """Gradients are made in the forward pass, while a piece's logits are at hand."""

    @staticmethod
    def forward(
        ctx: Any, labels: Tensor, source: Source, how: _How, *parts: Tensor | None
    ) -> Tensor:
        hidden = parts[0]
        assert hidden is not None
        total = hidden.new_zeros((), dtype=torch.promote_types(hidden.dtype, torch.float32))
        grads = [
            torch.zeros_like(part) if how.learning and part is not None else None for part in parts
        ]
        for row, at in _pieces(labels, source, how, parts):
            taken: list[Any] = [
                None if part is None else leaf(part) for part in _taken(parts, row, at)
            ]
            with torch.set_grad_enabled(how.learning):
                loss = _loss(labels[row, at], source.row(row), at, how.smoothing, *taken)
            total += loss.detach()
            if how.learning:
                wanted = [part for part in taken if part is not None]
                found = iter(torch.autograd.grad(loss, wanted))
                _add(grads, row, at, [None if p is None else next(found) for p in taken])
        ctx.save_for_backward(*grads)
        return total

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Any, ...]:
        return None, None, None, *(None if g is None else g * grad for g in ctx.saved_tensors)


def _pieces(
    labels: Tensor, source: Source, how: _How, parts: tuple[Tensor | None, ...]
) -> Iterator[tuple[int, Tensor]]:
    """Rows, and positions of each that have a label."""
    weight = parts[4]
    assert weight is not None
    for row, wanted in enumerate(labels):
        at = (wanted != NO_LOSS).nonzero()[:, 0]
        scores = len(at) * (len(weight) + source.tokens.shape[1])
        pieces = how.num_pieces or -(-scores // _SCORES_AT_ONCE)
        step = max(1, -(-len(at) // max(1, pieces)))
        for first in range(0, len(at), step):
            yield row, at[first : first + step]


def _taken(parts: tuple[Tensor | None, ...], row: int, at: Tensor) -> list[Tensor | None]:
    hidden, queries, gates, keys, weight, bias = parts
    assert hidden is not None and queries is not None and gates is not None and keys is not None
    return [hidden[row, at], queries[row, at], gates[row, at], keys[row], weight, bias]


def _add(grads: list[Tensor | None], row: int, at: Tensor, found: list[Tensor | None]) -> None:
    """Adds a piece's gradients to those of all."""
    for number, (grad, more) in enumerate(zip(grads, found, strict=True)):
        if grad is None or more is None:
            continue
        if number < 3:
            grad[row, at] = more.to(grad.dtype)
        elif number == 3:
            grad[row] += more
        else:
            grad += more


def _loss(
    labels: Tensor,
    source: Source,
    at: Tensor,
    smoothing: float,
    hidden: Tensor,
    queries: Tensor,
    gates: Tensor,
    keys: Tensor,
    weight: Tensor,
    bias: Tensor | None,
) -> Tensor:
    """The summed loss of n positions of one row; a scalar."""
    logits = linear(hidden, weight, bias)
    exact = torch.promote_types(logits.dtype, torch.float32)
    logits, gates, scores = (x.to(exact) for x in (logits, gates, queries @ keys.t()))
    if (hides := source.hides(at)) is not None:
        scores = scores.masked_fill(hides[0], HIDDEN)
    elsewhere = source.tokens != labels[:, None]
    # In logarithms, so that no probability is too small for its gradient.
    of_label = scores.masked_fill(elsewhere, HIDDEN).logsumexp(-1) - scores.logsumexp(-1)
    written = -F.cross_entropy(logits, labels, reduction="none") + F.logsigmoid(-gates)
    losses = -torch.logaddexp(written, of_label + F.logsigmoid(gates))
    if smoothing:
        spread = mixed(logits, gates, scores, source.tokens.expand(scores.shape)).mean(-1)
        losses = (1 - smoothing) * losses - smoothing * spread
    return losses.sum()
