"""Scores the sentences of a document in a corpus, and finds in what order they become gaps."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.documents.words import Tokenizer
from core.events import Event, Finished, Started, result_of
from core.gsg.settings import OTHER_SCRIPTS, GapPairSettings, GapSentenceSettings
from core.jobs.corpora.browse_corpus import fingerprint_of, sentences_of, text_of_row
from core.stop import StopToken

if TYPE_CHECKING:
    from core.gsg.tokens import Tokens

_LOOK_AHEAD = 1.5
"""So many times more sentences are put in order than are asked for: a slider may go up."""
_LEAST_AHEAD = 64


@dataclass(frozen=True, eq=False)
class GapOrder:
    """In what order the sentences of a document become gap sentences.

    Args:
        order: [M] int32: sentences in the order in which they are chosen; the first m of them are
            those that are chosen where m are wanted.
        when_chosen: [M] float32: the score of each when it was chosen; NaN where the strategy has
            none.
        scores: [S] float32: the score of each sentence as if it was chosen first; NaN without one.
        words: [S] int32: how many words each has.
        num_scorable: How many sentences can be chosen.
        note: What the person should know; may be empty.
    """

    order: NDArray[np.int32]
    when_chosen: NDArray[np.float32]
    scores: NDArray[np.float32]
    words: NDArray[np.int32]
    num_scorable: int
    note: str = ""


@dataclass(frozen=True)
class OrderGapsJob:
    """Puts the sentences of a document into the order in which they become gaps.

    Args:
        folder: The corpus.
        number: The row; it seeds the random numbers, as in a corpus made of this one.
        settings: How they are scored; at least as many as they ask for are put in order.
    """

    memory_remedy = "Close other programs, or look at a shorter document."

    folder: Path
    number: int
    settings: GapPairSettings

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields how far it is, then `Finished` with a `GapOrder`."""
        from core.gsg.selection import order

        yield Started("Choosing gap sentences")
        settings = self.settings
        tokens = _tokens(
            self.folder,
            fingerprint_of(self.folder),
            self.number,
            settings.tokenizer,
            settings.stem,
        )
        words = tokens.lengths.astype(np.int32)
        num_scorable = int(np.count_nonzero(words))
        scores = np.full(len(tokens), np.nan, np.float32)
        if num_scorable < 2:
            none = np.empty(0, np.int32), np.empty(0, np.float32)
            note = "Nothing can be chosen: fewer than two sentences have words."
            if settings.tokenizer == "rouge" and len(tokens) > 1:
                note += f" {OTHER_SCRIPTS}"
            yield Finished(GapOrder(*none, scores, words, num_scorable, note))
            return
        each = _each_alone(settings)
        if each is not None:
            found = yield from order(tokens, each, stop, document=self.number)
            scores[list(found.picked)] = np.array(found.scores, np.float32)
        limit = _limit(num_scorable, settings, self.number)
        if each is None or each != _without_noise(settings):
            found = yield from order(tokens, settings, stop, limit=limit, document=self.number)
        when_chosen = [np.nan if score is None else score for score in found.scores]
        yield Finished(
            GapOrder(
                np.array(found.picked, np.int32),
                np.array(when_chosen, np.float32),
                scores,
                words,
                num_scorable,
            )
        )


def num_gaps(num_scorable: int, settings: GapSentenceSettings, number: int) -> int:
    """How many gap sentences a document gets.

    Args:
        num_scorable: How many of its sentences have words.
        settings: The ratio or the count.
        number: Its row.

    Returns:
        The number; 0 where fewer than two have words.
    """
    from core.gsg.selection import num_picks

    return num_picks(num_scorable, settings, number) if num_scorable > 1 else 0


def gaps_left_in(chosen: tuple[int, ...], settings: GapPairSettings, number: int) -> set[int]:
    """The gap sentences that stay in the input all the same.

    Args:
        chosen: The gap sentences, ascending.
        settings: Which share stays.
        number: The document's row.

    Returns:
        Those that stay.
    """
    from core.gsg.masking import left_in

    if settings.masking == "keep":
        return set(chosen)
    return left_in(chosen, settings, number) if settings.left_in else set()


def _limit(num_scorable: int, settings: GapPairSettings, number: int) -> int:
    wanted = num_gaps(num_scorable, settings, number)
    return min(num_scorable, max(round(wanted * _LOOK_AHEAD), _LEAST_AHEAD))


def _each_alone(settings: GapPairSettings) -> GapPairSettings | None:
    """The settings that score each sentence as if it was chosen first; None without scores."""
    if settings.strategy in ("random", "lead"):
        return None
    strategy = settings.strategy.replace("sequential", "independent")
    return settings.model_copy(update={"strategy": strategy, "noise": 0.0, "algorithm": "fast"})


def _without_noise(settings: GapPairSettings) -> GapPairSettings | None:
    """The same settings where they order sentences by those scores alone."""
    return None if settings.noise else settings.model_copy(update={"algorithm": "fast"})


@lru_cache(maxsize=4)
def _tokens(
    folder: Path, fingerprint: str, number: int, tokenizer: Tokenizer, stem: bool
) -> "Tokens":
    from core.gsg.tokens import tokenise

    text = text_of_row(folder, number)
    texts = [text[a:b] for a, b in sentences_of(folder, fingerprint, number)]
    return result_of(tokenise(texts, StopToken(), tokenizer, stem))
