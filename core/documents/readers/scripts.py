"""Raised and lowered letters in running text, on one line: "10⁶", "H₂O", "1st", "x^k".

A reader marks them while it collects a paragraph (`raised`, `lowered`, `shifted`), and has them
written when the paragraph is whole (`with_scripts`): programs cut one exponent into several
pieces, and what stands before it tells a power from the mark of a source.
"""

import re

RAISED = str.maketrans("0123456789+-−()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾ⁿ")
"""Small digits for a power."""

LOWERED = str.maketrans("0123456789+-−()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₍₎")
"""Small digits for an index."""

_UP, _UP_END, _DOWN, _DOWN_END = "\x01\x02\x03\x04"  # which no cleaned text has
_MARKS = dict.fromkeys(range(1, 5))
_MARKED = re.compile("\x01([^\x01-\x04]*)\x02|\x03([^\x01-\x04]*)\x04")
_SEAMS = re.compile("\x02\x01|\x04\x03")  # between two pieces of the same exponent
_LONGEST_SMALL = 7  # characters that are written in small digits
_NEAR = 12  # characters before that tell what it is
_SEPARATORS = re.compile(r"[\s,;–—\[\]]+")  # left of marks that are links
_SOURCE = r"\d{1,3}[a-z]?"
_MORE_SOURCES = rf"{_SOURCE}(?:\s*[,;–—-]\s*{_SOURCE}){{0,20}}"
_IN_BRACKETS = re.compile(rf"\[{_MORE_SOURCES}\]")
_SOURCES = re.compile(rf"\({_MORE_SOURCES}\)|(?!\w+\Z){_MORE_SOURCES}")  # one may be a power
_AFTER_WORD = re.compile(r"(?:[^\W\d_]{2}[)\]]?|[.,;:!?…%\"'’”»])\s*\Z")
_ORDINAL = re.compile(r"st|nd|rd|th|[eº°ªoa]|er|re|ème|tm|sm|\(?[rc]\)|\(tm\)|®|™", re.IGNORECASE)
_NOTE_MARKS = re.compile(r"[*†‡§¶#′″]+")
_SHORT = 3
_ONE_PART = re.compile(r"[\w.,′]+|\([^()]*\)|.")


def raised(text: str) -> str:
    """Text with the marks of what is raised; empty text stays so."""
    return f"{_UP}{text.translate(_MARKS)}{_UP_END}" if text else ""


def lowered(text: str) -> str:
    """Text with the marks of what is lowered; empty text stays so."""
    return f"{_DOWN}{text.translate(_MARKS)}{_DOWN_END}" if text else ""


def shifted(text: str, shift: int) -> str:
    """Text with the marks of its shift: raised above 0, lowered below, as it is at 0."""
    if not shift:
        return text
    return raised(text) if shift > 0 else lowered(text)


def with_scripts(text: str) -> str:
    """A paragraph in which raised and lowered pieces are written on the line.

    Args:
        text: Its text with the marks of raised and lowered pieces.

    Returns:
        The text without marks. Powers and indexes stand in small digits or behind "^" and "_",
        ordinals ("1st") as they are; lists of sources ("1,2", "[3]") behind words are away.
    """
    if _UP not in text and _DOWN not in text:
        return text
    return _MARKED.sub(_written, _SEAMS.sub("", text)).translate(_MARKS)


def _written(match: re.Match[str]) -> str:
    text = match[1] if match[2] is None else match[2]
    core = " ".join(text.split())
    if not core:
        return text
    start = match.start()
    before = " " if text[0].isspace() else ""
    after = " " if text[-1].isspace() else ""
    head = match.string[max(0, start - _NEAR) : start].translate(_MARKS) + before
    write = _raised if match[2] is None else _lowered
    return before + write(core, head) + after


def _raised(text: str, head: str) -> str:
    """A power, an ordinal or a mark; empty for numbers of sources."""
    if not head.strip() and _IN_BRACKETS.fullmatch(text):
        return text  # the number of the note that follows
    if _SEPARATORS.fullmatch(text) or _IN_BRACKETS.fullmatch(text):
        return ""
    if _SOURCES.fullmatch(text) and _AFTER_WORD.search(head):
        return ""
    last = head[-1:]
    if len(text) <= _LONGEST_SMALL and all(ord(char) in RAISED for char in text):
        return text.translate(RAISED)
    if _ORDINAL.fullmatch(text) or _NOTE_MARKS.fullmatch(text):
        return text
    if text.isalpha() and len(text) > 1 and (last.isupper() or last.isdecimal()):
        return text  # "Mme", "XIXème"
    if len(text) <= _SHORT or _would_join(text, last):
        return f"^{text}" if _ONE_PART.fullmatch(text) else f"^({text})"
    return text


def _lowered(text: str, head: str) -> str:
    if len(text) <= _LONGEST_SMALL and all(ord(char) in LOWERED for char in text):
        return text.translate(LOWERED)
    return f"_{text}" if _would_join(text, head[-1:]) else text


def _would_join(text: str, last: str) -> bool:
    """Whether a number would become part of the word or number before it."""
    return last.isalnum() and text.lstrip("-+−±(")[:1].isdecimal()
