"""Settings that model families share: the bases of their settings classes, and common options."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from pydantic import model_validator

from core.models.special_tokens import SpecialTokens
from core.settings import Settings, option

Kind = TypeVar("Kind")


class ModelSettings(Settings):
    """The architecture of a model of any family.

    A family's class is derived from `SequenceSettings` or `PairSettings`, and has a `family` of
    its own.
    """

    hidden_fields: ClassVar[frozenset[str]] = frozenset()
    """Fields that are read from a model's files: no form and no option shows them."""

    takes_prompt: ClassVar[bool] = False
    """True if the model reads a document within a prompt."""

    family: str = option("", "Family", "Model family.")

    if TYPE_CHECKING:  # fields of most families, properties of the others

        @property
        def vocabulary_size(self) -> int:
            """Number of tokens in the vocabulary."""

        @property
        def seed(self) -> int:
            """Random seed of the initial weights."""

    @classmethod
    def require(cls, settings: Settings) -> Self:
        """Returns settings that are of this class; raises `TypeError` if they are of another."""
        if not isinstance(settings, cls):
            raise TypeError(f"{type(settings).__name__} is not {cls.__name__}")
        return settings

    @property
    @abstractmethod
    def row_length(self) -> int:
        """Maximum number of tokens of a row, source and target together."""

    @abstractmethod
    def source_room(self, special: SpecialTokens, written: int) -> int:
        """Returns how many tokens of a document the model reads at once.

        Args:
            special: The ids of special tokens.
            written: Maximum number of tokens of the summary.

        Returns:
            One or more.
        """

    def start_ids(self, special: SpecialTokens) -> tuple[int, ...]:
        """The ids that every summary begins with."""
        return (special.summary,)

    def end_id(self, special: SpecialTokens) -> int:
        """The id that ends a summary."""
        return special.end

    def end_ids(self, special: SpecialTokens) -> tuple[int, ...]:
        """All ids that end a summary, `end_id` first."""
        return (self.end_id(special),)

    @property
    def is_chat(self) -> bool:
        """True if a language model is asked for a summary, within its chat template."""
        return False

    @property
    def is_gguf(self) -> bool:
        """True if llama.cpp computes the model, which writes then and is not trained."""
        return False

    @property
    def names_code(self) -> bool:
        """True if its files would have a library import code from elsewhere."""
        return False

    @property
    def without_lora(self) -> Self:
        """The settings of the model with its additions merged into its weights."""
        return self

    @property
    def free_fields(self) -> frozenset[str]:
        """The fields that a run may change when it starts from this model."""
        return frozenset()

    def with_free_fields(self, values: dict[str, Any]) -> "ModelSettings":
        """Returns the settings of a run that starts from this model.

        Args:
            values: Values by field; only those of free fields are used.

        Returns:
            Settings of the family, with its own fields for sizes.
        """
        return self

    def takes_over(self, given: "ModelSettings") -> bool:
        """True if a run that starts from this model may have these settings instead."""
        return False

    def editable_prompt(self, own: str = "") -> str:
        """The prompt that a user may change, or has set; empty for none."""
        return ""

    @property
    def convertible_length(self) -> int:
        """Positions of an encoder that can be made to read longer texts; 0 for other models."""
        return 0

    def remarks(self) -> tuple[str, ...]:
        """Facts that readers of its summaries should know, a sentence each."""
        return ()


class SequenceSettings(ModelSettings):
    """A language model: document and summary are one sequence of up to `length` tokens."""

    is_divided: ClassVar[bool] = False
    """True if the model is given the segment of each token: document or summary."""

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

    @model_validator(mode="after")
    def _check_heads(self) -> Self:
        check_heads(self.heads, self.width)
        return self

    @property
    def inner_width(self) -> int:
        """Inner width of the feed-forward layers."""
        return self.feed_forward_width or 4 * self.width

    @property
    def row_length(self) -> int:
        """As `ModelSettings`."""
        return self.length

    def source_room(self, special: SpecialTokens, written: int) -> int:
        """As `ModelSettings`; half of the sequence at most is kept for the summary."""
        return max(1, self.length - min(written, self.length // 2) - 1)


class PairSettings(ModelSettings):
    """A model that reads a source and writes a target, such as an encoder-decoder."""

    if TYPE_CHECKING:

        @property
        def source_length(self) -> int:
            """Maximum length of the source."""

        @property
        def target_length(self) -> int:
            """Maximum length of the target."""

    @property
    def target_positions(self) -> int:
        """Tokens that the decoder could write, however long a target may be."""
        return self.target_length

    @property
    def row_length(self) -> int:
        """As `ModelSettings`."""
        return self.source_length + self.target_length

    def source_room(self, special: SpecialTokens, written: int) -> int:
        """As `ModelSettings`."""
        return max(1, self.source_length - len(special.before) - len(special.after))


class EncoderDecoderSettings(PairSettings):
    """An encoder-decoder that is built from options."""

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


CHECKPOINTING = option(
    False, "Checkpointing", "Recompute each layer in the backward pass, to save memory."
)
LOSS_CHUNKS = option(
    None, "Loss chunks", "Number of chunks in the loss; by default chosen by the model.", ge=1
)
SHARED_EMBEDDINGS = option(
    True, "Shared embeddings", "Share the input embeddings of source and target."
)
TIED_EMBEDDINGS = option(
    True, "Tied embeddings", "Use the input embeddings as output weights as well."
)
TIED_TARGET_EMBEDDINGS = option(
    True, "Tied embeddings", "Use the target's input embeddings as output weights as well."
)
SMEAR = option(
    False,
    "Smear",
    "Add the previous token's embedding to each token's, through a learnt gate; helps copying.",
)
POINTER = option(
    False,
    "Pointer head",
    "Let the model copy: mix a distribution over the source's tokens into the output.",
)
DROPOUT = option(0.0, "Dropout", "Dropout rate of each layer's output.", ge=0, lt=1)
EMBEDDINGS_DROPOUT = option(
    0.0, "Dropout", "Dropout rate of the embeddings and of each layer's output.", ge=0, lt=1
)
SEED = option(0, "Model seed", "Random seed of the initial weights.", ge=0)


def check_heads(heads: int, width: int) -> None:
    """Refuses, as a `ValueError`, heads that do not divide the width."""
    if width % heads:
        raise ValueError(f"The heads must divide the width, but {heads} do not divide {width}.")


def repeat_kinds(kinds: Sequence[Kind], depth: int) -> tuple[Kind, ...]:
    """Returns the kind of each of `depth` layers, repeating the kinds that are named."""
    return tuple(kinds[i % len(kinds)] for i in range(depth))
