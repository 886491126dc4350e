"""Random numbers that are the same on every machine and in every version.

Only `random.Random.random` promises that, so nothing else is drawn.
"""

import random
from collections.abc import Sequence


def draws(count: int, seed: int, document: int, purpose: str) -> list[float]:
    """Numbers from 0 up to but without 1.

    Args:
        count: How many.
        seed: The person's seed.
        document: Number of the document; each draws its own.
        purpose: What they are for; each purpose draws its own.

    Returns:
        The numbers.
    """
    generator = random.Random(f"{seed}/{document}/{purpose}")
    return [generator.random() for _ in range(count)]


def shuffled(items: Sequence[int], seed: int, document: int, purpose: str) -> list[int]:
    """The items in a random order: see `draws`."""
    keys = draws(len(items), seed, document, purpose)
    return [item for _, item in sorted(zip(keys, items, strict=True))]
