"""Words in a picture, by Tesseract.

Letters: W words.
"""

import os
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.documents.readers.recognition.pictures import Picture
from core.errors import EpitomeError

PAGE_LIMIT_S = 45.0
"""For one attempt at a page; what was not recognised until then is missing."""
DOUBTFUL = 60.0
"""A word of less confidence is in doubt."""

_SOUND = 65.0  # mean confidence; of a page that lies on its side it is 35 to 55
_FEWEST_SOUND = 5  # words
_STEEPEST = 0.3  # of a baseline: a steeper one is not upright


@dataclass(frozen=True)
class Recognised:
    """What was recognised in a picture; lengths in pixels from its upper left corner.

    Args:
        complete: Whether there was time for all of it.
        texts: [W] the words in Tesseract's order.
        x0: [W] left edges.
        x1: [W] right edges.
        base: [W] the baseline below the middle of each word.
        slope: [W] how far the baseline of its line sinks, a pixel.
        size: [W] the height of its line's letters, from the highest to the lowest.
        confidence: [W] in percent.
        line: [W] the number of its line.
    """

    complete: bool
    texts: NDArray[np.object_]
    x0: NDArray[np.float64]
    x1: NDArray[np.float64]
    base: NDArray[np.float64]
    slope: NDArray[np.float64]
    size: NDArray[np.float64]
    confidence: NDArray[np.float64]
    line: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.x0)

    def take(self, which: NDArray[np.bool_]) -> "Recognised":
        """Only some of the words."""
        arrays = (getattr(self, each.name)[which] for each in fields(self)[1:])
        return Recognised(self.complete, *arrays)

    @property
    def mean_confidence(self) -> float:
        """By letters, in percent; 0 without words."""
        lengths = np.array([len(text) for text in self.texts], np.float64)
        return float(np.average(self.confidence, weights=lengths)) if len(self) else 0.0

    @property
    def line_confidence(self) -> NDArray[np.float64]:
        """[W] the mean confidence of the line of each word, in percent."""
        _, line, count = np.unique(self.line, return_inverse=True, return_counts=True)
        means: NDArray[np.float64] = np.bincount(line, self.confidence) / count
        return means[line]

    @property
    def letters(self) -> float:
        """How many letters there are, each counted by its confidence."""
        return sum(map(len, self.texts)) * self.mean_confidence / 100

    @property
    def is_sound(self) -> bool:
        """Whether this is text and stands upright."""
        return len(self) >= _FEWEST_SOUND and self.mean_confidence >= _SOUND


class Engine:
    """Tesseract with one language; for one thread at a time.

    Args:
        data: The file of the language.

    Raises:
        EpitomeError: If Tesseract cannot use the file.
    """

    def __init__(self, data: Path) -> None:
        from tesserocr import OEM, PSM, PyTessBaseAPI

        try:
            self._api = PyTessBaseAPI(
                path=str(data.parent),
                lang=data.stem,
                psm=PSM.AUTO,
                oem=OEM.LSTM_ONLY,
                variables={"debug_file": os.devnull},
            )
        except RuntimeError as error:
            raise EpitomeError(
                f"Text recognition cannot use “{data}”.",
                "Get a new copy of this file for Tesseract 5, or remove it.",
            ) from error

    def recognise(self, picture: Picture) -> Recognised:
        """The words of a picture that stand upright in it.

        Args:
            picture: A page.

        Returns:
            Its words.
        """
        height, width = picture.pixels.shape
        self._api.SetImageBytes(picture.pixels.tobytes(), width, height, 1, width)
        self._api.SetSourceResolution(max(70, picture.dpi))
        complete = bool(self._api.Recognize(round(PAGE_LIMIT_S * 1000)))
        found = _collected(self._api, complete)
        self._api.Clear()
        return found.take(np.abs(found.slope) < _STEEPEST)


def _collected(api: Any, complete: bool) -> Recognised:
    from tesserocr import RIL, iterate_level

    words = api.GetIterator()
    rows: list[tuple[Any, ...]] = []
    line_number = 0
    for word in iterate_level(words, RIL.WORD) if words else ():
        line_number += bool(word.IsAtBeginningOf(RIL.TEXTLINE))
        box, line = word.BoundingBox(RIL.WORD), word.Baseline(RIL.TEXTLINE)
        text = (word.GetUTF8Text(RIL.WORD) or "").strip() if box and line else ""
        if text:
            (x0, y0), (x1, y1) = line
            slope = (y1 - y0) / (x1 - x0) if x1 != x0 else np.inf
            middle = 0.5 * (box[0] + box[2])
            base = y0 + slope * (middle - x0)
            size, sure = word.RowAttributes()["row_height"], word.Confidence(RIL.WORD)
            rows.append((text, box[0], box[2], base, slope, size, sure, line_number))
    texts = np.empty(len(rows), object)
    texts[:] = [row[0] for row in rows]
    numbers = np.array([row[1:] for row in rows], np.float64).reshape(-1, 7).T
    return Recognised(complete, texts, *numbers)
