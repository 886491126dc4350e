"""reStructuredText: headings by underlines, lists, notes, tables and directives.

It reads what documents use; it is no complete parser. A directive that is not known is read by its
indented text.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from core.documents.budget import Budget
from core.documents.document import Block, Document, Kind, LeftOut, Source, count_words
from core.documents.kinds import refine_kinds
from core.documents.readers import office
from core.documents.readers.cleaning import clean, trimmed_lines
from core.documents.readers.encodings import decode
from core.documents.readers.failures import not_text
from core.documents.readers.formulas import text_of_tex, without_omitted
from core.documents.readers.prose_tables import MOST_WORDS_CELL
from core.documents.readers.restructured_inline import Substitutions, plain
from core.documents.readers.restructured_tables import (
    GRID_RULE,
    SIMPLE_RULE,
    csv_rows,
    grid_rows,
    list_rows,
    simple_end,
    simple_rows,
)
from core.events import Progress, Steps
from core.stop import StopToken

_SIGNS = re.compile(r"^\.\. [\w-]+::(?: |$)|(?<!\w):[a-z:]+:`[^`\n]+`|`[^`\n]+ <[^<>\n]+>`_", re.M)
_FEWEST_SIGNS = 3
_LONGEST_MARKED = 5_000_000  # characters
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])\1*\s*")
_EXPLICIT = re.compile(r"\.\.(?:[ \t]+|$)")
_DIRECTIVE = re.compile(r"(\|[^|]+\|[ \t]+)?([A-Za-z][\w:+.-]*) ?::(?:[ \t]+(.*)|$)")
_NOTE = re.compile(r"\[(?:(\d+|#[\w-]*|\*)|([\w.-]+))\](?:[ \t]+|$)")
_TARGET = re.compile(r"_(?:`[^`]*`|[^:`\\]|\\.)*:|__(?::|[ \t])")
_SUBSTITUTION = re.compile(r"^\.\. \|([^|\n]+)\| +(\w+)::[ \t]*(.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
_FIELD = re.compile(r":(?![\s:])([^:\n`]{1,60}):(?:[ \t]+|$)")
_BARE_FIELD = re.compile(r"[A-Za-z][\w-]{1,25}: \S.{0,300}")
_FEWEST_FIELDS = 3
_BULLET = re.compile(r"([-*+•‣])(?:[ \t]+|$)")
_NUMBER = re.compile(r"\(?(?:\d{1,3}|#|[A-Za-z]|[ivxlcdm]{2,7}|[IVXLCDM]{2,7})[.)](?:[ \t]+|$)")
_ADMONITIONS = frozenset(
    "note tip warning important caution hint attention danger error seealso todo".split()
)
_TITLED = frozenset("admonition topic sidebar dropdown tab tab-item card".split())
_CHANGES = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
    "versionremoved": "Removed in version",
}
_CODE = frozenset(
    "code code-block sourcecode parsed-literal prompt doctest testcode testoutput ipython"
    " highlight-block productionlist console".split()
)
_QUOTES = frozenset("epigraph highlights pull-quote".split())
_CONTAINERS = frozenset(
    "container class compound only rst-class centered hlist tabs tab-set glossary".split()
)
_PICTURES = frozenset("image figure video youtube thumbnail".split())
_INSTRUCTIONS = frozenset(
    "contents toctree index meta sectnum section-numbering highlight currentmodule module"
    " default-role role default-domain title tabularcolumns header footer target-notes".split()
)
_MOST_WORDS_TERM = 8
_DEEPEST = 40  # levels of indentation


@dataclass
class _Context:
    """What a paragraph is where it stands.

    Args:
        kind: Its kind.
        level: The depth of a list item.
        prefix: What the next paragraph begins with: the number of an item, a term.
        depth: How many indented blocks are around it.
    """

    kind: Kind = Kind.PARAGRAPH
    level: int = 0
    prefix: str = ""
    depth: int = 0


def read_restructured(data: bytes, source: Source, stop: StopToken) -> Steps[Document]:
    """Reads a file in reStructuredText.

    Args:
        data: All its bytes.
        source: Where they came from; its name stands for a title the text does not have.
        stop: The wish to end early.

    Yields:
        That it is reading.

    Returns:
        The document; its title is its first heading of the highest level.

    Raises:
        EpitomeError: If the bytes are no text in any known encoding.
    """
    yield Progress(0, 0, "lines", "Reading")
    decoded = decode(data)
    if decoded is None:
        raise not_text(source.name)
    notes = [decoded.note] if decoded.note else []
    return (yield from read_restructured_text(clean(decoded.text), source, stop, notes))


def read_restructured_text(
    text: str, source: Source, stop: StopToken, notes: list[str]
) -> Steps[Document]:
    """Reads reStructuredText that is text already.

    Args:
        text: The clean text.
        source: Where it came from.
        stop: The wish to end early.
        notes: What is worth saying about it, one sentence each.

    Yields:
        That it is reading.

    Returns:
        The document.
    """
    yield Progress(0, 0, "lines", "Reading")
    parser = _Parser(text, stop, Budget(source.name))
    blocks, omitted = without_omitted(_with_fields(parser.blocks))
    title = next((b.text for b in blocks if b.kind == Kind.HEADING and b.level == 1), "")
    return Document.from_blocks(
        refine_kinds(blocks),
        title=title or source.name,
        source=source,
        left_out=[*omitted, *parser.left_out()],
        notes=notes,
    )


def looks_like_restructured(text: str) -> bool:
    """Whether plain text has directives, roles and links of reStructuredText."""
    if "::" not in text and ":`" not in text and ">`_" not in text:  # found much faster
        return False
    signs = len(_SIGNS.findall(text, 0, 200_000))
    return signs >= _FEWEST_SIGNS and len(text) < _LONGEST_MARKED


class _Parser:
    """Turns lines into blocks."""

    def __init__(self, text: str, stop: StopToken, budget: Budget) -> None:
        self.blocks: list[Block] = []
        self._stop = stop
        self._num_heads = 0  # blocks at the beginning that are headings and fields
        self._styles: list[str] = []
        self._passed: Counter[str] = Counter()
        self._words: Counter[str] = Counter()
        self._substitutions = Substitutions(budget)
        for name, how, body in _SUBSTITUTION.findall(text):
            inner = plain(body, Substitutions(budget)) if how == "replace" else ""
            self._substitutions.set(name, inner)
        self._parse([line.expandtabs(8).rstrip() for line in text.split("\n")], _Context())

    def left_out(self) -> Iterator[LeftOut]:
        """What was passed over."""
        if count := self._passed["inserted"]:
            what = "1 inserted part" if count == 1 else f"{count} inserted parts"
            why = "other files or programs make them"
            yield LeftOut(what, why, self._words["inserted"])
        if self._passed["comments"]:
            why = "they are not printed"
            yield LeftOut("comments", why, self._words["comments"], missed=False)
        if self._passed["instructions"]:
            why = "they are not text"
            yield LeftOut("directives", why, self._words["instructions"], missed=False)
        if self._passed["pictures"]:
            yield office.pictures(self._passed["pictures"])

    def _parse(self, lines: list[str], context: _Context) -> None:
        at = 0
        while at < len(lines):
            if not lines[at]:
                at += 1
            else:
                self._stop.raise_if_set()
                at = self._block(lines, at, context)

    def _block(self, lines: list[str], at: int, context: _Context) -> int:
        """Reads the block that begins in a line; one past its last line."""
        line = lines[at]
        if line[0] == " ":
            return self._indented(lines, at, context)
        readers: tuple[Callable[[list[str], int, _Context], int], ...] = (
            self._heading,
            self._explicit,
            self._table,
            self._field,
            self._item,
            self._code_or_verse,
        )
        for reader in readers:
            if end := reader(lines, at, context):
                return end
        return self._paragraph(lines, at, context)

    def _add(self, text: str, context: _Context) -> None:
        text = context.prefix + plain(text, self._substitutions)
        context.prefix = ""
        if text.strip():
            self.blocks.append(Block(text, context.kind, context.level))

    def _indented(self, lines: list[str], at: int, context: _Context) -> int:
        end = _end_of_indented(lines, at)
        kind = Kind.QUOTE if context.kind == Kind.PARAGRAPH else context.kind
        self._inside(_dedented(lines[at:end]), replace(context, kind=kind))
        return end

    def _inside(self, lines: list[str], context: _Context) -> None:
        """Reads what is indented; as plain paragraphs where it is so too deep."""
        if context.depth < _DEEPEST:
            self._parse(lines, replace(context, depth=context.depth + 1))
        else:
            self._add("\n".join(lines), context)

    def _heading(self, lines: list[str], at: int, context: _Context) -> int:
        first, second, third = (*lines[at : at + 3], "", "")[:3]
        if rule := _PUNCTUATION.fullmatch(first):
            if second.strip() and third == first and len(first) >= min(4, len(second.strip())):
                return self._titled(second, f"over {rule[1]}", at + 3, context)
            return at + 1 if len(first) >= 4 and not second else 0
        under = _PUNCTUATION.fullmatch(second) if second else None
        if not under or len(second) < min(4, len(first)) or _EXPLICIT.match(first):
            return 0
        return self._titled(first, under[1], at + 2, context)

    def _titled(self, title: str, style: str, end: int, context: _Context) -> int:
        if context.depth:
            return 0
        if style not in self._styles:
            self._styles.append(style)
        level = min(self._styles.index(style) + 1, 6)
        self._add(title, _Context(Kind.HEADING, level))
        return end

    def _explicit(self, lines: list[str], at: int, context: _Context) -> int:
        if lines[at].startswith("__ "):
            return at + 1
        start = _EXPLICIT.match(lines[at])
        if not start:
            return 0
        end = _end_of_indented(lines, at + 1)
        head, below = lines[at][start.end() :], _dedented(lines[at + 1 : end])
        if note := _NOTE.match(head):
            kind = Kind.REFERENCE if note[2] else Kind.FOOTNOTE
            self._inside([head[note.end() :], *below], replace(context, kind=kind, level=0))
        elif directive := _DIRECTIVE.fullmatch(head):
            if not directive[1]:
                name = directive[2].rsplit(":", 1)[-1].lower()
                self._directive(name, directive[3] or "", below, context)
        elif not _TARGET.match(head) and (head or below):
            self._pass("comments", [head, *below])
        return end

    def _pass(self, what: str, lines: list[str]) -> None:
        self._passed[what] += 1
        self._words[what] += count_words(" ".join(lines))

    def _directive(self, name: str, argument: str, below: list[str], context: _Context) -> None:
        options = next((i for i, line in enumerate(below) if not _FIELD.match(line)), len(below))
        body = below[options:]
        if self._wrapper(name, argument, body, context):
            return
        if name in _CODE:
            self._code(body)
        elif name in _PICTURES:
            self._passed["pictures"] += 1
            if name == "figure":
                self._inside(body, replace(context, kind=Kind.CAPTION, level=0))
        elif name in ("table", "list-table", "csv-table"):
            self._table_directive(name, argument, below[:options], body, context)
        elif name == "math":
            formula = text_of_tex(" ".join(filter(None, [argument, *body])))
            self.blocks.append(Block(formula, context.kind, context.level))
        elif name == "rubric":
            self._add(argument, _Context(Kind.HEADING, min(len(self._styles) + 1, 6)))
        elif name in _INSTRUCTIONS:
            self._pass("instructions", [argument, *body])
        elif name.startswith("raw") or not any(body):
            self._pass("inserted", body)
        else:
            self._code([argument])
            self._inside(body, context)

    def _wrapper(self, name: str, argument: str, body: list[str], context: _Context) -> bool:
        """Reads a directive around text: a note, a quotation, a container; False for others."""
        if name in _ADMONITIONS:
            kind = Kind.CAPTION if name == "seealso" else context.kind
            self._inside([argument, *body], replace(context, kind=kind))
        elif name in _CONTAINERS or name in _QUOTES:
            kind = Kind.QUOTE if name in _QUOTES else context.kind
            self._inside(body, replace(context, kind=kind))
        elif name in _CHANGES:
            version, _, words = argument.partition(" ")
            prefix = f"{_CHANGES[name]} {version}: "
            if words or any(body):
                self._inside([words, *body], replace(context, prefix=prefix))
        elif name in _TITLED:
            self._add(argument, _Context(Kind.CAPTION))
            self._inside(body, context)
        else:
            return False
        return True

    def _code(self, lines: list[str]) -> None:
        if code := trimmed_lines("\n".join(lines)):
            self.blocks.append(Block(code, Kind.CODE))

    def _table_directive(
        self, name: str, title: str, options: list[str], body: list[str], context: _Context
    ) -> None:
        self._add(title, _Context(Kind.CAPTION))
        if name == "table":
            self._inside(body, context)
        elif name == "list-table":
            self._rows(list_rows(body), context)
        else:
            header = next((o.split(":", 2)[2] for o in options if o.startswith(":header:")), "")
            self._rows(csv_rows(body, header.strip()), context)

    def _table(self, lines: list[str], at: int, context: _Context) -> int:
        if GRID_RULE.fullmatch(lines[at]):
            end = next(
                (i for i in range(at, len(lines)) if lines[i][:1] not in ("+", "|")), len(lines)
            )
            self._rows(grid_rows(lines[at:end]), context)
            return end
        if SIMPLE_RULE.fullmatch(lines[at]) and (end := simple_end(lines, at)):
            self._rows(simple_rows(lines[at:end]), context)
            return end
        return 0

    def _rows(self, rows: list[list[str]], context: _Context) -> None:
        """A table; one with long cells is read cell by cell."""
        cells = [[plain(cell, self._substitutions) for cell in row] for row in rows]
        if any(len(cell.split()) > MOST_WORDS_CELL for row in cells for cell in row):
            self.blocks += [Block(cell, context.kind) for row in cells for cell in row if cell]
        elif text := "\n".join("\t".join(row).rstrip() for row in cells).strip():
            self.blocks.append(Block(text, Kind.TABLE))

    def _field(self, lines: list[str], at: int, context: _Context) -> int:
        match = _FIELD.match(lines[at])
        if not match:
            return 0
        end = _end_of_indented(lines, at + 1)
        body = [lines[at][match.end() :], *_dedented(lines[at + 1 : end])]
        if any(body):
            is_head = not context.depth and self._is_at_head()
            kind = Kind.BOILERPLATE if is_head else Kind.LIST_ITEM
            level = 0 if kind == Kind.BOILERPLATE else 1
            self._inside(body, replace(context, kind=kind, level=level, prefix=f"{match[1]}: "))
        return end

    def _is_at_head(self) -> bool:
        """Whether nothing but headings and fields has been read."""
        of_head = (Kind.HEADING, Kind.BOILERPLATE)
        while self._num_heads < len(self.blocks) and self.blocks[self._num_heads].kind in of_head:
            self._num_heads += 1
        return self._num_heads == len(self.blocks)

    def _item(self, lines: list[str], at: int, context: _Context) -> int:
        match = _BULLET.match(lines[at]) or _NUMBER.match(lines[at])
        if not match:
            return 0
        end = _end_of_indented(lines, at + 1)
        is_bullet = match.re is _BULLET
        below = lines[end] if end < len(lines) else ""
        if not is_bullet and (
            context.prefix or (end == at + 1 and not _NUMBER.match(below or "#. "))
        ):
            return 0  # "A. Miller" at the beginning of a paragraph or as the value of a field
        prefix = "" if is_bullet or match[0].startswith("#") else match[0].strip() + " "
        level = min(context.level + 1, 6)
        kind = Kind.LIST_ITEM if context.kind in (Kind.PARAGRAPH, Kind.QUOTE) else context.kind
        body = [lines[at][match.end() :], *_dedented(lines[at + 1 : end])]
        self._inside(body, replace(context, kind=kind, level=level, prefix=context.prefix + prefix))
        return end

    def _code_or_verse(self, lines: list[str], at: int, context: _Context) -> int:
        if not lines[at].startswith((">>> ", "| ")):
            return 0
        end = next((i for i in range(at, len(lines)) if not lines[i]), len(lines))
        if lines[at].startswith(">>> "):
            self._code(lines[at:end])
            return end
        for line in lines[at:end]:
            self._add(line.removeprefix("|"), context)
        return end

    def _paragraph(self, lines: list[str], at: int, context: _Context) -> int:
        end = next(
            (i for i in range(at + 1, len(lines)) if not lines[i] or lines[i][0] == " "), len(lines)
        )
        text = "\n".join(lines[at:end])
        if text.endswith("::"):
            self._add(text[:-1] if text[-3:-2].strip() else text[:-2], context)
            code_end = _end_of_indented(lines, end)
            self._code(lines[end:code_end])
            return code_end
        if end == at + 1 and end < len(lines) and lines[end]:
            body_end = _end_of_indented(lines, end)
            self._definition(text, _dedented(lines[end:body_end]), context)
            return body_end
        self._add(text, context)
        return end

    def _definition(self, term: str, body: list[str], context: _Context) -> None:
        term = plain(term, self._substitutions)
        if len(term.split()) <= _MOST_WORDS_TERM and not term.endswith(":"):
            context = replace(
                context, kind=Kind.LIST_ITEM, level=1, prefix=f"{context.prefix}{term}: "
            )
        else:
            self._add(term, context)
        self._inside(body, context)


def _with_fields(blocks: list[Block]) -> list[Block]:
    """The blocks; paragraphs below the title such as "author: A. Miller" are no running text."""
    end = 1
    while end < len(blocks) and _BARE_FIELD.fullmatch(blocks[end].text):
        end += 1
    if end < 1 + _FEWEST_FIELDS or blocks[0].kind != Kind.HEADING:
        return blocks
    fields = [replace(block, kind=Kind.BOILERPLATE, level=0) for block in blocks[1:end]]
    return [blocks[0], *fields, *blocks[end:]]


def _end_of_indented(lines: list[str], at: int) -> int:
    """One past the last line from a place on that is indented; `at` if none is."""
    end = at
    for index in range(at, len(lines)):
        if lines[index]:
            if lines[index][0] != " ":
                break
            end = index + 1
    return end


def _dedented(lines: list[str]) -> list[str]:
    indents = [len(line) - len(line.lstrip()) for line in lines if line]
    shift = min(indents, default=0)
    return [line[shift:] for line in lines]
