"""From rows of tokens to what a model reads in one step.

Letters: B rows, T positions.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray

from core.errors import EpitomeError
from core.models.batch import NO_LOSS, Batch
from core.models.parts.randomness import generator
from core.numbers import format_count

Places = Literal["random", "left"]
LabelledTokens = tuple[NDArray[np.integer], NDArray[np.integer]]
"""The tokens of a row, and of each the label."""


def collate(
    rows: Sequence[LabelledTokens],
    *,
    pad: int,
    length: int | None,
    model_length: int,
    places: Places,
    seed: int = 0,
    step: int = 0,
    numbers: Sequence[int] = (),
    divider: int | None = None,
) -> Batch:
    """Puts rows beside each other.

    In training a row's place is random, so that a position does not come to stand for content:
    with a fixed `length` the padding is split at random between both sides, and the positions are
    those of the padded row; without, rows begin at the left, and their positions are moved by a
    random offset. The place depends on the seed, the step and the number of the row alone.

    Args:
        rows: [B] tokens and labels of each row, of the same number; labels are already shifted,
            `NO_LOSS` where there is none.
        pad: The token that fills rows.
        length: T, to which every row is padded; None for the longest row of the batch.
        model_length: How many positions the model has.
        places: "random", or "left" for rows that begin at position 0.
        seed: The run's seed.
        step: The number of the step.
        numbers: [B] the number of each row within the whole step; from 0 on if empty.
        divider: The token that stands between document and summary, if the batch is to say which
            of them each token belongs to; it is the document's last, and positions restart after
            it.

    Returns:
        The batch, on the CPU.

    Raises:
        EpitomeError: If a row is longer than there is room for.
    """
    sizes = [len(tokens) for tokens, _ in rows]
    width = max(sizes, default=0) if length is None else length
    if max(sizes, default=0) > width or width > model_length:
        raise EpitomeError(
            f"A row of {format_count(max(sizes))} tokens does not fit into "
            f"{format_count(min(width, model_length))}.",
            "Fit the rows to the model first.",
        )
    room = model_length if length is None else width
    seeds = numbers or range(len(rows))
    places_of = [
        _drawn(room - size, seed, step, row) if places == "random" else 0
        for size, row in zip(sizes, seeds, strict=True)
    ]
    starts = [0] * len(rows) if length is None else places_of
    shifts = places_of if length is None else [0] * len(rows)
    batch = _placed(rows, pad, width, starts, shifts)
    if batch.positions is not None:  # padding beside a moved row may lie past the last position
        batch.positions.clamp_(max=model_length - 1)
    return batch if divider is None else _divided(batch, divider)


def _divided(batch: Batch, divider: int) -> Batch:
    """A batch that says what is behind the first divider of each row; positions restart there."""
    segments = torch.nn.functional.pad(batch.tokens == divider, (1, -1)).cumsum(1).clamp_(max=1)
    places = batch.positions
    if places is None:
        places = torch.arange(batch.tokens.shape[1]).expand_as(segments)
    places = torch.where(segments == 1, segments.cumsum(1) - 1, places)
    return replace(batch, segments=segments, positions=places)


def _placed(
    rows: Sequence[LabelledTokens],
    pad: int,
    width: int,
    starts: Sequence[int],
    shifts: Sequence[int],
) -> Batch:
    tokens = np.full((len(rows), width), pad, np.int64)
    labels = np.full((len(rows), width), NO_LOSS, np.int64)
    present = np.zeros((len(rows), width), np.bool_)
    positions = np.tile(np.arange(width), (len(rows), 1))
    for row, ((ids, wanted), start, shift) in enumerate(zip(rows, starts, shifts, strict=True)):
        place = slice(start, start + len(ids))
        tokens[row, place], labels[row, place], present[row, place] = ids, wanted, True
        positions[row] += shift
    return Batch(
        tokens=torch.from_numpy(tokens),
        labels=torch.from_numpy(labels),
        present=None if present.all() else torch.from_numpy(present),
        positions=torch.from_numpy(positions) if any(shifts) else None,
    )


def _drawn(most: int, seed: int, step: int, row: int) -> int:
    """A number from 0 to `most`, drawn for this row of this step alone."""
    drawn = torch.randint(most + 1, (), generator=generator("place", seed, step, row))
    return int(drawn)
