"""Summarises one source: what `epitome summarise` does."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from core.decoding.engine import EngineChoice
from core.documents.document import Document
from core.documents.languages import AUTO
from core.documents.line_mode import LineMode
from core.errors import EpitomeError
from core.events import Event, Failed, Finished, Started, Steps
from core.export.excerpt import Excerpt
from core.jobs.sources.sources import SourceRef, is_risky, read_source
from core.jobs.summaries.write_summary import write_summary
from core.jobs.timings import Timings
from core.library.folders import Folders
from core.library.named_folders import named_folder
from core.settings import Settings, option
from core.stop import StopToken
from core.summaries.length import Length, LengthText
from core.summaries.summary import LanguageCode, OutlineEntry, Summary
from core.system.limits import limited

Made = tuple[Summary, tuple[OutlineEntry, ...]]

BUILT_IN = "built-in"


class SummariseSettings(Settings):
    """How a source is summarised."""

    length: LengthText = option(
        "9s",
        "Length",
        "Length of the summary: sentences (5s), words (120w) or a share of the text (10%).",
        basic=True,
    )
    model: str = option(
        BUILT_IN,
        "Model",
        "Summariser: built-in selects sentences; the name or folder of a model lets it write.",
        basic=True,
    )
    prompt: str = option(
        "",
        "Prompt",
        "What a Hugging Face model is given, with {text} for the document; empty uses its own.",
    )
    engine: EngineChoice = option(
        "auto",
        "Engine",
        "What computes an imported model: auto chooses; ctranslate2 is faster on a processor.",
    )
    language: LanguageCode = option(
        AUTO,
        "Language",
        "Language of the text, such as de, fr, es, it, pt, nl or ru; auto detects it.",
    )
    column: str = option(
        "",
        "Column",
        "Column to read from a table of texts (CSV, JSON); by default detected.",
    )
    lines: LineMode = option(
        "auto",
        "Lines",
        "Lines of plain text: auto joins those an editor broke, join joins all, keep joins none.",
    )


@dataclass(frozen=True)
class Summarised:
    """A summary and the document it was made from.

    Args:
        document: What was read; of one that another machine read, the passages that are quoted.
        summary: Its summary.
        timings_s: Seconds for each part of the work: read, rank, choose; or read, load, write.
        outline: The headings with their first good sentences, if the built-in summariser ranked
            the sentences.
    """

    document: Document | Excerpt
    summary: Summary
    timings_s: dict[str, float]
    outline: tuple[OutlineEntry, ...] = ()

    def called(self, title: str, name: str) -> "Summarised":
        """The same of a text that cannot tell its own name, such as a row of a table.

        Args:
            title: What it is called.
            name: What its source is called.

        Returns:
            The result.
        """
        source = replace(self.document.source, name=name)
        document = replace(self.document, title=title, source=source)
        summary = replace(self.summary, title=title, source=source)
        return replace(self, document=document, summary=summary)


@dataclass(frozen=True)
class SummariseJob:
    """Reads a source, and picks its summary or lets a model write it.

    Args:
        source: What to read.
        settings: How to summarise it.
        title: The title of a text that has none itself, such as a row of a table; its source names
            it. Empty for the title of the document.
    """

    memory_remedy = "Close other programs, or use a shorter document."
    remote_noun = "document"

    source: SourceRef
    settings: SummariseSettings
    title: str = ""

    @property
    def is_risky(self) -> bool:
        """True if reading the source may end the process."""
        return is_risky(self.source)

    @property
    def num_bytes(self) -> int:
        """The size of the document."""
        from core.jobs.cluster.documents import num_bytes

        return num_bytes(self.source)

    def write_order(self, stop: StopToken) -> Steps[bytes]:
        """Writes what a worker of a cluster needs."""
        from core.jobs.cluster.documents import write_document

        return write_document(self, stop)

    def read_reply(self, reply: object) -> Summarised | Failed:
        """Reads a worker's reply."""
        from core.jobs.cluster.documents import read_summary

        return read_summary(reply, self)

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with a `Summarised`."""
        yield Started("Summarising")
        timings = Timings()
        run = None if self.settings.model == BUILT_IN else self._model_folder()
        source = replace(self.source, column=self.settings.column, lines=self.settings.lines)
        with limited():
            document = yield from read_source(source, stop, self.settings.language)
            document = document.in_language(self.settings.language)
            timings.end("read")
            if run is None:
                summary, outline = yield from self._picked(document, timings, stop)
        if run is not None:
            summary, outline = yield from self._written(run, document, timings, stop)
        yield Finished(self.named(Summarised(document, summary, timings.parts_s, outline)))

    def named(self, result: Summarised) -> Summarised:
        """Gives a result the title of the job."""
        return result.called(self.title, self.source.name) if self.title else result

    def _picked(self, document: Document, timings: Timings, stop: StopToken) -> Steps[Made]:
        from core.summarisers.built_in import rank_document
        from core.summarisers.choice import choose
        from core.summarisers.presentation.outline import build_outline
        from core.summarisers.selection.budget import ranks_needed

        length = Length.parse(self.settings.length)
        ranking = yield from rank_document(document, stop, at_least=ranks_needed(document, length))
        timings.end("rank")
        summary = choose(document, ranking, length, seconds=timings.total_s)
        timings.end("choose")
        return summary, build_outline(document, ranking)

    def _model_folder(self) -> Path:
        """Where the model is; a name that is none is told before the document is read."""
        model = self.settings.model
        folder = named_folder(model, Folders.of_this_user().runs)
        if not folder.is_dir():
            raise EpitomeError(
                f"“{model}” is no model; {BUILT_IN} is, and the names and folders of models.",
                "See epitome list models.",
            )
        return folder

    def _written(
        self, run: Path, document: Document, timings: Timings, stop: StopToken
    ) -> Steps[Made]:
        length = Length.parse(self.settings.length)
        chosen = self.settings
        summary = yield from write_summary(
            document, run, length, timings, stop, prompt=chosen.prompt, engine=chosen.engine
        )
        return replace(summary, seconds=timings.total_s), ()
