"""Reads what a run may start from: another run, or the folder of a Hugging Face model."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.errors import EpitomeError
from core.events import Event, Finished
from core.models.families import get_folder_family
from core.runs.folder import RunFolder
from core.stop import StopToken
from core.training.plan import RunPlan


@dataclass(frozen=True)
class OriginJob:
    """Finds the model in a folder.

    Args:
        folder: A run's, or what `save_pretrained` wrote.
    """

    folder: Path

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Reads.

        Args:
            stop: Not read: it takes a moment.

        Yields:
            `Finished` with a `RunPlan`, or with the settings of a model.

        Raises:
            EpitomeError: If there is neither in the folder.
        """
        if family := get_folder_family(self.folder):
            yield Finished(family.read_folder(self.folder))
            return
        if not RunFolder(self.folder).exists:
            raise EpitomeError(
                f"There is no run or model in {self.folder}.",
                "Choose the folder of a run, or of a Hugging Face encoder-decoder or GPT-2 model.",
            )
        yield Finished(RunPlan.load(RunFolder(self.folder)))
