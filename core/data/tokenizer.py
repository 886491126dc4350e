"""Tokenizers: texts become token ids, and the ids texts again.

Those that `Tokenizer.train` makes are byte-level BPE: the ids give the same text again. Any other
`tokenizer.json` is read too (BPE, Unigram, WordPiece, converted from sentencepiece), as others
trained it. What the ids of special tokens are, only the tokenizer knows. No text can reach them:
text that spells them is encoded as ordinary text.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Self

import tokenizers
from tokenizers import decoders, models, pre_tokenizers, trainers

from core.data.settings import TokenizerSettings
from core.data.special_tokens import find_special_tokens, frame_of
from core.data.tokenizer_engine import REMEDY, Engine, LocalEngine, open_engine
from core.errors import EpitomeError, explained
from core.models.special_tokens import SPECIAL, SpecialTokens
from core.storage.atomic_files import write_whole
from core.storage.regular_files import read_regular

_FILE = "tokenizer.json"
_MOST_BYTES = 100_000_000  # large vocabularies take 30 MB
_SETTINGS_FILE = "tokenizer.toml"
_SPECIAL_FILE = "special_tokens.json"
_REMEDY = "Train it again with epitome tokenizer."


class Tokenizer:
    """A vocabulary, and how texts are cut into it.

    Args:
        engine: The library's tokenizer, here or in a child process.
        special: The ids of its special tokens.
        settings: How it was trained; None where others trained it.
    """

    def __init__(
        self,
        engine: Engine,
        special: SpecialTokens,
        settings: TokenizerSettings | None = None,
    ) -> None:
        self._engine = engine
        self.special = special
        self.settings = settings

    @classmethod
    def train(cls, texts: Iterable[str], size: int) -> Self:
        """Learns which bytes stand together often.

        Args:
            texts: What it is trained on, read once.
            size: How many ids there are to be, from 320 upwards.

        Returns:
            The tokenizer; its vocabulary is smaller than asked for if the texts repeat too little.

        Raises:
            EpitomeError: If there is no text, or the size is too small.
        """
        settings = TokenizerSettings.checked({"size": size})
        engine = tokenizers.Tokenizer(models.BPE())
        # Its pattern never joins letters and signs, so no merge can spell a special token.
        engine.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        engine.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(
            vocab_size=settings.size,
            min_frequency=2,
            special_tokens=list(SPECIAL),
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        )
        seen = _Seen()
        engine.train_from_iterator(seen.each(texts), trainer)
        if not seen.characters:
            raise EpitomeError(
                "There is no text to train a tokenizer on.", "Choose other documents."
            )
        return cls(LocalEngine(engine), SpecialTokens.trained(), settings)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Reads what `save` wrote, or the `tokenizer.json` of others.

        Args:
            folder: Where it lies. Of others' tokenizers, `tokenizer_config.json` or
                `special_tokens_map.json` beside it may say which tokens are special; else they
                are known by their usual names.

        Returns:
            The tokenizer.

        Raises:
            EpitomeError: If there is none, it is damaged, or has no token that ends a text.
        """
        path = folder / _FILE
        with explained(f"The tokenizer {path} cannot be read", REMEDY):
            text = _text_of(path)
        engine = open_engine(path, text)
        if (folder / _SPECIAL_FILE).exists():
            return cls(engine, SpecialTokens.load(folder / _SPECIAL_FILE))
        if not (folder / _SETTINGS_FILE).exists():
            return cls(engine, find_special_tokens(engine, folder))
        if engine.token_ids(SPECIAL) != list(range(len(SPECIAL))):
            told = f"The tokenizer {path} lacks the special tokens {', '.join(SPECIAL)} as 0 to 3."
            raise EpitomeError(told, _REMEDY)
        settings = TokenizerSettings.load(folder / _SETTINGS_FILE)
        return cls(engine, SpecialTokens.trained(), settings)

    def save(self, folder: Path) -> None:
        """Writes what `load` reads; fails as `core.storage.atomic_files.write_whole` does."""
        if self.settings:
            self.settings.save(folder / _SETTINGS_FILE)
        else:
            self.special.save(folder / _SPECIAL_FILE)
        write_whole(folder / _FILE, self._engine.to_json().encode(), replace=True)

    @cached_property
    def vocabulary_size(self) -> int:
        """One more than the highest id; special tokens count."""
        return self._engine.vocabulary_size()

    @cached_property
    def fingerprint(self) -> str:
        """12 hex digits that are the same for the same vocabulary, cut in the same way."""
        is_own = self.settings is not None
        return self._engine.digest(SPECIAL if is_own else self.special.ids, is_own)[:12]

    def encode(self, text: str) -> list[int]:
        """The ids of a text, never a special one; half a surrogate pair becomes "?"."""
        return self.encode_many([text])[0]

    def encode_many(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of several texts, as `encode` gives them, made by all cores."""
        whole = [text.encode("utf-8", "replace").decode() for text in texts]
        return [self._ordinary(ids) for ids in self._engine.encode(whole)]

    def encode_marked(self, text: str) -> list[int]:
        """The ids of a text that spells special tokens and means them, as chat templates do."""
        return self._engine.encode_marked(text)

    @property
    def frame(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The ids that its own file puts before and behind a single text."""
        return frame_of(self._engine)

    def with_special(self, special: SpecialTokens) -> Self:
        """The same tokenizer with other special tokens, such as another frame round a source."""
        return type(self)(self._engine, special, self.settings)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids; special ones are left out, bytes that are no UTF-8 become "�"."""
        return self._engine.decode(ids)

    def _ordinary(self, ids: list[int]) -> list[int]:
        """The ids without special ones, which a Unigram model takes for pieces like any other."""
        if self._spelt.keys().isdisjoint(ids):
            return ids
        return [each for number in ids for each in self._spelt.get(number, (number,))]

    @cached_property
    def _spelt(self) -> dict[int, tuple[int, ...]]:
        """The special ids, and how their letters are encoded; empty where none can come up."""
        return {} if self.settings else dict(self._spellings())

    def _spellings(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        special = self.special
        reserved = {special.pad, special.end, special.mask, *chain(*self.frame)}
        # Of a prompt, only its special tokens: its words may stand in a document, too.
        others = {special.summary, *special.before, *special.after}
        reserved |= others.intersection(self._engine.added_ids())
        # Third-party files often do not call the marks of a chat special tokens.
        reserved.update(self._engine.mark_ids())
        numbers = sorted(reserved)
        letters = [" ".join(token or "") for token in self._engine.tokens(numbers)]
        for number, ids in zip(numbers, self._engine.encode(letters), strict=True):
            yield number, tuple(each for each in ids if each not in reserved)


class _Seen:
    """Counts what passes by."""

    def __init__(self) -> None:
        self.characters = 0

    def each(self, texts: Iterable[str]) -> Iterable[str]:
        for text in texts:
            self.characters += len(text)
            yield text.encode("utf-8", "replace").decode()


def _text_of(path: Path) -> str:
    try:
        return read_regular(path, _MOST_BYTES).decode()
    except FileNotFoundError as error:
        raise EpitomeError(f"There is no tokenizer in {path.parent}.", _REMEDY) from error
