"""Large initials at the beginning of a text, which are set beside its first lines.

Letters: W words.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from core.documents.readers.pdf_layout.initial_words import is_initial_word
from core.documents.readers.pdf_layout.sheet import Sheet, Words

_LARGE = 1.8  # times the size of the text beside it
_WIDEST_GAP = 1.5  # of the text's size, from the initial to its lines
_ROW = 0.3  # of the text's size, from baseline to baseline of one line at most
_SPACE = 0.15  # of the text's size: a first line so much further in begins a new word
_QUOTES = "\"'“”„‘«»(["
_MOST = 50  # of a page
_ANYWHERE = frozenset("aioyeàèéóuwzвикосуя")  # words of one letter in some language


def count_texts(sheets: list[Sheet]) -> Counter[str]:
    """Counts the words of a document, in small letters."""
    return Counter(
        text.casefold().strip(".,;:!?") for sheet in sheets for text in sheet.words.texts
    )


def join_initials(sheet: Sheet, counts: Mapping[str, int], language: Callable[[], str]) -> Sheet:
    """Joins large initials with the word that they begin.

    Args:
        sheet: The page.
        counts: Counts of the words of the document, in lower case.
        language: Returns the code of the document's language; asked only where it is needed.

    Returns:
        The page; the lines beside an initial begin where it does.
    """
    words = sheet.words
    if not len(words):
        return sheet
    large = words.size > _LARGE * np.median(words.size)
    dropped = np.zeros(len(words), bool)
    texts, x0 = words.texts.copy(), words.x0.copy()
    for index in np.flatnonzero(large)[:_MOST].tolist():
        if not _is_initial(texts[index]):
            continue
        beside = _first_words_beside(words, index)
        if not beside or not _goes_on(words, beside):
            continue
        first = beside[0]
        rest = str(texts[first])
        is_further_in = len(beside) > 1 and (
            words.x0[first] - words.x0[beside[1]] > _SPACE * words.size[first]
        )
        space = (
            " " if is_further_in or _stands_alone(texts[index], rest, counts, language()) else ""
        )
        texts[first] = f"{texts[index]}{space}{rest}"
        x0[beside] = words.x0[index]
        dropped[index] = True
    if not dropped.any():
        return sheet
    return sheet.with_words(replace(words, texts=texts, x0=x0).take(~dropped))


def _is_initial(text: str) -> bool:
    letter = text.strip(_QUOTES)
    return len(letter) == 1 and letter.isalpha() and letter == letter.upper() != letter.lower()


def _first_words_beside(words: Words, index: int) -> list[int]:
    """The first word of each line at the right of an initial, from top to bottom."""
    left, right, base = words.x0[index], words.x1[index], words.base[index]
    small = words.size * _LARGE < words.size[index]
    height = words.base - base
    rows = small & (height < 0.25 * words.size) & (height > -0.75 * words.size[index])
    at = np.flatnonzero(rows & (words.x1 > left - _WIDEST_GAP * words.size))
    if not len(at):
        return []
    at = at[np.lexsort((words.x0[at], words.base[at]))]
    parted = np.diff(words.base[at]) > _ROW * words.size[at[1:]]
    firsts = []
    for row in np.split(at, np.flatnonzero(parted) + 1):
        first = row[np.argmin(words.x0[row])]
        gap = (words.x0[first] - right) / words.size[first]
        if -0.3 < gap < _WIDEST_GAP:
            firsts.append(int(first))
    return firsts


def _goes_on(words: Words, beside: list[int]) -> bool:
    """True if lines begin within a word or sentence, and not a line beside a sign."""
    first = str(words.texts[beside[0]])
    if first[:1].islower() or first[:1] in "’'":
        return True
    below = [str(words.texts[index]) for index in beside[1:]]
    return first.isupper() and any(text != text.upper() for text in below)


def _stands_alone(initial: str, rest: str, counts: Mapping[str, int], language: str) -> bool:
    """True if an initial is a word itself ("A museum") in the language of the document."""
    letter, word = initial.strip(_QUOTES).casefold(), rest.casefold().strip(".,;:!?")
    if not word[:1].isalpha() or counts.get(letter + word):
        return False
    if not language:
        return bool(letter in _ANYWHERE and counts.get(word, 0) > 1)
    return is_initial_word(letter, word, language)
