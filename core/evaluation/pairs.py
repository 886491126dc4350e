"""Documents with the summaries that people wrote of them: what systems are scored on.

Letters: N documents.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from core.data.columns import IDS, SUMMARIES
from core.data.corpus import CARD, document_of, open_corpus
from core.data.tables import table_notes
from core.documents.document import Document
from core.documents.readers.columns import DOCUMENTS
from core.errors import EpitomeError
from core.evaluation.rows import Row, find_column, open_rows, text_in
from core.evaluation.settings import ScoreSettings
from core.numbers import format_quantity
from core.storage.regular_files import open_regular

_REFERENCES = ("reference", "target")
_KINDS = ("kind", "type", "category", "genre", "domain", "source")
_LONGEST_KIND = 60  # code points; a longer text is no name of a kind


@dataclass(frozen=True)
class Pairs:
    """What summaries are held against.

    Args:
        path: The file, or the corpus.
        ids: [N] what each document is called; its number from 1 where the file does not say. No two
            are called the same: judgements know documents by these names.
        references: [N] the summaries that people wrote.
        documents: [N] the documents; None when the file holds none.
        notes: What was guessed and what was left out, one sentence each.
        is_cut: Whether only the first rows were taken.
        has_references: Whether there are references; else those are empty.
        kinds: [N] of which kind each document is; empty where the file does not say.
        read: The documents as their files were read, with headings and captions, by their texts;
            empty for those of a table, which are texts alone.
        has_gaps: Whether files before the last of these documents could not be read.
    """

    path: Path
    ids: tuple[str, ...]
    references: tuple[str, ...]
    documents: tuple[str, ...] | None
    notes: tuple[str, ...] = ()
    is_cut: bool = False
    has_references: bool = True
    kinds: tuple[str, ...] = ()
    read: Mapping[str, Document] = field(default_factory=dict)
    has_gaps: bool = False

    def __len__(self) -> int:
        return len(self.references)

    @property
    def hashes(self) -> tuple[str, ...] | None:
        """[N] the hash of each document, by which it is known again."""
        return self.documents and tuple(map(text_hash, self.documents))


@dataclass(frozen=True)
class _Columns:
    summary: str | None
    document: str | None
    id: str | None
    note: str
    kind: str | None = None


def told_apart(names: Iterable[str]) -> Iterator[str]:
    """Names of which no two are the same.

    Args:
        names: Some may be.

    Yields:
        Each of them; one that an earlier one has already gets a number: "a", "a (2)".
    """
    taken: dict[str, int] = {}
    for name in names:
        told = name
        while told in taken:
            taken[name] += 1
            told = f"{name} ({taken[name]})"
        taken[told] = 1
        yield told


def text_hash(text: str) -> str:
    """SHA-256 of a text in UTF-8, in hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def file_hash(path: Path) -> str:
    """SHA-256 of a file, in hex; of a corpus, of the card that holds its fingerprint."""
    with open_regular(path / CARD if path.is_dir() else path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]


def hash_of_pairs(pairs: Pairs) -> str:
    """SHA-256 of the file or corpus of pairs, in hex; of a folder of documents, of their texts."""
    if pairs.path.is_dir() and not (pairs.path / CARD).is_file():
        return text_hash("\n".join(pairs.hashes or ()))
    return file_hash(pairs.path)


def read_pairs(path: Path, settings: ScoreSettings) -> Pairs:
    """Reads documents and references; only documents where the settings say so.

    Args:
        path: A Parquet, JSON Lines or CSV file; or a corpus, of which one split is read.
        settings: The columns, where they are not to be guessed, the split, and how many rows.

    Returns:
        The pairs, in their order there.

    Raises:
        EpitomeError: If they cannot be read, there are none, or one lacks a text.
    """
    columns, rows = _corpus_rows(path, settings) if path.is_dir() else _file_rows(path, settings)
    taken = list(_texts(islice(rows, settings.limit), columns, path))
    if not taken:
        raise EpitomeError(f"“{path.name}” holds no rows.", "Name another file.")
    names, references, documents, kinds = zip(*taken, strict=True)
    guessed = () if path.is_dir() else table_notes(path)
    is_cut = settings.limit is not None and next(rows, None) is not None
    cut = f"Only the first {format_quantity(len(names), 'row')} of “{path.name}” were taken."
    return Pairs(
        path=path,
        ids=tuple(told_apart(names)),
        references=references,
        documents=documents if columns.document else None,
        notes=tuple(filter(None, (columns.note, *guessed, cut if is_cut else ""))),
        is_cut=is_cut,
        has_references=columns.summary is not None,
        kinds=kinds if columns.kind else (),
    )


