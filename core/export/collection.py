"""Many summaries in one file: a document with a page of contents, or a table."""

import json
from collections.abc import Callable, Iterable, Iterator
from html import escape as escape_html

from core.documents.languages import AUTO
from core.errors import EpitomeError
from core.export.csv_file import csv_text
from core.export.docx import render_docx_collection
from core.export.html import foot_lines, page_head, sentence_lines
from core.export.json_file import summary_envelope
from core.export.markdown import escape as escape_markdown
from core.export.markdown import markdown_parts
from core.export.parts import clean, place, title_of
from core.export.text import text_lines
from core.summaries.summary import Quotable, Summary

Item = tuple[Summary, Quotable]
Items = Iterable[Item]

_COLUMNS = (
    "file", "title", "pages", "words", "language", "sentences", "seconds", "summary", "places",
    "not_read",
)  # fmt: skip
_CONTENTS_STYLE = "<style>article { margin-top: 4rem; } nav li { margin: 0.2rem 0; }</style>"


def render_collection(title: str, items: Items, suffix: str, quotations: bool = True) -> bytes:
    """Summaries as one document with its contents at the beginning.

    Args:
        title: The title of the document.
        items: Summaries with what is quoted of their documents; passed over once.
        suffix: ".docx", ".html", ".md" or ".txt".
        quotations: Whether every sentence has its evidence.

    Returns:
        All of the file; the same bytes for the same summaries.

    Raises:
        EpitomeError: If there is no such format.
    """
    if suffix.lower() not in DOCUMENTS:
        raise EpitomeError(
            f"“{suffix}” is not a format of several summaries: {', '.join(DOCUMENTS)} are.",
            "Use a file name with one of these endings.",
        )
    return DOCUMENTS[suffix.lower()](clean(title), items, quotations)


def _markdown(title: str, items: Items, quotations: bool) -> bytes:
    contents: list[str] = []
    parts: list[str] = []
    for number, (summary, document) in enumerate(items, 1):
        key = f"{number}-"
        contents.append(f"- [{escape_markdown(title_of(summary))}](#summary-{number})")
        parts.append(f'<a id="summary-{number}"></a>')
        parts += markdown_parts(summary, document, quotations, level=2, key=key)
    head = [f"# {escape_markdown(title)}", "## Contents", "\n".join(contents)]
    return ("\n\n".join([*head, *parts]) + "\n").encode()


def _html(title: str, items: Items, quotations: bool) -> bytes:
    contents: list[str] = []
    articles: list[str] = []
    for number, (summary, document) in enumerate(items, 1):
        name, key = escape_html(title_of(summary)), f"summary-{number}-"
        contents.append(f'<li><a href="#summary-{number}">{name}</a></li>')
        lang = f' lang="{escape_html(summary.read.language)}"' if summary.read.language else ""
        articles += [
            f'<article id="summary-{number}"{lang}><h1 dir="auto">{name}</h1>',
            *sentence_lines(summary, document, quotations, key),
            '<footer lang="en">',
            *foot_lines(summary, document),
            "</footer></article>",
        ]
    name = escape_html(title)
    lines = [
        *page_head(name),
        _CONTENTS_STYLE,
        f'<main><h1 dir="auto">{name}</h1><nav><h2>Contents</h2><ol>',
        *contents,
        "</ol></nav>",
        *articles,
        "</main></body></html>",
    ]
    return ("\n".join(lines) + "\n").encode()


def _text(title: str, items: Items, quotations: bool) -> bytes:
    contents: list[str] = []
    lines: list[str] = []
    for number, (summary, document) in enumerate(items, 1):
        contents.append(f"{number}. {title_of(summary)}")
        lines += ["", "", *text_lines(summary, document, quotations)]
    head = [title, "=" * min(len(title), 72), "", "Contents", *contents]
    return ("\n".join([*head, *lines]) + "\n").encode()


DOCUMENTS: dict[str, Callable[[str, Items, bool], bytes]] = {
    ".docx": render_docx_collection,
    ".html": _html,
    ".md": _markdown,
    ".txt": _text,
}
"""From the ending of a file's name to what writes several summaries into it."""


def csv_lines(items: Items) -> Iterator[bytes]:
    """Summaries as CSV, a line at a time; no field is taken for a formula by a spreadsheet."""
    yield "\ufeff".encode() + _csv_line(_COLUMNS)
    for summary, document in items:
        read = summary.read
        places = "; ".join(
            ", ".join(map(place, sentence.evidence)) for sentence in summary.sentences
        )
        missed = "; ".join(f"{item.what}: {item.why}" for item in read.left_out if item.missed)
        yield _csv_line(
            (
                document.source.path or document.source.name, title_of(summary), read.of_pages,
                read.words, read.language, len(summary.sentences), round(summary.seconds, 2),
                clean(summary.text), places, clean(missed),
            )
        )  # fmt: skip


def _csv_line(values: Iterable[object]) -> bytes:
    return csv_text([values], end="\r\n").encode("utf-8", "replace")


def json_lines(items: Items) -> Iterator[bytes]:
    """Summaries as JSON Lines: each is what ``epitome summarise --json`` prints of one."""
    for summary, document in items:
        read = summary.read
        settings = {
            "length": str(summary.length),
            "model": summary.model,
            "language": AUTO if read.language_guessed else read.language,
        }
        value = summary_envelope(summary, document, settings, {"total": summary.seconds})
        yield json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
        yield b"\n"
