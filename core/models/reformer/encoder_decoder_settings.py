"""Settings of the Reformer encoder-decoder."""

from typing import Literal, Self

from pydantic import model_validator

from core.models.settings import (
    DROPOUT,
    LOSS_CHUNKS,
    POINTER,
    SEED,
    SHARED_EMBEDDINGS,
    SMEAR,
    TIED_TARGET_EMBEDDINGS,
    EncoderDecoderSettings,
    check_heads,
    repeat_kinds,
)
from core.settings import option

EncoderAttentionName = Literal["full", "local"]


class ReformerEncoderDecoderSettings(EncoderDecoderSettings):
    """The architecture of a Reformer encoder-decoder."""

    family: Literal["reformer-encoder-decoder"] = option(
        "reformer-encoder-decoder", "Family", "Model family."
    )
    source_length: int = option(
        4096, "Source length", "Maximum length of the source.", unit="tokens", basic=True, ge=1
    )
    target_length: int = option(
        512, "Target length", "Maximum length of the target.", unit="tokens", basic=True, ge=1
    )
    feed_forward_width: int | None = option(
        None,
        "Feed-forward width",
        "Inner width of the feed-forward layers; by default 4 times the width.",
        ge=1,
    )
    encoder_attention: tuple[EncoderAttentionName, ...] = option(
        ("full",),
        "Encoder attention",
        "Attention of each encoder layer: full or local; repeated to fill the depth.",
        min_length=1,
    )
    window: int = option(
        64, "Window", "Positions that local attention sees on each side, including its own.",
        unit="tokens", ge=1,
    )  # fmt: skip
    positions: Literal["axial", "learned"] = option(
        "axial",
        "Positions",
        "Position embeddings: axial (two small tables) or learned (one large table).",
    )
    shared_layers: bool = option(
        False,
        "Shared layers",
        "Share one layer's weights across the encoder, and one across the decoder.",
    )
    reversible: bool = option(
        True, "Reversible", "Recompute activations in the backward pass instead of storing them."
    )
    kept_mib: int = option(
        48,
        "Kept activations",
        "Reversible: memory, on each side, for activations that are stored instead of recomputed.",
        unit="MiB",
        ge=0,
    )
    ff_chunks: int | None = option(
        None,
        "Feed-forward chunks",
        "Number of chunks in the chunked feed-forward; by default chosen by the model.",
        ge=1,
    )
    loss_chunks: int | None = LOSS_CHUNKS
    shared_embeddings: bool = SHARED_EMBEDDINGS
    tied_embeddings: bool = TIED_TARGET_EMBEDDINGS
    smear: bool = SMEAR
    pointer: bool = POINTER
    dropout: float = DROPOUT
    seed: int = SEED

    @model_validator(mode="after")
    def _go_together(self) -> Self:
        check_heads(self.heads, self.width)
        return self

    @property
    def inner_width(self) -> int:
        """Inner width of the feed-forward layers."""
        return self.feed_forward_width or 4 * self.width

    @property
    def encoder_kinds(self) -> tuple[EncoderAttentionName, ...]:
        """The attention kind of each layer of the encoder."""
        return repeat_kinds(self.encoder_attention, self.encoder_depth)
