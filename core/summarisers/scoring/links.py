"""Antecedents: the earlier sentences without which candidates are not understood.

Letters: E candidates.
"""

import numpy as np
from numpy.typing import NDArray

from core.documents.document import Document, Kind
from core.summarisers.candidates import Candidates
from core.summarisers.rules.discourse import Ordinal, markers_for

Ints = NDArray[np.int64]

MAX_DISTANCE = 40
"""Candidates between a "second" and its "first", at most."""
# Chosen in November 2026 on judged documents (`docs/evaluation.md`).
DEPENDENCY_THRESHOLD = 0.5
"""A sentence that more probably depends on the one before it is only selected after that one."""


def find_antecedents(
    document: Document, candidates: Candidates, dependency_prob: NDArray[np.float64]
) -> Ints:
    """Finds the antecedent of each candidate.

    Args:
        document: The document.
        candidates: [E] its candidates.
        dependency_prob: [E] probability that each needs the sentence before it.

    Returns:
        [E] the row of the antecedent, -1 for none: by discourse markers, else the sentence before a
        dependent one, if that is a candidate of the same paragraph.
    """
    marked = find_marked_antecedents(document, candidates)
    return np.where(marked >= 0, marked, find_predecessors(candidates, dependency_prob))


def find_marked_antecedents(document: Document, candidates: Candidates) -> Ints:
    """Finds antecedents by discourse markers.

    Args:
        document: The document.
        candidates: [E] its candidates.

    Returns:
        [E] the row of the antecedent, -1 for none: "third" needs "second", which needs "first", all
        below one heading; an exception needs the sentence right before it.
    """
    markers = markers_for(document.reading.language)
    sections = np.cumsum(document.kinds == Kind.HEADING)[candidates.paragraphs]
    antecedents = np.full(len(candidates), -1, np.int64)
    ordinals: dict[tuple[int, Ordinal], int] = {}
    for row, text in enumerate(candidates.texts):
        section = int(sections[row])
        if ordinal := markers.parse_ordinal(text):
            if ordinal.place:
                previous = Ordinal(ordinal.series, ordinal.place - 1)
                before = ordinals.get((section, previous), -MAX_DISTANCE)
                antecedents[row] = before if row - before < MAX_DISTANCE else -1
            ordinals[section, ordinal] = row
        elif row and markers.is_exception(text):
            follows = candidates.indices[row] - candidates.indices[row - 1] == 1
            antecedents[row] = row - 1 if follows and section == sections[row - 1] else -1
    return antecedents


def find_predecessors(candidates: Candidates, dependency_prob: NDArray[np.float64]) -> Ints:
    """[E] row of the sentence before each dependent candidate in its paragraph, else -1."""
    rows = np.arange(len(candidates))
    follows = np.zeros(len(rows), bool)
    follows[1:] = (np.diff(candidates.indices) == 1) & (np.diff(candidates.paragraphs) == 0)
    return np.where(follows & (dependency_prob >= DEPENDENCY_THRESHOLD), rows - 1, -1)
