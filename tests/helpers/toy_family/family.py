"""A model family that only the tests know: its settings, and what the program is to know of it."""

from typing import Literal

from core.models.family import ModelFamily
from core.models.layer_stack import ChunkedStack
from core.models.settings import SequenceSettings
from core.settings import option


class ToySettings(SequenceSettings):
    """The architecture of a model that adds up what it has read."""

    family: Literal["toy"] = option("toy", "Family", "Model family.")
    decay: float = option(0.9, "Decay", "How much of the sum stays at each token.", gt=0, le=1)
    seed: int = option(0, "Model seed", "Random seed of the initial weights.", ge=0)


class ToyFamily(ModelFamily[ToySettings]):
    """Models of a table of embeddings alone."""

    def num_parameters(self, settings: ToySettings) -> int:
        """As `ModelFamily`."""
        return 2 * settings.vocabulary_size * settings.width

    def stacks(self, settings: ToySettings, rows: int) -> tuple[ChunkedStack, ...]:
        """As `ModelFamily`."""
        return (
            ChunkedStack(
                rows, settings.length, settings.width, settings.inner_width, settings.depth,
                ("full",) * settings.depth, 1, 1, settings.heads, False, False, 0, None, 0, 3,
            ),
        )  # fmt: skip


TOY = ToyFamily(
    ToySettings,
    "Toy model",
    "tests.helpers.toy_family.model:ToyModel",
    "tests.helpers.toy_family.model:ToyDecoder",
)
