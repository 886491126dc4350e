"""Large initials and signs at the beginning of a text, which are set beside its first lines.

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
_LONGEST_SIGN = 4  # characters
_NEXT_LINE = 2.0  # of the text's size, from baseline to baseline
_ANYWHERE = frozenset("aioyeàèéóuwzвикосуя")  # words of one letter in some language


def count_texts(sheets: list[Sheet]) -> Counter[str]:
    """Counts the words of a document, in small letters."""
    return Counter(
        text.casefold().strip(".,;:!?") for sheet in sheets for text in sheet.words.texts
    )


def join_initials(sheet: Sheet, counts: Mapping[str, int], language: Callable[[], str]) -> Sheet:
    """Joins large initials with the word that they begin, and puts other signs before their lines.

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
        is_initial = _is_initial(texts[index])
        beside = _first_words_beside(words, index) if is_initial or _is_sign(texts[index]) else []
        if not beside or _follows_large_word(words, index):
            continue
        first = beside[0]
        rest = str(texts[first])
        if is_initial and _goes_on(words, beside):
            is_further_in = len(beside) > 1 and (
                words.x0[first] - words.x0[beside[1]] > _SPACE * words.size[first]
            )
            is_apart = is_further_in or _stands_alone(texts[index], rest, counts, language())
            x0[beside] = words.x0[index]
        elif len(beside) > 1 and _is_lower(words, index, first):
            is_apart = True
            if _is_wrapped(words, index, beside):
                x0[beside] = words.x0[index]
        else:
            continue
        texts[first] = f"{texts[index]}{' ' if is_apart else ''}{rest}"
        dropped[index] = True
    if not dropped.any():
        return sheet
    return sheet.with_words(replace(words, texts=texts, x0=x0).take(~dropped))


def _is_initial(text: str) -> bool:
    letter = text.strip(_QUOTES)
    return len(letter) == 1 and letter.isalpha() and letter == letter.upper() != letter.lower()


def _is_sign(text: str) -> bool:
    """True for a letter or a short number with its marks ("Q:", "3", "42%")."""
    letters = sum(map(str.isalpha, text))
    return len(text) <= _LONGEST_SIGN and (letters == 1 or any(map(str.isdecimal, text)))


def _follows_large_word(words: Words, index: int) -> bool:
    size, base = words.size[index], words.base[index]
    gap = words.x0[index] - words.x1
    is_before = (words.size > 0.7 * size) & (np.abs(words.base - base) < _ROW * size)
    is_before &= (gap > -_ROW * size) & (gap < size)
    return any(text.strip(_QUOTES) for text in words.texts[is_before])


def _is_lower(words: Words, index: int, first: int) -> bool:
    """True if a sign stands lower than the first line beside it, so that it would follow it."""
    return bool(words.base[index] - words.base[first] > _ROW * words.size[first])


def _is_wrapped(words: Words, index: int, beside: list[int]) -> bool:
    """True if the next line below those beside a sign begins where the sign does."""
    last = beside[-1]
    size = words.size[last]
    below = (words.base - words.base[last] > _ROW * size) & (
        words.base - words.base[last] < _NEXT_LINE * size
    )
    return bool((below & (np.abs(words.x0 - words.x0[index]) < 0.5 * size)).any())


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
