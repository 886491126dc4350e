"""What the Corpus panel shows and allows, without Qt."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from core.data.settings import CorpusSettings
from core.errors import EpitomeError
from core.jobs.corpora.browse_corpus import OpenedCorpus
from core.jobs.corpora.preview_sources import SourcePreview
from core.jobs.queue.listing import JobNow
from core.library.named_folders import new_folder
from core.numbers import format_count, format_quantity
from core.settings import option_words
from core.storage.portable_names import make_portable
from core.system.shell import shell_line

KIND_WORDS = {
    "pairs": "pairs",
    "gsg": "gap sentences",
    "text": "documents",
}
_IN_PREPARATION = ("waiting", "starting", "running", "paused", "stopped", "failed")


def facts_of(opened: OpenedCorpus) -> str:
    """The one line beside the name of an open corpus: "1 284 documents, 9 skipped"."""
    documents = format_quantity(len(opened), "document")
    skipped = f", {format_count(opened.num_skipped)} skipped" if opened.num_skipped else ""
    return f"{documents}{skipped}"


def splits_line(counts: Sequence[tuple[str, int]]) -> str:
    """How many rows each split has: "1 027 train, 128 validation, 129 test"."""
    return ", ".join(f"{format_count(count)} {split}" for split, count in counts)


def in_preparation(jobs: Iterable[JobNow]) -> tuple[JobNow, ...]:
    """The jobs of the queue that prepare corpora and have not come to their end."""
    return tuple(job for job in jobs if job.kind == "corpus" and job.state in _IN_PREPARATION)


@dataclass
class NewCorpus:
    """A corpus that is being set up.

    Attributes:
        corpora: The folder of all corpora.
        sources: The names of what it is made of, each once, in the order they were added.
        settings: How it is prepared; None while a value of the form is wrong.
        name: Its name as typed.
        named_by_hand: Whether the person typed the name.
        make_is_chosen: Whether the person, or another page, said what the rows shall be.
        previews: What was found out about the sources; older than they are while `is_looking`.
        is_looking: Whether the sources are being looked into.
    """

    corpora: Path
    sources: tuple[str, ...] = ()
    settings: CorpusSettings | None = field(default_factory=CorpusSettings)
    name: str = ""
    named_by_hand: bool = False
    make_is_chosen: bool = False
    previews: tuple[SourcePreview, ...] = ()
    is_looking: bool = False

    def add(self, names: Iterable[str]) -> bool:
        """Adds sources; names the corpus after the first where it has no name.

        Args:
            names: Files, folders, corpora, data sets.

        Returns:
            Whether there was a new one.
        """
        added = tuple(dict.fromkeys(name for name in names if name not in self.sources))
        self.sources += added
        if added and not self.named_by_hand:
            self.name = suggested_name(self.sources[0], self.corpora)
        return bool(added)

    def remove(self, name: str) -> None:
        """Takes a source out."""
        self.sources = tuple(each for each in self.sources if each != name)
        if not self.sources and not self.named_by_hand:
            self.name = ""

    @property
    def tables(self) -> tuple[SourcePreview, ...]:
        """The sources that are tables."""
        return tuple(each for each in self.previews if each.columns)

    @property
    def faults(self) -> tuple[SourcePreview, ...]:
        """The sources that cannot be read as they are."""
        return tuple(each for each in self.previews if each.fault)

    @property
    def make(self) -> str:
        """What the rows will be, as far as it is known: "gsg", "pairs", "text"."""
        if self.settings is not None and self.settings.make:
            return self.settings.make
        has_pairs = bool(self.previews) and all(each.has_summaries for each in self.previews)
        return "pairs" if has_pairs else "text"

    @property
    def fitting_make(self) -> Literal["gsg"] | None:
        """What the rows should be: gap sentences where all sources are documents without summaries.

        None leaves it to the sources; so it is for data sets and corpora, which say it themselves.
        """
        plain = [
            each.kind in ("files", "table") and not (each.has_summaries or each.fault)
            for each in self.previews
        ]
        return "gsg" if plain and all(plain) else None

    @property
    def folder(self) -> Path | None:
        """Where it will lie; None while the name is no name."""
        try:
            return self._checked_folder()
        except EpitomeError:
            return None

    def _checked_folder(self) -> Path:
        return new_folder(self.name.strip(), self.corpora, "a corpus")

    @property
    def name_problem(self) -> str:
        """What is wrong with the name; empty when nothing is."""
        if not self.name.strip():
            return "Give the corpus a name."
        try:
            folder = self._checked_folder()
        except EpitomeError as error:
            return f"{error.message} {error.remedy}"
        if folder.exists():
            return "There is a corpus or a folder of this name. Choose another one."
        return ""

    @property
    def problem(self) -> str:
        """Why it cannot be prepared now; empty when it can."""
        if not self.sources:
            return "Add files, folders or tables first."
        if self.settings is None:
            return "Correct the marked settings first."
        if self.faults:
            return "Correct or remove the marked sources first."
        lacking = [each for each in self.previews if not each.has_summaries]
        is_known = [each for each in lacking if each.kind != "hub"]
        if self.settings.make == "pairs" and is_known and not self.is_looking:
            name = Path(is_known[0].name).name
            return f"{name} has no summaries, which pairs need. Choose their column."
        return self.name_problem

    @property
    def command(self) -> str:
        """The command that prepares the same corpus."""
        settings = self.settings or CorpusSettings()
        words = ["epitome", "corpus", *self.sources, *option_words(settings)]
        return shell_line([*words, "--out", self.name.strip() or "NAME"])


def suggested_name(source: str, corpora: Path) -> str:
    """A free name for a corpus, after its first source.

    Args:
        source: A file, a folder, a data set.
        corpora: Where corpora lie.

    Returns:
        The name.
    """
    path = Path(source.removeprefix("hf:"))
    stem = path.name.partition(".")[0] if path.suffix and not path.is_dir() else path.name
    stem = make_portable(stem.strip(". "), "corpus")
    taken = (number for number in range(2, 10_000) if not (corpora / f"{stem}-{number}").exists())
    return stem if not (corpora / stem).exists() else f"{stem}-{next(taken)}"


def short_path(text: str) -> str:
    """A text in which the person's own folder is written "~"."""
    home = str(Path.home())
    return text.replace(f"{home}{os.sep}", f"~{os.sep}") if len(home) > 1 else text


def told_within(preview: SourcePreview) -> str:
    """What is read of a source, without what stands above it: its name, or that of its folder.

    Args:
        preview: The source.

    Returns:
        A sentence.
    """
    told = preview.told.removeprefix(f"{preview.asked}: ")
    told = told.removeprefix(f"{preview.asked.rstrip(os.sep)}{os.sep}")
    return told[:1].upper() + told[1:] if told != preview.told else told


def with_column(settings: CorpusSettings, role: str, column: str) -> CorpusSettings:
    """Settings that read a column.

    Args:
        settings: The settings so far.
        role: "document" or "summary".
        column: The column; empty to guess it.

    Returns:
        The settings; a column is never both.
    """
    other = "summary" if role == "document" else "document"
    values = {f"{role}_column": column}
    if column and getattr(settings, f"{other}_column") == column:
        values[f"{other}_column"] = ""
    return settings.model_copy(update=values)
