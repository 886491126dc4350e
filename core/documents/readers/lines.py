"""Paragraphs from lines: which line breaks an editor made, and which were meant.

A break is *soft* where the next word would not have fitted on the line; soft breaks are joined.
All others begin a paragraph: short lines of verse, addresses and lists stay apart. Whether lines
were broken by an editor is decided for each group of lines, so that long lines elsewhere in a text
do not matter. `LineBreaks` counts what speaks for and against it, and `LineMode` overrides it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from core.documents.line_mode import JOINED, KEPT, LineMode

_WIDEST_WRAP = 132  # columns; no editor breaks wider lines
_NARROWEST_WRAP = 30
_NEARLY_FULL = 0.75
_OVERLONG = 1.2  # of the width: a line of several words this long was not broken at that width
_WIDEST_EVEN = 250  # columns of lines that are all nearly as wide
_NARROWEST_EVEN = 16
_EVEN = 0.93  # of the width: how wide nearly all lines are then
_MOSTLY_EVEN = 0.8
_MOSTLY_SMALL = 0.6
_SHORT = 40  # lines; more of prose hold the end of a sentence
_FEW_BREAKS = 200
_FEWEST_CONTINUED = 0.15  # of the breaks behind full lines are within sentences
_FEWEST_NARROW = 8  # breaks
_FEWEST_KEPT_TOGETHER = 2  # Chinese characters that no line break may part, such as "字。"
_FEWEST_SPACED = 5  # lines, each between blank ones
_MOST_LOOKED_AT = 50
_MOSTLY_SPACED = 0.5  # of these end within a sentence, which goes on in the next one
_FEWEST_SOFT = 3  # breaks inside sentences, for a width to be told by them
_SHARE_SOFT = 0.25  # of a text's breaks
_MOSTLY_SOFT = 0.4  # of a group's breaks, where its lines end irregularly
_NARROWEST_RAGGED = 45  # columns: narrower lines that end irregularly may be verse
_WIDEST_RAGGED = 250
_RAGGED_NARROW = 0.75  # the same of narrower lines
_RAGGED = 0.6  # of the widest lines: how wide the narrowest ones are at least
_MOST_INDENTS = 2  # of the lines of a paragraph
_FEWEST_WORDS = 2.5  # in a line of running text, on average
_FEWEST_LETTERS = 0.85  # share of letters and spaces in running text
MARKER = re.compile(
    r"(?P<bullet>[-*+•‣◦▪▫●○·➢✓])\s+(?=\S)"
    r"|(?:\(?[a-z]\)|\(?[ivx]{1,5}\)|\(\d{1,3}\)|\[\d{1,3}\]|\d{1,3}[.)]|[A-Z]\))\s+(?=\S)"
)
_ANY_WIDTH = (10**6, 1)
_LABEL = re.compile(r"\W?\d{1,2}:\d\d\b|\w{1,20}(?: \w{1,20}){0,2}[ \u00a0]?:\s")
TURN = re.compile(
    r"[\[(]?(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[,T]?\s?)?\d{1,2}:\d\d(?::\d\d)?[\])]?[ \u00a0]?"
    r"(?:[AaPp][Mm])?(?:[ \u00a0]*(?:<[^<>\s][^<>]{0,29}>|[-–—] ?[^\W\d_][^:]{0,40}:)\s"
    r"|\t[ \t]*[^\W\d_][^:\t]{0,40}:\s)"
    r"|(?:[A-ZÀ-Þ][A-ZÀ-Þ.’'-]+ ){0,4}[A-ZÀ-Þ][A-ZÀ-Þ’'-]{2,}:\s|Q[.:]\s+\S|A[.:]\s{2,}\S"
)
"""The label of a speaker that begins a line of a transcript."""
_SENTENCE_END = re.compile(r"[.!?:;…。！？।॥؟۔։][\"'”’»)\]」』）]*$")
_WIDE = re.compile(
    "[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6"
    "\U00020000-\U0003ffff]"
)
_FIRST_WIDE = "\u1100"
_SAMPLED = 10_000  # characters of a text that are looked at for wide ones
_UNSURE_JOINED = 0.3  # of the joined breaks go on in small letters, or not even so many
_UNSURE_KEPT = 0.3  # of the kept ones go on in small letters, or more
_FEWEST_UNSURE = 3
_ENOUGH_BREAKS = 1000


@dataclass(slots=True)
class Line:
    """A line without white space at its ends.

    Args:
        text: Its text.
        indent: How many columns it is indented.
        width: Columns up to its end.
    """

    text: str
    indent: int
    width: int


@dataclass
class LineBreaks:
    """Counts of the line breaks between lines of running text.

    Args:
        joined: Those that were taken as spaces.
        joined_small: Those of them after which the sentence goes on.
        kept: Those that begin a paragraph.
        kept_small: Those of them after which the sentence goes on.
    """

    joined: int = 0
    joined_small: int = 0
    kept: int = 0
    kept_small: int = 0

    def add(self, paragraphs: list[list[Line]]) -> None:
        """Counts the breaks within and between neighbouring paragraphs, up to enough of them."""
        if self.joined + self.kept > _ENOUGH_BREAKS:
            return
        for paragraph in paragraphs:
            self.joined += len(paragraph) - 1
            self.joined_small += sum(_continues(a, b) for a, b in pairwise(paragraph))
        for before, after in pairwise(paragraphs):
            self.kept += 1
            self.kept_small += _continues(before[-1], after[0])

    @property
    def note(self) -> str:
        """The doubt about them: `JOINED`, `KEPT` or nothing."""
        if self.joined >= _FEWEST_UNSURE and self.joined_small < _UNSURE_JOINED * self.joined:
            return JOINED
        if self.kept_small >= max(_FEWEST_UNSURE, _UNSURE_KEPT * self.kept):
            return KEPT
        return ""


def is_wide(text: str) -> bool:
    """True if a text has characters that take two columns on a screen."""
    return not text.isascii() and _WIDE.search(text[:: 1 + len(text) // _SAMPLED]) is not None


def as_lines(raw: list[str], *, wide: bool = False) -> list[Line]:
    """The lines of one group, tabs taken as up to eight columns; `wide` as `is_wide` gave it."""
    count = _count_columns if wide else len
    lines = []
    for line in raw:
        text = line.lstrip()
        lead = line[: len(line) - len(text)]
        text, indent = text.rstrip(), len(lead.expandtabs(8))
        lines.append(Line(text, indent, indent + count(text)))
    return lines


def _count_columns(text: str) -> int:
    """Columns of a text on a screen, where a character of Chinese or Japanese takes two."""
    return len(text) if text.isascii() else len(text) + len(_WIDE.findall(text))


def _continues(before: Line, line: Line) -> bool:
    """True if a sentence goes on in the next line: in a small letter, or a script without case."""
    first, last = line.text[0], before.text[-1]
    if first.isupper() or not first.isalpha():
        return False
    return last.isalnum() or last == "," or not _SENTENCE_END.search(before.text)


def without_double_spacing(raw: list[str]) -> list[str]:
    """The lines of a text, where a blank one follows each, without these.

    Args:
        raw: All lines of a text.

    Returns:
        The lines; paragraphs that several blank lines part stay parted.
    """
    first = list(islice(groups(raw), _MOST_LOOKED_AT))
    lines = [line for start, end in first for line in as_lines(raw[start:end])]
    open_ends = sum(_continues(a, b) for a, b in pairwise(lines))
    if len(lines) < _FEWEST_SPACED or open_ends < _MOSTLY_SPACED * len(lines):
        return raw
    found = list(groups(raw))
    if any(end - start > 1 for start, end in found):
        return raw
    gaps = [after[0] - before[1] for before, after in pairwise(found)]
    usual = min(gaps)
    kept = [raw[found[0][0]]]
    for gap, (start, _) in zip(gaps, found[1:], strict=True):
        kept += [""] * (gap > usual) + [raw[start]]
    return kept


def groups(raw: list[str]) -> Iterator[tuple[int, int]]:
    """The first line of each run of lines that are not blank, and the line after it."""
    start = -1
    for index, line in enumerate(raw):
        if line and not line.isspace():
            if start < 0:
                start = index
        elif start >= 0:
            yield start, index
            start = -1
    if start >= 0:
        yield start, len(raw)


def wrap_width(raw: list[str], *, wide: bool = False) -> int:
    """The column at which an editor broke the lines of a text; 0 if none did."""
    count = _count_columns if wide else len
    inner = [(a, b) for a, b in pairwise(raw) if a.strip() and b.strip()]
    if not inner:
        return 0
    widths = np.array([count(a.expandtabs(8).rstrip()) for a, _ in inner])
    width = int(np.percentile(widths, 97))
    if width > _WIDEST_WRAP:
        small = [b.lstrip()[0].islower() for _, b in inner]
        even = (widths > _EVEN * width) & (widths <= _OVERLONG * width)
        if width <= _WIDEST_EVEN and even.mean() > _MOSTLY_EVEN and sum(small) > 0.5 * len(small):
            return width
        width = _width_of_soft_breaks(widths, small)
    if not _NARROWEST_EVEN <= width <= _WIDEST_WRAP:
        return 0
    if width >= _NARROWEST_WRAP and len(inner) > _FEW_BREAKS:
        return width  # so many breaks are of one width by no chance
    return width if _are_broken([as_lines(list(pair), wide=wide) for pair in inner], width) else 0


def _are_broken(pairs: list[list[Line]], width: int) -> bool:
    """True if sentences go on behind the lines that are full."""
    full = [_continues(a, b) for a, b in pairs if _is_full(a, b, width)]
    if width < _NARROWEST_WRAP:
        is_even = len(pairs) >= _FEWEST_NARROW and len(full) > _MOSTLY_EVEN * len(pairs)
        return is_even and sum(full) > _MOSTLY_SMALL * len(full)
    if len(pairs) < 2 or all(line.text.isupper() for pair in pairs for line in pair):
        return True
    return sum(full) >= _FEWEST_CONTINUED * len(full)


def _width_of_soft_breaks(widths: NDArray[np.int64], small: list[bool]) -> int:
    """The width of the lines that break sentences, where other lines are too long for a wrap."""
    likely = (widths >= _NARROWEST_WRAP) & (widths <= _WIDEST_WRAP)
    soft = likely & np.array(small)
    if soft.sum() < _FEWEST_SOFT or soft.sum() < _SHARE_SOFT * likely.sum():
        return 0
    return int(np.percentile(widths[soft], 97))


def is_wrapped(lines: list[Line], wrap: int) -> bool:
    """True if most breaks between the lines of a group are soft."""
    breaks = len(lines) - 1
    if _is_verse(lines) or _is_list(lines):
        return False
    full = sum(_is_full(a, b, wrap) for a, b in pairwise(lines))
    if 2 * full >= breaks:
        return True
    return _is_narrow_block(lines)


def _is_verse(lines: list[Line]) -> bool:
    """True if each line begins with a capital, but for a text that is all in capitals."""
    breaks = len(lines) - 1
    if all(line.text.isupper() for line in lines):
        return False
    return breaks > 2 and sum(line.text[0].isupper() for line in lines[1:]) > 0.8 * breaks


def _is_list(lines: list[Line]) -> bool:
    """True if each line begins with a label or a time, or lines are checksums with file names."""
    if all(_LABEL.match(line.text) for line in lines):
        return True
    if len(lines) > 2 and all(line.text[0].isdigit() for line in lines):
        return True  # as a log
    if len(lines) < _SHORT and not _has_sentences(lines):
        return True
    if not all(line.text.isascii() for line in lines):
        return False  # some scripts do not part their words
    return sum(len(line.text.split()) for line in lines) < _FEWEST_WORDS * len(lines)


def _has_sentences(lines: list[Line]) -> bool:
    """True if a sentence begins or ends in lines: tasks and steps in small letters have none."""
    if not lines[0].text[0].islower() or _SENTENCE_END.search(lines[-1].text):
        return True
    return any(_SENTENCE_END.search(word) for line in lines for word in line.text.split())


def _is_narrow_block(lines: list[Line]) -> bool:
    """A quotation set narrower than the text round it: even lines that go on in small letters."""
    widths = [line.width for line in lines[:-1]]
    small = sum(line.text[0].islower() for line in lines[1:])
    even = min(widths) >= 0.8 * max(widths) and max(widths) >= _NARROWEST_WRAP
    return len(lines) >= 3 and even and 2 * small >= len(lines) - 1


def _ragged_wrap(lines: list[Line]) -> tuple[int, int] | None:
    """The widest and the narrowest full lines of a group that was broken at irregular widths.

    So break programs that reckon with letters of different widths. It takes more to be sure: most
    lines go on in small letters, are long and of about the same width, and hold words.
    """
    soft = [a.width for a, b in pairwise(lines) if _continues(a, b)]
    if _is_list(lines) or len(soft) < max(2, _MOSTLY_SOFT * (len(lines) - 1)):
        return None
    low, high = np.percentile(soft, (20, 95))
    narrow = low >= _NARROWEST_WRAP and low >= _RAGGED_NARROW * high
    if not (low >= _NARROWEST_RAGGED or (narrow and len(soft) >= _MOSTLY_SMALL * (len(lines) - 1))):
        return None
    if high > _WIDEST_RAGGED or low < _RAGGED * high:
        return None
    marked = sum(bool(MARKER.match(line.text)) for line in lines)
    if 2 * marked > len(lines) or len({line.indent for line in lines[1:]}) > _MOST_INDENTS:
        return None
    text = "".join(line.text for line in lines)
    letters = sum(char.isalpha() or char == " " for char in text)
    return (int(high), int(low)) if letters >= _FEWEST_LETTERS * len(text) else None


def paragraphs(lines: list[Line], wrap: int, mode: LineMode = "auto") -> Iterator[list[Line]]:
    """Splits a group of lines at the breaks that were meant.

    Args:
        lines: Lines without a blank one between them.
        wrap: As `wrap_width` gave it.
        mode: Whether all lines are joined but items and turns, or none.

    Yields:
        The lines of each paragraph or list item.
    """
    if mode == "keep":
        yield from ([line] for line in lines)
        return
    base = min(line.indent for line in lines)
    if _hangs(lines, wrap, base):
        yield from _entries(lines, base)
        return
    widths = _widths(lines, wrap) if mode == "auto" else [_ANY_WIDTH] * len(lines)
    current = [lines[0]]
    for line, (wrap, least) in zip(lines[1:], widths, strict=False):
        if _goes_on(current, line, wrap, least, base):
            current.append(line)
        else:
            yield current
            current = [line]
    yield current


def _hangs(lines: list[Line], wrap: int, base: int) -> bool:
    """True if all lines of an entry but its first one are indented, as in a list of references.

    The line before an indented one is full, and not always the end of a sentence as where the first
    line of each paragraph is indented.
    """
    if not wrap or lines[0].indent > base or len({line.indent for line in lines}) != 2:
        return False
    if any(MARKER.match(line.text) or TURN.match(line.text) for line in lines):
        return False
    within = [(a, b) for a, b in pairwise(lines) if b.indent > base]
    width = min(wrap, max(line.width for line in lines))
    if sum(_is_full(a, b, width) for a, b in within) < _MOSTLY_EVEN * len(within):
        return False
    firsts = [a for a, _ in within if a.indent == base]
    return 2 * sum(not _SENTENCE_END.search(a.text) for a in firsts) > len(firsts)


def _entries(lines: list[Line], base: int) -> Iterator[list[Line]]:
    entry = [lines[0]]
    for line in lines[1:]:
        if line.indent > base:
            entry.append(line)
        else:
            yield entry
            entry = [line]
    yield entry


def _widths(lines: list[Line], wrap: int) -> list[tuple[int, int]]:
    """For each line, the width at which it was broken, and that of full lines of ragged ones.

    Short items, or an address, below a paragraph would outvote its soft breaks; so where a group
    seems not to be wrapped, each run of it is judged by itself.
    """
    if len(lines) <= 2:
        return [(wrap, 0)] * len(lines)
    widest = min(wrap, max(line.width for line in lines))
    if wrap and is_wrapped(lines, wrap):
        return [(widest, 0)] * len(lines)
    if ragged := _ragged_wrap(lines):
        return [ragged] * len(lines)
    starts = _run_starts(lines)
    found = [(0, 0)] * len(lines)
    for start, end in pairwise([*starts, len(lines)] if len(starts) > 1 else ()):
        run = lines[start:end]
        width = (widest, 0) if wrap and _is_wrapped_run(run, wrap) else None
        if width is None and start == 0 and len(run) > 2:
            width = _ragged_wrap(run)
        # What follows is an item, or stands behind a colon.
        found[start : end - 1] = [width or (0, 0)] * (len(run) - 1)
    return found


def _run_starts(lines: list[Line]) -> list[int]:
    """The first lines of the runs of a group: after a colon at a line's end, and its first item."""
    starts = [0]
    if MARKER.match(lines[0].text):
        return starts
    for index, (before, line) in enumerate(pairwise(lines), 1):
        is_item = MARKER.match(line.text)
        if is_item or before.text.endswith(":"):
            starts.append(index)
        if is_item:
            break
    return starts


