"""The family of the models of the Hugging Face library, and of GGUF files."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.models.family import BF16, ModelFamily, SettingsChange
from core.models.hugging_face.files import is_model_folder
from core.models.hugging_face.settings import HuggingFaceSettings
from core.models.layer_stack import ChunkedStack
from core.models.sizes import count_feed_forward
from core.numbers import format_count
from core.storage.parsing import parse_json

if TYPE_CHECKING:
    from core.models.protocol import Decodable, Model
    from core.models.special_tokens import SpecialTokens

_LORA_TARGETS = 2  # of each attention: the projections of queries and of values
_NAMES = {
    "bart": "BART", "mbart": "mBART", "led": "LED", "t5": "T5", "longt5": "LongT5",
    "pegasus": "PEGASUS", "pegasus_x": "PEGASUS-X", "bigbird_pegasus": "BigBird-PEGASUS",
    "prophetnet": "ProphetNet", "llama": "Llama", "mistral": "Mistral", "qwen2": "Qwen 2",
}  # fmt: skip


class HuggingFaceFamily(ModelFamily[HuggingFaceSettings]):
    """Encoder-decoders and chat models that come from a folder or a file."""

    def make_decoder(self, model: "Model", special: "SpecialTokens") -> "Decodable[Any]":
        """As `ModelFamily`."""
        from core.models.hugging_face.by_length import ByLengthDecoder, needs_equal_lengths
        from core.models.hugging_face.decoding import ChatDecoder, HuggingFaceDecoder
        from core.models.hugging_face.global_attention import global_attention

        opened: Any = model
        settings: HuggingFaceSettings = opened.settings
        end, *other_ends = settings.end_ids(special)
        made = (ChatDecoder if settings.is_chat else HuggingFaceDecoder)(
            opened.inner,
            settings.start_ids(special),
            end,
            special.before,
            special.after,
            other_ends,
            partial(global_attention, settings),
            settings.source_length,
        )
        if settings.is_chat and needs_equal_lengths(opened.inner):
            return ByLengthDecoder(made, opened.inner.device)
        return made

    def num_parameters(self, settings: HuggingFaceSettings) -> int:
        """As `ModelFamily`; about, as the library's layers differ."""
        if settings.is_gguf:
            return settings.num_parameters
        config: dict[str, Any] = parse_json(settings.architecture)
        width, (layers, decoders) = _width(config), _layers(settings, config)
        attention = 4 * width * width + 6 * width
        if settings.is_chat:
            inner = int(config.get("intermediate_size", 4 * width))
            block = attention + 3 * width * inner  # a gate beside the two projections
            tables = 1 if config.get("tie_word_embeddings") else 2
            return tables * settings.vocabulary_size * width + layers * block
        inner = int(config.get("encoder_ffn_dim", config.get("d_ff", 4 * width)))
        places = int(config.get("max_position_embeddings", 0) or 0)
        if settings.is_led:
            places = (settings.longest("encoder") + settings.longest("decoder")) // 2
        block = attention + count_feed_forward(width, inner)
        return (
            settings.vocabulary_size * width
            + 2 * places * width
            + layers * (block + (attention if settings.is_led else 0))
            + decoders * (block + attention)
        )

    def num_trained(self, settings: HuggingFaceSettings) -> int:
        """As `ModelFamily`; with LoRA about as many as it adds."""
        if not settings.lora_rank:
            return self.num_parameters(settings)
        config: dict[str, Any] = parse_json(settings.architecture)
        encoders, decoders = _layers(settings, config)
        targets = settings.lora_targets
        named = targets.count(",") + 1 if targets else _LORA_TARGETS
        return (encoders + 2 * decoders) * named * 2 * settings.lora_rank * _width(config)

    def stacks(self, settings: HuggingFaceSettings, rows: int) -> tuple[ChunkedStack, ...]:
        """As `ModelFamily`."""
        config: dict[str, Any] = parse_json(settings.architecture)
        width = int(config.get("d_model", config.get("hidden_size", 512)))
        inner = _first_set(config, ("encoder_ffn_dim", "d_ff", "intermediate_size"), 4 * width)
        names = ("encoder_layers", "num_layers", "num_encoder_layers", "num_hidden_layers")
        depth = _first_set(config, names, 6)
        decoders = int(
            config.get("decoder_layers", config.get("num_decoder_layers", depth) or depth)
        )
        kind, window = ("local", max(settings.windows) // 2) if settings.is_led else ("full", 64)
        sides = [
            (settings.source_length, depth, 0, kind),
            (settings.target_length, decoders, settings.source_length, "full"),
        ]
        if settings.is_chat:  # one stack reads both
            sides = [(settings.row_length, depth, 0, "full")]
        return tuple(
            ChunkedStack(
                rows, length, width, inner, layers, (each,) * layers, window, 1, 8, False,
                settings.checkpointing, 0, 1, memory, 3,
                is_causal=bool(memory) or settings.is_chat,
            )
            for length, layers, memory, each in sides
        )  # fmt: skip

    def attention_kinds(self, settings: HuggingFaceSettings) -> tuple[str, ...]:
        """As `ModelFamily`: each architecture has its own."""
        return ()

    def savings(self, settings: HuggingFaceSettings) -> list[SettingsChange]:
        """As `ModelFamily`: the sizes of an imported model stay."""
        return []

    def kind(self, settings: HuggingFaceSettings) -> str:
        """As `ModelFamily`."""
        if settings.is_gguf:
            return f"chat model, {settings.kind_words}"
        name = _NAMES.get(settings.model_type, settings.model_type.replace("_", "-"))
        return f"{name} chat model" if settings.is_chat else f"{name} encoder-decoder"

    def describe(self, settings: HuggingFaceSettings) -> list[tuple[str, str]]:
        """As `ModelFamily`."""
        facts = super().describe(settings)
        if settings.is_led:
            windows = ", ".join(map(format_count, dict.fromkeys(settings.windows)))
            facts.append(("Window", f"{windows} tokens"))
            facts.append(("Global attention", settings.global_words))
        return facts

    def describe_import(self, settings: HuggingFaceSettings, prompt: str) -> list[tuple[str, str]]:
        """As `ModelFamily`."""
        facts = [("Architecture", settings.kind_words)]
        if settings.is_led:
            windows = ", ".join(map(str, dict.fromkeys(settings.windows)))
            facts.append(("Attention", f"window of {windows}; global: {settings.global_words}"))
        return [*facts, ("Prompt", " ".join((prompt or settings.prompt).split()))]

    def load_weights(self, model: "Model", settings: HuggingFaceSettings, path: Path) -> None:
        """As `ModelFamily`; what LoRA has learnt becomes part of the weights."""
        opened: Any = model
        opened.take(self.merge_weights(settings, path), path)

    def merge_weights(self, settings: HuggingFaceSettings, path: Path) -> dict[str, Any]:
        """As `ModelFamily`."""
        from core.models.hugging_face.lora import merged
        from core.models.weights import read_tensors

        return merged(read_tensors(path), settings)

    def owns_folder(self, folder: Path) -> bool:
        """As `ModelFamily`."""
        return is_model_folder(folder)

    def read_folder(self, folder: Path) -> HuggingFaceSettings:
        """As `ModelFamily`."""
        from core.models.hugging_face.folder import read_settings

        return read_settings(folder)

    def load_folder(self, model: "Model", folder: Path) -> None:
        """As `ModelFamily`."""
        opened: Any = model
        opened.read_folder(folder)

    def check_ctranslate2(self, settings: HuggingFaceSettings) -> str:
        """As `ModelFamily`."""
        from core.models.hugging_face.ctranslate2_form import unknown

        return unknown(settings)


def _width(config: dict[str, Any]) -> int:
    return _first(config, ("d_model", "hidden_size", "n_embd"), 512)


def _first(config: dict[str, Any], names: tuple[str, ...], usual: int) -> int:
    """The value of the first name that a configuration has."""
    return int(next((config[name] for name in names if name in config), usual))


def _first_set(config: dict[str, Any], names: tuple[str, ...], usual: int) -> int:
    """The value of the first name for which a configuration has more than 0."""
    return int(next((config[name] for name in names if config.get(name)), usual))


def _layers(settings: HuggingFaceSettings, config: dict[str, Any]) -> tuple[int, int]:
    """Layers that read, and layers that attend to those; a chat model only has the first."""
    if settings.is_chat:
        return _first(config, ("num_hidden_layers", "n_layer", "n_layers"), 6), 0
    layers = int(config.get("encoder_layers", config.get("num_layers", 6)))
    return layers, int(
        config.get("decoder_layers", config.get("num_decoder_layers", layers) or layers)
    )


HUGGING_FACE = HuggingFaceFamily(
    HuggingFaceSettings,
    "Hugging Face model",
    "core.models.hugging_face.model:HuggingFaceModel",
    "core.models.hugging_face.decoding:HuggingFaceDecoder",
    source="name a Hugging Face folder with --from",
    own_vocabulary=True,
    # The library's dropout draws anew for each part of a step.
    fixed_fields=frozenset({"accumulate"}),
    switches=(BF16,),
    chunks_loss=False,
)
