"""Any length, any batch of mixed lengths, padding on either side."""

import pytest
import torch

from core.errors import EpitomeError
from core.models.batch import Batch
from tests.helpers.reformers import (
    CLOSE,
    EXACT,
    KINDS,
    assert_equal,
    batch_of,
    loss_and_gradients,
    padded,
    reformer,
    tokens_of,
)

TOO_LONG = "The text has 30 tokens; this model reads at most 29 at once."
WHAT_TO_DO = "Split the text, or use a model of a greater length."

LENGTHS = (9, 1, 23, 4, 29)
LEFT = (0, 28, 3, 25, 0)
RIGHT = (0, 0, 0, 0, 0)
BOTH = (7, 13, 6, 20, 0)


def rows_of(lengths):
    return [tokens_of(1, length, seed=length)[0] for length in lengths]


@pytest.mark.parametrize(("positions", "reversible"), [("axial", True), ("learned", False)])
@pytest.mark.parametrize("kind", KINDS)
def test_every_length_can_be_read_and_learnt_from(kind, positions, reversible):
    model = reformer(
        attention=(kind,), positions=positions, reversible=reversible, dtype=torch.float32
    )
    for length in range(1, 30):
        batch = batch_of(1, length)
        assert model(batch).shape == (1, length, 31)
        results = loss_and_gradients(model, batch)
        assert all(value.isfinite().all() for value in results.values())


@pytest.mark.parametrize("length", [1, 2, 3, 7, 97, 100, 127, 128, 129])
def test_a_model_can_have_any_length(length):
    for kind in KINDS:
        model = reformer(attention=(kind,), length=length, dtype=torch.float32)
        logits = model(batch_of(2, length))
        assert logits.shape == (2, length, 31)
        assert logits.isfinite().all()


@pytest.mark.parametrize("reversible", [True, False])
@pytest.mark.parametrize("before", [LEFT, RIGHT, BOTH], ids=["left", "right", "both"])
@pytest.mark.parametrize("kind", EXACT)
def test_padding_changes_nothing(kind, before, reversible):
    model = reformer(attention=(kind,), reversible=reversible)
    rows = rows_of(LENGTHS)
    batch = padded(rows, before, 29)
    logits = model(batch)
    assert logits.isfinite().all()
    alone = [padded([row], [0], len(row)) for row in rows]
    for row, one, start in zip(logits, alone, before, strict=True):
        length = one.tokens.shape[1]
        torch.testing.assert_close(row[start : start + length], model(one)[0], **CLOSE)
    found = loss_and_gradients(model, batch)
    singly = [loss_and_gradients(model, one) for one in alone]
    assert_equal(found, {name: sum(each[name] for each in singly) for name in found})


@pytest.mark.parametrize("kind", KINDS)
def test_what_stands_in_the_padding_does_not_matter(kind):
    model = reformer(attention=(kind,))
    batch = padded(rows_of(LENGTHS), BOTH, 29)
    other = torch.where(batch.present, batch.tokens, tokens_of(5, 29, seed=3))
    found = loss_and_gradients(model, batch)
    wanted = loss_and_gradients(model, Batch(other, batch.labels, batch.present, batch.positions))
    for name in found:
        if name != "embedding.weight":  # a row that only padding uses
            torch.testing.assert_close(found[name], wanted[name], **CLOSE)
    at = batch.present
    torch.testing.assert_close(
        model(batch)[at], model(Batch(other, None, at, batch.positions))[at], **CLOSE
    )


@pytest.mark.parametrize("kind", KINDS)
def test_no_padding_is_what_all_present_means(kind):
    model = reformer(attention=(kind,))
    batch = batch_of(2, 17)
    places = torch.arange(17).expand(2, -1)
    told = Batch(batch.tokens, batch.labels, torch.ones(2, 17, dtype=torch.bool), places)
    assert_equal(loss_and_gradients(model, told), loss_and_gradients(model, batch))


@pytest.mark.parametrize("kind", KINDS)
def test_right_padding_needs_no_positions(kind):
    model = reformer(attention=(kind,))
    batch = padded(rows_of(LENGTHS), RIGHT, 29)
    bare = Batch(batch.tokens, batch.labels, batch.present)
    assert_equal(loss_and_gradients(model, bare), loss_and_gradients(model, batch))


@pytest.mark.parametrize("kind", KINDS)
def test_rows_that_are_one_token_or_none_give_no_nan(kind):
    model = reformer(attention=(kind,))
    batch = padded([*rows_of((1, 1)), tokens_of(1, 0)[0], *rows_of((12,))], (0, 11, 0, 0), 12)
    assert model(batch).isfinite().all()
    results = loss_and_gradients(model, batch)
    assert all(value.isfinite().all() for value in results.values())


@pytest.mark.parametrize("kind", KINDS)
def test_past_the_models_length_it_says_so(kind):
    model = reformer(attention=(kind,))
    model(batch_of(1, 29))
    for read in (model, model.hidden, model.loss):
        with pytest.raises(EpitomeError) as error:
            read(batch_of(1, 30))
        assert error.value.message == TOO_LONG
        assert error.value.remedy == WHAT_TO_DO
