"""Comparisons of summaries that are kept: scores of all documents at once, texts one by one.

A comparison is a folder. `comparison.json` says what was compared and what it scored,
`documents.json` lists the documents, `values.npy` holds their scores, `texts.jsonl` a row with the
texts of each, and `texts.npy` where the rows begin. However many documents there are, only the
texts that are looked at are read.

Letters: S systems, N documents, M measures.
"""

import json
import shutil
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter, ValidationError

from core.errors import EpitomeError, check_not_newer, explained
from core.runs.evaluations import KeptScore
from core.storage.arrays import read_array, read_span, write_array
from core.storage.atomic_files import put_in_place
from core.storage.files import write_json
from core.storage.parsing import parse_json
from core.storage.regular_files import flush_to_disk, open_regular, read_regular
from core.storage.schema import number_of
from core.storage.temporary_names import temporary_name

COMPARISON_FILE = "comparison.json"
_DOCUMENTS, _VALUES = "documents.json", "values.npy"
_TEXTS, _PLACES = "texts.jsonl", "texts.npy"
"""Where a comparison is written that will replace the one that is there."""
FILES = (COMPARISON_FILE, _DOCUMENTS, _VALUES, _TEXTS, _PLACES)
"""All that `keep_comparison` writes into a folder; what is there by these names is replaced."""
_SCHEMA, _VERSION = "epitome.comparison", 1


@dataclass(frozen=True)
class ComparedSystem:
    """What wrote summaries.

    Args:
        name: The model, or the file of its summaries, as it was named.
        title: What a person calls it; no two are called the same.
        description: What it is, with all that changes what it writes.
        scores: Over all documents; differences are to the first system.
        is_file: Whether its summaries were read from a file.
    """

    name: str
    title: str
    description: str
    scores: tuple[KeptScore, ...]
    is_file: bool = False

    def score(self, measure: str) -> KeptScore | None:
        """The score of a measure; None if it was not computed."""
        return next((score for score in self.scores if score.measure == measure), None)


@dataclass(frozen=True)
class ComparedGroup:
    """What a system scores on a group of documents.

    Args:
        by: What makes the groups: "kind", "novelty" or "length".
        group: The group's name.
        system: The number of the system.
        documents: How many documents are in it.
        scores: One for each measure.
    """

    by: str
    group: str
    system: int
    documents: int
    scores: tuple[KeptScore, ...]

    def score(self, measure: str) -> KeptScore | None:
        """The score of a measure; None if it was not computed."""
        return next((score for score in self.scores if score.measure == measure), None)


