"""Histograms: every value is counted once, what is over the limit is told, tables say the same."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from gui.theme.theme import Theme
from gui.widgets.charts.chart_plot import LEFT_PX
from gui.widgets.charts.histogram import Histogram
from gui.widgets.charts.histogram_model import HistogramModel
from gui.widgets.tables.table import Table
from tests.helpers.windows import hover, wheel


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
        assert model.num_above == sum(value > model.edges[-1] for value in values)
        assert model.table()[:, 2].sum() == len(values)


def test_a_single_long_one_does_not_squeeze_the_others() -> None:
    model = HistogramModel("Lengths", "tokens")
    model.set_values([*range(1, 1000), 1_000_000])
    assert model.edges[-1] == 1000 and model.num_above == 1
    assert model.describe_reading(model.read_at(999.0)).startswith("969 and more tokens")


def test_what_does_not_fit_is_told() -> None:
    model = HistogramModel("Lengths", "tokens")
    model.set_values([5, 10, 11, 12])
    model.set_limit(10, "model length")
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


@pytest.fixture
def model() -> HistogramModel:
    model = HistogramModel("Lengths", "tokens")
    model.limit, model.marked, model.marked_name = 900, 500, "this one"
    return model


@pytest.fixture
def chart(qtbot: QtBot, theme: Theme, model: HistogramModel) -> Histogram:
    chart = Histogram(theme, model)
    qtbot.addWidget(chart)
    chart.resize(480, 280)
    with qtbot.waitExposed(chart):
        chart.show()
    return chart


def test_it_is_read_shown_as_a_table_and_saved(
    qtbot: QtBot, chart: Histogram, model: HistogramModel, tmp_path: Path
) -> None:
    assert not chart.download.isEnabled()
    model.set_values(np.arange(1, 1001))
    chart.refresh()
    hover(chart.plot.viewport(), QPoint(300, 150))
    assert "documents" in chart._unit.text() and " to " in chart._unit.text()
    chart.plot.setFocus()
    qtbot.keyClick(chart.plot, Qt.Key.Key_Right)
    assert "tokens: 3" in chart._unit.text()
    chart.plot.clearFocus()
    assert chart._unit.text() == "documents by tokens"
    qtbot.mouseClick(chart.table_button, Qt.MouseButton.LeftButton)
    table = chart.findChild(Table)
    assert table is not None and table.isVisible() and table.table_model.rowCount() == 32
    model.set_values([1, 2, 3])
    chart.refresh()
    assert sum(row.cells["2"] for row in map(table.table_model.record, range(32))) == 3
    qtbot.mouseClick(chart.table_button, Qt.MouseButton.LeftButton)
    for ending in ("png", "svg", "csv"):
        with qtbot.waitSignal(chart.saved):
            chart.save(tmp_path / f"lengths.{ending}")
    assert (tmp_path / "lengths.png").read_bytes().startswith(b"\x89PNG")
    lines = (tmp_path / "lengths.csv").read_text("utf-8").splitlines()
    assert lines[0] == '"from, tokens","to, tokens",documents' and len(lines) == 33
    with qtbot.waitSignal(chart.failed):
        chart.save(tmp_path / "lengths.csv" / "lengths.csv")


def texts_of(chart: Histogram, path: Path) -> list[str]:
    """The words of the drawing of a chart."""
    chart.save(path)
    root = ET.parse(path).getroot()
    return [each.text or "" for each in root.iter() if each.tag.endswith("}text")]


def test_a_drawing_says_what_it_shows(
    chart: Histogram, model: HistogramModel, tmp_path: Path
) -> None:
    model.set_values(np.arange(1, 1001))
    chart.refresh()
    texts = texts_of(chart, tmp_path / "lengths.svg")
    assert {"Lengths, documents by tokens", "tokens", "this one"} <= set(texts)


def test_all_bars_are_seen_whatever_the_wheel_and_the_keys_do(
    qtbot: QtBot, chart: Histogram, model: HistogramModel
) -> None:
    model.set_values(np.arange(1, 1001))
    chart.refresh()
    seen = chart.plot.ends
    assert (seen.left, seen.right, seen.low) == (0, 1000, 0)
    assert not wheel(chart.plot, QPointF(200, 150), 240), "the page is scrolled instead"
    chart.plot.setFocus()
    qtbot.keyClick(chart.plot, Qt.Key.Key_Plus)
    assert chart.plot.ends == seen


def test_the_longest_number_beside_the_bars_has_room(
    qtbot: QtBot, theme: Theme, chart: Histogram, model: HistogramModel, tmp_path: Path
) -> None:
    model.set_values(np.full(100_000, 7.0))
    chart.refresh()
    texts = texts_of(chart, tmp_path / "lengths.svg")
    assert "100k" in texts
    numbers = [text for text in texts if re.fullmatch(r"\d+k?", text)]
    metrics = QFontMetricsF(theme.font("capr"))
    assert max(map(metrics.horizontalAdvance, numbers)) <= LEFT_PX - 8
