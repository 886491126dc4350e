"""What becomes of the lines of plain text, and what is said where that is doubtful."""

from typing import Final, Literal

LineMode = Literal["auto", "join", "keep"]
"""Lines are joined to paragraphs where they look broken, or always, or never."""

JOINED: Final = "Lines were joined to paragraphs, though each may stand for itself."
KEPT: Final = "Each line was kept as a paragraph, though lines seem to go on in the next."
