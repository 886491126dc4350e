"""How quickly a chart of 1,000,000 points is panned and zoomed: `python tests/benchmarks/chart.py`.

Prints the processor's milliseconds of a frame (median, 95 %), drawn without a screen as the window
draws it: the change of range and the painting of all of the chart; then a table of 20,000 rows
that is scrolled. The target is 33 ms, 30 frames a second.
"""

import os
import sys
import time
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np
from PySide6.QtWidgets import QApplication

from docs.scenes.tables import files_model
from gui.theme.theme import Theme
from gui.widgets.charts.chart import Chart
from gui.widgets.charts.chart_model import ChartModel
from gui.widgets.charts.chart_series import Look, Series
from gui.widgets.tables.table import Table
from gui.widgets.tables.table_model import TableModel

POINTS = 1_000_000
ROWS = 20_000
FRAMES = 60
SIZE = (1000, 500)


def main() -> None:
    """Measures panning, zooming, hovering and growing."""
    app = QApplication.instance() or QApplication([])
    assert app is not None
    theme = Theme(scheme="light", motion="off")
    theme.apply()
    model = ChartModel("Loss", smoothing=0.98)
    series = model.add(Series("loss", Look(smooth=True)))
    draw = np.random.default_rng(0)
    series.append(2 + draw.normal(0, 0.3, POINTS), step=np.arange(POINTS))
    chart = Chart(theme, model)
    chart.resize(*SIZE)
    start = time.process_time()
    chart.show()
    QApplication.processEvents()
    chart.grab()
    print(f"first frame, with smoothing: {1000 * (time.process_time() - start):.0f} ms")
    plot = chart.plot
    for name, frame in {
        "pan": lambda i: plot.box.translateBy(x=(POINTS / 200) * (1 if i % 2 else -1)),
        "zoom": lambda i: plot.box.scaleBy(x=0.9 if i < FRAMES / 2 else 1 / 0.9),
        "hover": lambda i: plot.point_at(POINTS / 2 + 1000 * i),
        "grow": lambda i: (series.append(2.0, step=POINTS + i), chart.refresh()),
    }.items():
        plot.reset()
        times = []
        for index in range(FRAMES):
            start = time.process_time()
            frame(index)
            plot.grab()
            times.append(time.process_time() - start)
        tell(name, times)
    scroll(theme)


def scroll(theme: Theme) -> None:
    """Measures scrolling a long table."""
    files = files_model()
    kept = [files.record(row) for row in range(files.rowCount())]
    rows = (replace(kept[key % len(kept)], key=key) for key in range(ROWS))
    table = Table(theme, TableModel(files.columns, rows), name="Files")
    table.resize(*SIZE)
    table.show()
    QApplication.processEvents()
    bar, times = table.verticalScrollBar(), []
    for index in range(FRAMES):
        start = time.process_time()
        bar.setValue(index * 997)
        table.viewport().grab()
        times.append(time.process_time() - start)
    tell(f"table of {ROWS} rows", times)


def tell(name: str, times_s: list[float]) -> None:
    """Prints one line."""
    median, high = 1000 * np.quantile(times_s, [0.5, 0.95])
    print(f"{name}: {median:.1f} ms, 95 % below {high:.1f} ms")


if __name__ == "__main__":
    main()