def _is_wrapped_run(lines: list[Line], wrap: int) -> bool:
    if len(lines) > 2 and not MARKER.match(lines[0].text):
        return is_wrapped(lines, wrap)
    breaks = [(a, b) for a, b in pairwise(lines) if not MARKER.match(b.text)]
    if _is_list(lines) or not all(any(map(str.isalnum, b.text)) for _, b in breaks):
        return False  # addresses of pages; a heading and its underline
    soft = sum(_is_full(a, b, wrap) for a, b in breaks)
    return 0 < len(breaks) <= 2 * soft


def _goes_on(current: list[Line], line: Line, wrap: int, least: int, base: int) -> bool:
    if TURN.match(line.text):
        return False
    before = current[-1]
    in_item = bool(MARKER.match(current[0].text))
    ended = bool(_SENTENCE_END.search(before.text))
    full = before.width >= least if least else _is_full(before, line, wrap)
    if MARKER.match(line.text) and (in_item or ended or not full):
        return False
    if in_item and line.indent > current[0].indent:
        return True
    if not wrap or _is_overlong(before, wrap):
        return False
    if line.indent > base + 1 and before.indent <= base and len(current) > 1:
        return False  # the first line of a paragraph, indented as on a typewriter
    if full:
        return True
    if line.text[0].islower():
        return before.text[-1] in "-‐" or before.width > 0.5 * wrap
    return not ended and before.width >= _NEARLY_FULL * wrap


def _is_overlong(line: Line, wrap: int) -> bool:
    """True if a line is too long to have been broken at a width, and not one long word."""
    return line.width > _OVERLONG * wrap and " " in line.text


def _is_full(line: Line, following: Line, wrap: int) -> bool:
    if following.text >= _FIRST_WIDE and _WIDE.match(following.text):
        room = 2 * _FEWEST_KEPT_TOGETHER
    else:
        room = 1 + len(following.text.split(None, 1)[0])
    return line.width + room > wrap and not _is_overlong(line, wrap)
