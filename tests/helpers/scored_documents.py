"""The 200 test documents on which short summaries are scored, with ROUGE and its intervals."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from core.documents.document import Document
from core.documents.readers.door import read_pasted
from core.documents.sentences import split_paragraph
from core.events import result_of
from core.metrics.intervals import NUM_DRAWS, Difference, difference
from core.metrics.rouge import Rouge
from core.stop import StopToken

PAIRS = Path(__file__).parents[2] / "../shared/data/pairs"
WORDS = {"patents": 105, "openstax": 100, "proposals": 60, "lay": 330}
"""The sets, and how many words summaries of each may have."""
PER_SET = 50
SCORES = ("1", "2", "Lsum")


@dataclass(frozen=True)
class Scored:
    """A test document.

    Args:
        set: Its set.
        number: Its place in the set's test split.
        title: Its title.
        text: What it says.
        reference: The summary that a person wrote.
        source: Where it is from.
        licence: Under which licence.
    """

    set: str
    number: int
    title: str
    text: str
    reference: str
    source: str
    licence: str

    @property
    def most_words(self) -> int:
        """How many words a summary may have."""
        return WORDS[self.set]

    @cached_property
    def document(self) -> Document:
        """What the program reads of it."""
        return result_of(read_pasted(self.text, self.title, StopToken()))


def scored_documents(per_set: int = PER_SET) -> Iterator[Scored]:
    """The first test documents of each set, which are any ones: sets are ordered by a hash."""
    from pyarrow.parquet import read_table

    for name in WORDS:
        rows = read_table(PAIRS / name / "test.parquet").to_pylist()
        for number, row in enumerate(rows[:per_set]):
            told = (row[column] for column in ("title", "document", "summary", "source", "licence"))
            yield Scored(name, number, *told)


def rouge(sentences: Sequence[str], reference: str) -> dict[str, float]:
    """F1 in %, stemmed, sentences on lines, and the mean of the three.

    Args:
        sentences: Those of a summary.
        reference: A person's, with paragraphs on lines.

    Returns:
        By the names of `SCORES`, and `mean`.
    """
    lines = reference.split("\n")
    wanted = "\n".join(line[a:b] for line in lines for a, b in split_paragraph(line))
    found = Rouge(SCORES, stem=True).score("\n".join(sentences), wanted)
    scores = {name: 100 * found[name].f1 for name in SCORES}
    return scores | {"mean": sum(scores.values()) / len(scores)}


def by_seeds_and_documents(first: ArrayLike, second: ArrayLike, seed: int = 0) -> Difference:
    """The difference of two systems' means, second less first; seeds and documents drawn anew.

    Args:
        first: [N] the metric of the first system for each document.
        second: [S, N] the same of the second, for each seed it was trained with.
        seed: Random seed.

    Returns:
        The difference with its interval. A few seeds show little of how far seeds differ, so it is
        rather too narrow.
    """
    differences = np.atleast_2d(np.asarray(second, np.float64)) - np.asarray(first, np.float64)
    chance = np.random.Generator(np.random.PCG64(seed))
    seeds, documents = differences.shape

    def drawn() -> float:
        chosen = (chance.integers(number, size=number) for number in (seeds, documents))
        return float(differences[np.ix_(*chosen)].mean())

    samples = np.array([drawn() for _ in range(NUM_DRAWS)])
    return difference(float(differences.mean()), samples)
