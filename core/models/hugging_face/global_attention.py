"""Which tokens of a source have global attention in a Longformer encoder-decoder (LED).

A token with global attention attends to all tokens, and all attend to it. LED has projections of
its own for it, which learn nothing unless the mask is passed in training and in decoding alike.
"""

from typing import Any

import torch
from torch import Tensor

from core.models.hugging_face.settings import HuggingFaceSettings


def global_attention(
    settings: HuggingFaceSettings, tokens: Tensor, present: Tensor
) -> dict[str, Any]:
    """What the library's encoder is told besides tokens and mask.

    Args:
        settings: Which tokens have global attention.
        tokens: [B, T] of the sources; padding stands behind them.
        present: [B, T] int64, 0 at padding.

    Returns:
        `global_attention_mask`, [B, T] int64; nothing for models without global attention.
    """
    if settings.global_attention == "none":
        return {}
    mask = torch.zeros_like(present)
    mask[:, : settings.global_tokens] = 1
    if settings.global_attention == "sentence-ends":
        ends = torch.tensor(settings.sentence_ends, device=tokens.device)
        mask |= torch.isin(tokens, ends).long()
    return {"global_attention_mask": mask * present}
