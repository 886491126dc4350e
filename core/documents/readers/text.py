"""Plain text: paragraphs, headings, lists and code from lines alone."""

import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace

from core.documents.chapters import with_chapters
from core.documents.document import Block, Document, Kind, LeftOut, Source, count_words
from core.documents.kinds import refine_kinds
from core.documents.readers import headings
from core.documents.readers.armour import remove_armour
from core.documents.readers.chats import CHAT, read_chat
from core.documents.readers.cleaning import clean, one_line, trimmed_lines, without_ligatures
from core.documents.readers.encodings import decode
from core.documents.readers.failures import not_text
from core.documents.readers.hyphens import Hyphens
from core.documents.readers.lines import (
    MARKER,
    TURN,
    Line,
    as_lines,
    groups,
    is_wrapped,
    paragraphs,
    wrap_width,
)
from core.documents.readers.markdown import looks_like_markdown, read_marked_text
from core.documents.readers.recordings import (
    SUBTITLES,
    is_subtitles,
    without_line_numbers,
    words_of_subtitles,
)
from core.documents.readers.restructured_text import (
    looks_like_restructured,
    read_restructured_text,
)
from core.events import Progress, Steps
from core.stop import StopToken

_LINES_A_STEP = 5_000
_WIDEST_CODE = 132  # columns
_MOSTLY_SPOKEN = 0.75  # of lines with tabs, where they are no table
_FENCE = re.compile(r"\s*(```|~~~)")
_RULE = re.compile(r"[\s*_=~#·•.+-]+")
_CODE_LINE = re.compile(
    r".*[{};]\s*$|\s*(?:#include\b|import \w|from [\w.]+ import\b|def \w+\(|class \w+[(:]|//|\$ )"
    r"|.*\w\([^()]*\)\s*[:{]?$|\s*[\w.\[\]]+ ?[-+*/]?= ?\S|\s*</?\w+[^<>]*>"
)
_SQL = re.compile(
    r"\s*(?:SELECT|INSERT INTO|DELETE FROM|UPDATE \S+ SET|(?:CREATE|ALTER|DROP) (?:OR REPLACE )?"
    r"(?:TEMP(?:ORARY)? )?(?:TABLE|VIEW|INDEX|FUNCTION|TRIGGER|DATABASE|SCHEMA)|WITH \S+ AS)\b"
)
_CLAUSE = re.compile(
    r"\s*(?:SELECT|FROM|WHERE|(?:\w+ )?JOIN|(?:GROUP|ORDER) BY|HAVING|SET|VALUES|UNION)\b"
    r"|.*[;(]\s*$"
)
_TABLE_LINE = re.compile(r".*\S(?: {3,}|\t+)\S|\s*\|.*\|\s*$|\s*\+[-=+]{3,}")
_LICENCE_START = re.compile(
    r"\*\*\* ?START OF (?:THIS|THE) PROJECT GUTENBERG|\*END\*? ?THE SMALL PRINT", re.IGNORECASE
)
_LICENCE_END = re.compile(
    r"\*\*\* ?END OF (?:THIS|THE) PROJECT GUTENBERG|End of (?:the |this )?Project Gutenberg",
    re.IGNORECASE,
)
_CREDITS = re.compile(r"(?:Produced|E-?text prepared|This e-?text was) by\b|Transcriber['’]s note")
_LICENCE_FIRST_BLOCKS = 200
_TITLE_LINE = re.compile(r"Title: *(\S.*)")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A block with what headings are known by.

    Args:
        block: The paragraph.
        alone: Whether it was one line with a blank line on both sides.
    """

    block: Block
    alone: bool = False


def read_text(data: bytes, source: Source, stop: StopToken) -> Steps[Document]:
    """Reads a plain text file.

    Args:
        data: All its bytes.
        source: Where they came from; its name stands for a title the text does not have.
        stop: The wish to end early.

    Yields:
        How many lines are done.

    Returns:
        The document. Where its encoding was guessed, a note says so.

    Raises:
        EpitomeError: If the bytes are no text in any known encoding.
    """
    yield Progress(0, 0, "lines", "Reading")
    decoded = decode(data)
    if decoded is None:
        raise not_text(source.name)
    text = without_ligatures(clean(decoded.text))
    notes = [decoded.note] if decoded.note else []
    stop.raise_if_set()
    from core.documents.readers.mail_threads import is_thread, read_thread  # it reads text itself

    if is_thread(text):
        return (yield from read_thread(text, source, stop, notes))
    if chat := read_chat(text):
        return Document.from_blocks(
            chat.blocks,
            title=source.name,
            source=source,
            left_out=list(chat.left_out()),
            notes=[*notes, CHAT],
        )
    if looks_like_markdown(text):
        notes.append("The text is Markdown and was read as such.")
        marked = replace(source, format="markdown")
        return (yield from read_marked_text(text, marked, stop, notes))
    if looks_like_restructured(text):
        notes.append("The text is reStructuredText and was read as such.")
        marked = replace(source, format="rst")
        return (yield from read_restructured_text(text, marked, stop, notes))
    left_out: list[LeftOut] = []
    if is_subtitles(text):
        text = words_of_subtitles(text)
        notes.append(SUBTITLES)
    else:
        text, armour = remove_armour(text)
        text, left_out = without_line_numbers(text)
        left_out += [*armour.files_left_out(), *armour.left_out()]
    yield Progress(0, 0, "lines", "Reading")
    blocks, title = _without_licence((yield from blocks_of_text(text, stop)))
    blocks = with_chapters(blocks)
    stop.raise_if_set()
    return Document.from_blocks(
        refine_kinds(blocks),
        title=title or _own_title(blocks) or source.name,
        source=source,
        left_out=left_out,
        notes=notes,
    )


def blocks_of_text(text: str, stop: StopToken) -> Steps[list[Block]]:
    """The paragraphs, headings, list items, tables and code of clean text.

    Args:
        text: Text whose lines end in a line feed.
        stop: The wish to end early.

    Yields:
        How many lines are done.

    Returns:
        Blocks in order.
    """
    return _with_headings((yield from _pieces(text, stop)))


def _pieces(text: str, stop: StopToken) -> Steps[list[_Piece]]:
    lines = text.split("\n")
    wrap, hyphens = wrap_width(lines), Hyphens(text)
    pieces: list[_Piece] = []
    told = fenced_until = 0
    open_fences: set[str] = set()  # marks that no line after this one closes
    for start, end in groups(lines):
        if start < fenced_until:
            continue
        if _FENCE.match(lines[start]) and (fenced_until := _fence_end(lines, start, open_fences)):
            code = trimmed_lines("\n".join(lines[start + 1 : fenced_until - 1]))
            pieces.append(_Piece(Block(code, Kind.CODE)))
            continue
        pieces += _group_pieces(lines[start:end], wrap, hyphens)
        if end - told >= _LINES_A_STEP:
            told = end
            stop.raise_if_set()
            yield Progress(end, len(lines), "lines", "Reading")
    return pieces


def _fence_end(lines: list[str], start: int, open_fences: set[str]) -> int:
    """One past the line that closes a fence of code; 0 if none does, which is noted by its mark."""
    mark = lines[start].strip()[:3]
    if mark in open_fences:
        return 0
    for index in range(start + 1, len(lines)):
        if lines[index].strip() == mark:
            return index + 1
    open_fences.add(mark)
    return 0


def _group_pieces(raw: list[str], wrap: int, hyphens: Hyphens) -> Iterator[_Piece]:
    """The paragraphs of lines without a blank one between them."""
    if len(raw) > 1:
        kind = _kept_kind(raw, wrap)
        if kind is not None:
            yield _Piece(Block(trimmed_lines("\n".join(raw)), kind))
            return
        raw = yield from _underlined(raw)
    lines = [line for line in as_lines(raw) if not _RULE.fullmatch(line.text)]
    if not lines:
        return
    alone = len(lines) == 1
    base = min(line.indent for line in lines)
    for paragraph in paragraphs(lines, wrap):
        yield _Piece(_block(paragraph, base, hyphens), alone)


def _kept_kind(raw: list[str], wrap: int) -> Kind | None:
    """CODE or TABLE for lines that are to stay as they are."""
    if _is_delimited(raw):
        return Kind.TABLE
    lines = as_lines(raw)
    if len(lines) > 3 and wrap and is_wrapped(lines, wrap):
        return None
    if len(raw) >= 3 and sum(bool(_TABLE_LINE.match(line)) for line in raw) >= 0.75 * len(raw):
        is_list = all(MARKER.match(line.text) for line in lines)
        spoken = sum(bool(TURN.match(line.text)) for line in lines)
        return None if is_list or spoken >= _MOSTLY_SPOKEN * len(lines) else Kind.TABLE
    if max(map(len, raw)) > _WIDEST_CODE:
        return None
    if _SQL.match(raw[0]) and any(map(_CLAUSE.match, raw[1:])):
        return Kind.CODE
    if sum(bool(_CODE_LINE.match(line)) for line in raw) >= 0.75 * len(raw):
        return Kind.CODE
    return None


def _is_delimited(raw: list[str]) -> bool:
    """Whether lines are rows of values, as in a CSV file: as many marks in each, and no spaces
    behind these."""
    for mark in ",;":
        counts = [line.count(mark) for line in raw]
        spaced = sum(line.count(f"{mark} ") for line in raw)
        usual = sorted(counts)[len(counts) // 2]
        if len(raw) >= 3 and usual >= 2 and counts.count(usual) >= 0.9 * len(raw):
            return spaced <= 0.1 * sum(counts)
    return False


def _underlined(raw: list[str]) -> Generator[_Piece, None, list[str]]:
    """Gives a heading underlined by its second line; returns the lines after it."""
    if _RULE.fullmatch(raw[0]) and len(raw) > 2:
        raw = raw[1:]
    title = one_line(raw[0])
    level = headings.underline_level(title, raw[1].strip())
    if not level:
        return raw
    yield _Piece(Block(title, Kind.HEADING, level))
    return raw[2:]


def _block(paragraph: list[Line], base: int, hyphens: Hyphens) -> Block:
    text = one_line(hyphens.join([line.text for line in paragraph]))
    if marked := headings.marked_heading(text):
        return Block(marked[0], Kind.HEADING, marked[1])
    if len(paragraph) == 1 and (level := headings.division_level(text)):
        return Block(text, Kind.HEADING, level)
    if marker := MARKER.match(text):
        level = 1 + min((paragraph[0].indent - base) // 2, 5)
        return Block(text[marker.end() :] if marker["bullet"] else text, Kind.LIST_ITEM, level)
    return Block(text)


def _with_headings(pieces: list[_Piece]) -> list[Block]:
    """Makes headings of the lines that stand alone and read like one."""
    blocks = []
    for index, piece in enumerate(pieces):
        block = piece.block
        if piece.alone and block.kind in (Kind.PARAGRAPH, Kind.LIST_ITEM):
            before = pieces[index - 1].block if index else None
            after = pieces[index + 1].block if index + 1 < len(pieces) else None
            block = _heading_or(block, before, after)
        blocks.append(block)
    return blocks


def _heading_or(block: Block, before: Block | None, after: Block | None) -> Block:
    if len(block.text) > 100 or after is None:
        return block
    level = headings.standing_alone_level(block.text)
    if block.kind == Kind.LIST_ITEM:
        neighbours = [other.kind for other in (before, after) if other]
        return block if not level or Kind.LIST_ITEM in neighbours else _heading(block, level)
    if not level and after.kind == Kind.PARAGRAPH and headings.is_title_case(block.text):
        level = 3 if count_words(after.text) >= 15 else 0
    return _heading(block, level) if level else block


def _heading(block: Block, level: int) -> Block:
    return replace(block, kind=Kind.HEADING, level=min(level, 6))


def _without_licence(blocks: list[Block]) -> tuple[list[Block], str]:
    """Marks the licence round a Project Gutenberg text as boilerplate; gives the title in it."""
    first = next(
        (i for i, b in enumerate(blocks[:_LICENCE_FIRST_BLOCKS]) if _LICENCE_START.match(b.text)),
        -1,
    )
    if first >= 0 and first + 1 < len(blocks) and _CREDITS.match(blocks[first + 1].text):
        first += 1
    last = next((i for i, b in enumerate(blocks) if _LICENCE_END.match(b.text)), len(blocks))
    marked = [
        replace(block, kind=Kind.BOILERPLATE, level=0) if not first < index < last else block
        for index, block in enumerate(blocks)
    ]
    titles = (_TITLE_LINE.match(block.text) for block in blocks[: max(first, 0)])
    return marked, next((match[1] for match in titles if match), "")


def _own_title(blocks: list[Block]) -> str:
    """The first heading, if nothing stands before it and its words are the document's own."""
    if not blocks or blocks[0].kind != Kind.HEADING or blocks[0].level > 2:
        return ""
    return "" if headings.is_common(blocks[0].text) else blocks[0].text
