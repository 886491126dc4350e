"""Which tokens are learnt: methods 1.2, on rows written out by hand."""

import numpy as np
import pytest

from core.errors import EpitomeError
from core.models.batch import NO_LOSS
from core.models.special_tokens import SpecialTokens
from core.training.labels import target_and_labels, tokens_and_labels
from core.training.rows import check_objective, check_pairs
from core.training.settings import TrainSettings

N = NO_LOSS
EOS_ID, SUMM_ID, MASK_ID = 61, 52, 43
SPECIAL = SpecialTokens(pad=1, end=EOS_ID, summary=SUMM_ID, mask=MASK_ID)
SOURCE, SUMMARY = np.array([10, MASK_ID, 12], np.int32), np.array([20, 21], np.int32)


@pytest.mark.parametrize("objective", ["summary", "gsg"])
def test_the_first_loss_is_at_the_mark_and_the_last_is_the_end(objective: str) -> None:
    tokens, labels = tokens_and_labels(SOURCE, SUMMARY, objective, SPECIAL)
    assert tokens.tolist() == [10, MASK_ID, 12, SUMM_ID, 20, 21]
    assert labels.tolist() == [N, N, N, 20, 21, EOS_ID]


def test_a_language_model_learns_the_document_too_but_no_marks() -> None:
    tokens, labels = tokens_and_labels(SOURCE, SUMMARY, "language-model", SPECIAL)
    assert tokens.tolist() == [10, MASK_ID, 12, SUMM_ID, 20, 21]
    assert labels.tolist() == [N, 12, N, 20, 21, EOS_ID]


@pytest.mark.parametrize(("ends", "last"), [(True, EOS_ID), (False, N)])
def test_plain_text_ends_only_where_its_document_does(ends: bool, last: int) -> None:
    tokens, labels = tokens_and_labels(
        np.array([10, 11]), None, "language-model", SPECIAL, ends=ends
    )
    assert tokens.tolist() == [10, 11]
    assert labels.tolist() == [11, last]


def test_a_corpus_without_what_is_to_be_learnt_is_refused() -> None:
    with pytest.raises(EpitomeError) as error:
        check_objective("summary", "gsg")
    assert error.value.message == (
        "The objective summary needs a corpus made with --make pairs; this one was made with "
        "--make gsg."
    )
    assert error.value.remedy == ("Choose another --objective, or prepare another corpus.")
    check_objective("language-model", "text")


@pytest.mark.parametrize("start_ids", [(9,), (9, 8)])
def test_a_target_begins_with_the_start_ids_of_which_none_is_learnt(
    start_ids: tuple[int, ...],
) -> None:
    tokens, labels = target_and_labels(SUMMARY, start_ids, SPECIAL)
    assert tokens.tolist() == [*start_ids, 20, 21]
    assert labels.tolist() == [*[N] * (len(start_ids) - 1), 20, 21, EOS_ID]


def test_an_encoder_decoder_learns_no_language_model() -> None:
    check_pairs(TrainSettings(objective="gsg"), "reformer-encoder-decoder")
    with pytest.raises(EpitomeError, match="language-model is not for the family x"):
        check_pairs(TrainSettings(objective="language-model"), "x")
    with pytest.raises(EpitomeError) as error:
        check_pairs(TrainSettings(domain_adaptive=0.5), "x")
    assert error.value.message == (
        "Domain-adaptive steps learn document and summary as one sequence, but the family x reads "
        "and writes them apart."
    )


@pytest.mark.parametrize(
    ("share", "steps", "adaptive"), [(0.0, 10, 0), (0.5, 10, 5), (0.5, 1, 0), (0.25, 1000, 250)]
)
def test_a_share_of_the_steps_is_domain_adaptive(share: float, steps: int, adaptive: int) -> None:
    assert TrainSettings(domain_adaptive=share, steps=steps).adaptive_steps == adaptive
