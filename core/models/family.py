"""A model family as the rest of the program knows it: one object, without torch."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from core.models.layer_stack import LayerStack, MemoryFactors
from core.models.settings import ModelSettings, PairSettings
from core.models.special_tokens import SpecialTokens
from core.numbers import format_count

if TYPE_CHECKING:
    from torch import Tensor

    from core.models.protocol import Decodable, Model

S = TypeVar("S", bound=ModelSettings)

_SHORTEST, _NARROWEST = 256, 64  # lengths and widths that nothing is gained by halving


@dataclass(frozen=True)
class SettingsChange:
    """A change of a model, or of its step, whose effect on memory and time is shown.

    Args:
        title: What it does: "Full attention", "Halve the width to 128".
        values: The fields it sets.
    """

    title: str
    values: Mapping[str, Any] = field(default_factory=dict)


BF16 = SettingsChange("bf16", {"precision": "bf16"})
CHECKPOINTED = SettingsChange("Checkpointing", {"checkpointing": True})
ONE_LOSS_CHUNK = SettingsChange("One loss chunk", {"loss_chunks": 1})


@dataclass(frozen=True)
class ModelFamily(ABC, Generic[S]):
    """An architecture: its settings, how its models are made, and what is known of them.

    Args:
        settings: Its settings class, whose `family` is the family's name.
        label: Its name for a user.
        model: The class of its models, as "package.module:Class"; it takes settings. Like the
            decoder it is imported when a model is made, since it needs torch.
        decoder: What makes a model write, as "package.module:Class"; it takes the model, start
            ids and the end id.
        presets: Sizes to begin with, by name.
        source: What a user does to have one of its models, where these are not built from options;
            empty for a family that is.
        own_vocabulary: Whether its models come with a tokenizer, which stays.
        fixed_fields: Fields of the training that a resumed run cannot change, though those of
            other families can.
        attention_names: The kinds that its field `attention` takes, where all have weights of one
            shape, so that a model can be compared with itself under another kind.
        switches: Changes whose effect users ask for, in the order in which they are offered.
        memory_factors: How far the memory of a step is from what its sizes say.
        chunks_loss: Whether the loss is computed in chunks, so that few logits exist at once.
    """

    settings: type[S]
    label: str
    model: str
    decoder: str
    presets: Mapping[str, S] = field(default_factory=dict)
    source: str = ""
    own_vocabulary: bool = False
    fixed_fields: frozenset[str] = frozenset()
    attention_names: tuple[str, ...] = ()
    switches: tuple[SettingsChange, ...] = (ONE_LOSS_CHUNK, BF16)
    memory_factors: MemoryFactors = field(default_factory=MemoryFactors)
    chunks_loss: bool = True

    @property
    def name(self) -> str:
        """Its name in settings files and options."""
        return str(self.settings.model_fields["family"].default)

    @property
    def is_built(self) -> bool:
        """True if its models are built from options."""
        return not self.source

    @property
    def reads_pairs(self) -> bool:
        """True if source and target are read apart, not as one sequence."""
        return issubclass(self.settings, PairSettings)

    def make_model(self, settings: S) -> "Model":
        """Returns a model with its first weights."""
        made: Model = _imported(self.model)(settings)
        return made

    def make_decoder(self, model: "Model", special: SpecialTokens) -> "Decodable[Any]":
        """Returns a model as decoding needs it; raises `EpitomeError` if it cannot write."""
        settings = model.settings
        made: Decodable[Any] = _imported(self.decoder)(
            model, settings.start_ids(special), settings.end_id(special)
        )
        return made

    @abstractmethod
    def num_parameters(self, settings: S) -> int:
        """Counts the weights of a model, tied ones once."""

    def num_trained(self, settings: S) -> int:
        """Counts the weights that training changes."""
        return self.num_parameters(settings)

    @abstractmethod
    def stacks(self, settings: S, rows: int) -> Sequence[LayerStack]:
        """Returns the stacks of layers as memory and time see them, the one that writes last.

        Args:
            settings: The model's.
            rows: Rows that are computed at once.

        Returns:
            Encoder and decoder, or the one stack of a language model.
        """

    def attention_kinds(self, settings: S) -> tuple[str, ...]:
        """The attention of each layer, of an encoder-decoder of its encoder; empty if unknown."""
        return ("full",)

    def savings(self, settings: S) -> list[SettingsChange]:
        """Changes of the settings that may save memory."""
        changes = []
        for name, title in (("length", "length"), ("source_length", "source length")):
            if (value := getattr(settings, name, 0)) > _SHORTEST:
                half = value // 2
                title = f"Halve the {title} to {format_count(half)} tokens"
                changes.append(SettingsChange(title, {name: half}))
        changes += self._recomputing(settings)
        width, heads = getattr(settings, "width", 0), getattr(settings, "heads", 1)
        half = width // 2
        if width > _NARROWEST and half % heads == 0:
            title = f"Halve the width to {format_count(half)}"
            changes.append(SettingsChange(title, {"width": half}))
        return changes

    def _recomputing(self, settings: S) -> list[SettingsChange]:
        """The change that stores fewer activations, if there is one."""
        if getattr(settings, "checkpointing", None) is not False:
            return []
        return [SettingsChange("Recompute layers (checkpointing)", {"checkpointing": True})]

    def kind(self, settings: S) -> str:
        """The kind of a model in a few words."""
        return self.label

    def describe(self, settings: S) -> list[tuple[str, str]]:
        """Names and values of what is known of a model's architecture."""
        facts = [("Vocabulary", _format_tokens(settings.vocabulary_size))]
        if isinstance(settings, PairSettings):
            facts.append(("Writes at most", _format_tokens(settings.target_length)))
        return facts

    def describe_import(self, settings: S, prompt: str) -> list[tuple[str, str]]:
        """Names and values of what came with an imported model.

        Args:
            settings: The model's.
            prompt: A prompt that the user has set; empty for the model's.

        Returns:
            Pairs for a table; none of a model that was trained here.
        """
        return []

    def load_weights(self, model: "Model", settings: S, path: Path) -> None:
        """Loads a checkpoint's weights into a model.

        Args:
            model: The model.
            settings: Those with which the checkpoint was trained.
            path: The file.

        Raises:
            EpitomeError: If the file cannot be read, or its weights are not the model's.
        """
        from core.models.weights import read_weights

        read_weights(path, model)

    def merge_weights(self, settings: S, path: Path) -> "dict[str, Tensor]":
        """Reads the weights of a checkpoint, with what LoRA has learnt as part of them.

        Args:
            settings: Those with which the checkpoint was trained.
            path: The file.

        Returns:
            Tensors by name.

        Raises:
            EpitomeError: If the file cannot be read, or additions are incomplete.
        """
        from core.models.weights import read_tensors

        return read_tensors(path)

    def owns_folder(self, folder: Path) -> bool:
        """True if a folder, which is no run, holds a model of this family."""
        return False

    def read_folder(self, folder: Path) -> S:
        """Reads the settings of such a folder; raises `EpitomeError` if they cannot be used."""
        raise NotImplementedError

    def load_folder(self, model: "Model", folder: Path) -> None:
        """Loads the weights of such a folder; raises `EpitomeError` if they are not the model's."""
        raise NotImplementedError

    def check_ctranslate2(self, settings: S) -> str:
        """Names what ctranslate2 does not compute of a model; empty if it computes it."""
        return f"models of the kind {self.name}"


def _imported(name: str) -> Callable[..., Any]:
    module, _, attribute = name.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), attribute)
    return found


def _format_tokens(number: int) -> str:
    return f"{format_count(number)} tokens"
