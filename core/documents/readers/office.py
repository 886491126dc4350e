"""What readers of office files share: safe XML, tables, headings, words for what is left out."""

import posixpath
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from lxml import etree

from core.documents.budget import Budget
from core.documents.document import Block, Kind, LeftOut, count_words
from core.documents.readers.cleaning import one_line, paragraph_lines, trimmed_lines
from core.documents.readers.prose_tables import (
    MOST_WORDS_CELL,
    cell_text,
    is_prose_table,
    prose_blocks,
)
from core.numbers import format_quantity

_LONGEST_BOLD_HEADING = 12  # words
_TYPED_BULLET = re.compile(r"[•▪●○◦‣·⮚❖◆◼⚫–-]\s+(?=\w)")
_MOST_STRUCK = 0.5  # share of a document; beyond it a stroke means something else
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/")
_PLAIN = rb"http://schemas.openxmlformats.org/\1/2006/"
_JUNK_TITLE = re.compile(
    r"microsoft (?:word|powerpoint)|^(?:untitled|document\d*|title)$"
    r"|^(?:(?:powerpoint )?presentation|slide) ?\d*$|\.(?:docx?|od[tp]|pptx?|epub)$",
    re.IGNORECASE,
)


def parse_xml(data: bytes, budget: Budget) -> tuple[Any, bool]:
    """The root element of a part.

    Nothing is fetched, no entity is unfolded, and what is nested deeper than 256 elements is not
    read: libxml2 keeps these limits unless it is told not to.

    Args:
        data: All bytes of the part.
        budget: Counts the tags of the whole file.

    Returns:
        The root, None if there is no XML at all; and whether it is whole. Of damaged XML it is
        what could be made out.

    Raises:
        EpitomeError: If the file has more tags than a document can have.
    """
    budget.add_tags(data.count(b"<"))
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None, False
    return root, not len(parser.error_log.filter_from_fatals())


def plain_names(data: bytes) -> bytes:
    """XML of a strict Office file with the names of elements that other files have."""
    return _STRICT.sub(_PLAIN, data) if b"//purl.oclc.org/ooxml/" in data else data


def related_parts(root: Any, folder: str) -> dict[str, tuple[str, str]]:
    """Parts of an Office file that another one refers to.

    Args:
        root: The root of the relationships, or None.
        folder: The folder of the part that refers to them.

    Returns:
        By the ids the kinds ("image", "chart") and names of parts.
    """
    return {
        str(e.get("Id")): (
            str(e.get("Type")).rsplit("/", 1)[-1],
            posixpath.normpath(posixpath.join(folder, str(e.get("Target")))).lstrip("/"),
        )
        for e in (() if root is None else root.iter("{*}Relationship"))
        if e.get("TargetMode") != "External"
    }


def own_title(title: str) -> str:
    """The title among a file's properties; empty if a program put it there."""
    line = one_line(title)
    return "" if _JUNK_TITLE.search(line) else line


def first_heading(blocks: list[Block]) -> str:
    """The first heading of level 1 near the beginning, or empty."""
    return next((b.text for b in blocks[:10] if b.kind == Kind.HEADING and b.level == 1), "")


def as_item_if_bulleted(block: Block) -> Block:
    """A paragraph that begins with a typed bullet, as a list item."""
    bullet = _TYPED_BULLET.match(block.text) if block.kind == Kind.PARAGRAPH else None
    return (
        replace(block, text=block.text[bullet.end() :], kind=Kind.LIST_ITEM, level=1)
        if bullet
        else block
    )


def with_bold_headings(blocks: list[Block], bold: Iterable[int]) -> list[Block]:
    """The blocks; where no style makes headings, short bold paragraphs are headings.

    Args:
        blocks: All blocks of a document.
        bold: Places of paragraphs that are all bold.

    Returns:
        As many blocks with the same texts.
    """
    if sum(block.kind == Kind.HEADING for block in blocks) > 1:
        return blocks
    blocks = list(blocks)
    for index in bold:
        block = blocks[index]
        if block.kind == Kind.PARAGRAPH and is_bold_heading(block.text):
            blocks[index] = replace(block, kind=Kind.HEADING, level=3)
    return blocks


def is_bold_heading(text: str) -> bool:
    """Whether a paragraph that is all bold is a heading, by its words."""
    return count_words(text) <= _LONGEST_BOLD_HEADING and text[-1] not in ".,;!"


