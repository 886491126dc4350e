"""Where the sentences of a document begin and end.

Letters: S sentences.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Sentences:
    """The sentences of a document, in its order; headings and table rows are sentences too.

    Args:
        starts: [S] int64, first code point of each.
        ends: [S] int64, one past the last; white space around a sentence belongs to none.
        paragraphs: [S] int32, the paragraph each lies in.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    paragraphs: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.starts)
