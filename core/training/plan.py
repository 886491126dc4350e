"""All that makes a run what it is: frozen in its folder when it begins."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from core.decoding.settings import DecodingSettings
from core.errors import EpitomeError
from core.models.reformer.settings import ReformerSettings
from core.runs.folder import RunFolder
from core.runs.job_file import read_job, write_job
from core.settings import Settings, write_whole
from core.training.settings import RunSettings, TrainSettings

TABLES: dict[str, type[Settings]] = {
    "run": RunSettings,
    "model": ReformerSettings,
    "train": TrainSettings,
    "decoding": DecodingSettings,
}


@dataclass(frozen=True)
class RunPlan:
    """What a run is made of.

    Args:
        run: What it begins with.
        model: The model's sizes; those of `run.start_from` where that is given.
        train: How it is trained.
        decoding: How it writes when it is validated, and later, unless something else is said.
    """

    run: RunSettings
    model: ReformerSettings
    train: TrainSettings
    decoding: DecodingSettings

    def tables(self) -> dict[str, Settings]:
        """The settings by the names they have in a job file."""
        return {
            "run": self.run,
            "model": self.model,
            "train": self.train,
            "decoding": self.decoding,
        }

    def to_toml(self) -> str:
        """The whole plan as a job file."""
        return write_job("train", (), self.tables())

    def save(self, folder: RunFolder) -> None:
        """Freezes the plan in a run's folder; fails as `write_whole` does."""
        write_whole(folder.job_file, self.to_toml().encode())

    @classmethod
    def load(cls, folder: RunFolder) -> Self:
        """The plan of a run that has begun.

        Args:
            folder: The run's.

        Returns:
            The plan.

        Raises:
            EpitomeError: If there is no run, or its file is damaged.
        """
        if not folder.exists:
            raise EpitomeError(
                f"There is no run in {folder.path}.", "Train one with epitome train."
            )
        return cls.read(folder.job_file)

    @classmethod
    def read(cls, path: Path) -> Self:
        """A plan from a job file; fails as `core.runs.job_file.read_job` does."""
        tables = read_job(path, "train", TABLES).tables
        return cls(
            RunSettings.checked(tables["run"]),
            ReformerSettings.checked(tables["model"]),
            TrainSettings.checked(tables["train"]),
            DecodingSettings.checked(tables["decoding"]),
        )