@dataclass(frozen=True)
class Comparison:
    """What was compared, and the scores over all documents.

    Args:
        pairs: The name of the set of documents.
        path: Where it lay.
        split: The split of a corpus; empty for a file.
        made: When, UTC, ISO 8601.
        systems: In the order they were named; all are compared with the first.
        measures: [M] name and unit of what each document scores.
        has_references: Whether there are references.
        has_documents: Whether there are documents.
        documents: How many.
        recipes: How each kind of score is computed.
        warnings: What a reader of the scores should know, one sentence each.
        settings: The settings it was made with, as plain values.
        groups: Scores of groups of documents, by grouping, then group, then system.
    """

    pairs: str
    path: str
    split: str
    made: str
    systems: tuple[ComparedSystem, ...]
    measures: tuple[tuple[str, str], ...]
    has_references: bool
    has_documents: bool
    documents: int
    recipes: dict[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    settings: dict[str, Any] = field(default_factory=dict)
    groups: tuple[ComparedGroup, ...] = ()


@dataclass(frozen=True)
class DocumentNames:
    """What the documents are called, a value for each.

    Args:
        ids: As the set calls them.
        titles: Their first lines; their ids where there are no documents.
        kinds: Of which kind each is; empty where the set does not say.
        words: How many words each has; of its reference where there are no documents.
    """

    ids: tuple[str, ...]
    titles: tuple[str, ...]
    kinds: tuple[str, ...]
    words: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class OpenedComparison:
    """A comparison without its texts.

    Args:
        folder: Where it lies.
        about: What was compared.
        names: Its documents.
        values: [S, N, M] float64: the scores.
    """

    folder: Path
    about: Comparison
    names: DocumentNames
    values: NDArray[np.float64] = field(repr=False)

    def __len__(self) -> int:
        return len(self.names.ids)

    def measure(self, name: str) -> NDArray[np.float64] | None:
        """[S, N] what each document scores in one measure; None if it was not computed."""
        names = [measure for measure, _ in self.about.measures]
        return self.values[:, :, names.index(name)] if name in names else None


@dataclass(frozen=True)
class ComparedTexts:
    """The texts of one document.

    Args:
        document: The document; empty where there is none.
        reference: Its reference; empty where there is none.
        outputs: The summary of each system.
    """

    document: str
    reference: str
    outputs: tuple[str, ...]


_COMPARISON = TypeAdapter(Comparison)
_NAMES = TypeAdapter(DocumentNames)


def keep_comparison(
    folder: Path,
    about: Comparison,
    names: DocumentNames,
    values: NDArray[np.float64],
    texts: Iterable[ComparedTexts],
    *,
    replace: bool = False,
) -> None:
    """Keeps a comparison.

    Args:
        folder: Where.
        about: What was compared.
        names: Its documents.
        values: [S, N, M] their scores.
        texts: [N] their texts.
        replace: Whether files of their names that are there are replaced.

    Raises:
        ExistsError: If there is such a file, and it is not to be replaced.
        EpitomeError: If it cannot be written.
    """
    refused = f"The comparison cannot be kept in {folder}"
    with explained(refused, "Name another folder."):
        folder.mkdir(parents=True, exist_ok=True)
        new = temporary_name(folder / "comparison")
        new.mkdir()
    try:
        places = _write_texts(new / _TEXTS, texts)
        write_array(new / _PLACES, np.array(places, np.int64))
        write_array(new / _VALUES, np.ascontiguousarray(values, np.float64))
        write_json(new / _DOCUMENTS, asdict(names))
        schema = {"schema": f"{_SCHEMA}/{_VERSION}"}
        write_json(new / COMPARISON_FILE, schema | asdict(about))
        with explained(refused, "Name another folder."):
            # Without its description the folder is no comparison: it goes first and comes last.
            if replace:
                (folder / COMPARISON_FILE).unlink(missing_ok=True)
            for name in (_TEXTS, _PLACES, _VALUES, _DOCUMENTS, COMPARISON_FILE):
                put_in_place(new / name, folder / name, replace=replace)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def read_about(folder: Path) -> Comparison:
    """What was compared.

    Args:
        folder: The comparison's.

    Returns:
        Its description.

    Raises:
        EpitomeError: If the folder holds no comparison, a damaged one, or one of a newer program.
    """
    if not (folder / COMPARISON_FILE).is_file():
        raise EpitomeError(
            f"{folder} holds no comparison.", "Choose a folder that epitome compare --out made."
        )
    try:
        told = parse_json(read_regular(folder / COMPARISON_FILE))
        version = number_of(told.pop("schema"), _SCHEMA)
        check_not_newer(f"The comparison {folder}", version, _VERSION)
        if version != _VERSION:
            raise ValueError("another schema")
        return _COMPARISON.validate_python(told)
    except (OSError, ValueError, KeyError, AttributeError, ValidationError) as error:
        raise _damaged(folder) from error


def open_comparison(folder: Path) -> OpenedComparison:
    """Opens a comparison.

    Args:
        folder: Where it lies.

    Returns:
        All but its texts.

    Raises:
        EpitomeError: If the folder holds no comparison, or a damaged one.
    """
    about = read_about(folder)
    try:
        names = _NAMES.validate_python(parse_json(read_regular(folder / _DOCUMENTS)))
        shape = (len(about.systems), about.documents, len(about.measures))
        values = read_array(folder / _VALUES, shape, np.float64)
        if any(len(column) != about.documents for column in (names.ids, names.titles, names.words)):
            raise ValueError("not as many names as documents")
    except (OSError, EOFError, ValueError, ValidationError) as error:
        raise _damaged(folder) from error
    return OpenedComparison(folder, about, names, values)


def read_texts(folder: Path, number: int) -> ComparedTexts:
    """Reads the texts of one document.

    Args:
        folder: The comparison's.
        number: Which document, from 0.

    Returns:
        Its texts.

    Raises:
        EpitomeError: If they cannot be read.
    """
    try:
        start, end = read_span(folder / _PLACES, number, 2, np.int64).tolist()
        if not 0 <= start <= end:
            raise ValueError("texts that end before they begin")
        with open_regular(folder / _TEXTS, "rb") as file:
            file.seek(start)
            row = parse_json(file.read(end - start))
        return ComparedTexts(row["document"], row["reference"], tuple(row["outputs"]))
    except (OSError, EOFError, ValueError, KeyError, TypeError, IndexError) as error:
        raise _damaged(folder) from error


def _write_texts(path: Path, texts: Iterable[ComparedTexts]) -> list[int]:
    """Writes the texts row by row; gives where the rows begin, and where the last ends."""
    places = [0]
    with (
        explained(f"The comparison cannot be kept in {path.parent.parent}", "Name another folder."),
        path.open("xb") as file,
    ):
        for row in texts:
            places.append(places[-1] + file.write(json.dumps(asdict(row)).encode() + b"\n"))
        file.flush()
        flush_to_disk(file.fileno())
    return places


def _damaged(folder: Path) -> EpitomeError:
    return EpitomeError(
        f"The comparison in {folder} is damaged.", "Delete the folder, and compare again."
    )
