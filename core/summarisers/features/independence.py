"""Independence of candidates: references to earlier text, punctuation and neighbouring sentences.

Pronouns, connectives and other classes of words are known for some languages
(`resources/languages`); in the others only punctuation counts.

Letters: S sentences of the document, E candidates, K their words, V different words.
"""

import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from core.documents.document import Document, Kind
from core.documents.languages import Language, language_of
from core.documents.words import unicode_words
from core.gsg.tokens import Tokens
from core.summarisers.candidates import Candidates

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

_NO_PLACE = 40
"""Place of a class of words that a sentence does not contain."""
_CLASSES = ("pronouns", "demonstratives", "others", "connectives", "hedges", "auxiliaries")
_SHORTEST_CONTENT = 4  # letters
_NAME = re.compile(r"(?<=[^\W\d_] )[^\W\d_a-z][\w’'-]*|(?<=[,;:(] )[^\W\d_a-z][\w’'-]*")
_CAPITALS = re.compile(r"\b[A-Z][A-Z\d]+s?\b")
_DEFINED = re.compile(r"\([A-Z][A-Z\d]+s?\)|\b[A-Z][A-Z\d]+s? \(")
_THING = re.compile(
    r"\b(?:[Ff]igs?|[Ff]igures?|[Tt]ables?|[Ss]ections?|[Cc]hapters?|[Aa]ppendi\w+|FIGS?|eqs?|[Ee]quations?)\b"
)
_OPENING_QUOTES, _QUOTES = "\"“‘«'„", '"“”«»„'
_CLOSING = "\"'”’»)]）」』"
_STOPS = (".", "!", "?", "。", "！", "？", "؟", "…", "।")
_SIGNS: dict[str, Callable[[str], float]] = {
    "continues": lambda text: text.endswith((":", ",", ";", "：", "；")),
    "question": lambda text: "?" in text or "？" in text,
    "full stop": lambda text: text.rstrip(_CLOSING).endswith(_STOPS),
    "begins with a quotation mark": lambda text: text[:1] in _OPENING_QUOTES,
    "quotation marks": lambda text: sum(map(text.count, _QUOTES)),
    "open brackets": lambda text: text.count("(") - text.count(")"),
    "address": lambda text: "://" in text or "www." in text or "@" in text,
    "square brackets": lambda text: text.count("["),
    "dashes": lambda text: text.count("—") + text.count(" - ") + text.count(" – "),
    "begins with a letter": lambda text: text[:1].isalpha(),
    "begins with a digit": lambda text: text[:1].isdigit(),
    "colon within": lambda text: ": " in text,
    "semicolons": lambda text: text.count(";"),
    "figure": lambda text: _THING.search(text) is not None,
    "letters": lambda text: sum(map(str.isalpha, text)) / max(1, len(text) - text.count(" ")),
    "capital letters": lambda text: sum(map(str.isupper, text)) / max(1, len(text)),
    "digits": lambda text: sum(map(str.isdigit, text)) / max(1, len(text)),
    "capital words": lambda text: (
        sum(word[0].isupper() for word in text.split()) / max(1, text.count(" ") + 1)
    ),
    "characters": len,
    "defines": lambda text: len(_DEFINED.findall(text)),
}


def independence_features(
    document: Document, candidates: Candidates, tokens: Tokens
) -> Iterator[tuple[str, Floats]]:
    """Describes how independent candidates are.

    Args:
        document: The document.
        candidates: [E] its candidates.
        tokens: [E] their words in small letters.

    Yields:
        A name and [E] numbers.
    """
    lines = [" ".join(text.split()) for text in candidates.sentence_texts]
    texts = [lines[index] for index in candidates.indices.tolist()]
    language = language_of(document.reading.language or "en")
    for name, sign in _SIGNS.items():
        yield f"sign: {name}", np.array([float(sign(text)) for text in texts])
    words = _Words(tokens)
    yield from _classes(words, language)
    yield from _mentions(words, texts, language, document.title)
    yield from _neighbours(document, candidates, lines, language)


class _Words:
    """The words of candidates, with the number of each spelling and its first occurrence.

    Args:
        tokens: [E] the words.

    Attributes:
        tokens: [E] the words.
        numbers: The number of each spelling.
        first: [V] the first candidate that contains each word.
    """

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.numbers = {word: number for number, word in enumerate(tokens.spellings)}
        self.first = np.full(tokens.num_words, len(tokens))
        np.minimum.at(self.first, tokens.words, tokens.owners)

    def flag(self, words: Sequence[str] | frozenset[str]) -> Flags:
        """[V] True for the words of a list."""
        flags = np.zeros(self.tokens.num_words, bool)
        flags[[self.numbers[word] for word in words if word in self.numbers]] = True
        return flags

    def count(self, hits: Flags) -> Floats:
        """[E] number of words of each candidate that are hits [K]."""
        owners = self.tokens.owners[hits]
        return np.bincount(owners, minlength=len(self.tokens)).astype(np.float64)

    def first_place(self, hits: Flags) -> Floats:
        """[E] place of the first word of each candidate that is a hit [K]."""
        places = np.full(len(self.tokens), float(_NO_PLACE))
        hit_places = self.tokens.places[hits].astype(np.float64)
        np.minimum.at(places, self.tokens.owners[hits], hit_places)
        return places


