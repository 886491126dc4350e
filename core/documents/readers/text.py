"""Plain text: paragraphs, headings, lists and code from lines alone."""

import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from core.documents.chapters import with_chapters
from core.documents.document import Block, Document, Kind, Source, count_words
from core.documents.kinds import refine_kinds
from core.documents.line_mode import LineMode
from core.documents.readers import headings
from core.documents.readers.armour import remove_armour
from core.documents.readers.chats import CHAT, read_chat
from core.documents.readers.cleaning import clean, one_line, trimmed_lines, without_ligatures
from core.documents.readers.encodings import decode
from core.documents.readers.failures import not_text
from core.documents.readers.lines import (
    MARKER,
    TURN,
    Line,
    LineBreaks,
    as_lines,
    groups,
    is_wide,
    is_wrapped,
    paragraphs,
    without_double_spacing,
    wrap_width,
)
from core.documents.readers.markdown import looks_like_markdown, read_marked_text
from core.documents.readers.page_breaks import without_page_breaks
from core.documents.readers.pdf_layout.hyphens import HYPHENS, Hyphenation, ends_in_hyphen
from core.documents.readers.plain_code import (
    indent,
    is_certainly_code,
    is_code,
    is_definition,
    trace_start,
)
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
from core.documents.readers.verse import is_list_or_dialogue, verse_width
from core.events import Progress, Steps
from core.stop import StopToken

_LINES_A_STEP = 5_000
_TYPESET = 0.06  # of the lines of a text end in a hyphen
_FIRST_UNSPACED = "\u0e00"  # all scripts written without spaces follow Thai
_FEW_LINES = 30  # do not tell how often
_WIDEST_CODE = 132  # columns
_MOSTLY_SPOKEN = 0.75  # of lines with tabs, where they are no table
_MOST_SAMPLED = 50  # groups of lines, to tell whether a text is verse
_NARROW = 0.7  # of the width of the prose round it: how wide verse is at most
_WIDER_VERSE = 1.2  # than most of its lines
_FENCE = re.compile(r"\s*(```|~~~)")
_RULE = re.compile(r"[\s*_=~#·•.+-]+")
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
        stanza: All lines it was among, where each was kept.
    """

    block: Block
    alone: bool = False
    stanza: str = ""


def read_text(
    data: bytes, source: Source, stop: StopToken, lines: LineMode = "auto"
) -> Steps[Document]:
    """Reads a plain text file.

    Args:
        data: All its bytes.
        source: Where they came from; its name stands for a title the text does not have.
        stop: The wish to end early.
        lines: What becomes of the lines of running text.

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
    text, left_out = without_page_breaks(decoded.text)
    text = without_ligatures(clean(text))
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
    if is_subtitles(text):
        text = words_of_subtitles(text)
        notes.append(SUBTITLES)
    else:
        text, armour = remove_armour(text)
        text, numbers = without_line_numbers(text)
        left_out += numbers
        left_out += [*armour.files_left_out(), *armour.left_out()]
    yield Progress(0, 0, "lines", "Reading")
    breaks = LineBreaks()
    found = yield from blocks_of_text(text, stop, lines, breaks)
    if lines == "auto" and breaks.note:
        notes.append(breaks.note)
    blocks, title = _without_licence(found)
    blocks = with_chapters(blocks)
    stop.raise_if_set()
    return Document.from_blocks(
        refine_kinds(blocks),
        title=title or _own_title(blocks) or source.name,
        source=source,
        left_out=left_out,
        notes=notes,
    )


def blocks_of_text(
    text: str, stop: StopToken, mode: LineMode = "auto", breaks: LineBreaks | None = None
) -> Steps[list[Block]]:
    """The paragraphs, headings, list items, tables and code of clean text.

    Args:
        text: Text whose lines end in a line feed.
        stop: The wish to end early.
        mode: What becomes of the lines of running text.
        breaks: Counts what became of them.

    Yields:
        How many lines are done.

    Returns:
        Blocks in order.
    """
    return _with_headings((yield from _pieces(text, stop, mode, breaks or LineBreaks())))


