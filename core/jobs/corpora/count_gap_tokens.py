"""Counts the tokens of a document with gap sentences, as training on it would read them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import needs_training
from core.events import Event, Finished, Started
from core.gsg.settings import GapPairSettings
from core.jobs.corpora.browse_corpus import fingerprint_of, sentences_of, text_of_row
from core.jobs.corpora.shade_gaps import gaps_left_in
from core.stop import StopToken

if TYPE_CHECKING:
    from core.data.tokenizer import Tokenizer


@dataclass(frozen=True)
class GapTokens:
    """How long a pair is.

    Args:
        input: Tokens of the input, its masks among them.
        target: Tokens of the pseudo-summary.
    """

    input: int
    target: int


@dataclass(frozen=True)
class CountGapTokensJob:
    """Counts the tokens of one document of a corpus.

    Args:
        folder: The corpus.
        number: The row.
        chosen: Its gap sentences, ascending.
        settings: What stands for them in the input.
        tokenizer: The folder of a tokenizer.
    """

    folder: Path
    number: int
    chosen: tuple[int, ...]
    settings: GapPairSettings
    tokenizer: Path

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with `GapTokens`."""
        with needs_training("Tokens are counted"):
            from core.data.tokens import count_gap_tokens
        from core.data.gaps import cut_row

        yield Started("Counting tokens")
        spans = sentences_of(self.folder, fingerprint_of(self.folder), self.number)
        stays = gaps_left_in(self.chosen, self.settings, self.number)
        row = cut_row(
            text_of_row(self.folder, self.number),
            [spans[each] for each in self.chosen],
            [each in stays for each in self.chosen],
            self.settings.masking,
        )
        stop.raise_if_set()
        written = (self.tokenizer / "tokenizer.json").stat().st_mtime_ns
        counted = count_gap_tokens(row, self.settings.masking, _loaded(self.tokenizer, written))
        yield Finished(GapTokens(*counted))


@lru_cache(maxsize=2)
def _loaded(folder: Path, written_ns: int) -> "Tokenizer":
    from core.data.tokenizer import Tokenizer

    return Tokenizer.load(folder)
