"""A chart as a table: a row for each place, a column for each series."""

from collections.abc import Hashable

import numpy as np
from PySide6.QtCore import Qt

from gui.theme.theme import Theme
from gui.widgets.charts.chart_model import ChartModel
from gui.widgets.support.ticks import readable
from gui.widgets.tables.table import Table
from gui.widgets.tables.table_model import Column, Record, TableModel

_X_PX = 120


class _Places(TableModel):
    """The values of a chart, read when a row is shown."""

    def __init__(self, chart: ChartModel) -> None:
        heads = chart.columns()
        axis = Column("0", heads[0], number=True, width=_X_PX, strong=True, words=chart.axis.words)
        super().__init__(
            [
                axis,
                *(
                    Column(str(at + 1), head, number=True, words=readable)
                    for at, head in enumerate(heads[1:])
                ),
            ]
        )
        self._chart, self._values = chart, chart.table()
        self._order = self._sorted()

    def renew(self) -> None:
        """Takes the points that came since."""
        if len(self._chart.places()) != len(self._values):
            self.beginResetModel()
            self._values = self._chart.table()
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