def _classes(words: _Words, language: Language) -> Iterator[tuple[str, Floats]]:
    number = np.maximum(1, words.tokens.lengths)
    for name in _CLASSES:
        hits = words.flag(getattr(language, name))[words.tokens.words]
        yield f"{name}: number", words.count(hits)
        yield f"{name}: first", words.first_place(hits)
    hits = words.flag(language.function_words)[words.tokens.words]
    yield "function words: share", words.count(hits) / number


def _mentions(
    words: _Words, texts: Sequence[str], language: Language, title: str
) -> Iterator[tuple[str, Floats]]:
    """Counts mentions of what was mentioned before: they may not explain it again."""
    tokens = words.tokens
    met = words.first[tokens.words] < tokens.owners
    long_enough = np.array([len(word) >= _SHORTEST_CONTENT for word in tokens.spellings], bool)
    content = (long_enough & ~words.flag(language.function_words))[tokens.words]
    yield (
        "content: mentioned before",
        words.count(content & met) / np.maximum(1, words.count(content)),
    )
    after = np.zeros(len(tokens.words), bool)
    after[1:] = words.flag(language.articles)[tokens.words[:-1]]
    after &= tokens.places > 0
    yield "definite: mentioned before", words.count(after & met)
    yield "definite: new", words.count(after & ~met)
    in_title = words.flag(unicode_words(title))
    yield "content: of the title", words.count(content & in_title[tokens.words])
    yield from _names(words, texts, in_title)


def _names(words: _Words, texts: Sequence[str], in_title: Flags) -> Iterator[tuple[str, Floats]]:
    columns = {
        f"{what}: {when}": np.zeros(len(texts))
        for what in ("names", "abbreviations")
        for when in ("mentioned before", "new", "of the title")
    }
    for row, text in enumerate(texts):
        for what, pattern in (("names", _NAME), ("abbreviations", _CAPITALS)):
            for name in pattern.findall(text):
                number = words.numbers.get(name.lower(), -1)
                met = number >= 0 and words.first[number] < row
                columns[f"{what}: {'mentioned before' if met else 'new'}"][row] += 1
                columns[f"{what}: of the title"][row] += number >= 0 and in_title[number]
    yield from columns.items()


def _neighbours(
    document: Document, candidates: Candidates, lines: Sequence[str], language: Language
) -> Iterator[tuple[str, Floats]]:
    """Describes the sentences around candidates.

    Args:
        document: The document.
        candidates: [E] its candidates.
        lines: [S] all sentences, each on one line.
        language: Their language.

    Yields:
        A name and [E] numbers.
    """
    indices, paragraphs, last = candidates.indices, candidates.sentences.paragraphs, len(lines) - 1
    kinds = document.kinds[paragraphs]
    before, after = np.maximum(0, indices - 1), np.minimum(last, indices + 1)
    is_first, is_last = indices == 0, indices == last
    same_before = (paragraphs[before] == paragraphs[indices]) & ~is_first
    same_after = (paragraphs[after] == paragraphs[indices]) & ~is_last
    yield "before: same paragraph", same_before.astype(np.float64)
    yield "after: same paragraph", same_after.astype(np.float64)
    yield "before: heading", ((kinds[before] == Kind.HEADING) & ~is_first).astype(np.float64)
    previous = ["" if first else lines[at] for first, at in zip(is_first, before, strict=True)]
    following = ["" if end else lines[at] for end, at in zip(is_last, after, strict=True)]
    yield "before: continues", _flags(previous, _SIGNS["continues"])
    yield "before: question", _flags(previous, _SIGNS["question"])
    yield "before: no full stop", 1 - _flags(previous, _SIGNS["full stop"])
    yield "before: words", np.array([float(len(text.split())) for text in previous])
    yield "after: question", _flags(following, _SIGNS["question"])
    yield "after: words", np.array([float(len(text.split())) for text in following])
    opening = [_first_word(text) for text in following]
    for name in ("connectives", "pronouns", "demonstratives"):
        known = getattr(language, name)
        yield f"after: begins with {name}", np.array([float(one in known) for one in opening])


def _first_word(text: str) -> str:
    match = re.search(r"[^\W\d_]+", text[:60])
    return match[0].lower() if match else ""


def _flags(texts: Sequence[str], sign: Callable[[str], float]) -> Floats:
    return np.array([float(sign(text)) for text in texts])
