"""A reversible stack of any functions: values, gradients, and what it hands back to them."""

import weakref

import pytest
import torch

from core.models.parts.residual import (
    PiecewiseFunction,
    StagedFunction,
    leaf,
    learnt,
    split_evenly,
)
from core.models.parts.reversible import run_plain, run_reversible
from tests.helpers import reformer_twin as twin


class Piecewise(PiecewiseFunction):
    """Works in two pieces."""

    def __init__(self, weight, memory=False):
        self.weight, self.looks, self.written = weight, memory, None

    def weights(self):
        return [self.weight]

    def pieces(self, num_positions):
        first, last = self.written or (0, num_positions)
        return split_evenly(slice(first, last), 2)

    def run(self, x, piece, memory):
        out = torch.tanh(x @ self.weight)
        if self.looks and memory is not None:
            out = out + torch.sigmoid(x) * memory.mean(1, keepdim=True)
        return out


class Staged(StagedFunction):
    """Mixes all positions in its middle, and notes what was decided."""

    def __init__(self, weight, weight_after):
        self.weight, self.weight_after, self.written = weight, weight_after, None
        self.decisions, self.handed_back = 0, []

    def first_weights(self):
        return [self.weight]

    def last_weights(self):
        return [self.weight_after]

    def stages(self, num_positions):
        first, last = self.written or (0, num_positions)
        return split_evenly(slice(0, num_positions), 2), split_evenly(slice(first, last), 3)

    def first(self, x):
        return torch.tanh(x @ self.weight), x.square()

    def pulled_first(self, x, pulls, gradients):
        with torch.enable_grad():
            x, weights = leaf(x), learnt([self.weight])
            found = torch.autograd.grad(self.first(x), [x, *weights], pulls)
        gradients.add(weights, found[1:])
        return found[0]

    def decide(self, parts):
        self.decisions += 1
        return self.decisions

    def middle(self, parts, read, decided):
        self.handed_back.append(decided)
        return parts[0].cumsum(1) * 0.3 + parts[1].flip(1) * 0.1

    def last(self, found, where):
        return torch.tanh(found @ self.weight_after)


