"""Makes a PEGASUS-X of a PEGASUS: one that reads longer texts.

Its layers stay as they are but for attention: the encoder's becomes attention within blocks, whose
borders move by half a block in every other layer, and to global tokens that all attend to. What
PEGASUS-X lacks is left out and told: biases of attention. Positions are sinusoidal in both, but the
library's PEGASUS-X spaces their frequencies by another divisor, so its scale is set such that they
are PEGASUS's. Source: Phang et al. 2022, Investigating Efficiently Extending Transformers for Long
Input Summarization.
"""

import json
from dataclasses import replace
from typing import Any, Final

import torch
from torch import Tensor

from core.models.hugging_face.config_check import POSITION_SCALE
from core.models.hugging_face.conversion import Conversion
from core.models.hugging_face.model import HuggingFaceModel
from core.models.hugging_face.settings import HuggingFaceSettings
from core.storage.parsing import parse_json

GLOBAL_TOKENS: Final = 32
_SCALE = 10_000.0  # of both libraries' sinusoids
_BIASES = tuple(f"{name}_proj.bias" for name in ("q", "k", "v", "out"))


def to_pegasus_x(
    model: HuggingFaceModel, config: dict[str, Any], length: int, block: int,
    global_tokens: int = GLOBAL_TOKENS,
) -> HuggingFaceModel:  # fmt: skip
    """A PEGASUS-X with the weights of a PEGASUS.

    Args:
        model: A PEGASUS.
        config: What both have in common.
        length: Tokens that the new one reads at once.
        block: Tokens of a block.
        global_tokens: How many new global tokens there are; they begin as words of the vocabulary.

    Returns:
        The new model.
    """
    half = config["d_model"] // 2
    config = config | {
        "model_type": "pegasus_x",
        "is_encoder_decoder": True,
        "max_position_embeddings": length,
        "block_size": block,
        "num_global_tokens": global_tokens,
        "stagger_local_blocks": True,
        "scale_embedding": parse_json(model.settings.architecture).get("scale_embedding", True),
        POSITION_SCALE: _SCALE ** ((half - 1) / half),
    }
    settings = model.settings.model_dump() | {
        "architecture": json.dumps(config), "source_length": length,
    }  # fmt: skip
    made = HuggingFaceModel(HuggingFaceSettings.checked(settings))
    made.inner.load_state_dict(_weights(model.inner.state_dict(), made.inner.state_dict()))
    return made


def _weights(theirs: dict[str, Tensor], wanted: dict[str, Tensor]) -> dict[str, Tensor]:
    made = {name: weight for name, weight in theirs.items() if name in wanted}
    for name in wanted:
        if "global_self_attn_layer_norm" in name:
            made[name] = theirs[name.replace("global_self_attn", "self_attn")].clone()
        elif name.endswith("embed_global.weight"):
            words = theirs["model.shared.weight"]
            chosen = torch.randperm(len(words), generator=torch.Generator().manual_seed(0))
            made[name] = words[chosen[: len(wanted[name])]].clone()
    return made


def largest_bias(model: HuggingFaceModel) -> float:
    """The largest bias of a PEGASUS that PEGASUS-X has no place for; 0 of published ones."""
    weights = model.inner.state_dict()
    lost = [weight for name, weight in weights.items() if name.endswith(_BIASES)]
    lost.append(weights.get("final_logits_bias", torch.zeros(1)))
    return max(float(weight.abs().max()) for weight in lost)


def told_of(report: Conversion, model: HuggingFaceModel) -> Conversion:
    """A report with what is particular to PEGASUS-X."""
    return replace(
        report,
        copies=0.0,
        global_projections=0,
        global_tokens=GLOBAL_TOKENS,
        lost_bias=largest_bias(model),
    )
