"""Converts a model to one that reads longer texts, and reports what was done to it."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import EpitomeError, needs_training
from core.events import Event, Finished, Progress, Started
from core.jobs.models.import_folder import card_of, keep_model
from core.library.named_folders import new_folder
from core.models.families import get_family
from core.models.hugging_face.conversion import Conversion
from core.models.hugging_face.conversion_report import write_conversion
from core.models.hugging_face.files import is_model_folder
from core.runs.folder import RunFolder
from core.runs.model_card import ModelCard, read_model_card
from core.settings import Settings, option
from core.stop import StopToken
from core.storage.parsing import parse_json
from core.storage.portable_names import make_portable
from core.training.model_draft import check_room_on_disk, today

if TYPE_CHECKING:
    from core.data.tokenizer import Tokenizer
    from core.models.hugging_face.model import HuggingFaceModel

_STEPS = 4
_BYTES_A_WEIGHT = 4
_TEXT = (
    "The inspection of the north quay took eleven days. Divers found corrosion on 38 of the 214 "
    "piles, mostly between low water and the sea bed. Nine piles have lost a third of their steel. "
)
_SUMMARY = "Nine of 214 piles must be clad before the winter."


class ConvertSettings(Settings):
    """How a model is made to read longer texts."""

    length: int = option(
        4096, "Length", "Tokens that the new model reads at once.", unit="tokens", basic=True, ge=2
    )
    window: int = option(
        512, "Window", "Tokens that each token is compared with, half on each side.",
        unit="tokens", basic=True, ge=2,
    )  # fmt: skip
    out: str = option("", "Name", "Name of the new model; by default it tells the length.")


@dataclass(frozen=True)
class ConvertModelJob:
    """Makes an LED of a BART, or a PEGASUS-X of a PEGASUS; the old model stays.

    Args:
        model: The folder of its run, or a Hugging Face folder.
        runs: The folder of all runs, where the new one is placed.
        settings: How long it is to read.
    """

    memory_remedy = "Close other programs, or choose a smaller length."

    model: Path
    runs: Path
    settings: ConvertSettings = field(default_factory=ConvertSettings)

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields how far it is, then `Finished` with the new model's folder.

        Args:
            stop: Ends the job between two steps; nothing of the new model is left then.

        Yields:
            Progress, and `Finished`.

        Raises:
            EpitomeError: If the model cannot be opened or converted.
        """
        yield Started("Converting")
        with needs_training("Models are converted"):
            from core.models.hugging_face import longer
        before, tokenizer, card, ends = self._opened()
        length, window = self.settings.length, self.settings.window
        values = parse_json(before.settings.architecture)
        longer.check_convertible(values, length, window)
        parameters = sum(weight.numel() for weight in before.parameters())
        own = make_portable(f"{self.model.resolve().name}-{length}", f"model-{length}")
        folder = new_folder(self.settings.out or own, self.runs, "a model")
        check_room_on_disk(folder.parent, 2 * _BYTES_A_WEIGHT * parameters)
        yield Progress(1, _STEPS, "steps", "Converting")
        stop.raise_if_set()
        after = longer.to_longer(before, length, window, ends)
        yield Progress(2, _STEPS, "steps", "Comparing both models")
        stop.raise_if_set()
        report = longer.report_of(self.model.name, before, window, length)
        report = self._measured(report, before, after, tokenizer)
        yield Progress(3, _STEPS, "steps", "Writing the model")
        stop.raise_if_set()
        folder = keep_model(after, tokenizer, folder, card)
        write_conversion(folder, report)
        yield Finished(folder)

    def _opened(self) -> "tuple[HuggingFaceModel, Tokenizer, ModelCard, tuple[int, ...]]":
        """The model, its tokenizer, what is told of it, and the ids that end a sentence."""
        from core.models.hugging_face.folder import look_through
        from core.models.hugging_face.vocabulary import sentence_end_ids
        from core.writing.opened_model import open_model

        opened = open_model(self.model)
        model: Any = opened.model.cpu()
        if get_family(opened.settings).is_built:
            raise EpitomeError(
                f"Only Hugging Face models are converted; {self.model.name} is of the family "
                f"{opened.settings.family}.",
                "Choose a BART or PEGASUS model.",
            )
        if is_model_folder(self.model):
            ends, card = sentence_end_ids(self.model), card_of(look_through(self.model))
        else:
            run = RunFolder(self.model)
            ends, card = sentence_end_ids(run.tokenizer), read_model_card(run)
        card = replace(card, parents=(*card.parents, self.model.name), imported=today())
        return model, opened.tokenizer, card, ends

    def _measured(
        self,
        report: Conversion,
        before: "HuggingFaceModel",
        after: "HuggingFaceModel",
        tokenizer: "Tokenizer",
    ) -> Conversion:
        """The report, with both models compared on a short text, and the memory at full length."""
        import torch

        from core.models.hugging_face.longer import compare, read_once, with_measures
        from core.profiling.memory import watched_peak

        special, settings = tokenizer.special, before.settings
        room = min(report.window // 2, report.length_before) - len(special.before)
        text = tokenizer.encode(_TEXT * (1 + room // 20))[: max(1, room - len(special.after))]
        source = torch.tensor([[*special.before, *text, *special.after]])
        target = [*settings.start_ids(special), *tokenizer.encode(_SUMMARY)]
        target = target[: settings.longest("decoder")]
        compared = compare(before, after, source, torch.tensor([target]))
        with watched_peak() as peak:
            read_once(after, report.length)
        return with_measures(report, source.shape[1], compared, peak.peak_bytes)
