"""What is read of a Hugging Face folder besides its weights: tokenizer, prompt, way of writing."""

import re
from pathlib import Path
from typing import Any

from core.data.prompts import prompted
from core.data.special_tokens import find_special_tokens
from core.data.tokenizer import Tokenizer
from core.data.tokenizer_trial import check_tokenizer as try_tokenizer
from core.decoding.settings import DecodingSettings
from core.errors import EpitomeError
from core.models.hugging_face.files import read_tokenizer_settings
from core.models.hugging_face.folder import TOKENIZER_FILE, check_tokenizer
from core.models.hugging_face.settings import HuggingFaceSettings
from core.models.special_tokens import SpecialTokens
from core.training.tokenizer_conversion import converted

_NAMES = {
    "num_beams": "beams", "length_penalty": "length_penalty",
    "no_repeat_ngram_size": "block_repeats",
}  # fmt: skip
_BRACKETS = re.compile(r"\[(PAD|UNK|CLS|SEP|X_SEP|MASK)\]")
_PROPHETNET, _PROPHETNET_END = "prophetnet.tokenizer", "[SEP]"
_ENDS_OF_SEARCH = {True: "full", False: "likely", "never": "certain"}


def open_tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer of a folder; one without `tokenizer.json` is converted by the library.

    Args:
        folder: The model's.

    Returns:
        The tokenizer.

    Raises:
        EpitomeError: If there is none, or it cannot be read or converted.
    """
    if (folder / TOKENIZER_FILE).is_file():
        return Tokenizer.load(folder)
    check_tokenizer(folder)
    return _converted(folder)


def _converted(folder: Path) -> Tokenizer:
    if (folder / _PROPHETNET).is_file():  # the library has no fast tokenizer for it
        return _wordpiece(folder)
    import tokenizers

    text = converted(folder)
    try_tokenizer(folder, text)
    engine = tokenizers.Tokenizer.from_str(text)
    return Tokenizer(engine, find_special_tokens(engine, folder))


def _wordpiece(folder: Path) -> Tokenizer:
    """ProphetNet's tokenizer: BERT's, with an end but no beginning."""
    import tokenizers
    from tokenizers import decoders, models, normalizers, pre_tokenizers, processors

    lower = bool(read_tokenizer_settings(folder).get("do_lower_case", True))
    vocabulary = models.WordPiece.read_file(str(folder / _PROPHETNET))
    end = vocabulary.get(_PROPHETNET_END)
    if end is None:
        raise EpitomeError(
            f"The tokenizer {folder / _PROPHETNET} lacks the token {_PROPHETNET_END}.",
            "Take the model's folder from where it was first published.",
            kind="no-tokenizer",
        )
    engine = tokenizers.Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    engine.normalizer = normalizers.BertNormalizer(lowercase=lower)
    engine.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    engine.decoder = decoders.WordPiece()
    engine.add_special_tokens([token for token in vocabulary if _BRACKETS.fullmatch(token)])
    engine.post_processor = processors.TemplateProcessing(
        single=f"$A {_PROPHETNET_END}", special_tokens=[(_PROPHETNET_END, end)]
    )
    return Tokenizer(engine, find_special_tokens(engine, folder))


def with_prompt(tokenizer: Tokenizer, settings: HuggingFaceSettings) -> Tokenizer:
    """A model's tokenizer that frames sources as the model's settings say.

    Args:
        tokenizer: The model's.
        settings: Its prompt, and the chat template round it.

    Returns:
        The tokenizer.

    Raises:
        EpitomeError: If the frame leaves no room for a text.
    """
    made = prompted(tokenizer, settings.prompt, settings.opening, settings.closing)
    check_room(settings, made.special)
    return made


def check_room(settings: HuggingFaceSettings, special: SpecialTokens) -> None:
    """Refuses a prompt that takes more than half of what the model reads.

    Args:
        settings: How much that is.
        special: The frame.

    Raises:
        EpitomeError: If the prompt is too long.
    """
    size = len(special.before) + len(special.after)
    if 2 * size > settings.source_length:
        raise EpitomeError(
            f"The prompt has {size} tokens, more than half of the {settings.source_length} that "
            "the model reads at once.",
            "Shorten the prompt.",
        )


def decoding_of(settings: HuggingFaceSettings) -> DecodingSettings:
    """How a model writes as its authors meant it; our defaults where they say nothing.

    Args:
        settings: The model's.

    Returns:
        The settings; lengths without the tokens that its texts begin with.
    """
    said = settings.generation_values
    values: dict[str, Any] = {ours: said[name] for name, ours in _NAMES.items() if said.get(name)}
    values["end_of_search"] = _ENDS_OF_SEARCH.get(said.get("early_stopping"), "likely")
    values["max_length"], values["min_length"] = _lengths(settings, said)
    try:
        return DecodingSettings.checked(values)
    except EpitomeError:  # values that mean nothing here, such as blocking of single tokens
        return DecodingSettings(max_length=values["max_length"])


def _lengths(settings: HuggingFaceSettings, said: dict[str, Any]) -> tuple[int, int]:
    """The most and the fewest tokens that are written."""
    if settings.is_chat:
        return settings.target_length, 0
    begun = 1 + (said.get("forced_bos_token_id") is not None)
    longest = max(1, settings.target_length - begun)
    longest = min(longest, max(1, int(said.get("max_length") or longest + begun) - begun))
    shortest = max(0, int(said.get("min_length") or 0) - begun)
    return longest, min(shortest, longest)
