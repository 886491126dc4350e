"""What becomes of examples that are longer than the model: never a silent cut.

Letters: N examples, R rows (what the model reads at a time), S tokens of a source, G gap sentences.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.data.examples import Example, Examples
from core.errors import EpitomeError
from core.numbers import format_count, format_quantity, format_share

MARKS = 2
"""Special tokens that a row of a language model has: before the summary, and behind it."""

Policy = Literal["split", "window", "start", "skip"]
Ints = NDArray[np.integer]
Piece = tuple[int, int, int, int, int]
"""What a row reads: the example, from where to where its source, and its summary."""


@dataclass(frozen=True)
class Fate:
    """What became of the examples of a split, in numbers.

    Args:
        whole: Examples that fit as they are.
        split: Examples that are read in several pieces.
        windowed: Examples of whose source one stretch is read.
        skipped: Examples that are not read at all.
        rows: Rows that came out.
        left_out: Tokens of sources and summaries that no row holds, skipped examples included.
        of_tokens: Tokens of all sources and summaries.
    """

    whole: int
    split: int
    windowed: int
    skipped: int
    rows: int = 0
    left_out: int = 0
    of_tokens: int = 0

    def told(self) -> str:
        """The numbers in one sentence."""
        examples = self.whole + self.split + self.windowed + self.skipped
        parts = [f"{format_count(self.whole)} whole"]
        parts += [f"{format_count(self.split)} split"] if self.split else []
        parts += [f"{format_count(self.windowed)} cut to a window"] if self.windowed else []
        parts += [f"{format_count(self.skipped)} skipped"] if self.skipped else []
        share = format_share(self.left_out, self.of_tokens)
        rows = format_quantity(self.rows, "row")
        return (
            f"Read {format_quantity(examples, 'example')} ({', '.join(parts)}) as {rows}; "
            f"{share} of the tokens left out."
        )


@dataclass(frozen=True, eq=False)
class Fitted:
    """Rows that fit a model; each is a view of a piece of an example, nothing is copied.

    Args:
        examples: What the rows look into.
        rows: [R, 5] int64: the example, then where the piece begins and ends in its source, then
            the same for its summary.
        fate: What became of the examples.
    """

    examples: Examples
    rows: NDArray[np.int64]
    fate: Fate

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int) -> Example:
        example, start, stop, first, last = self.rows[index].tolist()
        whole = self.examples[example]
        summary = None if whole.summary is None else whole.summary[first:last]
        return Example(whole.source[start:stop], summary)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """[R, 2] int64: how many tokens the source and the summary of each row have."""
        return self.rows[:, [2, 4]] - self.rows[:, [1, 3]]


def fit(
    examples: Examples,
    length: int,
    policy: Policy,
    *,
    marks: int = MARKS,
    summary_length: int | None = None,
) -> Fitted:
    """Makes rows that fit.

    With "split", plain text is read in pieces one after the other. A document with gap sentences
    is too, each piece with the gap sentences that stood in it; pieces without one are left out,
    since nothing could be learnt from them. A summary written by a person speaks of the whole
    document, so there "split" does what "window" does: the source gives way to the stretch of it
    in which most of the summary's tokens stand. "window" reads the piece with most gap
    sentences, or the beginning of plain text. "start" reads the beginning of any of them, and of a
    document with gap sentences the first piece that has one. An example is skipped if its summary
    leaves no room for any source.

    Args:
        examples: The examples of a split.
        length: How many tokens the model reads: with the summary, or without if that has a
            length of its own.
        policy: What becomes of what is longer.
        marks: How many special tokens are added to each row and count as length.
        summary_length: How long a summary may be, if it is not read with the source.

    Returns:
        The rows, in the order of the examples.

    Raises:
        EpitomeError: If the model has no room for anything.
    """
    if length <= marks:
        told = f"A model of {length} tokens has no room for a document beside {marks} marks."
        raise EpitomeError(told, "Use a longer model.")
    room = _Room(length - marks, summary_length)
    lengths = examples.lengths
    is_whole = room.holds(lengths[:, 0], lengths[:, 1])
    rows = [_as_they_are(np.flatnonzero(is_whole), lengths)]
    counts = {"whole": int(is_whole.sum()), "split": 0, "windowed": 0, "skipped": 0}
    for number in np.flatnonzero(~is_whole).tolist():
        found = [] if policy == "skip" else _cut(number, examples, room, policy)
        counts[_fate(found)] += 1
        rows.append(np.array(found, np.int64).reshape(-1, 5))
    table = np.concatenate(rows)
    fitted = Fitted(examples, table[np.argsort(table[:, 0], kind="stable")], Fate(**counts))
    of_tokens, tokens = int(lengths.sum()), int(fitted.lengths.sum())
    fate = replace(fitted.fate, rows=len(fitted), of_tokens=of_tokens, left_out=of_tokens - tokens)
    return replace(fitted, fate=fate)


@dataclass(frozen=True)
class _Room:
    """How many tokens of a source and a summary fit into a row."""

    tokens: int
    summary: int | None

    def holds(self, source: Ints, summary: Ints) -> NDArray[np.bool_]:
        """Which sources fit with their summaries."""
        if self.summary is None:
            return source + summary <= self.tokens
        return (source <= self.tokens) & (summary <= self.summary)

    def beside(self, summary: int) -> int:
        """How many tokens of source fit beside a summary; below 1 if none."""
        if self.summary is None:
            return self.tokens - summary
        return self.tokens if summary <= self.summary else 0


def _as_they_are(numbers: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """[R, 5] the rows of whole examples."""
    zero = np.zeros_like(numbers)
    return np.stack([numbers, zero, lengths[numbers, 0], zero, lengths[numbers, 1]], 1)


def _cut(number: int, examples: Examples, room: _Room, policy: Policy) -> list[Piece]:
    """The rows of an example that does not fit."""
    example = examples[number]
    size = len(example.source)
    if examples.make == "gsg":
        pieces = [(number, *piece) for piece in _gap_pieces(example, room)]
        most = max(pieces, key=lambda piece: piece[4] - piece[3], default=None)
        if policy == "start":
            return pieces[:1]
        return pieces if policy == "split" else [most] if most else []
    if examples.make == "text" and policy == "split":
        starts = range(0, size, room.tokens)
        return [(number, start, min(start + room.tokens, size), 0, 0) for start in starts]
    summary = np.empty(0, np.int32) if example.summary is None else example.summary
    width = min(room.beside(len(summary)), size)
    if width < 1:
        return []
    start = 0 if policy == "start" else best_window(example.source, summary, width)
    return [(number, start, start + width, 0, len(summary))]


def _fate(rows: list[Piece]) -> str:
    if not rows:
        return "skipped"
    return "split" if len(rows) > 1 else "windowed"


def best_window(source: Ints, summary: Ints, width: int) -> int:
    """Where the stretch of a source begins in which most of a summary's tokens stand.

    A token of the summary counts as often as it stands there, once it is anywhere in the stretch.

    Args:
        source: [S] ids.
        summary: Ids.
        width: How many tokens the stretch has.

    Returns:
        The first token of the earliest best stretch.
    """
    last = len(source) - width
    if last <= 0:
        return 0
    wanted, counts = np.unique(summary, return_counts=True)
    places = np.flatnonzero(np.isin(source, wanted))
    found = np.searchsorted(wanted, source[places])
    order = np.argsort(found, kind="stable")
    places, found = places[order], found[order]
    before = np.full(len(places), -1)
    same = found[1:] == found[:-1]
    before[1:][same] = places[:-1][same]
    # A stretch has this token as its first of the kind if it begins after the one before.
    begins = np.maximum(before + 1, places - width + 1).clip(0, last + 1)
    ends = np.maximum(np.minimum(places, last) + 1, begins)
    gains = np.zeros(last + 2, np.int64)
    np.add.at(gains, begins, counts[found])
    np.add.at(gains, ends, -counts[found])
    return int(np.argmax(np.cumsum(gains)[: last + 1]))


def _gap_pieces(example: Example, room: _Room) -> Iterator[tuple[int, int, int, int]]:
    """Pieces of a source as long as can be, each with the gap sentences that stood in it."""
    places, ends = example.gaps[:, 0], example.gaps[:, 1]
    starts = np.append(0, ends[:-1])
    start, gap = 0, 0
    while start < len(example.source):
        stop, after = _reach(start, gap, len(example.source), places, ends - starts, room)
        if stop == start:  # not even one gap sentence has room: its place is passed over
            stop, after = start + 1, gap + 1
        elif after > gap:
            yield start, stop, int(starts[gap]), int(ends[after - 1])
        start, gap = stop, after


def _reach(
    start: int, gap: int, size: int, places: Ints, sizes: Ints, room: _Room
) -> tuple[int, int]:
    """How far a piece reaches: the place after its last token, and after its last gap."""
    written = 0
    stop = start + room.beside(0)
    while gap < len(places) and places[gap] < stop:
        longer = written + int(sizes[gap])
        beside = room.beside(longer)
        if start + beside <= places[gap]:
            return min(int(places[gap]), stop), gap  # the piece ends before this gap
        written, gap, stop = longer, gap + 1, start + beside
    return min(stop, size), gap
