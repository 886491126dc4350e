"""Tokens of a GGUF file that the text of a document never becomes."""

from pathlib import Path
from typing import Final

from core.models.gguf.header import TOKEN_TYPES, TOKENS, read_header
from core.models.marks import is_chat_mark, is_mark

_CONTROL, _USER_DEFINED = 3, 4  # llama.cpp takes the latter for a token wherever a text spells it
_NORMAL: Final = 1


def read_marks(path: Path) -> dict[int, str]:
    """The marks of a chat and of a row among a file's tokens, whatever type it gives them.

    Args:
        path: The file.

    Returns:
        Tokens by id.

    Raises:
        EpitomeError: As `core.models.gguf.header.read_header`.
    """
    header = read_header(path, whole=(TOKENS, TOKEN_TYPES))
    tokens, kinds = (header.values.get(name) for name in (TOKENS, TOKEN_TYPES))
    tokens = tokens if isinstance(tokens, list) else []
    kinds = kinds if isinstance(kinds, list) else []
    kinds = [*kinds, *[_NORMAL] * (len(tokens) - len(kinds))]
    return {
        number: token
        for number, (token, kind) in enumerate(zip(tokens, kinds, strict=False))
        if kind == _CONTROL
        or is_chat_mark(token)
        or (kind == _USER_DEFINED and (is_mark(token) or _is_word_in(token, header.chat_template)))
    }


def _is_word_in(token: str, template: str) -> bool:
    return bool(token.strip()) and token in template
