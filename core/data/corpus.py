"""A prepared corpus on disk: what it is, where it lies, how its rows are read."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from core.data.settings import Make
from core.display_names import shown, storable_name
from core.errors import EpitomeError, check_not_newer, explained, needs_training
from core.library.folders import Folders
from core.library.named_folders import named_folder
from core.storage.parsing import parse_toml
from core.storage.regular_files import read_regular

if TYPE_CHECKING:
    from core.data.mapped_rows import MappedRows

Split = Literal["train", "validation", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)

CARD = "corpus.toml"
CARD_VERSION = 1
DOCUMENTS = "documents"
STATISTICS = "statistics.json"
SKIPPED = "skipped.jsonl"
STAGING_SUFFIX = ".preparing"
"""Ends the name of a folder in which a corpus is built."""
LENGTHS = "lengths.npy"
"""[N, 2] int32: how many words each row's document and summary have, split by split."""


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

    def rows(self, split: str) -> "MappedRows":
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
        with needs_training("A corpus is read"):
            from core.data.mapped_rows import map_rows
        try:
            return map_rows(self.folder / DOCUMENTS / split)
        except Exception as error:  # of damaged files pyarrow raises many kinds
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


def document_of(row: dict[str, Any], masking: str = "mask") -> str:
    """The whole document of a row of any make.

    Args:
        row: As `Corpus.rows` gives it.
        masking: The corpus's; with "remove" the white space around gap sentences is not kept.

    Returns:
        Its text, the gap sentences included.
    """
    if "document" in row:
        return str(row["document"])
    parts: list[str] = row["pieces"][:1]
    for gap, piece in zip(row["gaps"], row["pieces"][1:], strict=True):
        joined = gap[-1:].isspace() or piece[:1].isspace()
        parts += [gap, "" if masking != "remove" or joined or not piece else " ", piece]
    return "".join(parts)


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
    return corpus_of(folder, read_card(folder))


def corpus_of(folder: Path, card: dict[str, Any]) -> Corpus:
    """The corpus that a card describes.

    Args:
        folder: The corpus.
        card: Its card, as `read_card` gives it.

    Returns:
        The corpus.

    Raises:
        EpitomeError: If the card lacks something.
    """
    try:
        made = card["made"]
        return Corpus(
            folder, made["make"], made["masking"], dict(card["rows"]), made["fingerprint"]
        )
    except (KeyError, TypeError) as error:
        raise _damaged(folder, error) from error


def read_card(folder: Path) -> dict[str, Any]:
    """What stands in the file that marks a folder as a corpus.

    Args:
        folder: The corpus.

    Returns:
        Its tables.

    Raises:
        EpitomeError: If there is no corpus, its file cannot be read, or a newer program made it.
    """
    check_path(folder)
    try:
        with explained(f"The corpus {folder} cannot be read", "Make its folder readable."):
            card = parse_toml(_text_of(folder / CARD))
    except ValueError as error:
        raise _damaged(folder, error) from error
    check_not_newer(f"The corpus {folder}", card.get("schema_version"), CARD_VERSION)
    if card.get("schema_version") != CARD_VERSION:
        raise EpitomeError(
            f"The corpus {folder} has schema version {card.get('schema_version')}; this program "
            f"reads version {CARD_VERSION}.",
            "Prepare it again with epitome corpus.",
        )
    return card


def check_path(folder: Path) -> None:
    """Refuses a folder that the libraries of corpora cannot open: its path is not UTF-8.

    Args:
        folder: The folder of a corpus.

    Raises:
        EpitomeError: If it is such a folder.
    """
    if storable_name(str(folder)) != str(folder):
        raise EpitomeError(
            f"The path {shown(str(folder))} is not UTF-8; that of a corpus must be.",
            "Rename the folder, or choose another one.",
        )


def _text_of(card: Path) -> str:
    try:
        return read_regular(card).decode()
    except FileNotFoundError as error:
        raise EpitomeError(
            f"There is no corpus in {card.parent}.",
            "Prepare one with epitome corpus … --out NAME.",
        ) from error


def _damaged(folder: Path, error: Exception) -> EpitomeError:
    return EpitomeError(
        f"The corpus {folder} is damaged ({CARD}: {error}).",
        "Prepare it again with epitome corpus.",
    )
