"""The parts and chapters of books: lines such as "PART TWO", "Chapter 3. The storm" or "IV"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from core.documents.document import RUNNING_TEXT, Block, Kind, count_words

_PARTS = (
    "part|book|volume|act|teil|band|buch|partie|tome|livre|parte|tomo|libro|deel|boek|часть|том"
)
_CHAPTERS = (
    "chapter|adventure|canto|stave|kapitel|chapitre|cap[ií]tulo|capitolo|hoofdstuk|глава|lecture"
)
_NUMERALS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty"
).split()
_ORDINAL = (
    r"(?:the )?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last)"
    r"|(?:erste|zweite|dritte|vierte|fünfte|sechste|siebte|siebente|achte|neunte|zehnte)[rs]?"
    r"|premi(?:er|ère)|seconde?|(?:deux|trois|quatr|cinqu|six|sept|huit|neuv|dix)ième"
    r"|primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|quint[oa]|sext[oa]|prim[oa]|second[oa]|terz[oa]"
    r"|eerste|tweede|derde|vierde|vijfde|первая|вторая|третья"
)
_NUMBER = rf"(?:[IVXLC]+|\d{{1,3}}|{'|'.join(_NUMERALS)}|(?:and |the )?(?:{_ORDINAL}))"
_TITLE = r"(?:\s*[.:)—–-]\s*\S.*|\s+[^\W\d_a-z].*|\.?)"
_NAMED = re.compile(
    rf"(?:(?P<part>{_PARTS})|{_CHAPTERS})\s+(?P<number>{_NUMBER})(?P<title>{_TITLE})"
    rf"|(?P<ordinal>{_ORDINAL})\s+(?:(?P<last_part>{_PARTS})|{_CHAPTERS})(?P<rest>{_TITLE})",
    re.IGNORECASE,
)
_BARE = re.compile(
    rf"[-–—]?\s?(?P<number>[IVXLC]{{1,7}}|\d{{1,3}}|{'|'.join(_NUMERALS)})\s?[.–—-]?", re.I
)
_MATTER = re.compile(
    r"(?:(?:the )?end|preface|foreword|prologue|epilogue|afterword|postscript|conclusion"
    r"|appendix\b.*|notes|endnotes|glossary|bibliography|references|index|acknowledge?ments|contents|about\b.*"
    r"|vorwort|nachwort|anhang|anmerkungen|inhalt|register|préface|avant-propos|épilogue|annexes?"
    r"|table des matières|prólogo|epílogo|apéndice|notas|índice)[.:]?",
    re.IGNORECASE,
)
_LONGEST = 90  # characters of a line that begins a chapter
_LONGEST_TITLE = 10  # words
_FEWEST = 3  # chapters of a book
_FEWEST_WORDS = 60  # of a chapter that only a number announces, on average
_PART_LEVEL, _CHAPTER_LEVEL = 1, 2


@dataclass(frozen=True, slots=True)
class _Mark:
    """A line that may begin a part or a chapter.

    Args:
        is_part: Whether it begins a part.
        number: Its number as printed, in small letters.
        bare: Whether it is nothing but a number.
        titled: Whether the title stands in the same line.
    """

    is_part: bool
    number: str
    bare: bool
    titled: bool


def with_chapters(blocks: list[Block]) -> list[Block]:
    """Makes headings of the lines that begin the parts and chapters of a book.

    Args:
        blocks: The blocks of a text that marks no headings, those known by their form found.

    Returns:
        As many blocks: parts of level 1, chapters of level 2, other headings inside of chapters
        below them. Entries of a table of contents become boilerplate. The same blocks if it is no
        book.
    """
    marks = _marks_of(blocks)
    if not marks:
        return blocks
    found = list(blocks)
    _mark_contents(found, marks)
    first = min(marks)
    for index, block in enumerate(blocks):
        if index in marks:
            level = _PART_LEVEL if marks[index].is_part else _CHAPTER_LEVEL
            found[index] = replace(block, kind=Kind.HEADING, level=level)
        elif index - 1 in marks and not marks[index - 1].titled and _is_title(blocks, index):
            found[index] = replace(block, kind=Kind.HEADING, level=_CHAPTER_LEVEL + 1)
        elif index > first and block.kind == Kind.HEADING and not _MATTER.fullmatch(block.text):
            found[index] = replace(block, level=max(block.level, _CHAPTER_LEVEL + 1))
    return found


def _marks_of(blocks: Sequence[Block]) -> dict[int, _Mark]:
    """The lines that begin parts and chapters, by their indices; empty if it is no book."""
    named, bare = {}, {}
    for index, block in enumerate(blocks):
        if block.kind not in (Kind.PARAGRAPH, Kind.HEADING) or len(block.text) > _LONGEST:
            continue
        if mark := _named(block.text):
            named[index] = mark
        elif match := _BARE.fullmatch(block.text):
            bare[index] = _Mark(False, match["number"].lower(), bare=True, titled=False)
    named = {index: mark for index, mark in named.items() if not _is_entry(blocks, index, named)}
    chapters = [mark for mark in named.values() if not mark.is_part]
    if len(named) >= _FEWEST and len(chapters) >= 2:
        return named
    return bare if not named and _are_chapters(bare, blocks) else {}


def _named(text: str) -> _Mark | None:
    match = _NAMED.fullmatch(text) if len(text) <= _LONGEST else None
    if not match or text[0].islower():
        return None
    title = (match["title"] or match["rest"] or "").strip(" .")
    if len(text) > 40 and re.search(r"[.,;:!?]$", text):
        return None
    number = (match["number"] or match["ordinal"]).lower()
    return _Mark(bool(match["part"] or match["last_part"]), number, bare=False, titled=bool(title))


def _is_entry(blocks: Sequence[Block], index: int, marks: dict[int, _Mark]) -> bool:
    """Whether a line is an entry of a table of contents: more lines like it stand round it, and the
    same number comes again."""
    near = (index - 1 in marks) + (index + 1 in marks)
    later = (other for other, mark in marks.items() if other > index + 1)
    again = any(marks[other].number == marks[index].number for other in later)
    return bool(near) and again


def _mark_contents(found: list[Block], marks: dict[int, _Mark]) -> None:
    """Makes boilerplate of the lines of a table of contents above the first chapter."""
    for index in range(min(marks)):
        if found[index].kind in (Kind.HEADING, Kind.PARAGRAPH) and _named(found[index].text):
            found[index] = replace(found[index], kind=Kind.BOILERPLATE, level=0)


def _are_chapters(marks: dict[int, _Mark], blocks: Sequence[Block]) -> bool:
    """Whether lines that hold only a number count chapters: 1, 2, 3 …, each with enough text.

    Where more headings stand between them, they count sections of one of these.
    """
    first = min(marks, default=0)
    headings = sum(block.kind == Kind.HEADING for block in blocks[first:])
    if len(marks) < _FEWEST or headings > 2 * len(marks):
        return False
    values = [_value(mark.number) for mark in marks.values()]
    in_order = sum(b == a + 1 for a, b in pairwise(values))
    if values[0] != 1 or in_order < 0.9 * (len(values) - 1):
        return False
    words = sum(count_words(b.text) for b in blocks[first:] if b.kind in RUNNING_TEXT)
    return words >= _FEWEST_WORDS * len(marks)


def _value(number: str) -> int:
    """What a number counts; 0 for none."""
    if number.isdecimal():
        return int(number)
    if number in _NUMERALS:
        return _NUMERALS.index(number) + 1
    values = [dict(zip("ivxlc", (1, 5, 10, 50, 100), strict=True))[letter] for letter in number]
    following = [*values[1:], 0]
    return sum(-v if v < after else v for v, after in zip(values, following, strict=True))


def _is_title(blocks: Sequence[Block], index: int) -> bool:
    """Whether a short line below the number of a chapter is its title: text follows it."""
    text = blocks[index].text
    if blocks[index].kind not in (Kind.PARAGRAPH, Kind.HEADING) or index + 1 >= len(blocks):
        return False
    is_short = len(text.split()) <= _LONGEST_TITLE and not re.search(r"[.,;:!?…][\"”’]?$", text)
    return is_short and text[:1].isupper() and blocks[index + 1].kind in RUNNING_TEXT
