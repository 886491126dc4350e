"""One summary of several documents: what they share, where they differ, and how it is written."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape as escape_html
from pathlib import Path
from typing import Any

from core.errors import EpitomeError
from core.export.docx import packed
from core.export.excerpt import KeptSummary
from core.export.html import page_head
from core.export.json_file import document_facts, envelope, sentence_value, to_json
from core.export.markdown import escape as escape_markdown
from core.export.parts import clean, passages
from core.numbers import format_quantity
from core.storage.atomic_files import write_whole
from core.storage.files import SourceFiles
from core.summaries.length import Length
from core.summaries.summary import SummarySentence
from core.summaries.summary_lines import reading_line
from core.version import VERSION

SHARED = "What the documents share"
DIFFERING = "Where they differ"
ALONE = "What only one of them says"
DOCUMENTS = "The documents"
_CLOSE = "With other numbers or names, or to the contrary"


@dataclass(frozen=True)
class Voice:
    """A document that says something.

    Args:
        document: Its place among the documents, from 0.
        sentence: Its own words, with their evidence.
    """

    document: int
    sentence: SummarySentence


@dataclass(frozen=True)
class Point:
    """Something that documents say.

    Args:
        voices: The documents that say so; the words of the first stand for all.
        contrary: Documents that say nearly the same with other numbers or names, or deny it.
    """

    voices: tuple[Voice, ...]
    contrary: tuple[Voice, ...] = ()

    @property
    def text(self) -> str:
        """Its words, and before them who says them."""
        return self.voices[0].sentence.spoken


@dataclass(frozen=True)
class CombinedSummary:
    """One summary of several documents.

    Args:
        documents: The summaries it was made of, longer than this one.
        shared: What several documents say.
        differing: What only one says, or what they say otherwise.
        length: The requested length.
        notes: What a reader should know, one sentence each.
    """

    documents: tuple[KeptSummary, ...]
    shared: tuple[Point, ...]
    differing: tuple[Point, ...]
    length: Length
    notes: tuple[str, ...] = ()

    @property
    def points(self) -> tuple[Point, ...]:
        """All of them, what is shared first."""
        return self.shared + self.differing

    def name(self, voice: Voice) -> str:
        """What the document of a voice is called."""
        return name_of(self.documents[voice.document])


def name_of(document: KeptSummary) -> str:
    """What a document is called: its title, or the name of its file."""
    return clean(document.title) or clean(document.summary.source.name) or "Document"


@dataclass(frozen=True)
class Line:
    """A place in a document that a point comes from, ready to be printed.

    Args:
        number: The number of the document, from 1.
        name: What it is called.
        place: "p. 7, [0032]".
        quotation: What it says there.
        is_contrary: Whether it says it with other numbers or names, or denies it.
    """

    number: int
    name: str
    place: str
    quotation: str
    is_contrary: bool = False

    @property
    def told(self) -> str:
        """All of it on one line."""
        words = f"{self.name}, {self.place}: “{self.quotation}”"
        return f"{_CLOSE}: {words}" if self.is_contrary else words


def lines_of(combined: CombinedSummary, point: Point) -> list[Line]:
    """Where a point comes from: a line for each place in each document."""
    found = []
    for voices, is_contrary in ((point.voices, False), (point.contrary, True)):
        for voice in voices:
            document = combined.documents[voice.document]
            for passage in passages(document.excerpt, voice.sentence):
                name = combined.name(voice)
                number = voice.document + 1
                found.append(Line(number, name, passage.place, passage.quotation, is_contrary))
    return found


def marks_of(point: Point) -> str:
    """The numbers of the documents that say it: "[1, 3]"."""
    return f"[{', '.join(map(str, sorted(voice.document + 1 for voice in point.voices)))}]"


def title_of_combined(combined: CombinedSummary) -> str:
    """ "One summary of 3 documents"."""
    return f"One summary of {format_quantity(len(combined.documents), 'document')}"


def sections(combined: CombinedSummary) -> Iterator[tuple[str, tuple[Point, ...]]]:
    """The points under their headings, those without points left out."""
    contrary = tuple(point for point in combined.differing if point.contrary)
    alone = tuple(point for point in combined.differing if not point.contrary)
    for heading, points in ((SHARED, combined.shared), (DIFFERING, contrary), (ALONE, alone)):
        if points:
            yield heading, points


def _documents(combined: CombinedSummary) -> Iterator[str]:
    """What was read of each document, a line each."""
    for number, document in enumerate(combined.documents, 1):
        yield f"[{number}] {name_of(document)}. {clean(reading_line(document.summary.read))}"


def _made(combined: CombinedSummary) -> list[str]:
    made = (
        f"Made by Epitome {VERSION} with its built-in summariser: every sentence is quoted from "
        f"its document. Requested length: {combined.length}."
    )
    return [*combined.notes, made]


def _text(combined: CombinedSummary) -> bytes:
    title = title_of_combined(combined)
    lines = [title, "=" * len(title), ""]
    for heading, points in sections(combined):
        lines += [heading, "-" * len(heading), ""]
        for point in points:
            lines.append(f"{clean(point.text)} {marks_of(point)}")
            lines += [f"    [{line.number}] {line.told}" for line in lines_of(combined, point)]
            lines.append("")
    lines += [DOCUMENTS, *_documents(combined), "", *_made(combined)]
    return ("\n".join(lines) + "\n").encode()


def _markdown(combined: CombinedSummary) -> bytes:
    parts = [f"# {title_of_combined(combined)}"]
    for heading, points in sections(combined):
        parts.append(f"## {heading}")
        for point in points:
            parts.append(f"{escape_markdown(clean(point.text))} {escape_markdown(marks_of(point))}")
            told = [f"- {escape_markdown(line.told)}" for line in lines_of(combined, point)]
            parts.append("\n".join(told))
    parts.append(f"## {DOCUMENTS}")
    parts.append("\n".join(f"- {escape_markdown(line)}" for line in _documents(combined)))
    parts += map(escape_markdown, _made(combined))
    return ("\n\n".join(parts) + "\n").encode()


def _html(combined: CombinedSummary) -> bytes:
    title = title_of_combined(combined)
    lines = [*page_head(title), f"<main><h1>{title}</h1>"]
    for heading, points in sections(combined):
        lines.append(f"<h2>{heading}</h2>")
        for point in points:
            marks = f"<sup>{escape_html(marks_of(point))}</sup>"
            lines.append(f'<p dir="auto">{escape_html(clean(point.text))}{marks}</p>')
            for line in lines_of(combined, point):
                head = f"[{line.number}] {line.name}, {line.place}"
                head = f"{_CLOSE}: {head}" if line.is_contrary else head
                lines.append(
                    f"<details><summary>{escape_html(head)}</summary>"
                    f'<blockquote dir="auto">“{escape_html(line.quotation)}”</blockquote></details>'
                )
    lines.append(f"</main><footer><h2>{DOCUMENTS}</h2>")
    lines += [f"<p>{escape_html(line)}</p>" for line in (*_documents(combined), *_made(combined))]
    return ("\n".join([*lines, "</footer></body></html>"]) + "\n").encode()


def _docx(combined: CombinedSummary) -> bytes:
    # Loaded here, so that the window starts without it.
    import docx

    word = docx.Document()
    title = title_of_combined(combined)
    word.core_properties.title, word.core_properties.author = title, "Epitome"
    word.add_heading(title, 0)
    for heading, points in sections(combined):
        word.add_heading(heading, 1)
        for point in points:
            word.add_paragraph(f"{clean(point.text)} {marks_of(point)}")
            for line in lines_of(combined, point):
                word.add_paragraph(line.told, style="List Bullet")
    word.add_heading(DOCUMENTS, 1)
    for told in (*_documents(combined), *_made(combined)):
        word.add_paragraph(told)
    return packed(word)


def combined_envelope(
    combined: CombinedSummary, settings: dict[str, Any], timings_s: dict[str, float]
) -> dict[str, Any]:
    """What ``epitome summarise --together --json`` prints.

    Args:
        combined: The summary.
        settings: The settings that made it.
        timings_s: Seconds by step.

    Returns:
        Plain values for `to_json`.
    """

    def voices(several: tuple[Voice, ...]) -> list[dict[str, Any]]:
        return [
            {
                "input": voice.document,
                **sentence_value(combined.documents[voice.document].excerpt, voice.sentence),
            }
            for voice in several
        ]

    def points(several: tuple[Point, ...]) -> list[dict[str, Any]]:
        return [
            {
                "text": clean(point.text),
                "documents": voices(point.voices),
                "contrary": voices(point.contrary),
            }
            for point in several
        ]

    result = {"shared": points(combined.shared), "differing": points(combined.differing)}
    told = envelope("together", None, settings, result, timings_s, combined.notes)
    told["inputs"] = [document_facts(document.excerpt) for document in combined.documents]
    return told


def _json(combined: CombinedSummary) -> bytes:
    return to_json(combined_envelope(combined, {"length": str(combined.length)}, {}))


COMBINED_FORMATS: dict[str, Callable[[CombinedSummary], bytes]] = {
    ".docx": _docx,
    ".html": _html,
    ".json": _json,
    ".md": _markdown,
    ".txt": _text,
}
"""From the ending of a file's name to what writes one summary of several documents into it."""


def render_combined(combined: CombinedSummary, suffix: str) -> bytes:
    """One summary of several documents as a file.

    Args:
        combined: The summary.
        suffix: The ending of the file's name, with its dot.

    Returns:
        All of the file.

    Raises:
        EpitomeError: If there is no such format.
    """
    if suffix.lower() not in COMBINED_FORMATS:
        raise EpitomeError(
            f"“{suffix}” is not a format of such a summary: {', '.join(COMBINED_FORMATS)} are.",
            "Use a file name with one of these endings.",
        )
    return COMBINED_FORMATS[suffix.lower()](combined)


def write_combined(combined: CombinedSummary, path: Path, *, replace: bool = False) -> None:
    """Writes one summary of several documents; none of these is replaced.

    Args:
        combined: The summary.
        path: Where; its ending chooses the format.
        replace: Whether another file that is there is replaced.

    Raises:
        ExistsError: If there is a file, and it is not to be replaced.
        EpitomeError: If the format is unknown, the place is a source, or it cannot be written.
    """
    data = render_combined(combined, path.suffix)
    paths = [document.summary.source.path for document in combined.documents]
    SourceFiles(filter(None, paths)).check(path)
    write_whole(path, data, "Choose another name.", replace=replace)
