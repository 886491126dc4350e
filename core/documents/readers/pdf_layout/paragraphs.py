"""Paragraphs from the lines of one column."""

import re
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from core.documents.document import Kind
from core.documents.readers.pdf_layout.hyphens import ends_in_hyphen
from core.documents.readers.pdf_layout.lines import Line
from core.documents.readers.pdf_layout.tables import is_definition

MARKER = re.compile(
    r"(?P<bullet>[•▪◦‣·●○■□➢✓∙☐☑☒✔✗✘–-]\s*|\*\s+)(?=\S)"  # no "*pointer", no "*note"
    r"|(?:\(?[a-zA-Z]\)|\(?[ivx]{1,5}\)|\(\d{1,3}\)|\d{1,3}[.)])\s+(?=\S)(?!\d{3}[-\s]\d)"
)
ENTRY = re.compile(r"\[\w{1,12}\]\s|\d{1,3}[.:]\s")
_PARAGRAPH_NUMBER = re.compile(r"\[\d{4,5}\]\s")
_END = re.compile(r"[.!?:;。！？][\"'”’»)\]⁰¹²³⁴⁵⁶⁷⁸⁹]*$")
_WIDE_STEP = 1.3  # of the usual distance of baselines
_FLUSH = 0.7  # points
_INDENT = 0.7  # in type sizes
_LEADING = 33  # percentile of the distances of baselines; gaps between paragraphs are wider
_MARGIN = 2.0  # in type sizes, at both sides of a line that is set in the middle
_SENTENCE_LINES = 0.6  # share of lines that end as sentences do, where each is one


@dataclass
class Paragraph:
    """Lines that belong together.

    Args:
        lines: From first to last; they may lie on several pages.
        kind: What it is.
        level: As in `core.documents.document.Block`.
        indented: Whether its first line stands further in than the column's edge.
        begins_region: Whether it is the first of its column.
        ends_region: Whether it is the last of its column.
        full: Whether its last line reaches the column's right edge, or nearly so.
        flush: Whether it ends exactly there in a justified column, as only a line that goes on
            does but by rare chance.
        centred: Whether all its lines keep clear of both edges.
        inset: How far from the column's left edge its first line begins, in type sizes.
    """

    lines: list[Line]
    kind: Kind = Kind.PARAGRAPH
    level: int = 0
    indented: bool = False
    begins_region: bool = False
    ends_region: bool = False
    full: bool = False
    flush: bool = False
    centred: bool = False
    inset: float = 0.0

    @property
    def first(self) -> Line:
        """Its first line."""
        return self.lines[0]

    @property
    def last(self) -> Line:
        """Its last line."""
        return self.lines[-1]

    @property
    def raw(self) -> str:
        """Its lines with spaces between, hyphens as they are."""
        return " ".join(line.text for line in self.lines)

    @property
    def is_finished(self) -> bool:
        """Whether it ends as a sentence does."""
        return bool(_END.search(self.last.text))


@dataclass(frozen=True)
class _Edges:
    left: float
    right: float
    step: float  # between baselines
    justified: bool
    sentences: bool  # whether each line is a sentence, as in a list of maxims


def paragraphs_of(lines: list[Line], step_of_document: float) -> list[Paragraph]:
    """Groups the lines of one column.

    Args:
        lines: The lines from top to bottom.
        step_of_document: The usual distance of baselines in type sizes.

    Returns:
        The paragraphs, kinds not yet known.
    """
    if not lines:
        return []
    edges = _edges_of([line for line in lines if not line.in_table] or lines, step_of_document)
    groups: list[list[Line]] = [[lines[0]]]
    for index in range(1, len(lines)):
        after = lines[index + 1] if index + 1 < len(lines) else None
        if _begins(groups[-1], lines[index], after, edges):
            groups.append([lines[index]])
        else:
            groups[-1].append(lines[index])
    paragraphs = [_as_paragraph(group, edges) for group in groups]
    paragraphs[0].begins_region = paragraphs[-1].ends_region = True
    return paragraphs


def step_between(lines: list[Line]) -> float:
    """The usual distance of baselines, in type sizes."""
    steps = [
        (after.base - before.base) / before.size
        for before, after in pairwise(lines)
        if before.page == after.page and abs(before.size - after.size) < 0.1 * before.size
    ]
    near = [step for step in steps if 0.8 < step < 3]
    return float(np.percentile(near, _LEADING)) if near else 1.2


