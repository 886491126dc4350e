"""What every reader does to raw text: one kind of line break, nothing invisible."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from core.documents.readers.verse import verse_width

_BREAKS = "\r\v\f\x1c-\x1e\x85\u2028\u2029"
_UNSEEN = "\x00-\x08\x0e-\x1b\x1f\x7f\x80-\x84\x86-\x9f\ufeff\u200b\u2060\ufffe\uffff\ud800-\udfff"
# Word's bullets are characters of symbol fonts, kept in a private area of Unicode.
_BULLETS = "\uf076\uf0a7\uf0a8\uf0b7\uf0d8\uf0e0\uf0fc"
_LINE_BREAKS, _INVISIBLE, _PRIVATE_BULLET, _UNCLEAN = (
    re.compile(f"[{characters}]")
    for characters in (_BREAKS, _UNSEEN, _BULLETS, f"{_BREAKS}{_UNSEEN}{_BULLETS}\xad")
)
LIGATURES = {
    ord("ﬀ") + number: letters
    for number, letters in enumerate(("ff", "fi", "fl", "ffi", "ffl", "st", "st"))
}
_LIGATURE = re.compile("[ﬀ-ﬆ]")
_LINE_OF_ITS_OWN = re.compile(r"[^\w\"“‘'(]*[\"“‘'(\[]*(?:[A-Z0-9]|[^\x00-\x7f])")
_MANY_LINES = 3
_BULLET = re.compile(r"([-*•‣◦▪▫●○·–—✓])\s+(?=\S)")
_UNSURE_BULLETS = "-*·–—"
_FEWEST_ITEMS = 2
_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]]*$")
_SOFT_HYPHEN = re.compile("\xad\n?[ \t]*(?=\\w)|\xad")


def clean(text: str) -> str:
    """Text whose lines end in a line feed, without control characters and soft hyphens."""
    text = text.replace("\r\n", "\n")
    if not _UNCLEAN.search(text):
        return text
    text = _LINE_BREAKS.sub("\n", text)
    text = _PRIVATE_BULLET.sub("•", _INVISIBLE.sub("", text))
    return _SOFT_HYPHEN.sub("", text)


def without_ligatures(text: str) -> str:
    """Text whose ligatures, as recognised and copied text has them, are written as letters."""
    return text.translate(LIGATURES) if _LIGATURE.search(text) else text


def one_line(text: str) -> str:
    """Text on one line, each run of white space as one space, none at its ends."""
    return " ".join(text.split())


def paragraph_lines(text: str) -> list[str]:
    """Paragraphs of text in which a line feed stands for a forced line break.

    Args:
        text: One paragraph to the program that wrote it.

    Returns:
        Its parts between two line breaks; of many lines that begin as lines do, and of verse,
        each; of lines with bullets, each item. None is empty.
    """
    if "\n" not in text:
        line = one_line(text)
        return [line] if line else []
    paragraphs: list[str] = []
    for part in re.split(r"\n\s*\n", text):
        lines = [one_line(line) for line in part.split("\n") if line.strip()]
        apart = len(lines) >= _MANY_LINES and all(map(_LINE_OF_ITS_OWN.match, lines))
        if lines and not apart and not verse_width([lines]):
            lines = list(_join_lines(lines))
        paragraphs += lines
    return paragraphs


def find_items(lines: Sequence[str]) -> frozenset[int]:
    """The places of lines that are items of a list, as they begin with bullets.

    Args:
        lines: Lines of text in their order.

    Returns:
        Places of at least two in a row with the same bullet. A dash or a star is one only below a
        colon, or where no item ends as a sentence does: lines of a dialogue begin with dashes.
    """
    items: set[int] = set()
    marks = [mark[1] if (mark := _BULLET.match(line)) else "" for line in lines]
    start = 0
    for end in range(1, len(lines) + 1):
        if end < len(lines) and marks[end] == marks[start]:
            continue
        run = range(start, end)
        if marks[start] and len(run) >= _FEWEST_ITEMS:
            is_below_colon = start and lines[start - 1].endswith(":")
            is_sure = marks[start] not in _UNSURE_BULLETS or is_below_colon
            if is_sure or not any(_SENTENCE_END.search(lines[index]) for index in run):
                items.update(run)
        start = end
    return frozenset(items)


def without_bullet(line: str) -> str:
    """An item of a list without the bullet before it."""
    return _BULLET.sub("", line)


def _join_lines(lines: list[str]) -> Iterator[str]:
    """Lines as one paragraph, but for the items of lists among them."""
    items = find_items(lines)
    for is_item, group in groupby(range(len(lines)), items.__contains__):
        run = [lines[index] for index in group]
        yield from run if is_item else [" ".join(run)]


def trimmed_lines(text: str) -> str:
    """Lines without empty ones round them, without common indentation and trailing space."""
    lines = [line.expandtabs(4).rstrip() for line in text.split("\n")]
    indents = [len(line) - len(line.lstrip()) for line in lines if line]
    shift = min(indents, default=0)
    return "\n".join(line[shift:] for line in lines).strip()
