"""A prepared corpus as a source of another one: its documents, in the splits they have."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from core.data.corpus import CARD, Corpus, document_of, open_corpus
from core.data.settings import Make
from core.data.source_rows import SourceRow
from core.errors import EpitomeError
from core.library.folders import Folders
from core.library.named_folders import named_folder, typed_path
from core.numbers import format_quantity


@dataclass(frozen=True)
class CorpusSource:
    """The rows of a corpus.

    Args:
        corpus: The corpus.
    """

    corpus: Corpus

    @property
    def name(self) -> str:
        """The name shown to a person."""
        return self.corpus.folder.name

    @property
    def has_summaries(self) -> bool:
        """Whether its rows have summaries."""
        return self.corpus.make == "pairs"

    def describe(self, make: Make) -> str:
        """One sentence on what is read for rows of this kind."""
        documents = format_quantity(self.count, "document")
        summaries = " with their summaries" if make == "pairs" else ""
        return f"{self.corpus.folder}: the corpus's {documents}{summaries}."

    def cache_key(self) -> list[Any]:
        """Plain values that change when the rows change."""
        return [str(self.corpus.folder), self.corpus.fingerprint]

    @property
    def count(self) -> int:
        """The number of rows."""
        return sum(self.corpus.counts.values())

    def rows(self) -> Iterator[SourceRow]:
        """The rows, split by split."""
        for split in self.corpus.splits:
            for number, row in enumerate(self.corpus.rows(split), 1):
                yield SourceRow(
                    origin=f"{self.name}/{split}:{number}",
                    id=row["id"],
                    title=row["title"],
                    document=document_of(row, self.corpus.masking),
                    summary=row.get("summary"),
                    split=split,  # type: ignore[arg-type] # those of `Corpus.splits` are
                )


def find_corpus(name: str) -> CorpusSource | None:
    """The corpus that a source's name stands for.

    Args:
        name: The folder of a corpus, or, where there is no file or folder of that name, the name
            of one of this user's corpora.

    Returns:
        The corpus; None where the name means something else.

    Raises:
        EpitomeError: If it is a corpus whose files are damaged.
    """
    folder = typed_path(name)
    if not folder.exists():
        try:
            folder = named_folder(name, Folders.of_this_user().corpora)
        except EpitomeError:
            return None
    return CorpusSource(open_corpus(folder.absolute())) if (folder / CARD).is_file() else None
