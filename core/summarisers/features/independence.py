"""What tells whether a sentence can stand alone: what it takes up, and what it looks like.

Which words are pronouns, connectives and so on is known for some languages
(`resources/languages`); in the others only the signs count.

Letters: S sentences of the document, E candidates, K their words, V different words.
"""

import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from core.documents.document import Document, Kind
from core.documents.languages import Language, language_of
from core.documents.sentences import Sentences
from core.documents.words import unicode_words
from core.gsg.tokens import Tokens

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

FARTHEST = 40
"""A word of a class that a sentence does not have counts as if it stood here."""
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
    "goes on": lambda text: text.endswith((":", ",", ";", "：", "；")),
    "asks": lambda text: "?" in text or "？" in text,
    "stops": lambda text: text.rstrip(_CLOSING).endswith(_STOPS),
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


def standing_signals(
    document: Document,
    sentences: Sentences,
    candidates: Ints,
    tokens: Tokens,
) -> Iterator[tuple[str, Floats]]:
    """The signals of standing alone, by name.

    Args:
        document: The document.
        sentences: [S] its sentences.
        candidates: [E] indices of those that may be picked, ascending.
        tokens: [E] their words in small letters.

    Yields:
        A name and [E] numbers.
    """
    every = [" ".join(text.split()) for text in sentences.texts(document.text)]
    texts = [every[index] for index in candidates.tolist()]
    language = language_of(document.reading.language or "en")
    for name, sign in _SIGNS.items():
        yield f"sign: {name}", np.array([float(sign(text)) for text in texts])
    words = _Words(tokens)
    yield from _classes(words, language)
    yield from _met_before(words, texts, language, document.title)
    yield from _neighbours(document, sentences, every, candidates, language)


class _Words:
    """The words of candidates: whose each is, and at which place."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.number = len(tokens)
        self.owners = np.repeat(np.arange(len(tokens)), tokens.lengths)
        self.places = np.arange(len(tokens.words)) - tokens.starts[self.owners]
        self.numbers = {word: number for number, word in enumerate(tokens.spellings)}
        first = np.full(tokens.num_words, len(tokens))
        np.minimum.at(first, tokens.words, self.owners)
        self.first = first

    def are(self, words: Sequence[str] | frozenset[str]) -> Flags:
        """[V] which words are among some."""
        found = np.zeros(self.tokens.num_words, bool)
        found[[self.numbers[word] for word in words if word in self.numbers]] = True
        return found

    def count(self, hits: Flags) -> Floats:
        """[E] how many of its words are hits [K]."""
        return np.bincount(self.owners[hits], minlength=self.number).astype(np.float64)

    def first_place(self, hits: Flags) -> Floats:
        """[E] the place of its first word that is a hit [K]."""
        found = np.full(self.number, float(FARTHEST))
        np.minimum.at(found, self.owners[hits], self.places[hits].astype(np.float64))
        return found


def _classes(words: _Words, language: Language) -> Iterator[tuple[str, Floats]]:
    number = np.maximum(1, words.tokens.lengths)
    for name in _CLASSES:
        hits = words.are(getattr(language, name))[words.tokens.words]
        yield f"{name}: number", words.count(hits)
        yield f"{name}: first", words.first_place(hits)
    hits = words.are(language.function_words)[words.tokens.words]
    yield "function words: share", words.count(hits) / number


def _met_before(
    words: _Words, texts: Sequence[str], language: Language, title: str
) -> Iterator[tuple[str, Floats]]:
    """What was named before: a sentence that takes it up may not say what it is."""
    tokens = words.tokens
    met = words.first[tokens.words] < words.owners
    long_enough = np.array([len(word) >= _SHORTEST_CONTENT for word in tokens.spellings], bool)
    content = (long_enough & ~words.are(language.function_words))[tokens.words]
    yield (
        "content met before",
        words.count(content & met) / np.maximum(1, words.count(content)),
    )
    after = np.zeros(len(tokens.words), bool)
    after[1:] = words.are(language.articles)[tokens.words[:-1]]
    after &= words.places > 0
    yield "definite: met before", words.count(after & met)
    yield "definite: new", words.count(after & ~met)
    in_title = words.are(unicode_words(title))
    yield "content of the title", words.count(content & in_title[tokens.words])
    yield from _names(words, texts, in_title)


def _names(words: _Words, texts: Sequence[str], in_title: Flags) -> Iterator[tuple[str, Floats]]:
    columns = {
        f"{what}: {when}": np.zeros(len(texts))
        for what in ("names", "abbreviations")
        for when in ("met before", "new", "of the title")
    }
    for row, text in enumerate(texts):
        for what, pattern in (("names", _NAME), ("abbreviations", _CAPITALS)):
            for found in pattern.findall(text):
                number = words.numbers.get(found.lower(), -1)
                met = number >= 0 and words.first[number] < row
                columns[f"{what}: {'met before' if met else 'new'}"][row] += 1
                columns[f"{what}: of the title"][row] += number >= 0 and in_title[number]
    yield from columns.items()


def _neighbours(
    document: Document,
    sentences: Sentences,
    every: Sequence[str],
    candidates: Ints,
    language: Language,
) -> Iterator[tuple[str, Floats]]:
    paragraphs, last = sentences.paragraphs, len(every) - 1
    kinds = document.kinds[paragraphs]
    before, after = np.maximum(0, candidates - 1), np.minimum(last, candidates + 1)
    is_first, is_last = candidates == 0, candidates == last
    same_before = (paragraphs[before] == paragraphs[candidates]) & ~is_first
    same_after = (paragraphs[after] == paragraphs[candidates]) & ~is_last
    yield "before: same paragraph", same_before.astype(np.float64)
    yield "after: same paragraph", same_after.astype(np.float64)
    yield "before: heading", ((kinds[before] == Kind.HEADING) & ~is_first).astype(np.float64)
    previous = ["" if first else every[at] for first, at in zip(is_first, before, strict=True)]
    following = ["" if end else every[at] for end, at in zip(is_last, after, strict=True)]
    yield "before: goes on", _flags(previous, _SIGNS["goes on"])
    yield "before: asks", _flags(previous, _SIGNS["asks"])
    yield "before: no stop", 1 - _flags(previous, _SIGNS["stops"])
    yield "before: words", np.array([float(len(text.split())) for text in previous])
    yield "after: asks", _flags(following, _SIGNS["asks"])
    yield "after: words", np.array([float(len(text.split())) for text in following])
    opening = [_first_word(text) for text in following]
    for name in ("connectives", "pronouns", "demonstratives"):
        known = getattr(language, name)
        yield f"after: begins with {name}", np.array([float(one in known) for one in opening])


def _first_word(text: str) -> str:
    found = re.search(r"[^\W\d_]+", text[:60])
    return found[0].lower() if found else ""


def _flags(texts: Sequence[str], sign: Callable[[str], float]) -> Floats:
    return np.array([float(sign(text)) for text in texts])
