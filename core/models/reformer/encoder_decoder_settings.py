"""Settings of the Reformer encoder-decoder."""

from typing import Literal, Self

from pydantic import model_validator

from core.models.special_tokens import SpecialTokens
from core.settings import Settings, option

EncoderAttentionName = Literal["full", "local"]


class ReformerEncoderDecoderSettings(Settings):
    """What a Reformer encoder-decoder is made of."""

    family: Literal["reformer-encoder-decoder"] = option(
        "reformer-encoder-decoder", "Family", "Model family."
    )
    vocabulary_size: int = option(
        4096, "Vocabulary", "Number of tokens in the vocabulary.", unit="tokens", ge=2
    )
    source_length: int = option(
        4096, "Source length", "Maximum length of the source.",
        unit="tokens", basic=True, ge=1,
    )  # fmt: skip
    target_length: int = option(
        512, "Target length", "Maximum length of the target.", unit="tokens", basic=True, ge=1
    )
    width: int = option(
        256, "Width", "Size of the hidden vectors (model dimension).", basic=True, ge=2
    )
    encoder_depth: int = option(
        4,
        "Encoder depth",
        "Number of encoder layers, each with attention and feed-forward.",
        basic=True,
        ge=1,
        le=10_000,
    )
    decoder_depth: int = option(
        4, "Decoder depth",
        "Number of decoder layers, each with self-attention, cross-attention and feed-forward.",
        basic=True, ge=1, le=10_000,
    )  # fmt: skip
    heads: int = option(4, "Heads", "Number of attention heads; must divide the width.", ge=1)
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
    dropout: float = option(0.0, "Dropout", "Dropout rate of each layer's output.", ge=0, lt=1)
    seed: int = option(0, "Model seed", "Random seed of the initial weights.", ge=0)

    @model_validator(mode="after")
    def _go_together(self) -> Self:
        if self.width % self.heads:
            raise ValueError(
                f"The heads must divide the width, but {self.heads} do not divide {self.width}."
            )
        return self

    def start_ids(self, special: SpecialTokens) -> tuple[int, ...]:
        """What every text that it writes begins with."""
        return (special.summary,)

    def end_id(self, special: SpecialTokens) -> int:
        """What ends every text that it writes."""
        return special.end

    @property
    def encoder_kinds(self) -> tuple[EncoderAttentionName, ...]:
        """The attention kind of each layer of the encoder."""
        kinds = self.encoder_attention
        return tuple(kinds[i % len(kinds)] for i in range(self.encoder_depth))
