"""Lines of a paragraph that are all bold: headings that no element names as such.

A reader marks bold text while it collects a paragraph; when the paragraph is whole, lines that are
all bold are parted from what follows them.
"""

import re
from collections.abc import Iterator
from typing import Final

from core.documents.readers.cleaning import one_line
from core.documents.readers.office import is_bold_heading

BOLD: Final = "\x05"  # which no cleaned text has
BOLD_END: Final = "\x06"

_MARKS = dict.fromkeys(map(ord, (BOLD, BOLD_END)))
_PIECES = re.compile(f"[{BOLD}{BOLD_END}]|[^{BOLD}{BOLD_END}]+")
_TIME = re.compile(r"\d:\d\d|^[\W\d]+$")  # or a date, or a number alone
_FEWEST_WORDS_BELOW = 6


def without_bold(text: str) -> str:
    """Text without the marks of bold text."""
    return text.translate(_MARKS) if BOLD in text or BOLD_END in text else text


def split_bold_lines(text: str) -> Iterator[tuple[str, bool]]:
    """Parts a paragraph at lines that are all bold and may be headings.

    Args:
        text: A paragraph with a line feed for each line break, and bold text between marks.

    Yields:
        Its parts without marks, and True for each that is all bold.
    """
    if BOLD not in text:
        yield without_bold(text), False
        return
    lines = list(_lines(text))
    below = [("", False)]  # the next line with words, from the last one up
    for line, is_bold in reversed(lines):
        below.append((line, is_bold) if line.strip() else below[-1])
    rest: list[str] = []
    for (line, is_bold), following in zip(lines, reversed(below[:-1]), strict=True):
        is_alone = not following[0] and not any(map(str.strip, rest))
        if is_bold and _is_heading(line) and (is_alone or _is_text(*following)):
            yield "\n".join(rest), False
            yield line, True
            rest = []
        else:
            rest.append(line)
    yield "\n".join(rest), False


def _is_heading(line: str) -> bool:
    return is_bold_heading(one_line(line)) and not _TIME.search(line)


def _is_text(line: str, is_bold: bool) -> bool:
    """True for a line that begins a sentence or an item, as those below a heading do."""
    words = line.split()
    if not words or is_bold or words[0][0].islower():
        return False
    return len(words) >= _FEWEST_WORDS_BELOW or not words[0][0].isalnum()


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """The lines of a paragraph, and True for those with letters and all of them bold."""
    is_bold = False
    for line in text.split("\n"):
        has_letters = {True: False, False: False}
        for piece in _PIECES.findall(line):
            if piece in (BOLD, BOLD_END):
                is_bold = piece == BOLD
            elif any(map(str.isalnum, piece)):
                has_letters[is_bold] = True
        yield without_bold(line), has_letters[True] and not has_letters[False]
