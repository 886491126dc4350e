"""How the models of papers are trained; values that are not named keep their defaults."""

from typing import Any

_POST_NORM_ADAM: dict[str, Any] = {
    "steps": 10_000,  # told for paper 4; fewer would hardly leave the warm-up
    "too_long": "start",
    "learning_rate": 1e-3,
    "schedule": "inverse-square-root",
    "warm_up": 4000,
    "adam_beta2": 0.98,
    "adam_epsilon": 1e-9,
    "smoothing": 0.1,
}
_ADAPTED: dict[str, Any] = {
    "domain_adaptive": 0.5,  # 10 of 20 epochs
    "too_long": "start",
    "best_by": "rouge",
}
TRAINING_PRESETS: dict[str, dict[str, Any]] = {
    # Faster Transformers for text summarization cuts sources at 400 tokens and tells no more: as
    # Vaswani et al. (2017), section 5, with the steps of paper 4.
    "paper-2": _POST_NORM_ADAM,
    # Analysis of Transformers applied to abstractive text summarization (2020), its table 1. With
    # 4,000 steps of warm-up, the rate of Vaswani et al. for width 256 peaks at 0.00099.
    "paper-4": _POST_NORM_ADAM,
    # Efficient adaptation of pretrained transformers (2019), with a rate for first weights, and
    # fewer summaries in validation.
    "paper-5": {**_ADAPTED, "learning_rate": 1e-3, "rouge_rows": 50},
    # Its section 4; the decay of weights is that of GPT's fine-tuning.
    "paper-5-gpt": {
        **_ADAPTED,
        "learning_rate": 6.25e-5,
        "batch": 64,
        "optimizer": "adamw",
        "weight_decay": 0.01,
        "validate_every": 1000,
        "validate_rows": 500,
        "rouge_rows": 500,
    },
}
"""By name of a preset in `core.models.settings.PRESETS`, fields of `TrainSettings`."""

_BEAM_3: dict[str, Any] = {"beams": 3, "max_length": 110}
DECODING_PRESETS: dict[str, dict[str, Any]] = {"paper-5": _BEAM_3, "paper-5-gpt": _BEAM_3}
"""By name of a preset, fields of `DecodingSettings`; trigrams are never repeated by default."""
