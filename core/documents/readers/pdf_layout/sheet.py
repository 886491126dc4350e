"""What one page holds, upright and with y growing downwards: words, pictures and rules.

Units are points (1/72 inch) from the page's upper left corner. Letters: W words.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

import numpy as np
from numpy.typing import NDArray

LINE_END_HYPHEN = "\x02"  # what pdfium gives for a hyphen, soft or hard, at the end of a line


@dataclass(frozen=True)
class Words:
    """The words of a page as arrays, in the order in which the page draws them.

    Args:
        texts: [W] each word without white space.
        x0: [W] left edge.
        x1: [W] right edge.
        base: [W] the baseline.
        size: [W] type size in points.
        bold: [W] whether it is set in bold.
        mono: [W] whether every letter of its face is equally wide.
        hidden: [W] whether it is drawn invisibly, as recognition layers are.
        glued: [W] whether no space was drawn between it and the word drawn before it.
        order: [W] its place in the drawing order of the page.
    """

    texts: NDArray[np.object_]
    x0: NDArray[np.float64]
    x1: NDArray[np.float64]
    base: NDArray[np.float64]
    size: NDArray[np.float64]
    bold: NDArray[np.bool_]
    mono: NDArray[np.bool_]
    hidden: NDArray[np.bool_]
    glued: NDArray[np.bool_]
    order: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.x0)

    def take(self, which: NDArray[np.bool_] | NDArray[np.int64]) -> "Words":
        """Only some of the words: a mask or indices."""
        return Words(*(getattr(self, each.name)[which] for each in fields(self)))

    @property
    def top(self) -> NDArray[np.float64]:
        """[W] height of the tallest letters above each baseline."""
        return self.base - 0.75 * self.size

    @property
    def bottom(self) -> NDArray[np.float64]:
        """[W] how far letters reach below each baseline."""
        return self.base + 0.25 * self.size


@dataclass(frozen=True)
class Shape:
    """A picture, a drawing or a ruled line."""

    kind: str  # "picture", "drawing" or "rule"
    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def area(self) -> float:
        """Square points."""
        return max(0.0, self.x1 - self.x0) * max(0.0, self.y1 - self.y0)

    def mirrored(self, width: float) -> "Shape":
        """Mirrors it on a page of a width."""
        return replace(self, x0=width - self.x1, x1=width - self.x0)


@dataclass(frozen=True)
class Recognised:
    """How the words of a page were recognised in its picture.

    Args:
        language: In which language, by Tesseract's code.
        num_doubtful: How many words are in doubt.
        num_unreadable: How many were left out, for hardly a letter of them is known.
        turn: In how many quarter turns anticlockwise the page was set upright.
        complete: Whether there was time for the whole page.
    """

    language: str
    num_doubtful: int = 0
    num_unreadable: int = 0
    turn: int = 0
    complete: bool = True


@dataclass(frozen=True)
class Sheet:
    """One page, turned so that most of its text is upright.

    Args:
        page: Its number from 1.
        width: In points.
        height: In points.
        words: What is upright.
        shapes: Pictures, drawings and rules.
        sideways: Words that stand across the page's direction.
        typed: What was typed into the fields of a form.
        written: The text of notes that are seen on it.
        damaged: Whether pdfium could not load it.
        too_large: Whether its contents are more than pdfium reads, so that nothing of them is here.
        hidden: How many words on it are not seen, by `visibility.Hidden`.
        num_unread: How many characters on it were not read, for there are too many.
        undrawn: True if drawing it takes too long, so that its picture could not be read.
        tried: Whether it was tried to recognise its text in its picture.
        recognised: How that was done; None where its words were not recognised here.
    """

    page: int
    width: float
    height: float
    words: Words
    shapes: tuple[Shape, ...] = ()
    sideways: tuple[str, ...] = field(default=())
    typed: str = ""
    written: str = ""
    damaged: bool = False
    too_large: bool = False
    hidden: Mapping[int, int] = field(default_factory=dict)
    num_unread: int = 0
    undrawn: bool = False
    tried: bool = False
    recognised: Recognised | None = None

    def with_words(self, words: Words) -> "Sheet":
        """The same page with other words."""
        return replace(self, words=words)

    @property
    def is_blank(self) -> bool:
        """Whether nothing at all was found on it."""
        return not (
            len(self.words)
            or self.shapes
            or self.sideways
            or self.typed
            or self.written
            or self.damaged
        )

    @property
    def picture_share(self) -> float:
        """Share of the page under its largest picture."""
        areas = [shape.area for shape in self.shapes if shape.kind == "picture"]
        return max(areas, default=0.0) / max(1.0, self.width * self.height)


def no_words() -> Words:
    """Words of an empty page."""
    floats, flags = np.zeros(0), np.zeros(0, bool)
    none = np.zeros(0, object)
    counts = np.zeros(0, np.int64)
    return Words(none, floats, floats, floats, floats, flags, flags, flags, flags, counts)
