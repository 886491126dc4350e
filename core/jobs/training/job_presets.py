"""Presets of training jobs: those of the program, and the person's own, one TOML file each."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from core.decoding.settings import DecodingSettings
from core.errors import EpitomeError
from core.events import Event, Finished, Message
from core.models.families import BUILT_FAMILIES, PRESETS, get_family
from core.models.settings import ModelSettings
from core.stop import StopToken
from core.storage.atomic_files import numbered_places, write_beside, write_whole
from core.storage.files import check_file_known, entries_of
from core.storage.schema import SCHEMA_VERSION
from core.training.plan import RunPlan
from core.training.presets import DECODING_PRESETS, TRAINING_PRESETS
from core.training.settings import Objective, RunSettings, TrainSettings

_SIGNS = re.compile(r"[^\w.-]+")
_PAIR = BUILT_FAMILIES.checked(
    {
        "family": "reformer-encoder-decoder",
        "source_length": 1024,
        "target_length": 256,
        "width": 128,
    }
)


@dataclass(frozen=True)
class JobPreset:
    """A job to begin with.

    Args:
        name: By which it is known.
        title: As a person reads it.
        plan: Its settings; what it reads is left open.
        own: Whether a person has kept it, so that its values are taken as they are.
    """

    name: str
    title: str
    plan: RunPlan
    own: bool = False

    def fits(self, objective: Objective) -> bool:
        """Whether its model can learn that."""
        return objective != "language-model" or not get_family(self.plan.model).reads_pairs


def _built_in(name: str, title: str, model: ModelSettings) -> JobPreset:
    train = TrainSettings(**TRAINING_PRESETS.get(name, {}))
    decoding = DecodingSettings(**{"max_length": 96, **DECODING_PRESETS.get(name, {})})
    return JobPreset(name, title, RunPlan(RunSettings(), model, train, decoding))


BUILT_IN: tuple[JobPreset, ...] = (
    _built_in("quick", "Quick, two cores", PRESETS["quick"]),
    _built_in("small", "Small, two cores", PRESETS["small"]),
    _built_in("pair", "Encoder-decoder", ModelSettings.require(_PAIR)),
    _built_in("large", "Large, one GPU", PRESETS["large"]),
    _built_in("paper", "As in the paper", PRESETS["paper"]),
    _built_in("paper-deep", "Paper, own layers", PRESETS["paper-deep"]),
    _built_in("paper-2", "Faster Transformer", PRESETS["paper-2"]),
    _built_in("paper-4", "Small Transformer", PRESETS["paper-4"]),
    _built_in("paper-5", "Decoder-only", PRESETS["paper-5"]),
)


@dataclass(frozen=True)
class OwnPresetsJob:
    """Reads the person's presets.

    Args:
        folder: Where they lie.
    """

    folder: Path

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with a tuple of `JobPreset`.

        Args:
            stop: Not read: the files are small.

        Yields:
            A `Message` for each file that cannot be read, and is left out; then `Finished`.

        Raises:
            EpitomeError: If the folder cannot be read.
        """
        found = []
        for path in entries_of(self.folder):
            if path.suffix != ".toml":
                continue
            try:
                found.append(JobPreset(f"own {path.stem}", path.stem, RunPlan.read(path), own=True))
            except EpitomeError as error:
                yield Message("warning", f"The preset “{path.stem}” is left out. {error.message}")
        yield Finished(tuple(found))


def save_preset(folder: Path, title: str, plan: RunPlan) -> Path:
    """Keeps a plan as a preset, without what it reads; one that is there stays.

    Args:
        folder: Where presets lie.
        title: Its name; signs that no file name has are replaced.
        plan: The plan.

    Returns:
        The file, whose name has a number where others have the title.

    Raises:
        EpitomeError: If the name is empty, nothing can be written there, or a newer program has
            kept a preset of that name.
    """
    stem = _SIGNS.sub("-", title.strip()).strip("-.")
    if not stem:
        raise EpitomeError("A preset needs a name.", "Give the job a name first.")
    bare = RunPlan(RunSettings(), plan.model, plan.train, plan.decoding)
    check_file_known(folder / f"{stem}.toml", SCHEMA_VERSION)
    data, remedy = bare.to_toml().encode(), "Make the folder of presets writable."
    write = partial(write_whole, data=data, remedy=remedy)
    places = numbered_places(folder, stem, ".toml")
    return write_beside(places, write, replace=False)[0]
