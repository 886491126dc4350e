"""Settings of the Reformer language model, and its presets."""

from typing import Any, Literal, Self

from pydantic import model_validator

from core.settings import Settings, option

AttentionKind = Literal["lsh", "local", "full", "lsh-chunk", "local-chunk"]
PresetName = Literal["paper", "paper-deep", "small", "large"]


class ReformerSettings(Settings):
    """What a Reformer language model is made of."""

    vocabulary_size: int = option(
        4096, "Vocabulary", "How many different tokens there are.", unit="tokens", ge=2
    )
    length: int = option(
        4096, "Length", "The longest text it can read at once.", unit="tokens", basic=True, ge=1
    )
    width: int = option(256, "Width", "Numbers that stand for a token.", basic=True, ge=2)
    depth: int = option(4, "Depth", "Layers, each attention and feed-forward.", basic=True, ge=1)
    heads: int = option(4, "Heads", "Heads of attention; they divide the width.", ge=1)
    feed_forward_width: int | None = option(
        None, "Feed-forward width", "Inner width of feed-forward; 4 times the width if not given.",
        ge=1,
    )  # fmt: skip
    attention: tuple[AttentionKind, ...] = option(
        # Local first: hashed first, some runs stay on a plateau (docs/reformer.md).
        ("local", "lsh"),
        "Attention",
        "What a position attends to, layer by layer; begins again when there are more layers. "
        "lsh, local, full, lsh-chunk or local-chunk.",
        min_length=1,
    )
    rounds: int = option(2, "Rounds", "Rounds of hashing.", ge=1, le=32)
    bucket_size: int = option(
        64, "Bucket size", "Positions a query sees in a round, and the size of chunks.",
        unit="tokens", ge=1,
    )  # fmt: skip
    buckets: int = option(
        64, "Buckets", "Buckets of a round of hashing, an even number; 1 means no hashing.",
        ge=1, le=32_766,
    )  # fmt: skip
    rotations: Literal["per-head", "shared"] = option(
        "per-head", "Rotations", "Whether each head hashes by its own random directions."
    )
    positions: Literal["axial", "learned"] = option(
        "axial", "Positions", "Position vectors: two small tables (axial), or one for each place."
    )
    axial_rows: int | None = option(
        None, "Axial rows", "Rows of the first axial table; chosen near the root of the length.",
        ge=1,
    )  # fmt: skip
    shared_layers: bool = option(
        False, "Shared layers", "One layer's weights are used at every depth."
    )
    reversible: bool = option(
        True, "Reversible", "Layers are recomputed in the backward pass instead of being kept."
    )
    checkpointing: bool = option(
        False, "Checkpointing", "Not reversible: only the streams are kept, all else is recomputed."
    )
    kept_mib: int = option(
        96,
        "Kept activations",
        "Reversible: memory for what some layers keep, so that less is recomputed.",
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
    tied_embeddings: bool = option(
        True, "Tied embeddings", "Tokens are read and predicted with one table."
    )
    dropout: float = option(
        0.0, "Dropout", "Share of each layer's output that is left out in training.", ge=0, lt=1
    )
    seed: int = option(
        0, "Model seed", "Draws the first weights, and the directions of hashing when it reads.",
        ge=0,
    )  # fmt: skip

    @model_validator(mode="after")
    def _go_together(self) -> Self:
        if self.width % self.heads:
            raise ValueError(
                f"The heads must divide the width, but {self.heads} do not divide {self.width}."
            )
        if self.checkpointing and self.reversible:
            raise ValueError("“checkpointing” is for stacks that are not reversible.")
        if self.buckets > 1 and self.buckets % 2:
            raise ValueError(f"The buckets must be 1 or an even number; they were {self.buckets}.")
        return self

    @property
    def kinds(self) -> tuple[AttentionKind, ...]:
        """The attention kind of each layer."""
        return tuple(self.attention[i % len(self.attention)] for i in range(self.depth))


_PAPER: dict[str, Any] = {
    "vocabulary_size": 320, "length": 24_576, "width": 512, "depth": 6, "heads": 8,
    "attention": ("lsh", "local-chunk"), "rounds": 2, "bucket_size": 64, "ff_chunks": 10,
    "axial_rows": 96, "shared_layers": True, "tied_embeddings": False,
}  # fmt: skip
PRESETS: dict[PresetName, ReformerSettings] = {
    # Pre-training Reformer language models (2020): 3,307,840 parameters.
    "paper": ReformerSettings(**_PAPER),
    "paper-deep": ReformerSettings(
        **(
            _PAPER
            | {"vocabulary_size": 8192, "shared_layers": False, "attention": ("local", "lsh")}
        )
    ),
    "small": ReformerSettings(),
    "large": ReformerSettings(vocabulary_size=8192, length=65_536, width=512, depth=8, heads=8),
}
"""Sizes to begin with; `small` is for two CPU cores, `large` for one modern GPU."""
