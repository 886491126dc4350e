"""Settings of the Reformer language model, and its presets."""

from typing import Any, Literal, Self

from pydantic import model_validator

from core.models.settings import (
    DROPOUT,
    LOSS_CHUNKS,
    POINTER,
    SMEAR,
    TIED_EMBEDDINGS,
    SequenceSettings,
    repeat_kinds,
)
from core.settings import option

AttentionName = Literal["lsh", "local", "full", "lsh-chunk", "local-chunk"]


class ReformerSettings(SequenceSettings):
    """The architecture of a Reformer language model."""

    family: Literal["reformer"] = option("reformer", "Family", "Model family.")
    length: int = option(
        4096, "Length", "Maximum sequence length.", unit="tokens", basic=True, ge=1
    )
    attention: tuple[AttentionName, ...] = option(
        # Local first: hashed first, some runs stay on a plateau (docs/reformer.md).
        ("local", "lsh"),
        "Attention",
        "Attention of each layer: lsh, local, full, lsh-chunk or local-chunk; repeated to fill the "
        "depth.",
        min_length=1,
    )
    rounds: int = option(2, "Rounds", "Number of hash rounds.", ge=1, le=32)
    bucket_size: int = option(
        64,
        "Bucket size",
        "Attention window: positions a query sees per hash round; also the chunk size.",
        unit="tokens",
        ge=1,
    )
    buckets: int = option(
        64, "Buckets", "Number of buckets per hash round: even, or 1 to disable hashing.",
        ge=1, le=32_766,
    )  # fmt: skip
    rotations: Literal["per-head", "shared"] = option(
        "per-head", "Rotations", "Random rotations for hashing: separate for each head, or shared."
    )
    positions: Literal["axial", "learned"] = option(
        "axial",
        "Positions",
        "Position embeddings: axial (two small tables) or learned (one large table).",
    )
    axial_rows: int | None = option(
        None,
        "Axial rows",
        "Rows of the first axial table; by default near the square root of the length.",
        ge=1,
    )
    shared_layers: bool = option(
        False, "Shared layers", "Share one layer's weights across the whole depth."
    )
    reversible: bool = option(
        True, "Reversible", "Recompute activations in the backward pass instead of storing them."
    )
    checkpointing: bool = option(
        False, "Checkpointing", "Gradient checkpointing for layers that are not reversible."
    )
    kept_mib: int = option(
        96,
        "Kept activations",
        "Reversible: memory for activations that are stored instead of recomputed.",
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
    tied_embeddings: bool = TIED_EMBEDDINGS
    smear: bool = SMEAR
    pointer: bool = POINTER
    dropout: float = DROPOUT
    seed: int = option(
        0, "Model seed", "Random seed of the initial weights, and of hashing at inference.",
        ge=0,
    )  # fmt: skip

    @model_validator(mode="after")
    def _go_together(self) -> Self:
        if self.checkpointing and self.reversible:
            raise ValueError("“checkpointing” is allowed only if “reversible” is off.")
        if self.buckets > 1 and self.buckets % 2:
            raise ValueError(f"The buckets must be 1 or an even number; they were {self.buckets}.")
        return self

    @property
    def kinds(self) -> tuple[AttentionName, ...]:
        """The attention kind of each layer."""
        return repeat_kinds(self.attention, self.depth)


_PAPER: dict[str, Any] = {
    "vocabulary_size": 320, "length": 24_576, "width": 512, "depth": 6, "heads": 8,
    "attention": ("lsh", "local-chunk"), "rounds": 2, "bucket_size": 64, "ff_chunks": 10,
    "axial_rows": 96, "shared_layers": True, "tied_embeddings": False,
}  # fmt: skip
PRESETS: dict[str, ReformerSettings] = {
    # Pre-training Reformer language models (2020): 3,307,840 parameters.
    "paper": ReformerSettings(**_PAPER),
    "paper-deep": ReformerSettings(
        **(
            _PAPER
            | {"vocabulary_size": 8192, "shared_layers": False, "attention": ("local", "lsh")}
        )
    ),
    "quick": ReformerSettings(vocabulary_size=2048, length=1024, width=128),
    "small": ReformerSettings(),
    "large": ReformerSettings(vocabulary_size=8192, length=65_536, width=512, depth=8, heads=8),
}
"""Sizes to begin with; `quick` learns within minutes on two CPU cores, `small` within hours;
`large` is for one modern GPU."""
