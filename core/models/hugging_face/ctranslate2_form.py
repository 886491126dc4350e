"""Converts a model of the library to the form of ctranslate2, which is faster on a processor.

The tokens of the converted model are the ids, written out. So two tokens of a vocabulary that
look alike stay apart, and texts need no other tokenizer than the model's own.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from core.errors import EpitomeError
from core.models.hugging_face.model import HuggingFaceModel
from core.models.hugging_face.settings import HuggingFaceSettings
from core.storage.parsing import parse_json

# Whether a layer normalises before attention, and whether embeddings are normalised: what the
# converter reads from config.json, and newer files do not say.
_NORMALISES: Final = {"bart": (False, True), "mbart": (True, True), "pegasus": (True, False)}

KNOWN: Final = frozenset({*_NORMALISES, "t5", "llama", "mistral", "qwen2"})
"""Model types that are converted; each is tested against the library."""
_SCALES: Final = ("default", "linear")  # of rotary positions
_MISTRAL_WINDOW: Final = 4096  # the library's, where a configuration names none


def unknown(settings: HuggingFaceSettings) -> str:
    """What a model has that ctranslate2 does not compute as the library does.

    Its converter passes over scaled positions and widths of heads without a word, and its
    attention within a window gives another text alone than beside others.

    Args:
        settings: The model's.

    Returns:
        What it is, as the object of a sentence; an empty string if the model can be converted.
    """
    kind = settings.model_type
    if kind not in KNOWN:
        return f"models of the kind {kind}"
    if not settings.is_chat:
        return ""
    config = parse_json(settings.architecture)
    rope = config.get("rope_parameters") or config.get("rope_scaling") or {}
    scale = rope.get("rope_type") or rope.get("type") or _SCALES[0]
    if scale not in _SCALES:
        return f"models whose positions are scaled by {scale}"
    width, heads = config.get("head_dim"), config.get("num_attention_heads", 0)
    if kind != "mistral" and width and width * heads != config.get("hidden_size"):
        return f"a {kind} with heads of {width} numbers"
    default = _MISTRAL_WINDOW if kind == "mistral" else None
    is_used = kind == "mistral" or config.get("use_sliding_window")
    window = config.get("sliding_window", default) if is_used else None
    if window and window < settings.source_length + settings.target_length:
        return f"a {kind} with an attention window of {window} tokens"
    return ""


def convert(
    model: HuggingFaceModel, folder: Path, start_ids: Sequence[int], ends: Sequence[int], bits: int
) -> None:
    """Writes a model in the form of ctranslate2.

    Args:
        model: The model; its configuration may be changed.
        folder: Where; it must not be there yet.
        start_ids: What its texts begin with.
        ends: The tokens that end them.
        bits: 32 for its own weights, 8 for rounded ones.

    Raises:
        EpitomeError: If the converter refuses the model.
        OSError: If the folder cannot be written.
    """
    from ctranslate2.converters.converter import Converter
    from ctranslate2.converters.transformers import _MODEL_LOADERS

    inner = model.inner
    if kinds := _NORMALISES.get(model.settings.model_type):
        inner.config.normalize_before, inner.config.normalize_embedding = kinds
    if not hasattr(inner.config, "tokenizer_class"):
        inner.config.tokenizer_class = None
    tokens = _Ids(model.settings.vocabulary_size, start_ids[0], ends[0])

    class Loaded(Converter):  # type: ignore[misc, unused-ignore]
        """Hands over the model that is in memory; nothing is read from its folder."""

        def _load(self) -> Any:
            spec = _MODEL_LOADERS[type(inner.config).__name__](inner, tokens)
            spec.config.eos_token = tokens.eos_token
            if inner.config.is_encoder_decoder:
                spec.config.decoder_start_token = tokens.bos_token
            return spec

    try:
        Loaded().convert(str(folder), quantization="int8" if bits == 8 else None)
    except (ValueError, KeyError, AttributeError, NotImplementedError) as error:
        told = str(error).strip().partition("\n")[0].rstrip(".")
        raise EpitomeError(
            f"ctranslate2 cannot convert this {model.settings.model_type} ({told}).",
            "Choose the engine torch.",
            kind="not-converted",
        ) from error


class _Ids:
    """Stands for a tokenizer whose tokens are the ids.

    Args:
        size: How many there are.
        start: The id that texts begin with.
        end: The id that ends them.
    """

    additional_special_tokens: tuple[str, ...] = ()

    def __init__(self, size: int, start: int, end: int) -> None:
        self._size = size
        self.bos_token = self.pad_token = self.unk_token = str(start)
        self.bos_token_id = self.pad_token_id = self.unk_token_id = start
        self.eos_token, self.eos_token_id = str(end), end

    def __len__(self) -> int:
        return self._size

    def get_vocab(self) -> dict[str, int]:
        """All ids by name."""
        return {str(number): number for number in range(self._size)}

    def convert_ids_to_tokens(self, number: int) -> str:
        """The name of an id."""
        return str(number)
