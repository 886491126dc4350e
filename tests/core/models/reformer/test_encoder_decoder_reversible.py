"""The reversible stacks are the plain ones, but for what they keep."""

import threading

import pytest
import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode

from core.models.batch import PairBatch
from core.models.parts.randomness import Randomness
from core.models.reformer.encoder_decoder import ReformerEncoderDecoder
from tests.helpers.encoder_decoders import (
    STEP,
    encoder_decoder,
    mixed_pair,
    pair_of,
    plain_twin,
    results,
    rows_of,
)
from tests.helpers.reformers import CLOSE, assert_equal

THREE = Randomness(run=1, step=2, rows=(4, 0, 7))
KEPT = {
    "recomputed": lambda model, layers, x, memory: [],
    "even kept": lambda model, layers, x, memory: range(0, len(layers), 2),
    "odd kept": lambda model, layers, x, memory: range(1, len(layers), 2),
    "last kept": lambda model, layers, x, memory: [len(layers) - 1],
    "kept": lambda model, layers, x, memory: range(len(layers)),
}


@pytest.fixture(params=list(KEPT))
def keeping(request, monkeypatch):
    """Whichever layers keep their activations, the results must be right."""
    monkeypatch.setattr(ReformerEncoderDecoder, "_kept", KEPT[request.param])


def both(pair=None, randomness=STEP, **changes):
    """Loss and gradients of the reversible stacks and of the plain ones."""
    changes = {"dropout": 0.2, **changes}
    return [
        results(encoder_decoder(reversible=reversible, **changes), pair or pair_of(), randomness)
        for reversible in (True, False)
    ]


@pytest.mark.parametrize("depths", [(1, 1), (2, 3), (3, 1)])
@pytest.mark.parametrize("shared_layers", [True, False])
def test_they_agree_with_the_plain_stacks(shared_layers, depths, keeping):
    encoder, decoder = depths
    changes = {"encoder_depth": encoder, "decoder_depth": decoder, "shared_layers": shared_layers}
    assert_equal(*both(**changes))


@pytest.mark.parametrize("randomness", [None, THREE], ids=["evaluation", "training"])
def test_they_agree_on_padded_rows(randomness, keeping):
    assert_equal(*both(mixed_pair(), randomness))


def test_they_agree_while_another_thread_draws_random_numbers():
    alone, done, started = both(), threading.Event(), threading.Event()

    def draw():
        while not done.is_set():
            torch.rand(7)
            started.set()

    thread = threading.Thread(target=draw)
    thread.start()
    started.wait()
    try:
        for found in both():
            assert_equal(found, alone[0])
    finally:
        done.set()
        thread.join()


@pytest.mark.parametrize("reversible", [True, False])
def test_the_memorys_gradient_is_the_sum_over_the_layers(reversible, keeping, monkeypatch):
    """In the twin each layer looks at a copy of its own."""
    model, pair = encoder_decoder(decoder_depth=3, reversible=reversible), mixed_pair()
    memory = model.encode(pair[0]).detach().requires_grad_()
    monkeypatch.setattr(model, "encode", lambda source, randomness: memory)
    logits = model(*pair)
    pull = torch.randn(17, 31, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    for row, (read, written) in enumerate(zip(*map(rows_of, pair), strict=True)):
        copies = [memory[row].detach().clone().requires_grad_() for _ in range(3)]
        plain = plain_twin(model, pair, row).logits(copies, read[1], *written)
        there = torch.tensor(written[1])
        wanted = torch.autograd.grad((plain * pull)[there].sum(), copies)
        (found,) = torch.autograd.grad((logits[row] * pull)[there].sum(), memory, retain_graph=True)
        assert all(each.any() for each in wanted)
        torch.testing.assert_close(found[row], sum(wanted), **CLOSE)
        assert found[row][torch.tensor(read[1])].any(1).all()
        assert not found[row][~torch.tensor(read[1])].any()


def test_gradients_add_up_over_two_backward_passes(keeping):
    model, pair = encoder_decoder(dropout=0.2), pair_of()
    wanted = results(model, pair, STEP)
    loss = model.loss(PairBatch(*pair), STEP)
    loss.backward(retain_graph=True)
    loss.backward()
    model.loss(PairBatch(*pair), STEP).backward()
    for name, parameter in model.named_parameters():
        torch.testing.assert_close(parameter.grad, 3 * wanted[name], rtol=0, atol=1e-9)


@pytest.mark.parametrize("reversible", [True, False])
def test_frozen_weights_leave_the_other_gradients_as_they_are(reversible):
    model = encoder_decoder(reversible=reversible, encoder_depth=1, decoder_depth=1)
    pair = pair_of()
    wanted = results(model, pair)
    for free in wanted.keys() - {"loss"}:
        for name, parameter in model.named_parameters():
            parameter.requires_grad_(name == free)
            parameter.grad = None
        model.loss(PairBatch(*pair)).backward()
        for name, parameter in model.named_parameters():
            assert (parameter.grad is None) == (name != free)
        torch.testing.assert_close(model.get_parameter(free).grad, wanted[free], rtol=0, atol=1e-10)


class Made(TorchDispatchMode):
    """Remembers all that is made, without keeping it alive."""

    def __init__(self, model):
        super().__init__()
        self._made = {}
        self._weights = {weight.untyped_storage()._cdata for weight in model.parameters()}

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        for each in result if isinstance(result, tuple | list) else [result]:
            if isinstance(each, torch.Tensor):
                storage = each.untyped_storage()
                if storage._cdata not in self._weights:
                    self._made[storage._cdata] = StorageWeakRef(storage), storage.nbytes()
        return result

    def alive_bytes(self):
        """What is still there, in bytes."""
        return sum(size for storage, size in self._made.values() if not storage.expired())


def kept_bytes(**changes):
    """What there is between the forward and the backward pass, in bytes."""
    model = encoder_decoder(source_length=400, target_length=100, width=32, **changes)
    pair = pair_of(2, 400, 100)
    with Made(model) as made:
        loss = model.loss(PairBatch(*pair), STEP)
        return made.alive_bytes() if loss.requires_grad else 0


@pytest.mark.parametrize("dropout", [0, 0.1])
@pytest.mark.parametrize("side", ["encoder", "decoder"])
def test_what_is_kept_does_not_grow_with_depth(side, dropout):
    def growth(**changes):
        few, many = (
            kept_bytes(**{f"{side}_depth": depth}, dropout=dropout, **changes) for depth in (2, 6)
        )
        return many - few

    stream = 2 * 8 * 32 * (400 if side == "encoder" else 100)
    assert growth(kept_mib=0) <= stream / 100
    assert growth(reversible=False) > 4 * 10 * stream


def test_no_more_is_kept_than_the_settings_allow():
    nothing = kept_bytes(kept_mib=0)
    for mib in (1, 2, 4):
        # Each side may keep as much.
        assert 0.5 < (kept_bytes(kept_mib=mib) - nothing) / (mib * 2**20) <= 2
