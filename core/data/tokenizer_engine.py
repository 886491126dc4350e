"""The library's tokenizer: in this process, or in a child process with a budget.

The library is compiled. A file that was made to do harm can end its process, fill the memory or
never return: a normalizer that doubles a text, a pattern that backtracks, a decoder that repeats.
The file does not show which texts set it off. So third-party tokenizers never act on a text in this
process. Those that `core.data.tokenizer` trains have a shape that cannot do harm.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, Self

import tokenizers

from core.errors import EpitomeError
from core.models.marks import is_chat_mark, is_mark
from core.storage.parsing import parse_json
from core.system.bounded_child import MEMORY_MIB, BoundedService, CallFailedError, serve

WAIT_S = 60.0  # for one call
_MOST_CHARACTERS = 1 << 20  # of the texts of one call
_MOST_TOKENS, _MOST_EXTRA = 100, 1000  # of a character, and of a text
_LONGEST_TOKEN = 1000  # characters; of more tokens on average
_LONGEST_OWN = 16_000_000  # characters of a file; more is not even parsed in this process
REMEDY = "Train it again with epitome tokenizer, or take it from where it was first published."
_CODE = "from core.data.tokenizer_engine import main; main()"
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


class Engine(Protocol):
    """Makes tokens of texts, and texts of tokens; knows no special tokens."""

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of each text; text that spells a special token is text like any other."""

    def encode_marked(self, text: str) -> list[int]:
        """The ids of a text that spells special tokens and means them."""

    def encode_framed(self, text: str) -> list[int]:
        """The ids of a text with those that the tokenizer's own file puts round it."""

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids, without special tokens."""

    def token_ids(self, tokens: Sequence[str]) -> list[int | None]:
        """The id of each token; None for one that is not known."""

    def tokens(self, ids: Sequence[int]) -> list[str | None]:
        """The token of each id; None for an id that is not known."""

    def added_ids(self) -> list[int]:
        """The ids of tokens that were added to the vocabulary."""

    def mark_ids(self) -> list[int]:
        """The ids of tokens that mark up a chat or a row, such as ``<|system|>``."""

    def add_token(self, token: str) -> None:
        """Adds a special token; does nothing where it is known."""

    def vocabulary_size(self) -> int:
        """One more than the highest id."""

    def digest(self, special: Any, is_own: bool) -> str:
        """A digest of all that decides the ids of a text.

        Args:
            special: The special tokens.
            is_own: True for a tokenizer that this program has trained: all of these cut texts in
                the same way.

        Returns:
            Hexadecimal digits.
        """

    def to_json(self) -> str:
        """The text of its file."""


class LocalEngine:
    """The library's tokenizer in this process; see `Engine`.

    Args:
        library: The tokenizer.
    """

    def __init__(self, library: tokenizers.Tokenizer) -> None:
        # Not kept in the file: without it "<EOS>" in a text would become the special token.
        library.encode_special_tokens = True
        # Third-party files often say to cut texts at the length of a model, or to pad them.
        library.no_truncation()
        library.no_padding()
        self._library = library

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The tokenizer of the text of a file; raises anything over a damaged one."""
        return cls(tokenizers.Tokenizer.from_str(text))

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """See `Engine`."""
        encoded = self._library.encode_batch_fast(list(texts), add_special_tokens=False)
        return [_check_count(text, found.ids) for text, found in zip(texts, encoded, strict=True)]

    def encode_marked(self, text: str) -> list[int]:
        """See `Engine`."""
        library = tokenizers.Tokenizer.from_str(self._library.to_str())
        library.encode_special_tokens = False
        return _check_count(text, library.encode(text, add_special_tokens=False).ids)

    def encode_framed(self, text: str) -> list[int]:
        """See `Engine`."""
        return _check_count(text, self._library.encode(text, add_special_tokens=True).ids)

    def decode(self, ids: Sequence[int]) -> str:
        """See `Engine`."""
        text = str(self._library.decode(list(ids), skip_special_tokens=True))
        if len(text) > _LONGEST_TOKEN * (len(ids) + 10):
            raise ValueError(f"it makes {len(text)} characters of {len(ids)} tokens")
        return text

    def token_ids(self, tokens: Sequence[str]) -> list[int | None]:
        """See `Engine`."""
        return [self._library.token_to_id(token) for token in tokens]

    def tokens(self, ids: Sequence[int]) -> list[str | None]:
        """See `Engine`."""
        return [self._library.id_to_token(number) for number in ids]

    def added_ids(self) -> list[int]:
        """See `Engine`."""
        return list(self._library.get_added_tokens_decoder())

    def mark_ids(self) -> list[int]:
        """See `Engine`."""
        added = self._library.get_added_tokens_decoder()
        marks = {number for number, token in added.items() if is_mark(token.content)}
        vocabulary = self._library.get_vocab(with_added_tokens=False)
        return sorted(marks | {each for token, each in vocabulary.items() if is_chat_mark(token)})

    def add_token(self, token: str) -> None:
        """See `Engine`."""
        self._library.add_special_tokens([token])

    def vocabulary_size(self) -> int:
        """See `Engine`."""
        return 1 + max(self._library.get_vocab(with_added_tokens=True).values())

    def digest(self, special: Any, is_own: bool) -> str:
        """See `Engine`."""
        whole: dict[str, Any] = parse_json(self._library.to_str())
        parts = [whole["model"]["vocab"], whole["model"]["merges"]] if is_own else [whole]
        text = json.dumps([special, *parts], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def to_json(self) -> str:
        """See `Engine`."""
        return str(self._library.to_str(pretty=True))

    def try_samples(self) -> None:
        """Encodes and decodes texts of many kinds."""
        for sample in _SAMPLES:
            self.encode_framed(sample)
            self.decode(self.encode([sample])[0])


def _check_count(text: str, ids: list[int]) -> list[int]:
    if len(ids) > _MOST_TOKENS * len(text) + _MOST_EXTRA:
        raise ValueError(f"it makes {len(ids)} tokens of {len(text)} characters")
    return ids


class BoundedEngine:
    """A third-party tokenizer in a child process, with a budget for each call; see `Engine`.

    Args:
        path: Its file, for what is said of it.
        text: All of the file.

    Raises:
        EpitomeError: If the library refuses it, dies of it, or takes too long; so does each method.
    """

    def __init__(self, path: Path, text: str) -> None:
        self._path, self._text = path, text
        self._added: list[str] = []
        self._service = BoundedService(_CODE, wait_s=WAIT_S, memory_mib=MEMORY_MIB)
        self._call("try_samples")

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """See `Engine`."""
        return [ids for some in _batches(texts) for ids in self._call("encode", some)]

    def encode_marked(self, text: str) -> list[int]:
        """See `Engine`."""
        return list(self._call("encode_marked", text))

    def encode_framed(self, text: str) -> list[int]:
        """See `Engine`."""
        return list(self._call("encode_framed", text))

    def decode(self, ids: Sequence[int]) -> str:
        """See `Engine`."""
        return str(self._call("decode", list(ids)))

    def token_ids(self, tokens: Sequence[str]) -> list[int | None]:
        """See `Engine`."""
        return list(self._call("token_ids", list(tokens)))

    def tokens(self, ids: Sequence[int]) -> list[str | None]:
        """See `Engine`."""
        return list(self._call("tokens", list(ids)))

    def added_ids(self) -> list[int]:
        """See `Engine`."""
        return list(self._call("added_ids"))

    def mark_ids(self) -> list[int]:
        """See `Engine`."""
        return list(self._call("mark_ids"))

    def add_token(self, token: str) -> None:
        """See `Engine`."""
        self._call("add_token", token)
        self._added.append(token)

    def vocabulary_size(self) -> int:
        """See `Engine`."""
        return int(self._call("vocabulary_size"))

    def digest(self, special: Any, is_own: bool) -> str:
        """See `Engine`."""
        return str(self._call("digest", special, is_own))

    def to_json(self) -> str:
        """See `Engine`."""
        return str(self._call("to_json"))

    def _call(self, name: str, *arguments: Any) -> Any:
        try:
            if not self._service.is_running():
                self._load()
            return self._service.call(name, *arguments)
        except CallFailedError as error:
            message = f"The tokenizer {self._path} cannot be used: {error.answer.why}."
            raise EpitomeError(message, REMEDY) from error

    def _load(self) -> None:
        try:
            self._service.call("load", self._text, self._added)
        except CallFailedError as error:
            if error.answer.outcome != "refused":
                raise
            message = f"The tokenizer {self._path} is damaged ({error.answer.why})."
            raise EpitomeError(message, REMEDY) from error


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts in order, as many at once as one call takes."""
    some, size = list[str](), 0
    for text in texts:
        if some and size + len(text) > _MOST_CHARACTERS:
            yield some
            some, size = [], 0
        some.append(text)
        size += len(text)
    if some:
        yield some


class _Served:
    """A tokenizer in the child: loads it, and does with it what is asked."""

    def load(self, text: str, added: Sequence[str]) -> None:
        """Loads the text of a file, and adds tokens."""
        self._engine = LocalEngine.from_json(text)
        for token in added:
            self._engine.add_token(token)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


def main() -> None:
    """The body of the child."""
    methods = [name for name in vars(LocalEngine) if not name.startswith("_")]
    serve(_Served(), ["load", *methods], WAIT_S)


def open_engine(path: Path, text: str) -> Engine:
    """The tokenizer of a file.

    Args:
        path: The file, for what is said of it.
        text: All of the file.

    Returns:
        The tokenizer; a third-party one works in a child process.

    Raises:
        EpitomeError: If the library refuses it, dies of it, or takes too long.
    """
    if not _is_own(text):
        return BoundedEngine(path, text)
    try:
        return LocalEngine.from_json(text)
    except Exception as error:  # the library raises nothing more exact
        raise EpitomeError(f"The tokenizer {path} is damaged ({error}).", REMEDY) from error


def _is_own(text: str) -> bool:
    """True if the file has the shape of those that this program trains."""
    if len(text) > _LONGEST_OWN:
        return False
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
        and max(map(len, vocabulary)) <= _LONGEST_TOKEN
        and len(merges) <= len(vocabulary)
        and all(vocabulary.get(each["content"]) == each["id"] for each in added)
    )
