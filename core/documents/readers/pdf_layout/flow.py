"""Paragraphs of all columns and pages in one order, those that were parted put together."""

import re
from dataclasses import replace

from core.documents.document import Block, Kind
from core.documents.readers.pdf_layout.hyphens import Hyphenation, ends_in_hyphen, tidy
from core.documents.readers.pdf_layout.lines import Line
from core.documents.readers.pdf_layout.paragraphs import ENTRY, MARKER, Paragraph
from core.documents.readers.pdf_layout.tables import table_text

_BULLET = re.compile(r"(?:[•▪◦‣·●○■□➢✓∙]\s*|[*–-]\s+)(?=\S)")
_LINE_OF_CODE = 1.7  # in type sizes, from baseline to baseline
_FLOWING = (Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.REFERENCE, Kind.QUOTE)


def joined(paragraphs: list[Paragraph]) -> list[Paragraph]:
    """Puts together what a column's or page's end parted.

    Args:
        paragraphs: All paragraphs in reading order.

    Returns:
        Fewer paragraphs. Notes and captions between two halves come before the whole if they
        stand on the page where it begins.
    """
    result: list[Paragraph] = []
    last = -1  # the last flowing paragraph, if only notes and captions follow it
    for paragraph in paragraphs:
        if result and _is_next_code(result[-1], paragraph):
            result[-1].lines.extend(paragraph.lines)
            continue
        if (
            last >= 0
            and not paragraph.first.boxed
            and (
                _goes_on(result[last], paragraph)
                or (_is_cut_sentence(result[last], paragraph) and _are_scraps(result[last + 1 :]))
            )
        ):
            whole = result.pop(last)
            at = last
            while at < len(result) and result[at].first.page <= whole.first.page:
                at += 1
            whole.lines.extend(paragraph.lines)
            whole.ends_region = paragraph.ends_region
            whole.full, whole.flush = paragraph.full, paragraph.flush
            result.insert(at, whole)
            last = at
            continue
        result.append(paragraph)
        if paragraph.kind in _FLOWING and not paragraph.first.boxed:
            last = len(result) - 1
        elif paragraph.kind == Kind.HEADING:
            last = -1
    return _joined_notes(result)


def _is_next_code(before: Paragraph, after: Paragraph) -> bool:
    """Whether lines of code follow others without a blank line, further in or out."""
    if not before.kind == after.kind == Kind.CODE or before.last.page != after.first.page:
        return False
    return 0 < after.first.base - before.last.base < _LINE_OF_CODE * after.first.size


def _goes_on(before: Paragraph, after: Paragraph) -> bool:
    """Whether a paragraph is the rest of one that a column's end cut off."""
    if after.kind not in (Kind.PARAGRAPH, before.kind) or after.kind not in _FLOWING:
        return False
    if before.last.page == after.first.page and not (before.ends_region or after.begins_region):
        return False
    if abs(before.last.size - after.first.size) > 0.12 * before.last.size and (
        not after.first.hidden
    ):
        return False
    if MARKER.match(after.raw) or ENTRY.match(after.raw):
        return False
    if after.first.bold and not before.last.bold:
        return False
    if ends_in_hyphen(before.last.text):
        return True
    if not before.is_finished:
        hangs = before.kind in (Kind.LIST_ITEM, Kind.REFERENCE)
        return after.raw[0].islower() or (before.full and (hangs or not after.indented))
    goes_on = before.flush or (before.full and before.indented)
    return goes_on and len(before.lines) > 1 and not after.indented


def _is_cut_sentence(before: Paragraph, after: Paragraph) -> bool:
    flowing = before.kind in _FLOWING and after.kind == Kind.PARAGRAPH
    return flowing and not before.is_finished and after.raw[0].islower()


def _are_scraps(between: list[Paragraph]) -> bool:
    """Whether only pieces of a formula, set between its lines, stand between two paragraphs."""
    return bool(between) and all(each.kind == Kind.BOILERPLATE for each in between)


def _joined_notes(paragraphs: list[Paragraph]) -> list[Paragraph]:
    """Notes that go on at the foot of the next page."""
    result: list[Paragraph] = []
    for paragraph in paragraphs:
        previous = result[-1] if result else None
        if (
            previous
            and previous.kind == paragraph.kind == Kind.FOOTNOTE
            and previous.last.page < paragraph.first.page
            and not previous.is_finished
            and paragraph.raw[:1].islower()
        ):
            previous.lines.extend(paragraph.lines)
        else:
            result.append(paragraph)
    return result


def as_block(paragraph: Paragraph, hyphenation: Hyphenation) -> Block:
    """One text from the lines of a paragraph, with the offsets where pages begin."""
    if paragraph.kind == Kind.TABLE:
        text = table_text(paragraph.lines, hyphenation)
        return Block(text, paragraph.kind, paragraph.level, paragraph.first.page)
    pieces: list[str] = []
    breaks: list[int] = []
    length, page = 0, paragraph.first.page
    for line in _without_bullet(paragraph):
        if pieces:
            length -= len(pieces[-1])
            pieces[-1], between = _seam(paragraph, pieces[-1], line, hyphenation)
            pieces.append(between)
            length += len(pieces[-2]) + len(between)
        breaks += [length] * (line.page - page)
        page = line.page
        pieces.append(line.text)
        length += len(line.text)
    text = tidy("".join(pieces))
    return Block(text, paragraph.kind, paragraph.level, paragraph.first.page, tuple(breaks))


def _without_bullet(paragraph: Paragraph) -> list[Line]:
    """The lines of a paragraph; a list item says by its kind that it had a bullet."""
    first = paragraph.first
    bullet = _BULLET.match(first.text) if paragraph.kind == Kind.LIST_ITEM else None
    if bullet is None:
        return paragraph.lines
    return [replace(first, text=first.text[bullet.end() :]), *paragraph.lines[1:]]


def _seam(
    paragraph: Paragraph, before: str, line: Line, hyphenation: Hyphenation
) -> tuple[str, str]:
    if paragraph.kind == Kind.CODE:
        return before, "\n"
    return hyphenation.seam(before, line.text, recognised=line.hidden)
