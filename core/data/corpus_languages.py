"""Which languages the documents of a corpus are in, by a sample of them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress

import numpy as np

from core.data.corpus import Corpus, document_of, read_card
from core.documents.guessing import guess_language
from core.documents.languages import languages
from core.errors import EpitomeError

_SAMPLED = 64
_LEAST_SHARE = 0.05
"""Of the documents whose language can be told; what is rarer is a stray, or a wrong guess."""


def languages_in(texts: Iterable[str]) -> tuple[str, ...]:
    """The English names of the languages of some texts, the commonest first."""
    counts = Counter(filter(None, map(guess_language, texts)))
    least = _LEAST_SHARE * counts.total()
    return tuple(languages()[code].name for code, count in counts.most_common() if count >= least)


def sampled_languages(corpus: Corpus) -> tuple[str, ...]:
    """The languages of a corpus by documents spread over all of it.

    Args:
        corpus: The corpus.

    Returns:
        Their English names; none where no language can be told.
    """
    return languages_in(_sample(corpus))


def languages_of_corpus(corpus: Corpus) -> tuple[str, ...]:
    """The languages that a corpus's card names, else those of a sample."""
    with suppress(EpitomeError, KeyError, TypeError):
        if told := read_card(corpus.folder)["made"].get("languages"):
            return tuple(map(str, told))
    return sampled_languages(corpus)


def _sample(corpus: Corpus) -> Iterator[str]:
    number = sum(corpus.counts.values())
    places = np.unique(np.linspace(0, number - 1, min(_SAMPLED, number)).astype(np.int64))
    first = 0
    for split in corpus.splits:
        count = corpus.counts[split]
        rows = corpus.rows(split)
        for place in places[(places >= first) & (places < first + count)].tolist():
            yield document_of(rows[place - first], corpus.masking)
        first += count