def _file_rows(path: Path, settings: ScoreSettings) -> tuple[_Columns, Iterator[Row]]:
    if settings.split != "test":
        raise EpitomeError(f"“{path.name}” is a file and has no splits.", "Leave out --split.")
    names, rows = open_rows(path)
    return _find_columns(names, path, settings), rows


def _corpus_rows(path: Path, settings: ScoreSettings) -> tuple[_Columns, Iterator[Row]]:
    for named in ("document_column", "summary_column"):
        if getattr(settings, named):
            raise EpitomeError(
                "A corpus has columns of its own.", f"Leave out --{named.replace('_', '-')}."
            )
    corpus = open_corpus(path)
    if corpus.make != "pairs" and settings.references:
        raise EpitomeError(
            f"The corpus {path.name} holds no summaries that people wrote.",
            "Name one that was prepared with --make pairs, or add --no-references.",
        )
    if settings.split not in corpus.splits:
        raise EpitomeError(
            f"The corpus {path.name} has no split “{settings.split}”; it has "
            f"{', '.join(corpus.splits)}.",
            "Name one of these with --split.",
        )
    summary = "summary" if settings.references else None
    rows: Iterator[Row] = iter(corpus.rows(settings.split))
    if corpus.make == "gsg":
        rows = (row | {"document": document_of(row, corpus.masking)} for row in rows)
    return _Columns(summary, "document", "id", ""), rows


def _texts(
    rows: Iterator[Row], columns: _Columns, path: Path
) -> Iterator[tuple[str, str, str, str]]:
    for number, row in enumerate(rows, 1):
        given = row.get(columns.id) if columns.id else None
        name = str(number) if given in (None, "") else str(given)
        reference = text_in(row, columns.summary, number, path) if columns.summary else ""
        document = text_in(row, columns.document, number, path) if columns.document else ""
        kind = row.get(columns.kind) if columns.kind else None
        is_name = kind is not None and len(str(kind)) <= _LONGEST_KIND
        yield name, reference, document, str(kind) if is_name else ""


def _find_columns(names: list[str], path: Path, settings: ScoreSettings) -> _Columns:
    # One column cannot be both: what was named for one is not guessed for the other.
    free = [name for name in names if name != settings.summary_column]
    document = find_column(free, settings.document_column, DOCUMENTS, "--document-column")
    free = [name for name in names if name != document]
    usual = (*SUMMARIES, *_REFERENCES)
    kind = find_column(free, "", _KINDS, "")
    if not settings.references:
        return _documents_alone(path, names, document, settings, kind)
    summary = find_column(free, settings.summary_column, usual, "--summary-column")
    if summary is None:
        raise EpitomeError(
            f"“{path.name}” has no column of references that could be guessed; its columns are "
            f"{', '.join(names)}.",
            "Name one of these with --summary-column, or add --no-references.",
        )
    guessed = [] if settings.summary_column else [f"references in “{summary}”"]
    if document and not settings.document_column:
        guessed.append(f"documents in “{document}”")
    note = f"Guessed from the names of the columns: {' and '.join(guessed)}." if guessed else ""
    return _Columns(summary, document, find_column(names, "", IDS, ""), note, kind)


def _documents_alone(
    path: Path, names: list[str], document: str | None, settings: ScoreSettings, kind: str | None
) -> _Columns:
    if document is None:
        raise EpitomeError(
            f"“{path.name}” has no column of documents that could be guessed; its columns are "
            f"{', '.join(names)}.",
            "Name one of these with --document-column.",
        )
    guessed = f"Guessed from the names of the columns: documents in “{document}”."
    note = "" if settings.document_column else guessed
    return _Columns(None, document, find_column(names, "", IDS, ""), note, kind)
