"""What can be measured of each row of a corpus: how summaries draw on documents, what looks wrong.

Letters: N rows.
"""

from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core.data.corpus import Corpus
from core.data.stored_rows import StoredRows
from core.documents.document import count_words
from core.documents.guessing import guess_language
from core.events import Progress, Steps
from core.metrics.novelty import novelty
from core.stop import StopToken
from core.storage.arrays import read_array, write_array

EMPTY, COPIED, OTHER_LANGUAGE, LONGER = 1, 2, 4, 8
"""Flags of suspicious rows: a summary without words, one that stands in the document as it is, one
in another language, one that is longer than its document."""
MEASURES: Final = np.dtype(
    [
        ("coverage", np.float32),
        ("density", np.float32),
        ("compression", np.float32),
        ("novel_1", np.float32),
        ("novel_2", np.float32),
        ("flags", np.uint8),
    ]
)
_FILE = "measures.npy"
_ROWS_A_STEP = 16


def measure_pairs(rows: StoredRows, stop: StopToken) -> Steps[NDArray[Any]]:
    """Measures the pairs of a corpus; what was measured before is read again.

    Args:
        rows: The rows of a corpus of pairs.
        stop: Read often.

    Yields:
        How many rows are measured.

    Returns:
        [N] of `MEASURES`.
    """
    path = measures_file(rows.corpus)
    with suppress(OSError, ValueError):  # not there yet, damaged, or of another corpus
        return read_array(path, (len(rows),), MEASURES)
    made = np.zeros(len(rows), MEASURES)
    for number in range(len(rows)):
        if number % _ROWS_A_STEP == 0:
            stop.raise_if_set()
            yield Progress(number, len(rows), "pairs", "Measuring")
        row = rows[number]
        made[number] = measured(row["document"], row["summary"])
    write_array(path, made)
    return made


def measures_file(corpus: Corpus) -> Path:
    """Where the measures of a corpus are kept."""
    return corpus.folder / _FILE


def measured(document: str, summary: str) -> tuple[float, ...]:
    """The measures of one pair.

    Args:
        document: Its document.
        summary: Its summary.

    Returns:
        A value for each field of `MEASURES`.
    """
    found = novelty(summary, document)
    one, two, *_ = found.novel
    return found.coverage, found.density, found.compression, one, two, _flags(document, summary)


def _flags(document: str, summary: str) -> int:
    words = count_words(summary)
    if not words:
        return EMPTY
    flags = COPIED if " ".join(summary.split()) in " ".join(document.split()) else 0
    languages = guess_language(document), guess_language(summary)
    if all(languages) and languages[0] != languages[1]:
        flags |= OTHER_LANGUAGE
    if words > count_words(document):
        flags |= LONGER
    return flags
