"""Run-in heads: bold words at the beginning of a paragraph that name what follows."""

import re
from dataclasses import replace

from core.documents.document import Kind
from core.documents.readers.pdf_layout.paragraphs import Paragraph

_MOST_WORDS = 10
_SERIES = 2  # heads without a mark at their end come in numbers
_MARKS = (".", ":", "–", "—")
_BEGINS = re.compile(r"[\"“‘«(]*[A-ZÀ-ÖØ-ÞА-Я0-9]")


def with_run_in_heads(paragraphs: list[Paragraph]) -> list[Paragraph]:
    """Paragraphs of which those that begin with a run-in head are parted into heading and text.

    Args:
        paragraphs: All of a document, in order, their kinds known.

    Returns:
        As many or more. Bold words that belong to the first sentence stay in it: what follows them
        must begin as a sentence does, and they must end in a mark or be one of several such heads.
    """
    heads = [_head(paragraph) for paragraph in paragraphs]
    series = sum(bool(head) and not head.endswith(_MARKS) for head in heads) >= _SERIES
    result: list[Paragraph] = []
    level = 0
    for paragraph, head in zip(paragraphs, heads, strict=True):
        if paragraph.kind == Kind.HEADING:
            level = paragraph.level
        if head and (series or head.endswith(_MARKS)):
            result += _parted(paragraph, min(level + 1, 6))
        else:
            result.append(paragraph)
    return result


def _head(paragraph: Paragraph) -> str:
    """The bold beginning of a paragraph, if text follows it that begins as a sentence does."""
    line = paragraph.first
    if paragraph.kind != Kind.PARAGRAPH or not line.lead or len(paragraph.raw) < 3 * line.lead:
        return ""
    head, rest = line.text[: line.lead], line.text[line.lead :].lstrip()
    short = len(head.split()) <= _MOST_WORDS and any(map(str.isalpha, head))
    return head if short and _BEGINS.match(head) and _BEGINS.match(rest) else ""


def _parted(paragraph: Paragraph, level: int) -> list[Paragraph]:
    line = paragraph.first
    head = replace(line, text=line.text[: line.lead], bold=True, lead=0)
    rest = replace(line, text=line.text[line.lead :].lstrip(), lead=0)
    heading = Paragraph([head], Kind.HEADING, level)
    return [heading, replace(paragraph, lines=[rest, *paragraph.lines[1:]])]
