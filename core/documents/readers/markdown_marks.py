"""What programs that build pages add to Markdown: template tags, and marks of notes and layout.

Tags of Liquid (Jekyll) and shortcodes (Hugo) stand for what only these programs know; a variable
in a sentence leaves its name in brackets. Marks of notes (GitHub, MkDocs, Docusaurus, Pandoc) and
lists of attributes (Kramdown, Pandoc) are taken out, and what they mark stays. So are comments
between "%%" (Obsidian). Code stays as it is.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from core.documents.document import LeftOut, count_words
from core.documents.readers.office import comments

_ANY = re.compile(
    r"\{[{%]|\{:|%%|[\])*_]\{[.#]|\[!|^[ \t]*(?:!!!|\?\?\?|===!?[ \t]*[\"']|:::)", re.MULTILINE
)
_COMMENT_MARK = re.compile(r"(?<!%)%%(?!%)")
_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})")
_RAW = re.compile(r"\{%-?\s*(end)?raw\s*-?%\}")
_RAW_IN_LINE = re.compile(_RAW.pattern + r"(.{0,2000}?)" + _RAW.pattern)
_OPENING = re.compile(r"[ \t]*\{%-?\s*(highlight|comment)\b[^%\n]*%\}")
_TEMPLATE = re.compile(
    r"(?P<code>(?<!`)(?P<ticks>`{1,9})(?!`).{1,300}?(?<!`)(?P=ticks)(?!`))"
    r"|(?:\{%|\{\{[<%])[-\s]{0,9}(?P<tag>/?\s{0,9}[\w/.-]{0,100})[^{}]{0,2000}?(?:[>%]\}\}|%\})"
    r"|\{\{(?P<variable>[^{}\n]{0,300})\}\}"
    r"|\[!(?P<included>INCLUDE|VIDEO|code[\w-]{0,20})\b[ \t]*"
    r"(?:\[[^\]\n]{0,300}\])?(?:\([^)\n]{0,300}\))?[^\[\]\n]{0,300}\]",
    re.DOTALL,
)
_CONTROL = re.compile(
    r"/|end|if$|elsif$|else$|unless$|for$|case$|when$|assign$|raw$|link$|post_url$"
)
_CLOSING = re.compile(r"(?:\{%|\{\{[<%])[-\s]{0,9}(?:/|end)\s{0,9}([\w/.-]+)")
_ADDRESS = re.compile(
    r"\]\(<?[^()\s]*$|^[ \t]*\[[^\]\n]+\]:[ \t]*\S*$|=[\"'][^\"'\n]*$", re.MULTILINE
)
_NAME = re.compile(r"[\s-]*(?:[\w-]+\.)*(\w[\w-]*)")
_LITERAL = re.compile(r"\s*([\"'])(.*?)\1\s*(?:\||$)")
_CONTENTS = re.compile(r"^(?:[-*+]|\d+\.) .*\n(?=\{:?\s*toc\b)", re.MULTILINE | re.IGNORECASE)
_ATTRIBUTES = re.compile(r"\{:[^{}\n]*\}|(?<=[\])*_])\{[.#][\w-][^{}\n]*\}")
_QUOTED_NOTE = re.compile(r"([ \t]*)>[ \t]*\[![A-Za-z]+(?: [^\]\n]*)?\][-+]?(?!\()[ \t]*(.*)")
_QUOTE = re.compile(r"([ \t]*)> ?")
_INDENTED_NOTE = re.compile(
    r"([ \t]*)(?:(?:!!!|\?\?\?)\+?[ \t]*\w[\w -]*?(?:[ \t]+\"(.*)\")?|===!?[ \t]*\"(.*)\")[ \t]*"
)
_CONTAINER = re.compile(r"([ \t]*):{3,}(?!:)[ \t]*(?:\{[^{}]*\}|[\w-]+)?[ \t]*(.*?)[ \t]*:*")
_LONGEST_MARK = 300  # characters
_GENERAL = re.compile(r"note|tip|info|important|warning|caution|danger|attention|example", re.I)
_INDENT = 4


@dataclass
class _Found:
    """How many tags and marks were left out."""

    tags: int = 0
    marks: int = 0
    comment_words: int = 0

    def told(self) -> Iterator[LeftOut]:
        if self.tags:
            what = "1 template tag" if self.tags == 1 else f"{self.tags} template tags"
            yield LeftOut(what, "only the program that builds the page can fill them in")
        if self.marks:
            what = "1 mark" if self.marks == 1 else f"{self.marks} marks"
            yield LeftOut(f"{what} of notes and layout", "they are not text", missed=False)
        if self.comment_words:
            yield comments(self.comment_words)


def without_marks(text: str) -> tuple[str, list[LeftOut]]:
    """Markdown without template tags and marks of notes.

    Args:
        text: Markdown without front matter.

    Returns:
        Ordinary Markdown, and what is to be told of what was left out.
    """
    if not _ANY.search(text):
        return text, []
    found = _Found()
    closed = set(_CLOSING.findall(text))
    lines: list[tuple[str, bool]] = []
    for part, is_prose in _parts(text):
        part = _filled(part, closed, found) if is_prose else part
        lines += [(line, is_prose) for line in part.split("\n")]
    return "\n".join(_without_notes(lines, found)), list(found.told())


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """Runs of lines, and whether they are prose; others are code, or template tags as examples."""
    prose: list[str] = []
    lines = iter(text.split("\n"))
    for line in lines:
        end = _end_of_code(line)
        if end is None:
            prose.append(line)
            continue
        yield "\n".join(prose), True
        prose = []
        yield from ((part, False) for part in _code(line, lines, end))
    yield "\n".join(prose), True


def _end_of_code(line: str) -> re.Pattern[str] | None:
    """What ends the code that begins in a line; None if none does."""
    if fence := _FENCE.match(line):
        mark = fence[1]
        return (
            None if mark[0] in line[fence.end() :] else re.compile(rf"[ \t>]*{mark}{mark[0]}*\s*$")
        )
    if opening := _OPENING.match(line):
        return re.compile(rf".*\{{%-?\s*end{opening[1]}\b")
    if _RAW_IN_LINE.search(line) is None and (raw := _RAW.search(line)) and not raw[1]:
        return re.compile(r".*\{%-?\s*endraw\b")
    return None


def _code(first: str, lines: Iterator[str], end: re.Pattern[str]) -> Iterator[str]:
    """The lines of code, with fences where template tags mark it; nothing of a comment."""
    body: list[str] = []
    last = ""
    for line in lines:
        if end.match(line):
            last = line
            break
        body.append(line)
    if opening := _OPENING.match(first):
        body = ["```", *body, "```"] if opening[1] == "highlight" else []
    else:
        body = [first, *body, last]
    yield from (_RAW.sub("", line) for line in body)


def _is_address(text: str, at: int) -> bool:
    """Whether an address stands at a place of a text: there no name can be shown."""
    start = max(at - _LONGEST_MARK, 0)
    line_start = text.rfind("\n", start, at) + 1
    return bool(_ADDRESS.search(text, line_start or start, at))


def _filled(text: str, closed: set[str], found: _Found) -> str:
    """Prose without template tags."""

    def written(match: re.Match[str]) -> str:
        if match["code"]:
            return match[0]
        if _is_address(text, match.start()):
            return "#"
        if match["variable"] is not None:
            return _variable(match["variable"], found)
        name = (match["tag"] or match["included"] or "").replace(" ", "")
        is_mark = _CONTROL.match(name) or name in closed
        found.marks += bool(is_mark)
        found.tags += not is_mark
        return ""

    text = _RAW_IN_LINE.sub(r"`\2`", _without_comments(text, found))
    return _TEMPLATE.sub(written, _CONTENTS.sub("", text))


def _without_comments(text: str, found: _Found) -> str:
    """Prose without what is between two marks "%%"; a mark at the beginning of a word is open."""
    parts: list[str] = []
    start, opening = 0, None
    for mark in _COMMENT_MARK.finditer(text):
        if opening is not None and not text[mark.end() : mark.end() + 1].isalnum():
            parts.append(text[start : opening.start()])
            found.comment_words += count_words(text[opening.end() : mark.start()])
            start, opening = mark.end(), None
        elif not text[mark.start() - 1 : mark.start()].strip():
            opening = mark
        else:
            opening = None
    return "".join([*parts, text[start:]])


def _variable(inner: str, found: _Found) -> str:
    if literal := _LITERAL.match(inner):
        return literal[2]
    found.tags += 1
    name = _NAME.match(inner)
    return f"[{name[1]}]" if name else ""


def _without_notes(lines: list[tuple[str, bool]], found: _Found) -> Iterator[str]:
    """The lines without marks of notes; what is indented or quoted below a mark is so no longer."""
    indents: list[int] = []  # of the notes around a line
    in_quoted = False
    for index, (line, is_prose) in enumerate(lines):
        indent = _indent(line)
        while line.strip() and indents and indent < indents[-1] + _INDENT:
            indents.pop()
        line = line[min(indent, _INDENT * len(indents)) :]
        in_quoted = in_quoted and bool(_QUOTE.match(line))
        line = _QUOTE.sub(r"\1", line, count=1) if in_quoted else line
        note = _note(line, lines[index + 1 : index + 4]) if is_prose else None
        if note:
            in_quoted = note.re is _QUOTED_NOTE
            if note.re is _INDENTED_NOTE:
                indents.append(indent)
            found.marks += 1
            yield from _titled(note)
            continue
        if is_prose and "{" in line:
            line, count = _ATTRIBUTES.subn("", line)
            found.marks += count
        yield line


def _note(line: str, below: list[tuple[str, bool]]) -> re.Match[str] | None:
    if len(line) > _LONGEST_MARK:
        return None
    if quoted := _QUOTED_NOTE.fullmatch(line):
        return quoted
    if marked := _INDENTED_NOTE.fullmatch(line):
        following = next((line for line, _ in below if line.strip()), "")
        return marked if _indent(following) >= len(marked[1]) + _INDENT else None
    return _CONTAINER.fullmatch(line)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _titled(note: re.Match[str]) -> Iterator[str]:
    """What stands in place of a mark: the title of the note, if it has one of its own."""
    indent, *titles = note.groups()
    title = next(filter(None, titles), "")
    yield ""
    if title and "=" not in title and not _GENERAL.fullmatch(title):
        yield f"{indent}<figcaption>{escape(title)}</figcaption>"
        yield ""
