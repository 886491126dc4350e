"""Settings of the encoder-decoder Transformer, and its presets."""

from typing import Any, Literal, Self

from pydantic import model_validator

from core.models.settings import (
    CHECKPOINTING,
    EMBEDDINGS_DROPOUT,
    LOSS_CHUNKS,
    POINTER,
    SEED,
    SHARED_EMBEDDINGS,
    SMEAR,
    TIED_TARGET_EMBEDDINGS,
    EncoderDecoderSettings,
    repeat_kinds,
)
from core.settings import option

EncoderKind = Literal["full", "local", "shifted", "light-convolution", "memory-compressed"]
DecoderKind = Literal["full", "light-convolution", "memory-compressed"]


class TransformerSettings(EncoderDecoderSettings):
    """The architecture of an encoder-decoder Transformer."""

    family: Literal["transformer"] = option("transformer", "Family", "Model family.")
    encoder_depth: int = option(
        3,
        "Encoder depth",
        "Number of encoder layers, each with attention and feed-forward.",
        basic=True,
        ge=1,
        le=10_000,
    )
    decoder_depth: int = option(
        3,
        "Decoder depth",
        "Number of decoder layers, each with self-attention, cross-attention and feed-forward.",
        basic=True,
        ge=1,
        le=10_000,
    )
    heads: int = option(
        4, "Heads", "Number of attention heads; also the channel groups of light convolutions.",
        ge=1,
    )  # fmt: skip
    head_width: int | None = option(
        None,
        "Head width",
        "Size of each head's vectors; by default the width divided by the heads.",
        ge=1,
    )
    feed_forward_width: int | None = option(
        None,
        "Feed-forward width",
        "Inner width of the feed-forward layers; by default 4 times the width.",
        ge=1,
    )
    encoder_attention: tuple[EncoderKind, ...] = option(
        ("full",),
        "Encoder attention",
        "Attention of each encoder layer: full, local, shifted, light-convolution or "
        "memory-compressed; repeated.",
        min_length=1,
    )
    decoder_attention: tuple[DecoderKind, ...] = option(
        ("full",),
        "Decoder attention",
        "Self-attention of each decoder layer: full, light-convolution or memory-compressed; "
        "repeated.",
        min_length=1,
    )
    chunk_size: int = option(
        64, "Chunk size", "Chunk size of local attention; shifted shifts it by half in odd layers.",
        unit="tokens", ge=1,
    )  # fmt: skip
    kernel_size: int = option(
        15, "Kernel size", "Window of light convolutions.", unit="tokens", ge=1
    )
    compression: int = option(
        3,
        "Compression",
        "Positions that memory-compressed attention merges into one key and value.",
        unit="tokens",
        ge=1,
    )
    shortening: int = option(
        1,
        "Shortening",
        "Factor by which strided convolutions shorten the source before the encoder; 1 disables.",
        ge=1,
    )
    positions: Literal["sinusoidal", "learned", "none"] = option(
        "sinusoidal", "Positions", "Position embeddings: sinusoidal (fixed), learned or none."
    )
    norm: Literal["pre", "post"] = option(
        "pre", "Layer norm", "Normalise the input (pre) or the output (post) of each layer."
    )
    checkpointing: bool = CHECKPOINTING
    loss_chunks: int | None = LOSS_CHUNKS
    shared_embeddings: bool = SHARED_EMBEDDINGS
    tied_embeddings: bool = TIED_TARGET_EMBEDDINGS
    smear: bool = SMEAR
    pointer: bool = POINTER
    dropout: float = EMBEDDINGS_DROPOUT
    seed: int = SEED

    @model_validator(mode="after")
    def _go_together(self) -> Self:
        if self.head_width is None and self.width % self.heads:
            raise ValueError(
                f"{self.heads} heads do not divide the width {self.width}: set “head_width”, or "
                "other heads."
            )
        if self.pointer and self.shortening > 1:
            raise ValueError(
                "A pointer head copies single tokens: “shortening” must be 1 with “pointer”; it "
                f"was {self.shortening}."
            )
        return self

    @property
    def size_of_head(self) -> int:
        """Size of each head's vectors."""
        return self.head_width or self.width // self.heads

    @property
    def inner_width(self) -> int:
        """Inner width of the feed-forward layers."""
        return self.feed_forward_width or 4 * self.width

    @property
    def memory_length(self) -> int:
        """Maximum number of vectors that the encoder gives to the decoder."""
        return -(-self.source_length // self.shortening)

    @property
    def strides(self) -> list[int]:
        """Strides of the convolutions that shorten the source, the smallest first."""
        return prime_factors(self.shortening)

    @property
    def encoder_kinds(self) -> tuple[EncoderKind, ...]:
        """The kind of each encoder layer."""
        return repeat_kinds(self.encoder_attention, self.encoder_depth)

    @property
    def decoder_kinds(self) -> tuple[DecoderKind, ...]:
        """The kind of each decoder layer's self-attention."""
        return repeat_kinds(self.decoder_attention, self.decoder_depth)


def prime_factors(number: int) -> list[int]:
    """The prime factors of a positive whole number, from the smallest: 12 is 2, 2, 3."""
    found, factor = [], 2
    while number > 1:
        if number % factor == 0:
            found.append(factor)
            number //= factor
        else:
            factor += 1
    return found


_PAPER_4: dict[str, Any] = {
    "vocabulary_size": 8192, "source_length": 512, "target_length": 128, "width": 256,
    "encoder_depth": 2, "decoder_depth": 2, "heads": 6, "head_width": 64,
    "feed_forward_width": 1024, "norm": "post", "dropout": 0.1,
}  # fmt: skip
PRESETS: dict[str, TransformerSettings] = {
    # Faster Transformers for text summarization: sources of 400 tokens. It gives no sizes.
    "paper-2": TransformerSettings(
        vocabulary_size=8192, source_length=400, target_length=128, norm="post", dropout=0.1
    ),
    # Analysis of Transformers applied to abstractive text summarization (2020), its table 1.
    "paper-4": TransformerSettings(**_PAPER_4),
}
"""Models of the papers. What a paper leaves open is said in docs/transformer.md."""
