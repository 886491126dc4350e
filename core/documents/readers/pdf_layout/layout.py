"""From pages to paragraphs: furniture out, columns in order, kinds known, parts joined."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from core.documents.document import Block, LeftOut, count_words
from core.documents.guessing import guess_language
from core.documents.readers.pdf_layout import scans
from core.documents.readers.pdf_layout.boxes import part_boxes
from core.documents.readers.pdf_layout.bullets import with_bullets
from core.documents.readers.pdf_layout.columns import Gutters
from core.documents.readers.pdf_layout.figures import PAGE_OF_CHARTS, figure_labels, figures_of
from core.documents.readers.pdf_layout.flow import as_block, joined
from core.documents.readers.pdf_layout.furniture import find_furniture
from core.documents.readers.pdf_layout.grids import part_grids, with_grids
from core.documents.readers.pdf_layout.hyphens import Hyphenation
from core.documents.readers.pdf_layout.initials import count_texts, join_initials
from core.documents.readers.pdf_layout.kinds import (
    Kinds,
    mark_byline,
    mark_chart_text,
    mark_references,
    set_levels,
)
from core.documents.readers.pdf_layout.lines import Line, lines_of
from core.documents.readers.pdf_layout.margins import part_margins
from core.documents.readers.pdf_layout.numbers import column_numbers, document_line_numbers
from core.documents.readers.pdf_layout.open_tables import with_tables
from core.documents.readers.pdf_layout.paragraphs import Paragraph, paragraphs_of, step_between
from core.documents.readers.pdf_layout.run_in import with_run_in_heads
from core.documents.readers.pdf_layout.sheet import Sheet
from core.events import Progress, Steps
from core.stop import StopToken

_REASONS = {
    "pages with misread text": ("most of the text recognised on them is wrong", True),
    "words in unknown letters": ("the file does not say which letters they stand for", True),
    "line numbers": ("they count lines", False),
    "column numbers": ("they count columns", False),
    "running heads and feet": ("they repeat from page to page", False),
    "page numbers": ("they count pages", False),
    "labels in figures": ("they are not sentences", False),
    "charts": ("their numbers and labels are not sentences", True),
}
_UNKNOWN = "\ufffd\ud800\ud801\ud835"


@dataclass
class Layout:
    """What was made of all pages.

    Args:
        paragraphs: In reading order.
        blocks: The same as text.
        left_out: What is not in them, and why.
        notes: What else was noticed, one sentence each.
    """

    paragraphs: list[Paragraph]
    blocks: list[Block]
    left_out: list[LeftOut]
    notes: list[str]


@dataclass
class _Ledger:
    """Counts what is taken away: words and pages by what it was."""

    words: dict[str, int] = field(default_factory=dict)
    pages: dict[str, list[int]] = field(default_factory=dict)

    def enter(self, what: str, page: int, texts: Iterable[str]) -> None:
        count = count_words(" ".join(texts))
        if not count:
            return
        self.words[what] = self.words.get(what, 0) + count
        pages = self.pages.setdefault(what, [])
        if page not in pages[-1:]:
            pages.append(page)

    def items(self) -> list[LeftOut]:
        return [
            LeftOut(what, why, self.words[what], tuple(self.pages[what]), missed)
            for what, (why, missed) in _REASONS.items()
            if what in self.words
        ]


def lay_out(sheets: list[Sheet], stop: StopToken) -> Steps[Layout]:
    """Finds the paragraphs of a document.

    Args:
        sheets: All pages.
        stop: Ends the work.

    Returns:
        The paragraphs, and what is not in them.

    Yields:
        How many pages are done.
    """
    ledger = _Ledger()
    sheets = [_without_unreadable(sheet, ledger) for sheet in sheets]
    sheets = _without_furniture(_without_line_numbers(sheets, ledger), ledger)
    counts = count_texts(sheets)
    language = cache(lambda: guess_language(_text(sheets)))
    sheets = [join_initials(sheet, counts, language) for sheet in sheets]
    gutters = Gutters()
    columns: list[list[Line]] = []
    labels: list[Line] = []
    vocabulary = frozenset(word.casefold() for sheet in sheets for word in sheet.words.texts)
    for sheet in sheets:
        stop.raise_if_set()
        found, left = _columns_of(sheet, gutters, ledger, vocabulary)
        columns += found
        labels += left
        yield Progress(sheet.page, len(sheets), "pages", "Ordering")
    lines = [line for column in columns for line in column if not line.in_table]
    paragraphs = _paragraphs_of(columns, lines, labels)
    hyphenation = Hyphenation([line.text for line in lines])
    blocks = [as_block(paragraph, hyphenation) for paragraph in paragraphs]
    sideways = scans.count_sideways(sheets)
    left_out = [*ledger.items(), *([sideways] if sideways else [])]
    return Layout(paragraphs, blocks, left_out, _formula_notes(lines))


def _text(sheets: list[Sheet]) -> str:
    return " ".join(word for sheet in sheets for word in sheet.words.texts)


def _formula_notes(lines: list[Line]) -> list[str]:
    pages = sorted({line.page for line in lines if line.has_fraction and not line.hidden})
    if not pages:
        return []
    return [f"Fractions on {scans.named_pages(pages)} were written on one line and may be wrong."]


def _without_unreadable(sheet: Sheet, ledger: _Ledger) -> Sheet:
    """Without misread pages, and without words of which no letter is known."""
    texts = sheet.words.texts
    if scans.is_rubble(sheet):
        return _without(sheet, np.ones(len(texts), bool), "pages with misread text", ledger)
    unknown = np.array([not text.strip(_UNKNOWN) for text in texts], bool)
    ledger.enter("words in unknown letters", sheet.page, ["x"] * int(unknown.sum()))
    return sheet.with_words(sheet.words.take(~unknown)) if unknown.any() else sheet


def _without_line_numbers(sheets: list[Sheet], ledger: _Ledger) -> list[Sheet]:
    sheets = [
        _without(sheet, numbers, "line numbers", ledger)
        for sheet, numbers in zip(sheets, document_line_numbers(sheets), strict=True)
    ]
    return [_without(sheet, column_numbers(sheet), "column numbers", ledger) for sheet in sheets]


def _without_furniture(sheets: list[Sheet], ledger: _Ledger) -> list[Sheet]:
    furniture = find_furniture(sheets)
    masks = [(_mask(furniture.heads, sheet), _mask(furniture.numbers, sheet)) for sheet in sheets]
    if all((heads | numbers).all() for heads, numbers in masks):
        return sheets  # pages of one line each: it is their text
    result = []
    for sheet, (heads, numbers) in zip(sheets, masks, strict=True):
        rest = _without(sheet, heads, "running heads and feet", ledger)
        result.append(_without(rest, (numbers & ~heads)[~heads], "page numbers", ledger))
    return result


def _mask(found: dict[int, NDArray[np.int64]], sheet: Sheet) -> NDArray[np.bool_]:
    mask = np.zeros(len(sheet.words), bool)
    mask[found.get(sheet.page, np.zeros(0, np.int64))] = True
    return mask


def _without(sheet: Sheet, which: NDArray[np.bool_], what: str, ledger: _Ledger) -> Sheet:
    if not which.any():
        return sheet
    ledger.enter(what, sheet.page, sheet.words.texts[which].tolist())
    return sheet.with_words(sheet.words.take(~which))


def _columns_of(
    sheet: Sheet, gutters: Gutters, ledger: _Ledger, vocabulary: frozenset[str]
) -> tuple[list[list[Line]], list[Line]]:
    """The lines of each column, rows of tables marked, and apart from them labels of figures."""
    num_words = len(sheet.words)
    sheet, grids = part_grids(sheet, vocabulary)
    sheet, boxes = part_boxes(sheet)
    sheet, notes = part_margins(sheet)
    regions = [
        with_bullets(lines_of(region, sheet.page), sheet.shapes)
        for region in gutters.regions_of(sheet)
    ]
    for box in boxes:
        regions.append([replace(line, boxed=True) for line in lines_of(box, sheet.page)])
    for note in notes:
        lines = lines_of(note, sheet.page)
        text = " ".join(line.text for line in lines)
        regions.append([replace(lines[0], text=text, boxed=True, aside=True)])
    labels = figure_labels(regions, figures_of(sheet))
    columns, left = [], []
    for lines, inside in zip(regions, labels, strict=True):
        left += [lines[index] for index in sorted(inside)]
        lines = [line for index, line in enumerate(lines) if index not in inside]
        columns += with_tables(lines)
    share = sum(len(line.text.split()) for line in left) / max(1, num_words)
    what = "charts" if share >= PAGE_OF_CHARTS else "labels in figures"
    ledger.enter(what, sheet.page, (line.text for line in left))
    return with_grids([column for column in columns if column], grids), left


def _paragraphs_of(
    columns: list[list[Line]], lines: list[Line], labels: list[Line]
) -> list[Paragraph]:
    step = step_between(lines)
    mostly_charts = sum(len(line.text) for line in labels) > sum(len(line.text) for line in lines)
    kinds = Kinds([*lines, *labels] if mostly_charts else lines)
    paragraphs: list[Paragraph] = []
    for _, group in groupby(columns, lambda column: column[0].page):
        page = list(group)
        for column in page:
            found = paragraphs_of(column, step)
            kinds.assign(found, at_foot=not any(_is_below(other, column) for other in page))
            paragraphs += found
    mark_byline(paragraphs)
    set_levels(paragraphs)
    mark_references(paragraphs)
    paragraphs = joined(paragraphs)
    mark_chart_text(paragraphs)
    return with_run_in_heads(paragraphs)


def _is_below(other: list[Line], column: list[Line]) -> bool:
    """Whether lines stand below a column."""
    if other[-1].base <= column[-1].base:
        return False
    left, right = min(line.x0 for line in column), max(line.x1 for line in column)
    return any(line.x0 < right and line.x1 > left for line in other)
