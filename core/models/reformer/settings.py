"""Settings of the Reformer language model, and its presets."""

from typing import Any, Literal, Self

from pydantic import model_validator

from core.settings import Settings, option

AttentionName = Literal["lsh", "local", "full", "lsh-chunk", "local-chunk"]
PresetName = Literal["paper", "paper-deep", "quick", "small", "large"]


class ReformerSettings(Settings):
    """The architecture of a Reformer language model."""

    family: Literal["reformer"] = option("reformer", "Family", "Model family.")
    vocabulary_size: int = option(
        4096, "Vocabulary", "Number of tokens in the vocabulary.", unit="tokens", ge=2
    )
    length: int = option(
        4096, "Length", "Maximum sequence length.", unit="tokens", basic=True, ge=1
    )
    width: int = option(
        256, "Width", "Size of the hidden vectors (model dimension).", basic=True, ge=2
    )
    depth: int = option(
        4, "Depth", "Number of layers, each with attention and feed-forward.",
        basic=True, ge=1, le=10_000,
    )  # fmt: skip
    heads: int = option(4, "Heads", "Number of attention heads; must divide the width.", ge=1)
    feed_forward_width: int | None = option(
        None,
        "Feed-forward width",
        "Inner width of the feed-forward layers; by default 4 times the width.",
        ge=1,
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
    loss_chunks: int | None = option(
        None, "Loss chunks", "Number of chunks in the loss; by default chosen by the model.", ge=1
    )
    tied_embeddings: bool = option(
        True, "Tied embeddings", "Use the input embeddings as output weights as well."
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
    seed: int = option(
        0, "Model seed", "Random seed of the initial weights, and of hashing at inference.",
        ge=0,
    )  # fmt: skip

    @model_validator(mode="after")
    def _go_together(self) -> Self:
        if self.width % self.heads:
            raise ValueError(
                f"The heads must divide the width, but {self.heads} do not divide {self.width}."
            )
        if self.checkpointing and self.reversible:
            raise ValueError("“checkpointing” is allowed only if “reversible” is off.")
        if self.buckets > 1 and self.buckets % 2:
            raise ValueError(f"The buckets must be 1 or an even number; they were {self.buckets}.")
        return self

    @property
    def kinds(self) -> tuple[AttentionName, ...]:
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
    "quick": ReformerSettings(vocabulary_size=2048, length=1024, width=128),
    "small": ReformerSettings(),
    "large": ReformerSettings(vocabulary_size=8192, length=65_536, width=512, depth=8, heads=8),
}
"""Sizes to begin with; `quick` learns within minutes on two CPU cores, `small` within hours;
`large` is for one modern GPU."""
