"""Events of a summariser that writes."""

from dataclasses import dataclass

from core.events import Progress


@dataclass(frozen=True)
class TextWritten(Progress):
    """The text that a model has written so far; the next event replaces it.

    Args:
        text: The text, part after part of the document; its last sentence may be unfinished.
    """

    text: str = ""
