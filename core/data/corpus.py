"""A prepared corpus on disk: what it is, where it lies, how its rows are read."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import tomlkit

from core.data.datasets_library import datasets_library
from core.data.settings import Make
from core.errors import EpitomeError, of_system
from core.library.folders import Folders

if TYPE_CHECKING:
    from datasets import Dataset

Split = Literal["train", "validation", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)

CARD = "corpus.toml"
CARD_VERSION = 1
DOCUMENTS = "documents"
STATISTICS = "statistics.json"
SKIPPED = "skipped.jsonl"

_NAME = re.compile(r"[^/\\.][^/\\]*")


@dataclass(frozen=True)
class Corpus:
    """A corpus that was prepared to its end.

    Args:
        folder: Where it lies.
        make: What its rows are: gap-sentence pairs, documents with summaries, or plain documents.
        masking: Of gap sentences: what stands in their place, "mask", "remove" or "keep".
        counts: How many rows each split has; a split without rows is not named.
        fingerprint: The same for the same rows in the same splits.
    """

    folder: Path
    make: Make
    masking: str
    counts: dict[str, int]
    fingerprint: str

    @property
    def splits(self) -> tuple[str, ...]:
        """The splits that have rows, in their usual order."""
        return tuple(split for split in SPLITS if self.counts.get(split))

    def rows(self, split: str) -> "Dataset":
        """The rows of a split, memory-mapped.

        Args:
            split: Its name.

        Returns:
            Columns ``id`` and ``title``; then ``document`` and with pairs ``summary``; with gap
            sentences ``pieces`` [G + 1], ``gaps`` [G] between them, and ``stays`` [G], whether a
            gap's sentence is in the input all the same.

        Raises:
            EpitomeError: If the corpus has no such split, or its files are damaged.
        """
        self.check_split(split)
        datasets = datasets_library("A corpus is read")
        try:
            return datasets.load_from_disk(str(self.folder / DOCUMENTS / split))
        except Exception as error:  # of damaged files the library raises many kinds
            told = f"The documents of the corpus {self.folder} cannot be read ({error})."
            raise EpitomeError(told, "Prepare it again with epitome corpus.") from error

    def check_split(self, split: str) -> None:
        """Refuses a split that is not there.

        Args:
            split: Its name.

        Raises:
            EpitomeError: If the corpus has no such split.
        """
        if split not in self.splits:
            told = " and ".join(filter(None, (", ".join(self.splits[:-1]), self.splits[-1])))
            raise EpitomeError(
                f"The corpus {self.folder.name} has no split “{split}”; it has {told}.",
                "Prepare it again with another --split.",
            )

    def texts(self, *splits: str) -> Iterator[str]:
        """All text of some splits, each part once: what a tokenizer is trained on."""
        for split in splits:
            for row in self.rows(split):
                yield from texts_of(row)


def texts_of(row: dict[str, Any]) -> Iterator[str]:
    """The texts of a row of any make."""
    for column in ("document", "summary"):
        if column in row:
            yield row[column]
    for column in ("pieces", "gaps"):
        yield from row.get(column, ())


def open_corpus(name: str | Path) -> Corpus:
    """Finds a corpus that was prepared.

    Args:
        name: Its name among the person's corpora, or its folder.

    Returns:
        The corpus.

    Raises:
        EpitomeError: If there is none, or its preparation did not come to an end.
    """
    folder = named_folder(name, Folders.of_this_user().corpora)
    try:
        card = tomlkit.parse((folder / CARD).read_text("utf-8")).unwrap()
    except FileNotFoundError as error:
        raise EpitomeError(
            f"There is no corpus in {folder}.", "Prepare one with epitome corpus … --out NAME."
        ) from error
    except (OSError, ValueError) as error:
        raise _damaged(folder, error) from error
    if card.get("schema_version") != CARD_VERSION:
        raise EpitomeError(
            f"The corpus {folder} has schema version {card.get('schema_version')}; this program "
            f"reads version {CARD_VERSION}.",
            "Prepare it again with epitome corpus.",
        )
    try:
        made = card["made"]
        return Corpus(
            folder, made["make"], made["masking"], dict(card["rows"]), made["fingerprint"]
        )
    except (KeyError, TypeError) as error:
        raise _damaged(folder, error) from error


def named_folder(name: str | Path, under: Path) -> Path:
    """The folder that is meant by a name or a path, to be read.

    Args:
        name: A name without slashes, or a path.
        under: Where named folders lie.

    Returns:
        The folder of that name under `under`, if it is there; else the folder of that name where
        the program was called, if that is there; for a path, the path.

    Raises:
        EpitomeError: If it cannot be the name of a folder.
    """
    folder = new_folder(name, under)
    here = Path(name).expanduser().absolute()
    return here if not folder.exists() and here.is_dir() else folder


def new_folder(name: str | Path, under: Path) -> Path:
    """The folder that is meant by a name or a path, to be made.

    Args:
        name: A name without slashes, or a path.
        under: Where named folders lie.

    Returns:
        The folder of that name under `under`; for a path, the path.

    Raises:
        EpitomeError: If it cannot be the name of a folder.
    """
    text = str(name)
    if not text.strip() or "\0" in text:
        raise EpitomeError("The name of a folder is empty.", "Give it a name.")
    folder = under / text if _NAME.fullmatch(text) else Path(text).expanduser().absolute()
    try:
        folder.exists()
    except OSError as error:  # no folder can have such a name
        raise of_system(
            error, f"“{text[:40]}…” cannot be a folder", "Give it a shorter name."
        ) from error
    return folder


def _damaged(folder: Path, error: Exception) -> EpitomeError:
    return EpitomeError(
        f"The corpus {folder} is damaged ({CARD}: {error}).",
        "Prepare it again with epitome corpus.",
    )