def _edges_of(lines: list[Line], step_of_document: float) -> _Edges:
    lefts = np.array([line.x0 for line in lines])
    left = _usual(lefts, 0.3 * lines[0].size)
    right = float(np.percentile([line.x1 for line in lines], 90))
    step = step_between(lines) if len(lines) > 8 else step_of_document
    rights = np.array([line.x1 for line in lines])
    edge = float(np.median(rights))
    justified = len(lines) > 4 and float(np.mean(np.abs(rights - edge) < _FLUSH)) > 0.6
    return _Edges(left, edge if justified else right, step, justified, _are_sentences(lines))


def _are_sentences(lines: list[Line]) -> bool:
    ended = sum(_is_finished(a) and not b.text[:1].islower() for a, b in pairwise(lines))
    return len(lines) > 4 and ended > _SENTENCE_LINES * len(lines)


def _usual(values: "np.ndarray[tuple[int], np.dtype[np.float64]]", tolerance: float) -> float:
    """The smallest value that many others share."""
    values = np.sort(values)
    counts = np.searchsorted(values, values + 2 * tolerance, side="right") - np.arange(len(values))
    often = np.flatnonzero(counts >= max(1, 0.3 * counts.max()))
    return float(values[often[0]])


def _begins(group: list[Line], line: Line, after: Line | None, edges: _Edges) -> bool:
    """Whether a line begins a new paragraph."""
    before = group[-1]
    if before.in_table or line.in_table:
        return before.in_table != line.in_table
    tolerance = 0.35 if line.hidden else 0.08
    if _is_spaced(before, line, edges) or _differs(before, line, tolerance):
        return True
    if _PARAGRAPH_NUMBER.match(line.text) or _is_definition(group):
        return True
    if MARKER.match(line.text):
        return _is_marked(group, line, edges)
    if ENTRY.match(line.text) and line.x0 <= group[0].x0 + line.size:
        return bool(ENTRY.match(group[0].text))
    if _hangs_from_marker(group, line):
        return _is_numbered_heading(group, line, edges) or _ends_item(group, line, after, edges)
    if before.bold != line.bold and before.x1 < edges.right - 2 * line.size:
        return True
    if _is_heading_line(before, edges) or _is_heading_line(line, edges):
        return not (_is_heading_line(before, edges) and _is_heading_line(line, edges))
    if edges.sentences and _is_finished(before) and not line.text[:1].islower():
        return True
    if len(group) == 1 and _is_set_right(before, line, edges):
        return True
    if ends_in_hyphen(before.text):
        return False
    return _is_indented(group, line, after, edges) or _ended_early(before, line, edges)


def _is_definition(group: list[Line]) -> bool:
    """Whether lines are the whole name of what a manual describes below them."""
    text = "".join(line.text for line in group)
    return is_definition(group[0]) and text.count("(") <= text.count(")")


def _is_heading_line(line: Line, edges: _Edges) -> bool:
    """Whether a line is set in capitals in the middle of its column."""
    return _keeps_clear(line, edges) and is_heading_in_capitals(line)


def is_heading_in_capitals(line: Line) -> bool:
    """True if a line is in capitals as headings are: with several words, or letters set apart."""
    return is_capitals(line.text) or (line.spaced and is_upper(line.text))


def is_capitals(text: str) -> bool:
    """Whether a text is three or more words in capitals, and no end of a sentence."""
    return len(text.split()) > 2 and text[-1] not in ".,;:" and is_upper(text)


def is_upper(text: str) -> bool:
    """True if a text has no small letters; scripts without capitals have only small ones."""
    return text == text.upper() != text.lower()


def _keeps_clear(line: Line, edges: _Edges) -> bool:
    margin = _MARGIN * line.size
    return line.x0 > edges.left + margin and line.x1 < edges.right - margin


def _is_set_right(before: Line, line: Line, edges: _Edges) -> bool:
    """Whether a line stands at the right as dates of letters do, and the next further left."""
    middle = 0.5 * (edges.left + edges.right)
    return before.x0 > middle and line.x0 < before.x0 - 4 * line.size


def _hangs_from_marker(group: list[Line], line: Line) -> bool:
    """Whether a line stands under the words of a list item, not under its marker."""
    first = group[0]
    if not (MARKER.match(first.text) or ENTRY.match(first.text)):
        return False
    return 0.5 * line.size < line.x0 - first.x0 < 5 * line.size


