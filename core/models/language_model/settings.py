"""Settings of the decoder-only Transformer that summarises, and its presets."""

from typing import Any, Literal, Self

from pydantic import model_validator

from core.settings import Settings, option

SourceEmbeddings = Literal["scaled", "zero", "normal", "none"]
PresetName = Literal["paper-5", "paper-5-gpt"]


class LanguageModelSettings(Settings):
    """The architecture of a decoder-only Transformer."""

    family: Literal["language-model"] = option("language-model", "Family", "Model family.")
    vocabulary_size: int = option(
        4096, "Vocabulary", "Number of tokens in the vocabulary.", unit="tokens", ge=2
    )
    length: int = option(
        1024, "Length", "Maximum sequence length.", unit="tokens", basic=True, ge=1
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
    source_embeddings: SourceEmbeddings = option(
        "scaled",
        "Source embeddings",
        "How the embeddings of article and summary begin: scaled to half a word's norm, zero or "
        "normal; none: without them.",
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
    dropout: float = option(
        0.0, "Dropout", "Dropout rate of the embeddings and of each layer's output.", ge=0, lt=1
    )
    seed: int = option(0, "Model seed", "Random seed of the initial weights.", ge=0)

    @model_validator(mode="after")
    def _go_together(self) -> Self:
        if self.width % self.heads:
            raise ValueError(
                f"The heads must divide the width, but {self.heads} do not divide {self.width}."
            )
        return self

    @property
    def inner_width(self) -> int:
        """Inner width of the feed-forward layers."""
        return self.feed_forward_width or 4 * self.width


_GPT: dict[str, Any] = {
    "vocabulary_size": 40_478, "length": 624, "width": 768, "depth": 12, "heads": 12,
    "norm": "post", "dropout": 0.1,
}  # fmt: skip
PRESETS: dict[PresetName, LanguageModelSettings] = {
    # Efficient adaptation of pretrained transformers for abstractive summarization (2019): an
    # article of 512 tokens, <D>, a summary of 110, at a size that two processor cores can train.
    "paper-5": LanguageModelSettings(vocabulary_size=8192, length=624, dropout=0.1),
    # The same at the paper's size, which is GPT's.
    "paper-5-gpt": LanguageModelSettings(**_GPT),
}
"""Models of the paper. What it leaves open is said in docs/language-model.md."""
