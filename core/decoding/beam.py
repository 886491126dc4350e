"""Beam search: of each text several drafts are followed, and the best of the ended ones is taken.

Letters: T texts, S drafts of each side by side (one at first, later as many as there are beams),
N = T·S rows of the model, V vocabulary.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from torch import Tensor, tensor

from core.decoding.blocking import Rules
from core.decoding.streaming import Begun, Decided, Decoded, Ending, TextLimit, refuse_nan
from core.models.protocol import Decodable
from core.stop import StopToken

State = TypeVar("State")


class _Draft(NamedTuple):
    """A text so far, start ids included, and the draft of the step before that it goes on from."""

    ids: tuple[int, ...]
    score: float
    parent: int = 0


class _Ended(NamedTuple):
    """A draft that goes no further."""

    normalised: float
    score: float
    ids: tuple[int, ...]
    why: Ending


class _Search:
    """The drafts of one text: the open ones and the ended ones, both best first."""

    def __init__(self, row: TextLimit, rules: Rules) -> None:
        self.row = row
        self.open = [_Draft(rules.start_ids, 0.0)]
        self._ended: list[_Ended] = []
        self._rules = rules
        self._told = len(rules.start_ids)
        self._last = self._told + row.limit

    def take(self, scores: Sequence[float], tokens: Sequence[int], parents: Sequence[int]) -> None:
        """Goes on with the best continuations, given best first, and ends when it is time."""
        refuse_nan(scores[0], self.row.number)
        before, beams = self.open, self._rules.settings.beams
        self.open = []
        for rank, (score, token, parent) in enumerate(zip(scores, tokens, parents, strict=True)):
            if score == -math.inf:
                break
            ids = before[parent].ids
            if token != self._rules.end_id:
                self.open.append(_Draft((*ids, token), score, parent))
            elif rank < beams:  # further down, an open draft is better by now
                self._end(ids, score, "end")
        if not self.open and not self._ended:
            self._end(before[0].ids, before[0].score, "blocked")
        del self.open[beams:]
        self._close()

    def _close(self) -> None:
        if self.open and len(self.open[0].ids) == self._last:
            self.end_all(self.row.at_limit)
        elif self.open and self._found_enough():
            self.open = []

    def end_all(self, why: Ending) -> None:
        """Lets no draft go further."""
        for draft in self.open:
            self._end(draft.ids, draft.score, why)
        self.open = []

    def _end(self, ids: tuple[int, ...], score: float, why: Ending) -> None:
        length = len(ids) + (why == "end")
        self._ended.append(_Ended(self._rules.normalised(score, length), score, ids, why))
        self._ended.sort(key=lambda ended: -ended.normalised)
        del self._ended[self._rules.settings.beams :]

    def _found_enough(self) -> bool:
        settings, best = self._rules.settings, self.open[0]
        if settings.end_of_search == "certain":
            longest = self._last if settings.length_penalty > 0 else len(best.ids) + 1
            hope = self._rules.normalised(best.score, longest)  # no draft can reach more
            return bool(self._ended) and hope <= self._ended[0].normalised
        if len(self._ended) < settings.beams:
            return False
        now = self._rules.normalised(best.score, len(best.ids))
        return settings.end_of_search == "full" or now <= self._ended[-1].normalised

    def news(self) -> Iterator[Decided]:
        """What all drafts that may yet win agree on, and was not told before; or the end."""
        if not self.open:
            yield self._done()
            return
        texts = [draft.ids for draft in self.open] + [ended.ids for ended in self._ended[:1]]
        agreed = self._told
        for tokens in zip(*(ids[agreed:] for ids in texts), strict=False):
            if len(set(tokens)) > 1:
                break
            agreed += 1
        if agreed > self._told:
            yield Decided(self.row.number, texts[0][self._told : agreed])
            self._told = agreed

    def _done(self) -> Decided:
        normalised, score, ids, why = self._ended[0]
        text = Decoded(ids[len(self._rules.start_ids) :], score, normalised, why)
        return Decided(self.row.number, ids[self._told :], text)


def write(
    model: Decodable[State], begun: Begun[State], rules: Rules, stop: StopToken
) -> Iterator[Decided]:
    """Writes all texts; those whose search is over leave the batch.

    Args:
        model: Whose state `begun` holds.
        begun: The texts to be written; one or more.
        rules: What is forbidden, and how drafts compare.
        stop: Read before each token.

    Yields:
        Tokens, as soon as all drafts of a text agree on them.

    Raises:
        EpitomeError: If the model's numbers are no numbers.
    """
    state, log_probs = begun.state, begun.log_probs
    searches = [_Search(row, rules) for row in begun.rows]
    drafts = [search.open[0] for search in searches]  # [N]
    while True:
        if stop:
            for search in searches:
                search.end_all("stopped")
                yield from search.news()
            return
        rules.forbid(log_probs, [draft.ids for draft in drafts])
        best = _best(log_probs, drafts, len(searches), 2 * rules.settings.beams)
        for search, continuations in zip(searches, best, strict=True):
            search.take(*continuations)
            yield from search.news()
        rows, drafts = _next_rows(searches, len(drafts) // len(searches))
        if not rows:
            return
        searches = [search for search in searches if search.open]
        if rows != list(range(len(log_probs))):
            state = model.reorder(state, tensor(rows, device=log_probs.device))
        tokens = tensor([draft.ids[-1] for draft in drafts], device=log_probs.device)
        log_probs, state = model.advance(state, tokens)


def _best(
    log_probs: Tensor, drafts: Sequence[_Draft], num_texts: int, count: int
) -> Iterator[tuple[list[float], list[int], list[int]]]:
    """For each text its best continuations: scores, tokens, and drafts they go on from."""
    scores = log_probs.new_tensor([draft.score for draft in drafts])
    totals = (log_probs + scores[:, None]).view(num_texts, -1)  # [T, S·V]
    values, places = totals.topk(min(count, totals.shape[1]))
    tokens, parents = places % log_probs.shape[1], places // log_probs.shape[1]
    return zip(values.tolist(), tokens.tolist(), parents.tolist(), strict=True)


def _next_rows(searches: Sequence[_Search], width: int) -> tuple[list[int], list[_Draft]]:
    """The model's next rows: those they go on from, and their drafts, S of each open text.

    A text with fewer drafts fills its rows with an impossible one.
    """
    rows, drafts = list[int](), list[_Draft]()
    widest = max(len(search.open) for search in searches)
    for place, search in enumerate(searches):
        if search.open:
            impossible = search.open[0]._replace(score=-math.inf)
            filled = search.open + [impossible] * (widest - len(search.open))
            rows += [place * width + draft.parent for draft in filled]
            drafts += filled
    return rows, drafts
