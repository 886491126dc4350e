"""Lists what the person has made: runs, corpora, tokenizers, models. Needs no training part."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

from core.data.corpus import STAGING_SUFFIX
from core.data.corpus_facts import facts_of
from core.errors import EpitomeError, NewerFileError, check_not_newer
from core.events import Event, Finished, Stopped
from core.jobs.models.list_models import trained_ns
from core.jobs.queue.trash_contents import Kind as TrashedKind
from core.jobs.queue.trash_contents import TrashedItem, trash_contents
from core.library.folders import Folders
from core.runs.events_file import read_events
from core.runs.folder import RunFolder
from core.stop import StopToken
from core.storage.files import entries_of, folder_size, is_held
from core.storage.parsing import parse_edited_toml, parse_json
from core.storage.regular_files import read_regular
from core.storage.schema import KEY, SCHEMA_VERSION

Kind = Literal["runs", "corpora", "tokenizers", "models", "trash"]
KINDS: tuple[Kind, ...] = get_args(Kind)

RunState = Literal["running", "finished", "stopped", "failed", "not started"]

BUILT_IN = "built-in"
Told = tuple[str, dict[str, Any]]
"""An event: its kind and its values."""


@dataclass(frozen=True)
class Listed:
    """Something that has a folder.

    Args:
        name: Its name, as the commands take it.
        folder: Where it lies; empty for the built-in model.
        changed: When it was changed last, in UTC, ISO 8601; empty where that is not known.
        size_bytes: The size of its files.
        fault: Why it cannot be used, one sentence; empty where it can.
    """

    name: str
    folder: str
    changed: str
    size_bytes: int
    fault: str


@dataclass(frozen=True)
class ListedRun(Listed):
    """A training run.

    Args:
        state: Where it stands.
        objective: What it learns: gsg, summary or language-model.
        family: Its model family.
        corpus: The corpus it learns from.
        step: The step of its newest checkpoint; 0 for none.
        steps: How many steps it is to have.
        best_loss: Its lowest validation loss; None where it was not validated.
    """

    state: RunState
    objective: str = ""
    family: str = ""
    corpus: str = ""
    step: int = 0
    steps: int = 0
    best_loss: float | None = None


@dataclass(frozen=True)
class ListedCorpus(Listed):
    """A prepared corpus.

    Args:
        make: What its rows are: gsg, pairs or text.
        rows: How many rows each split has.
    """

    make: str
    rows: dict[str, int]


@dataclass(frozen=True)
class ListedTokenizer(Listed):
    """A trained tokenizer.

    Args:
        vocabulary_size: How many ids it has; None where that cannot be read.
    """

    vocabulary_size: int | None


@dataclass(frozen=True)
class ListedModel(Listed):
    """A model that can write summaries.

    Args:
        family: Its model family; empty for the built-in summariser, which selects sentences.
        step: The step of its newest checkpoint; 0 for the built-in one.
    """

    family: str
    step: int


@dataclass(frozen=True)
class ListedTrash(Listed):
    """Something in the trash.

    Args:
        holds: What it holds.
        days_left: In how many days it is deleted.
    """

    holds: TrashedKind
    days_left: int


@dataclass(frozen=True)
class ListJob:
    """Looks into the folders of one kind; loads no model and no corpus.

    Args:
        kind: What is listed.
        folders: Where things are kept.
    """

    kind: Kind
    folders: Folders

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with a tuple of `Listed`, the newest first.

        Args:
            stop: Ends the job between two folders.

        Yields:
            `Finished`, at the end.
        """
        if self.kind == "trash":
            yield Finished(tuple(map(_trashed, trash_contents(self.folders, stop))))
            return
        folder, look = _PLACES[self.kind]
        found = []
        for path in _folders_in(folder(self.folders)):
            stop.raise_if_set()
            if (listed := look(path)) is not None:
                found.append(listed)
        found.sort(key=lambda each: each.changed, reverse=True)
        if self.kind == "models":
            found.insert(0, ListedModel(BUILT_IN, "", "", 0, "", "", 0))
        yield Finished(tuple(found))


def _trashed(item: TrashedItem) -> ListedTrash:
    folder, size = str(item.place), item.size_bytes
    return ListedTrash(item.name, folder, "", size, "", item.kind, item.days_left)


def _folders_in(folder: Path) -> list[Path]:
    return [path for path in entries_of(folder) if path.is_dir() and path.name[0] != "."]


