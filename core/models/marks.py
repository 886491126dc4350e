"""Tokens that mark up a chat or a row, which the text of a document never becomes."""

import re

_BRACKETS = frozenset("<>[]{}|")
_SPACES = "▁Ġ"  # as sentencepiece and byte-level BPE write them
_CHAT_MARK = re.compile(r"<\|[^<>|]+\|>")


def is_mark(token: str) -> bool:
    """True if a token that was added to a vocabulary is a mark, such as ``[INST]``, and no word."""
    visible = [each for each in token if not each.isspace() and each not in _SPACES]
    has_signs = not all(map(str.isalnum, visible))
    return len(visible) > 1 and (
        not _BRACKETS.isdisjoint(visible) or (has_signs and any(map(str.isalpha, visible)))
    )


def is_chat_mark(token: str) -> bool:
    """True if any token of that form is a mark, such as ``<|system|>``."""
    return _CHAT_MARK.fullmatch(token.strip(_SPACES)) is not None
