"""Decoding written down plainly, one text at a time: nothing shared with `core`.

The tests hold the program's texts against these.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

Ids = tuple[int, ...]
Next = Callable[[Ids], list[float]]


@dataclass(frozen=True)
class Task:
    """What is known of a text before it is written."""

    next_log_probs: Next
    start_ids: Ids
    end_id: int
    max_length: int
    room: int = 10**6
    min_length: int = 0
    block: int = 0
    penalty: float = 1.0

    @property
    def limit(self) -> int:
        """How many tokens may be written: the last of them need not be fed."""
        return max(min(self.max_length, self.room - len(self.start_ids) + 1), 0)

    @property
    def at_limit(self) -> str:
        return "length" if self.limit == self.max_length else "room"


def repeats(ids: Sequence[int], size: int) -> bool:
    """Whether some run of so many ids stands there twice."""
    runs = [tuple(ids[at : at + size]) for at in range(len(ids) - size + 1)]
    return len(set(runs)) < len(runs)


def allowed(task: Task, ids: Ids) -> dict[int, float]:
    """The tokens that may follow and are possible, with their log-probabilities."""
    found = {}
    for token, score in enumerate(task.next_log_probs(ids)):
        too_early = token == task.end_id and len(ids) - len(task.start_ids) < task.min_length
        twice = task.block > 0 and repeats((*ids, token), task.block)
        if score > -math.inf and not too_early and not twice:
            found[token] = score
    return found


def greedy(task: Task) -> tuple[Ids, float, str]:
    """The text, the sum of its log-probabilities, and why it ended."""
    ids, total = task.start_ids, 0.0
    for _ in range(task.limit):
        choices = allowed(task, ids)
        if not choices:
            return ids[len(task.start_ids) :], total, "blocked"
        token = max(choices, key=lambda each: choices[each])
        total += choices[token]
        if token == task.end_id:
            return ids[len(task.start_ids) :], total, "end"
        ids = (*ids, token)
    return ids[len(task.start_ids) :], total, task.at_limit


def all_texts(task: Task, ids: Ids = (), total: float = 0.0) -> Iterator[tuple[Ids, float, str]]:
    """Every text there can be, with its sum and why it ended."""
    ids = ids or task.start_ids
    written = ids[len(task.start_ids) :]
    if len(written) == task.limit:
        yield written, total, task.at_limit
        return
    for token, score in allowed(task, ids).items():
        if token == task.end_id:
            yield written, total + score, "end"
        else:
            yield from all_texts(task, (*ids, token), total + score)


def normalised(task: Task, text: tuple[Ids, float, str]) -> float:
    ids, total, why = text
    length = len(task.start_ids) - 1 + len(ids) + (why == "end")
    return total / max(length, 1) ** task.penalty
