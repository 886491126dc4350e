"""The family of the encoder-decoder Transformer."""

from core.models.family import BF16, CHECKPOINTED, ONE_LOSS_CHUNK, ModelFamily, SettingsChange
from core.models.sizes import count_copying, count_output
from core.models.transformer.settings import PRESETS, TransformerSettings
from core.models.transformer.stack import TransformerStack

_KINDS = {
    "Full attention": ("full",),
    "Local attention": ("local",),
    "Shifted local attention": ("local", "shifted"),
    "Light convolutions": ("light-convolution",),
    "Memory-compressed attention": ("memory-compressed",),
}


class TransformerFamily(ModelFamily[TransformerSettings]):
    """Encoder-decoders whose attention may be local, compressed or a convolution."""

    def num_parameters(self, settings: TransformerSettings) -> int:
        """As `ModelFamily`."""
        width, norms, vocabulary = settings.width, 2 * settings.width, settings.vocabulary_size
        last_norms = 2 * norms if settings.norm == "pre" else 0
        feed_forward = 2 * width * settings.inner_width + settings.inner_width + width
        encoder = sum(_self_layer(settings, kind) for kind in settings.encoder_kinds)
        encoder += settings.encoder_depth * (feed_forward + 2 * norms)
        decoder = sum(_self_layer(settings, kind) for kind in settings.decoder_kinds)
        decoder += settings.decoder_depth * (
            _self_layer(settings, "full") + feed_forward + 3 * norms
        )
        merging = sum(each * width * width + width for each in settings.strides)
        tables = 1 if settings.shared_embeddings else 2
        is_learned = settings.positions == "learned"
        places = settings.memory_length + settings.target_length if is_learned else 0
        output = count_output(vocabulary, width, is_tied=settings.tied_embeddings)
        copying = count_copying(width, 2 * settings.smear, settings.pointer)
        around = places * width + merging + last_norms + output + copying
        return tables * vocabulary * width + encoder + decoder + around

    def stacks(self, settings: TransformerSettings, rows: int) -> tuple[TransformerStack, ...]:
        """As `ModelFamily`."""
        merged = settings.source_length if settings.shortening > 1 else 0
        memory = settings.memory_length
        return (
            TransformerStack(settings, rows, memory, settings.encoder_kinds, merged=merged),
            TransformerStack(
                settings, rows, settings.target_length, settings.decoder_kinds, memory,
                is_causal=True,
            ),
        )  # fmt: skip

    def attention_kinds(self, settings: TransformerSettings) -> tuple[str, ...]:
        """As `ModelFamily`."""
        return settings.encoder_kinds

    def describe(self, settings: TransformerSettings) -> list[tuple[str, str]]:
        """As `ModelFamily`."""
        sides = (settings.encoder_kinds, settings.decoder_kinds)
        return [
            *super().describe(settings),
            ("Layers", f"{settings.encoder_depth} + {settings.decoder_depth}"),
            ("Attention", " + ".join(" and ".join(dict.fromkeys(kinds)) for kinds in sides)),
        ]


def _self_layer(settings: TransformerSettings, kind: str) -> int:
    """Counts the weights of an attention layer, or of what replaces it."""
    width, inner = settings.width, settings.heads * settings.size_of_head
    out = inner * width + width
    if kind == "light-convolution":
        return 2 * inner * (width + 1) + settings.heads * settings.kernel_size + out
    compressing = 2 * (settings.compression * inner * inner + inner)
    return 3 * width * inner + out + (compressing if kind == "memory-compressed" else 0)


TRANSFORMER = TransformerFamily(
    TransformerSettings,
    "Transformer encoder-decoder",
    "core.models.transformer.model:Transformer",
    "core.models.transformer.decoding:TransformerDecoder",
    presets=PRESETS,
    switches=(
        *(SettingsChange(title, {"encoder_attention": kinds}) for title, kinds in _KINDS.items()),
        SettingsChange("Source shortened by 4", {"shortening": 4}),
        CHECKPOINTED,
        ONE_LOSS_CHUNK,
        BF16,
    ),
)
