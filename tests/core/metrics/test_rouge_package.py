"""ROUGE by the package is the package's own, under the interface of ours."""

import sys

import pytest
from rouge_score.rouge_scorer import RougeScorer

from core.errors import EpitomeError
from core.metrics.rouge import Rouge
from core.metrics.rouge_package import TYPES, PackageRouge

PREDICTION = "The valve opened early.\nPumps were running when it closed."
REFERENCE = "A pump ran as the valve closed.\nIt had opened early, and twice."


@pytest.mark.parametrize("stem", [False, True])
def test_its_scores_are_those_of_the_package_and_of_ours(stem: bool) -> None:
    scores = PackageRouge(TYPES, stem=stem).score(PREDICTION, REFERENCE)
    theirs = RougeScorer([f"rouge{name}" for name in TYPES], use_stemmer=stem)
    for name, score in theirs.score(REFERENCE, PREDICTION).items():
        mine = scores[name.removeprefix("rouge")]
        assert (mine.precision, mine.recall, mine.f1) == tuple(score)
    ours = Rouge(TYPES, stem=stem).score(PREDICTION, REFERENCE)
    assert {name: score.f1 for name, score in ours.items()} == pytest.approx(
        {name: score.f1 for name, score in scores.items()}
    )


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rouge_score.rouge_scorer", None)
    with pytest.raises(EpitomeError, match="not installed") as caught:
        PackageRouge(["1"]).score("a", "a")
    assert "pip install rouge-score" in caught.value.remedy
