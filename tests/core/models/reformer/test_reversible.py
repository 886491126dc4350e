"""A reversible stack is the plain one, but for what it keeps."""

import threading
from contextlib import contextmanager

import pytest
import torch

from core.models.parts.randomness import Randomness
from core.models.reformer.language_model import ReformerLM, _Kept
from tests.helpers.reformers import (
    KINDS,
    SMALL,
    assert_equal,
    batch_of,
    loss_and_gradients,
    padded,
    reformer,
    tokens_of,
)
from tests.helpers.tensors import Made

STEP = Randomness(run=3, step=5, rows=(0, 1))


@pytest.fixture(params=[0, 100], ids=["recomputed", "kept"])
def kept_mib(request, monkeypatch):
    """Where there is memory, the last layers' activations are kept; both ways must be right."""
    monkeypatch.setitem(SMALL, "kept_mib", request.param)


def results_of(reversible, randomness=STEP, batch=None, **changes):
    """Loss and gradients of the reversible stack, or of the plain one."""
    model = reformer(reversible=reversible, **{"dropout": 0.2, **changes})
    return loss_and_gradients(model, batch or batch_of(2, 27), randomness)


def both(*arguments, **changes):
    """Those of the reversible stack and of the plain one."""
    return [results_of(reversible, *arguments, **changes) for reversible in (True, False)]


@contextmanager
def another_thread_drawing():
    """Random numbers are drawn from the global generator all the while."""
    done = threading.Event()
    started = threading.Event()

    def draw():
        while not done.is_set():
            torch.rand(7)
            started.set()

    thread = threading.Thread(target=draw)
    thread.start()
    started.wait()
    try:
        yield
    finally:
        done.set()
        thread.join()


