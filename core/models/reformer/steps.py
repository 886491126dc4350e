"""What layers of both Reformers share: where a layer stands, and feed-forward.

A layer's weights may serve at several depths; what differs between depths and steps (random draws,
padding, what is wanted) stands here.
"""

from dataclasses import dataclass
from typing import Any, Literal

import torch.nn.functional as F
from torch import Tensor

from core.models.parts.layers import FeedForward
from core.models.parts.randomness import Randomness, dropped
from core.models.parts.residual import PiecewiseFunction, split_evenly
from core.models.parts.reversible import Gradients

# Positions that a layer works on at once, unless the settings say: what is inside then stays in the
# processor's cache.
_FEED_FORWARD_AT_ONCE = 1024
_ATTENTION_AT_ONCE = 2048


@dataclass(frozen=True)
class Situation:
    """What all layers of a pass through a stack share.

    Args:
        depth: Blocks of the stack.
        num_rows: B.
        present: [B, T] bool, False at padding; None without padding.
        randomness: What a training step draws from; None in evaluation.
        needed: The positions whose output is wanted; None for all. The last block does no others.
        dropout: Share of each layer's output that is left out in training.
        ff_chunks: Pieces of the sequence in feed-forward; None lets the processor's cache decide.
        side: Which stack it is, where a model has two: their draws differ.
    """

    depth: int
    num_rows: int
    present: Tensor | None
    randomness: Randomness | None
    needed: slice | None = None
    dropout: float = 0.0
    ff_chunks: int | None = None
    side: Literal["", "encoder ", "decoder "] = ""


@dataclass(frozen=True)
class Step:
    """A layer at one depth.

    Args:
        depth: Which block it belongs to, from 0.
        situation: What the pass is about.
    """

    depth: int
    situation: Situation

    def wanted(self, num_positions: int) -> slice:
        """The positions whose output is wanted."""
        needed = self.situation.needed
        if needed is None or self.depth + 1 < self.situation.depth:
            return slice(0, num_positions)
        return needed

    def in_pieces(self, where: slice) -> list[slice]:
        """Positions in pieces that attention works on at once."""
        return self._split(where, _ATTENTION_AT_ONCE)

    def _split(self, where: slice, at_once: int) -> list[slice]:
        few = max(1, at_once // self.situation.num_rows)
        return split_evenly(where, -(-(where.stop - where.start) // few))

    def dropped(self, x: Tensor, where: slice, layer: str) -> Tensor:
        """[B, t, D], an output at some positions, with what training leaves out of it."""
        about = self.situation
        return dropped(x, where, about.dropout, about.randomness, self.depth, about.side + layer)


@dataclass(frozen=True)
class FeedForwardStep(Step, PiecewiseFunction):
    """The feed-forward layer at one depth.

    Args:
        layer: Its weights.
        keeps_wide: Whether it also keeps what is wide, if it keeps anything.
    """

    layer: FeedForward
    keeps_wide: bool = False

    def weights(self) -> list[Tensor]:
        """Its parameters."""
        return list(self.layer.parameters())

    def pieces(self, num_positions: int) -> list[slice]:
        """As many as the settings say, or as fit the processor's cache."""
        where = self.wanted(num_positions)
        chunks = self.situation.ff_chunks
        return split_evenly(where, chunks) if chunks else self._split(where, _FEED_FORWARD_AT_ONCE)

    def run(self, x: Tensor, piece: slice, memory: Tensor | None) -> Tensor:
        """[B, t, D] to [B, t, D]."""
        return self.dropped(self.layer(x), piece, "feed-forward")

    def add(self, x: Tensor, total: Tensor, memory: Tensor | None, keep: bool) -> Any:
        """As `ResidualFunction`; what it keeps is the stream as it was, and perhaps what is wide.

        The stream is little, and spares the recomputation its second half: the output is not
        needed then.
        """
        if not keep:
            return super().add(x, total, None, keep)
        before = total[:, self.wanted(x.shape[1])].clone()
        wides: list[Tensor | None] = []
        for piece in self.pieces(x.shape[1]):
            wide = self.layer.wide(x[:, piece])
            out = self.layer.narrow(F.gelu(wide))
            total[:, piece] += self.dropped(out, piece, "feed-forward")
            wides.append(wide if self.keeps_wide else None)
        return before, wides

    def rewind(
        self,
        x: Tensor,
        total: Tensor,
        dx: Tensor,
        dtotal: Tensor,
        memory: Tensor | None,
        kept: Any,
        gradients: Gradients,
    ) -> None:
        """As `ResidualFunction`."""
        if not kept:
            super().rewind(x, total, dx, dtotal, None, kept, gradients)
            return
        before, wides = kept
        total[:, self.wanted(x.shape[1])] = before
        for piece, wide in zip(self.pieces(x.shape[1]), wides, strict=True):
            pull = self.dropped(dtotal[:, piece], piece, "feed-forward")
            dx[:, piece] += self.layer.pulled(x[:, piece], pull, wide, gradients)
