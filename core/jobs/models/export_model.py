"""Writes a model into one file, to be kept or to be imported on another machine."""

import hashlib
import json
import zipfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from core.errors import EpitomeError, needs_training
from core.events import Event, Finished, Progress
from core.jobs.models.describe_models import validation_of
from core.models.families import get_family
from core.models.model_file import (
    ABOUT,
    BEST,
    CARD,
    EVALUATIONS,
    EVENTS,
    FORMAT,
    JOB,
    MANIFEST,
    TOKENIZER_FILES,
    WEIGHTS,
)
from core.models.settings import ModelSettings
from core.runs.about import RunAbout, read_about
from core.runs.checkpoints import TOKENIZER_KEY, Checkpoints, step_of
from core.runs.evaluations import plain_evaluations, read_evaluations
from core.runs.events_file import recorded_line
from core.runs.folder import RunFolder
from core.runs.model_card import ModelCard
from core.stop import StopToken
from core.storage.atomic_files import open_whole
from core.storage.parsing import parse_json, parse_toml
from core.storage.regular_files import open_regular, read_regular
from core.training.plan import RunPlan

_PIECE_BYTES = 1 << 20
_ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)  # the same model gives the same bytes


@dataclass(frozen=True)
class ExportModelJob:
    """Writes the checkpoint that writes best, with all it needs to be used.

    The file says nothing of this machine: no paths, no samples, no text of any document.

    Args:
        folder: The folder of the model's run.
        path: The file.
        card: What is told of the model.
        replace: Whether a file that is there is replaced.
    """

    folder: Path
    path: Path
    card: ModelCard
    replace: bool = False

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields how far it is, then `Finished` with the path.

        Args:
            stop: Ends the job; no half of a file is left then.

        Yields:
            Progress in bytes, and `Finished`.

        Raises:
            EpitomeError: If the model cannot be read, or the file cannot be written.
        """
        with open_whole(self.path, replace=self.replace, makes_folder=False) as file:
            yield from self._write(file, stop)
        yield Finished(self.path)

    def _write(self, file: BinaryIO, stop: StopToken) -> Iterator[Event]:
        values = parse_toml(read_regular(RunFolder(self.folder).job_file).decode())
        model = RunPlan.of(values).model
        if model.is_gguf:
            raise EpitomeError(
                f"{self.folder.name} is a GGUF file, which needs no export.",
                "Copy the file itself to the other computer.",
            )
        checkpoint = Checkpoints(self.folder).likely((WEIGHTS,))
        if checkpoint is None:
            raise EpitomeError(f"The run {self.folder} has no usable checkpoint.", "Train it on.")
        with _merged(checkpoint, model, self.path.parent) as whole:
            yield from self._write_parts(file, whole, stop)

    def _write_parts(self, file: BinaryIO, checkpoint: Path, stop: StopToken) -> Iterator[Event]:
        small = self._small_parts(checkpoint)
        listed = {name: _stamp(data) for name, data in small.items()}
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            for name, data in small.items():
                archive.writestr(zipfile.ZipInfo(name, _ZIP_EPOCH), data)
            part = f"{_place(checkpoint)}/{WEIGHTS}"
            listed[part] = yield from self._copy(archive, part, checkpoint, stop)
            manifest = {"format": FORMAT, "name": self.folder.name, "files": listed}
            archive.writestr(zipfile.ZipInfo(MANIFEST, _ZIP_EPOCH), _json(manifest))

    def _copy(
        self, archive: zipfile.ZipFile, name: str, checkpoint: Path, stop: StopToken
    ) -> Generator[Progress, None, dict[str, object]]:
        """Copies the weights; gives their size and digest."""
        told = _state(checkpoint)["files"][WEIGHTS]
        digest, known = hashlib.sha256(), hashlib.blake2b(digest_size=16)
        with open_regular(checkpoint / WEIGHTS, "rb") as source:
            part, done = zipfile.ZipInfo(name, _ZIP_EPOCH), 0
            part.file_size = told["bytes"]
            with archive.open(part, "w") as target:
                while piece := source.read(_PIECE_BYTES):
                    stop.raise_if_set()
                    for taker in (digest.update, known.update, target.write):
                        taker(piece)
                    done += len(piece)
                    yield Progress(done, told["bytes"], "bytes", "Exporting")
        if {"bytes": done, "blake2b": known.hexdigest()} != told:
            raise EpitomeError(
                f"The checkpoint {checkpoint} is damaged.", "Train the model further, or again."
            )
        return {"bytes": done, "sha256": digest.hexdigest()}

    def _small_parts(self, checkpoint: Path) -> dict[str, bytes]:
        """All parts but the weights."""
        run, step = RunFolder(self.folder), step_of(checkpoint)
        whole = _state(checkpoint)
        kept = {name: value for name, value in whole["state"].items() if name == TOKENIZER_KEY}
        state = {"files": {WEIGHTS: whole["files"][WEIGHTS]}, "state": kept}
        parts = {
            JOB: self._plan().to_toml().encode(),
            CARD: _json(asdict(replace(self.card, imported="", own=False))),
            ABOUT: _json(asdict(RunAbout(read_about(run).title))),
            BEST: _json({"checkpoint": checkpoint.name, "step": step}),
            f"{_place(checkpoint)}/state.json": _json(state),
        }
        if validation := validation_of(run, step):
            parts[EVENTS] = recorded_line(validation, 1)
        if evaluations := [each for each in read_evaluations(run) if each.step == step]:
            parts[EVALUATIONS] = _json(plain_evaluations(evaluations))
        for name in TOKENIZER_FILES:
            if (run.tokenizer / name).exists():
                parts[f"tokenizer/{name}"] = read_regular(run.tokenizer / name)
        return parts

    def _plan(self) -> RunPlan:
        """What the model was made of, with names instead of the places on this machine."""
        plan = RunPlan.of(parse_toml(read_regular(RunFolder(self.folder).job_file).decode()))
        named = {
            field: Path(getattr(plan.run, field)).name
            for field in ("corpus", "tokenizer", "start_from")
        }
        model = plan.model.without_lora  # what was learnt is in the exported weights
        return replace(plan, run=plan.run.model_copy(update=named), model=model)


@contextmanager
def _merged(checkpoint: Path, model: ModelSettings, place: Path) -> Iterator[Path]:
    """A checkpoint in whose weights is what LoRA has learnt; others are handed on as they are."""
    if model.without_lora == model:
        yield checkpoint
        return
    with needs_training("Models with LoRA are exported"):
        from core.models.weights import write_tensors

        weights = get_family(model).merge_weights(model, checkpoint / WEIGHTS)
    with TemporaryDirectory(dir=place, prefix=".epitome-") as folder:
        files = {WEIGHTS: lambda path: write_tensors(path, weights)}
        yield Checkpoints(Path(folder)).write(step_of(checkpoint), files, {})


def _place(checkpoint: Path) -> str:
    return f"checkpoints/{checkpoint.name}"


def _state(checkpoint: Path) -> dict[str, Any]:
    values: dict[str, Any] = parse_json(read_regular(checkpoint / "state.json"))
    return values


def _stamp(data: bytes) -> dict[str, object]:
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def _json(value: object) -> bytes:
    return json.dumps(value, indent=1, ensure_ascii=False).encode("utf-8", "replace")
