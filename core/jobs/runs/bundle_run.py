"""Writes a bundle that makes a run again: settings, command, versions, hashes and log, no data."""

import hashlib
import json
import os
import zipfile
from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from core.errors import EpitomeError, explained
from core.events import Event, Finished, Progress
from core.jobs.training.run_plan import plan_in
from core.runs.checkpoints import Checkpoints
from core.runs.events_file import MOST_BYTES
from core.runs.folder import RunFolder
from core.stop import StopToken
from core.storage.atomic_files import check_place, open_whole
from core.storage.parsing import parse_json
from core.storage.regular_files import open_regular, read_regular
from core.system.shell import shell_line
from core.training.events import SampleWritten
from core.training.plan import RunPlan
from core.training.train_command import train_words

README, JOB, COMMAND = "README.txt", "job.toml", "command.txt"
VERSIONS, PACKAGES = "environment.json", "packages.txt"
HASHES, LOG, CORPUS = "hashes.json", "events.jsonl", "corpus.toml"

_PIECE_BYTES = 1 << 20
_ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)
_README = """Everything that is needed to make the run "{name}" again, except its data.

{job}          all settings; corpus, tokenizer and starting run by name
{command}       the same as one command
{versions}  versions, device and threads of the run's last start
{packages}      packages installed when this bundle was written, for pip install -c
{hashes}       SHA-256 of the corpus, the tokenizer and the weights
{corpus}       how the corpus was prepared, with its fingerprint (if it was still there)
{log}      every step and validation; without samples, which quote documents

1. Install the versions in {versions} and {packages}.
2. Prepare the corpus as {corpus} says, or copy it. Compare its files with {hashes}.
3. Copy the tokenizer and the starting run, if {job} names them.
4. epitome train --config {job} --out NEW

On the same kind of processor, with the same versions and threads, the losses are bit-identical.
"""


@dataclass(frozen=True)
class BundleRunJob:
    """Writes the bundle of a run.

    Args:
        folder: The run's.
        out: The zip file.
        replace: Whether a file that is there is replaced.
    """

    folder: Path
    out: Path
    replace: bool = False

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Writes.

        Args:
            stop: Read while files are hashed; no half of a bundle is left then.

        Yields:
            Progress in files, and `Finished` with the path.

        Raises:
            EpitomeError: If the run cannot be read, or the bundle cannot be written.
        """
        if not RunFolder(self.folder).exists:
            told = f"There is no run in {self.folder} that has begun."
            raise EpitomeError(told, "Choose another run; epitome list runs shows them.")
        if _is_inside(self.out, self.folder):
            told = f"{self.out} is in the folder of the run itself."
            raise EpitomeError(told, "Choose a place outside it.")
        check_place(self.out, replace=self.replace)
        plan = plan_in(self.folder)
        hashes = yield from _hashes(self.folder, plan, stop)
        parts = _parts(self.folder, plan) | {HASHES: _json(hashes)}
        with (
            open_whole(self.out, replace=self.replace, makes_folder=False) as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
        ):
            for name, data in sorted(parts.items()):
                info = zipfile.ZipInfo(name, _ZIP_EPOCH)
                archive.writestr(info, data, zipfile.ZIP_DEFLATED)
        yield Finished(self.out)


def _is_inside(place: Path, folder: Path) -> bool:
    """True if a place is in a folder, by whatever path it is named."""
    parents = Path(os.path.realpath(place)).parents
    return any(parent.exists() and parent.samefile(folder) for parent in parents)


def _parts(folder: Path, plan: RunPlan) -> dict[str, bytes]:
    """The files of the bundle by name, but for the hashes."""
    named = _by_name(plan)
    run = RunFolder(folder)
    names = {"job": JOB, "command": COMMAND, "versions": VERSIONS, "packages": PACKAGES}
    names |= {"hashes": HASHES, "corpus": CORPUS, "log": LOG}
    parts = {
        README: _README.format(name=folder.name, **names).encode("utf-8", "replace"),
        JOB: named.to_toml().encode(),
        COMMAND: (shell_line(train_words(named, folder.name)) + "\n").encode(
            "utf-8", "surrogateescape"
        ),
        VERSIONS: _environment(run),
        PACKAGES: _packages(),
        LOG: _log(run),
    }
    with suppress(OSError):
        parts[CORPUS] = read_regular(Path(plan.run.corpus) / "corpus.toml")
    return parts


def _by_name(plan: RunPlan) -> RunPlan:
    """A plan that names folders, since their paths hold on this machine alone."""
    places = ("corpus", "tokenizer", "start_from")
    names = {place: Path(getattr(plan.run, place)).name for place in places}
    return replace(plan, run=plan.run.model_copy(update=names))


def _environment(run: RunFolder) -> bytes:
    """Versions and device, without the command, which has paths of this machine."""
    told: dict[str, Any] = {}
    with suppress(OSError, ValueError):
        told = parse_json(read_regular(run.environment_file))
        told.pop("command", None)
    return _json(told)


def _packages() -> bytes:
    found = {f"{each.metadata['Name']}=={each.version}" for each in distributions()}
    return ("\n".join(sorted(found, key=str.lower)) + "\n").encode()


def _log(run: RunFolder) -> bytes:
    """The lines of the run's events, as they are, without the samples."""
    kept = []
    with suppress(OSError):
        for line in read_regular(run.events_file, MOST_BYTES).splitlines(keepends=True):
            with suppress(ValueError, KeyError, TypeError):  # a torn last line
                if parse_json(line)["kind"] != SampleWritten.__name__:
                    kept.append(line)
    return b"".join(kept)


def _hashes(
    folder: Path, plan: RunPlan, stop: StopToken
) -> Generator[Progress, None, dict[str, Any]]:
    """SHA-256 of all files that the run depends on or has made, by what they belong to."""
    corpus, start = Path(plan.run.corpus), Path(plan.run.start_from)
    best = Checkpoints(folder).likely()
    groups = {
        "corpus": (corpus, sorted((corpus / "documents").rglob("*.arrow"))),
        "tokenizer": (folder, sorted(RunFolder(folder).tokenizer.rglob("*.json"))),
        "start_from": (start, _weights(start) if plan.run.start_from else []),
        "weights": (folder, _weights(best) if best else []),
    }
    total = sum(len(files) for _, files in groups.values())
    made: dict[str, dict[str, str]] = {name: {} for name in groups}
    for name, (base, files) in groups.items():
        for file in files:
            made[name][file.relative_to(base).as_posix()] = _digest(file, stop)
            done = sum(map(len, made.values()))
            yield Progress(done, total, "files", "Hashing")
    return made


def _weights(folder: Path) -> list[Path]:
    return sorted(folder.rglob("model*.safetensors"))


def _digest(file: Path, stop: StopToken) -> str:
    digest = hashlib.sha256()
    with explained(f"{file} cannot be read", "Make it readable."), open_regular(file, "rb") as data:
        while piece := data.read(_PIECE_BYTES):
            stop.raise_if_set()
            digest.update(piece)
    return digest.hexdigest()


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "replace")
