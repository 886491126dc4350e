"""Gap sentences written down plainly, on exact fractions: slow, and nothing shared with `core`.

The tests hold the program's picks against these.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm

Words = list[str]
Score = Callable[[list[int], list[int]], Fraction]


def words_of(sentence: str) -> Words:
    return [word for word in re.sub("[^a-z0-9]+", " ", sentence.lower()).split(" ") if word]


def grams(words: Words, size: int, unique: bool) -> Counter[tuple[str, ...]]:
    found = [tuple(words[at : at + size]) for at in range(len(words) - size + 1)]
    return Counter(set(found) if unique else found)


def bag_f1(a: Counter[tuple[str, ...]], b: Counter[tuple[str, ...]]) -> Fraction:
    both = sum(a.values()) + sum(b.values())
    overlap = sum(min(a[gram], b[gram]) for gram in a)
    return Fraction(2 * overlap, both) if both else Fraction(0)


def order_f1(a: Words, b: Words) -> Fraction:
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, left in enumerate(a):
        for j, right in enumerate(b):
            table[i + 1][j + 1] = (
                table[i][j] + 1 if left == right else max(table[i][j + 1], table[i + 1][j])
            )
    return Fraction(2 * table[-1][-1], len(a) + len(b)) if a or b else Fraction(0)


def document_score(sentences: Sequence[Words], rouge: str, unique: bool) -> Score:
    bags = [] if rouge == "L" else [grams(words, int(rouge), unique) for words in sentences]

    def score(picked: list[int], rest: list[int]) -> Fraction:
        if rouge == "L":
            return order_f1(
                [word for index in picked for word in sentences[index]],
                [word for index in rest for word in sentences[index]],
            )
        left = sum((bags[index] for index in picked), Counter())
        right = sum((bags[index] for index in rest), Counter())
        return bag_f1(Counter(set(left)), Counter(set(right))) if unique else bag_f1(left, right)

    return score


def pairwise_score(sentences: Sequence[Words], rouge: str, unique: bool, aggregate: str) -> Score:
    bags = [] if rouge == "L" else [grams(words, int(rouge), unique) for words in sentences]

    def pair(a: int, b: int) -> Fraction:
        return order_f1(sentences[a], sentences[b]) if rouge == "L" else bag_f1(bags[a], bags[b])

    table = [[pair(a, b) for b in range(len(sentences))] for a in range(len(sentences))]

    def score(picked: list[int], rest: list[int]) -> Fraction:
        if not rest:
            return Fraction(0)
        rows = [[table[a][b] for b in rest] for a in picked]
        if aggregate == "max":
            return sum((max(row) for row in rows), Fraction(0)) / len(picked)
        return sum((sum(row, Fraction(0)) for row in rows), Fraction(0)) / (len(picked) * len(rest))

    return score


def long_pairwise(words: Sequence[Words], unique: bool, count: int) -> list[int]:
    """`sequential-pairwise` (mean, ROUGE-1) for hundreds of sentences that all have words.

    The total over (picked, rest) pairs changes by the F1 with the rest less that with the picked;
    all on one common denominator, so still exact.
    """
    bags = [grams(each, 1, unique) for each in words]
    sizes = [sum(bag.values()) for bag in bags]
    one = lcm(*{a + b for a in set(sizes) for b in set(sizes)})
    table = [[int(bag_f1(a, b) * one) if a is not b else 0 for b in bags] for a in bags]
    change = [sum(row) for row in table]
    picks: list[int] = []
    while len(picks) < count:
        best = max((at for at in range(len(bags)) if at not in picks), key=lambda at: change[at])
        picks.append(best)
        change = [now - 2 * table[best][at] for at, now in enumerate(change)]
    return picks


def order(
    sentences: Sequence[str],
    strategy: str,
    rouge: str = "1",
    unique: bool = False,
    aggregate: str = "mean",
    given: Sequence[int] = (),
) -> list[tuple[int, Fraction]]:
    """All picks, as (index over all sentences, score), best first or in greedy order."""
    scorable = [index for index, text in enumerate(sentences) if words_of(text)]
    words = [words_of(sentences[index]) for index in scorable]
    if strategy.endswith("pairwise"):
        score = pairwise_score(words, rouge, unique, aggregate)
    else:
        score = document_score(words, rouge, unique)
    taken = [scorable.index(index) for index in given if index in scorable]
    everything = range(len(words))
    if strategy.startswith("independent"):
        alone = {at: score([at], [each for each in everything if each != at]) for at in everything}
        ranked = sorted((at for at in everything if at not in taken), key=lambda at: -alone[at])
        return [(scorable[at], alone[at]) for at in ranked]
    picks = []
    while len(taken) < len(words):
        best = (Fraction(-1), -1)
        for at in everything:
            if at not in taken:
                now = [*taken, at]
                value = score(now, [each for each in everything if each not in now])
                if value > best[0]:
                    best = (value, at)
        taken.append(best[1])
        picks.append((scorable[best[1]], best[0]))
    return picks
