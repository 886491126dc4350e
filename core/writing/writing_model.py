"""What summaries ask of a model that writes, whatever computes it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, Self

from core.data.tokenizer import Tokenizer
from core.decoding.settings import DecodingSettings
from core.decoding.streaming import Decided
from core.errors import EpitomeError
from core.models.settings import ModelSettings
from core.models.special_tokens import SpecialTokens
from core.stop import StopToken
from core.training.library_folder import with_prompt


class Codec(Protocol):
    """What makes tokens of texts, and texts of tokens."""

    @property
    def special(self) -> SpecialTokens:
        """Its special tokens, with the frame round each source."""

    def encode_many(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of several texts, never a special one."""

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids; special ones are left out."""


@dataclass(frozen=True, kw_only=True)
class WritingModel(ABC):
    """A model that can write.

    Args:
        name: The run's name and the step of its checkpoint.
        settings: Its settings; a prompt in them is that of the tokenizer.
        tokenizer: What makes its tokens, and frames each source.
        decoding: How it wrote when it was validated.
        weights: The file of its weights.
        told: What else a reader should know, a sentence; empty for nothing.
        note: Says that a damaged checkpoint was replaced; empty where none was.
    """

    name: str
    settings: ModelSettings
    tokenizer: Codec
    decoding: DecodingSettings
    weights: Path
    told: str = ""
    note: str = ""

    @property
    def room(self) -> int:
        """How many tokens of a document it reads at once."""
        return self.settings.source_room(self.tokenizer.special, self.decoding.max_length)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a reader of its summaries should know, a sentence each."""
        notes = filter(None, (self.note,))
        return (*notes, *self.settings.remarks(), *filter(None, (self.told,)))

    def prompted(self, prompt: str) -> Self:
        """The same model with another prompt.

        Args:
            prompt: Holds {text} once; empty for the model's own.

        Returns:
            The model.

        Raises:
            EpitomeError: If the model takes no prompt, or the prompt is not allowed.
        """
        if not prompt:
            return self
        if not self.settings.takes_prompt:
            raise EpitomeError(
                f"The model {self.name} takes no prompt; only Hugging Face models do.",
                "Leave out the prompt.",
            )
        settings = type(self.settings).checked(self.settings.model_dump() | {"prompt": prompt})
        return replace(self, settings=settings, tokenizer=self._framed(settings))

    def _framed(self, model: ModelSettings) -> Codec:
        """The tokenizer with the frame of a model's settings."""
        assert isinstance(self.tokenizer, Tokenizer)
        return with_prompt(self.tokenizer, model)

    @abstractmethod
    def write(
        self, sources: Sequence[Sequence[int]], settings: DecodingSettings, stop: StopToken
    ) -> Iterator[Decided]:
        """Writes the text of each source, all side by side.

        Args:
            sources: [N] token ids of each source; any mixture of lengths.
            settings: How.
            stop: Read before each token; what is written by then is kept.

        Yields:
            Tokens of a text as they are decided, and the whole text with the last of them.

        Raises:
            EpitomeError: If the model cannot read a source, or its numbers are no numbers.
        """
