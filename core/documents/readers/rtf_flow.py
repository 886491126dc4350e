"""One flow of RTF text (the body, a note, a running head) on its way to blocks."""

from dataclasses import dataclass, field
from typing import NamedTuple

from core.documents.document import Block, Kind
from core.documents.readers import office
from core.documents.readers.cleaning import clean, one_line
from core.documents.readers.formulas import joined
from core.documents.readers.line_breaks import (
    BOLD,
    BOLD_END,
    Part,
    remove_marks,
    split_at_heads,
    with_bold_lines,
)
from core.documents.readers.rtf_fonts import decoded, with_pairs_joined
from core.documents.readers.scripts import shifted, with_scripts


class Format(NamedTuple):
    """What a paragraph is by its properties; paragraphs that follow inherit it.

    Args:
        style: The number of its style.
        outline: Its level in the outline from 0, or -1.
        in_list: Whether it belongs to a list.
        depth: Its depth in that list, from 0.
        in_table: Whether it stands in a cell.
        drop_cap: True if it is the large first letter of the next paragraph.
    """

    style: int = 0
    outline: int = -1
    in_list: bool = False
    depth: int = 0
    in_table: bool = False
    drop_cap: bool = False


@dataclass
class Style:
    """What a style says: the kind and level of its paragraphs, and whether it is the title's."""

    kind: Kind = Kind.PARAGRAPH
    level: int = 0
    is_title: bool = False


