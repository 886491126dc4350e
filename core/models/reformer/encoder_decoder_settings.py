"""Settings of the Reformer encoder-decoder."""

from typing import Literal, Self

from pydantic import model_validator

from core.settings import Settings, option

EncoderAttentionName = Literal["full", "local"]


class ReformerEncoderDecoderSettings(Settings):
    """What a Reformer encoder-decoder is made of."""

    vocabulary_size: int = option(
        4096, "Vocabulary", "How many different tokens there are.", unit="tokens", ge=2
    )
    source_length: int = option(
        4096, "Source length", "The longest text it can read at once.",
        unit="tokens", basic=True, ge=1,
    )  # fmt: skip
    target_length: int = option(
        512, "Target length", "The longest text it can write.", unit="tokens", basic=True, ge=1
    )
    width: int = option(256, "Width", "Numbers that stand for a token.", basic=True, ge=2)
    encoder_depth: int = option(
        4, "Encoder depth", "Layers that read, each attention and feed-forward.", basic=True, ge=1
    )
    decoder_depth: int = option(
        4, "Decoder depth",
        "Layers that write, each attention to what is written, to what was read, and feed-forward.",
        basic=True, ge=1,
    )  # fmt: skip
    heads: int = option(4, "Heads", "Heads of attention; they divide the width.", ge=1)
    feed_forward_width: int | None = option(
        None, "Feed-forward width", "Inner width of feed-forward; 4 times the width if not given.",
        ge=1,
    )  # fmt: skip
    encoder_attention: tuple[EncoderAttentionName, ...] = option(
        ("full",),
        "Encoder attention",
        "What a position of the source attends to, layer by layer; begins again when there are "
        "more layers. full or local.",
        min_length=1,
    )
    window: int = option(
        64, "Window", "Positions that local attention sees to each side, its own counted.",
        unit="tokens", ge=1,
    )  # fmt: skip
    positions: Literal["axial", "learned"] = option(
        "axial", "Positions", "Position vectors: two small tables (axial), or one for each place."
    )
    shared_layers: bool = option(
        False, "Shared layers", "One layer's weights are used at every depth of a side."
    )
    reversible: bool = option(
        True, "Reversible", "Layers are recomputed in the backward pass instead of being kept."
    )
    kept_mib: int = option(
        48,
        "Kept activations",
        "Reversible: memory for what some layers of each side keep, so that less is recomputed.",
        unit="MiB",
        ge=0,
    )
    ff_chunks: int | None = option(
        None, "Feed-forward chunks", "Pieces of the sequence in feed-forward; chosen by the model.",
        ge=1,
    )  # fmt: skip
    loss_chunks: int | None = option(
        None, "Loss chunks", "Pieces of the sequence in the loss; chosen by the model.", ge=1
    )
    shared_embeddings: bool = option(
        True, "Shared embeddings", "Source and target are read with one table."
    )
    tied_embeddings: bool = option(
        True, "Tied embeddings", "Tokens of the target are read and predicted with one table."
    )
    dropout: float = option(
        0.0, "Dropout", "Share of each layer's output that is left out in training.", ge=0, lt=1
    )
    seed: int = option(0, "Model seed", "Draws the first weights.", ge=0)

    @model_validator(mode="after")
    def _go_together(self) -> Self:
        if self.width % self.heads:
            raise ValueError(
                f"The heads must divide the width, but {self.heads} do not divide {self.width}."
            )
        return self

    @property
    def encoder_kinds(self) -> tuple[EncoderAttentionName, ...]:
        """The attention kind of each layer of the encoder."""
        kinds = self.encoder_attention
        return tuple(kinds[i % len(kinds)] for i in range(self.encoder_depth))
