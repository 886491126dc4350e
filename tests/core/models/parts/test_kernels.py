"""Every kernel gives what plain products give, and autograd's gradients of them."""

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from core.models.parts.kernels import (
    attend,
    attend_backward,
    attend_plainly,
    attend_plainly_backward,
)

SCALE = 0.3
DEVICES = [
    "cpu",
    pytest.param(
        "cuda",
        marks=[
            pytest.mark.gpu,
            pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device"),
        ],
    ),
]


def blocks(queries, keys, device="cpu", dtype=torch.float32):
    """q, k, v, a bias that hides some keys for all heads alike, and a gradient."""
    source = torch.Generator().manual_seed(queries + keys)
    shapes = [(3, 2, size, 8) for size in (queries, keys, keys, queries)]
    q, k, v, grad = (torch.randn(shape, generator=source, dtype=dtype) for shape in shapes)
    hidden = torch.rand(3, 1, queries, keys, generator=source) < 0.3
    hidden[..., 0] = False
    bias = torch.zeros(hidden.shape, dtype=dtype).masked_fill_(hidden, -1e30)
    return [x.to(device) for x in (q, k, v, bias, grad)]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("sizes", [(32, 64), (20, 40), (7, 21), (1, 5)])
def test_the_fused_kernel_is_the_plain_products(sizes, device):
    q, k, v, bias, grad = blocks(*sizes, device)
    out, logs = attend(q, k, v, bias, SCALE)
    plain, plain_logs = attend_plainly(q, k, v, bias, SCALE)
    torch.testing.assert_close(out, plain)
    torch.testing.assert_close(logs, plain_logs)
    found = attend_backward(grad, q, k, v, out, logs, bias, SCALE)
    wanted = attend_plainly_backward(grad, q, k, v, plain, plain_logs, bias, SCALE)
    torch.testing.assert_close(found, wanted)


@pytest.mark.parametrize("backward", [attend_backward, attend_plainly_backward])
def test_gradients_are_autograd_s_also_of_a_part_of_the_keys(backward):
    q, k, v, bias, grad = blocks(4, 12, dtype=torch.float64)
    leaves = [x.requires_grad_() for x in (q, k, v)]
    scores = torch.einsum("nhmk,nhwk->nhmw", q, k) * SCALE + bias
    whole, logs = torch.einsum("nhmw,nhwk->nhmk", scores.softmax(-1), v), scores.logsumexp(-1)
    wanted = torch.autograd.grad((whole * grad).sum(), leaves)
    parts = [slice(0, 5), slice(5, 12)]
    with torch.no_grad():
        found = [
            backward(grad, q, k[:, :, part], v[:, :, part], whole, logs, bias[..., part], SCALE)
            for part in parts
        ]
    torch.testing.assert_close(sum(dq for dq, _, _ in found), wanted[0])
    torch.testing.assert_close(torch.cat([dk for _, dk, _ in found], 2), wanted[1])
    torch.testing.assert_close(torch.cat([dv for _, _, dv in found], 2), wanted[2])


@pytest.mark.parametrize("sizes", [(32, 64), (48, 96), (20, 40), (7, 21), (1, 5)])
def test_on_cuda_the_library_s_kernels_take_what_we_give_them(sizes):
    # Without a device: shapes and arguments only, by the library's own description of its kernels.
    with FakeTensorMode(allow_non_fake_inputs=True), torch.no_grad():
        q, k, v, grad = (torch.empty(3, 2, sizes[i], 8, device="cuda") for i in (0, 1, 1, 0))
        bias = torch.empty(3, 1, *sizes, device="cuda")
        out, logs = attend(q, k, v, bias, SCALE)
        found = attend_backward(grad, q, k, v, out, logs, bias, SCALE)
    assert out.shape == q.shape
    assert logs.shape == q.shape[:-1]
    assert [x.shape for x in found] == [q.shape, k.shape, v.shape]
