"""Locality-sensitive hashing: vectors that point the same way fall into one bucket, mostly.

Source: Kitaev, Kaiser, Levskaya: Reformer (2020), section 2: `argmax([xR; -xR])` with R normal.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from core.models.parts.randomness import Randomness, generator

# Scores made at once; they would grow with length × buckets.
_SCORES_AT_ONCE = 1 << 20


@dataclass(frozen=True)
class Rotations:
    """The random directions by which one layer hashes.

    Args:
        heads: Heads that hash by directions of their own; 1 if all share them.
        rounds: Rounds of hashing.
        width: Width of a head, K.
        seed: The model's, for evaluation.
        depth: The layer's, from 0.
    """

    heads: int
    rounds: int
    width: int
    seed: int
    depth: int

    def drawn(self, buckets: int, randomness: Randomness | None) -> Tensor:
        """[heads, K, R, buckets / 2]: new in each training step, the model's own in evaluation."""
        seed = (
            ("model", self.seed, self.depth)
            if randomness is None
            else ("step", randomness.run, randomness.step, self.depth)
        )
        return draw_rotations(self.heads, self.rounds, self.width, buckets, *seed)


def draw_rotations(heads: int, rounds: int, width: int, buckets: int, *seed: int | str) -> Tensor:
    """Random directions for every head and round.

    Args:
        heads: How many heads hash by their own directions; 1 if all share them.
        rounds: Rounds of hashing.
        width: Width of a head, K.
        buckets: Buckets of a round.
        *seed: What the draw depends on, and nothing else.

    Returns:
        [heads, K, rounds, buckets / 2] float32, normal.
    """
    shape = (heads, width, rounds, buckets // 2)
    return torch.randn(shape, generator=generator("rotations", *seed))


@torch.no_grad()
def hash_vectors(x: Tensor, rotations: Tensor, buckets: int) -> Tensor:
    """The bucket of each vector in each round.

    Args:
        x: [B, T, H, K] float; scores are made in float32 at least.
        rotations: [H or 1, K, R, buckets / 2] float32.
        buckets: Buckets of a round; 1 puts all into one.

    Returns:
        [B, R, H, T] int16.
    """
    B, T, H, _ = x.shape
    R = rotations.shape[2]
    found = torch.zeros(B, R, H, T, dtype=torch.int16, device=x.device)
    if buckets == 1:
        return found
    directions = rotations.to(x.device, torch.promote_types(x.dtype, torch.float32))
    step = max(1, _SCORES_AT_ONCE // (B * H * R * buckets // 2))
    for first in range(0, T, step):
        part = x[:, first : first + step].to(directions.dtype)
        with torch.autocast(x.device.type, enabled=False):  # scores stay exact
            for r in range(R):
                found[:, r, :, first : first + step] = _nearest(part, directions[:, :, r])
    return found


def _nearest(x: Tensor, directions: Tensor) -> Tensor:
    """[B, T, H, K] and [H or 1, K, N / 2] to [B, H, T]: the nearest of N directions."""
    scores = torch.matmul(x.transpose(1, 2), directions)
    high, above = scores.max(-1)
    low, below = scores.min(-1)
    # As argmax over [scores; -scores]: the first of equals.
    return torch.where(high >= -low, above, below + directions.shape[-1]).to(torch.int16)
