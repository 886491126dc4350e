"""The family of the decoder-only Transformer; folders of the form of GPT-2 are models of it."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.models.family import BF16, CHECKPOINTED, ONE_LOSS_CHUNK, ModelFamily
from core.models.language_model.gpt2_settings import is_gpt2_folder, settings_of_folder
from core.models.language_model.settings import PRESETS, LanguageModelSettings
from core.models.sizes import count_copying, count_feed_forward, count_output
from core.models.transformer.settings import TransformerSettings
from core.models.transformer.stack import TransformerStack

if TYPE_CHECKING:
    from core.models.protocol import Model


class LanguageModelFamily(ModelFamily[LanguageModelSettings]):
    """Transformers that read article and summary as one sequence."""

    def num_parameters(self, settings: LanguageModelSettings) -> int:
        """As `ModelFamily`."""
        width, vocabulary = settings.width, settings.vocabulary_size
        layer = 4 * width * (width + 1) + 2 * width
        layer += count_feed_forward(width, settings.inner_width)
        last_norm = 2 * width if settings.norm == "pre" else 0
        tables = vocabulary + settings.length + 2 * (settings.source_embeddings != "none")
        output = count_output(vocabulary, width, is_tied=settings.tied_embeddings)
        copying = count_copying(width, settings.smear, settings.pointer)
        return tables * width + settings.depth * layer + last_norm + output + copying

    def stacks(self, settings: LanguageModelSettings, rows: int) -> tuple[TransformerStack, ...]:
        """As `ModelFamily`; its layers are those of an encoder that looks back."""
        layers = TransformerSettings(
            width=settings.width, heads=settings.heads, feed_forward_width=settings.inner_width,
            dropout=settings.dropout, checkpointing=settings.checkpointing,
        )  # fmt: skip
        kinds = ("full",) * settings.depth
        return (
            TransformerStack(layers, rows, settings.length, kinds, is_causal=True, wide_copies=2),
        )

    def describe(self, settings: LanguageModelSettings) -> list[tuple[str, str]]:
        """As `ModelFamily`."""
        return [
            *super().describe(settings),
            ("Layers", str(settings.depth)),
            ("Source embeddings", settings.source_embeddings),
        ]

    def owns_folder(self, folder: Path) -> bool:
        """As `ModelFamily`."""
        return is_gpt2_folder(folder)

    def read_folder(self, folder: Path) -> LanguageModelSettings:
        """As `ModelFamily`."""
        return settings_of_folder(folder)

    def load_folder(self, model: "Model", folder: Path) -> None:
        """As `ModelFamily`."""
        from core.models.language_model.gpt2 import read_gpt2

        opened: Any = model
        read_gpt2(opened, folder)


LANGUAGE_MODEL = LanguageModelFamily(
    LanguageModelSettings,
    "Transformer language model",
    "core.models.language_model.model:LanguageModel",
    "core.models.language_model.decoding:LanguageModelDecoder",
    presets=PRESETS,
    switches=(CHECKPOINTED, ONE_LOSS_CHUNK, BF16),
)
