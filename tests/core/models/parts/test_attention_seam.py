"""A kind of attention with weights of its own fits into a layer, and no other file changes."""

from collections.abc import Sequence
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.models.parts.attention_kinds import AttentionKind, LocalAttention
from core.models.parts.layers import AttentionLayer, FeedForwardLayer, Pass
from core.models.parts.modules import FeedForward, SharedAttention
from core.models.parts.randomness import Randomness
from core.models.parts.reversible import run_plain, run_reversible

HEADS, WIDTH, TAPS = 2, 8, 3


class Values(nn.Module):
    """The weights of a layer that compares nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(WIDTH)
        self.values = nn.Linear(WIDTH, WIDTH, bias=False)
        self.out = nn.Linear(WIDTH, WIDTH)

    @property
    def projections(self) -> list[Tensor]:
        return [self.values.weight]

    def project(self, x: Tensor) -> tuple[Tensor]:
        return (self.values(self.norm(x)).unflatten(-1, (HEADS, WIDTH // HEADS)),)

    def join(self, found: Tensor) -> Tensor:
        joined: Tensor = self.out(found.flatten(2))
        return joined


class LightConvolution(AttentionKind):
    """Each head weighs the last positions by numbers of its own, whatever stands there.

    Source: Wu et al., Pay Less Attention with Lightweight and Dynamic Convolutions (2019).
    """

    looks_far = False

    def __init__(self) -> None:
        self.taps = nn.Parameter(torch.randn(HEADS, TAPS, dtype=torch.float64))

    def weights(self) -> list[Tensor]:
        return [self.taps]

    def reads(self, wanted: slice, num_positions: int) -> slice:
        return slice(max(0, wanted.start - TAPS + 1), wanted.stop)

    def attend(self, parts: Sequence[Tensor], present: Tensor | None, decided: Any) -> Tensor:
        (values,) = parts
        before = F.pad(values, (0, 0, 0, 0, TAPS - 1, 0))
        windows = before.unfold(1, TAPS, 1)  # [B, T, H, K, taps]
        return torch.einsum("bthkw,hw->bthk", windows, self.taps.softmax(-1))


def stack(kinds: Sequence[AttentionKind], this_pass: Pass) -> list[Any]:
    torch.manual_seed(0)
    layers: list[Any] = []
    for depth, kind in enumerate(kinds):
        compares = not isinstance(kind, LightConvolution)
        attention = (SharedAttention(WIDTH, HEADS) if compares else Values()).double()
        layers += [
            AttentionLayer(depth, this_pass, attention, kind),
            FeedForwardLayer(depth, this_pass, FeedForward(WIDTH, 16).double()),
        ]
    return layers


@pytest.mark.parametrize("kept", [(), (0, 1, 2, 3)], ids=["recomputed", "kept"])
@pytest.mark.parametrize("needed", [None, slice(7, 11)], ids=["all", "some"])
def test_a_kind_with_weights_learns_the_same_in_a_reversible_stack(
    kept: tuple[int, ...], needed: slice | None
) -> None:
    torch.manual_seed(1)
    randomness = Randomness(run=1, step=2, rows=(0, 1))
    this_pass = Pass(2, 2, None, randomness, needed, dropout=0.2)
    layers = stack((LightConvolution(), LightConvolution()), this_pass)
    weights = [weight for layer in layers for weight in layer.weights()]
    assert sum(weight.shape == (HEADS, TAPS) for weight in weights) == 2
    x = torch.randn(2, 11, WIDTH, dtype=torch.float64, requires_grad=True)
    where = slice(0, 11) if needed is None else needed
    pull = torch.randn(2, 11, WIDTH, dtype=torch.float64)[:, where]
    found = []
    for out in (run_plain(layers, x, None), run_reversible(layers, x, None, kept)):
        part = out[:, where]
        found.append([part, *torch.autograd.grad((part * pull).sum(), (x, *weights))])
    for plain, reversible in zip(*found, strict=True):
        assert plain.abs().max() > 0
        torch.testing.assert_close(reversible, plain, rtol=0, atol=1e-10)


def test_a_kind_stands_beside_others() -> None:
    layers = stack((LocalAttention(4), LightConvolution()), Pass(2, 1, None, None))
    x = torch.randn(1, 9, WIDTH, dtype=torch.float64)
    again = x.clone()
    again[:, 5:] += 1
    with torch.no_grad():
        before, after = (run_reversible(layers, each, None) for each in (x, again))
    assert before[:, :5].equal(after[:, :5])
    assert not before[:, 5:].equal(after[:, 5:])


@pytest.mark.parametrize("window", [1, 3, 5])
def test_a_local_layer_reads_what_its_positions_see_on_both_sides(window: int) -> None:
    kind = LocalAttention(window, causal=False, self_last=False)
    x = torch.randn(1, 20, WIDTH, dtype=torch.float64)
    module = SharedAttention(WIDTH, HEADS).double()
    some, every = (
        AttentionLayer(0, Pass(1, 1, None, None, needed), module, kind)(x, None)
        for needed in (slice(6, 9), None)
    )
    torch.testing.assert_close(some[:, 6:9], every[:, 6:9], rtol=0, atol=1e-12)
