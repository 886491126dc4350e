"""Tables of reStructuredText: drawn with bars, set between rules, or given as lists or CSV."""

import csv
import re

GRID_RULE = re.compile(r"\+(?:[-=]+\+)+\s*")
SIMPLE_RULE = re.compile(r"=+(?:[ \t]+=+)+\s*")
_PART_RULE = re.compile(r"[-+ ]+|[= ]+")


def grid_rows(lines: list[str]) -> list[list[str]]:
    """The cells of a table drawn with bars; a cell that spans rows is in the first."""
    rows: list[list[list[str]]] = [[]]
    for line in lines:
        if line.startswith("+"):
            rows.append([])
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        row = rows[-1]
        row += [[] for _ in range(len(cells) - len(row))]
        for column, cell in enumerate(cells):
            row[column].append("" if set(cell) <= {"-", "+"} else cell)
    return [[" ".join(filter(None, cell)) for cell in row] for row in rows if row]


def simple_end(lines: list[str], start: int) -> int:
    """One past the last line of a table between rules: a rule with nothing below it."""
    for index in range(start + 2, len(lines)):
        below = lines[index + 1] if index + 1 < len(lines) else ""
        if SIMPLE_RULE.fullmatch(lines[index]) and not below.strip():
            return index + 1
    return 0


def simple_rows(lines: list[str]) -> list[list[str]]:
    """The cells of a table between rules; a row with an empty first cell continues another."""
    starts = [match.start() for match in re.finditer(r"=+", lines[0])]
    rows: list[list[str]] = []
    for line in lines:
        if not line.strip() or _PART_RULE.fullmatch(line.strip()):
            continue
        cells = [
            line[start:end].strip() for start, end in zip(starts, [*starts[1:], None], strict=True)
        ]
        if rows and not cells[0]:
            rows[-1] = [f"{a} {b}".strip() for a, b in zip(rows[-1], cells, strict=True)]
        else:
            rows.append([cell.removeprefix("\\").strip() for cell in cells])
    return rows


def list_rows(lines: list[str]) -> list[list[str]]:
    """The cells of a table given as a list of lists."""
    rows: list[list[str]] = []
    for line in lines:
        text = line.strip()
        if re.match(r"\* +-( |$)", text):
            rows.append([text[1:].strip()[1:].strip()])
        elif rows and re.match(r"-( |$)", text):
            rows[-1].append(text[1:].strip())
        elif rows and text:
            rows[-1][-1] = f"{rows[-1][-1]} {text}".strip()
    return rows


def csv_rows(lines: list[str], header: str) -> list[list[str]]:
    """The cells of a table given as CSV; its lines where they are none."""
    try:
        rows = list(csv.reader([header, *lines], skipinitialspace=True))
    except csv.Error:
        rows = [[line] for line in lines]
    return [[cell.replace("\n", " ") for cell in row] for row in rows if any(row)]
