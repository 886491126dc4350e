"""What each paragraph is: heading, list item, caption, footnote, reference, code."""

import re
from collections import Counter
from itertools import groupby, pairwise

from core.documents.document import Kind
from core.documents.kinds import is_boilerplate
from core.documents.readers.pdf_layout.lines import Line
from core.documents.readers.pdf_layout.paragraphs import (
    ENTRY,
    MARKER,
    Paragraph,
    is_capitals,
    is_upper,
)
from core.documents.readers.pdf_layout.tables import is_contents_row
from core.documents.section_names import CAPTIONS, CONTENTS, REFERENCES, SECTIONS

_CAPTION = re.compile(
    rf"(?:fig(?:ure|\.)?|table|scheme|chart|plate|listing|algorithm|exhibit|box|{CAPTIONS})"
    r"\s*(?:\d+|[A-Z]|[IVX]+)(?:[.-]?\d+|[a-z])?\s*(?P<stop>[.:|—–]|\Z)?",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"(?P<number>(?:\d{1,2}|[A-Z](?=\.))(?:\.\d{1,2}){0,4})\.?\s+(?=[^\W\d_a-z])"
)
_ROMAN = re.compile(r"[IVX]{1,5}\.\s+(?=\S)")
_KNOWN = re.compile(
    r"(?:abstract|summary|executive summary|contents|introduction|background|methods?|results?"
    r"|discussion|conclusions?|acknowledge?ments?|references|bibliography|works cited"
    rf"|literature cited|appendix(?: \w)?|claims|{SECTIONS}|{REFERENCES}|{CONTENTS})\.?",
    re.IGNORECASE,
)
_REFERENCES = re.compile(
    r"(?:\W|\d)*(?:references(?: cited)?|bibliography|works cited|literature(?: cited)?"
    rf"|{REFERENCES})\W*",
    re.IGNORECASE,
)
_NOTE = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+|[*†‡§¶]+|\d{1,2}\s*(?=[A-Z“\"(])|[a-z]\s(?=[A-Z])")
_BULLETS = tuple("•▪◦‣●○■□☐☑☒✓✔✗✘➢")
_TICKS = "☐☑☒✓✔✗✘"  # of one list, they differ
_FEWEST_BULLETS = 2  # of a list in type as large as a heading's
_FEWEST_NUMBERED = 3
_LETTERS = re.compile(r"[^\W\d_]{2}")
_SMALL_PAGE = 150  # words of a column without larger type that are more than its notes
_LONGEST_HEADING = 140  # characters
_HEADING_LINES = 3
_FEWEST_NUMBERS = 4  # that stand alone on a page of charts
_LONGEST_SCRAP = 20  # words
_FEWEST_TICKS = 5  # of an axis
_COLUMN_NAME = re.compile(r"[^\W_]+(?:_[^\W_]+)+_?…?", re.IGNORECASE)
_WORDS_BEFORE_COLON = 4  # of a heading that ends in one
_TITLE_SIZE = 1.6  # of the type size of running text
_LONGEST_TITLE = 200
_TITLE_LINES = 6
_LONGEST_BYLINE = 25  # words
_DEEPER = 0.7  # in type sizes, from a list's items to those of a list within it
_DEEPEST = 6


class Kinds:
    """Tells kinds by the type that most of a document is set in.

    Args:
        lines: All lines of the document.
    """

    def __init__(self, lines: list[Line]) -> None:
        sizes: Counter[float] = Counter()
        bold = mono = total = 0
        for line in lines:
            sizes[round(line.size * 5) / 5] += len(line.text)
            total += len(line.text)
            bold += len(line.text) * line.bold
            mono += len(line.text) * line.mono
        self.body = max(sizes, key=lambda size: sizes[size], default=10.0)
        self._bold_body = bold * 2 > total
        self._mono_body = mono * 2 > total

    def assign(self, paragraphs: list[Paragraph], *, at_foot: bool) -> None:
        """Gives each paragraph of one column its kind; levels come with `set_levels`.

        Args:
            paragraphs: From top to bottom.
            at_foot: Whether nothing of the page stands below them.
        """
        for paragraph in paragraphs:
            paragraph.kind = self._kind(paragraph)
        _mark_large_lists(paragraphs)
        if not at_foot:
            return
        body = self._size_of_text(paragraphs)
        for paragraph in reversed(paragraphs):  # notes stand at the foot, below all else
            if not _is_small(paragraph, body) or paragraph.kind in (Kind.CAPTION, Kind.TABLE):
                break
            paragraph.kind = Kind.FOOTNOTE
        self._keep_only_notes(paragraphs)

    def _size_of_text(self, paragraphs: list[Paragraph]) -> float:
        """Size of a column's running text: a syllabus or an appendix may be in smaller type."""
        text = [each for each in paragraphs if each.kind in (Kind.PARAGRAPH, Kind.LIST_ITEM)]
        if not all(_is_small(each, self.body) for each in text):
            return self.body
        words = Counter[float]()
        for each in text:
            words[each.first.size] += len(each.raw.split())
        return max(words, key=words.__getitem__) if words.total() >= _SMALL_PAGE else self.body

    def _kind(self, paragraph: Paragraph) -> Kind:
        text = paragraph.raw
        if paragraph.first.in_table:
            return Kind.TABLE
        if paragraph.first.aside:
            return Kind.CAPTION
        if _is_contents(paragraph):
            return Kind.BOILERPLATE
        if self._is_caption(paragraph):
            return Kind.CAPTION
        if self._is_code(paragraph):
            return Kind.CODE
        if self._is_heading(paragraph):
            return Kind.HEADING
        if not _LETTERS.search(text) or is_boilerplate(text):
            return Kind.BOILERPLATE
        if MARKER.match(text) and len(text) > 3:
            return Kind.LIST_ITEM
        return Kind.PARAGRAPH

    def _is_caption(self, paragraph: Paragraph) -> bool:
        match = _CAPTION.match(paragraph.raw)
        if not match:
            return False
        small = paragraph.first.size < 0.95 * self.body and not paragraph.first.hidden
        return bool(match["stop"] or match.end() == len(paragraph.raw) or small)

    def _is_heading(self, paragraph: Paragraph) -> bool:
        text, line = paragraph.raw, paragraph.first
        letters = sum(map(str.isalpha, text))
        if letters < 2 or not self._has_length_of_heading(paragraph):
            return False
        if _KNOWN.fullmatch(text) and text[0].isupper():
            return True
        if _ends_like_text(paragraph):
            return line.size > 1.3 * self.body and not line.hidden and text[-1] == "."
        if line.hidden:
            return letters > 5 and is_upper(text) and letters > 0.6 * len(text)
        large = line.size > 1.1 * self.body
        bold = all(each.bold for each in paragraph.lines) and not self._bold_body
        numbered = bool(_NUMBERED.match(text) or _ROMAN.match(text))
        capitals = letters > 3 and is_upper(text) and letters > 0.5 * len(text)
        if large or bold:
            return line.size > 0.9 * self.body
        return capitals and (
            (numbered and len(paragraph.lines) == 1)
            or (paragraph.centred and (is_capitals(text) or line.spaced))
        )

    def _has_length_of_heading(self, paragraph: Paragraph) -> bool:
        """Whether a paragraph is short enough; a title in large type may take more lines."""
        text, size = paragraph.raw, paragraph.first.size
        if size > _TITLE_SIZE * self.body and not paragraph.first.hidden:
            return len(text) <= _LONGEST_TITLE and len(paragraph.lines) <= _TITLE_LINES
        return len(text) <= _LONGEST_HEADING and len(paragraph.lines) <= _HEADING_LINES

    def _is_code(self, paragraph: Paragraph) -> bool:
        plain = all(line.mono and not line.bold for line in paragraph.lines)
        listed = paragraph.raw.startswith(_BULLETS)
        return plain and not listed and not self._mono_body and not paragraph.first.hidden

    def _keep_only_notes(self, paragraphs: list[Paragraph]) -> None:
        """Small type at a column's foot is a note if it begins as one, or follows one."""
        seen = False
        for paragraph in paragraphs:
            if paragraph.kind == Kind.FOOTNOTE:
                seen = seen or bool(_NOTE.match(paragraph.raw)) or _is_tiny(paragraph, self.body)
                if not seen:
                    paragraph.kind = self._kind(paragraph)


def _is_small(paragraph: Paragraph, body: float) -> bool:
    return max(line.size for line in paragraph.lines) < 0.93 * body


def _mark_large_lists(paragraphs: list[Paragraph]) -> None:
    """Makes list items of headings with markers that follow each other without a text between."""
    for marker, group in groupby(paragraphs, _marker_in_large_type):
        items = list(group)
        if marker and len(items) >= (_FEWEST_BULLETS if marker != "1" else _FEWEST_NUMBERED):
            for paragraph in items:
                paragraph.kind = Kind.LIST_ITEM


def _marker_in_large_type(paragraph: Paragraph) -> str:
    """The bullet of what looks like a heading, "1" for any number or letter; empty without one."""
    match = MARKER.match(paragraph.raw) if paragraph.kind == Kind.HEADING else None
    if match is None:
        return ""
    bullet = (match["bullet"] or "1").strip()
    return _TICKS[0] if bullet in _TICKS else bullet


def _is_contents(paragraph: Paragraph) -> bool:
    """Whether all lines are entries of a list of contents, most of them with leaders."""
    entries = sum(map(is_contents_row, paragraph.lines))
    numbered = all(line.text[-1:].isdigit() for line in paragraph.lines)
    return numbered and 2 * entries > len(paragraph.lines)


def _ends_like_text(paragraph: Paragraph) -> bool:
    """Whether a paragraph's last mark speaks against a heading; "Background:" may be one."""
    text = paragraph.raw
    if text[-1] == ":" and not paragraph.first.hidden:
        return len(text.split()) > _WORDS_BEFORE_COLON or not text[0].isupper()
    return text[-1] in ",;:" or (text[-1] == "." and not _NUMBERED.match(text))


def _is_tiny(paragraph: Paragraph, body: float) -> bool:
    return paragraph.first.size < 0.85 * body


def set_levels(paragraphs: list[Paragraph]) -> None:
    """Levels of headings, by their numbers or their type; depth of list items."""
    headings = [each for each in paragraphs if each.kind == Kind.HEADING]
    styles = sorted({_style(each) for each in headings}, reverse=True)
    ranks = {style: rank for rank, style in enumerate(styles, 1)}
    numbered = {
        _style(each): match["number"].count(".")
        for each in headings
        if (match := _NUMBERED.match(each.raw))
    }
    for heading in headings:
        match = _NUMBERED.match(heading.raw)
        depth = match["number"].count(".") if match else numbered.get(_style(heading))
        top = min((ranks[style] for style in numbered if numbered[style] == 0), default=1)
        level = ranks[_style(heading)] if depth is None else min(top, 2) + depth
        heading.level = max(1, min(6, level))
    _set_depths(paragraphs)


def _set_depths(paragraphs: list[Paragraph]) -> None:
    """Depths of list items, by how far in they stand; any other text ends a list."""
    insets: list[float] = []
    for paragraph in paragraphs:
        if paragraph.kind != Kind.LIST_ITEM:
            insets = []
            continue
        while insets and paragraph.inset < insets[-1] - _DEEPER:
            insets.pop()
        if not insets or paragraph.inset > insets[-1] + _DEEPER:
            insets.append(paragraph.inset)
        paragraph.level = min(len(insets), _DEEPEST)


def _style(paragraph: Paragraph) -> tuple[float, bool]:
    return round(paragraph.first.size), paragraph.first.bold


def mark_references(paragraphs: list[Paragraph]) -> None:
    """Makes references of what stands under their heading, up to the next one."""
    inside, level = False, 0
    for paragraph in paragraphs:
        if paragraph.kind == Kind.HEADING:
            if _REFERENCES.fullmatch(paragraph.raw):
                inside, level = True, paragraph.level
            elif inside and paragraph.level <= level and not ENTRY.match(paragraph.raw):
                inside = False
        if inside and paragraph.kind in (Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.CODE):
            paragraph.kind, paragraph.level = Kind.REFERENCE, 0


def is_section_name(text: str) -> bool:
    """Whether a heading's words stand in any document ("Contents", "Introduction")."""
    return bool(_KNOWN.fullmatch(text))


def mark_chart_text(paragraphs: list[Paragraph]) -> None:
    """Makes captions of scraps of text on pages of charts.

    Such a page has several numbers that stand alone, an axis (numbers that rise by one step), or
    legends that name the columns of a table of data ("rolled_back_dev_pct").
    """
    signs: Counter[int] = Counter()
    for each in paragraphs:
        signs[each.first.page] += _num_signs(each)
    for paragraph in paragraphs:
        if signs[paragraph.first.page] < _FEWEST_NUMBERS or paragraph.kind != Kind.PARAGRAPH:
            continue
        is_scrap = not paragraph.is_finished and len(paragraph.raw.split()) <= _LONGEST_SCRAP
        if is_scrap or _is_legend(paragraph):
            paragraph.kind = Kind.CAPTION


def _num_signs(paragraph: Paragraph) -> int:
    """How much a paragraph tells that its page is one of charts."""
    if paragraph.kind == Kind.PARAGRAPH and _is_legend(paragraph):
        return _FEWEST_NUMBERS
    if paragraph.kind != Kind.BOILERPLATE or not _is_bare(paragraph):
        return 0
    return _FEWEST_NUMBERS if _is_axis(paragraph) else 1


def _is_legend(paragraph: Paragraph) -> bool:
    """Whether most words of a scrap are names of columns."""
    words = paragraph.raw.split()
    names = sum(bool(_COLUMN_NAME.fullmatch(word)) for word in words)
    return not paragraph.is_finished and names >= max(2, 0.4 * len(words))


def _is_axis(paragraph: Paragraph) -> bool:
    """Whether a paragraph is numbers that rise by one step, as along an axis."""
    words = paragraph.raw.split()
    if len(words) < _FEWEST_TICKS or not all(map(str.isdecimal, words)):
        return False
    steps = {int(after) - int(before) for before, after in pairwise(words)}
    return len(steps) == 1 and min(steps) > 0


def _is_bare(paragraph: Paragraph) -> bool:
    """Whether there is no word in a paragraph, but a number."""
    return not _LETTERS.search(paragraph.raw) and any(map(str.isdigit, paragraph.raw))


def mark_byline(paragraphs: list[Paragraph]) -> None:
    """Makes boilerplate of names, addresses and dates between the title and the text."""
    page = paragraphs[0].first.page if paragraphs else 0
    first = [each for each in paragraphs if each.first.page == page]
    title = max(first, key=_title_rank, default=None)
    if title is None or title.kind != Kind.HEADING or title.first.hidden:
        return
    for index in range(first.index(title) + 1, len(first)):
        if _begins_text(first[index]):
            for paragraph in first[first.index(title) + 1 : index]:
                if paragraph.kind != Kind.TABLE:
                    paragraph.kind, paragraph.level = Kind.BOILERPLATE, 0
            return


def _begins_text(paragraph: Paragraph) -> bool:
    """Whether a paragraph is a section's heading, or of the length of running text."""
    if paragraph.kind == Kind.HEADING:
        return paragraph.first.bold or _starts_section(paragraph)
    return len(paragraph.raw.split()) > _LONGEST_BYLINE or paragraph.is_finished


def _title_rank(paragraph: Paragraph) -> float:
    return paragraph.first.size if paragraph.kind == Kind.HEADING else 0.0


def _starts_section(paragraph: Paragraph) -> bool:
    return bool(_KNOWN.fullmatch(paragraph.raw) or _NUMBERED.match(paragraph.raw))
