"""Softmax attention over blocks, forward and backward, with its log-sum-exp.

On a CPU and on CUDA by the library's fused kernels, elsewhere, and where a kernel cannot take the
sizes, by plain products; all take and give the same. The backward pass takes output and
log-sum-exp as they are after all rounds were merged, which is what the library's own autograd does
not offer.

Letters: n blocks, H heads, m queries, W keys, K width of a head.
"""

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import pad

_cpu: Any = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu
_cpu_backward: Any = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward
_cuda: Any = torch.ops.aten._scaled_dot_product_efficient_attention
_cuda_backward: Any = torch.ops.aten._scaled_dot_product_efficient_attention_backward
# The CUDA kernel reads vectors and bias in steps of 16 bytes, and log-sum-exps by the 32.
_CUDA_STEP, _CUDA_LOGS = 4, 32


def attend(q: Tensor, k: Tensor, v: Tensor, bias: Tensor, scale: float) -> tuple[Tensor, Tensor]:
    """What queries find among their keys.

    Args:
        q: [n, H, m, K], float32 or float64.
        k: [n, H, W, K].
        v: [n, H, W, K].
        bias: [n, H or 1, m, W], added to the scores.
        scale: Factor of the scores.

    Returns:
        [n, H, m, K] the weighted values; [n, H, m] the log-sum-exp of the scores.
    """
    if q.device.type == "cpu":
        out, logs = _cpu(q, k, v, 0.0, False, attn_mask=bias, scale=scale)
        return out, logs
    if _cuda_takes(q, k):
        out, logs, *_ = _cuda(q, k, v, _for_heads(bias, q), True, scale=scale)
        return out, logs.narrow(-1, 0, q.shape[2])
    return attend_plainly(q, k, v, bias, scale)


def attend_backward(
    grad: Tensor,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    out: Tensor,
    logs: Tensor,
    bias: Tensor,
    scale: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """Gradients of `attend`, as one part of a softmax over more keys than these.

    Args:
        grad: [n, H, m, K], the gradient of the whole softmax's output.
        q: [n, H, m, K], as in `attend`.
        k: [n, H, W, K].
        v: [n, H, W, K].
        out: [n, H, m, K], the output of the whole softmax.
        logs: [n, H, m], its log-sum-exp.
        bias: [n, H or 1, m, W].
        scale: Factor of the scores.

    Returns:
        Gradients of q, k and v, of their shapes.
    """
    if q.device.type == "cpu":
        dq, dk, dv = _cpu_backward(
            grad, q, k, v, out, logs, 0.0, False, attn_mask=bias, scale=scale
        )
        return dq, dk, dv
    if _cuda_takes(q, k):
        # Queries that are not there weigh nothing; the generator's state is for dropout alone.
        logs = pad(logs, (0, -logs.shape[-1] % _CUDA_LOGS), value=torch.inf).contiguous()
        state = torch.zeros((), dtype=torch.int64, device=q.device)
        wanted = [True, True, True, False]
        dq, dk, dv, _ = _cuda_backward(
            grad, q, k, v, _for_heads(bias, q), out, logs, state, state, 0.0, wanted, scale=scale
        )
        return dq, dk, dv
    return attend_plainly_backward(grad, q, k, v, out, logs, bias, scale)


def attend_plainly(
    q: Tensor, k: Tensor, v: Tensor, bias: Tensor, scale: float
) -> tuple[Tensor, Tensor]:
    """`attend` by plain products, on any device and of any size."""
    scores = torch.matmul(q, k.transpose(-1, -2)).mul_(scale).add_(bias)
    logs = torch.logsumexp(scores, -1)
    return torch.matmul(scores.sub_(logs.unsqueeze(-1)).exp_(), v), logs


def attend_plainly_backward(
    grad: Tensor,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    out: Tensor,
    logs: Tensor,
    bias: Tensor,
    scale: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """`attend_backward` by plain products, on any device and of any size."""
    scores = torch.matmul(q, k.transpose(-1, -2)).mul_(scale).add_(bias)
    weights = scores.sub_(logs.unsqueeze(-1)).exp_()
    pull = torch.matmul(grad, v.transpose(-1, -2)).sub_((grad * out).sum(-1, keepdim=True))
    pull.mul_(weights).mul_(scale)
    return (
        torch.matmul(pull, k),
        torch.matmul(pull.transpose(-1, -2), q),
        torch.matmul(weights.transpose(-1, -2), grad),
    )


def _cuda_takes(q: Tensor, k: Tensor) -> bool:
    return (
        q.device.type == "cuda"
        and q.dtype == torch.float32
        and q.shape[-1] % _CUDA_STEP == 0
        and k.shape[2] % _CUDA_STEP == 0
    )


def _for_heads(bias: Tensor, q: Tensor) -> Tensor:
    return bias.expand(-1, q.shape[1], -1, -1)
