"""A chart as a table: a row for each place, a column for each series."""

from collections.abc import Hashable
from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt

from gui.theme.theme import Theme
from gui.widgets.charts.chart_model import ChartModel
from gui.widgets.tables.table import Table
from gui.widgets.tables.table_model import Column, Record, TableModel

_X_PX = 120


class _Places(TableModel):
    """The values of a chart, read when a row is shown."""

    def __init__(self, chart: ChartModel) -> None:
        columns = [
            Column(str(at), head, number=True, words=words)
            for at, (head, words) in enumerate(
                zip(chart.columns(), chart.cell_formats(), strict=True)
            )
        ]
        columns[0] = replace(columns[0], width=_X_PX, strong=True)
        super().__init__(columns)
        self._chart, self._values = chart, chart.table()
        self._order = self._sorted()

    def renew(self) -> None:
        """Takes the points that came since."""
        values = self._chart.table()
        if not np.array_equal(values, self._values, equal_nan=True):
            self.beginResetModel()
            self._values = values
            self._order = self._sorted()
            self.endResetModel()

    def record(self, row: int) -> Record:
        values = self._values[self._order[row]].tolist()
        cells = {str(at): value for at, value in enumerate(values) if value == value}
        return Record(self._order[row], cells)

    def place_of(self, key: Hashable) -> int:
        assert isinstance(key, int)
        return key

    def _sorted(self) -> list[int]:
        if self.sorted_by is None:
            return list(range(len(self._values)))
        column, direction = self.sorted_by
        values = self._values[:, column]
        filled, empty = np.flatnonzero(~np.isnan(values)), np.flatnonzero(np.isnan(values))
        order = filled[np.argsort(values[filled], kind="stable")]
        if direction == Qt.SortOrder.DescendingOrder:
            order = order[::-1]
        return [int(place) for place in np.concatenate([order, empty])]


def renew(table: Table) -> None:
    """Shows the points that came since in the table twin of a chart."""
    if isinstance(table.table_model, _Places):
        at = table.verticalScrollBar().value()
        table.table_model.renew()
        table.verticalScrollBar().setValue(at)


def chart_table(theme: Theme, chart: ChartModel) -> Table:
    """The table twin of a chart, as it is now."""
    return Table(theme, _Places(chart), name=chart.title)
