"""Predictions of trained runs are gone on with by the same weights alone."""

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="trained models need the training part")

from core.errors import EpitomeError
from core.evaluation.predictions import write_predictions
from core.evaluation.predictors import Predictor, predictor_for
from core.evaluation.settings import ScoreSettings
from core.events import Finished, result_of
from core.stop import StopToken
from tests.helpers.corpora import TEXTS
from tests.helpers.runs import run_events, tiny_corpus, tiny_plan

DOCUMENTS = tuple(TEXTS[:3])


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two runs of one name and one step, that differ in their seed."""
    corpus = tiny_corpus(tmp_path_factory.mktemp("corpora") / "tiny")
    folders = [tmp_path_factory.mktemp("runs") / "tiny" for _ in range(2)]
    for seed, folder in enumerate(folders):
        plan = tiny_plan(corpus, steps=1, validate_every=1, rouge_rows=0, seed=seed)
        assert isinstance(run_events(folder, plan)[-1], Finished)
    return folders


def predictor(run: Path) -> Predictor:
    return predictor_for(str(run), ScoreSettings(length="20w"), StopToken())


def test_another_run_of_that_name_does_not_go_on(runs: list[Path], tmp_path: Path) -> None:
    first, other = map(predictor, runs)
    whole = result_of(write_predictions(first, DOCUMENTS, tmp_path, StopToken()))
    file = tmp_path / "predictions.jsonl"
    file.write_bytes(file.read_bytes().partition(b"\n")[0] + b"\n")
    assert (
        result_of(write_predictions(predictor(runs[0]), DOCUMENTS, tmp_path, StopToken())) == whole
    )
    with pytest.raises(EpitomeError, match=r"are written by “tiny, step 1, 20w, .* weights"):
        result_of(write_predictions(other, DOCUMENTS, tmp_path, StopToken()))
