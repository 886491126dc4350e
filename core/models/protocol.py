"""What training and decoding ask of a model, whatever its family."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Protocol, TypeVar

from torch import Tensor, nn

from core.models.parts.randomness import Randomness
from core.models.settings import ModelSettings

State = TypeVar("State")
"""What a model remembers of the rows it is writing: its caches, and all else it needs."""


class Model(nn.Module, ABC):
    """A model that learns; its family says which batches it takes."""

    settings: ModelSettings
    starts_at_frequencies: ClassVar[bool] = False
    """True if a new model first learns how frequent each token is, by `init_unigram_bias`."""

    def init_unigram_bias(self, counts: Tensor) -> None:
        """Makes a new model predict each token as often as `counts`, [V] float, says."""
        raise NotImplementedError

    @abstractmethod
    def loss(
        self, batch: Any, randomness: Randomness | None = None, smoothing: float = 0.0
    ) -> Tensor:
        """The summed cross-entropy of a batch's labels.

        Args:
            batch: A `Batch` for language models, a `PairBatch` for encoder-decoders.
            randomness: What a training step draws from; None in evaluation.
            smoothing: Share of each target token that is spread over all tokens.

        Returns:
            A scalar in nats, over all positions that carry loss.
        """


class Decodable(Protocol[State]):
    """A model that writes token by token.

    N rows are written side by side; how many, changes from step to step. All tensors lie on the
    model's device, which is that of `room`. A state is used once: `advance` and `reorder` may
    change it in place, so only what they give back may be used further.
    """

    @property
    def vocabulary_size(self) -> int:
        """V: how many tokens it chooses from."""

    @property
    def start_ids(self) -> Sequence[int]:
        """The ids every row begins with, fed before anything is chosen; one or more."""

    @property
    def end_id(self) -> int:
        """The token that ends a row; it is never fed."""

    def begin(self, sources: Sequence[Sequence[int]]) -> State:
        """Reads the sources, up to but without the start ids.

        Args:
            sources: [N] token ids of each source; any mixture of lengths, one source or more.

        Returns:
            The state of N rows, in the order of the sources.

        Raises:
            EpitomeError: If a source is longer than the model reads, or empty where it may not be.
        """

    def advance(self, state: State, tokens: Tensor) -> tuple[Tensor, State]:
        """Feeds one token to each row; takes one from the room of each.

        Args:
            state: The state of N rows, each with room.
            tokens: [N] int64.

        Returns:
            [N, V] float32 or float64, the log-probabilities of what comes next, the caller's to
            write into; and the state after the tokens.
        """

    def reorder(self, state: State, rows: Tensor) -> State:
        """Takes rows out, repeats them and changes their order.

        Args:
            state: The state of any number of rows.
            rows: [N] int64, the old row that each new one goes on from; repeats are allowed.

        Returns:
            The state of N rows.
        """

    def room(self, state: State) -> Tensor:
        """How many tokens each row can still be fed.

        Args:
            state: The state of N rows.

        Returns:
            [N] int64.
        """
