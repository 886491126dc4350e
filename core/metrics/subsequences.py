"""Longest common subsequences of two texts' words.

The table of lengths is not written out. Along each column of it lengths rise by 0 or 1, so a column
is one integer whose bits say where they rise, and the next column follows from it by a few
operations on whole integers.

Source: Hyyrö (2004), Bit-parallel LCS-length computation revisited; for the weighted form
Lin (2004), ROUGE: a package for automatic evaluation of summaries, section 4.
"""

from collections import deque
from collections.abc import Iterator, Sequence

Places = dict[int, int]


def common_length(first: Sequence[int], second: Sequence[int]) -> int:
    """How many words the longest common subsequence of two texts has."""
    last = deque(_columns(_places(first), len(first), second), maxlen=1)
    return last[0][1].bit_count() if last else 0


def words_in_union(sentence: Sequence[int], others: Sequence[Sequence[int]]) -> list[int]:
    """The words of a sentence that stand in its common subsequence with any of the others.

    Args:
        sentence: A sentence of the reference.
        others: The sentences of the prediction.

    Returns:
        Those words, in order. Of several longest subsequences that one counts which `rouge_score`
        finds: the matches that come last in the sentence.
    """
    places, union = _places(sentence), 0
    for other in others:
        union |= _traced(places, len(sentence), other)
    return [word for index, word in enumerate(sentence) if union >> index & 1]


def weighted_common_length(first: Sequence[int], second: Sequence[int], weight: float) -> float:
    """Lin's score of a common subsequence, in which words in a row count for more.

    Args:
        first: A text's words.
        second: The other's.
        weight: A run of k words adds k to the power of this.

    Returns:
        The score; of n equal words n to the power of the weight. It is what Lin's recurrence
        finds, which is not always the highest there is.
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
    """For each word the bits of the places at which it stands."""
    places: Places = {}
    for index, word in enumerate(words):
        places[word] = places.get(word, 0) | 1 << index
    return places


def _columns(places: Places, length: int, others: Sequence[int]) -> Iterator[tuple[int, int]]:
    """For each other word: the places where it stands, and those where the lengths rise by 1."""
    full = (1 << length) - 1
    level = full  # where they do not rise
    for word in others:
        at = places.get(word, 0)
        met = level & at
        level = ((level + met) | (level - met)) & full
        yield at, full ^ level


def _traced(places: Places, length: int, others: Sequence[int]) -> int:
    """The places that a longest common subsequence takes, read from the end of both texts."""
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
