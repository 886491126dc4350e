"""A maker of parts whose process ends when it comes to one of the files."""

import os
from typing import Any

from core.data.parts import PartMaker, Skipped
from core.data.rows import Raw
from core.events import Steps


class DeadlyMaker(PartMaker):
    """Ends its process when it comes to “deadly.txt”."""

    def _row(self, raw: Raw, number: int) -> Steps[dict[str, Any] | Skipped]:
        if raw.path.endswith("deadly.txt") and not raw.fault:
            os._exit(9)
        return super()._row(raw, number)
