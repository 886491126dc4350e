"""All signals of a document's sentences in one table.

Letters: S sentences of the document, E candidates, F signals.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.documents.document import Document
from core.documents.languages import language_of
from core.documents.sentences import Sentences
from core.documents.stems import stemmer_of
from core.events import Steps
from core.gsg.selection import order
from core.gsg.settings import GapSentenceSettings
from core.gsg.tokens import Tokens, tokenise
from core.stop import StopToken
from core.summarisers.features.centrality import content_signals, ranks, vectors_of
from core.summarisers.features.position import Places, place_signals, places_of
from core.summarisers.features.surface import form_signals

_GAIN = GapSentenceSettings(strategy="independent-document", tokenizer="unicode")
_ORDER = GapSentenceSettings(strategy="sequential-document", tokenizer="unicode")
_PAIRS = GapSentenceSettings(strategy="independent-document", tokenizer="unicode", rouge="2")
_RANKED = (
    "words", "like the document", "like its section", "weight", "worth", "mean worth",
    "words that come again", "pairs that come again", "like the title", "gain", "gain of pairs",
)  # fmt: skip
"""Signals that also stand in the table as their rank in the document, from 0 to 1."""


@dataclass(frozen=True, eq=False)
class Signals:
    """What is seen of the candidates.

    Args:
        names: [F] what each column is.
        values: [E, F] float64.
        spelled: [E] the candidates' words in small letters.
        told_by: [E] the same where English is taken for granted: of another language only numbers.
        tokens: [E] their words, by their stems in the document's language.
        titles: The words of the title, then of each section's heading, numbered as in `tokens`.
        places: [E] where they stand.
    """

    names: tuple[str, ...]
    values: NDArray[np.float64]
    spelled: Tokens
    told_by: Tokens
    tokens: Tokens
    titles: Tokens
    places: Places

    def column(self, name: str) -> NDArray[np.float64]:
        """[E] one of the signals."""
        return self.values[:, self.names.index(name)]


def signals_of(
    document: Document,
    sentences: Sentences,
    candidates: NDArray[np.int64],
    words: NDArray[np.int32],
    stop: StopToken,
) -> Steps[Signals]:
    """Looks at the candidates of a document.

    Args:
        document: The document.
        sentences: [S] its sentences.
        candidates: [E] indices of those that may be picked, ascending.
        words: [E] how many words each has.
        stop: The wish to end.

    Yields:
        How far it is.

    Returns:
        The table.
    """
    spans = zip(sentences.starts[candidates], sentences.ends[candidates], strict=True)
    texts = [document.text[start:end] for start, end in spans]
    places = places_of(document, sentences, candidates)
    heads = [document.paragraph(at) if at >= 0 else "" for at in places.headings.tolist()]
    both = yield from tokenise([*texts, document.title, *heads], stop, "unicode")
    spelled, _ = _parted(both, len(texts))
    language = language_of(document.reading.language)
    told_by = _without_words(spelled) if language.is_foreign else spelled
    tokens, titles = _parted(both.reduced(stemmer_of(language)), len(texts))
    columns = dict(place_signals(document, places))
    stop.raise_if_set()
    columns |= form_signals(texts, words.astype(np.float64), told_by)
    stop.raise_if_set()
    vectors = vectors_of(tokens)
    columns |= content_signals(tokens, vectors, places, titles, places.sections + 1)
    for name, settings in (("gain", _GAIN), ("gain of pairs", _PAIRS)):
        columns[name] = yield from _gains(tokens, settings, stop)
    columns["order of gain"] = yield from _gain_order(tokens, stop)
    for name in _RANKED:
        columns[f"rank: {name}"] = ranks(columns[name])
    columns |= _of_document(document, texts, columns["words"])
    values = np.column_stack([np.asarray(column, np.float64) for column in columns.values()])
    return Signals(tuple(columns), values, spelled, told_by, tokens, titles, places)


def _without_words(tokens: Tokens) -> Tokens:
    """The same with nothing spelled but numbers: the words that forms are told by are English."""
    return replace(tokens, spellings=tuple(w if w.isdigit() else "" for w in tokens.spellings))


def _parted(tokens: Tokens, number: int) -> tuple[Tokens, Tokens]:
    """The first sentences, and the others, with the same numbers for the same words."""
    at = int(tokens.starts[number])
    first = Tokens(tokens.starts[: number + 1], tokens.words[:at], tokens.spellings)
    return first, Tokens(tokens.starts[number:] - at, tokens.words[at:], tokens.spellings)


def _gains(
    tokens: Tokens, settings: GapSentenceSettings, stop: StopToken
) -> Steps[NDArray[np.float64]]:
    picks = yield from order(tokens, settings, stop)
    found = np.zeros(len(tokens))
    found[list(picks.picked)] = picks.scores
    return found


def _gain_order(tokens: Tokens, stop: StopToken) -> Steps[NDArray[np.float64]]:
    picks = yield from order(tokens, _ORDER, stop)
    found = np.ones(len(tokens))
    found[list(picks.picked)] = np.arange(len(picks.picked)) / max(1, len(picks.picked))
    return found


def _of_document(
    document: Document, texts: list[str], words: NDArray[np.float64]
) -> dict[str, NDArray[np.float64]]:
    whole = {
        "document: sentences": np.log1p(len(texts)),
        "document: words a sentence": words.sum() / max(1, len(words)),
        "document: words": np.log1p(document.reading.words),
    }
    return {name: np.full(len(texts), value) for name, value in whole.items()}
