"""Summaries of a requested length from a ranking: quick enough to follow a slider.

The window imports this module when it starts, so what compiles many patterns is imported later.
"""

import math

from core.documents.document import Document
from core.summaries.summary import Length, Summary
from core.summarisers.ranking import Ranking
from core.summarisers.selection.budget import get_word_budget, select_sentences


def choose(
    document: Document,
    ranking: Ranking,
    length: Length,
    pinned: frozenset[int] = frozenset(),
    banned: frozenset[int] = frozenset(),
    seconds: float = 0.0,
    *,
    trims: bool = True,
) -> Summary:
    """Makes a summary of whole sentences, best first, until the requested length is reached.

    Args:
        document: The document.
        ranking: Its sentences, ranked.
        length: The requested length; exceeded by pinned sentences only, or by the one sentence
            that a summary has at least.
        pinned: Indices of sentences that are selected in any case.
        banned: Indices of sentences that are not.
        seconds: Time that reading and ranking took.
        trims: False leaves the sentences as they are in the document.

    Returns:
        The summary in the order of the document. Unless half of the text or more is requested, it
        contains offered sentences only; if it is shorter for that reason, a note says so.
    """
    from core.summarisers.presentation.notes import SPELT_OUT, explain_length
    from core.summarisers.presentation.sentences import present_sentences

    selection = select_sentences(document, ranking, length, pinned, banned)
    notes = [ranking.doubt] if ranking.doubt else []
    notes += explain_length(document, ranking, length, selection, pinned, banned)
    sentences = tuple(
        present_sentences(
            document,
            ranking,
            ranking.order_for(length.unit),
            sorted(selection.indices),
            pinned=pinned,
            trims=trims,
            room=math.inf if length.unit == "sentences" else get_word_budget(document, length),
        )
    )
    if any(sentence.spelt_out for sentence in sentences):
        notes.append(SPELT_OUT)
    return Summary(
        title=document.title,
        source=document.source,
        sentences=sentences,
        length=length,
        read=document.reading,
        notes=tuple(notes),
        seconds=seconds,
    )


def prepare(language: str) -> None:
    """Compiles the patterns that the first choice in a language needs, which takes 40 ms.

    Args:
        language: Its code.
    """
    from core.summarisers.presentation.trimming import trim_sentence
    from core.summarisers.rules.discourse import markers_for

    markers_for(language)
    trim_sentence("", language)
