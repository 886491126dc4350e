"""What the folder of a GPT-2 model says of its sizes; torch is not loaded."""

from pathlib import Path
from typing import Any

from core.errors import EpitomeError
from core.models.hugging_face.files import CONFIG_FILE, is_model_folder, read_json
from core.models.language_model.settings import LanguageModelSettings

_REMEDY = "Choose the folder of another model."
# What this program computes; by name in the configuration, with what is meant where it is missing.
_KNOWN: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "activation_function": ("gelu_new", ("gelu_new", "gelu_pytorch_tanh")),
    "layer_norm_epsilon": (1e-5, (1e-5,)),
    "scale_attn_weights": (True, (True,)),
    "scale_attn_by_inverse_layer_idx": (False, (False,)),
    "add_cross_attention": (False, (False,)),
}


class GPT2Settings(LanguageModelSettings):
    """The settings of a folder of the form of GPT-2, until a run takes it over."""

    @property
    def free_fields(self) -> frozenset[str]:
        """As `ModelSettings`: what is no size of the model, or may be less than it."""
        return frozenset({
            "source_embeddings", "dropout", "length", "checkpointing", "smear", "pointer",
            "loss_chunks",
        })  # fmt: skip

    def with_free_fields(self, values: dict[str, Any]) -> LanguageModelSettings:
        """As `ModelSettings`."""
        free = {name: values[name] for name in self.free_fields & {*values}}
        return LanguageModelSettings.checked(self.model_dump() | free)


def is_gpt2_folder(folder: Path) -> bool:
    """True if a folder holds a model of the form of GPT-2, and no run of this program."""
    if not is_model_folder(folder):
        return False
    return read_json(folder / CONFIG_FILE).get("model_type") == "gpt2"


def settings_of_folder(folder: Path) -> GPT2Settings:
    """The settings of a model of the form of GPT-2.

    Args:
        folder: With its `config.json`.

    Returns:
        Its sizes and its dropout; source embeddings are added.

    Raises:
        EpitomeError: If the file cannot be read, or names what this program does not compute.
    """
    config = read_json(folder / CONFIG_FILE)
    for name, (usual, known) in _KNOWN.items():
        if (value := config.get(name, usual)) not in known:
            raise EpitomeError(
                f"The model in {folder} has “{name}” {value}; {known[0]} is supported.", _REMEDY
            )
    sizes = {
        "vocabulary_size": config.get("vocab_size"),
        "length": config.get("n_positions", config.get("n_ctx")),
        "width": config.get("n_embd"),
        "depth": config.get("n_layer"),
        "heads": config.get("n_head"),
    }
    missing = [name for name, value in sizes.items() if value is None]
    if missing:
        told = f"The configuration in {folder} lacks the {missing[0].replace('_', ' ')}."
        raise EpitomeError(told, _REMEDY)
    return GPT2Settings.checked(
        sizes
        | {
            "feed_forward_width": config.get("n_inner"),
            "tied_embeddings": config.get("tie_word_embeddings", True),
            "dropout": config.get("resid_pdrop", 0.1),
        }
    )
