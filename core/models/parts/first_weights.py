"""The first weights of a model, drawn from its seed alone."""

import math

import torch
from torch import Tensor, nn

from core.models.parts.randomness import generator

_SPREAD = 0.02
# What tells places apart is a fifth of what tells tokens apart, so that it does not hide them when
# learning begins.
_SHARE_OF_POSITIONS = 0.2


def draw_weights(model: nn.Module, width: int, depth: int, seed: int) -> None:
    """Draws a model's first weights, from the seed alone.

    Args:
        model: Its tables and matrices become normal with spread 0.02, those that write into the
            streams less by the root of twice the depth; those of positions a fifth of what
            `TokenEmbedding` gives; biases 0, norms 1.
        width: Numbers of a token's vector.
        depth: Layers.
        seed: What is drawn from.
    """
    source = generator("weights", seed)
    for name, weight in model.named_parameters():
        if "norm" in name:
            continue
        if weight.dim() == 1:
            nn.init.zeros_(weight)
            continue
        writes = name.endswith(("out.weight", "narrow.weight"))
        spread = _SPREAD / math.sqrt(2 * depth) if writes else _SPREAD
        if "positions." in name:
            spread *= _SHARE_OF_POSITIONS * math.sqrt(width)
        nn.init.normal_(weight, 0.0, spread, source)


@torch.no_grad()
def init_unigram_bias(output: nn.Linear, norm: nn.LayerNorm, counts: Tensor, seed: int) -> None:
    """Lets a model begin by predicting each token as often as it occurs.

    Learning this by steps takes a hundred of them, in which all tokens move along one direction
    and single gradients grow to many times the usual.

    Args:
        output: What makes logits of the normed streams; its table may be that of the embedding.
        norm: The norm before it.
        counts: [V] float, how often each token is to be predicted.
        seed: What the common direction of a table without biases is drawn from.
    """
    logs = (counts + 0.5).log()
    logs -= logs.mean()
    if output.bias is not None:
        output.bias.add_(logs)
        return
    width = output.in_features
    direction = torch.randn(width, generator=generator("frequencies", seed))
    direction -= direction.mean()
    direction /= direction.norm()
    # As long as what is normed, so that a token's own numbers stay visible beside its frequency.
    length = math.sqrt(width)
    norm.bias.add_(length * direction)
    output.weight.add_(torch.outer(logs / length, direction))