class _LineJoiner:
    """Joins the lines of paragraphs.

    Args:
        lines: All lines of the text.
        breaks: Counts what becomes of their breaks.
        wide: As `is_wide` gave it.
    """

    def __init__(self, lines: list[str], breaks: LineBreaks, *, wide: bool) -> None:
        cut = sum(ends_in_hyphen(line) for line in lines if line.endswith(HYPHENS))
        full = sum(map(bool, lines))
        # Type that is set hyphenates often; an editor breaks a line at a word's own hyphen, seldom.
        is_typeset = cut > _TYPESET * full or full < _FEW_LINES
        self._hyphenation = Hyphenation(lines, is_typeset=is_typeset)
        self.breaks = breaks
        self.wide, self.wrap = wide, wrap_width(lines, wide=wide)

    def join(self, lines: list[Line]) -> str:
        """One line from several."""
        whole = lines[0].text
        parts: list[str] = []
        for line in lines[1:]:
            is_plain = whole[-1].isalnum() and whole[-1] < _FIRST_UNSPACED
            parts += (whole, " ") if is_plain else self._hyphenation.seam(whole, line.text)
            whole = line.text
        return "".join((*parts, whole))


def _pieces(text: str, stop: StopToken, mode: LineMode, breaks: LineBreaks) -> Steps[list[_Piece]]:
    lines = without_double_spacing(text.split("\n")) if mode != "keep" else text.split("\n")
    joiner = _LineJoiner(lines, breaks, wide=is_wide(text))
    pieces: list[_Piece] = []
    told = fenced_until = 0
    defined_at = -1  # the indent of the definition whose lines follow
    open_fences: set[str] = set()  # marks that no line after this one closes
    found = list(groups(lines))
    verse = _verse_starts(lines, found, joiner.wrap) if mode == "auto" else ()
    for start, end in found:
        if start < fenced_until:
            continue
        if _FENCE.match(lines[start]) and (fenced_until := _fence_end(lines, start, open_fences)):
            pieces.append(_code(lines[start + 1 : fenced_until - 1]))
            continue
        raw = lines[start:end]
        if defined_at >= 0 and min(map(indent, raw)) > defined_at:
            pieces.append(_code(raw))
            continue
        defined_at = indent(raw[0]) if is_definition(raw) else -1
        pieces += _group_pieces(raw, joiner, "keep" if start in verse else mode)
        if end - told >= _LINES_A_STEP:
            told = end
            stop.raise_if_set()
            yield Progress(end, len(lines), "lines", "Reading")
    return pieces


def _code(raw: list[str]) -> _Piece:
    return _Piece(Block(trimmed_lines("\n".join(raw)), Kind.CODE))


