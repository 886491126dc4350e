"""What a word of a text is, and by what its forms are told from other words.

Two tokenizers. `rouge` is that of `rouge_score`: lower case, runs of a–z and 0–9. `unicode` takes
the words of any script, case-folded after compatibility normalisation; combining marks belong to
their word. Scripts written without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese) have no
words to see, so each two neighbouring characters of a run are a token, and a lone one is itself.
"""

import re
import unicodedata
from functools import cache
from operator import add
from typing import Literal

Tokenizer = Literal["rouge", "unicode"]

_ASCII_WORDS = re.compile("[a-z0-9]+").findall
# Latin letters of all European languages, of Vietnamese, and in full width.
_LATIN = re.compile(
    "[A-Za-zªºÀ-ÖØ-öø-\u024f\u1e00-\u1eff\u2c60-\u2c7f\ua722-\ua7ff\uff21-\uff3a\uff41-\uff5a]"
).findall
_WITHOUT_SPACES = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf"
    "\u1000-\u103f\u1050-\u108f\u1780-\u17d3"  # Thai to Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # CJK
)
_WIDE_WITHOUT_SPACES = "\U00020000-\U0003ffff"
_NARROW = "\uffff"  # the last character of the basic plane
_MIN_STEMMED = 4  # letters
_STEM = 6  # letters


def rouge_words(text: str) -> list[str]:
    """The words of a text as `rouge_score` finds them, unstemmed."""
    found: list[str] = _ASCII_WORDS(text.lower())
    return found


def unicode_words(text: str) -> list[str]:
    """The words of a text in any script, case-folded."""
    if text.isascii():
        return rouge_words(text)
    text = unicodedata.normalize("NFKC", text).casefold()
    word, character = _patterns(wide=max(text) > _NARROW)
    words: list[str] = []
    for match in word.finditer(text):
        words.extend(_pieces(match[1], character) if match[1] else (match[0],))
    return words


def count_letters(text: str) -> tuple[int, int]:
    """Counts the letters of a text: those of the Latin script, and all others."""
    latin = len(_LATIN(text))
    return latin, 0 if text.isascii() else sum(map(str.isalpha, text)) - latin


def _pieces(run: str, character: re.Pattern[str]) -> list[str]:
    """Each two neighbouring characters of a run written without spaces."""
    characters = list(run) if run.isalpha() else character.findall(run)  # a mark is no letter
    return list(map(add, characters, characters[1:])) or characters


@cache
def _patterns(wide: bool) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What a word (or, as its group, a run without spaces) is, and what a character is.

    Classes of narrow characters alone are tables, and quick; wide ones are searched range by range.
    """
    codes = map(chr, range(0x300, 0x20000 if wide else ord(_NARROW) + 1))
    marks = "".join(code for code in codes if unicodedata.category(code).startswith("M"))
    mark, lone = f"[{marks}]", f"[{_WITHOUT_SPACES}{_WIDE_WITHOUT_SPACES if wide else ''}]"
    run = f"((?:{lone}{mark}*)+)"
    word = f"(?:(?!{lone})[^\\W_]{mark}*)+"
    # A Thai vowel sign above its consonant is a mark: no character of its own.
    return re.compile(f"{run}|{word}"), re.compile(f"(?!{mark}).{mark}*|{mark}+")


def light_stem(word: str) -> str:
    """The beginning of a word, by which its forms are told from other words.

    Without the ending of an English plural (Donna Harman, 1991, "How effective is suffixing?",
    table 1), cut after six letters, as is usual where there is no stemmer for a language. It finds
    two thirds of what Porter's stemmer adds to equal words, and needs no package, whose import
    would take longer than a summary.
    """
    if len(word) >= _MIN_STEMMED and word.endswith("s"):
        if word.endswith("ies") and word[-4] not in "ae":
            word = word[:-3] + "y"
        elif (word.endswith("es") and word[-3] not in "aeo") or not word.endswith(("us", "ss")):
            word = word[:-1]
    return word[:_STEM] if word.isalpha() else word
