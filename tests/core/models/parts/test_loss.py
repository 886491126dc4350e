"""Cross-entropy in pieces is cross-entropy, with its gradients, near 0 and far away."""

import pytest
import torch
import torch.nn.functional as F

from core.models.batch import NO_LOSS
from core.models.parts import loss as loss_part
from core.models.parts.loss import cross_entropy_sum
from tests.helpers import reformer_twin as twin


def parts(length=13, vocabulary=7, width=4, size=1.0, seed=0):
    source = torch.Generator().manual_seed(seed)
    options = {"generator": source, "dtype": torch.float64}
    hidden = torch.randn(2, length, width, **options) * size
    weight, bias = torch.randn(vocabulary, width, **options), torch.randn(vocabulary, **options)
    labels = torch.randint(0, vocabulary, (2, length), generator=source)
    labels[torch.rand(2, length, generator=source) < 0.4] = NO_LOSS
    return hidden, weight, bias, labels


def with_gradients(loss, *leaves):
    leaves = [leaf.clone().requires_grad_() for leaf in leaves]
    value = loss(*leaves)
    return value.detach(), *torch.autograd.grad(value * 1.7, leaves)


@pytest.mark.parametrize("size", [0.01, 1.0, 30.0, 3000.0])
@pytest.mark.parametrize("pieces", [None, 1, 3, 50])
@pytest.mark.parametrize("chances", [1, 20, 1 << 19])
def test_it_is_its_twin(chances, pieces, size, monkeypatch):
    monkeypatch.setattr(loss_part, "_CHANCES_AT_ONCE", chances)
    *leaves, labels = parts(size=size)

    def plain(hidden, weight, bias):
        rows = hidden @ weight.T + bias
        return sum(
            twin.cross_entropy(row, row_labels.tolist(), NO_LOSS)
            for row, row_labels in zip(rows, labels, strict=True)
        )

    found = with_gradients(lambda h, w, b: cross_entropy_sum(h, w, b, labels, pieces), *leaves)
    for ours, wanted in zip(found, with_gradients(plain, *leaves), strict=True):
        torch.testing.assert_close(ours, wanted, rtol=1e-12, atol=1e-10)


@pytest.mark.parametrize("pieces", [None, 3])
@pytest.mark.parametrize("chances", [20, 1 << 19])
@pytest.mark.parametrize("smoothing", [0.1, 0.7])
def test_smoothed_it_is_the_librarys(smoothing, chances, pieces, monkeypatch):
    monkeypatch.setattr(loss_part, "_CHANCES_AT_ONCE", chances)
    *leaves, labels = parts(size=3.0)

    def plain(hidden, weight, bias):
        logits = F.linear(hidden, weight, bias).flatten(0, 1)
        return F.cross_entropy(logits, labels.flatten(), reduction="sum", label_smoothing=smoothing)

    found = with_gradients(
        lambda h, w, b: cross_entropy_sum(h, w, b, labels, pieces, smoothing), *leaves
    )
    for ours, wanted in zip(found, with_gradients(plain, *leaves), strict=True):
        torch.testing.assert_close(ours, wanted, rtol=1e-12, atol=1e-10)


def test_it_needs_no_bias():
    hidden, weight, bias, labels = parts()
    zero = torch.zeros_like(bias)
    found = with_gradients(lambda h, w: cross_entropy_sum(h, w, None, labels), hidden, weight)
    wanted = with_gradients(lambda h, w: cross_entropy_sum(h, w, zero, labels), hidden, weight)
    for ours, plain in zip(found, wanted, strict=True):
        torch.testing.assert_close(ours, plain, rtol=0, atol=1e-12)


@pytest.mark.parametrize("pieces", [1, 4])
def test_gradcheck(pieces):
    *leaves, labels = parts(length=5)
    leaves = [leaf.requires_grad_() for leaf in leaves]
    assert torch.autograd.gradcheck(
        lambda h, w, b: cross_entropy_sum(h, w, b, labels, pieces), leaves
    )


def test_float32_is_as_near_as_the_librarys():
    """From sure and right, over even chances, to sure and wrong."""
    for size in (0.01, 1, 10, 100, 10_000):
        hidden, weight, bias, labels = parts(length=200, size=size)
        exact = cross_entropy_sum(hidden, weight, bias, labels)
        rough = cross_entropy_sum(hidden.float(), weight.float(), bias.float(), labels)
        logits = F.linear(hidden.float(), weight.float(), bias.float()).flatten(0, 1)
        theirs = F.cross_entropy(logits, labels.flatten(), reduction="sum")
        assert (rough - exact).abs() <= 2 * (theirs - exact).abs() + 1e-5 * exact


def test_a_sure_answer_costs_next_to_nothing_and_a_wrong_one_what_it_should():
    weight = torch.tensor([[1.0], [-1.0]])
    hidden = torch.tensor([[[500.0]]])
    assert cross_entropy_sum(hidden, weight, None, torch.tensor([[0]])).item() == 0
    wrong = hidden.clone().requires_grad_()
    loss = cross_entropy_sum(wrong, weight, None, torch.tensor([[1]]))
    assert loss.item() == pytest.approx(1000)
    assert torch.autograd.grad(loss, wrong)[0].item() == pytest.approx(2)


def test_without_a_gradient_none_is_made():
    *leaves, labels = parts()
    with torch.no_grad():
        loss = cross_entropy_sum(*leaves, labels)
    assert not loss.requires_grad
    frozen = [leaves[0].requires_grad_(), *leaves[1:]]
    (gradient,) = torch.autograd.grad(cross_entropy_sum(*frozen, labels), frozen[0])
    assert not gradient[labels == NO_LOSS].any()
