"""The head of a GGUF file: what model it holds, checked within fixed limits.

Nothing is loaded but the head. Each length in it is held against what is left of it before
anything is read or counted, so a damaged or hostile file costs no more than a whole one.
Source: the format's specification, ggml-org/ggml docs/gguf.md.
"""

import struct
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any, Final

from core.errors import EpitomeError, explained
from core.numbers import format_count
from core.storage.regular_files import open_regular

MOST_HEADER_BYTES: Final = 64 << 20
MOST_VALUES: Final = 1 << 16
MOST_TENSORS: Final = 1 << 16
MOST_ITEMS: Final = 1 << 21
MOST_STRING_BYTES: Final = 1 << 20

TOKENS: Final = "tokenizer.ggml.tokens"
TOKEN_TYPES: Final = "tokenizer.ggml.token_type"

_MAGIC: Final = b"GGUF"
_VERSIONS: Final = (2, 3)
_SCALARS: Final = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q",
                   12: "d"}  # fmt: skip
_STRING, _ARRAY = 8, 9
_MOST_DIMENSIONS = 4
_KEPT_ITEMS = 64  # of longer lists only the length is kept
_LONGEST_TOKEN = 4096  # bytes
_LONGEST_REPLACEMENT = 256  # bytes; a text grows by no more than that
_REPLACEMENTS = "tokenizer.ggml.precompiled_charsmap"
_ALIGNMENT = 32

# Bytes of a block, and how many numbers it holds, by the type of a tensor.
_BLOCKS: Final = {
    0: (4, 1), 1: (2, 1), 2: (18, 32), 3: (20, 32), 6: (22, 32), 7: (24, 32), 8: (34, 32),
    9: (36, 32), 10: (84, 256), 11: (110, 256), 12: (144, 256), 13: (176, 256), 14: (210, 256),
    15: (292, 256), 24: (1, 1), 25: (2, 1), 26: (4, 1), 27: (8, 1), 28: (8, 1), 30: (2, 1),
}  # fmt: skip
_QUANTISATIONS: Final = {
    0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1", 10: "Q2_K",
    11: "Q3_K_S", 12: "Q3_K_M", 13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M", 16: "Q5_K_S",
    17: "Q5_K_M", 18: "Q6_K", 32: "BF16",
}  # fmt: skip


@dataclass(frozen=True)
class GGUFHeader:
    """What the head of a GGUF file says.

    Args:
        values: By name; of a list longer than 64 items, how many it has, unless it was requested.
        parameters: How many numbers its tensors hold.
        size_bytes: The size of the file.
    """

    values: dict[str, Any] = field(default_factory=dict)
    parameters: int = 0
    size_bytes: int = 0

    @property
    def architecture(self) -> str:
        """The name of its architecture, such as "llama"."""
        return str(self.values.get("general.architecture", ""))

    @property
    def context_length(self) -> int:
        """How many tokens it was trained to read and write together; 0 where it does not say."""
        return _number(self.values.get(f"{self.architecture}.context_length"))

    @property
    def vocabulary_size(self) -> int:
        """How many tokens it knows."""
        tokens = self.values.get(TOKENS, 0)
        return len(tokens) if isinstance(tokens, list) else _number(tokens)

    @property
    def chat_template(self) -> str:
        """Its chat template; empty for none."""
        return self._text("tokenizer.chat_template")

    @property
    def licence(self) -> str:
        """Its licence; empty where it does not say."""
        return self._text("general.license.name") or self._text("general.license")

    @property
    def languages(self) -> tuple[str, ...]:
        """The codes of its languages; none where it does not say."""
        told = self.values.get("general.languages")
        return tuple(map(str, told)) if isinstance(told, list) else ()

    @property
    def quantisation(self) -> str:
        """How its weights are stored, such as "Q4_K_M"; empty where that is not known."""
        return _QUANTISATIONS.get(_number(self.values.get("general.file_type", -1)), "")

    def _text(self, name: str) -> str:
        told = self.values.get(name)
        return told if isinstance(told, str) else ""


def read_header(path: Path, whole: Collection[str] = ()) -> GGUFHeader:
    """Reads and checks the head of a GGUF file.

    Args:
        path: The file.
        whole: Names of lists that are kept, however long they are.

    Returns:
        What it says.

    Raises:
        EpitomeError: If it is no GGUF file, is damaged, is one of several parts, or goes beyond
            the limits of this module.
    """
    with explained(f"{path} cannot be read", "Choose another file."):
        with open_regular(path, "rb") as file:
            data = file.read(MOST_HEADER_BYTES)
        size = path.stat().st_size
    if data[:4] != _MAGIC:
        raise EpitomeError(
            f"{path} is no GGUF file: it does not begin with GGUF.", "Choose another file."
        )
    try:
        return _Reader(data, size, {*whole, _REPLACEMENTS}).header()
    except _FaultError as fault:
        raise EpitomeError(
            f"{path} cannot be used as a model: {fault}.",
            "Get the file again from where it was published.",
        ) from fault


class _FaultError(Exception):
    """What is wrong with a file, a clause."""


