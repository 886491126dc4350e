"""The words of sentences as numbers.

Two tokenizers. `rouge` is that of `rouge_score`: lower case, runs of a–z and 0–9. `unicode` takes
the words of any script, case-folded after compatibility normalisation; combining marks belong to
their word. Scripts written without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese) have no
words to see, so each two neighbouring characters of a run are a token, and a lone one is itself.

Letters: S sentences, K words of all sentences.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from operator import add
from typing import Self

import numpy as np
from numpy.typing import NDArray

from core.events import Progress, Steps
from core.gsg.settings import Tokenizer
from core.stop import StopToken

_ASCII_WORDS = re.compile("[a-z0-9]+").findall
_WITHOUT_SPACES = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf"
    "\u1000-\u103f\u1050-\u108f\u1780-\u17d3"  # Thai to Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # CJK
)
_WIDE_WITHOUT_SPACES = "\U00020000-\U0003ffff"
_NARROW = "\uffff"  # the last character of the basic plane
_MIN_STEMMED = 4  # letters; `rouge_score` leaves shorter words alone
_STEM = 6  # letters
_SENTENCES_A_STEP = 4096


@dataclass(frozen=True, eq=False)
class Tokens:
    """Sentences as numbered words.

    Args:
        starts: [S + 1] int64, where each sentence's words begin in `words`; the last is K.
        words: [K] int32, the number of each word, in the order of the text.
        spellings: What each number stands for; of words of one stem, the stem.
    """

    starts: NDArray[np.int64]
    words: NDArray[np.int32]
    spellings: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def num_words(self) -> int:
        """How many different words there are; numbers are below it."""
        return len(self.spellings)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """[S] how many words each sentence has."""
        return np.diff(self.starts)

    def reduced(self, reduce: Callable[[str], str]) -> Self:
        """The same sentences, where words that are reduced to the same are one word.

        Args:
            reduce: What a spelling becomes.

        Returns:
            The words with new numbers.
        """
        stems: dict[str, int] = {}
        numbers = [stems.setdefault(reduce(word), len(stems)) for word in self.spellings]
        words = np.array(numbers, np.int32)[self.words]
        return replace(self, words=words, spellings=tuple(stems))


def tokenise(
    sentences: Sequence[str],
    stop: StopToken,
    tokenizer: Tokenizer = "rouge",
    stem: bool = False,
) -> Steps[Tokens]:
    """Turns sentences into numbered words.

    Args:
        sentences: [S] their texts.
        stop: Read every few thousand sentences.
        tokenizer: What a word is.
        stem: Whether English words of more than three letters are compared by Porter stem.

    Yields:
        How many sentences are done.

    Returns:
        The words; sentences without any are empty.
    """
    split = rouge_words if tokenizer == "rouge" else unicode_words
    words: list[str] = []
    ends = [0]
    for done, sentence in enumerate(sentences):
        if done % _SENTENCES_A_STEP == 0:
            stop.raise_if_set()
            yield Progress(done, len(sentences), "sentences", "Finding words")
        words.extend(split(sentence))
        ends.append(len(words))
    numbers = {word: number for number, word in enumerate(dict.fromkeys(words))}
    found = np.fromiter(map(numbers.__getitem__, words), np.int32, len(words))
    tokens = Tokens(np.array(ends, np.int64), found, tuple(numbers))
    return tokens.reduced(_porter()) if stem else tokens


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


def _porter() -> Callable[[str], str]:
    from nltk.stem.porter import PorterStemmer  # slow to import, seldom needed

    return partial(_stemmed, stem=PorterStemmer().stem)


def _stemmed(word: str, stem: Callable[[str], str]) -> str:
    return stem(word) if len(word) >= _MIN_STEMMED and word.isascii() else word


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
