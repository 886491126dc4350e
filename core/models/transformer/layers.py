"""Layers of encoder and decoder: sub-layers, each with a residual connection and a norm."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import torch.nn.functional as F
from torch import Tensor, nn

from core.models.parts.products import Linear
from core.models.parts.randomness import Randomness, dropped
from core.models.transformer.attention import (
    CausalAttention,
    CausalCompressedAttention,
    CausalLayer,
    ChunkedAttention,
    CompressedAttention,
    CrossAttention,
    FullAttention,
    SelfLayer,
)
from core.models.transformer.convolution import CausalLightConvolution, LightConvolution
from core.models.transformer.settings import DecoderKind, EncoderKind, TransformerSettings


@dataclass(frozen=True)
class Dropout:
    """What training leaves out of the outputs of a stack.

    Args:
        share: The share of each output.
        randomness: What a training step draws from; None in evaluation.
        side: Which stack: their draws differ.
    """

    share: float
    randomness: Randomness | None
    side: Literal["encoder", "decoder"]

    def __call__(self, x: Tensor, depth: int, layer: str) -> Tensor:
        """[B, T, D] with a share left out."""
        where = slice(0, x.shape[1])
        return dropped(x, where, self.share, self.randomness, depth, f"{self.side} {layer}")


class FeedForward(nn.Module):
    """A layer that looks at each position alone: widen, ReLU, narrow.

    Args:
        width: D.
        inner: Inner width.
    """

    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.widen = Linear(width, inner)
        self.narrow = Linear(inner, width)

    def forward(self, x: Tensor) -> Tensor:
        """[…, D] to […, D]."""
        narrowed: Tensor = self.narrow(F.relu(self.widen(x)))
        return narrowed


class Residual(nn.Module):
    """A layer norm, and the residual connection around a sub-layer.

    Args:
        width: D.
        norm: Whether the norm comes before the sub-layer or after the sum.
    """

    def __init__(self, width: int, norm: Literal["pre", "post"]) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.is_pre = norm == "pre"

    def forward(self, x: Tensor, sub_layer: Callable[[Tensor], Tensor]) -> Tensor:
        """[…, D] to […, D]."""
        if self.is_pre:
            return x + sub_layer(self.norm(x))
        normed: Tensor = self.norm(x + sub_layer(x))
        return normed


class EncoderLayer(nn.Module):
    """A layer of the encoder.

    Args:
        settings: The model's.
        depth: Which layer, from 0.
    """

    def __init__(self, settings: TransformerSettings, depth: int) -> None:
        super().__init__()
        self.depth = depth
        self.attention = encoder_self_layer(settings, settings.encoder_kinds[depth], depth)
        self.feed_forward = FeedForward(settings.width, settings.inner_width)
        self.around_attention = Residual(settings.width, settings.norm)
        self.around_feed_forward = Residual(settings.width, settings.norm)

    def forward(self, x: Tensor, present: Tensor | None, dropout: Dropout) -> Tensor:
        """[B, T, D] to [B, T, D]; padding stands behind."""

        def attend(normed: Tensor) -> Tensor:
            return dropout(self.attention(normed, present), self.depth, "attention")

        def feed_forward(normed: Tensor) -> Tensor:
            return dropout(self.feed_forward(normed), self.depth, "feed-forward")

        return self.around_feed_forward(self.around_attention(x, attend), feed_forward)


class DecoderLayer(nn.Module):
    """A layer of the decoder.

    Args:
        settings: The model's.
        depth: Which layer, from 0.
    """

    def __init__(self, settings: TransformerSettings, depth: int) -> None:
        super().__init__()
        self.depth = depth
        sizes = settings.width, settings.heads, settings.size_of_head
        self.attention = decoder_self_layer(settings, settings.decoder_kinds[depth])
        self.cross_attention = CrossAttention(*sizes)
        self.feed_forward = FeedForward(settings.width, settings.inner_width)
        self.around_attention = Residual(settings.width, settings.norm)
        self.around_cross_attention = Residual(settings.width, settings.norm)
        self.around_feed_forward = Residual(settings.width, settings.norm)

    def forward(
        self, x: Tensor, memory: Tensor, present: Tensor | None, dropout: Dropout
    ) -> Tensor:
        """[B, T, D] and the memory, [B, S, D], to [B, T, D]."""

        def attend(normed: Tensor) -> Tensor:
            return dropout(self.attention(normed, None), self.depth, "attention")

        def look_up(normed: Tensor) -> Tensor:
            found = self.cross_attention(normed, memory, present)
            return dropout(found, self.depth, "cross-attention")

        def feed_forward(normed: Tensor) -> Tensor:
            return dropout(self.feed_forward(normed), self.depth, "feed-forward")

        x = self.around_cross_attention(self.around_attention(x, attend), look_up)
        return self.around_feed_forward(x, feed_forward)


def encoder_self_layer(settings: TransformerSettings, kind: EncoderKind, depth: int) -> SelfLayer:
    """The layer of an encoder kind; shifted chunks begin half a chunk earlier in odd layers."""
    sizes = settings.width, settings.heads, settings.size_of_head
    chunk = settings.chunk_size
    match kind:
        case "full":
            return FullAttention(*sizes)
        case "local":
            return ChunkedAttention(*sizes, chunk, chunk)
        case "shifted":
            return ChunkedAttention(*sizes, chunk, chunk // 2 if depth % 2 else chunk)
        case "light-convolution":
            return LightConvolution(*sizes, settings.kernel_size)
        case "memory-compressed":
            return CompressedAttention(*sizes, settings.compression)


def decoder_self_layer(settings: TransformerSettings, kind: DecoderKind) -> CausalLayer:
    """The causal layer of a decoder kind."""
    sizes = settings.width, settings.heads, settings.size_of_head
    match kind:
        case "full":
            return CausalAttention(*sizes)
        case "light-convolution":
            return CausalLightConvolution(*sizes, settings.kernel_size)
        case "memory-compressed":
            return CausalCompressedAttention(*sizes, settings.compression)