@pytest.mark.usefixtures("kept_mib")
@pytest.mark.parametrize("depth", [1, 2, 5])
@pytest.mark.parametrize("shared_layers", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_it_agrees_with_the_plain_stack(kind, shared_layers, depth):
    assert_equal(*both(attention=(kind,), depth=depth, shared_layers=shared_layers))


@pytest.mark.usefixtures("kept_mib")
@pytest.mark.parametrize("randomness", [None, STEP], ids=["evaluation", "training"])
def test_it_agrees_on_padded_rows(randomness):
    batch = padded([tokens_of(1, 9)[0], tokens_of(1, 23)[0]], (20, 3), 29)
    assert_equal(*both(randomness, batch, attention=KINDS, depth=5))


@pytest.mark.usefixtures("kept_mib")
@pytest.mark.parametrize("pieces", [1, 3, 10, 50])
def test_it_agrees_in_any_number_of_pieces(pieces):
    chunks = {"ff_chunks": pieces, "loss_chunks": pieces}
    one = {"ff_chunks": 1, "loss_chunks": 1}
    found = both(attention=("lsh", "local"), **chunks)
    assert_equal(*found)
    assert_equal(found[0], results_of(False, attention=("lsh", "local"), **one))


@pytest.mark.usefixtures("kept_mib")
def test_it_agrees_while_another_thread_draws_random_numbers():
    alone = both(attention=("lsh", "local", "full"), depth=3)
    with another_thread_drawing():
        for _ in range(5):
            for found in both(attention=("lsh", "local", "full"), depth=3):
                assert_equal(found, alone[0])


def test_rounding_does_not_turn_a_hash_in_the_backward_pass():
    """What is added is so large that the first stream comes back rough; its buckets are kept."""
    results = []
    for reversible in (True, False):
        model = reformer(
            attention=("lsh",), buckets=64, length=400, width=32, heads=4, kept_mib=0,
            dtype=torch.float32, reversible=reversible,
        )  # fmt: skip
        with torch.no_grad():
            for layer in (*model.attention, *model.feed_forward):
                getattr(layer, "out" if hasattr(layer, "out") else "narrow").weight.mul_(300)
        results.append(loss_and_gradients(model, batch_of(1, 400)))
    for name, wanted in results[1].items():
        off = (results[0][name] - wanted).norm() / wanted.norm()
        assert off < 0.02, (name, off)  # 0.1 with hashes made again


@pytest.mark.usefixtures("kept_mib")
def test_gradients_add_up_over_two_backward_passes():
    model = reformer(attention=("lsh", "local"), dropout=0.2)
    batch = batch_of(2, 17)
    wanted = loss_and_gradients(model, batch, STEP)
    loss = model.loss(batch, STEP)
    loss.backward(retain_graph=True)
    loss.backward()
    model.loss(batch, STEP).backward()
    for name, parameter in model.named_parameters():
        torch.testing.assert_close(parameter.grad, 3 * wanted[name], rtol=0, atol=1e-9)


@pytest.mark.usefixtures("kept_mib")
@pytest.mark.parametrize("reversible", [True, False])
def test_frozen_weights_leave_the_other_gradients_as_they_are(reversible):
    wanted = loss_and_gradients(reformer(reversible=reversible), batch_of(2, 17))
    for free in wanted.keys() - {"loss"}:
        model = reformer(reversible=reversible)
        for name, parameter in model.named_parameters():
            parameter.requires_grad_(name == free)
        model.loss(batch_of(2, 17)).backward()
        for name, parameter in model.named_parameters():
            assert (parameter.grad is None) == (name != free)
        torch.testing.assert_close(model.get_parameter(free).grad, wanted[free], rtol=0, atol=1e-10)


@pytest.mark.usefixtures("kept_mib")
def test_every_weight_learns():
    for changes in ({}, {"tied_embeddings": True}, {"positions": "learned"}):
        model = reformer(attention=KINDS, depth=5, **changes)
        model.loss(batch_of(2, 29)).backward()
        for name, parameter in model.named_parameters():
            assert parameter.grad is not None and parameter.grad.any(), name


def kept_bytes(depth, **changes):
    """What there is between the forward and the backward pass, in bytes."""
    model = reformer(attention=("lsh", "local"), depth=depth, length=100, kept_mib=0, **changes)
    batch = batch_of(2, 100)
    with Made(model) as made:
        loss = model.loss(batch, STEP)
        return made.alive_bytes() if loss.requires_grad else 0


@pytest.mark.parametrize("dropout", [0, 0.1])
def test_what_is_kept_hardly_grows_with_depth(dropout):
    """Only by bucket ids: int16, for 2 rows, rounds and heads, in every other layer."""
    ids, activations = 2 * 2 * 2 * 100 * 2, 2 * 100 * 16 * 8
    small, large = (kept_bytes(depth, dropout=dropout) for depth in (2, 8))
    assert large - small <= 3 * ids
    small, large = (kept_bytes(depth, dropout=dropout, reversible=False) for depth in (2, 8))
    assert large - small > 6 * 2 * activations


@pytest.mark.parametrize("kind", KINDS)
def test_checkpointing_changes_nothing(kind):
    plain, again = (
        loss_and_gradients(
            reformer(attention=(kind,), reversible=False, checkpointing=checkpointing, dropout=0.2),
            batch_of(2, 27),
            STEP,
        )
        for checkpointing in (False, True)
    )
    assert_equal(again, plain, atol=0)


def test_checkpointing_keeps_little_beside_the_streams():
    def growth(checkpointing):
        changes = {"dropout": 0.1, "reversible": False, "checkpointing": checkpointing}
        return kept_bytes(8, **changes) - kept_bytes(2, **changes)

    streams = 6 * 2 * 2 * 100 * 16 * 8
    assert growth(True) < 1.3 * streams
    assert growth(False) > 5 * streams


@pytest.mark.parametrize("part", ["attention", "feed-forward", "wide"])
@pytest.mark.parametrize("kind", KINDS)
def test_any_layers_may_keep_what_they_need(kind, part, monkeypatch):
    wanted = results_of(False, attention=(kind,), depth=3)
    for depths in ((0,), (1,), (2,), (0, 2)):
        kept = {_Kept("feed-forward", depth) for depth in depths if part == "wide"}
        kept |= {_Kept(part, depth) for depth in depths}
        monkeypatch.setattr(ReformerLM, "_kept", lambda *_, kept=kept: frozenset(kept))
        assert_equal(results_of(True, attention=(kind,), depth=3), wanted, 1e-10)


@pytest.mark.parametrize("stream_mib", [1, 3, 6])
def test_what_is_kept_keeps_within_its_memory(stream_mib):
    model = reformer(width=8, heads=1, depth=3, attention=("lsh", "local"), kept_mib=25)
    kept = model._kept(torch.empty(1, stream_mib << 14, 8, dtype=torch.float64), None)
    sizes = {"attention": 3, "feed-forward": 1, "wide": 4}
    used = sum(sizes[each.what] for each in kept) * stream_mib
    assert min(25, 24 * stream_mib) - 4 * stream_mib < used <= 25


@pytest.mark.parametrize(
    ("last", "parts"), [("local", {"attention", "feed-forward"}), ("lsh", set())]
)
def test_a_last_block_that_does_little_keeps_little_unless_it_looks_far(last, parts):
    """Of a stream of 8 MiB, only 1/64 is needed; far attention still makes 3 streams."""
    model = reformer(width=8, heads=1, depth=2, attention=("full", last), kept_mib=10)
    x = torch.empty(1, 1 << 17, 8, dtype=torch.float64)
    kept = model._kept(x, slice(0, 1 << 11))
    assert parts == {each.what for each in kept if each.depth == 1 and each.what != "wide"}
