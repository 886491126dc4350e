"""The built-in summariser: a document is cut into candidates, which are scored and ranked.

The whole pipeline in one place; each step imports only what is below it. From the ranking
`core.summarisers.choice` makes summaries of any length.
"""

from core.documents.document import Document
from core.documents.sentences import split_document
from core.events import Steps
from core.stop import StopToken
from core.summarisers.candidates import cut_candidates
from core.summarisers.presentation.context import add_context
from core.summarisers.ranking import Ranking
from core.summarisers.scoring.corrections import correct_quality
from core.summarisers.scoring.links import find_antecedents
from core.summarisers.scoring.quality import Quality
from core.summarisers.scoring.ranker import Ranker
from core.summarisers.scoring.scores import (
    ScoredCandidates,
    score_candidates,
    shipped_quality_model,
    shipped_ranker,
)
from core.summarisers.selection.ordering import MIN_RANKED, min_offered_share, rank_candidates


def rank_document(
    document: Document, stop: StopToken, *, ranker: Ranker | None = None, at_least: int = 0
) -> Steps[Ranking]:
    """Splits a document and ranks its sentences.

    Args:
        document: The document.
        stop: Read between the stages.
        ranker: The ranker; the shipped one if None.
        at_least: Number of sentences to rank, if that is more than usual.

    Yields:
        Progress.

    Returns:
        The ranking.
    """
    sentences = yield from split_document(document, stop)
    candidates = cut_candidates(document, sentences)
    scored = yield from score_candidates(document, candidates, ranker or shipped_ranker(), stop)
    quality = shipped_quality_model().predict(scored.table, scored.cue_tokens, stop)
    ranking = rank_scored(document, scored, quality, at_least=at_least)
    stop.raise_if_set()
    return add_context(ranking, document, sentences)


def rank_scored(
    document: Document, scored: ScoredCandidates, quality: Quality, *, at_least: int = 0
) -> Ranking:
    """Ranks the candidates of a document by their predicted quality.

    Args:
        document: The document.
        scored: Its candidates.
        quality: Their quality, as the model predicts it.
        at_least: Number of sentences to rank, if that is more than usual.

    Returns:
        The ranking, without the context that only the document gives.
    """
    language = document.reading.language
    quality = correct_quality(quality, scored.candidates.texts, language)
    antecedents = find_antecedents(document, scored.candidates, quality.dependency_prob)
    return rank_candidates(
        scored,
        quality,
        antecedents,
        offered_share=min_offered_share(language),
        min_ranked=max(MIN_RANKED, at_least),
    )
