"""Which tokens are learnt: methods 1.2, on rows written out by hand."""

import numpy as np
import pytest

from core.data.tokenizer import EOS_ID, MASK_ID, SUMM_ID
from core.errors import EpitomeError
from core.models.batch import NO_LOSS
from core.training.objectives import check_objective, tokens_and_labels

N = NO_LOSS
SOURCE, SUMMARY = np.array([10, MASK_ID, 12], np.int32), np.array([20, 21], np.int32)


@pytest.mark.parametrize("objective", ["summary", "gsg"])
def test_the_first_loss_is_at_the_mark_and_the_last_is_the_end(objective: str) -> None:
    tokens, labels = tokens_and_labels(SOURCE, SUMMARY, objective)
    assert tokens.tolist() == [10, MASK_ID, 12, SUMM_ID, 20, 21]
    assert labels.tolist() == [N, N, N, 20, 21, EOS_ID]


def test_a_language_model_learns_the_document_too_but_no_marks() -> None:
    tokens, labels = tokens_and_labels(SOURCE, SUMMARY, "language-model")
    assert tokens.tolist() == [10, MASK_ID, 12, SUMM_ID, 20, 21]
    assert labels.tolist() == [N, 12, N, 20, 21, EOS_ID]


@pytest.mark.parametrize(("ends", "last"), [(True, EOS_ID), (False, N)])
def test_plain_text_ends_only_where_its_document_does(ends: bool, last: int) -> None:
    tokens, labels = tokens_and_labels(np.array([10, 11]), None, "language-model", ends=ends)
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
