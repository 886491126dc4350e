"""The words that ROUGE compares, as ids: equal words, or stems, have equal ids."""

from collections.abc import Callable, Iterable
from itertools import count

from core.documents.words import Tokenizer, count_letters, rouge_words, unicode_words

_MIN_STEMMED = 4  # letters; `rouge_score` leaves shorter words alone


def choose_tokenizer(texts: Iterable[str]) -> Tokenizer:
    """Chooses the tokenizer that finds the words of texts.

    Args:
        texts: References, of one language or several.

    Returns:
        That of `rouge_score`, unless most letters are of other scripts than Latin: of these it
        would find no word.
    """
    latin = others = 0
    for text in texts:
        of_latin, of_others = count_letters(text)
        latin, others = latin + of_latin, others + of_others
    return "unicode" if others > latin else "rouge"


def find_words(text: str, tokenizer: Tokenizer) -> list[str]:
    """Finds the words of a text; `core.documents.words` says what these are."""
    return rouge_words(text) if tokenizer == "rouge" else unicode_words(text)


class Words:
    """Maps words to ids; each word is stemmed only once.

    Args:
        tokenizer: What a word is.
        stem: Whether English words of more than three letters are compared by Porter stem.
    """

    def __init__(self, tokenizer: Tokenizer = "rouge", *, stem: bool = False) -> None:
        self.tokenizer = tokenizer
        self._numbers = _Numbers(porter_stemmer() if stem else str)

    def of(self, text: str) -> list[int]:
        """The ids of the words of a text."""
        return list(map(self._numbers.__getitem__, find_words(text, self.tokenizer)))


class _Numbers(dict[str, int]):
    """From word to id; a new word gets its id when it is first looked up."""

    def __init__(self, reduced: Callable[[str], str]) -> None:
        self._reduced = reduced
        self._stems: dict[str, int] = {}
        self._next = count()

    def __missing__(self, word: str) -> int:
        # A single atomic call, so two stems never share an id.
        number = self._stems.setdefault(self._reduced(word), next(self._next))
        self[word] = number
        return number


def porter_stemmer() -> Callable[[str], str]:
    """Returns the function that stems a word as `rouge_score` does, English ones only."""
    from nltk.stem.porter import PorterStemmer  # slow to import, seldom needed

    stem = PorterStemmer().stem

    def stemmed(word: str) -> str:
        return str(stem(word)) if len(word) >= _MIN_STEMMED and word.isascii() else word

    return stemmed