@dataclass
class Flow:
    """Collects text into paragraphs, paragraphs into cells, cells into tables.

    Args:
        kind: What all of it is ("body", "note", …), by the reader's own names.
        blocks: The finished paragraphs.
        bold: Places in `blocks` of paragraphs that are all bold.
        title: The first paragraph in the style of titles.
    """

    kind: str
    blocks: list[Block] = field(default_factory=list)
    bold: list[int] = field(default_factory=list)
    title: str = ""
    _text: list[str] = field(default_factory=list)
    _bytes: list[str] = field(default_factory=list)
    _encoding: str = ""
    _shift: int = 0  # of the bytes
    _bold: bool = False  # of what was added last
    _is_carried: bool = False  # true for a drop cap on its way into the next paragraph
    _marker: str | None = None
    _after: list[Block] = field(default_factory=list)  # notes and boxes of this paragraph
    _cell: list[Block] = field(default_factory=list)
    _row: list[list[Block]] = field(default_factory=list)
    _rows: list[list[list[Block]]] = field(default_factory=list)
    _plain: bool = False  # whether some of the paragraph is not bold

    def add_bytes(self, text: str, encoding: str, *, bold: bool = False, shift: int = 0) -> None:
        """Adds characters that stand for bytes; two of them may make one character.

        Args:
            text: The characters.
            encoding: That of the bytes.
            bold: Whether they are bold.
            shift: 1 where they are raised, -1 where they are lowered.
        """
        if (encoding, shift) != (self._encoding, self._shift):
            self._decode()
            self._encoding, self._shift = encoding, shift
        if bold != self._bold:
            self._mark_bold(bold)
        self._bytes.append(text)
        self._plain = self._plain or not (bold or text.isspace())

    def add(self, text: str, *, bold: bool = False, shift: int = 0) -> None:
        """Adds text that is decoded; else as `add_bytes`."""
        if bold != self._bold:
            self._mark_bold(bold)
        self._decode()
        self._plain = self._plain or not (bold or text.isspace())
        self._text.append(shifted(text, shift))

    def take_text(self) -> str:
        """What was collected since the last paragraph."""
        return _to_line(remove_marks(self._take_marked()))

    def _take_marked(self) -> str:
        if self._bold:
            self._mark_bold(False)
        self._decode()
        text, self._text = with_bold_lines("".join(self._text)), []
        return with_pairs_joined(text)

    def _mark_bold(self, is_bold: bool) -> None:
        self._bytes.append(BOLD if is_bold else BOLD_END)
        self._bold = is_bold

    def mark(self, marker: str) -> None:
        """Sets the printed number or bullet of the paragraph."""
        self._marker = marker

    def attach(self, blocks: list[Block]) -> None:
        """Adds blocks that are to follow the paragraph: a footnote, a text box."""
        self._after += blocks

    def end_paragraph(self, format: Format, style: Style) -> None:
        """Makes a block of the text since the last one."""
        self._end_paragraph(format, style, format.in_table)

    def _end_paragraph(self, format: Format, style: Style, in_table: bool) -> None:
        self._is_carried = format.drop_cap and not in_table and not self._is_carried
        if self._is_carried:
            self._text = [self._take_marked().strip("\n")]
            return
        blocks, heads = self._blocks(self._take_marked(), format, style)
        all_bold, self._plain = not self._plain, False
        found = [block for block in blocks if block.text.strip()]
        after, self._after = self._after, []
        if in_table:
            self._cell += [*found, *after]
            return
        self.end_table()
        start = len(self.blocks)
        self.bold += [
            start + place for place, block in enumerate(found) if all_bold or id(block) in heads
        ]
        if found and style.is_title and not self.title:
            self.title = found[0].text
        self.blocks += [*found, *after]

    def end_cell(self, format: Format, style: Style) -> None:
        """Ends a cell with the paragraph in it."""
        self._end_paragraph(format, style, in_table=True)
        self._row.append(self._cell)
        self._cell = []

    def end_row(self) -> None:
        """Ends a row of a table."""
        if self._row:
            self._rows.append(self._row)
        self._row = []

    def end_table(self) -> None:
        """Ends a table, if there is one; what stands in an unfinished row follows it."""
        rows, loose = self._rows, [block for cell in [*self._row, self._cell] for block in cell]
        self._rows, self._row, self._cell = [], [], []
        if rows:
            self.blocks += office.table_blocks(rows)
        self.blocks += loose

    def finish(self, format: Format, style: Style) -> list[Block]:
        """Ends the flow; gives all its blocks."""
        self._end_paragraph(format._replace(drop_cap=False), style, in_table=False)
        self.end_table()
        return self.blocks

    def _decode(self) -> None:
        if self._bytes:
            text = decoded("".join(self._bytes), self._encoding)
            self._text.append(shifted(text, self._shift))
            self._bytes = []

    def _blocks(self, text: str, format: Format, style: Style) -> tuple[list[Block], set[int]]:
        """The blocks of a paragraph, and the identities of bold heads among them."""
        marker, self._marker = self._marker, None
        kind, level = style.kind, style.level
        if kind == Kind.PARAGRAPH and 0 <= format.outline < 9:
            kind, level = Kind.HEADING, min(format.outline + 1, 6)
        if kind == Kind.CODE:
            return [Block(clean(_to_line(remove_marks(text))), kind)], set()
        if kind == Kind.PARAGRAPH and (marker is not None or format.in_list):
            kind, level = Kind.LIST_ITEM, min(max(format.depth, 0) + 1, 6)
        number = one_line(clean(marker)) if marker else ""
        printed = number if number.isdigit() or (len(number) > 1 and _has_word(number)) else ""
        parts = split_at_heads(text) if kind == Kind.PARAGRAPH else [Part(remove_marks(text))]
        blocks: list[Block] = []
        heads: set[int] = set()
        for part in parts:
            for line in office.lines_of(clean(f"{printed} {_to_line(part.text)}"), kind):
                whole = clean(_to_line(part.whole))
                block = Block(line, kind, level, label=part.label, speaker=whole)
                blocks.append(office.as_item_if_bulleted(block))
                heads |= {id(blocks[-1])} if part.is_head else set()
        return blocks, heads


def _to_line(text: str) -> str:
    """Text with its raised and lowered pieces, and its formulas, on the line."""
    return joined(with_scripts(text))


def _has_word(text: str) -> bool:
    return any(char.isalnum() for char in text)