def _is_numbered_heading(group: list[Line], line: Line, edges: _Edges) -> bool:
    """Whether what looks like an item is a number and a heading in capitals above a text."""
    before = group[-1]
    number = ENTRY.match(before.text)
    if len(group) > 1 or number is None or before.x1 > edges.right - 4 * before.size:
        return False
    words = before.text[number.end() :]
    return sum(map(str.isalpha, words)) > 3 and is_upper(words) and not is_upper(line.text)


def _ends_item(group: list[Line], line: Line, after: Line | None, edges: _Edges) -> bool:
    """Whether a line under the words of an item begins a paragraph below the item."""
    before = group[-1]
    ended = _END.search(before.text) and not before.text.endswith(":")
    if not ended or line.text[:1].islower():
        return False
    # Lists may be narrower than their column.
    right = min(edges.right, max(each.x1 for each in (*group, line)))
    if _ended_early(before, line, replace(edges, right=right)):
        return True
    if after is None or MARKER.match(after.text) or ENTRY.match(after.text):
        return False
    returns = after.x0 < line.x0 - 0.5 * _INDENT * line.size
    return returns and line.x1 > edges.right - 2 * line.size


def _is_spaced(before: Line, line: Line, edges: _Edges) -> bool:
    size = max(before.size, line.size) if not line.hidden else 0.5 * (before.size + line.size)
    return line.base - before.base > _WIDE_STEP * edges.step * size


def _differs(before: Line, line: Line, tolerance: float) -> bool:
    return abs(before.size - line.size) > tolerance * max(before.size, line.size)


def _is_marked(group: list[Line], line: Line, edges: _Edges) -> bool:
    """Whether a list marker at the line's start is one, and not a piece of running text."""
    before, half = group[-1], 0.5 * line.size
    if MARKER.match(group[0].text) and abs(line.x0 - group[0].x0) < half:
        return True
    if _END.search(before.text) or before.x1 < edges.right - 3 * line.size:
        return True
    return all(abs(line.x0 - other.x0) > half for other in (group[0], before))


def _is_indented(group: list[Line], line: Line, after: Line | None, edges: _Edges) -> bool:
    """Whether a line stands further in as first lines do, or out as entries of lists do."""
    before, indent = group[-1], _INDENT * line.size
    hangs = len(group) > 1 and group[0].x0 < min(other.x0 for other in group[1:]) - indent
    if hangs and abs(line.x0 - group[0].x0) < 0.5 * indent:
        return True
    if len(group) == 1 and before.x0 > edges.left + indent and abs(line.x0 - before.x0) < 2:
        return _is_finished(before) and before.x1 < edges.right - 2 * line.size
    further = line.x0 > before.x0 + indent and line.x0 > edges.left + indent
    if not further or (_is_centred(line, edges) and _is_centred(before, edges)):
        return False
    ended = bool(_END.search(before.text)) or before.x1 < edges.right - 4 * line.size
    returns = after is None or after.x0 < line.x0 - 0.5 * indent
    return ended and (returns or before.x1 < edges.right - 2 * line.size)


def _is_finished(line: Line) -> bool:
    """Whether a line ends a sentence, or breaks one off."""
    return bool(_END.search(line.text)) or line.text.endswith("--")


def _is_centred(line: Line, edges: _Edges) -> bool:
    before, behind = line.x0 - edges.left, edges.right - line.x1
    return behind > 2 * line.size and abs(before - behind) < line.size


def _ended_early(before: Line, line: Line, edges: _Edges) -> bool:
    """Whether the next line's first word would have fitted at the end of the line before."""
    word = line.text.split(" ", 1)[0]
    letter = line.width / max(1, len(line.text))
    slack = edges.right - before.x1 - (len(word) + 1) * letter
    if slack <= 0 or (_is_centred(before, edges) and _is_centred(line, edges)):
        return False
    finished = _is_finished(before)
    return slack > (1.5 if finished else 8) * line.size and not line.text[:1].islower()


def _as_paragraph(group: list[Line], edges: _Edges) -> Paragraph:
    indented = group[0].x0 > edges.left + _INDENT * group[0].size
    full = group[-1].x1 > edges.right - 2 * group[-1].size
    flush = edges.justified and abs(group[-1].x1 - edges.right) < _FLUSH
    centred = all(_keeps_clear(line, edges) for line in group)
    inset = (group[0].x0 - edges.left) / group[0].size
    return Paragraph(group, indented=indented, full=full, flush=flush, centred=centred, inset=inset)
