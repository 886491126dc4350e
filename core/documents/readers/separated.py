"""Records of CSV: one reader for documents, corpora and evaluations.

The separator, a ``sep=`` line and the way quotation marks are escaped are found from the beginning
of a file; records may then be read from lines, however many there are.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice, takewhile

from core.documents.readers.columns import DOCUMENTS, TITLES, find_text_columns, first_named

SAMPLE_CHARACTERS = 100_000
"""From so much of the beginning of a file its dialect is found."""

_LONGEST_FIELD = 2**31 - 1  # what a C long holds everywhere
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_USUAL = {".tsv": "\t", ".tab": "\t"}
_SAMPLE_ROWS = 50
_LONGEST_NAME = 64
_MOST_NAME_WORDS = 3
# Excel's first line ("sep=;"), which names the separator and is no record.
_SEP_LINE = re.compile(r"\ufeff?\"?sep=([^\w\s\"]|\t)\"?[,;\t ]*(?:\r\n?|\n|$)", re.IGNORECASE)
_COMMENTS = re.compile(r"\ufeff?(?:#[^\r\n]*+(?:\r\n?|\n))++")
_ESCAPE = re.compile(r"\\(.?)", re.DOTALL)
_ESCAPED = frozenset('"\\\t\r\n')
_ESCAPED_BREAK = re.compile(r"(?<!\\)(?:\\\\)*+\\(?:\r\n?|\n)")
_DIGIT = re.compile(r"\d")
_NULL = "\\N"  # how databases write that a row has no value


@dataclass(frozen=True)
class Dialect:
    """The form of the records of a file.

    Args:
        separator: The character between fields.
        has_escapes: True if a quotation mark inside a field is written with a backslash before it,
            not doubled.
        has_quotes: True if quotation marks round a field are no part of it.
        has_spaces: True if a space follows each separator and is no part of the field.
        is_declared: True if the first line is one that names the separator.
        num_comments: The number of lines above the records that begin with "#".
    """

    separator: str = ","
    has_escapes: bool = False
    has_quotes: bool = True
    has_spaces: bool = False
    is_declared: bool = False
    num_comments: int = 0

    def notes(self, suffix: str) -> Iterator[str]:
        """Notes on guesses that are unusual for a file of that suffix, one sentence each."""
        if self.separator != _USUAL.get(suffix, ",") and not self.is_declared:
            signs = _SEPARATORS[self.separator]
            yield f"The separator was guessed: fields are separated by {signs}."
        if not self.has_quotes:
            yield "Quotation marks do not enclose the fields and were read as text."
        if self.has_escapes:
            yield "Backslashes before quotation marks and line breaks were read as escapes."
        if self.num_comments:
            lines = "1 line" if self.num_comments == 1 else f"{self.num_comments} lines"
            yield f"The table begins below {lines} of comments, which are not in the text."


def find_dialect(text: str, suffix: str = ".csv") -> Dialect:
    """Finds the dialect by which most records have as many fields as the first, more than one.

    Args:
        text: The file, or at least `SAMPLE_CHARACTERS` of its beginning.
        suffix: That of the file's name in small letters; decides where the text does not.

    Returns:
        The dialect.
    """
    sample = text[:SAMPLE_CHARACTERS]
    is_cut = len(text) > SAMPLE_CHARACTERS
    if comments := _COMMENTS.match(sample):
        dialect = _find_dialect(sample[comments.end() :], suffix, is_cut=is_cut)
        if num_comments := _count_comments(comments[0], sample[comments.end() :], dialect):
            return replace(dialect, num_comments=num_comments)
    return _find_dialect(sample, suffix, is_cut=is_cut)


def _find_dialect(sample: str, suffix: str, *, is_cut: bool) -> Dialect:
    declared = _SEP_LINE.match(sample)
    separators = [declared[1]] if declared else list(_SEPARATORS)
    usual = _USUAL.get(suffix, ",")
    best, best_score = Dialect(declared[1] if declared else usual), (0.0, False, False, False, 0)
    for separator in sorted(separators, key=lambda sign: sign != usual):
        has_sound_quotes = False
        for dialect in _variants(sample, Dialect(separator, is_declared=bool(declared))):
            if has_sound_quotes and not dialect.has_quotes:
                break  # separators inside the quotation marks would count
            share, width = _consistency(sample, dialect, is_cut=is_cut)
            is_sound = not dialect.has_quotes or _closes_quotes(sample, dialect, is_cut=is_cut)
            has_sound_quotes |= is_sound
            if (
                score := (share, is_sound, dialect.has_escapes, dialect.has_quotes, width)
            ) > best_score:
                best, best_score = dialect, score
    return best


def _count_comments(lines: str, below: str, dialect: Dialect) -> int:
    """The number of lines that are comments above a table of several columns.

    A line with as many fields as the first record below is a head or a row ("#id,text").
    """
    first = next(read_records(io.StringIO(below, newline=""), dialect), None)
    if not isinstance(first, list) or len(first) < 2:
        return 0
    records = read_records(io.StringIO(lines, newline=""), replace(dialect, has_quotes=False))
    is_comment = (isinstance(record, list) and len(record) != len(first) for record in records)
    return sum(takewhile(bool, is_comment))


def _variants(sample: str, dialect: Dialect) -> Iterator[Dialect]:
    """A dialect, and those that differ in what a sample may mean by quotation marks and spaces."""
    first = next(read_records(io.StringIO(sample, newline=""), dialect), None)
    if isinstance(first, list) and len(first) > 1:
        dialect = replace(dialect, has_spaces=all(name.startswith(" ") for name in first[1:]))
    yield dialect
    if _has_escapes(sample, dialect.separator) or _has_escaped_breaks(sample, dialect):
        yield replace(dialect, has_escapes=True)
    if '"' in sample:
        yield replace(dialect, has_quotes=False)


def read_records(
    lines: Iterable[str], dialect: Dialect, *, strict: bool = False
) -> Iterator[list[str] | csv.Error]:
    """Reads records.

    Args:
        lines: The lines of a file with their ends, from the first.
        dialect: How they are written.
        strict: True to take text behind a closing quotation mark for an error.

    Yields:
        The fields of each record, or why it cannot be read.
    """
    csv.field_size_limit(_LONGEST_FIELD)
    rest = iter(lines)
    for _ in range(dialect.num_comments + dialect.is_declared):
        next(rest, None)
    if dialect.has_escapes:
        rest = map(_protect_backslashes, rest)
    escape = "\\" if dialect.has_escapes else None
    records = csv.reader(
        rest,
        delimiter=dialect.separator,
        escapechar=escape,
        quoting=csv.QUOTE_MINIMAL if dialect.has_quotes else csv.QUOTE_NONE,
        skipinitialspace=dialect.has_spaces,
        strict=strict,
    )
    while True:
        try:
            record = next(records)
        except StopIteration:
            return
        except csv.Error as error:
            yield error
        else:
            yield (
                [field if field != _NULL else "" for field in record] if _NULL in record else record
            )


def column_names(record: list[str]) -> list[str]:
    """The names of columns, each once, if a first record is one of names; else none."""
    stripped = [name.strip().lstrip("\ufeff") for name in record]
    if not any(stripped) or any(len(name) > _LONGEST_NAME or "\n" in name for name in stripped):
        return []
    is_number = any(name.replace(".", "").isdigit() for name in stripped)
    if is_number and not first_named((*DOCUMENTS, *TITLES), stripped):
        return []
    names: list[str] = []
    for number, name in enumerate(stripped, 1):
        names.append(name if name and name not in names else f"{name or 'column'} {number}")
    return names


def is_tabbed_table(text: str, *, is_cut: bool, needs_known_name: bool) -> bool:
    """Finds out if lines are records of a table of texts that Excel saved with tabs between fields.

    Args:
        text: A file, or its beginning.
        is_cut: True if it goes on.
        needs_known_name: True if a column has to have a usual name of texts or titles.

    Returns:
        True if so.
    """
    records = list(islice(read_records(io.StringIO(text, newline=""), Dialect("\t")), _SAMPLE_ROWS))
    if is_cut and len(records) < _SAMPLE_ROWS:
        records = records[:-1]
    head, *rows = [each for each in records if isinstance(each, list)] or [[]]
    names = column_names(head)
    if len(names) < 2 or not rows or any(len(row) != len(names) for row in rows):
        return False
    if needs_known_name and not first_named((*DOCUMENTS, *TITLES), names):
        return False
    is_head = all(
        len(name.split()) <= _MOST_NAME_WORDS and not _DIGIT.search(name) for name in names
    )
    return is_head and bool(
        find_text_columns([dict(zip(names, row, strict=True)) for row in rows], names).text
    )


def join_unquoted(fields: list[str], num_columns: int, separator: str) -> list[str] | None:
    """Joins the pieces of texts whose separators are not quoted ("first, second" in two fields).

    Args:
        fields: The fields of a record that has more of them than there are columns.
        num_columns: The number of columns.
        separator: The character between fields.

    Returns:
        A field for each column, where each surplus one begins with a space, as words after a comma
        do and fields do not; None where they do not make as many.
    """
    joined = fields[:1]
    for field in fields[1:]:
        if field.startswith(" "):
            joined[-1] += separator + field
        else:
            joined.append(field)
    return joined if len(joined) == num_columns else None


def _consistency(sample: str, dialect: Dialect, *, is_cut: bool) -> tuple[float, int]:
    """The share of records with the most usual number of fields, and that number.

    The share is 0 where that is one field, and halved where the first record, mostly the names of
    the columns, has another number.
    """
    records = read_records(io.StringIO(sample, newline=""), dialect)
    widths = [
        len(record)
        for record in islice(records, _SAMPLE_ROWS)
        if record and not isinstance(record, csv.Error)
    ]
    if is_cut and 1 < len(widths) < _SAMPLE_ROWS:
        widths.pop()  # of a record that goes on behind the sample
    if not widths:
        return 0.0, 0
    width, times = Counter(widths).most_common(1)[0]
    share = round(times / len(widths), 1) if width > 1 else 0.0
    return (share if widths[0] == width else share / 2), width


def _closes_quotes(sample: str, dialect: Dialect, *, is_cut: bool) -> bool:
    """True if fields end where their quotation marks are closed; of a cut sample, all but one."""
    if '"' not in sample:
        return True
    records = read_records(io.StringIO(sample, newline=""), dialect, strict=True)
    errors = (isinstance(record, csv.Error) for record in islice(records, _SAMPLE_ROWS))
    return sum(errors) <= is_cut


def _has_escapes(sample: str, separator: str) -> bool:
    """True if in a quoted field a quotation mark behind a backslash can be no end of the field."""
    if '\\"' not in sample:
        return False
    sign = re.escape(separator)
    pattern = rf'(?:^|{sign})"[^"]*\\"(?![{sign}"\r\n]|$)'
    return re.search(pattern, sample, re.MULTILINE) is not None


def _has_escaped_breaks(sample: str, dialect: Dialect) -> bool:
    """True if a line break inside a field has a backslash before it, as MySQL exports it.

    That is known where all those in quoted fields have one, or where the records would else have
    different numbers of fields.
    """
    if not _ESCAPED_BREAK.search(sample):
        return False
    records = read_records(io.StringIO(sample, newline=""), dialect)
    fields = (each for record in islice(records, _SAMPLE_ROWS) if isinstance(record, list)
              for each in record if "\n" in each)  # fmt: skip
    breaks = [_ESCAPED_BREAK.sub("", each) for each in fields]
    if breaks:
        return not any("\n" in each for each in breaks)
    escaped = replace(dialect, has_escapes=True)
    plain_share, _ = _consistency(sample, dialect, is_cut=False)
    return _consistency(sample, escaped, is_cut=False)[0] > plain_share


def _protect_backslashes(line: str) -> str:
    """A line in which those backslashes are doubled that escape no quotation mark, tab, line break
    or other backslash, so that they stay."""
    return _ESCAPE.sub(lambda match: match[0] if match[1] in _ESCAPED else "\\" + match[0], line)
