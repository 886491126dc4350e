"""All features of a document's candidates, computed in one pass over their text.

Letters: E candidates, H sections that contain candidates.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.documents.document import Document
from core.documents.languages import language_of
from core.documents.stems import stemmer_of
from core.events import Steps
from core.gsg.selection import order
from core.gsg.settings import GapSentenceSettings
from core.gsg.tokens import Tokens, tokenise
from core.stop import StopToken
from core.summarisers.candidates import Candidates
from core.summarisers.features.centrality import centrality_features
from core.summarisers.features.independence import independence_features
from core.summarisers.features.position import Positions, locate_candidates, position_features
from core.summarisers.features.surface import surface_features
from core.summarisers.features.table import FeatureTable, percentile_ranks

Floats = NDArray[np.float64]

_GAIN = GapSentenceSettings(strategy="independent-document", tokenizer="unicode")
_ORDER = GapSentenceSettings(strategy="sequential-document", tokenizer="unicode")
_PAIRS = GapSentenceSettings(strategy="independent-document", tokenizer="unicode", rouge="2")
_RANKED = (
    "words", "cosine: document", "cosine: section", "tf-idf: sum", "keywords: sum",
    "keywords: mean", "new words: repeated", "repeated pairs: number", "cosine: title", "gain",
    "gain of pairs",
)  # fmt: skip
"""Features of which the table also contains the percentile rank in the document, 0 to 1."""


@dataclass(frozen=True, eq=False)
class Features:
    """Features of the candidates, and the words from which they were computed.

    Args:
        table: [E] rows; the features that the ranker reads.
        independence: [E] rows; more features, which only the model of quality reads.
        cue_tokens: [E] the words in small letters; in languages other than English only numbers
            are spelt, because the cues that the models have learnt are English.
        stems: [E] the stems of the words in the document's language.
        titles: [1 + H] the stems of the title, then of each section's heading, numbered as in
            `stems`.
        positions: [E] paragraphs and sections.
    """

    table: FeatureTable
    independence: FeatureTable
    cue_tokens: Tokens
    stems: Tokens
    titles: Tokens
    positions: Positions


def extract_features(
    document: Document, candidates: Candidates, stop: StopToken
) -> Steps[Features]:
    """Computes the features of a document's candidates.

    Args:
        document: The document.
        candidates: [E] its candidates.
        stop: Read between the groups of features.

    Yields:
        Progress.

    Returns:
        The features.
    """
    texts = candidates.texts
    positions = locate_candidates(document, candidates)
    heads = [document.paragraph(at) if at >= 0 else "" for at in positions.headings.tolist()]
    tokens = yield from tokenise([*texts, document.title, *heads], stop, "unicode")
    surface_tokens, _ = _split_tokens(tokens, len(texts))
    language = language_of(document.reading.language)
    cue_tokens = _without_words(surface_tokens) if language.is_foreign else surface_tokens
    stems, titles = _split_tokens(tokens.reduced(stemmer_of(language)), len(texts))
    words = candidates.words.astype(np.float64)
    columns = dict(position_features(document, positions))
    stop.raise_if_set()
    columns |= surface_features(texts, words, cue_tokens)
    stop.raise_if_set()
    columns |= centrality_features(stems, positions, titles)
    for name, settings in (("gain", _GAIN), ("gain of pairs", _PAIRS)):
        columns[name] = yield from _gains(stems, settings, stop)
    columns["order of gain"] = yield from _gain_order(stems, stop)
    for name in _RANKED:
        columns[f"rank: {name}"] = percentile_ranks(columns[name])
    columns |= _document_features(document, words)
    independence = independence_features(document, candidates, surface_tokens)
    return Features(
        FeatureTable.build(columns.items()),
        FeatureTable.build(independence),
        cue_tokens,
        stems,
        titles,
        positions,
    )


def _without_words(tokens: Tokens) -> Tokens:
    """Returns the same tokens with no spellings but those of numbers."""
    return replace(tokens, spellings=tuple(w if w.isdigit() else "" for w in tokens.spellings))


def _split_tokens(tokens: Tokens, number: int) -> tuple[Tokens, Tokens]:
    """Separates the first texts from the others; both keep the numbers of words."""
    at = int(tokens.starts[number])
    first = Tokens(tokens.starts[: number + 1], tokens.words[:at], tokens.spellings)
    return first, Tokens(tokens.starts[number:] - at, tokens.words[at:], tokens.spellings)


def _gains(tokens: Tokens, settings: GapSentenceSettings, stop: StopToken) -> Steps[Floats]:
    """Computes the gap-sentence score of each candidate [E]."""
    picks = yield from order(tokens, settings, stop)
    gains = np.zeros(len(tokens))
    gains[list(picks.picked)] = picks.scores
    return gains


def _gain_order(tokens: Tokens, stop: StopToken) -> Steps[Floats]:
    """Computes the place of each candidate [E] in the order of gap sentences, 0 to 1."""
    picks = yield from order(tokens, _ORDER, stop)
    places = np.ones(len(tokens))
    places[list(picks.picked)] = np.arange(len(picks.picked)) / max(1, len(picks.picked))
    return places


def _document_features(document: Document, words: Floats) -> Iterator[tuple[str, Floats]]:
    """Describes the document, for each of its candidates.

    Args:
        document: The document.
        words: [E] words of each candidate.

    Yields:
        A name and [E] equal numbers.
    """
    number = len(words)
    yield "document: sentences", np.full(number, np.log1p(number))
    yield "document: words a sentence", np.full(number, words.sum() / max(1, number))
    yield "document: words", np.full(number, np.log1p(document.reading.words))
