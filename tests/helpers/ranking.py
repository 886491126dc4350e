"""The stages of the built-in ranking, one by one."""

from core.documents.document import Document
from core.documents.sentences import split_document
from core.events import result_of
from core.stop import StopToken
from core.summarisers.candidates import Candidates, cut_candidates
from core.summarisers.features.extraction import Features, extract_features
from core.summarisers.scoring.scores import ScoredCandidates, score_candidates, shipped_ranker


def cut(document: Document) -> Candidates:
    """Cuts a document into candidates."""
    return cut_candidates(document, result_of(split_document(document, StopToken())))


def extract(document: Document) -> Features:
    """Extracts the features of a document's candidates."""
    return result_of(extract_features(document, cut(document), StopToken()))


def score(document: Document) -> ScoredCandidates:
    """Scores the candidates of a document by the shipped ranker."""
    stop = StopToken()
    return result_of(score_candidates(document, cut(document), shipped_ranker(), stop))
