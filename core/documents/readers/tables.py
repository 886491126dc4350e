"""Tables with a column of texts (CSV, JSON): a document of the rows' texts, one after the other."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from core.documents.document import Block, Document, Kind, LeftOut, Source, count_words
from core.documents.kinds import refine_kinds
from core.documents.readers.cleaning import clean, one_line
from core.documents.readers.columns import Row, TextColumns, column_named, find_text_columns
from core.documents.readers.encodings import decode
from core.documents.readers.failures import json_too_large, not_text
from core.documents.readers.formats import CSV, TEXT
from core.documents.readers.hidden import hidden_text
from core.documents.readers.table_rows import (
    MAX_JSON_CHARACTERS,
    Table,
    rows_of_csv,
    rows_of_json,
)
from core.documents.readers.text import blocks_of_text, read_text
from core.events import Progress, Steps
from core.stop import StopToken

_ROWS_A_STEP = 500
_HTML = re.compile(r"</(?:p|div|li|ul|ol|h[1-6]|a|span|table|blockquote)>|<br ?/?>", re.IGNORECASE)
_LONGEST_HTML = 2_000_000
_MOST_NAMED = 3
_NO_JSON = "The file is not valid JSON, so it was read as plain text."


def read_table(data: bytes, source: Source, stop: StopToken, column: str = "") -> Steps[Document]:
    """Reads a table of texts.

    Args:
        data: All its bytes.
        source: Where they came from.
        stop: The wish to end early.
        column: The column that is read; empty to find it.

    Yields:
        How many rows are done.

    Returns:
        The document: the texts of one column, under the titles of another where there is one; a
        note says which. A table without texts is read as plain text.

    Raises:
        EpitomeError: If the bytes are no text in any known encoding, or there is no such column.
    """
    yield Progress(0, 0, "rows", "Reading")
    decoded = decode(data)
    if decoded is None:
        raise not_text(source.name)
    is_csv, suffix = source.format == CSV, Path(source.name).suffix.lower()
    table = rows_of_csv(decoded.text, suffix) if is_csv else rows_of_json(decoded.text)
    stop.raise_if_set()
    names = table.names if table else []
    known = column_named(column, names, source.name)
    columns = find_text_columns(table.rows, names, known) if table else TextColumns()
    if table is None or not columns.text:
        is_damaged = table is None and _begins_json(decoded.text)
        if is_damaged and len(decoded.text) > MAX_JSON_CHARACTERS:
            raise json_too_large(source.name, len(data), MAX_JSON_CHARACTERS)
        document = yield from read_text(data, replace(source, format=TEXT), stop)
        said = (_NO_JSON, *document.reading.notes) if is_damaged else document.reading.notes
        return replace(document, reading=replace(document.reading, notes=said))
    hidden = Counter[str]()  # words by the reason
    blocks = yield from _blocks(table.rows, columns, hidden, stop)
    notes = [*([decoded.note] if decoded.note else []), *_notes(table, columns)]
    only = table.rows[0] if len(table.rows) == 1 else {}
    return Document.from_blocks(
        refine_kinds(blocks),
        title=_title(only, columns) or source.name,
        source=source,
        left_out=[*_left_out(table, columns), *hidden_text(hidden)],
        notes=notes,
    )


def _begins_json(text: str) -> bool:
    return text.lstrip("\ufeff \t\r\n").startswith(("{", "["))


def _blocks(
    rows: Sequence[Row], columns: TextColumns, hidden: Counter[str], stop: StopToken
) -> Steps[list[Block]]:
    blocks: list[Block] = []
    for done, row in enumerate(rows):
        if done % _ROWS_A_STEP == 0:
            stop.raise_if_set()
            yield Progress(done, len(rows), "rows", "Reading")
        text = row.get(columns.text, "").strip()
        if not text:
            continue
        if title := _title(row, columns):
            blocks.append(Block(title, Kind.HEADING, 2))
        blocks += yield from _blocks_of_field(text, hidden, stop)
    return blocks


def _blocks_of_field(text: str, hidden: Counter[str], stop: StopToken) -> Steps[list[Block]]:
    """The paragraphs of one field, which may be a line, a text, or HTML."""
    if _HTML.search(text) and len(text) <= _LONGEST_HTML:
        from core.documents.readers.markup import blocks_of, parse_html
        from core.documents.readers.page_styles import apply_styles

        root, _ = parse_html(text)
        if root is None:
            return []
        hidden.update(apply_styles(root, on_paper=False))
        return blocks_of(root)
    text = clean(text)
    if "\n" not in text:
        return [Block(one_line(text))]
    return (yield from blocks_of_text(text, stop))


def _title(row: Row, columns: TextColumns) -> str:
    return one_line(clean(row.get(columns.title, ""))) if columns.title else ""


def _notes(table: Table, columns: TextColumns) -> Iterator[str]:
    """Notes on the column that was read, and on what is odd about the table."""
    name = f"column “{columns.text}”" if table.named else columns.text
    under = f" under the titles of “{columns.title}”" if columns.title else ""
    rows = f"{len(table.rows)} row{'' if len(table.rows) == 1 else 's'}"
    yield f"Read {name} of {len(table.names)}{under}; {rows}."
    yield from table.notes
    if table.joined:
        rows = "1 row" if table.joined == 1 else f"{table.joined} rows"
        yield f"In {rows}, separators that are not in quotation marks were read as text."
    if table.ragged:
        rows = "1 row has" if table.ragged == 1 else f"{table.ragged} rows have"
        yield f"{rows} more or fewer fields than the table has columns."


def _left_out(table: Table, columns: TextColumns) -> Iterator[LeftOut]:
    """The parts that are not in the text: other columns, rows without text, broken lines."""
    if columns.others:
        named = ", ".join(f"“{name}”" for name in columns.others[:_MOST_NAMED])
        more = len(columns.others) - _MOST_NAMED
        what = f"{'columns' if len(columns.others) > 1 else 'column'} {named}"
        what += f" and {more} more" if more > 0 else ""
        words = sum(count_words(row.get(name, "")) for row in table.rows for name in columns.others)
        yield LeftOut(what, "only one column is read", words)
    if table.broken:
        what = "1 line" if table.broken == 1 else f"{table.broken} lines"
        yield LeftOut(what, "no valid row")
    if table.beyond:
        yield LeftOut(f"the last {table.beyond} rows", "there are too many rows")
    if blank := sum(not row.get(columns.text, "").strip() for row in table.rows):
        what = "1 row without text" if blank == 1 else f"{blank} rows without text"
        yield LeftOut(what, "there is nothing to read", missed=False)
