"""Tries a tokenizer of others in a process of its own, before this one loads it.

The library is compiled: a file that was made to do harm can end its process, fill the memory or
never return. What `core.data.tokenizer` trains itself has a shape that cannot, and is not tried.
"""

import hashlib
import sys
from pathlib import Path
from typing import Any

from core.bounded_child import ask
from core.errors import EpitomeError
from core.parsing import parse_json

_WAIT_S = 30.0
_MEMORY_MIB = 4096
_REMEDY = "Train it again with epitome tokenizer, or take it from where it was first published."
_CODE = "from core.data.tokenizer_trial import main; main()"
_PARTS = {
    "version", "truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer",
    "post_processor", "decoder", "model",
}  # fmt: skip
_EMPTY_PARTS = ("truncation", "padding", "normalizer", "post_processor")
# Words, signs and scripts as texts have them, and what patterns that backtrack never leave.
_SAMPLES = (
    "The separator of the cell is cast directly onto the cathode, at 20 °C in 1998.",
    "Überall 人工智能 и так далее 👩‍🔬\u202e\u0301\ud7ff",
    "a" * 2000 + "!",
    " " * 2000 + "x",
    "ab" * 1000 + "\n",
    "1" * 2000 + "x",
)
_TRIED: set[bytes] = set()


def check_tokenizer(path: Path, text: str) -> None:
    """Refuses a tokenizer that cannot be loaded and used within a budget.

    Args:
        path: Its file, for what is said of it.
        text: All of the file.

    Raises:
        EpitomeError: If the library refuses it, dies of it, or takes too long.
    """
    data = text.encode()
    digest = hashlib.sha256(data).digest()
    if digest in _TRIED or _is_own(text):
        return
    answer = ask(_CODE, data, wait_s=_WAIT_S, memory_mib=_MEMORY_MIB)
    if answer.outcome == "done":
        _TRIED.add(digest)
        return
    if answer.outcome == "refused":
        raise EpitomeError(f"The tokenizer {path} is damaged ({answer.text}).", _REMEDY)
    why = f"it took more than {_WAIT_S:g} seconds" if answer.outcome == "timeout" else answer.text
    raise EpitomeError(f"The tokenizer {path} cannot be used: {why}.", _REMEDY)


def main() -> None:
    """What the child does: loads the tokenizer on standard input, and encodes and decodes texts."""
    text = sys.stdin.buffer.read().decode()
    import tokenizers

    try:
        engine = tokenizers.Tokenizer.from_str(text)
    except Exception as error:  # the library raises nothing more exact
        raise SystemExit(str(error)) from None
    engine.encode_special_tokens = True
    engine.no_truncation()
    engine.no_padding()
    for sample in _SAMPLES:
        for special in (False, True):
            encoded = engine.encode(sample, add_special_tokens=special)
        engine.decode(encoded.ids, skip_special_tokens=False)


def _is_own(text: str) -> bool:
    """Whether the file has the shape of those that this program trains."""
    try:
        values = parse_json(text)
        return _has_own_parts(values) and _is_own_model(values["model"], values["added_tokens"])
    except (ValueError, TypeError, KeyError, AttributeError):
        return False


def _has_own_parts(values: dict[str, Any]) -> bool:
    if values.keys() != _PARTS or any(values[name] is not None for name in _EMPTY_PARTS):
        return False
    return all(_is_byte_level(values[name]) for name in ("pre_tokenizer", "decoder"))


def _is_byte_level(part: dict[str, Any]) -> bool:
    flags = {name: value for name, value in part.items() if name != "type"}
    return part["type"] == "ByteLevel" and all(type(each) is bool for each in flags.values())


def _is_own_model(model: dict[str, Any], added: list[dict[str, Any]]) -> bool:
    vocabulary, merges = model["vocab"], model["merges"]
    others = {name: value for name, value in model.items() if name not in ("vocab", "merges")}
    return (
        others.pop("type") == "BPE"
        and all(value is None or value is False for value in others.values())
        and set(vocabulary.values()) == set(range(len(vocabulary)))  # no id far beyond the others
        and len(merges) <= len(vocabulary)
        and all(vocabulary.get(each["content"]) == each["id"] for each in added)
    )
