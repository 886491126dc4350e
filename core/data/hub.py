"""Named data sets of the Hugging Face hub, each pinned to a repository and a revision.

Files are listed explicitly (`data_files`), so that no code of a repository is ever run, and a
folder with files of the same names can replace the repository.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from core.data.columns import Columns
from core.data.corpus import SPLITS, Split
from core.data.datasets_library import datasets_library
from core.data.settings import CorpusSettings, Make
from core.data.source_rows import SourceRow, source_row
from core.errors import EpitomeError, needs_training
from core.library.folders import Folders
from core.library.named_folders import typed_path

PREFIX = "hf:"
_COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True)
class HubSource:
    """A data set.

    Args:
        name: Its name in this program.
        repository: Its repository, or a folder with the same files.
        revision: The commit to read; empty for the newest, which is looked up and recorded.
        config: The configuration to read: the folder of its files.
        files: The pattern of the files of a split, with ``{config}`` and ``{split}``.
        columns: The columns to read.
        splits: The splits it has; a single one does not count as a split.
        stream: Whether rows are streamed over the network, since the data set is too large to
            download.
        count: None: the number of rows is not known in advance.
    """

    name: str
    repository: str
    revision: str
    config: str
    files: str
    columns: Columns
    splits: tuple[Split, ...] = SPLITS
    stream: bool = False
    count: None = None

    @property
    def has_summaries(self) -> bool:
        """Whether its rows have summaries."""
        return bool(self.columns.summary)

    @property
    def origin(self) -> str:
        """The repository and the exact revision."""
        return f"{self.repository}@{self.revision}" if self.revision else self.repository

    def describe(self, make: Make) -> str:
        """One sentence on what is read for rows of this kind."""
        config = f" ({self.config})" if self.config else ""
        return f"{PREFIX}{self.name}: {self.origin}{config}, {self.columns.describe(make)}."

    def cache_key(self) -> list[Any]:
        """Plain values that change when the rows change."""
        return [self.origin, self.config, self.files, str(self.columns)]

    def rows(self) -> Iterator[SourceRow]:
        """The rows, split by split."""
        for split in self.splits:
            own = split if len(self.splits) > 1 else None
            for number, fields in enumerate(self._fields(split), 1):
                origin = f"{PREFIX}{self.name}/{split}:{number}"
                yield source_row(fields, self.columns, origin, own)

    def _fields(self, split: Split) -> Iterator[dict[str, Any]]:
        datasets = datasets_library("Data sets of the hub are read")
        try:
            found: Iterable[dict[str, Any]] = datasets.load_dataset(
                self.repository,
                data_files={split: self.files.format(config=self.config, split=split)},
                split=split,
                revision=self.revision or None,
                streaming=self.stream,
                # The data set card counts all splits, but one is read at a time.
                verification_mode="no_checks",
                cache_dir=str(Folders.of_this_user().cache / "huggingface"),
            )
            yield from found
        except Exception as error:  # no network, missing file, full disk: raised by many libraries
            raise _unreachable(self, error) from error


_ARTICLES: Final = Columns("article", "abstract")
KNOWN: Final = {
    source.name: source
    for source in (
        HubSource(
            "wikipedia", "wikimedia/wikipedia", "b04c8d1ceb2f5cd4588862100d08de323dccfbaa",
            "20231101.en", "{config}/{split}-*.parquet", Columns("text", "", "title", "id"),
            splits=("train",), stream=True,
        ),
        HubSource(
            "big_patent", "NortheasternUniversity/big_patent", "",
            "all", "{config}/{split}-*.parquet", Columns("description", "abstract"), stream=True,
        ),
        HubSource(
            "cnn_dailymail", "abisee/cnn_dailymail", "96df5e686bee6baa90b8bee7c28b81fa3fa6223d",
            "3.0.0", "{config}/{split}-*.parquet", Columns("article", "highlights", "", "id"),
        ),
        HubSource(
            "xsum", "EdinburghNLP/xsum", "7d4d486c2f8ef850b1a11aead99b894ff3dd7da9",
            "", "data/{split}-*.parquet", Columns("document", "summary", "", "id"),
        ),
        HubSource(
            "arxiv", "ccdv/arxiv-summarization", "240aaf1a969b3f8cd0ade6986bfad0cd730ee288",
            "document", "{config}/{split}-*.parquet", _ARTICLES,
        ),
        HubSource(
            "pubmed", "ccdv/pubmed-summarization", "",
            "document", "{config}/{split}-*.parquet", _ARTICLES,
        ),
    )
}  # fmt: skip
NEWSROOM = "newsroom"


def find_hub_source(name: str, settings: CorpusSettings) -> HubSource:
    """The data set with a name.

    Args:
        name: ``hf:NAME`` or ``hf:NAME:CONFIG``, optionally followed by ``@COMMIT``.
        settings: Columns to use instead of the usual ones.

    Returns:
        The data set, with its revision.

    Raises:
        EpitomeError: If the name is unknown, or the newest commit cannot be looked up.
    """
    rest, _, revision = name.removeprefix(PREFIX).partition("@")
    known, _, config = rest.partition(":")
    if known not in KNOWN:
        names = ", ".join([*KNOWN, f"{NEWSROOM}:FOLDER"])
        raise EpitomeError(
            f"“{name}” is not a known data set; the known ones are {names}.",
            f"Use one of these as {PREFIX}NAME, or download its files and give their folder.",
        )
    if revision and not _COMMIT.fullmatch(revision):
        raise EpitomeError(
            f"“{revision}” is not a commit; a commit has 40 hexadecimal digits.",
            "Copy the commit from the history of the data set.",
        )
    source = KNOWN[known]
    return replace(
        source,
        config=config or source.config,
        columns=_columns(source, settings),
        revision=revision or source.revision or _newest(source),
    )


def is_of_hub(name: str) -> bool:
    """Whether a source's name is that of a known data set, which only the network can tell more of.

    Args:
        name: Of any source.

    Returns:
        False too for what looks like one and is not known, and for the Newsroom archive.
    """
    known = name.removeprefix(PREFIX).partition("@")[0].partition(":")[0]
    return name.startswith(PREFIX) and known in KNOWN


def newsroom_folder(name: str) -> Path | None:
    """The folder of the Newsroom archive.

    Args:
        name: ``hf:newsroom:FOLDER``, or any other name.

    Returns:
        The folder; None for another name.

    Raises:
        EpitomeError: If the name has no folder.
    """
    known, _, folder = name.removeprefix(PREFIX).partition(":")
    if not name.startswith(PREFIX) or known != NEWSROOM:
        return None
    if not folder:
        raise EpitomeError(
            "Newsroom is available on request only, as an archive of three compressed JSON files.",
            f"Unpack the archive and use {PREFIX}{NEWSROOM}:FOLDER.",
        )
    return typed_path(folder)


def _columns(source: HubSource, settings: CorpusSettings) -> Columns:
    return replace(
        source.columns,
        document=settings.document_column or source.columns.document,
        summary=settings.summary_column or source.columns.summary,
    )


def _newest(source: HubSource) -> str:
    """The newest commit; recording it lets a resumed preparation read the same rows."""
    if Path(source.repository).is_dir():
        return ""
    with needs_training("Data sets of the hub are read"):
        from huggingface_hub import HfApi
    try:
        return str(HfApi().dataset_info(source.repository).sha)
    except Exception as error:
        raise _unreachable(source, error) from error


def _unreachable(source: HubSource, error: Exception) -> EpitomeError:
    why = str(error).strip().partition("\n")[0].rstrip(".")
    return EpitomeError(
        f"The data set {source.origin} cannot be read ({type(error).__name__}: {why}).",
        "Connect to the network, or download its files and give their folder.",
    )
