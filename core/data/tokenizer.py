"""Byte-level BPE: any text becomes token ids, and the ids the same text again.

Special tokens have ids that no text can reach: text that spells them is encoded as ordinary bytes.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import tokenizers
from tokenizers import decoders, models, pre_tokenizers, trainers

from core.data.settings import TokenizerSettings
from core.errors import EpitomeError
from core.settings import write_whole

SPECIAL = ("<PAD>", "<EOS>", "<SUMM>", "<MASK>")
PAD_ID, EOS_ID, SUMM_ID, MASK_ID = range(4)

_FILE = "tokenizer.json"
_SETTINGS_FILE = "tokenizer.toml"
_REMEDY = "Train it again with epitome tokenizer."


class Tokenizer:
    """A trained vocabulary.

    Args:
        engine: The library's tokenizer, its special tokens at the ids 0 to 3.
        settings: How it was trained.
    """

    def __init__(self, engine: tokenizers.Tokenizer, settings: TokenizerSettings) -> None:
        # Not kept in the file: without it "<EOS>" in a text would become the special token.
        engine.encode_special_tokens = True
        self._engine = engine
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
            raise EpitomeError("There is no text to train a tokenizer on.", "Name other documents.")
        return cls(engine, settings)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Reads what `save` wrote.

        Args:
            folder: Where it lies.

        Returns:
            The tokenizer.

        Raises:
            EpitomeError: If there is none, or it is damaged or of another kind.
        """
        path = folder / _FILE
        try:
            engine = tokenizers.Tokenizer.from_str(path.read_text("utf-8"))
        except FileNotFoundError as error:
            raise EpitomeError(f"There is no tokenizer in {folder}.", _REMEDY) from error
        except Exception as error:  # the library raises nothing more exact
            raise EpitomeError(f"The tokenizer {path} is damaged ({error}).", _REMEDY) from error
        if any(engine.token_to_id(name) != number for number, name in enumerate(SPECIAL)):
            told = f"The tokenizer {path} lacks the special tokens {', '.join(SPECIAL)} as 0 to 3."
            raise EpitomeError(told, _REMEDY)
        return cls(engine, TokenizerSettings.load(folder / _SETTINGS_FILE))

    def save(self, folder: Path) -> None:
        """Writes the tokenizer and its settings; fails as `core.settings.write_whole` does."""
        self.settings.save(folder / _SETTINGS_FILE)
        write_whole(folder / _FILE, self._engine.to_str(pretty=True).encode())

    @property
    def vocabulary_size(self) -> int:
        """How many ids there are, the special ones among them."""
        return int(self._engine.get_vocab_size())

    @cached_property
    def fingerprint(self) -> str:
        """12 hex digits that are the same for the same vocabulary."""
        model: dict[str, Any] = json.loads(self._engine.to_str())["model"]
        told = json.dumps([SPECIAL, model["vocab"], model["merges"]], sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()[:12]

    def encode(self, text: str) -> list[int]:
        """The ids of a text, never a special one; half a surrogate pair becomes "?"."""
        return self.encode_many([text])[0]

    def encode_many(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of several texts, as `encode` gives them, made by all cores."""
        whole = [text.encode("utf-8", "replace").decode() for text in texts]
        return [found.ids for found in self._engine.encode_batch_fast(whole)]

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids; special ones are left out, bytes that are no UTF-8 become "�"."""
        return str(self._engine.decode(list(ids), skip_special_tokens=True))


class _Seen:
    """Counts what passes by."""

    def __init__(self) -> None:
        self.characters = 0

    def each(self, texts: Iterable[str]) -> Iterable[str]:
        for text in texts:
            self.characters += len(text)
            yield text.encode("utf-8", "replace").decode()
