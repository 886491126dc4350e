"""Headings in text that marks none: known by their words, numbers, capitals or underlines."""

import re

from core.documents.section_names import CONTENTS, REFERENCES, SECTIONS

_LONGEST = 90  # characters
_ATX = re.compile(r"(#{1,6})\s+(\S.*?)\s*#*")
_NUMERAL = r"(?:[IVXLC]+|\d+|[A-Z]|one|two|three|four|five|six|seven|eight|nine|ten|the \w+)"
_DIVISION = re.compile(
    r"(?:(?P<high>part|book|volume|act|teil|partie|parte|deel|часть)"
    r"|kapitel|chapitre|cap[ií]tulo|capitolo|hoofdstuk|глава"
    r"|chapter|section|appendix|annex|article|scene|adventure|letter|canto|lecture|stave)"
    rf"\s+{_NUMERAL}(?:\s*[.:)—–-].*|\s+[A-Z“\"‘].*|\.?)",
    re.IGNORECASE,
)
_WORDS = re.compile(
    r"(?:\d+\.?\s+)?(?:abstract|summary|executive summary|contents|table of contents|foreword"
    r"|preface|prologue|epilogue|introduction|background|methods?|materials and methods"
    r"|results?|discussion|results and discussion|conclusions?|concluding remarks|glossary"
    r"|acknowledge?ments?|references|bibliography|works cited|literature cited|appendix|index"
    r"|notes|endnotes|claims|what is claimed is|field of the invention"
    r"|background of the invention|summary of the invention|detailed description"
    rf"|brief description of the drawings|{SECTIONS}|{REFERENCES}|{CONTENTS})[:.]?",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,3}){0,4})\.?\s+[^\W\d_a-z].*")
_ROMAN = re.compile(r"[IVXLC]{1,7}\.?(?:\s+[A-Z“\"‘].*)?")
_SENTENCE_END = re.compile(r"[.,;:!?]['\"”’)]*$")
_SMALL_WORDS = re.compile(
    r"an?|and|as|at|but|by|for|from|in|into|nor|of|on|or|over|the|to|up|upon|via|vs|with",
    re.IGNORECASE,
)
_UNDERLINES = {"=": 1, "-": 2, "~": 3, "^": 4, "*": 1, "#": 1}


def marked_heading(line: str) -> tuple[str, int] | None:
    """Words and level of a line marked with number signs ("## Scope"), else None."""
    match = _ATX.fullmatch(line) if line.startswith("#") and len(line) <= 200 else None
    return (match[2], len(match[1])) if match else None


def underline_level(line: str, under: str) -> int:
    """Level of a heading made by the line under it ("====="); 0 if that is no underline."""
    mark = under[:1]
    if mark not in _UNDERLINES or under.strip(mark) or len(under) < 3 or not line.strip():
        return 0
    fits = 0.5 * len(line) <= len(under) <= 2 * len(line) + 4
    return _UNDERLINES[mark] if fits and len(line) <= _LONGEST else 0


def division_level(line: str) -> int:
    """1 for "PART ONE", 2 for "Chapter 7. The storm" and its like, else 0."""
    match = _DIVISION.fullmatch(line) if len(line) <= _LONGEST else None
    if not match or (line[0].islower()) or (len(line) > 40 and _SENTENCE_END.search(line)):
        return 0
    return 1 if match["high"] else 2


def standing_alone_level(line: str) -> int:
    """Level of a line with a blank line on both sides, if its form makes it a heading; else 0."""
    if not 0 < len(line) <= _LONGEST:
        return 0
    if level := division_level(line):
        return level
    if _WORDS.fullmatch(line) and not line[0].islower():
        return 2
    if numbered := _NUMBERED.fullmatch(line):
        return 0 if _SENTENCE_END.search(line) else 2 + numbered["number"].count(".")
    if _ROMAN.fullmatch(line) and (len(line) < 9 or not _SENTENCE_END.search(line[-2:])):
        return 3
    return 2 if _all_capitals(line) else 0


def is_title_case(line: str) -> bool:
    """Whether a line reads like "The Mode of Operation": a heading, if a paragraph follows."""
    words = line.split()
    if not 1 <= len(words) <= 9 or len(line) > 70 or _SENTENCE_END.search(line):
        return False
    weighty = [word for word in words if not _SMALL_WORDS.fullmatch(word)]
    return words[0][0].isupper() and all(word[0].isupper() or word[0].isdigit() for word in weighty)


def is_common(line: str) -> bool:
    """Whether a heading's words could stand in any document ("Introduction", "3 Results")."""
    return bool(_WORDS.fullmatch(line) or _NUMBERED.fullmatch(line) or _ROMAN.fullmatch(line))


def _all_capitals(line: str) -> bool:
    letters = [char for char in line if char.isalpha()]
    if len(letters) < 3 or len(letters) < 0.5 * len(line) or line != line.upper():
        return False
    return line != line.lower() and not re.search(r"[,;:]$|[^.]\.$(?<!\b[A-Z]\.)", line)
