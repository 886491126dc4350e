"""Finds the special tokens of a tokenizer that others trained."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from core.data.tokenizer_engine import Engine
from core.errors import EpitomeError, explained
from core.models.special_tokens import SPECIAL, SpecialTokens
from core.storage.parsing import parse_json
from core.storage.regular_files import read_regular

_MOST_BYTES = 8_000_000  # the values of a JSON file take up to forty times its size
_CONFIGS = ("tokenizer_config.json", "special_tokens_map.json")
# For each: what configuration files call it, and how the token is usually spelt.
_NAMES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "pad": (("pad_token",), ("<pad>", "[PAD]", SPECIAL[0])),
    "end": (
        ("eos_token", "sep_token"),
        ("</s>", "<eos>", "[SEP]", "<|endoftext|>", "<|im_end|>", SPECIAL[1]),
    ),
    "mask": (("mask_token",), ("<mask>", "[MASK]", "<mask_2>", "<extra_id_0>", SPECIAL[3])),
}


def find_special_tokens(engine: Engine, folder: Path) -> SpecialTokens:
    """Finds the special tokens of a tokenizer that others trained.

    Args:
        engine: The tokenizer; tokens for summary and mask are added behind its vocabulary if it
            has none.
        folder: Where its configuration files lie.

    Returns:
        The ids. Where nothing is meant for padding, the end token fills rows.

    Raises:
        EpitomeError: If no token ends a text.
    """
    named = _named_tokens(folder)
    found = {what: _known(engine, what, named) for what in _NAMES}
    if found["end"] is None:
        raise EpitomeError(
            f"The tokenizer in {folder} has no token that ends a text.",
            "Name it as “eos_token” in tokenizer_config.json beside it.",
        )
    end = found["end"]
    pad = end if found["pad"] is None else found["pad"]
    summary = _id_or_added(engine, SPECIAL[2])
    mask = _id_or_added(engine, SPECIAL[3]) if found["mask"] is None else found["mask"]
    return SpecialTokens(pad, end, summary, mask, *frame_of(engine))


def _named_tokens(folder: Path) -> dict[str, str]:
    """What configuration files call the special tokens."""
    named: dict[str, str] = {}
    for name in _CONFIGS:
        values: object = None
        what, remedy = f"{folder / name} cannot be read", "Correct the file, or delete it."
        try:
            with explained(what, remedy), suppress(FileNotFoundError):
                values = parse_json(read_regular(folder / name, _MOST_BYTES))
        except ValueError as error:
            raise EpitomeError(f"{what} ({error}).", remedy) from error
        for key, value in values.items() if isinstance(values, dict) else ():
            token = value.get("content") if isinstance(value, dict) else value
            if key.endswith("_token") and isinstance(token, str):
                named.setdefault(key, token)
    return named


def _known(engine: Engine, what: str, named: dict[str, str]) -> int | None:
    keys, spellings = _NAMES[what]
    found = engine.token_ids([*_values(named, keys), *spellings])
    return next((number for number in found if number is not None), None)


def _values(named: dict[str, str], keys: tuple[str, ...]) -> Iterator[str]:
    return (named[key] for key in keys if key in named)


def _id_or_added(engine: Engine, token: str) -> int:
    engine.add_token(token)
    (number,) = engine.token_ids([token])
    assert number is not None
    return number


def frame_of(engine: Engine) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The ids that a tokenizer puts before and behind a single text."""
    (bare,), framed = engine.encode(["a"]), engine.encode_framed("a")
    extra = len(framed) - len(bare)
    starts = [at for at in range(extra + 1) if framed[at : at + len(bare)] == bare]
    start = starts[0] if starts else 0
    return tuple(framed[:start]), tuple(framed[start + len(bare) :])
