"""Layers for few rows give what the layers give."""

import pytest
import torch
from torch import nn

from core.models.parts.few_rows import FewRows, FewRowsFeedForward
from core.models.parts.modules import FeedForward

NEAR = {"rtol": 0, "atol": 1e-12}


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("size", [1, 7, 12, 64])
@torch.no_grad()
def test_a_linear_layer(size: int, bias: bool) -> None:
    """Also of sizes that cannot be cut into pieces; what comes out can be viewed by row."""
    layer = nn.Linear(10, size, bias=bias).double()
    few_rows = FewRows(layer.weight, layer.bias)
    for count in (1, 2, 5, 70):
        x = torch.randn(count, 10, dtype=torch.float64)
        found = few_rows(x)
        assert found.is_contiguous()
        torch.testing.assert_close(found, layer(x), **NEAR)


@torch.no_grad()
def test_a_feed_forward_layer() -> None:
    layer = FeedForward(10, 24).double()
    few_rows = FewRowsFeedForward(layer)
    for count in (1, 3):
        x = torch.randn(count, 10, dtype=torch.float64)
        torch.testing.assert_close(few_rows(x), layer(x), **NEAR)


def test_weights_are_not_copied() -> None:
    layer = nn.Linear(8, 16)
    few_rows = FewRows(layer.weight, layer.bias)
    x = torch.randn(2, 8)
    with torch.no_grad():
        layer.weight.zero_()
    torch.testing.assert_close(few_rows(x), layer.bias.detach().expand(2, -1))
