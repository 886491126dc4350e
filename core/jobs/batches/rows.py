"""A document of a batch: what is asked of it, and what came of it."""

import json
from dataclasses import dataclass
from typing import Literal

from core.export.excerpt import KeptSummary
from core.export.parts import clean
from core.jobs.summaries.summarise import Summarised, SummariseSettings
from core.settings import option
from core.summaries.summary_lines import left_out_line, support_line

RowState = Literal["waiting", "done", "failed", "skipped"]
RowFilter = Literal["all", "done", "failed", "note", "waiting"]

NO_RECORD = -1
"""The record of a row that is a whole file."""


class BatchSettings(SummariseSettings):
    """How the documents of a batch are summarised, unless a row says otherwise."""

    quotations: bool = option(
        True, "Page references", "Write the evidence of every sentence into the exported files."
    )
    processes: int | None = option(
        None,
        "Processes",
        "Number of documents read at a time; by default the number of cores.",
        ge=1,
    )


@dataclass(frozen=True)
class Wish:
    """What a row asks for that the batch does not; an empty field follows the batch.

    Args:
        length: As `SummariseSettings` has it.
        model: As `SummariseSettings` has it.
        language: As `SummariseSettings` has it.
    """

    length: str = ""
    model: str = ""
    language: str = ""

    def over(self, settings: SummariseSettings) -> SummariseSettings:
        """The settings of the row."""
        wished = {name: value for name, value in vars(self).items() if value}
        return settings.model_copy(update=wished)


@dataclass(frozen=True)
class BatchRow:
    """A document of a batch.

    Args:
        number: Its place, from 1.
        path: Its file, absolute.
        record: Its place in a table of texts, from 0; `NO_RECORD` for a whole file.
        name: What it is called.
        state: Where it stands.
        wish: Its own settings.
        title: Its title, once it is read.
        pages: How many pages it has; 0 for none.
        words: How many words were read.
        language: The code of its language.
        sentences: How many sentences its summary has.
        seconds: How long reading and summarising took.
        first: The first sentence of the summary.
        read: What was not read, or what else a reader should know; empty if all is well.
        message: Why it has no summary, or, where it has one, why that was not made again.
        remedy: What to do about that.
        kind: The kind of that failure, such as "password".
        made_with: The settings its summary was made with, as `settings_key` gives them.
        revision: When it last changed, as `BatchStore.revision` counts.
    """

    number: int
    path: str
    record: int
    name: str
    state: RowState = "waiting"
    wish: Wish = Wish()
    title: str = ""
    pages: int = 0
    words: int = 0
    language: str = ""
    sentences: int = 0
    seconds: float = 0.0
    first: str = ""
    read: str = ""
    message: str = ""
    remedy: str = ""
    kind: str = ""
    made_with: str = ""
    revision: int = 0

    @property
    def has_note(self) -> bool:
        """Whether a reader of its summary should know something."""
        return self.state == "done" and bool(self.read or self.message)

    def is_stale(self, settings: SummariseSettings) -> bool:
        """Whether its summary was made with other settings than it has now."""
        if self.state != "done" or not self.made_with:
            return False
        return self.made_with != settings_key(self.wish.over(settings))


def settings_key(settings: SummariseSettings) -> str:
    """Settings as one short text, to tell them apart."""
    key = [settings.length, settings.model, settings.language, settings.column]
    # A batch of an earlier version has no other lines than these.
    return json.dumps(key if settings.lines == "auto" else [*key, settings.lines])


@dataclass(frozen=True)
class Made:
    """What came of a document, as it is stored.

    Args:
        title: The title of the document.
        pages: How many pages it has.
        words: How many words were read.
        language: The code of its language.
        sentences: How many sentences the summary has.
        seconds: How long it took.
        first: The first sentence.
        read: As in `BatchRow`.
        kept: The summary, as `KeptSummary.to_json` writes it.
        made_with: As in `BatchRow`.
    """

    title: str
    pages: int
    words: int
    language: str
    sentences: int
    seconds: float
    first: str
    read: str
    kept: str
    made_with: str


def made_of(result: Summarised, settings: SummariseSettings) -> Made:
    """What is stored of a summary."""
    from core.summarisers.presentation.notes import is_about_size

    summary, document = result.summary, result.document
    first = summary.sentences[0].spoken if summary.sentences else ""
    notes = (
        *document.reading.notes,
        *(note for note in summary.notes if not is_about_size(note)),
    )
    said = (left_out_line(document.reading), support_line(summary), *notes)
    return Made(
        clean(summary.title),
        document.reading.of_pages,
        document.reading.words,
        document.reading.language,
        len(summary.sentences),
        sum(result.timings_s.values()),
        clean(first),
        clean(" ".join(filter(None, dict.fromkeys(said)))),
        KeptSummary.of(summary, document).to_json(),
        settings_key(settings),
    )
