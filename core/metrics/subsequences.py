"""Longest common subsequences of two texts' words.

The dynamic programming table is not stored. Lengths in a column increase by 0 or 1, so a column is
one integer whose bits mark the increases, and a few integer operations give the next column.

Source: Hyyrö (2004), Bit-parallel LCS-length computation revisited; for the weighted form
Lin (2004), ROUGE: a package for automatic evaluation of summaries, section 4.
"""

from collections import deque
from collections.abc import Iterator, Sequence

Places = dict[int, int]


def common_length(first: Sequence[int], second: Sequence[int]) -> int:
    """The length of the longest common subsequence, in words."""
    last = deque(_columns(_places(first), len(first), second), maxlen=1)
    return last[0][1].bit_count() if last else 0


def words_in_union(sentence: Sequence[int], others: Sequence[Sequence[int]]) -> list[int]:
    """The words of a sentence that are in its common subsequence with any of the others.

    Args:
        sentence: A sentence of the reference.
        others: The sentences of the prediction.

    Returns:
        Those words, in order. Of several longest subsequences, the one that `rouge_score` finds
        counts: the last matches in the sentence.
    """
    places, union = _places(sentence), 0
    for other in others:
        union |= _traced(places, len(sentence), other)
    return [word for index, word in enumerate(sentence) if union >> index & 1]


def weighted_common_length(first: Sequence[int], second: Sequence[int], weight: float) -> float:
    """Lin's weighted score of a common subsequence, which favours consecutive words.

    Args:
        first: A text's words.
        second: The other's.
        weight: k consecutive words score k to this power.

    Returns:
        The score; for n equal words, n to the power of the weight. It is the result of Lin's
        recurrence, which is not always the maximum.
    """
    worth = [length**weight for length in range(len(first) + 2)]
    scores, runs = [0.0] * (len(second) + 1), [0] * (len(second) + 1)
    for word in first:
        new_scores, new_runs = [0.0], [0]
        for index, other in enumerate(second):
            if word == other:
                run = runs[index] + 1
                new_scores.append(scores[index] + worth[run] - worth[run - 1])
                new_runs.append(run)
            else:
                new_scores.append(max(scores[index + 1], new_scores[index]))
                new_runs.append(0)
        scores, runs = new_scores, new_runs
    return scores[-1]


def _places(words: Sequence[int]) -> Places:
    """For each word, a bit mask of its positions."""
    places: Places = {}
    for index, word in enumerate(words):
        places[word] = places.get(word, 0) | 1 << index
    return places


def _columns(places: Places, length: int, others: Sequence[int]) -> Iterator[tuple[int, int]]:
    """For each other word: its positions, and the positions where the lengths increase."""
    full = (1 << length) - 1
    level = full  # where they do not increase
    for word in others:
        at = places.get(word, 0)
        met = level & at
        level = ((level + met) | (level - met)) & full
        yield at, full ^ level


def _traced(places: Places, length: int, others: Sequence[int]) -> int:
    """The positions of a longest common subsequence, traced back from the end of both texts."""
    if places.keys().isdisjoint(others):
        return 0
    below, taken = (1 << length) - 1, 0
    for at, rises in reversed(list(_columns(places, length, others))):
        # Down the column to the first place where the words are equal, or that no other word can
        # do without: what `rouge_score` does place by place.
        place = ((at | rises) & below).bit_length()
        if not place:
            break
        bit = 1 << place - 1
        if at & bit:
            taken |= bit
            below = bit - 1
        else:
            below = (bit << 1) - 1
    return taken
