"""Which formats a summary can be written in, and the one door to them."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.errors import EpitomeError
from core.export.docx import render_docx
from core.export.html import render_html
from core.export.json_file import render_json
from core.export.markdown import render_markdown
from core.export.text import render_text
from core.storage.atomic_files import write_whole
from core.storage.files import SourceFiles
from core.summaries.summary import Quotable, Summary


@dataclass(frozen=True)
class Format:
    """A format of exported summaries.

    Args:
        name: As a person reads it in the list of formats.
        render: Makes the whole file, with or without quotations; the same bytes for the same
            summary.
    """

    name: str
    render: Callable[[Summary, Quotable, bool], bytes]


FORMATS = {
    ".docx": Format("Word document", render_docx),
    ".md": Format("Markdown", render_markdown),
    ".html": Format("Web page", render_html),
    ".txt": Format("Plain text", render_text),
    ".json": Format("JSON", render_json),
}
"""From the ending of a file's name, with its dot, to the format."""


def render(summary: Summary, document: Quotable, suffix: str, *, quotations: bool = True) -> bytes:
    """A summary as the bytes of a file.

    Args:
        summary: The summary.
        document: The document it was made of; the quotations come from it.
        suffix: ".txt", ".md", ".docx", ".html" or ".json", in any case.
        quotations: Whether every sentence has its evidence below it; JSON always has it.

    Returns:
        All of the file; the same bytes every time.

    Raises:
        EpitomeError: If there is no such format.
    """
    return format_of(suffix).render(summary, document, quotations)


def format_of(suffix: str) -> Format:
    """The format for a file's ending.

    Args:
        suffix: With its dot, in any case.

    Returns:
        The format.

    Raises:
        EpitomeError: If there is none.
    """
    if suffix.lower() not in FORMATS:
        known = ", ".join(FORMATS)
        found = f"“{suffix}”" if suffix else "A name without an ending"
        raise EpitomeError(
            f"{found} is not a format of summaries: {known} are.",
            "Export it from the window, or use one of these endings."
            if suffix.lower() == ".pdf"
            else "Use a file name with one of these endings.",
        )
    return FORMATS[suffix.lower()]


def export(
    summary: Summary,
    document: Quotable,
    path: Path,
    sources: SourceFiles | None = None,
    *,
    quotations: bool = True,
    replace: bool = False,
) -> None:
    """Writes a summary; a reader sees the old file or the new one, never a half.

    Args:
        summary: The summary.
        document: The document it was made of.
        path: Where; its ending chooses the format.
        sources: All that is read besides; nothing of it is replaced.
        quotations: As `render` takes it.
        replace: Whether a file that is there is replaced.

    Raises:
        ExistsError: If there is a file, and it is not to be replaced.
        EpitomeError: If the format is unknown, the folder is not there, the place is a source,
            or nothing can be written there.
    """
    data = render(summary, document, path.suffix, quotations=quotations)
    write_export(summary, data, path, sources, replace=replace)


def write_export(
    summary: Summary,
    data: bytes,
    path: Path,
    sources: SourceFiles | None = None,
    *,
    replace: bool = False,
) -> None:
    """Writes a rendered summary; a reader sees the old file or the new one, never a half.

    Args:
        summary: The summary; its source is not replaced.
        data: All of the file.
        path: Where.
        sources: All that is read besides; nothing of it is replaced.
        replace: Whether a file that is there is replaced.

    Raises:
        ExistsError: If there is a file, and it is not to be replaced.
        EpitomeError: If the folder is not there, the place is a source, or nothing can be written
            there.
    """
    if not path.parent.is_dir():
        raise EpitomeError(f"There is no folder {path.parent}.", "Choose an existing folder.")
    SourceFiles([summary.source.path] if summary.source.path else []).check(path)
    if sources is not None:
        sources.check(path)
    write_whole(path, data, "Choose another name.", replace=replace)
