import pytest

from core.errors import EpitomeError
from core.metrics.rouge import RougeScore, recipe, rouge


def test_words_shared_by_hand():
    scores = rouge("the cat sat", "the cat lay down", ("1", "2", "L"))
    assert scores["1"] == RougeScore(2 / 3, 2 / 4, pytest.approx(4 / 7))
    assert scores["2"] == RougeScore(1 / 2, 1 / 3, pytest.approx(2 / 5))
    assert scores["L"].f1 == pytest.approx(4 / 7)


def test_longer_runs_of_words():
    scores = rouge("a b c d e", "x b c d e", ("3", "4"))
    assert scores["3"].f1 == pytest.approx(2 / 3)
    assert scores["4"].f1 == pytest.approx(1 / 2)


def test_lsum_takes_lines_for_sentences():
    prediction, reference = "c d\na b", "a b\nc d"
    scores = rouge(prediction, reference, ("L", "Lsum"))
    assert scores["Lsum"].f1 == 1
    assert scores["L"].f1 == pytest.approx(1 / 2)


def test_stems_are_compared_when_asked():
    assert rouge("running cats", "run cat", ("1",))["1"].f1 == 0
    assert rouge("running cats", "run cat", ("1",), stem=True)["1"].f1 == 1


def test_empty_texts_share_nothing():
    assert rouge("", "", ("1", "L", "Lsum"))["1"] == RougeScore(0, 0, 0)


@pytest.mark.parametrize("name", ["W", "rouge1", "0", ""])
def test_an_unknown_kind_is_refused(name):
    with pytest.raises(EpitomeError, match=r"no kind of ROUGE; 1, 2, 3, 4, L, Lsum are\. Choose"):
        rouge("a", "a", ("1", name))


def test_the_recipe_names_version_words_and_stemming():
    assert recipe().startswith("rouge-score 0.1.2, its own tokenizer")
    assert "no stemming" in recipe()
    assert "Porter" in recipe(stem=True)
