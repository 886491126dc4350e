"""What a summariser says while it writes."""

from dataclasses import dataclass

from core.events import Progress


@dataclass(frozen=True)
class TextWritten(Progress):
    """What a model has written so far; the next one replaces it.

    Args:
        text: The text, part after part of the document; its last sentence may be unfinished.
    """

    text: str = ""
