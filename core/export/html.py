"""A summary as one HTML file that needs nothing else and follows light and dark."""

from collections.abc import Iterator
from html import escape

from core.export.parts import (
    EVIDENCE_HEADING,
    MADE_HEADING,
    NO_SUPPORT,
    READ_HEADING,
    clean,
    doubt_lines,
    made_lines,
    passages,
    pieces,
    reading_lines,
    title_of,
)
from core.summaries.summary import Doubt, Quotable, Summary, SummarySentence
from core.summaries.summary_lines import describe_doubt

STYLE = """
:root { color-scheme: light dark; --text: #1c1d1a; --quiet: #5a5d55; --ground: #ffffff;
  --line: #d9dad4; --link: #2a4f9e; --mark: #fdf0c8; --warn: #a8450b; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e8e8e3; --quiet: #a9aca2; --ground: #191a18; --line: #3a3c37;
    --link: #9db7f0; --mark: #3d3418; --warn: #f29a61; } }
body { margin: 0 auto; max-width: 40rem; padding: 2rem 1.25rem 4rem; color: var(--text);
  background: var(--ground); font: 1.0625rem/1.6 "Source Serif 4", Georgia, serif; }
h1, h2, sup, summary, footer { font-family: Inter, system-ui, sans-serif; line-height: 1.3; }
h1 { font-size: 1.6rem; } h2 { font-size: 1rem; margin: 2.5rem 0 0.5rem; }
sup { font-size: 0.7rem; margin-left: 0.2em; } a { color: var(--link); }
p:target, blockquote:target { background: var(--mark); }
details { border-top: 1px solid var(--line); padding: 0.4rem 0; }
summary { cursor: pointer; font-size: 0.875rem; color: var(--quiet); }
u { text-decoration: underline dotted 2px var(--warn); text-underline-offset: 0.2em; }
blockquote { margin: 0.5rem 0 0.5rem 1rem; }
footer { color: var(--quiet); font-size: 0.875rem; }
"""


def render_html(summary: Summary, document: Quotable, quotations: bool = True) -> bytes:
    """The summary as a self-contained HTML page; the quotations are folded away."""
    title = escape(title_of(summary))
    lines = [
        *page_head(title, _lang(summary)),
        f'<main><h1 dir="auto">{title}</h1>',
        *sentence_lines(summary, document, quotations),
        '</main><footer lang="en">',
        *foot_lines(summary, document),
        "</footer></body></html>",
    ]
    return ("\n".join(lines) + "\n").encode()


def page_head(title: str, attributes: str = "") -> list[str]:
    """The beginning of a page, to its body.

    Args:
        title: Its title, escaped.
        attributes: Of the root, such as its language.

    Returns:
        Its lines.
    """
    return [
        "<!DOCTYPE html>",
        f'<html{attributes}><head><meta charset="utf-8">',
        # The page asks for nothing from anywhere, and says so to whatever shows it.
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>",
        f"<style>{STYLE}</style></head>",
        "<body>",
    ]


def sentence_lines(
    summary: Summary, document: Quotable, quotations: bool, key: str = ""
) -> list[str]:
    """The sentences of a summary, and their evidence.

    Args:
        summary: The summary.
        document: What it was made of.
        quotations: Whether every sentence has its evidence.
        key: Begins the names of its anchors, to tell them from those of other summaries.

    Returns:
        Their lines.
    """
    numbered = list(enumerate(summary.sentences, 1))
    lines = [_sentence(number, sentence, quotations, key) for number, sentence in numbered]
    return [*lines, *(_evidence_lines(summary, document, key) if quotations else ())]


def foot_lines(summary: Summary, document: Quotable) -> list[str]:
    """What was read, and how the summary was made."""
    read = _section(READ_HEADING, reading_lines(summary))
    return [*read, *_section(MADE_HEADING, made_lines(summary, document))]


def render_print(summary: Summary, document: Quotable, quotations: bool = True) -> str:
    """The summary as plain HTML for paper: nothing is folded, and there are no links."""
    title = escape(title_of(summary))
    numbered = list(enumerate(summary.sentences, 1))
    lines = [f"<html{_lang(summary)}><body>", f"<h1>{title}</h1>"]
    for number, sentence in numbered:
        mark = f"<sup>\u202f{number}</sup>" if quotations else ""
        lines.append(f"<p>{_words(sentence)}{mark}</p>")
    if quotations:
        lines.append(f"<h2>{EVIDENCE_HEADING}</h2>")
        lines += [f"<p>{_printed(number, item, document)}</p>" for number, item in numbered]
    lines += _section(READ_HEADING, reading_lines(summary))
    lines += _section(MADE_HEADING, made_lines(summary, document))
    return "\n".join([*lines, "</body></html>"])


def _printed(number: int, sentence: SummarySentence, document: Quotable) -> str:
    found = passages(document, sentence)
    quotes = [f"{escape(item.place)}: “{escape(item.quotation)}”" for item in found]
    lines = [*(quotes or [NO_SUPPORT]), *map(escape, doubt_lines(sentence))]
    return f"{number}. " + "<br>".join(lines)


def _lang(summary: Summary) -> str:
    """The attribute that says what language the text is in; none when that is not known."""
    language = escape(summary.read.language)
    return f' lang="{language}"' if language else ""


def _words(sentence: SummarySentence) -> str:
    speaker = f"<b>{escape(clean(sentence.voice))}:</b> " if sentence.voice else ""
    return speaker + "".join(_piece(sentence, *piece) for piece in pieces(sentence))


def _evidence_lines(summary: Summary, document: Quotable, key: str) -> Iterator[str]:
    yield f'<h2 lang="en">{EVIDENCE_HEADING}</h2>'
    for number, sentence in enumerate(summary.sentences, 1):
        yield _evidence(number, sentence, document, key)


def _sentence(number: int, sentence: SummarySentence, quotations: bool, key: str) -> str:
    link = f'<sup><a href="#{key}evidence-{number}" title="Evidence">{number}</a></sup>'
    mark = link if quotations else ""
    return f'<p id="{key}sentence-{number}" dir="auto">{_words(sentence)}{mark}</p>'


def _piece(sentence: SummarySentence, words: str, doubt: Doubt | None) -> str:
    if doubt is None:
        return escape(words)
    told = escape(clean(describe_doubt(sentence, doubt)))
    return f'<u title="{told}">{escape(words)}</u>'


def _evidence(number: int, sentence: SummarySentence, document: Quotable, key: str) -> str:
    # The target lies inside the fold: a browser that is sent there opens it.
    found = passages(document, sentence)
    places = escape("; ".join(item.place for item in found) or NO_SUPPORT)
    quotes = "<br>".join(f"“{escape(item.quotation)}”" for item in found)
    body = f'<blockquote id="{key}evidence-{number}" dir="auto">{quotes or NO_SUPPORT}</blockquote>'
    body += "".join(f'<p dir="auto">{escape(line)}</p>' for line in doubt_lines(sentence))
    back = f'<a href="#{key}sentence-{number}">Back to sentence {number}</a>'
    return f"<details><summary>{number} · {places}</summary>{body}{back}</details>"


def _section(heading: str, lines: list[str]) -> list[str]:
    return [f"<h2>{heading}</h2>", *(f'<p dir="auto">{escape(line)}</p>' for line in lines)]
