"""Candidates with the predictions of the ranker, and the shipped models.

Letters: E candidates.
"""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from core.distribution.resources import resource
from core.documents.document import Document
from core.events import Steps
from core.gsg.tokens import Tokens
from core.stop import StopToken
from core.summarisers.candidates import Candidates
from core.summarisers.features.extraction import extract_features
from core.summarisers.features.table import FeatureTable
from core.summarisers.scoring.quality import QualityModel, quality_table
from core.summarisers.scoring.ranker import Ranker, RankerOutput


@dataclass(frozen=True, eq=False)
class ScoredCandidates:
    """Candidates with the predictions of the ranker: the input of the model of quality.

    Args:
        candidates: [E] the candidates.
        output: Predictions of the ranker.
        table: [E] rows of `quality_table`.
        cue_tokens: [E] their words, as `Features` has them.
    """

    candidates: Candidates
    output: RankerOutput
    table: FeatureTable
    cue_tokens: Tokens


def score_candidates(
    document: Document, candidates: Candidates, ranker: Ranker, stop: StopToken
) -> Steps[ScoredCandidates]:
    """Extracts the features of candidates, and predicts their utility.

    Args:
        document: The document.
        candidates: [E] its candidates.
        ranker: The ranker.
        stop: Read between the steps.

    Yields:
        Progress.

    Returns:
        The candidates with all from which their quality is predicted.
    """
    features = yield from extract_features(document, candidates, stop)
    stop.raise_if_set()
    output = ranker.for_language(document.reading.language).predict(features, stop)
    table = quality_table(output, features.independence)
    return ScoredCandidates(candidates, output, table, features.cue_tokens)


@cache
def shipped_ranker() -> Ranker:
    """Returns the ranker that comes with the program."""
    return Ranker.load(_ranker_file())


@cache
def shipped_quality_model() -> QualityModel:
    """Returns the model of quality that comes with the program."""
    return QualityModel.load(_quality_file())


def hash_models() -> str:
    """Returns the SHA-256 of the shipped models in hex: other models write other summaries."""
    return sha256(_ranker_file().read_bytes() + _quality_file().read_bytes()).hexdigest()


def _ranker_file() -> Path:
    return resource("ranker", "ranker.npz")


def _quality_file() -> Path:
    return resource("ranker", "quality.npz")
