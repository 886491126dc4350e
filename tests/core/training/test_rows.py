"""Which tokens are learnt: methods 1.2, on rows written out by hand."""

import numpy as np
import pytest

from core.errors import EpitomeError
from core.models.batch import NO_LOSS
from core.models.language_model.settings import LanguageModelSettings
from core.models.settings import ModelSettings
from core.models.special_tokens import SpecialTokens
from core.models.transformer.settings import TransformerSettings
from core.training.labels import target_and_labels, tokens_and_labels
from core.training.rows import check_objective, check_pairs, check_some, rows_of
from core.training.settings import TrainSettings
from tests.helpers.examples import examples_of

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


SMALL = {
    "width": 16, "encoder_depth": 1, "decoder_depth": 1, "heads": 2, "vocabulary_size": 400,
    "source_length": 40, "target_length": 20,
}  # fmt: skip
PAIRS = TransformerSettings.checked(SMALL)
SEQUENCE = LanguageModelSettings(width=16, heads=2, vocabulary_size=400, length=40)


@pytest.mark.parametrize(
    ("model", "sizes", "too_long", "told", "remedy"),
    [
        (
            PAIRS, [(30, 25), (99, 31)], "start",
            "Every summary is longer than “target_length” (20 tokens) allows: the shortest has 25 "
            "tokens.",
            "Set “target_length” to 26 or more",
        ),
        (
            SEQUENCE, [(30, 45), (99, 39)], "window",
            "Every summary is longer than “length” (40 tokens) allows: the shortest has 39 tokens.",
            "Set “length” to 42 or more",
        ),
        (
            PAIRS, [(50, 5), (20, 30)], "skip",
            "No document fits into “source_length” (40 tokens) with a summary that fits into "
            "“target_length” (20 tokens), and “too_long” is skip.",
            "Set “too_long” to start",
        ),
        (
            SEQUENCE, [(50, 5), (36, 9)], "skip",
            "No document fits into “length” (40 tokens) with its summary, and “too_long” is skip.",
            "Set “too_long” to start",
        ),
    ],
    ids=["target", "sequence", "skipped pairs", "skipped sequences"],
)  # fmt: skip
def test_where_no_row_is_left_the_setting_is_named(
    model: ModelSettings, sizes: list[tuple[int, int]], too_long: str, told: str, remedy: str
) -> None:
    rows = [([7] * source, [8] * summary, []) for source, summary in sizes]
    train = TrainSettings.checked({"too_long": too_long})
    with pytest.raises(EpitomeError) as error:
        check_some(rows_of(examples_of(rows, "pairs"), model, train, SPECIAL), model, train)
    assert error.value.message == told
    assert error.value.remedy.startswith(remedy)


@pytest.mark.parametrize(("model", "length", "summary"), [(PAIRS, 26, 25), (SEQUENCE, 42, 39)],
                         ids=["target", "sequence"])  # fmt: skip
def test_the_length_that_is_advised_is_the_least_that_has_room(
    model: ModelSettings, length: int, summary: int
) -> None:
    examples = examples_of([([7] * 50, [8] * summary, [])], "pairs")
    name = "target_length" if model is PAIRS else "length"
    for long, count in ((length - 1, 0), (length, 1)):
        changed = model.model_copy(update={name: long})
        assert len(rows_of(examples, changed, TrainSettings(), SPECIAL)) == count


def test_rows_that_are_there_are_no_reason() -> None:
    examples = examples_of([([7] * 9, [8] * 3, [])], "pairs")
    check_some(rows_of(examples, PAIRS, TrainSettings(), SPECIAL), PAIRS, TrainSettings())


def test_gap_sentences_of_which_none_fits_are_told_too() -> None:
    examples = examples_of([([7] * 60, [8] * 30, [10, 30])], "gsg")
    train = TrainSettings(objective="gsg")
    with pytest.raises(EpitomeError) as error:
        check_some(rows_of(examples, PAIRS, train, SPECIAL), PAIRS, train)
    assert error.value.message == (
        "Every gap sentence is longer than “target_length” (20 tokens) allows."
    )