def random(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def stack_of(depth, memory=False, shared=False):
    """Functions of both kinds in turn, and all their weights."""
    weights = [random(4, 4, seed=0 if shared else j).requires_grad_() for j in range(2 * depth)]
    weights = weights[:2] * depth if shared else weights
    functions = [
        Staged(weights[2 * j], weights[2 * j + 1]) if j % 2 else Piecewise(weights[2 * j], memory)
        for j in range(depth)
    ]
    used = {id(weight): weight for function in functions for weight in function.weights()}
    return functions, list(used.values())


def reversible(keep):
    return lambda functions, x, memory: run_reversible(functions, x, memory, keep)


RUNS = {
    "plain": run_plain,
    "recomputed": run_reversible,
    "last kept": lambda functions, x, memory: run_reversible(
        functions, x, memory, [len(functions) - 1]
    ),
    "even kept": reversible(range(0, 10, 2)),
    "odd kept": reversible(range(1, 10, 2)),
    "all kept": reversible(range(10)),
}


def results(run, depth, with_memory, shared=False, written=None):
    functions, weights = stack_of(depth, with_memory, shared)
    for function in functions[-2:]:
        function.written = written
    x = random(2, 5, 4, seed=90).requires_grad_()
    memory = random(2, 3, 4, seed=91).requires_grad_() if with_memory else None
    out = run(functions, x, memory)
    leaves = [x, *weights, *([memory] if with_memory else [])]
    return [out.detach(), *torch.autograd.grad((out * random(2, 5, 4, seed=92)).sum(), leaves)]


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("with_memory", [True, False])
@pytest.mark.parametrize("depth", [1, 2, 3, 6])
@pytest.mark.parametrize("name", list(RUNS)[1:])
def test_every_way_is_the_plain_one(name, depth, with_memory, shared):
    found = results(RUNS[name], depth, with_memory, shared)
    wanted = results(run_plain, depth, with_memory, shared)
    for ours, plain in zip(found, wanted, strict=True):
        torch.testing.assert_close(ours, plain, rtol=0, atol=1e-10)


@pytest.mark.parametrize("written", [(0, 2), (1, 4), (4, 5)])
@pytest.mark.parametrize("name", list(RUNS)[1:])
def test_what_is_not_written_keeps_what_it_had(name, written):
    found = results(RUNS[name], 4, True, written=written)
    wanted = results(run_plain, 4, True, written=written)
    for ours, plain in zip(found, wanted, strict=True):
        torch.testing.assert_close(ours, plain, rtol=0, atol=1e-10)


@pytest.mark.parametrize("name", RUNS)
def test_gradcheck(name):
    functions, weights = stack_of(4, memory=True)
    x = random(1, 3, 4, seed=90).requires_grad_()
    memory = random(1, 2, 4, seed=91).requires_grad_()

    def stack(x, memory, *weights):
        left = list(weights)
        for function in functions:
            function.weight = left.pop(0)
            if isinstance(function, Staged):
                function.weight_after = left.pop(0)
        return RUNS[name](functions, x, memory)

    assert torch.autograd.gradcheck(stack, (x, memory, *weights))


@pytest.mark.parametrize("name", RUNS)
def test_it_is_the_twins_blocks(name):
    functions, _ = stack_of(6)
    x = random(1, 5, 4, seed=90)
    first = second = x[0]

    def layer(function):
        return lambda stream: function(stream[None], None)[0]

    for at in range(0, 6, 2):
        first, second = twin.reversible_block(
            first, second, layer(functions[at]), layer(functions[at + 1])
        )
    wanted = (first + second) / 2
    torch.testing.assert_close(RUNS[name](functions, x, None)[0], wanted, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", list(RUNS)[1:])
def test_what_was_decided_is_not_decided_again(name):
    functions, _ = stack_of(4)
    RUNS[name](functions, random(1, 5, 4), None).sum().backward()
    for function in functions[1::2]:
        assert function.decisions == 1
        assert set(function.handed_back) == {1}


@pytest.mark.parametrize("name", RUNS)
def test_input_and_weights_are_left_as_they_were(name):
    functions, weights = stack_of(3)
    x = random(2, 5, 4).requires_grad_()
    before = [each.detach().clone() for each in (x, *weights)]
    RUNS[name](functions, x, None).sum().backward()
    for each, old in zip((x, *weights), before, strict=True):
        assert each.detach().equal(old)


@pytest.mark.parametrize("name", RUNS)
def test_the_backward_pass_can_come_again_if_asked_for(name):
    functions, weights = stack_of(4)
    out = RUNS[name](functions, random(2, 5, 4).requires_grad_(), None).square().sum()
    value = out.item()
    first = torch.autograd.grad(out, weights, retain_graph=True)
    for kept in (True, False):
        again = torch.autograd.grad(out, weights, retain_graph=kept)
        for one, other in zip(first, again, strict=True):
            torch.testing.assert_close(one, other, rtol=0, atol=1e-12)
    assert out.item() == value


@pytest.mark.parametrize("name", RUNS)
def test_what_is_frozen_gets_no_gradient_and_stops_none(name):
    wanted = results(run_plain, 4, True)
    for free in range(len(wanted) - 1):
        functions, weights = stack_of(4, memory=True)
        x, memory = random(2, 5, 4, seed=90), random(2, 3, 4, seed=91)
        leaves = [x, *weights, memory]
        for number, each in enumerate(leaves):
            each.requires_grad_(number == free)
        out = RUNS[name](functions, x, memory)
        (out * random(2, 5, 4, seed=92)).sum().backward()
        torch.testing.assert_close(leaves[free].grad, wanted[free + 1], rtol=0, atol=1e-10)
        assert all(each.grad is None for number, each in enumerate(leaves) if number != free)


@pytest.mark.parametrize("name", RUNS)
def test_nothing_is_made_for_a_backward_pass_that_never_comes(name):
    functions, _ = stack_of(3)
    with torch.no_grad():
        out = RUNS[name](functions, random(2, 5, 4), None)
    assert not out.requires_grad
    torch.testing.assert_close(out, run_plain(functions, random(2, 5, 4), None).detach())


class Doubling:
    """Adds what it reads; what it keeps is noted, and what is left of it when it is needed."""

    def __init__(self, all_kept, alive):
        self.all_kept, self.alive = all_kept, alive

    def weights(self):
        return []

    def add(self, x, total, memory, keep):
        total += x
        kept = torch.zeros(3)
        self.all_kept.append(weakref.ref(kept))
        return kept

    def rewind(self, x, total, dx, dtotal, memory, kept, gradients):
        total -= x
        dx += dtotal
        self.alive.append(sum(one() is not None for one in self.all_kept))


def test_what_is_kept_goes_as_soon_as_it_was_used():
    all_kept, alive = [], []
    x = random(1, 2, 3).requires_grad_()
    out = run_reversible([Doubling(all_kept, alive) for _ in range(4)], x, None)
    out.sum().backward(retain_graph=True)
    out.sum().backward()
    assert alive == [4, 4, 4, 4, 4, 3, 2, 1]
