"""Scores of groups of documents: by how extractive or new their references are, by length.

Letters: N documents.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.documents.document import count_words
from core.errors import EpitomeError
from core.evaluation.pairs import Pairs
from core.evaluation.scores import Scores
from core.evaluation.settings import Grouping, ScoreSettings
from core.evaluation.table import Score, table_of
from core.metrics.novelty import novelty

_KINDS = (("abstractive", 1.5), ("mixed", 8.1875))
"""Upper bounds of density; above, a reference is extractive. As Newsroom's density bins."""
_EXTRACTIVE = "extractive"
_FIFTHS, _LENGTH_STEP, _LONGEST = 5, 20, 100


@dataclass(frozen=True)
class GroupScores:
    """What a system scores on a group of documents.

    Args:
        by: What makes the groups.
        group: The group's name.
        system: The system's.
        documents: How many documents are in it.
        scores: One for each measure.
    """

    by: Grouping
    group: str
    system: str
    documents: int
    scores: tuple[Score, ...]


def group_scores(
    systems: Sequence[Scores], pairs: Pairs, settings: ScoreSettings, *, has_intervals: bool
) -> tuple[GroupScores, ...]:
    """The scores of all groups that are asked for; groups without a document are left out.

    Args:
        systems: Scored on these pairs.
        pairs: [N] documents and references.
        settings: What makes groups, and the seed of the draws.
        has_intervals: Whether each score has an interval, of documents drawn within its group.

    Returns:
        By grouping, then by group, then by system.

    Raises:
        EpitomeError: If references are to be compared with documents, and there are none.
    """
    return tuple(
        found
        for by in settings.by
        for found in _grouped(by, systems, pairs, settings.seed, has_intervals)
    )


def recipes(settings: ScoreSettings) -> dict[str, str]:
    """How the groups are made, to be reported with the scores."""
    bounds = " and ".join(f"{bound:g}" for _, bound in _KINDS)
    told = {
        "kind": f"by the density of the reference, from abstractive to extractive; the bounds are "
        f"{bounds}, as in Newsroom (Grusky et al., 2018)",
        "novelty": "by the share of the reference’s bigrams that are not in the document",
        "length": "by the number of words of the summary",
    }
    return {f"by {by}": told[by] for by in settings.by}


def _grouped(
    by: Grouping, systems: Sequence[Scores], pairs: Pairs, seed: int, has_intervals: bool
) -> Iterator[GroupScores]:
    names = [group_names(by, scores, pairs) for scores in systems]
    for _, group in sorted({each for some in names for each in some}):
        for scores, some in zip(systems, names, strict=True):
            at = np.array([number for number, (_, name) in enumerate(some) if name == group], int)
            if len(at):
                part = _part(scores, at)
                drawn = part.drawn(seed) if has_intervals else None
                yield GroupScores(by, group, scores.system, len(at), table_of(part, drawn))


def group_names(by: Grouping, scores: Scores, pairs: Pairs) -> list[tuple[int, str]]:
    """The group of each document: its place among the groups, and its name.

    Args:
        by: What makes the groups.
        scores: A system's.
        pairs: [N] what it was scored on.

    Returns:
        [N] pairs.

    Raises:
        EpitomeError: If documents or references are needed, and there are none.
    """
    if by == "length":
        return [_by_length(count_words(text)) for text in scores.predictions]
    if not pairs.has_references:
        raise EpitomeError(
            f"“{pairs.path.name}” has no references, which are grouped by {by}.",
            "Group by length, or name pairs with references.",
        )
    if pairs.documents is None:
        raise EpitomeError(
            f"“{pairs.path.name}” has no documents, and references are grouped by {by} against "
            "these.",
            "Name the column with --document-column, or group by length.",
        )
    texts = zip(pairs.references, pairs.documents, strict=True)
    found = [novelty(reference, document) for reference, document in texts]
    if by == "kind":
        return [_by_kind(each.density) for each in found]
    return [_by_share(each.novel[1]) for each in found]


def _by_kind(density: float) -> tuple[int, str]:
    for place, (name, bound) in enumerate(_KINDS):
        if density <= bound:
            return place, name
    return len(_KINDS), _EXTRACTIVE


def _by_share(share: float) -> tuple[int, str]:
    place = min(int(_FIFTHS * share), _FIFTHS - 1)
    step = 100 // _FIFTHS
    return place, f"{place * step} to {(place + 1) * step} % new"


def _by_length(words: int) -> tuple[int, str]:
    if words >= _LONGEST:
        return _LONGEST, f"{_LONGEST} words and more"
    first = words // _LENGTH_STEP * _LENGTH_STEP
    return first, f"{first} to {first + _LENGTH_STEP - 1} words"


def _part(scores: Scores, at: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> Scores:
    """The scores of some documents alone."""
    counts = None if scores.bleu_counts is None else scores.bleu_counts[at]
    predictions = tuple(scores.predictions[number] for number in at)
    return replace(scores, predictions=predictions, values=scores.values[at], bleu_counts=counts)
