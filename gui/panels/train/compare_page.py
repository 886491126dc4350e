"""Several runs side by side: curves in the colour each keeps, and a table of what differs."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.jobs.runs.compare_runs import (
    ComparedLine,
    ComparedRun,
    differences,
    results,
    seed_groups,
)
from gui.panels.train.curves import Places
from gui.panels.train.seed_means import Points, line_series, mean_series
from gui.panels.train.smoothed_chart import SmoothedChart
from gui.panels.train.state import ListedRun
from gui.theme.theme import Theme
from gui.widgets.charts.chart import Chart, link
from gui.widgets.charts.chart_model import Axis, ChartModel
from gui.widgets.charts.chart_series import MARKERS, Look, Series
from gui.widgets.chrome.panel_header import PanelHeader
from gui.widgets.display.area import Area
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.inputs.toggle import CheckBox
from gui.widgets.support import layouts
from gui.widgets.support.leaving import let_go
from gui.widgets.tables.table import Table, inset
from gui.widgets.tables.table_model import Column, Record, TableModel
from gui.widgets.tables.table_paint import HEAD_PX, ROW_PX

MOST_RUNS = 6
_LIST_PX, _CHART_PX, _BOX_PX = 245, 260, 60
_SMOOTHING = 0.9


class ComparePage(QWidget):
    """Draws what was read of the chosen runs."""

    left = Signal()
    chosen = Signal(object)
    """The folders of the runs to compare."""
    failed = Signal(object)
    saved = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.header = PanelHeader(
            theme, self.tr("Compare runs"), back=self.tr("Back to the runs"), edge_px=12
        )
        self._side = Plane(theme, "window")
        self._side.setFixedWidth(_LIST_PX)
        listed = Plane(theme, "window")
        self._boxes_column = layouts.column(
            layouts.stretch(0), into=listed, margins=(20, 6, 12, 16), spacing=2
        )
        self._boxes_area = Area()
        self._boxes_area.setWidget(listed)
        told = Label(theme, self.tr("Runs, up to {0}").format(MOST_RUNS), "small", "text2")
        told.setContentsMargins(20, 16, 12, 0)
        layouts.column(told, (self._boxes_area, 1), into=self._side)
        self.boxes: dict[Path, CheckBox] = {}
        self.charts: tuple[Chart, ...] = ()
        self.tables: tuple[Table, ...] = ()
        self._content = Area()
        self._make_content()
        layouts.column(
            self.header,
            Divider(theme),
            (
                layouts.row(
                    self._side, Divider(theme, Qt.Orientation.Vertical), (self._content, 1)
                ),
                1,
            ),
            into=self,
        )
        self.header.back.triggered.connect(self.left)
        self.show_runs([], {})

    @property
    def wanted(self) -> tuple[Path, ...]:
        """The runs that are ticked."""
        return tuple(folder for folder, box in self.boxes.items() if box.isChecked())

    def show_list(self, runs: Sequence[ListedRun], ticked: Sequence[Path]) -> None:
        """Shows what may be compared."""
        for box in self.boxes.values():
            self._boxes_column.removeWidget(box)
            let_go(box)
        self.boxes = {}
        for run in runs:
            if run.card is None or not run.card.step:
                continue
            box = CheckBox(self._theme, run.title)
            box.setMinimumWidth(_BOX_PX)  # a long name is shortened
            box.setChecked(run.folder in ticked)
            box.clicked.connect(self._tell)
            self.boxes[run.folder] = box
            self._boxes_column.insertWidget(len(self.boxes) - 1, box)
        self._limit()

    def _tell(self) -> None:
        self._limit()
        self.chosen.emit(self.wanted)

    def _limit(self) -> None:
        """No more runs are ticked than there are colours."""
        is_full = len(self.wanted) >= MOST_RUNS
        for box in self.boxes.values():
            box.setEnabled(box.isChecked() or not is_full)

    def show_runs(self, runs: Sequence[ComparedRun], colors: dict[Path, str]) -> None:
        """Shows what was read of runs, each in its colour."""
        are_enough = len(runs) >= 2
        self._lacks.setText(self._lacking)
        self._lacks.setVisible(not are_enough)
        if are_enough:
            self._fill(runs, colors)
        self._compared.setVisible(are_enough)

    @property
    def _lacking(self) -> str:
        """Why there is nothing to compare."""
        if len(self.boxes) < 2:
            return self.tr("Two runs of at least one step are needed. Train another one first.")
        return self.tr("Tick two runs or more.")

    def _make_content(self) -> None:
        page = Plane(self._theme, "surface")
        self._lacks = Label(self._theme, "", "body", "text2", wrap=True)
        self._compared = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(12, 8, 12, 24)  # the words of a table's first column stand at 24
        column.setSpacing(8)
        column.addLayout(inset(self._lacks))
        column.addWidget(self._compared)
        column.addStretch()
        self._content.setWidget(page)

    def _make_compared(self, models: Sequence[ChartModel]) -> None:
        """Makes charts and tables, with the first runs that are compared."""
        column = layouts.column(into=self._compared, spacing=8)
        self.charts = (
            SmoothedChart(self._theme, models[0], chooses_axis=True),
            Chart(self._theme, models[1], chooses_axis=False),
        )
        link(self.charts)
        for chart in self.charts:
            chart.failed.connect(self.failed)
            chart.saved.connect(self.saved)
            chart.setMinimumHeight(_CHART_PX)
            column.addLayout(inset(chart))
        titles = (self.tr("Results"), self.tr("Settings that differ"))
        self.tables = tuple(Table(self._theme, TableModel([], []), name=name) for name in titles)
        self._same = Label(self._theme, self.tr("All settings are the same."), "body", "text2")
        for title, table in zip(titles, self.tables, strict=True):
            column.addLayout(inset(Label(self._theme, title, "section")))
            column.addWidget(table)
        column.addLayout(inset(self._same))

    def _fill(self, runs: Sequence[ComparedRun], colors: dict[Path, str]) -> None:
        models = (loss_model(runs, colors), validation_model(runs, colors))
        if self.charts:
            for chart, model in zip(self.charts, models, strict=True):
                chart.show_model(model)
        else:
            self._make_compared(models)
        for table, lines in zip(self.tables, (results(runs), differences(runs)), strict=True):
            table.show_table(compared_lines(runs, lines))
            table.setFixedHeight(HEAD_PX + ROW_PX * len(lines) + 2)
            table.setVisible(bool(lines))
        self._same.setVisible(self.tables[1].isHidden())

    def fold(self, wide: bool) -> None:
        """Makes the list of runs narrower where there is little room."""
        self._side.setFixedWidth(_LIST_PX if wide else 180)

    def regions(self) -> list[QWidget]:
        """The parts that F6 moves between."""
        return [self.header, self._side, self._content]


def loss_model(runs: Sequence[ComparedRun], colors: dict[Path, str]) -> ChartModel:
    """The losses, smoothed, without their single values: these would hide one another."""
    model = ChartModel("Loss", axes=_axes(runs), smoothing=_SMOOTHING)
    for group in seed_groups(runs):
        look = Look(colors[group[0].folder], smooth=True, raw_line=False)
        points = []
        for run in group:
            history = run.history
            points.append(Points(history.column("loss"), Places().extend(history)))
        model.add(_series(group, look, points))
    return model


def validation_model(runs: Sequence[ComparedRun], colors: dict[Path, str]) -> ChartModel:
    """The validation losses."""
    model = ChartModel("Validation loss", axes=_axes(runs))
    for group in seed_groups(runs):
        color = colors[group[0].folder]
        look = Look(color, MARKERS[int(color.removeprefix("s")) - 1])
        points = []
        for run in group:
            places = Places()
            places.extend(run.history)
            found = [each for _, each in run.history.validations]
            losses = np.array([each.loss for each in found], np.float64)
            points.append(Points(losses, places.of([each.step for each in found])))
        model.add(_series(group, look, points))
    return model


def _series(group: Sequence[ComparedRun], look: Look, points: Sequence[Points]) -> Series:
    """The line of a run; of runs that differ in the seed alone their mean, with its members."""
    if len(group) == 1:
        return line_series(group[0].title, look, points[0])
    return mean_series(group[0].title, look, points)


def _axes(runs: Sequence[ComparedRun]) -> tuple[Axis, ...]:
    """Axes that end where the longest run ends, so that charts below one another are aligned."""
    last = float(max((run.history.step for run in runs), default=0)) or None
    return (Axis("step", "Step", until=last, whole=True), Axis("tokens", "Tokens", whole=True),
            Axis("time", "Time", "time"))  # fmt: skip


def compared_lines(runs: Sequence[ComparedRun], lines: Sequence[ComparedLine]) -> TableModel:
    """Rows with a column for each run; the best value of a line is marked."""
    columns = [Column("what", "", kept=True, strong=True)]
    columns += [Column(str(at), run.title, kept=True) for at, run in enumerate(runs)]
    records = [
        Record(
            line.title,
            {"what": line.title}
            | {
                str(at): f"{word}  ✓ best" if at == line.best else word
                for at, word in enumerate(line.words)
            },
        )
        for line in lines
    ]
    return TableModel(columns, records)
