"""BLEU summed up by document is sacrebleu's over the whole set."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import EpitomeError
from core.metrics import bleu

sacrebleu = pytest.importorskip("sacrebleu", reason="BLEU needs the training part")
TEXT = st.lists(st.sampled_from("the valve opens , at 3.5 bar .\n Is it?".split(" "))).map(" ".join)


@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=6))
def test_sums_of_counts_score_as_the_whole_set_does(pairs: list[tuple[str, str]]) -> None:
    counts = np.sum([bleu.bleu_counts(*pair) for pair in pairs], axis=0)
    predictions, references = zip(*pairs, strict=True)
    for order, score in zip(bleu.ORDERS, bleu.bleu_of(counts), strict=True):
        whole = sacrebleu.BLEU(max_ngram_order=order).corpus_score(predictions, [references])
        assert score == pytest.approx(whole.score, abs=1e-9)


def test_scores_by_hand() -> None:
    counts = bleu.bleu_counts("the cat sat on", "the cat sat down")
    assert counts.tolist() == [3, 2, 1, 0, 4, 3, 2, 1, 4, 4]
    one, two, three, _ = bleu.bleu_of(counts)
    assert one == pytest.approx(75)
    assert two == pytest.approx(100 * (3 / 4 * 2 / 3) ** 0.5)
    assert three == pytest.approx(100 * (3 / 4 * 2 / 3 * 1 / 2) ** (1 / 3))


def test_empty_predictions_score_nothing() -> None:
    assert bleu.bleu_of(bleu.bleu_counts("", "the cat")) == (0, 0, 0, 0)


def test_the_recipe_names_version_tokenizer_and_smoothing() -> None:
    told = bleu.recipe()
    assert told.startswith(f"sacrebleu {sacrebleu.__version__}, corpus level")
    assert "tokenizer 13a" in told and "smoothing exp" in told


def test_without_sacrebleu_the_command_that_brings_it_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bleu._bleu.cache_clear()
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics.bleu", None)
    with pytest.raises(EpitomeError, match=r"not installed \(sacrebleu is missing\)\. Run python3"):
        bleu.bleu_counts("a", "a")
