"""Looks over the values of somebody's config.json that this program and the library build on.

The library checks few of them: a size may be a text, and a number of layers or labels so large
that making them never ends.
"""

from typing import Any, Final

from core.display_names import shown
from core.numbers import format_count

POSITION_SCALE: Final = "epitome_position_scale"
"""In the architecture of a converted PEGASUS-X: the scale of its sinusoidal positions."""

MOST_OF_ONE_KIND: Final = 10_000
"""Layers, heads, labels and what else is counted; the largest models have some hundreds."""

_LARGEST = 2**31 - 1
_SIZES = frozenset({
    "vocab_size", "max_position_embeddings", "max_encoder_position_embeddings",
    "max_decoder_position_embeddings", "n_positions", "d_model", "hidden_size", "encoder_ffn_dim",
    "decoder_ffn_dim", "d_ff", "d_kv", "intermediate_size", "block_size", "max_length",
    "max_new_tokens",
    "bos_token_id", "pad_token_id", "decoder_start_token_id", "forced_bos_token_id",
})  # fmt: skip
_LISTS = frozenset({"eos_token_id", "attention_window", "forced_eos_token_id"})
_OWN_COUNTS = frozenset({
    "encoder_layers", "decoder_layers", "num_layers", "num_decoder_layers", "num_hidden_layers",
})  # fmt: skip


def fault_of(config: dict[str, Any]) -> str:
    """What is wrong with the values.

    Args:
        config: A model's config.json, or its generation_config.json.

    Returns:
        A sentence; empty where nothing is.
    """
    for name, value in config.items():
        most = MOST_OF_ONE_KIND if _is_count(name) else _LARGEST
        needed = _is_count(name) or name in _SIZES or name in _LISTS
        may_be_list = name in _LISTS or (_is_count(name) and name not in _OWN_COUNTS)
        values = value if may_be_list and isinstance(value, list) else [value]
        is_whole = value is None or all(_is_number(each, most) for each in values)
        if needed and not is_whole:
            told = shown(str(value)[:40])
            return (
                f"“{name}” was “{told}”; a whole number from 0 to {format_count(most)} is allowed."
            )
    tasks = config.get("task_specific_params")
    if not isinstance(tasks, dict | None) or not isinstance(
        (tasks or {}).get("summarization"), dict | None
    ):
        return "“task_specific_params” holds no settings by the names of tasks."
    scale = config.get(POSITION_SCALE)
    if scale is not None and not (_is_real(scale) and config.get("model_type") == "pegasus_x"):
        return (
            f"“{POSITION_SCALE}” was “{shown(str(scale)[:40])}”; only PEGASUS-X has one, a number."
        )
    summarization = (tasks or {}).get("summarization")
    return fault_of(summarization) if summarization else ""


def _is_count(name: str) -> bool:
    return name.startswith("num_") or name.endswith(("_layers", "_heads"))


def _is_real(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and 0 < value < _LARGEST


def _is_number(value: Any, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most
