"""Files `tokenizer.json` that were made to end, stop or fill the process that loads them."""

import json
from pathlib import Path
from typing import Any

_PLAIN: dict[str, Any] = {
    "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
    "pre_tokenizer": None, "post_processor": None, "decoder": None,
    "model": {
        "type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
        "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False,
        "ignore_merges": False, "vocab": {"a": 0, "b": 1, "ab": 2, "q": 3}, "merges": [["a", "b"]],
    },
}  # fmt: skip


def _doubled(letter: str) -> list[dict[str, Any]]:
    """Forty replacements, each of which doubles a letter."""
    twice = {"type": "Replace", "pattern": {"String": letter}, "content": 2 * letter}
    return [twice] * 40


def _split_by(pattern: str) -> dict[str, Any]:
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated"}
    return {"pre_tokenizer": split | {"invert": False}}


_BYTES = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
_ADDED = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}

HOSTILE: dict[str, dict[str, Any]] = {
    "ends the process": {"normalizer": {"type": "Precompiled", "precompiled_charsmap": "/////w=="}},
    "breaks the library": _split_by("(a|a|aa)+$"),
    "never returns": {"normalizer": {"type": "Sequence", "normalizers": _doubled("a")}},
    "doubles what is not ASCII": {
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [_BYTES] * 40}
    },
}  # fmt: skip
"""Those that do harm with any text."""

SLEEPING: dict[str, dict[str, Any]] = {
    "doubles a letter": {"normalizer": {"type": "Sequence", "normalizers": _doubled("q")}},
    "breaks the library": _split_by("(q|q|qq)+$"),
    "makes many tokens": {"normalizer": {"type": "Replace", "pattern": {"String": "q"},
                                         "content": "ab" * 100_000}},
}  # fmt: skip
"""Those that do harm with a text of many q."""

SPEAKING: dict[str, dict[str, Any]] = {
    "doubles a letter": {"decoder": {"type": "Sequence", "decoders": _doubled("q")}},
    "makes much of a token": {"decoder": {"type": "Replace", "pattern": {"String": "q"},
                                          "content": "x" * 100_000}},
}  # fmt: skip
"""Those that do harm where the token of the letter q is decoded."""


def hostile_tokenizer(folder: Path, parts: dict[str, Any]) -> Path:
    """A folder with a tokenizer that has such parts."""
    folder.mkdir(parents=True, exist_ok=True)
    end = {"id": 4, "content": "</s>", "special": True, **_ADDED}
    values = _PLAIN | {"added_tokens": [end]} | parts
    (folder / "tokenizer.json").write_text(json.dumps(values), "utf-8")
    return folder
