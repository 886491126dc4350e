"""The choice whether lines of plain text are joined, and the notes where it is doubtful."""

from typing import Final, Literal

LineMode = Literal["auto", "join", "keep"]
"""Lines are joined to paragraphs where they look broken, or always, or never."""

JOINED: Final = "Lines were joined into paragraphs, but each may be meant as a line of its own."
KEPT: Final = "Each line was read as a paragraph, but some seem to continue on the next line."