def _verse_starts(lines: list[str], found: list[tuple[int, int]], wrap: int) -> set[int]:
    """The first lines of the stanzas of verse, or of the verse within another text."""
    sample = found[:: 1 + len(found) // _MOST_SAMPLED]
    if width := verse_width(_stripped(lines, sample)):
        narrow = [span for span in found if _is_narrow(lines, span, _WIDER_VERSE * width)]
        return {span[0] for span in narrow if not is_list_or_dialogue(*_stripped(lines, [span]))}
    starts: set[int] = set()
    for is_narrow, run in groupby(found, lambda span: _is_narrow(lines, span, _NARROW * wrap)):
        spans = list(run)
        if is_narrow and verse_width(_stripped(lines, spans)):
            starts.update(start for start, _ in spans)
    return starts


def _is_narrow(lines: list[str], span: tuple[int, int], width: float) -> bool:
    return all(len(line) <= width for line in lines[slice(*span)])


def _stripped(lines: list[str], spans: list[tuple[int, int]]) -> list[list[str]]:
    return [list(map(str.strip, lines[slice(*span)])) for span in spans]


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


def _group_pieces(raw: list[str], joiner: _LineJoiner, mode: LineMode) -> Iterator[_Piece]:
    """The paragraphs of lines without a blank one between them."""
    if is_certainly_code(raw):
        yield _code(raw)
        return
    lines = as_lines(raw, wide=joiner.wide)
    if any(line.indent for line in lines) and (start := trace_start(raw)):
        yield from _group_pieces(raw[:start], joiner, mode)
        yield _code(raw[start:])
        return
    if len(raw) > 1:
        kind = _kept_kind(raw, lines, joiner)
        if kind is not None:
            yield _Piece(Block(trimmed_lines("\n".join(raw)), kind))
            return
        lines = yield from _underlined(lines)
    lines = [line for line in lines if not _RULE.fullmatch(line.text)]
    if not lines:
        return
    alone = len(lines) == 1
    base = min(line.indent for line in lines)
    found = list(paragraphs(lines, joiner.wrap, mode))
    joiner.breaks.add(found)
    stanza = " ".join(line.text for line in lines) if mode == "keep" else ""
    for paragraph in found:
        yield _Piece(_block(paragraph, base, joiner), alone, stanza)


def _kept_kind(raw: list[str], lines: list[Line], joiner: _LineJoiner) -> Kind | None:
    """CODE or TABLE for lines that are to stay as they are."""
    if _is_delimited(raw):
        return Kind.TABLE
    if len(lines) > 3 and joiner.wrap and is_wrapped(lines, joiner.wrap):
        return None
    if len(raw) >= 3 and sum(bool(_TABLE_LINE.match(line)) for line in raw) >= 0.75 * len(raw):
        is_list = all(MARKER.match(line.text) for line in lines)
        spoken = sum(bool(TURN.match(line.text)) for line in lines)
        return None if is_list or spoken >= _MOSTLY_SPOKEN * len(lines) else Kind.TABLE
    if max(map(len, raw)) > _WIDEST_CODE:
        return None
    return Kind.CODE if is_code(raw) else None


def _is_delimited(raw: list[str]) -> bool:
    """Whether lines are rows of values, as in a CSV file: as many marks in each, and no spaces
    behind these."""
    if len(raw) < 3:
        return False
    for mark in ",;":
        counts = [line.count(mark) for line in raw]
        usual = sorted(counts)[len(counts) // 2]
        if usual >= 2 and counts.count(usual) >= 0.9 * len(raw):
            return sum(line.count(f"{mark} ") for line in raw) <= 0.1 * sum(counts)
    return False


def _underlined(lines: list[Line]) -> Generator[_Piece, None, list[Line]]:
    """Gives a heading underlined by its second line; returns the lines after it."""
    if _RULE.fullmatch(lines[0].text) and len(lines) > 2:
        lines = lines[1:]
    title = one_line(lines[0].text)
    level = headings.underline_level(title, lines[1].text)
    if not level:
        return lines
    yield _Piece(Block(title, Kind.HEADING, level))
    return lines[2:]


def _block(paragraph: list[Line], base: int, joiner: _LineJoiner) -> Block:
    text = one_line(joiner.join(paragraph))
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
            after = pieces[index + 1] if index + 1 < len(pieces) else None
            block = _heading_or(block, before, after)
        blocks.append(block)
    return blocks


def _heading_or(block: Block, before: Block | None, following: _Piece | None) -> Block:
    if len(block.text) > 100 or following is None:
        return block
    after = following.block
    level = headings.standing_alone_level(block.text)
    if block.kind == Kind.LIST_ITEM:
        neighbours = [other.kind for other in (before, after) if other]
        return block if not level or Kind.LIST_ITEM in neighbours else _heading(block, level)
    if not level and after.kind == Kind.PARAGRAPH and headings.is_title_case(block.text):
        level = 3 if count_words(following.stanza or after.text) >= 15 else 0
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
