"""Counts of the weights of parts that several model families have."""

import math


def count_copying(width: int, smears: int, has_pointer: bool) -> int:
    """Counts the weights of smears, and of a pointer head."""
    return smears * width + has_pointer * (2 * width * width + width + 1)


def count_feed_forward(width: int, inner: int) -> int:
    """Counts the weights of a feed-forward layer, with its norm and the bias of attention."""
    return 2 * width * inner + inner + 3 * width


def count_positions(kind: str, length: int, width: int, rows: int | None = None) -> int:
    """Counts the weights of learnt or axial positions.

    Args:
        kind: "learned" or "axial".
        length: Positions.
        width: Of the vectors.
        rows: Of the first axial table; None for near the square root of the length.

    Returns:
        How many.
    """
    if kind == "learned":
        return length * width
    first = rows or max(1, math.isqrt(length))
    return first * (width // 2) + -(-length // first) * (width - width // 2)


def count_output(vocabulary_size: int, width: int, *, is_tied: bool) -> int:
    """Counts the weights of an output head that are not those of the embedding."""
    return 0 if is_tied else vocabulary_size * (width + 1)
