"""Histograms: every value is counted once, what is over the limit is told, tables say the same."""

from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from gui.theme.theme import Theme
from gui.widgets.charts.histogram import Histogram
from gui.widgets.charts.histogram_model import HistogramModel
from tests.helpers.windows import hover


@given(st.lists(st.integers(0, 100_000), max_size=200), st.integers(1, 120_000))
def test_every_value_is_in_one_bin_and_on_one_side_of_the_limit(
    values: list[int], limit: int
) -> None:
    model = HistogramModel("Lengths", "tokens")
    model.set_values(values)
    model.set_limit(limit, "model length")
    assert model.counts.sum() == len(values) == model.total
    assert model.num_over == sum(value > limit for value in values)
    if values:
        assert model.edges[-1] >= limit
        assert model.num_beyond == sum(value > model.edges[-1] for value in values)
        assert sum(count for _, _, count in model.rows()) == len(values)


def test_a_single_long_one_does_not_squeeze_the_others() -> None:
    model = HistogramModel("Lengths", "tokens")
    model.set_values([*range(1, 1000), 1_000_000])
    assert model.edges[-1] == 1000 and model.num_beyond == 1
    assert model.told(31).startswith("969 and more tokens")


def test_what_does_not_fit_is_told() -> None:
    model = HistogramModel("Lengths", "tokens", limit=10, limit_name="model length")
    model.set_values([5, 10, 11, 12])
    assert model.over_line == "2 documents (50\u202f%) do not fit"
    assert model.describe() == (
        "4 documents, median 10.5 tokens, most 12.0. model length 10: "
        "2 documents (50\u202f%) do not fit."
    )
    model.set_limit(12, "model length")
    assert model.over_line == "all 4 fit"
    model.what = "summary"
    model.set_limit(4, "model length")
    assert model.over_line == "4 summaries (100\u202f%) do not fit"


def test_it_is_read_shown_as_a_table_and_saved(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    model = HistogramModel("Lengths", "tokens", limit=900, marked=500, marked_name="this one")
    chart = Histogram(theme, model)
    qtbot.addWidget(chart)
    chart.resize(480, 280)
    chart.show()
    assert not chart.download.isEnabled()
    model.set_values(np.arange(1, 1001))
    chart.refresh()
    hover(chart.bars, QPoint(300, 150))
    assert "documents" in chart._told.text() and " to " in chart._told.text()
    chart.bars.setFocus()
    qtbot.keyClick(chart.bars, Qt.Key.Key_Right)
    assert "tokens: 3" in chart._told.text()
    qtbot.mouseClick(chart.table_button, Qt.MouseButton.LeftButton)
    assert chart.table.isVisible() and chart.rows.rowCount() == 32
    qtbot.mouseClick(chart.table_button, Qt.MouseButton.LeftButton)
    for ending in ("png", "svg", "csv"):
        with qtbot.waitSignal(chart.saved):
            chart.save(tmp_path / f"lengths.{ending}")
    assert (tmp_path / "lengths.png").read_bytes().startswith(b"\x89PNG")
    assert b"<svg" in (tmp_path / "lengths.svg").read_bytes()
    lines = (tmp_path / "lengths.csv").read_text("utf-8").splitlines()
    assert lines[0] == '"from, tokens","to, tokens",documents' and len(lines) == 33
    with qtbot.waitSignal(chart.failed):
        chart.save(tmp_path / "lengths.csv" / "lengths.csv")


def test_the_longest_number_beside_the_bars_has_room(qtbot: QtBot, theme: Theme) -> None:
    model = HistogramModel("Lengths", "tokens")
    model.set_values(np.full(100_000, 7.0))
    chart = Histogram(theme, model)
    qtbot.addWidget(chart)
    chart.resize(480, 280)
    chart.show()
    metrics = QFontMetricsF(theme.font("capr"))
    room = chart.bars._plane().left() - 8
    assert room >= metrics.horizontalAdvance("100\u202f000")
    # Whatever is pointed at follows the same edge.
    hover(chart.bars, QPoint(int(chart.bars._plane().left()) + 1, 150))
    assert chart.bars._bin == 0
    few = HistogramModel("Lengths", "tokens")
    few.set_values([1, 2, 3])
    assert Histogram(theme, few).bars._plane().left() == 44
