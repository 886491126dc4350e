"""Cross-entropy in pieces: the logits of all positions never exist at once.

Gradients are made in the forward pass, while a piece's logits are at hand; so they are never made
twice. Positions without loss are never projected.
"""

from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from core.models.batch import NO_LOSS
from core.models.parts.products import add_outer, linear, product, uses_onednn

# Logits made at once, unless a number of pieces is given: many enough for a good matrix product.
# oneDNN copies them for the gradient of the table, so it makes half as many in the same memory.
_LOGITS_AT_ONCE = 3 << 21
_LOGITS_AT_ONCE_ONEDNN = 3 << 20
_CHANCES_AT_ONCE = 1 << 19
# Below this probability a float32 has lost digits.
_TINY = 1e-30


def cross_entropy_sum(
    hidden: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    labels: Tensor,
    num_pieces: int | None = None,
    smoothing: float = 0.0,
) -> Tensor:
    """The sum of -log p(label) over all positions that have a label.

    Args:
        hidden: [..., D] float.
        weight: [V, D], the output table.
        bias: [V], or None.
        labels: [...] int64 below V, or `NO_LOSS`.
        num_pieces: Pieces the positions are worked on in; None lets the memory decide.
        smoothing: Share of the target that is spread evenly over all V tokens.

    Returns:
        A scalar in nats, of at least float32.
    """
    at = (labels != NO_LOSS).flatten()
    flat, wanted = hidden.flatten(0, -2), labels.flatten()
    if not bool(at.all()):
        flat, wanted = flat[at], wanted[at]
    at_once = _LOGITS_AT_ONCE_ONEDNN if uses_onednn(hidden, weight) else _LOGITS_AT_ONCE
    pieces = num_pieces or -(-wanted.numel() * weight.shape[0] // at_once)
    step = max(1, -(-wanted.numel() // max(1, pieces)))
    device = hidden.device.type
    dtype = torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else None
    learning = torch.is_grad_enabled()
    how = _How(step, dtype, smoothing, learning)
    out: Tensor = _CrossEntropySum.apply(flat, weight, bias, wanted, how)
    return out


class _How(NamedTuple):
    """How a loss is made.

    Args:
        step: Positions of a piece.
        dtype: In which matrices are multiplied, where that is not the weight's own.
        smoothing: Share of the target that is spread over all tokens.
        learning: Whether gradients are made.
    """

    step: int
    dtype: torch.dtype | None
    smoothing: float
    learning: bool


class _CrossEntropySum(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        hidden: Tensor,
        weight: Tensor,
        bias: Tensor | None,
        labels: Tensor,
        how: _How,
    ) -> Tensor:
        with torch.autocast(hidden.device.type, enabled=False):
            total, *grads = _in_pieces(hidden, weight, bias, labels, how)
        ctx.save_for_backward(*grads)
        return total

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Any, ...]:
        of_hidden, of_weight, of_bias = (None if g is None else g * grad for g in ctx.saved_tensors)
        return of_hidden, of_weight, of_bias, None, None


def _in_pieces(
    hidden: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    labels: Tensor,
    how: _How,
) -> tuple[Tensor, Tensor | None, Tensor | None, Tensor | None]:
    """The loss, and the gradients of hidden, weight and bias where something is learnt."""
    step, learning = how.step, how.learning
    output = _Output(weight, bias, how, min(step, len(labels)))
    total = hidden.new_zeros((), dtype=output.exact)
    of_hidden = torch.empty_like(hidden) if learning else None
    of_weight = torch.zeros_like(weight) if learning else None
    of_bias = torch.zeros_like(bias) if learning and bias is not None else None
    for first in range(0, len(labels), step):
        part = hidden[first : first + step].to(output.table.dtype)
        logits, wanted = output.logits(part), labels[first : first + step]
        for few in range(0, len(part), output.few):
            rows = slice(few, few + output.few)
            total += output.losses(part[rows], logits[rows], wanted[rows]).sum()
        # `losses` has left the logits' gradient in their place.
        if of_hidden is not None and of_weight is not None:
            of_hidden[first : first + step] = product(logits, output.table)
            add_outer(of_weight, logits, part)
        if of_bias is not None:
            of_bias += logits.sum(0, dtype=output.exact)
        del logits  # before the next are made
    return total, of_hidden, of_weight, of_bias


class _Output:
    """The output table with room for the logits of a piece, so that none is asked for twice."""

    def __init__(self, weight: Tensor, bias: Tensor | None, how: _How, rows: int) -> None:
        self.exact = torch.promote_types(weight.dtype, torch.float32)
        self.table = weight.to(how.dtype or self.exact)
        self._smoothing = how.smoothing
        self._bias = None if bias is None else bias.to(self.table.dtype)
        # oneDNN writes into memory of its own.
        has_room = not uses_onednn(self.table, self.table)
        self._logits = self.table.new_empty(rows, len(weight)) if has_room else None
        # Rows whose probabilities, in full precision, stay in the processor's cache.
        self.few = max(1, _CHANCES_AT_ONCE // len(weight))

    def logits(self, part: Tensor) -> Tensor:
        """[n, D] to [n, V]; they are gone with the next call."""
        if self._logits is None:
            return linear(part, self.table, self._bias)
        logits = torch.mm(part, self.table.t(), out=self._logits[: len(part)])
        return logits if self._bias is None else logits.add_(self._bias)

    def losses(self, part: Tensor, logits: Tensor, labels: Tensor) -> Tensor:
        """Each loss, [n]; the logits become their gradients: p, less what the target has."""
        spread = self._spread(logits, labels) if self._smoothing else None
        room = logits if logits.dtype == self.exact else None
        chances = torch.softmax(logits, -1, dtype=self.exact, out=room)
        of_label = chances.gather(1, labels[:, None])[:, 0]
        losses = of_label.log().neg_()
        faint = (of_label < _TINY).nonzero()[:, 0]
        if len(faint):
            again = F.linear(part[faint], self.table, self._bias).to(self.exact)
            losses[faint] = F.cross_entropy(again, labels[faint], reduction="none")
        if spread is None:
            chances.scatter_(1, labels[:, None], (of_label - 1)[:, None])
        else:
            losses += spread
            at_label = of_label - 1 + self._smoothing
            chances.scatter_(1, labels[:, None], at_label[:, None])
            chances -= self._smoothing / chances.shape[1]
        if room is None:
            logits.copy_(chances)
        return losses

    def _spread(self, logits: Tensor, labels: Tensor) -> Tensor:
        """[n], what smoothing adds: a share of how far the label's logit is above their mean."""
        of_label = logits.gather(1, labels[:, None])[:, 0].to(self.exact)
        return self._smoothing * (of_label - logits.mean(1, dtype=self.exact))