def _run(path: Path) -> Listed | None:
    run = RunFolder(path)
    if not run.exists:
        return None
    fault, values = "", dict[str, Any]()
    try:
        values = parse_edited_toml(read_regular(run.job_file).decode())
        check_not_newer("The run", values.get(KEY), SCHEMA_VERSION)
    except NewerFileError as error:
        fault = error.message
    except (OSError, ValueError) as error:
        fault = f"Its job file cannot be read ({error})."
    train, events = _table(values, "train"), list[Told]()
    try:
        events = [(each.kind, each.values) for each in read_events(run.events_file)]
    except EpitomeError as error:
        fault = f"{fault} {error.message}".strip()
    losses = [told.get("loss") for kind, told in events if kind == "ValidationDone"]
    return ListedRun(
        *_about(path, fault, run.events_file),
        state=_state(run, events),
        objective=str(train.get("objective", "")),
        family=str(_table(values, "model").get("family", "")),
        corpus=Path(str(_table(values, "run").get("corpus", ""))).name,
        step=_newest_step(run),
        steps=steps if isinstance(steps := train.get("steps"), int) else 0,
        best_loss=min((loss for loss in losses if isinstance(loss, float)), default=None),
    )


def _corpus(path: Path) -> Listed | None:
    facts = facts_of(path)
    if facts is None or path.suffix == STAGING_SUFFIX:
        return None
    about = (path.name, str(path), _iso(facts.changed_ns), folder_size(path), facts.fault)
    return ListedCorpus(*about, facts.make, facts.rows)


def _tokenizer(path: Path) -> Listed | None:
    file = path / "tokenizer.json"
    if not os.path.lexists(file):
        return None
    fault, size = "", None
    try:
        size = _vocabulary_size(parse_json(read_regular(file)))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        fault = f"Its file tokenizer.json cannot be read ({type(error).__name__})."
    return ListedTokenizer(*_about(path, fault, file), size)


def _model(path: Path) -> Listed | None:
    run = RunFolder(path)
    when_ns = trained_ns(run)
    if not when_ns:
        return None
    listed = _run(path)
    assert isinstance(listed, ListedRun)
    about = (listed.name, listed.folder, _iso(when_ns), listed.size_bytes, listed.fault)
    return ListedModel(*about, listed.family, listed.step)


_PLACES: dict[Kind, tuple[Callable[[Folders], Path], Callable[[Path], Listed | None]]] = {
    "runs": (lambda folders: folders.runs, _run),
    "corpora": (lambda folders: folders.corpora, _corpus),
    "tokenizers": (lambda folders: folders.tokenizers, _tokenizer),
    "models": (lambda folders: folders.runs, _model),
}


def _about(path: Path, fault: str, marker: Path) -> tuple[str, str, str, int, str]:
    """The first fields of `Listed`; the marker is the file that is written last."""
    changed = ""
    with suppress(OSError):
        changed = _iso((marker if marker.exists() else path).stat().st_mtime_ns)
    return path.name, str(path), changed, folder_size(path), fault


def _iso(time_ns: int) -> str:
    return datetime.fromtimestamp(time_ns / 1e9, UTC).isoformat(timespec="seconds")


def _table(values: dict[str, Any], name: str) -> dict[str, Any]:
    table = values.get(name)
    return table if isinstance(table, dict) else {}


def _state(run: RunFolder, events: list[Told]) -> RunState:
    if is_held(run.lock_file):
        return "running"
    if not events:
        return "not started"
    ended: dict[str, RunState] = {Finished.__name__: "finished", Stopped.__name__: "stopped"}
    return ended.get(events[-1][0], "failed")  # also where its process was killed


def _newest_step(run: RunFolder) -> int:
    with suppress(EpitomeError):
        names = (path.name for path in _folders_in(run.checkpoints))
        steps = (re.fullmatch(r"step-(\d+)", name) for name in names)
        return max((int(step[1]) for step in steps if step), default=0)
    return 0


def _vocabulary_size(values: dict[str, Any]) -> int:
    """One more than the highest id; special tokens count."""
    vocabulary = values["model"]["vocab"]
    ids = vocabulary.values() if isinstance(vocabulary, dict) else range(len(vocabulary))
    highest: int = max([*ids, *(token["id"] for token in values.get("added_tokens", ()))])
    return 1 + highest
