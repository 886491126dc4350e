"""The settings of all model families, told apart by `family`.

A new family is one settings class here, and one line in `core.models.builders`.
"""

from core.models.hugging_face.settings import HuggingFaceSettings
from core.models.language_model.settings import PRESETS as LANGUAGE_MODELS
from core.models.language_model.settings import LanguageModelSettings
from core.models.reformer.encoder_decoder_settings import ReformerEncoderDecoderSettings
from core.models.reformer.settings import PRESETS as REFORMERS
from core.models.reformer.settings import ReformerSettings
from core.models.special_tokens import SpecialTokens
from core.models.transformer.settings import PRESETS as TRANSFORMERS
from core.models.transformer.settings import TransformerSettings
from core.settings import SettingsChoice

SequenceSettings = ReformerSettings | LanguageModelSettings
"""Language models: document and summary are one sequence of up to `length` tokens."""

PairSettings = ReformerEncoderDecoderSettings | TransformerSettings | HuggingFaceSettings
"""Encoder-decoders: a source of up to `source_length` and a target of up to `target_length`."""

ModelSettings = SequenceSettings | PairSettings

DEFAULT_FAMILY = "reformer"
BUILT_FAMILIES = SettingsChoice(
    "family",
    {
        DEFAULT_FAMILY: ReformerSettings,
        "reformer-encoder-decoder": ReformerEncoderDecoderSettings,
        "transformer": TransformerSettings,
        "language-model": LanguageModelSettings,
    },
    DEFAULT_FAMILY,
)
"""Families whose models are built from options."""

BuiltPreset = ReformerSettings | TransformerSettings | LanguageModelSettings
PRESETS: dict[str, BuiltPreset] = {
    str(name): preset
    for each in (REFORMERS, TRANSFORMERS, LANGUAGE_MODELS)
    for name, preset in each.items()
}
"""Sizes to begin with, and those of the papers; each name tells its family."""

FAMILIES = SettingsChoice(
    "family",
    {**BUILT_FAMILIES.classes, "hugging-face": HuggingFaceSettings},
    DEFAULT_FAMILY,
    elsewhere={"hugging-face": "name a Hugging Face folder with --from"},
)
"""All families; a Hugging Face model comes from a folder."""


def source_room(model: ModelSettings, special: SpecialTokens, written: int) -> int:
    """How many tokens of a document a model reads at once.

    Args:
        model: The model's.
        special: The ids of special tokens.
        written: How many tokens are written of it at most; a language model keeps room for them,
            half of its length at most.

    Returns:
        One or more.
    """
    if isinstance(model, PairSettings):
        return max(1, model.source_length - len(special.before) - len(special.after))
    return max(1, model.length - min(written, model.length // 2) - 1)