def with_joined_code(blocks: list[Block]) -> list[Block]:
    """Lines of code, each a paragraph in a word processor, as one block."""
    joined: list[Block] = []
    lines: list[str] = []
    for block in (*blocks, Block("")):
        if block.kind == Kind.CODE:
            lines.append(block.text)
            continue
        if lines:
            joined.append(Block(trimmed_lines("\n".join(lines)), Kind.CODE))
            lines = []
        joined.append(block)
    return joined[:-1]


def table_blocks(rows: list[list[list[Block]]]) -> list[Block]:
    """The blocks of a table.

    Args:
        rows: The blocks of each cell, row by row.

    Returns:
        One block with a line a row and tabs between cells, and its footnotes; or, where the
        table only places text on the page, what is in its cells. Of a table of sentences, such as
        a checklist, each sentence is a list item.
    """
    if _is_layout(rows):
        return [block for row in rows for cell in row for block in cell]
    notes = [b for row in rows for cell in row for b in cell if b.kind == Kind.FOOTNOTE]
    texts = [[cell_text(cell) for cell in row] for row in rows]
    if is_prose_table(texts):
        return [*prose_blocks(texts), *notes]
    lines = ["\t".join(row).rstrip() for row in texts]
    text = "\n".join(line for line in lines if line.strip()).strip()
    return [Block(text, Kind.TABLE), *notes]


def _is_layout(rows: list[list[list[Block]]]) -> bool:
    """Whether a table only places text: one column, or cells with paragraphs or tables."""
    if max((len(row) for row in rows), default=0) <= 1:
        return True
    cells = [cell for row in rows for cell in row]
    return any(
        block.kind in (Kind.TABLE, Kind.CODE) or count_words(block.text) > MOST_WORDS_CELL
        for cell in cells
        for block in cell
    )


def lines_of(text: str, kind: Kind) -> list[str]:
    """A paragraph's text on one line, or on several where line breaks part it into paragraphs."""
    if kind not in (Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.QUOTE):
        return [one_line(text)]
    return paragraph_lines(text)


def accepted_changes(insertions: int, deletions: int) -> list[str]:
    """What is said of tracked changes; nothing where there are none."""
    if not insertions and not deletions:
        return []
    return [
        "Tracked changes were treated as accepted: "
        f"{format_quantity(insertions, 'insertion')}, {format_quantity(deletions, 'deletion')}."
    ]


def deleted_passages(words: int, why: str = "tracked changes delete them") -> LeftOut:
    """What is said of passages that tracked changes, or a page's own marks, strike out."""
    return LeftOut("deleted passages", why, words, missed=False)


def comments(words: int) -> LeftOut:
    """What is said of comments in the margin."""
    return LeftOut("comments", "they are remarks on the text, not part of it", words, missed=False)


def running_heads(words: int) -> LeftOut:
    """What is said of heads and feet of pages."""
    why = "they repeat on every page"
    return LeftOut("running heads and footers", why, words, missed=False)


def objects() -> LeftOut:
    """The report on embedded objects that are not read."""
    return LeftOut("embedded objects", "they are files of other programs")


def struck_passages(words: int, pages: tuple[int, ...] = ()) -> LeftOut:
    """The report on passages that an author has struck through by hand."""
    return LeftOut("deleted passages", "they are struck through", words, pages, missed=False)


def struck_but_kept(words: int, whole: str = "the text") -> str:
    """The note on passages that are struck through and read all the same."""
    struck = format_quantity(words, "struck word")
    return f"Kept: {struck}, since half of {whole} or more is struck through."


def edge_space(text: str) -> str:
    """The space that stays where a text is taken out that begins or ends with one."""
    return " " if text != text.strip() else ""


def is_mostly_struck(struck_words: int, blocks: Iterable[Block]) -> bool:
    """True for a document of which half was left out as struck through."""
    if not struck_words:
        return False
    words = sum(count_words(block.text) for block in blocks)
    return struck_words >= _MOST_STRUCK * (struck_words + words)


def prompts(words: int) -> LeftOut:
    """The report on prompts in the fields of a form."""
    return LeftOut("prompts of a form", "its fields are not filled in", words, missed=False)


def unknown_signs(count: int) -> LeftOut:
    """The report on signs in fonts that are not known."""
    what = "1 sign" if count == 1 else f"{count} signs"
    return LeftOut(
        what,
        "the font that draws it is not known"
        if count == 1
        else "the fonts that draw them are not known",
    )


def pictures(count: int, pages: tuple[int, ...] = ()) -> LeftOut:
    """What is said of pictures beside the text."""
    what = "1 picture" if count == 1 else f"{count} pictures"
    return LeftOut(what, "only text is read", pages=pages, missed=False)
