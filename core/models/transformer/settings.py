"""Settings of the encoder-decoder Transformer, and its presets."""

from typing import Any, Literal, Self

from pydantic import model_validator

from core.models.special_tokens import SpecialTokens
from core.settings import Settings, option

EncoderKind = Literal["full", "local", "shifted", "light-convolution", "memory-compressed"]
DecoderKind = Literal["full", "light-convolution", "memory-compressed"]
PresetName = Literal["paper-2", "paper-4"]


class TransformerSettings(Settings):
    """The architecture of an encoder-decoder Transformer."""

    family: Literal["transformer"] = option("transformer", "Family", "Model family.")
    vocabulary_size: int = option(
        4096, "Vocabulary", "Number of tokens in the vocabulary.", unit="tokens", ge=2
    )
    source_length: int = option(
        1024, "Source length", "Maximum length of the source.", unit="tokens", basic=True, ge=1
    )
    target_length: int = option(
        256, "Target length", "Maximum length of the target.", unit="tokens", basic=True, ge=1
    )
    width: int = option(
        256, "Width", "Size of the hidden vectors (model dimension).", basic=True, ge=2
    )
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
    checkpointing: bool = option(
        False, "Checkpointing", "Recompute each layer in the backward pass, to save memory."
    )
    loss_chunks: int | None = option(
        None, "Loss chunks", "Number of chunks in the loss; by default chosen by the model.", ge=1
    )
    shared_embeddings: bool = option(
        True, "Shared embeddings", "Share the input embeddings of source and target."
    )
    tied_embeddings: bool = option(
        True, "Tied embeddings", "Use the target's input embeddings as output weights as well."
    )
    smear: bool = option(
        False,
        "Smear",
        "Add the previous token's embedding to each token's, through a learnt gate; helps copying.",
    )
    pointer: bool = option(
        False,
        "Pointer head",
        "Let the model copy: mix a distribution over the source's tokens into the output.",
    )
    dropout: float = option(
        0.0, "Dropout", "Dropout rate of the embeddings and of each layer's output.", ge=0, lt=1
    )
    seed: int = option(0, "Model seed", "Random seed of the initial weights.", ge=0)

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

    def start_ids(self, special: SpecialTokens) -> tuple[int, ...]:
        """The ids that every text it writes begins with."""
        return (special.summary,)

    def end_id(self, special: SpecialTokens) -> int:
        """The id that ends every text it writes."""
        return special.end

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
        kinds = self.encoder_attention
        return tuple(kinds[i % len(kinds)] for i in range(self.encoder_depth))

    @property
    def decoder_kinds(self) -> tuple[DecoderKind, ...]:
        """The kind of each decoder layer's self-attention."""
        kinds = self.decoder_attention
        return tuple(kinds[i % len(kinds)] for i in range(self.decoder_depth))


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
PRESETS: dict[PresetName, TransformerSettings] = {
    # Faster Transformers for text summarization: sources of 400 tokens. It gives no sizes.
    "paper-2": TransformerSettings(
        vocabulary_size=8192, source_length=400, target_length=128, norm="post", dropout=0.1
    ),
    # Analysis of Transformers applied to abstractive text summarization (2020), its table 1.
    "paper-4": TransformerSettings(**_PAPER_4),
}
"""Models of the papers. What a paper leaves open is said in docs/transformer.md."""
