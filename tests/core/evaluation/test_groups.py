"""Groups of documents: how they are made, and that their scores are those of their documents."""

import csv
from pathlib import Path

import numpy as np
import pytest

from core.errors import EpitomeError
from core.evaluation.groups import group_names, group_scores, recipes
from core.evaluation.pairs import Pairs
from core.evaluation.report import group_lines, groups_csv
from core.evaluation.scores import Scores, score
from core.evaluation.settings import GROUPINGS, Metric, ScoreSettings
from core.events import result_of
from core.metrics.intervals import bootstrap
from core.stop import StopToken

DOCUMENT = " ".join(f"word{number}" for number in range(40)) + " end"
WORDS = DOCUMENT.split()
REFERENCES = (
    " ".join(WORDS[:20]),  # a copy: density 20
    " ".join([*WORDS[:4], "new", *WORDS[20:24], "other"]),  # two runs of 4 in 10 words: 3.2
    "nothing of all this word1 stands there",  # one word: 1/7
    " ".join(WORDS[5:25]),
)
PAIRS = Pairs(Path("pairs.csv"), tuple("abcd"), REFERENCES, (DOCUMENT,) * 4)
LONG = " ".join(["word"] * 130)


def scored(predictions: tuple[str, ...], *metrics: Metric, pairs: Pairs = PAIRS) -> Scores:
    settings = ScoreSettings(metrics=metrics or ("rouge-1", "words"))
    return result_of(score("it", "it, whole", predictions, pairs, settings, StopToken()))


def test_kinds_are_those_of_the_references_density() -> None:
    names = [name for _, name in group_names("kind", scored(("",) * 4), PAIRS)]
    assert names == ["extractive", "mixed", "abstractive", "extractive"]


@pytest.mark.parametrize(
    ("copied", "of", "kind"),
    [(3, 6, "abstractive"), (4, 6, "mixed"), (8, 8, "mixed"), (9, 9, "extractive")],
)
def test_bounds_of_density_are_newsrooms(copied: int, of: int, kind: str) -> None:
    """A single run of k words among n has the density k² / n: 1.5 is still abstractive."""
    text = " ".join([*WORDS[:copied], *(f"new{n}" for n in range(of - copied))])
    pairs = Pairs(Path("p.csv"), ("a",), (text,), (DOCUMENT,))
    assert group_names("kind", scored(("",), pairs=pairs), pairs)[0][1] == kind


def test_novelty_is_the_references_share_of_new_bigrams() -> None:
    """Of 9 bigrams of the second, 3 touch "new" or "other"; of 6 of the third all are new."""
    names = [name for _, name in group_names("novelty", scored(("",) * 4), PAIRS)]
    assert names == ["0 to 20 % new", "20 to 40 % new", "80 to 100 % new", "0 to 20 % new"]


def test_lengths_are_those_of_the_predictions() -> None:
    scores = scored(("", "a b c", " ".join(["word"] * 20), LONG))
    names = [name for _, name in group_names("length", scores, PAIRS)]
    assert names == ["0 to 19 words", "0 to 19 words", "20 to 39 words", "100 words and more"]


def test_scores_of_a_group_are_those_of_its_documents_alone() -> None:
    predictions = (REFERENCES[0], "word1 new", "nothing", "word5 word6")
    both = [scored(predictions, "rouge-1", "bleu"), scored(("word1",) * 4, "rouge-1", "bleu")]
    settings = ScoreSettings(by=("kind",), seed=3)
    found = group_scores(both, PAIRS, settings, has_intervals=True)
    assert [(each.group, each.documents) for each in found[::2]] == [
        ("abstractive", 1), ("mixed", 1), ("extractive", 2),
    ]  # fmt: skip
    extractive, values = found[4], both[0].values[[0, 3], 0]
    f1 = next(each for each in extractive.scores if each.measure.name == "rouge-1 f1")
    wished = bootstrap(values.tolist(), seed=3)
    assert (f1.value, f1.low, f1.high) == pytest.approx((wished.value, wished.low, wished.high))
    part = Pairs(PAIRS.path, ("a", "d"), (REFERENCES[0], REFERENCES[3]), (DOCUMENT,) * 2)
    alone = scored((predictions[0], predictions[3]), "rouge-1", "bleu", pairs=part)
    assert [each.value for each in extractive.scores] == pytest.approx(alone.of_all.tolist())


def test_systems_may_have_groups_of_their_own_by_length() -> None:
    both = [scored(("a",) * 4), scored((LONG,) * 4)]
    found = group_scores(both, PAIRS, ScoreSettings(by=("length",)), has_intervals=False)
    assert [(each.group, each.documents) for each in found] == [
        ("0 to 19 words", 4), ("100 words and more", 4),
    ]  # fmt: skip


def test_without_documents_only_lengths_make_groups() -> None:
    alone = Pairs(Path("pairs.csv"), ("a",), ("x",), None)
    scores = scored(("a b",), "rouge-1", pairs=alone)
    assert group_names("length", scores, alone) == [(0, "0 to 19 words")]
    with pytest.raises(EpitomeError) as error:
        group_names("kind", scores, alone)
    assert error.value.message == (
        "“pairs.csv” has no documents, and references are grouped by kind against these."
    )


def test_tables_and_csv_hold_each_group() -> None:
    scores = scored(("",) * 4)
    groups = group_scores([scores], PAIRS, ScoreSettings(by=("kind",)), has_intervals=False)
    assert list(group_lines(groups)) == [
        "",
        "by kind      documents  rouge-1 f1, %",
        "abstractive          1           0.00",
        "mixed                1           0.00",
        "extractive           2           0.00",
    ]
    rows = list(csv.DictReader(groups_csv(groups).decode().splitlines()))
    assert len(rows) == 3 * len(scores.all_measures)
    assert rows[0]["group"] == "abstractive" and np.isclose(float(rows[0]["value"]), 0)


def test_groupings_are_listed_and_have_their_recipes() -> None:
    settings = ScoreSettings.checked({"by": ["kind,length", "kind"]})
    assert settings.by == ("kind", "length")
    assert ScoreSettings.checked({"by": ["all"]}).by == GROUPINGS
    assert list(recipes(settings)) == ["by kind", "by length"]
