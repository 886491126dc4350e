"""How the models of papers are trained; values that are not named keep their defaults."""

from typing import Any

_POST_NORM_ADAM: dict[str, Any] = {
    "learning_rate": 1e-3,
    "schedule": "inverse-square-root",
    "warm_up": 4000,
    "adam_beta2": 0.98,
    "adam_epsilon": 1e-9,
    "smoothing": 0.1,
}
TRAINING_PRESETS: dict[str, dict[str, Any]] = {
    # Faster Transformers for text summarization gives none: as Vaswani et al. (2017), section 5.
    "paper-2": _POST_NORM_ADAM,
    # Analysis of Transformers applied to abstractive text summarization (2020), its table 1. With
    # 4,000 steps of warm-up, the rate of Vaswani et al. for width 256 peaks at 0.00099.
    "paper-4": _POST_NORM_ADAM,
}
"""By name of a preset in `core.models.settings.PRESETS`, fields of `TrainSettings`."""
