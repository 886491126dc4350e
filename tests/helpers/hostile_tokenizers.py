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
        "ignore_merges": False, "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]],
    },
}  # fmt: skip
_TWICE = {"type": "Replace", "pattern": {"String": "a"}, "content": "aa"}

HOSTILE: dict[str, dict[str, Any]] = {
    "ends the process": {"normalizer": {"type": "Precompiled", "precompiled_charsmap": "/////w=="}},
    "breaks the library": {
        "pre_tokenizer": {
            "type": "Split", "pattern": {"Regex": "(a|a|aa)+$"}, "behavior": "Isolated",
            "invert": False,
        }
    },
    "never returns": {"normalizer": {"type": "Sequence", "normalizers": [_TWICE] * 40}},
}  # fmt: skip


def hostile_tokenizer(folder: Path, how: str) -> Path:
    """A folder with such a tokenizer."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tokenizer.json").write_text(json.dumps(_PLAIN | HOSTILE[how]))
    return folder
