"""What a summary scores against a reference that a person gave."""

from hypothesis import given
from hypothesis import strategies as st

from core.metrics.reference_scores import score_against
from core.metrics.rouge import rouge

SUMMARY = "The pump runs while the valve is open.\nA layer of lithium nitride stops it."
REFERENCE = "The pump is stopped by a layer of nitride."


def test_scores_are_those_that_evaluations_report() -> None:
    told = score_against(SUMMARY, REFERENCE)
    expected = rouge(SUMMARY, REFERENCE, ("1", "2", "L"))
    assert told.f1 == {name: 100 * score.f1 for name, score in expected.items()}
    assert list(told.f1) == ["1", "2", "L"]


def test_shared_words_are_counted_as_often_as_both_have_them() -> None:
    told = score_against(SUMMARY, REFERENCE)
    # the, pump, is, a, layer, of, nitride
    assert (told.shared, told.words, told.reference_words) == (7, 15, 9)
    assert score_against("the the cat", "the dog the the").shared == 2


def test_the_recipe_tells_of_the_types_that_are_reported_alone() -> None:
    recipe = score_against(SUMMARY, REFERENCE).recipe
    assert recipe.startswith("Epitome ") and "no stemming" in recipe
    assert "Lsum" not in recipe and "weight" not in recipe


def test_words_of_another_script_count_by_the_reference() -> None:
    told = score_against(SUMMARY, "Насос работает.")
    assert (told.reference_words, told.shared, set(told.f1.values())) == (2, 0, {0.0})
    same = score_against("Насос работает.", "Насос работает.")
    assert (same.shared, same.f1["2"]) == (2, 100.0) and "any script" in same.recipe


def test_a_reference_without_words_shares_none() -> None:
    told = score_against(SUMMARY, "…")
    assert told.reference_words == told.shared == 0 and set(told.f1.values()) == {0.0}


@given(st.text("ab ", max_size=40), st.text("ab ", max_size=40))
def test_shared_words_are_the_hits_of_rouge_1(summary: str, reference: str) -> None:
    told = score_against(summary, reference)
    both = told.words + told.reference_words
    assert abs(told.f1["1"] - (200 * told.shared / both if both else 0.0)) < 1e-9
