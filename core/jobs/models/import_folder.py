"""Takes in the folder of a Hugging Face model, after looking through it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import EpitomeError, needs_training
from core.events import Event, Finished, Message, Progress, Started
from core.library.named_folders import new_folder
from core.models.families import get_family
from core.models.hugging_face.folder import FolderFacts as FolderFacts  # the window shows them
from core.models.hugging_face.folder import look_through
from core.models.hugging_face.prompt import TEXT_PLACE as TEXT_PLACE
from core.models.hugging_face.settings import GlobalAttention, HuggingFaceSettings
from core.runs.model_card import ModelCard
from core.settings import Settings, option
from core.stop import StopToken
from core.storage.portable_names import make_portable
from core.training.model_draft import check_room_on_disk, keep_untrained, model_draft, today

if TYPE_CHECKING:
    from core.data.tokenizer import Tokenizer
    from core.models.protocol import Model

LED_FIELDS = ("global_attention", "global_tokens")
_STEPS = 4


class ImportSettings(Settings):
    """How a Hugging Face model is taken in."""

    out: str = option("", "Name", "Name of the model; by default that of its folder.", basic=True)
    source_length: int | None = option(
        None, "Source length", "Maximum length it reads at once; none reads all it can.",
        unit="tokens", basic=True, ge=3,
    )  # fmt: skip
    prompt: str = option(
        "", "Prompt", "What it is given, with {text} for the document; empty uses its own.",
        basic=True,
    )  # fmt: skip
    global_attention: GlobalAttention = option(
        "first", "Global attention", "LED only: which tokens attend to all others."
    )
    global_tokens: int = option(
        1, "Global tokens", "LED only: how many first tokens have global attention.",
        unit="tokens", ge=1,
    )  # fmt: skip

    def of(self, model: HuggingFaceSettings) -> HuggingFaceSettings:
        """The settings of a model, with what is chosen here.

        Args:
            model: As they are read from its folder.

        Returns:
            Its settings.

        Raises:
            EpitomeError: If it reads less, or a choice is not for it.
        """
        values = model.model_dump()
        if self.source_length:
            if self.source_length > model.longest("encoder"):
                raise EpitomeError(
                    f"The model has {model.longest('encoder')} positions; the source length was "
                    f"{self.source_length}.",
                    "Choose a smaller source length, or convert the model to a longer one.",
                )
            values["source_length"] = self.source_length
        values["prompt"] = self.prompt or model.prompt
        led = {name: getattr(self, name) for name in LED_FIELDS}
        if model.is_led:
            values |= led
        elif led != {name: type(self).model_fields[name].default for name in LED_FIELDS}:
            raise EpitomeError(
                f"Global attention can be chosen for LED models; this model is a "
                f"{model.model_type}.",
                "Leave out --global-attention and --global-tokens.",
            )
        return HuggingFaceSettings.checked(values)


@dataclass(frozen=True)
class LookThroughJob:
    """Checks a folder, and says what is in it.

    Args:
        folder: The folder.
    """

    folder: Path

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with `FolderFacts`.

        Args:
            stop: Not read: only small files are.

        Yields:
            `Finished`.

        Raises:
            EpitomeError: If it holds no model that can be imported.
        """
        with needs_training("Hugging Face models are opened"):
            yield Finished(look_through(self.folder))


@dataclass(frozen=True)
class ImportFolderJob:
    """Checks a folder and copies the model among the runs; it is used like a trained one then.

    Args:
        folder: What `save_pretrained` wrote, or a download.
        runs: The folder of all runs.
        settings: How it is taken in.
    """

    memory_remedy = "Close other programs, or choose a smaller model."

    folder: Path
    runs: Path
    settings: ImportSettings = field(default_factory=ImportSettings)

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields how far it is, then `Finished` with the model's folder.

        Args:
            stop: Ends the job between two steps; nothing of the model is left then.

        Yields:
            Progress, and `Finished`.

        Raises:
            EpitomeError: If the folder holds no usable model, or there is no room for it.
        """
        yield Started("Importing")
        with needs_training("Hugging Face models are opened"):
            from core.models.builders import build
            from core.training.library_folder import open_tokenizer, unused_note, with_prompt

            facts = look_through(self.folder)
        for note in filter(None, (facts.memory_warning, unused_note(facts.settings))):
            yield Message("warning", note)
        settings = self.settings.of(facts.settings)
        tokenizer = with_prompt(open_tokenizer(self.folder), settings)
        check_vocabulary(tokenizer, settings)
        settings.end_ids(tokenizer.special)
        settings.start_ids(tokenizer.special)
        name = self.settings.out or make_portable(self.folder.resolve().name, "model")
        folder = new_folder(name, self.runs, "a model")
        check_room_on_disk(folder.parent, facts.memory_bytes)
        yield Progress(1, _STEPS, "steps", "Reading the weights")
        stop.raise_if_set()
        model = build(settings)
        get_family(settings).load_folder(model, self.folder)
        yield Progress(2, _STEPS, "steps", "Writing the model")
        stop.raise_if_set()
        folder = keep_model(model, tokenizer, folder, card_of(facts))
        del model
        yield Progress(3, _STEPS, "steps", "Preparing it to write")
        yield from _prepared(folder)
        yield Finished(folder)


def _prepared(folder: Path) -> Iterator[Event]:
    """Converts an imported model for ctranslate2, where that part is there and knows it."""
    from core.writing.engines import prepare

    try:
        prepare(folder)
    except EpitomeError as error:
        yield Message("warning", f"{error.message} PyTorch computes the model.")


def card_of(facts: FolderFacts) -> ModelCard:
    """What is told of an imported model."""
    return ModelCard(facts.licence, facts.languages, today())


def check_vocabulary(tokenizer: "Tokenizer", settings: HuggingFaceSettings) -> None:
    """Refuses a tokenizer of another model.

    Args:
        tokenizer: The folder's; it may know two tokens more, which this program adds.
        settings: The model's.

    Raises:
        EpitomeError: If texts could reach tokens that the model does not know.
    """
    special = tokenizer.special
    ids = {special.pad, special.end, *special.before, *special.after}
    if tokenizer.vocabulary_size > settings.vocabulary_size + 2 or (
        max(ids) >= settings.vocabulary_size
    ):
        raise EpitomeError(
            f"The tokenizer has {tokenizer.vocabulary_size} tokens, and the model knows "
            f"{settings.vocabulary_size}: they do not belong together.",
            "Copy the tokenizer from where the model comes from.",
        )


def keep_model(model: "Model", tokenizer: "Tokenizer", folder: Path, card: ModelCard) -> Path:
    """Writes a model as a run that was not trained yet.

    Args:
        model: The model.
        tokenizer: Its tokenizer, with the frame of its prompt.
        folder: Where it goes; a number follows where that is taken.
        card: What is told of it.

    Returns:
        Its folder.

    Raises:
        EpitomeError: If it cannot be written.
    """
    from core.models.weights import named_weights, write_tensors
    from core.runs.checkpoints import TOKENIZER_KEY
    from core.training.checkpoint import WEIGHTS_FILE
    from core.training.library_folder import decoding_of

    weights = named_weights(model)
    files = {WEIGHTS_FILE: lambda path: write_tensors(path, weights)}
    state = {TOKENIZER_KEY: tokenizer.fingerprint}
    with model_draft(folder.parent) as draft:
        tokenizer.save(draft / "tokenizer")
        settings = HuggingFaceSettings.require(model.settings)
        return keep_untrained(draft, folder, files, state, settings, decoding_of(settings), card)
