"""What the Compare panel shows of an open comparison, without Qt.

Letters: S systems, N documents.
"""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.jobs.evaluation.browse_comparison import REFERENCE, SOURCE
from core.runs.comparisons import OpenedComparison
from core.storage.portable_names import fold_name
from gui.panels.compare.words import higher_is_better, main_measure, named, tr

Light = Literal["3", "4", "longest", "difference", "off"]
Order = Literal["set", "disagreement", "won", "lost"]
Third = Literal["", "low", "middle", "high"]

Numbers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass
class Filter:
    """Which documents are shown.

    Attributes:
        length: A third of them by the words of the document; empty for all.
        abstractiveness: A third by the share of new bigrams in the first summary; empty for all.
        kind: Those of one kind; empty for all.
        words: Those with these words in their titles; empty for all.
    """

    length: Third = ""
    abstractiveness: Third = ""
    kind: str = ""
    words: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether all documents are shown."""
        return self == Filter()


@dataclass
class CompareState:
    """An open comparison and what of it is shown.

    Attributes:
        opened: The comparison; None for none.
        number: The document that is shown.
        light: What is lit in the summaries.
        against: What they are compared with: `SOURCE`, `REFERENCE` or a system.
        measure: By which the documents are ordered.
        rival: The system that is held against the first.
        order: In which order the documents are listed.
        filter: Which of them are listed.
    """

    opened: OpenedComparison | None = None
    number: int = 0
    light: Light = "3"
    against: int = REFERENCE
    measure: str = ""
    rival: int = 1
    order: Order = "set"
    filter: Filter = field(default_factory=Filter)
    rows: Numbers = field(default_factory=lambda: np.empty(0, np.int64))

    def open(self, opened: OpenedComparison | None) -> None:
        """Takes another comparison, from its first document on."""
        self.opened, self.number = opened, 0
        self.order, self.filter = "set", Filter()
        self.rival = 1
        self.measure = main_measure(opened.about) if opened else ""
        self.against = self._usual_against()
        self.sort()

    def _usual_against(self) -> int:
        if self.opened is None or self.opened.about.has_references:
            return REFERENCE
        return 0 if len(self.opened.about.systems) > 1 else SOURCE

    @property
    def comparisons(self) -> list[tuple[int, str]]:
        """What the summaries can be compared with, and what it is called."""
        if self.opened is None:
            return []
        about, found = self.opened.about, []
        if about.has_references:
            found.append((REFERENCE, tr("the reference")))
        found += [(number, named(system.title)) for number, system in enumerate(about.systems)]
        if about.has_documents:
            found.append((SOURCE, tr("the source")))
        return found

    # Documents

    def sort(self) -> None:
        """Lists the documents that pass the filter, in their order."""
        if self.opened is None:
            self.rows = np.empty(0, np.int64)
            return
        rows = np.flatnonzero(self._passing())
        key = self._key()
        if key is not None:
            rows = rows[np.argsort(-key[rows], kind="stable")]
        self.rows = rows

    def _key(self) -> Floats | None:
        """[N] what documents are ordered by, the highest first; None for their own order."""
        if self.order == "disagreement":
            return self.disagreement()
        ahead = self.ahead()
        if self.order == "set" or ahead is None:
            return None
        return ahead if self.order == "won" else -ahead

    def values(self, measure: str = "") -> Floats | None:
        """[S, N] what each document scores; None where that was not measured."""
        return self.opened.measure(measure or self.measure) if self.opened else None

    def disagreement(self) -> Floats | None:
        """[N] how far the best and the worst system of a document are apart."""
        values = self.values()
        return None if values is None or len(values) < 2 else np.ptp(values, axis=0)

    def ahead(self) -> Floats | None:
        """[N] by how much the first system is better than its rival."""
        values = self.values()
        if values is None or len(values) < 2:
            return None
        found: Floats = values[0] - values[min(self.rival, len(values) - 1)]
        return found if higher_is_better(self.measure) else -found

    def wins(self) -> tuple[int, int, int]:
        """In how many listed documents the first system wins, ties and loses."""
        ahead = self.ahead()
        if ahead is None:
            return (0, 0, 0)
        listed = ahead[self.rows]
        won, lost = int((listed > 0).sum()), int((listed < 0).sum())
        return won, len(listed) - won - lost, lost

    def _passing(self) -> NDArray[np.bool_]:
        assert self.opened is not None
        names, wanted = self.opened.names, self.filter
        passing = np.ones(len(self.opened), np.bool_)
        passing &= _third(np.array(names.words, np.float64), wanted.length)
        abstractive = self.values("novel 2-grams")
        if abstractive is not None:
            passing &= _third(abstractive[0], wanted.abstractiveness)
        if wanted.kind:
            passing &= np.array(names.kinds) == wanted.kind
        if wanted.words.strip():
            words = fold_name(wanted.words.strip())
            passing &= np.array([words in fold_name(title) for title in names.titles])
        return passing

    @property
    def kinds(self) -> list[str]:
        """The kinds of documents there are."""
        return sorted(set(self.opened.names.kinds) - {""}) if self.opened else []

    # Going from one to the next

    @property
    def place(self) -> int:
        """Where the shown document stands in the list, from 1; 0 where it is not listed."""
        found = np.flatnonzero(self.rows == self.number)
        return int(found[0]) + 1 if len(found) else 0

    def step(self, by: int) -> bool:
        """Goes so many documents on in the list, or back; whether there is one."""
        if not len(self.rows):
            return False
        place = self.place
        at = place - 1 + by if place else (0 if by > 0 else len(self.rows) - 1)
        if not 0 <= at < len(self.rows):
            return False
        self.number = int(self.rows[at])
        return True


def _third(values: Floats, wanted: Third) -> NDArray[np.bool_]:
    """Which values lie in the lower, middle or upper third of all; all where none is wanted."""
    if not wanted or not len(values):
        return np.ones(len(values), np.bool_)
    low, high = np.quantile(values, (1 / 3, 2 / 3))
    if wanted == "low":
        return np.asarray(values <= low)
    return np.asarray(values > high) if wanted == "high" else (values > low) & (values <= high)
