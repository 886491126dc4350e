"""Random numbers that come out the same whenever and wherever they are drawn.

Dropout and rotations are drawn again in the recomputation of a reversible stack, and by other
processes of the same run. So each draw has a generator of its own, seeded by what is drawn: run,
step, layer, purpose and row; never by a global state, a rank or a micro-batch.
"""

import hashlib
from dataclasses import dataclass

import torch
from torch import Tensor

_LEVELS = 65_536
# Positions that draw together; a multiple of 4, so that any width fills whole draws.
_POSITIONS = 64


@dataclass(frozen=True)
class Randomness:
    """What a training step draws from; a model that is given none draws nothing at random.

    Args:
        run: The run's seed.
        step: The number of the step.
        rows: Number of each row of the batch within the step's whole batch.
    """

    run: int
    step: int
    rows: tuple[int, ...]


def generator(*what: int | str) -> torch.Generator:
    """A CPU generator whose state depends on nothing but what it is told."""
    digest = hashlib.blake2b(repr(what).encode(), digest_size=8).digest()
    return torch.Generator().manual_seed(int.from_bytes(digest, "little") >> 1)


def dropped(
    x: Tensor, where: slice, share: float, randomness: Randomness | None, *what: int | str
) -> Tensor:
    """Leaves out a share of a layer's output and scales the rest up.

    Positions draw in fixed groups, so that a layer which works in pieces draws what it would draw
    at once. It is drawn on the CPU: every device draws the same.

    Args:
        x: [B, t, D] float, the output at some positions.
        where: The positions.
        share: The share that is left out, to the nearest 1/65,536.
        randomness: What to draw from; None leaves nothing out.
        *what: Layer and purpose.

    Returns:
        [B, t, D], of x's dtype.
    """
    if randomness is None or share == 0:
        return x
    below = min(round(share * _LEVELS), _LEVELS - 1)
    seeds = [("dropout", randomness.run, randomness.step, row, *what) for row in randomness.rows]
    rows = [_levels(where, x.shape[2], *seed) >= below for seed in seeds]
    kept = torch.stack(rows).to(x.device, x.dtype)
    return x * kept.mul_(_LEVELS / (_LEVELS - below))


def _levels(where: slice, width: int, *seed: int | str) -> Tensor:
    """[t, D] int32 from 0 to 65,535: four from each draw of 64 bits, which is what costs time."""
    first, last = where.start // _POSITIONS, -(-where.stop // _POSITIONS)
    groups = [_group(width, *seed, group) for group in range(first, last)]
    drawn = torch.cat(groups).view(-1, width)
    return drawn[where.start - first * _POSITIONS : where.stop - first * _POSITIONS]


def _group(width: int, *seed: int | str) -> Tensor:
    words = torch.empty(_POSITIONS * width // 4, dtype=torch.int64)
    words.random_(-(2**63), None, generator=generator(*seed))
    return words.view(torch.uint16).int()
