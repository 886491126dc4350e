"""What is read of a Hugging Face folder besides its weights: tokenizer, prompt, way of writing."""

from pathlib import Path
from typing import Any

from core.data.prompts import prompted
from core.data.special_tokens import find_special_tokens
from core.data.tokenizer import Tokenizer
from core.data.tokenizer_engine import BoundedEngine
from core.decoding.settings import DecodingSettings
from core.errors import EpitomeError
from core.models.hugging_face.folder import TOKENIZER_FILE, check_tokenizer
from core.models.hugging_face.settings import HuggingFaceSettings
from core.models.settings import ModelSettings, PairSettings
from core.models.special_tokens import SpecialTokens
from core.training.tokenizer_conversion import converted

_NAMES = {
    "num_beams": "beams", "length_penalty": "length_penalty",
    "no_repeat_ngram_size": "block_repeats",
}  # fmt: skip
_ENDS_OF_SEARCH: dict[bool | str, str] = {True: "full", False: "likely", "never": "certain"}
_UNUSED: dict[str, Any] = {
    "do_sample": False, "repetition_penalty": 1.0, "encoder_repetition_penalty": 1.0,
    "encoder_no_repeat_ngram_size": 0, "num_beam_groups": 1, "diversity_penalty": 0.0,
    "exponential_decay_length_penalty": None, "bad_words_ids": None, "force_words_ids": None,
    "sequence_bias": None, "suppress_tokens": None, "begin_suppress_tokens": None,
    "guidance_scale": 1.0, "penalty_alpha": 0.0,
}  # fmt: skip
"""What changes a text of the library's, and the value with which it does not."""


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
    engine = BoundedEngine(folder, converted(folder))
    return Tokenizer(engine, find_special_tokens(engine, folder))


def with_prompt(tokenizer: Tokenizer, model: ModelSettings) -> Tokenizer:
    """A model's tokenizer that frames sources as the model's settings say.

    Args:
        tokenizer: The model's.
        model: The settings of a Hugging Face model: its prompt, and the chat template round it.

    Returns:
        The tokenizer.

    Raises:
        EpitomeError: If the frame leaves no room for a text.
    """
    settings = HuggingFaceSettings.require(model)
    made = prompted(tokenizer, settings.prompt, settings.opening, settings.closing)
    check_room(settings, made.special)
    return made


def check_room(model: ModelSettings, special: SpecialTokens) -> None:
    """Refuses a prompt that takes more than half of what the model reads.

    Args:
        model: The model's settings.
        special: The frame.

    Raises:
        EpitomeError: If the prompt is too long.
    """
    settings = PairSettings.require(model)
    size = len(special.before) + len(special.after)
    if 2 * size > settings.source_length:
        raise EpitomeError(
            f"The prompt has {size} tokens, more than half of the {settings.source_length} that "
            "the model reads at once.",
            "Shorten the prompt.",
        )


def decoding_of(settings: HuggingFaceSettings) -> DecodingSettings:
    """How a model writes as its authors meant it.

    Where they say nothing, it writes as the library would: without blocking. A chat model then
    writes as our defaults are.

    Args:
        settings: The model's.

    Returns:
        The settings; lengths without the tokens that its texts begin with.
    """
    longest, shortest = _lengths(settings)
    values = {} if settings.is_chat else {"block_repeats": 0}
    values |= {ours: value for ours, value in _said(settings).values() if _is_allowed(ours, value)}
    return DecodingSettings.checked(values | {"max_length": longest, "min_length": shortest})


def unused_note(settings: HuggingFaceSettings) -> str:
    """Names what the model's authors set for writing and this program does not do.

    Args:
        settings: The model's.

    Returns:
        One sentence; empty where that is nothing.
    """
    said = settings.generation_values
    names = [name for name, usual in _UNUSED.items() if said.get(name) not in (None, usual)]
    names += [name for name, own in _said(settings).items() if not _is_allowed(*own)]
    if not names:
        return ""
    *others, last = sorted(names)
    told = f"{', '.join(others)} and {last}" if others else last
    return (
        f"The model's authors also set {told}, which Epitome does not use: its texts differ from "
        "theirs."
    )


def _said(settings: HuggingFaceSettings) -> dict[str, tuple[str, Any]]:
    """By the authors' names, ours and the values: 0 is one, too."""
    said = settings.generation_values
    found = {name: (ours, said[name]) for name, ours in _NAMES.items() if name in said}
    ending = said.get("early_stopping")
    if ending is not None:
        means = _ENDS_OF_SEARCH.get(ending) if isinstance(ending, bool | str) else None
        found["early_stopping"] = ("end_of_search", means)
    return {name: own for name, own in found.items() if said[name] is not None}


def _is_allowed(name: str, value: Any) -> bool:
    """Whether a value means something here; blocking of single tokens does not."""
    try:
        DecodingSettings.checked({name: value})
    except EpitomeError:
        return False
    return True


def _lengths(settings: HuggingFaceSettings) -> tuple[int, int]:
    """The most and the fewest tokens that are written."""
    said = settings.generation_values
    forced = 0 if said.get("forced_bos_token_id") is None else 1
    begun = 0 if settings.is_chat else 1 + forced
    longest = max(1, settings.target_length - begun)
    if new := _whole(said.get("max_new_tokens")):  # as the library has it, this comes first
        longest = min(longest, max(1, new - forced))
    elif not settings.is_chat and (whole := _whole(said.get("max_length"))):
        longest = min(longest, max(1, whole - begun))
    if settings.is_chat:
        return longest, 0
    shortest = max(
        0, _whole(said.get("min_length")) - begun, _whole(said.get("min_new_tokens")) - forced
    )
    return longest, min(shortest, longest)


def _whole(value: Any) -> int:
    """A number of tokens; 0 for what is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
