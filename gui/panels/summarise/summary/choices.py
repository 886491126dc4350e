"""What a person decided about a summary, and the names of what it is decided from."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from core.documents.languages import AUTO
from core.summaries.length import Length, LengthUnit

BUILT_IN = "built-in"
"""The model that is always there, as `core.summaries.summary.Summary` names it."""
SLIDER_TOPS: dict[LengthUnit, int] = {"sentences": 30, "words": 600, "share": 30}
"""Where the length slider ends, if the document has as much; the field goes on."""
MOST_SENTENCES = 1_000
"""The longest summary the window shows: it must follow the slider while it is dragged."""


@dataclass(frozen=True)
class Choices:
    """What a person decided about a summary; the undo history is a list of these.

    Args:
        length: The requested length.
        pinned: Indices of sentences that stay.
        banned: Indices of sentences that were dropped or replaced.
        replaced: Those of `banned` that were replaced.
        model: `BUILT_IN`, or the name of a run.
        language: Language code of the source; `AUTO` to detect it.
    """

    length: Length = field(default_factory=Length)
    pinned: frozenset[int] = frozenset()
    banned: frozenset[int] = frozenset()
    replaced: frozenset[int] = frozenset()
    model: str = BUILT_IN
    language: str = AUTO

    def without(self, index: int) -> "Choices":
        """These choices with one sentence taken out."""
        return replace(self, pinned=self.pinned - {index}, banned=self.banned | {index})

    def moved(self, place: Callable[[frozenset[int]], frozenset[int]]) -> "Choices":
        """These choices where sentences have other indices."""
        return replace(
            self,
            pinned=place(self.pinned),
            banned=place(self.banned),
            replaced=place(self.replaced),
        )