class _Reader:
    """Reads the head of a file from its beginning.

    Args:
        data: The head, perhaps with more behind it.
        size: The size of the whole file.
        whole: Names of lists that are kept, however long they are.
    """

    def __init__(self, data: bytes, size: int, whole: Collection[str]) -> None:
        self._data, self._size, self._whole = data, size, whole
        self._at = len(_MAGIC)

    def header(self) -> GGUFHeader:
        """All of it."""
        version = self._scalar("I")
        if version not in _VERSIONS:
            raise _FaultError(f"its version is {version}, and {_VERSIONS[0]} or 3 is read")
        tensors, values = self._scalar("Q"), self._scalar("Q")
        self._limit(tensors, MOST_TENSORS, "tensors")
        self._limit(values, MOST_VALUES, "values")
        told = dict(self._values(values))
        if _number(told.get("split.count")) > 1:
            raise _FaultError("it is one of several parts of a model; only whole models are read")
        _check_replacements(told.pop(_REPLACEMENTS, None))
        numbers, ends = 0, 0
        for shape, kind, offset in self._tensors(tensors):
            numbers += prod(shape)
            ends = max(ends, offset + _bytes_of(shape, kind))
        alignment = _number(told.get("general.alignment")) or _ALIGNMENT
        begins = -(-self._at // alignment) * alignment
        if begins + ends > self._size:
            raise _FaultError("it ends before its weights do")
        return GGUFHeader(told, numbers, self._size)

    def _values(self, count: int) -> Iterator[tuple[str, Any]]:
        for _ in range(count):
            name = self._string()
            yield name, self._value(self._scalar("I"), name)

    def _value(self, kind: int, name: str) -> Any:
        if kind == _STRING:
            return self._string()
        if kind == _ARRAY:
            return self._list(self._scalar("I"), self._scalar("Q"), name)
        return self._scalar(self._code(kind))

    def _list(self, kind: int, count: int, name: str) -> Any:
        """The items of a short list, or one that is kept; of a long one how many there are."""
        self._limit(count, MOST_ITEMS, "items in a list")
        is_kept = count <= _KEPT_ITEMS or name in self._whole
        longest = _LONGEST_TOKEN if name == TOKENS else MOST_STRING_BYTES
        if kind == _ARRAY:
            raise _FaultError("it holds a list of lists")
        if kind != _STRING:
            code = self._code(kind)
            whole = self._take(count * struct.calcsize(f"<{code}"))
            return list(struct.unpack(f"<{count}{code}", whole)) if is_kept else count
        if is_kept:
            return [self._string(longest) for _ in range(count)]
        for _ in range(count):
            self._take(self._length(longest))
        return count

    def _tensors(self, count: int) -> Iterator[tuple[tuple[int, ...], int, int]]:
        """Shape, type and place of each tensor."""
        for _ in range(count):
            self._string()
            dimensions = self._scalar("I")
            self._limit(dimensions, _MOST_DIMENSIONS, "dimensions of a tensor")
            shape = struct.unpack(f"<{dimensions}Q", self._take(8 * dimensions))
            kind, offset = self._scalar("I"), self._scalar("Q")
            if any(side > self._size * 8 for side in shape) or offset > self._size:
                raise _FaultError("a tensor is larger than the file")
            yield shape, kind, offset

    def _string(self, longest: int = MOST_STRING_BYTES) -> str:
        return self._take(self._length(longest)).decode("utf-8", "replace")

    def _length(self, longest: int) -> int:
        length = self._scalar("Q")
        self._limit(length, longest, "bytes in a text")
        return length

    def _scalar(self, code: str) -> Any:
        return struct.unpack(f"<{code}", self._take(struct.calcsize(f"<{code}")))[0]

    def _code(self, kind: int) -> str:
        if kind not in _SCALARS:
            raise _FaultError(f"it holds a value of the unknown type {kind}")
        return _SCALARS[kind]

    def _take(self, count: int) -> bytes:
        end = self._at + count
        if end > len(self._data):
            if len(self._data) == MOST_HEADER_BYTES:
                raise _FaultError(f"its head is larger than {MOST_HEADER_BYTES >> 20} MiB")
            raise _FaultError("it ends within its head")
        taken, self._at = self._data[self._at : end], end
        return taken

    def _limit(self, count: int, most: int, what: str) -> None:
        if count > most:
            found, allowed = format_count(count), format_count(most)
            raise _FaultError(f"it says to hold {found} {what}; {allowed} are the most")


def _check_replacements(items: Any) -> None:
    """Refuses a normalisation that makes a long text of a character.

    Source: sentencepiece's precompiled_charsmap: the size of a trie, the trie, and what it points
    to, texts that end in a zero.
    """
    if not isinstance(items, list) or not all(isinstance(each, int) for each in items):
        return
    data = bytes(each & 0xFF for each in items)
    texts = data[4 + int.from_bytes(data[:4], "little") :]
    longest = max(map(len, texts.split(b"\0")))
    if longest > _LONGEST_REPLACEMENT:
        raise _FaultError(
            f"it replaces a character by {format_count(longest)} bytes; "
            f"{_LONGEST_REPLACEMENT} are the most"
        )


def _bytes_of(shape: tuple[int, ...], kind: int) -> int:
    """How many bytes a tensor takes; 0 for a type that this table does not know."""
    size, numbers = _BLOCKS.get(kind, (0, 1))
    return size * (prod(shape) // numbers)


def _number(told: Any) -> int:
    return told if isinstance(told, int) and not isinstance(told, bool) else 0
