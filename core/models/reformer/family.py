"""The families of the Reformer: language model and encoder-decoder."""

from typing import get_args

from core.models.family import BF16, ONE_LOSS_CHUNK, ModelFamily, SettingsChange
from core.models.layer_stack import ChunkedStack, MemoryFactors
from core.models.reformer.encoder_decoder_settings import ReformerEncoderDecoderSettings
from core.models.reformer.settings import PRESETS, AttentionName, ReformerSettings
from core.models.sizes import count_copying, count_feed_forward, count_output, count_positions

# Products by oneDNN copy what they multiply where it is not laid out as they want it.
# Fitted to the peaks of 43 models and batches on a processor, with an error of 12 % at most.
_FACTORS = MemoryFactors(
    streams=7.4, working=3.9, checkpointed=0.93, stored=1.05, attention=0.8, table=5.6
)
# A decoder keeps what was read; few of its positions carry loss, so the table is not copied.
_PAIR_FACTORS = MemoryFactors(
    streams=7.4, memory=5.9, working=3.9, checkpointed=0.93, stored=1.05, attention=0.8, table=0.0
)
_FULL = {"attention": ("full",)}
_STORED = {"reversible": False}
_CHUNKING = (
    SettingsChange("Nothing kept", {"kept_mib": 0}),
    SettingsChange("One feed-forward chunk", {"ff_chunks": 1}),
    ONE_LOSS_CHUNK,
    BF16,
)


class ReformerFamily(ModelFamily[ReformerSettings]):
    """Language models with hashed attention and reversible layers."""

    def num_parameters(self, settings: ReformerSettings) -> int:
        """As `ModelFamily`."""
        width, vocabulary = settings.width, settings.vocabulary_size
        blocks = 1 if settings.shared_layers else settings.depth
        block = 3 * width * width + 3 * width + count_feed_forward(width, settings.inner_width)
        positions = count_positions(settings.positions, settings.length, width, settings.axial_rows)
        output = count_output(vocabulary, width, is_tied=settings.tied_embeddings)
        copying = count_copying(width, settings.smear, settings.pointer)
        return vocabulary * width + positions + blocks * block + 2 * width + output + copying

    def stacks(self, settings: ReformerSettings, rows: int) -> tuple[ChunkedStack, ...]:
        """As `ModelFamily`."""
        return (
            ChunkedStack(
                rows, settings.length, settings.width, settings.inner_width, settings.depth,
                settings.kinds, settings.bucket_size, settings.rounds, settings.heads,
                settings.reversible, settings.checkpointing, settings.kept_mib,
                settings.ff_chunks, 0, 2,
            ),
        )  # fmt: skip

    def attention_kinds(self, settings: ReformerSettings) -> tuple[str, ...]:
        """As `ModelFamily`."""
        return settings.kinds

    def describe(self, settings: ReformerSettings) -> list[tuple[str, str]]:
        """As `ModelFamily`."""
        layers = f"{settings.depth}, reversible" if settings.reversible else str(settings.depth)
        kinds = dict.fromkeys(kind.replace("lsh", "LSH") for kind in settings.kinds)
        hashed = any("LSH" in kind for kind in kinds)
        rounds = f", {settings.rounds} rounds" if hashed else ""
        attention = " and ".join(kinds) + rounds
        return [*super().describe(settings), ("Layers", layers), ("Attention", attention)]

    def _recomputing(self, settings: ReformerSettings) -> list[SettingsChange]:
        return _reversible_change(settings, {"reversible": True, "checkpointing": False})


class ReformerPairFamily(ModelFamily[ReformerEncoderDecoderSettings]):
    """Encoder-decoders with reversible layers."""

    def num_parameters(self, settings: ReformerEncoderDecoderSettings) -> int:
        """As `ModelFamily`."""
        width, vocabulary = settings.width, settings.vocabulary_size
        depths = (settings.encoder_depth, settings.decoder_depth)
        encoders, decoders = (1, 1) if settings.shared_layers else depths
        attention = 4 * width * width + 3 * width
        encoder = attention + count_feed_forward(width, settings.inner_width)
        tables = 1 if settings.shared_embeddings else 2
        positions = sum(
            count_positions(settings.positions, length, width)
            for length in (settings.source_length, settings.target_length)
        )
        blocks = encoders * encoder + decoders * (encoder + attention)
        output = count_output(vocabulary, width, is_tied=settings.tied_embeddings)
        copying = count_copying(width, 2 * settings.smear, settings.pointer)
        return tables * vocabulary * width + positions + blocks + 4 * width + output + copying

    def stacks(
        self, settings: ReformerEncoderDecoderSettings, rows: int
    ) -> tuple[ChunkedStack, ...]:
        """As `ModelFamily`."""
        encoder = ChunkedStack(
            rows, settings.source_length, settings.width, settings.inner_width,
            settings.encoder_depth, settings.encoder_kinds, settings.window, 1, settings.heads,
            settings.reversible, False, settings.kept_mib, settings.ff_chunks, 0, 3,
            is_causal=False,
        )  # fmt: skip
        decoder = ChunkedStack(
            rows, settings.target_length, settings.width, settings.inner_width,
            settings.decoder_depth, ("full",) * settings.decoder_depth, settings.window, 1,
            settings.heads, settings.reversible, False, settings.kept_mib, settings.ff_chunks,
            settings.source_length, 3,
        )  # fmt: skip
        return (encoder, decoder)

    def attention_kinds(self, settings: ReformerEncoderDecoderSettings) -> tuple[str, ...]:
        """As `ModelFamily`."""
        return settings.encoder_kinds

    def _recomputing(self, settings: ReformerEncoderDecoderSettings) -> list[SettingsChange]:
        return _reversible_change(settings, {"reversible": True})


def _reversible_change(
    settings: ReformerSettings | ReformerEncoderDecoderSettings, values: dict[str, bool]
) -> list[SettingsChange]:
    if not settings.reversible:
        return [SettingsChange("Recompute activations (reversible)", values)]
    return [SettingsChange("Keep no activations", {"kept_mib": 0})] if settings.kept_mib else []


REFORMER = ReformerFamily(
    ReformerSettings,
    "Reformer language model",
    "core.models.reformer.language_model:ReformerLM",
    "core.models.reformer.decoding:ReformerDecoder",
    presets=PRESETS,
    attention_names=get_args(AttentionName),
    switches=(
        SettingsChange("Full attention", _FULL),
        SettingsChange("Stored layers", _STORED),
        SettingsChange("Full attention, stored layers", {**_FULL, **_STORED}),
        SettingsChange("Checkpointing", {**_STORED, "checkpointing": True}),
        *_CHUNKING,
    ),
    memory_factors=_FACTORS,
)
REFORMER_ENCODER_DECODER = ReformerPairFamily(
    ReformerEncoderDecoderSettings,
    "Reformer encoder-decoder",
    "core.models.reformer.encoder_decoder:ReformerEncoderDecoder",
    "core.models.reformer.encoder_decoder_decoding:DecodableEncoderDecoder",
    switches=(
        SettingsChange("Local attention", {"encoder_attention": ("local",)}),
        SettingsChange("Stored layers", _STORED),
        *_CHUNKING,
    ),
    memory_factors=_PAIR_FACTORS,
)
