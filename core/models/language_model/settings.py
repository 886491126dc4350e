"""Settings of the decoder-only Transformer that summarises, and its presets."""

from typing import Any, ClassVar, Literal

from core.models.settings import (
    CHECKPOINTING,
    EMBEDDINGS_DROPOUT,
    LOSS_CHUNKS,
    POINTER,
    SEED,
    SMEAR,
    TIED_EMBEDDINGS,
    SequenceSettings,
)
from core.settings import option

SourceEmbeddings = Literal["scaled", "zero", "normal", "none"]


class LanguageModelSettings(SequenceSettings):
    """The architecture of a decoder-only Transformer."""

    is_divided: ClassVar[bool] = True

    family: Literal["language-model"] = option("language-model", "Family", "Model family.")
    source_embeddings: SourceEmbeddings = option(
        "scaled",
        "Source embeddings",
        "How the embeddings of article and summary begin: scaled to half a word's norm, zero or "
        "normal; none: without them.",
    )
    norm: Literal["pre", "post"] = option(
        "pre", "Layer norm", "Normalise the input (pre) or the output (post) of each layer."
    )
    checkpointing: bool = CHECKPOINTING
    loss_chunks: int | None = LOSS_CHUNKS
    tied_embeddings: bool = TIED_EMBEDDINGS
    smear: bool = SMEAR
    pointer: bool = POINTER
    dropout: float = EMBEDDINGS_DROPOUT
    seed: int = SEED


_GPT: dict[str, Any] = {
    "vocabulary_size": 40_478, "length": 624, "width": 768, "depth": 12, "heads": 12,
    "norm": "post", "dropout": 0.1,
}  # fmt: skip
PRESETS: dict[str, LanguageModelSettings] = {
    # Efficient adaptation of pretrained transformers for abstractive summarization (2019): an
    # article of 512 tokens, <D>, a summary of 110, at a size that two processor cores can train.
    "paper-5": LanguageModelSettings(vocabulary_size=8192, length=624, dropout=0.1),
    # The same at the paper's size, which is GPT's.
    "paper-5-gpt": LanguageModelSettings(**_GPT),
}
"""Models of the paper. What it leaves open is said in docs/language-model.md."""
