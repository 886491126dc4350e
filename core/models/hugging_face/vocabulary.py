"""The vocabulary of a `tokenizer.json`, read in a process of its own.

The file may be large, and its values take many times its size.
"""

import json
import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import EpitomeError
from core.storage.parsing import parse_json
from core.storage.regular_files import read_regular
from core.system.bounded_child import ask

_CODE = "from core.models.hugging_face.vocabulary import main; main()"
_END = re.compile(r"[.!?…]+[\"'”’»)\]]*")
_SPACES = "Ġ▁ "  # how byte-level BPE and sentencepiece write a space


@dataclass(frozen=True)
class VocabularyFacts:
    """Facts about a vocabulary.

    Args:
        size: One more than the highest id of its own tokens.
        added: The ids of tokens that were added to it.
        sentence_ends: The ids of tokens that are nothing but the end of a sentence: full stops,
            question marks and exclamation marks, with or without quotation marks and brackets
            behind.
    """

    size: int
    added: dict[str, int]
    sentence_ends: tuple[int, ...]


def read_vocabulary(path: Path) -> VocabularyFacts:
    """Reads the vocabulary of a `tokenizer.json`.

    Args:
        path: The file.

    Returns:
        The facts.

    Raises:
        EpitomeError: If it has no vocabulary, or reading it takes too much.
        OSError: If it cannot be read.
    """
    answer = ask(_CODE, read_regular(path))
    if answer.outcome != "done":
        raise EpitomeError(
            f"The tokenizer {path} cannot be used: {answer.why}.",
            "Take it from where it was first published.",
        )
    size, added, ends = parse_json(answer.text)
    return VocabularyFacts(size, added, tuple(ends))


def sentence_end_ids(folder: Path) -> tuple[int, ...]:
    """The ids of tokens that end a sentence; none where the vocabulary cannot be read."""
    with suppress(EpitomeError, OSError):
        return read_vocabulary(folder / "tokenizer.json").sentence_ends
    return ()


def main() -> None:
    """The body of the child: reads the file on standard input, and prints the facts."""
    try:
        values = parse_json(sys.stdin.buffer.read())
        pairs = list(_tokens(values["model"]["vocab"]))
        added = {str(each["content"]): int(each["id"]) for each in values.get("added_tokens", ())}
        ends = [number for token, number in pairs if _END.fullmatch(token.strip(_SPACES))]
        size = 1 + max((number for _, number in pairs), default=-1)
        print(json.dumps([size, added, sorted(ends)]))  # noqa: T201 - to the parent
    except (ValueError, KeyError, TypeError, AttributeError):
        raise SystemExit("it has no vocabulary") from None


def _tokens(vocabulary: Any) -> Any:
    """The tokens with their ids, of a table or a list."""
    if isinstance(vocabulary, dict):
        return vocabulary.items()
    return ((token, number) for number, (token, *_) in enumerate(vocabulary))
