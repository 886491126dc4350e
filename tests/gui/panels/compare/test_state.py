"""Documents are ordered, filtered and walked, without Qt."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.jobs.evaluation.browse_comparison import REFERENCE, SOURCE
from core.runs.comparisons import OpenedComparison, open_comparison
from core.runs.evaluations import KeptScore
from gui.panels.compare.state import CompareState, Filter
from gui.panels.compare.words import table_measures
from tests.helpers.comparisons import large_comparison, small_comparison

N = 90


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> OpenedComparison:
    return open_comparison(large_comparison(tmp_path_factory.mktemp("kept"), N))


@pytest.fixture
def state(opened: OpenedComparison) -> CompareState:
    state = CompareState()
    state.open(opened)
    return state


def test_the_order_of_the_set_comes_first(state: CompareState) -> None:
    assert state.rows.tolist() == list(range(N)) and state.place == 1
    assert state.measure == "rouge-1 f1" and state.against == REFERENCE


def test_disagreement_is_the_distance_of_best_and_worst(state: CompareState) -> None:
    state.order = "disagreement"
    state.sort()
    values = state.values()
    assert values is not None
    apart = np.abs(values[0] - values[1])[state.rows]
    assert (np.diff(apart) <= 0).all() and len(apart) == N


def test_wins_and_losses_follow_what_is_better(state: CompareState) -> None:
    state.order = "won"
    state.sort()
    values = state.values()
    assert values is not None
    ahead = (values[0] - values[1])[state.rows]
    assert (np.diff(ahead) <= 0).all()
    won, equal, lost = state.wins()
    assert won == (ahead > 0).sum() and lost == (ahead < 0).sum() and won + equal + lost == N
    state.order = "lost"
    state.sort()
    assert (np.diff((values[0] - values[1])[state.rows]) >= 0).all()


def test_fewer_unsupported_sentences_win(tmp_path: Path) -> None:
    state = CompareState()
    state.open(open_comparison(small_comparison(tmp_path)))
    state.measure, state.rival = "unsupported sentences", 2
    ahead = state.ahead()
    assert ahead is not None and ahead[0] == 50


def test_thirds_of_length_hold_all_documents_once(state: CompareState) -> None:
    shown: list[int] = []
    for third in ("low", "middle", "high"):
        state.filter = Filter(length=third)  # type: ignore[arg-type]
        state.sort()
        assert N / 3 - 2 <= len(state.rows) <= N / 3 + 2
        shown += state.rows.tolist()
    assert sorted(shown) == list(range(N))


def test_documents_of_one_length_are_all_in_one_third(opened: OpenedComparison) -> None:
    state = CompareState()
    names = replace(opened.names, words=(500,) * N)
    state.open(replace(opened, names=names))
    shown = []
    for third in ("low", "middle", "high"):
        state.filter = Filter(length=third)  # type: ignore[arg-type]
        state.sort()
        shown.append(len(state.rows))
    assert shown == [N, 0, 0]


def test_kind_and_words_filter_together(state: CompareState) -> None:
    assert state.kinds == ["paper", "patent"]
    state.filter = Filter(kind="paper", words="report 6")
    state.sort()
    assert state.rows.tolist() == [6, 60, 63, 66, 69]
    state.filter.abstractiveness = "high"
    state.sort()
    assert set(state.rows.tolist()) < {6, 60, 63, 66, 69}


def test_steps_go_through_what_is_listed(state: CompareState) -> None:
    state.filter = Filter(words="report 6")
    state.sort()
    assert state.place == 0 and state.step(1)
    assert (state.number, state.place) == (6, 1)
    assert state.step(1) and state.number == 60
    assert state.step(-1) and not state.step(-1) and state.number == 6


def test_nothing_listed_is_nowhere_to_go(state: CompareState) -> None:
    state.filter = Filter(words="zeppelin")
    state.sort()
    assert not state.step(1) and state.wins() == (0, 0, 0)


def test_without_references_the_first_summary_is_compared_with(tmp_path: Path) -> None:
    state = CompareState()
    state.open(open_comparison(small_comparison(tmp_path, references=False)))
    assert state.against == 0 and state.measure == "novel 2-grams"
    assert [value for value, _ in state.comparisons] == [0, 1, 2, SOURCE]


def test_content_words_have_columns_of_their_own(opened: OpenedComparison) -> None:
    measured = ("rouge-1 f1", "rouge-1 recall", "content precision", "content recall")
    scores = tuple(KeptScore(name, "%", 50.0) for name in measured)
    systems = tuple(replace(system, scores=scores) for system in opened.about.systems)
    found = table_measures(replace(opened.about, systems=systems))
    assert [score.measure for score in found] == [
        "rouge-1 f1", "content precision", "content recall"
    ]  # fmt: skip
