"""All that makes a run what it is: frozen in its folder when it begins."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from core.decoding.settings import DecodingSettings
from core.errors import NO_RUN, EpitomeError, check_not_newer
from core.models.families import FAMILIES, get_family
from core.models.settings import ModelSettings
from core.runs.folder import RunFolder
from core.runs.job_file import read_job, write_job
from core.settings import NONE, Settings, SettingsKind
from core.storage.atomic_files import write_whole
from core.storage.parsing import parse_json
from core.storage.schema import KEY, SCHEMA_VERSION, migrated
from core.training.settings import RunSettings, TrainSettings

TABLES: dict[str, SettingsKind] = {
    "run": RunSettings,
    "model": FAMILIES,
    "train": TrainSettings,
    "decoding": DecodingSettings,
}

QUEUED_FILE = "queued.toml"
"""The plan of a queued run in its folder, until the run begins and its job file is written."""


# What may change in the file of a run that has begun, because it does not change what is learnt.
_MAY_CHANGE = {
    "run": ("corpus", "tokenizer", "start_from"),  # they may move; the corpus has a fingerprint
    "train": ("device", "threads", "keep", "tensorboard", "most_skipped", "accumulate"),
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
    model: ModelSettings
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

    def values(self) -> dict[str, Any]:
        """The whole plan as plain values, as `of` reads them."""
        tables = {name: table.model_dump(mode="json") for name, table in self.tables().items()}
        return {KEY: SCHEMA_VERSION, **tables}

    def to_json(self) -> str:
        """The whole plan as a text, as `of_json` reads it."""
        return json.dumps(self.values())

    @classmethod
    def of_json(cls, text: str) -> Self:
        """A plan from what `to_json` gave; fails as `of` does."""
        return cls.of(parse_json(text))

    @classmethod
    def of(cls, values: dict[str, Any]) -> Self:
        """A plan from plain values of this or an older version.

        Args:
            values: What `values` gave.

        Returns:
            The plan.

        Raises:
            EpitomeError: If a setting is unknown or not allowed, or a newer program wrote them.
            ValueError: If the version is unknown.
        """
        check_not_newer("The plan of the run", values.get(KEY), SCHEMA_VERSION)
        return cls._of(migrated(values))

    @classmethod
    def _of(cls, tables: dict[str, Any]) -> Self:
        return cls(
            RunSettings.checked(tables["run"]),
            ModelSettings.require(FAMILIES.checked(tables["model"])),
            TrainSettings.checked(tables["train"]),
            DecodingSettings.checked(tables["decoding"]),
        )

    def changes_since(self, before: Self) -> list[str]:
        """What of this plan makes another run than an earlier one.

        Args:
            before: The earlier plan.

        Returns:
            "train.batch 4 → 8" and so on; where and on what it is computed does not count.
        """
        pairs = zip(self.tables().items(), before.tables().values(), strict=True)
        fixed = get_family(self.model).fixed_fields
        return [change for (name, new), old in pairs for change in _changes(name, new, old, fixed)]

    def to_toml(self) -> str:
        """The whole plan as a job file."""
        return write_job("train", (), self.tables())

    def save(self, folder: RunFolder) -> None:
        """Freezes the plan in a run's folder; fails as `write_whole` does."""
        write_whole(folder.job_file, self.to_toml().encode(), replace=True)

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
                f"There is no run in {folder.path}.",
                "Train one with epitome train.",
                kind=NO_RUN,
            )
        return cls.read(folder.job_file)

    @classmethod
    def read(cls, path: Path) -> Self:
        """A plan from a job file; fails as `core.runs.job_file.read_job` does."""
        return cls._of(read_job(path, "train", TABLES).tables)


def _changes(name: str, new: Settings, old: Settings, fixed: frozenset[str]) -> Iterator[str]:
    """The differences in one table, except for fields that may change and are not fixed."""
    if type(new) is not type(old):
        yield f"{name}.family {getattr(old, 'family', '')} → {getattr(new, 'family', '')}"
        return
    may_change = set(_MAY_CHANGE.get(name, ())) - fixed
    for field in type(new).model_fields:
        before, after = getattr(old, field), getattr(new, field)
        if field not in may_change and after != before:
            yield f"{name}.{field} {_told(before)} → {_told(after)}"


def _told(value: Any) -> str:
    return NONE if value is None else str(value)
