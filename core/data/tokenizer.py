"""Tokenizers: texts become token ids, and the ids texts again.

Those that `Tokenizer.train` makes are byte-level BPE: the ids give the same text again. Any other
`tokenizer.json` is read too (BPE, Unigram, WordPiece, converted from sentencepiece), as others
trained it. What the ids of special tokens are, only the tokenizer knows. No text can reach them:
text that spells them is encoded as ordinary text.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Self

import tokenizers
from tokenizers import decoders, models, pre_tokenizers, trainers

from core.atomic_files import write_whole
from core.data.settings import TokenizerSettings
from core.data.special_tokens import find_special_tokens, frame_of
from core.data.tokenizer_trial import check_tokenizer
from core.errors import EpitomeError, explained
from core.models.special_tokens import SPECIAL, SpecialTokens
from core.parsing import parse_json
from core.regular_files import read_regular

_FILE = "tokenizer.json"
_MOST_BYTES = 256_000_000  # large vocabularies of others take 30 MB
_SETTINGS_FILE = "tokenizer.toml"
_SPECIAL_FILE = "special_tokens.json"
_REMEDY = "Train it again with epitome tokenizer."


class Tokenizer:
    """A vocabulary, and how texts are cut into it.

    Args:
        engine: The library's tokenizer.
        special: The ids of its special tokens.
        settings: How it was trained; None where others trained it.
    """

    def __init__(
        self,
        engine: tokenizers.Tokenizer,
        special: SpecialTokens,
        settings: TokenizerSettings | None = None,
    ) -> None:
        self._engine = _whole_texts(engine)
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
        return cls(engine, SpecialTokens.trained(), settings)

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
        try:
            with explained(f"The tokenizer {path} cannot be read", _REMEDY):
                text = _text_of(path)
            check_tokenizer(path, text)
            engine = _whole_texts(tokenizers.Tokenizer.from_str(text))
        except EpitomeError:
            raise
        except Exception as error:  # the library raises nothing more exact
            raise EpitomeError(f"The tokenizer {path} is damaged ({error}).", _REMEDY) from error
        if (folder / _SPECIAL_FILE).exists():
            return cls(engine, SpecialTokens.load(folder / _SPECIAL_FILE))
        if not (folder / _SETTINGS_FILE).exists():
            return cls(engine, find_special_tokens(engine, folder))
        if any(engine.token_to_id(name) != number for number, name in enumerate(SPECIAL)):
            told = f"The tokenizer {path} lacks the special tokens {', '.join(SPECIAL)} as 0 to 3."
            raise EpitomeError(told, _REMEDY)
        settings = TokenizerSettings.load(folder / _SETTINGS_FILE)
        return cls(engine, SpecialTokens.trained(), settings)

    def save(self, folder: Path) -> None:
        """Writes what `load` reads; fails as `core.atomic_files.write_whole` does."""
        if self.settings:
            self.settings.save(folder / _SETTINGS_FILE)
        else:
            self.special.save(folder / _SPECIAL_FILE)
        write_whole(folder / _FILE, self._engine.to_str(pretty=True).encode(), replace=True)

    @cached_property
    def vocabulary_size(self) -> int:
        """One more than the highest id; special tokens count."""
        return 1 + max(self._engine.get_vocab(with_added_tokens=True).values())

    @cached_property
    def fingerprint(self) -> str:
        """12 hex digits that are the same for the same vocabulary, cut in the same way."""
        whole: dict[str, Any] = parse_json(self._engine.to_str())
        if self.settings:  # all of these cut texts in one way
            model = whole["model"]
            told = json.dumps([SPECIAL, model["vocab"], model["merges"]], sort_keys=True)
        else:
            told = json.dumps([self.special.ids, whole], sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()[:12]

    def encode(self, text: str) -> list[int]:
        """The ids of a text, never a special one; half a surrogate pair becomes "?"."""
        return self.encode_many([text])[0]

    def encode_many(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of several texts, as `encode` gives them, made by all cores."""
        whole = [text.encode("utf-8", "replace").decode() for text in texts]
        encoded = self._engine.encode_batch_fast(whole, add_special_tokens=False)
        return [self._ordinary(found.ids) for found in encoded]

    def encode_marked(self, text: str) -> list[int]:
        """The ids of a text that spells special tokens and means them, as chat templates do."""
        engine = tokenizers.Tokenizer.from_str(self._engine.to_str())
        engine.encode_special_tokens = False
        return list(engine.encode(text, add_special_tokens=False).ids)

    @property
    def frame(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The ids that its own file puts before and behind a single text."""
        return frame_of(self._engine)

    def with_special(self, special: SpecialTokens) -> Self:
        """The same tokenizer with other special tokens, such as another frame round a source."""
        return type(self)(self._engine, special, self.settings)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids; special ones are left out, bytes that are no UTF-8 become "�"."""
        return str(self._engine.decode(list(ids), skip_special_tokens=True))

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
        added = self._engine.get_added_tokens_decoder()
        others = {special.summary, *special.before, *special.after}
        reserved |= {number for number in others if number in added}
        for number in reserved:
            letters = " ".join(self._engine.id_to_token(number) or "")
            ids = self._engine.encode(letters, add_special_tokens=False).ids
            yield number, tuple(each for each in ids if each not in reserved)


def _whole_texts(engine: tokenizers.Tokenizer) -> tokenizers.Tokenizer:
    """The same, which encodes all of a text, and no special token in it."""
    # Not kept in the file: without it "<EOS>" in a text would become the special token.
    engine.encode_special_tokens = True
    # Files of others often say to cut texts at the length of a model, or to pad them.
    engine.no_truncation()
    engine.no_padding()
    return engine


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
