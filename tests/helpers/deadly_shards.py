"""A shard maker that ends its process when it reaches one of the files."""

import os
from typing import Any

from core.data.shards import ShardMaker, Skipped
from core.data.source_rows import SourceRow
from core.events import Steps


class DeadlyMaker(ShardMaker):
    """Ends its process when it comes to “deadly.txt”."""

    def _row(self, row: SourceRow, number: int) -> Steps[dict[str, Any] | Skipped]:
        if row.path.endswith("deadly.txt") and not row.fault:
            os._exit(9)
        return super()._row(row, number)
