"""From the name of a system to its scores: written or read, then scored."""

from dataclasses import replace
from pathlib import Path

from core.errors import EpitomeError
from core.evaluation.pairs import Pairs
from core.evaluation.predictions import read_predictions, write_predictions
from core.evaluation.predictors import predictor_for
from core.evaluation.scores import Scores, score
from core.evaluation.settings import ScoreSettings
from core.evaluation.systems import System
from core.events import Steps
from core.stop import StopToken


def scored(
    system: System, pairs: Pairs, settings: ScoreSettings, folder: Path | None, stop: StopToken
) -> Steps[tuple[Scores, str]]:
    """Has a system's summaries written, or reads them, and scores them.

    Args:
        system: What is scored.
        pairs: On what.
        settings: How.
        folder: Where a model's predictions are kept and gone on with; None for nowhere.
        stop: The wish to end.

    Yields:
        How far it is.

    Returns:
        The scores, and what is to be said of the predictions, or nothing.

    Raises:
        EpitomeError: If a model is to write and the pairs hold no documents; and as reading and
            writing predictions do.
    """
    if system.is_file:
        path = Path(system.name)
        predictions, note = read_predictions(path, settings.prediction_column, pairs)
        description, step = f"predictions in {path.name}", 0
    else:
        if pairs.documents is None:
            raise EpitomeError(
                f"“{pairs.path.name}” has no column of documents that could be guessed, and "
                f"“{system.name}” cannot write without.",
                "Name the column with --document-column.",
            )
        predictor = predictor_for(system.name, settings, stop, pairs.read)
        predictions = yield from write_predictions(predictor, pairs.documents, folder, stop)
        note, description, step = "", predictor.description, predictor.step
    scores = yield from score(system.name, description, predictions, pairs, settings, stop)
    return replace(scores, step=step), note
