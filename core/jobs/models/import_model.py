"""Takes in a model from one file, after it was checked; nothing in it is ever executed."""

import hashlib
import re
import zipfile
from collections.abc import Generator, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from core.errors import (
    EpitomeError,
    MissingPartError,
    NewerFileError,
    explained,
    needs_training,
)
from core.events import Event, Finished, Progress, Started
from core.library.named_folders import new_folder
from core.models.families import estimate_parameters, get_family
from core.models.hugging_face.vocabulary import read_vocabulary
from core.models.model_file import (
    FORMAT,
    JOB,
    MANIFEST,
    WEIGHTS,
    checked_parts,
    refused,
)
from core.models.own_models import is_own_model
from core.models.special_tokens import SPECIAL, SpecialTokens
from core.models.weights_header import count_parameters
from core.runs.checkpoints import Checkpoints
from core.runs.folder import RunFolder
from core.runs.model_card import read_model_card, write_model_card
from core.stop import StopToken
from core.storage.atomic_files import write_whole
from core.storage.parsing import parse_json, parse_toml
from core.storage.portable_names import make_portable
from core.storage.regular_files import open_regular
from core.training.model_draft import check_room_on_disk, keep_draft, model_draft, today
from core.training.plan import RunPlan

_PIECE_BYTES = 1 << 20
_MOST_TIMES, _MOST_MORE = 4, 1_000_000  # as for the folders of other programs
_NAME = re.compile(r"\w[\w .-]{0,79}")
_DAMAGE = (
    zipfile.BadZipFile, NotImplementedError, ValueError, KeyError, TypeError, AttributeError,
    RecursionError, EOFError,
)  # fmt: skip


@dataclass(frozen=True)
class ImportModelJob:
    """Checks an exported model and copies it among the runs.

    Args:
        path: The file.
        runs: The folder of all runs.
        name: The name of the model here; that in the file if empty.
        trash: Where deleted models are; one that comes back is still its user's own.
    """

    path: Path
    runs: Path
    name: str = ""
    trash: Path | None = None

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields how far it is, then `Finished` with the model's folder.

        Args:
            stop: Ends the job; nothing of the model is left then.

        Yields:
            Progress in bytes, and `Finished`.

        Raises:
            EpitomeError: If the file is no whole model, or there is no room for it.
        """
        yield Started("Importing")
        chosen = new_folder(self.name, self.runs, "a model") if self.name else None
        with model_draft(chosen.parent if chosen else self.runs) as draft:
            name, job = yield from self._unpacked(draft, stop)
            _check(self.path, draft, job)
            yield Finished(self._kept(draft, chosen or self._named(name), job))

    def _unpacked(
        self, draft: Path, stop: StopToken
    ) -> Generator[Progress, None, tuple[str, bytes]]:
        """Copies all parts but the job file; gives the model's name and that file."""
        try:
            with (
                explained(f"{self.path} cannot be read", "Choose another file."),
                open_regular(self.path, "rb") as file,
                zipfile.ZipFile(file) as archive,
            ):
                parts = checked_parts(self.path, archive.infolist())
                manifest = parse_json(archive.read(MANIFEST))
                if manifest["format"] != FORMAT:
                    raise refused(self.path, "another version of the program exported it")
                check_room_on_disk(draft.parent, sum(part.file_size for part in parts))
                job = archive.read(JOB)
                for part in parts:
                    if part.filename == MANIFEST:
                        continue
                    target = None if part.filename == JOB else draft / part.filename
                    told = yield from _copied(archive, part, target, stop)
                    if told != manifest["files"][part.filename]:
                        raise refused(self.path, f"its part “{part.filename}” is damaged")
                return str(manifest["name"]), job
        except _DAMAGE as error:
            raise refused(self.path, "it is no whole file of a model") from error

    def _named(self, name: str) -> Path:
        """Where a model lies by the name that its file gives it."""
        known = make_portable(name, "imported") if _NAME.fullmatch(name) else "imported"
        return self.runs / known

    def _kept(self, draft: Path, folder: Path, job: bytes) -> Path:
        """Moves the checked model to where it is found."""
        run = RunFolder(draft)
        own = is_own_model(draft, [self.runs, *([self.trash] if self.trash else [])])
        write_model_card(run, replace(read_model_card(run), imported=today(), own=own))
        return keep_draft(draft, folder, lambda kept: write_whole(kept.job_file, job))


def _copied(
    archive: zipfile.ZipFile, part: zipfile.ZipInfo, target: Path | None, stop: StopToken
) -> Generator[Progress, None, dict[str, object]]:
    """Copies a part, or reads it only; gives its size and digest."""
    digest, done = hashlib.sha256(), 0
    with ExitStack() as opened:
        source = opened.enter_context(archive.open(part))
        file: IO[bytes] | None = None
        if target is not None:
            target.parent.mkdir(parents=True, exist_ok=True)
            file = opened.enter_context(target.open("wb"))
        while piece := source.read(_PIECE_BYTES):
            stop.raise_if_set()
            digest.update(piece)
            if file is not None:
                file.write(piece)
            done += len(piece)
            if part.filename.endswith(WEIGHTS):
                yield Progress(done, part.file_size, "bytes", "Importing")
    return {"bytes": done, "sha256": digest.hexdigest()}


def _check(path: Path, draft: Path, job: bytes) -> None:
    """Refuses a model whose parts do not go together; reads no weights."""
    try:
        plan = RunPlan.of(parse_toml(job.decode()))
        checkpoint = Checkpoints(draft).newest((WEIGHTS,))
        if checkpoint is None:
            raise refused(path, "its weights are damaged")
        _check_tokenizer(path, draft / "tokenizer", plan)
        if plan.model.names_code:
            raise refused(path, "its settings name a program that is to be run")
        _check_weights(path, checkpoint.path / WEIGHTS, plan)
    except NewerFileError as error:
        raise refused(path, "a newer Epitome made it") from error
    except EpitomeError as error:
        if error.kind == "no-model":
            raise
        raise refused(path, error.message.rstrip(".")) from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise refused(path, "its settings cannot be read") from error


def _check_weights(path: Path, weights: Path, plan: RunPlan) -> None:
    """Refuses weights that are not those of the settings; without the training part by number."""
    if estimate_parameters(plan.model) > _MOST_TIMES * count_parameters(weights) + _MOST_MORE:
        raise refused(path, "its settings describe a far larger model than its weights are")
    with suppress(MissingPartError):  # where none is opened either
        with needs_training("Models are opened"):
            from core.models.builders import weights_on_meta
            from core.models.weights import check_head
        check_head(weights, weights_on_meta(plan.model))


def _check_tokenizer(path: Path, folder: Path, plan: RunPlan) -> None:
    try:
        vocabulary = read_vocabulary(folder / "tokenizer.json")
    except EpitomeError as error:
        raise refused(path, "its settings cannot be read") from error
    # Tokenizers of others get these two behind their vocabulary; their models never meet them.
    ours = SPECIAL[2:] if get_family(plan.model).own_vocabulary else ()
    added = (number for token, number in vocabulary.added.items() if token not in ours)
    if max(vocabulary.size, 1 + max(added, default=-1)) > plan.model.vocabulary_size:
        raise refused(path, "its tokenizer has more tokens than its model knows")
    if (folder / "special_tokens.json").exists():
        SpecialTokens.load(folder / "special_tokens.json")
