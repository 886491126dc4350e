"""Trains a tokenizer on a corpus: what `epitome tokenizer` does."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.data.settings import TokenizerSettings
from core.errors import EpitomeError, needs_training
from core.events import Event, Finished, Message, Progress, Started
from core.jobs.timings import Timings
from core.numbers import format_count
from core.stop import StopToken

if TYPE_CHECKING:
    from core.data.corpus import Corpus
    from core.data.tokenizer import Tokenizer

_SAMPLE = 1000


@dataclass(frozen=True)
class TokenizerTrained:
    """A tokenizer and what it makes of the corpus.

    Args:
        folder: Where it lies.
        corpus: The corpus it was trained on.
        vocabulary_size: How many ids it has.
        fingerprint: What tells it from others.
        characters_per_token: Over some of the texts it was trained on.
        timings_s: Seconds for each part of the work.
    """

    folder: Path
    corpus: Path
    vocabulary_size: int
    fingerprint: str
    characters_per_token: float
    timings_s: dict[str, float]


@dataclass(frozen=True)
class TrainTokenizerJob:
    """Trains a byte-level BPE on the training split of a corpus.

    Args:
        corpus: The corpus's name or folder.
        settings: The size of the vocabulary.
        out: The tokenizer's folder.
    """

    corpus: str
    settings: TokenizerSettings
    out: Path

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Trains.

        Args:
            stop: Read before each text.

        Yields:
            `Finished` with a `TokenizerTrained` at the end.

        Raises:
            EpitomeError: If there is no such corpus, or `out` is taken.
        """
        with needs_training("Tokenizers are trained"):
            from core.data.corpus import open_corpus
            from core.data.tokenizer import Tokenizer
        if os.path.lexists(self.out):
            told = f"There is a tokenizer or another folder {self.out} already."
            raise EpitomeError(told, "Choose another name, or delete it.")
        yield Started("Training a tokenizer")
        timings = Timings()
        corpus = open_corpus(self.corpus)
        yield Progress(0, 0, "texts", f"Training on {corpus.folder.name}")
        tokenizer = Tokenizer.train(_watched(_texts(corpus), stop), self.settings.size)
        timings.end("train")
        stop.raise_if_set()
        if tokenizer.vocabulary_size < self.settings.size:
            yield Message("note", _smaller(tokenizer.vocabulary_size, self.settings.size))
        tokenizer.save(self.out)
        density = _density(corpus, tokenizer)
        timings.end("save")
        yield Finished(
            TokenizerTrained(
                self.out,
                corpus.folder,
                tokenizer.vocabulary_size,
                tokenizer.fingerprint,
                density,
                timings.parts_s,
            )
        )


def _texts(corpus: "Corpus") -> Iterator[str]:
    """The texts of the training split, or of the first there is."""
    return corpus.texts(corpus.splits[0])


def _watched(texts: Iterable[str], stop: StopToken) -> Iterator[str]:
    for text in texts:
        stop.raise_if_set()
        yield text


def _smaller(size: int, wanted: int) -> str:
    sizes = f"{format_count(size)} tokens and not {format_count(wanted)}"
    return f"The vocabulary has {sizes}: the texts repeat no other piece."


def _density(corpus: "Corpus", tokenizer: "Tokenizer") -> float:
    """Characters a token, over the first texts."""
    texts = [text for text, _ in zip(_texts(corpus), range(_SAMPLE), strict=False)]
    tokens = sum(map(len, tokenizer.encode_many(texts)))
    return round(sum(map(len, texts)) / max(tokens, 1), 3)
