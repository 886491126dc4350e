"""A scatter shows few points one by one, and many by how dense they are."""

import csv
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from gui.theme.theme import Theme
from gui.widgets.charts.scatter import Scatter
from gui.widgets.charts.scatter_model import Points
from tests.helpers.windows import wheel


@pytest.fixture
def scatter(qtbot: QtBot, theme: Theme) -> Scatter:
    scatter = Scatter(theme, name="ROUGE by length")
    qtbot.addWidget(scatter)
    scatter.resize(500, 400)
    with qtbot.waitExposed(scatter):
        scatter.show()
    return scatter


def points(x: np.ndarray, y: np.ndarray) -> Points:
    return Points(x.astype(float), y.astype(float), np.arange(len(x)), ("length", "ROUGE"))


def color_at(scatter: Scatter, number: int) -> QColor:
    place = scatter.plot.find_place(number)
    assert place is not None
    return scatter.plot.grab().toImage().pixelColor(place)


def test_of_many_points_dense_places_are_darker(scatter: Scatter) -> None:
    crowd = np.full(5_000, 0.5)
    scatter.show_points(points(np.append(crowd, [0.0, 1.0]), np.append(crowd, [0.0, 1.0])))
    dense, alone = color_at(scatter, 0), color_at(scatter, 5_000)
    assert dense.lightness() < alone.lightness() - 40
    paper = scatter.plot.grab().toImage().pixelColor(scatter.plot.width() // 2 + 40, 60)
    assert alone.lightness() < paper.lightness()


def test_many_points_take_few_places(scatter: Scatter) -> None:
    chance = np.random.default_rng(1)
    scatter.show_points(points(chance.normal(size=20_000), chance.normal(size=20_000)))
    drawn = np.concatenate([places for _, places in scatter.plot.dots.layers()])
    assert len(drawn) < 8_000
    for number in range(0, 20_000, 997):  # each point is near a place that is drawn
        own = scatter.plot.find_place(number)
        assert own is not None
        assert np.abs(drawn - (own.x(), own.y())).sum(axis=1).min() <= 4


def test_the_same_points_in_another_order_are_not_drawn_anew(
    scatter: Scatter, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = points(np.arange(50), np.arange(50) ** 2)
    scatter.show_points(some)
    drawn: list[bool] = []
    monkeypatch.setattr(scatter.plot.dots, "update", lambda: drawn.append(True))
    back = np.arange(50)[::-1]
    scatter.show_points(Points(some.x[back], some.y[back], some.numbers[back], some.titles))
    assert not drawn
    scatter.show_points(Points(some.x, some.y + 1, some.numbers, some.titles))
    assert drawn


def test_a_drag_pans_and_only_a_click_opens(qtbot: QtBot, scatter: Scatter) -> None:
    scatter.show_points(points(np.arange(50), np.arange(50)))
    scatter.grab()  # the wheel zooms what was painted
    plot, opened = scatter.plot, list[int]()
    scatter.opened.connect(opened.append)
    place, before = plot.find_place(20), plot.ends
    assert place is not None
    qtbot.mousePress(plot.viewport(), Qt.MouseButton.LeftButton, pos=place)
    for step in range(1, 6):
        qtbot.mouseMove(plot.viewport(), place + QPoint(12, 0) * step)
    qtbot.mouseRelease(plot.viewport(), Qt.MouseButton.LeftButton, pos=place + QPoint(60, 0))
    assert (opened, plot.ends.left < before.left) == ([], True)
    qtbot.mouseDClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(60, 60))
    assert plot.ends == before
    scatter.grab()
    assert wheel(plot, QPointF(200, 150), 240) and plot.ends.right < before.right
    qtbot.keyClick(plot, Qt.Key.Key_0)
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert opened == [20]


def test_it_is_a_chart_with_a_table_and_downloads(
    qtbot: QtBot, scatter: Scatter, tmp_path: Path
) -> None:
    x = np.append(np.arange(1.0, 51.0), np.nan)
    scatter.show_points(points(x, x**2))
    for ending in ("png", "svg", "csv"):
        with qtbot.waitSignal(scatter.saved):
            scatter.save(tmp_path / f"points.{ending}")
    assert not QImage(str(tmp_path / "points.png")).isNull()
    root = ET.parse(tmp_path / "points.svg").getroot()
    assert {"ROUGE", "length"} <= {each.text for each in root.iter()}
    rows = list(csv.reader((tmp_path / "points.csv").read_text("utf-8").splitlines()))
    assert rows[:2] == [["length", "ROUGE"], ["1", "1"]] and len(rows) == 51


@pytest.mark.parametrize("values", [[], [np.nan], [0.0], [0.0, -1.0, 5.0], [1e300, 1.0]])
def test_odd_points_are_drawn_on_any_axes(scatter: Scatter, values: list[float]) -> None:
    scatter.show_points(points(np.array(values), np.array(values)))
    for log in (True, False):
        scatter.set_log(x=log, y=log)
        scatter.grab()
    shown = [each for each in values if each > 0]
    scatter.set_log(x=True, y=True)
    assert len(scatter.model.numbers_shown) == len(shown)
