"""Softmax attention over blocks, forward and backward, with its log-sum-exp.

On a CPU by the library's fused kernel, elsewhere by plain products; both take and give the same.
The backward pass takes output and log-sum-exp as they are after all rounds were merged, which is
what the library's own autograd does not offer.

Letters: n blocks, H heads, m queries, W keys, K width of a head.
"""

from typing import Any

import torch
from torch import Tensor

_fused: Any = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu
_fused_backward: Any = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward


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
        out, logs = _fused(q, k, v, 0.0, False, attn_mask=bias, scale=scale)
        return out, logs
    scores = torch.matmul(q, k.transpose(-1, -2)).mul_(scale).add_(bias)
    logs = torch.logsumexp(scores, -1)
    return torch.matmul(scores.sub_(logs[..., None]).exp_(), v), logs


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
        dq, dk, dv = _fused_backward(
            grad, q, k, v, out, logs, 0.0, False, attn_mask=bias, scale=scale
        )
        return dq, dk, dv
    scores = torch.matmul(q, k.transpose(-1, -2)).mul_(scale).add_(bias)
    weights = scores.sub_(logs[..., None]).exp_()
    pull = torch.matmul(grad, v.transpose(-1, -2)).sub_((grad * out).sum(-1, keepdim=True))
    pull.mul_(weights).mul_(scale)
    return (
        torch.matmul(pull, k),
        torch.matmul(pull.transpose(-1, -2), q),
        torch.matmul(weights.transpose(-1, -2), grad),
    )
