"""A scatter shows few points one by one, and many by how dense they are."""

import numpy as np
import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from gui.theme.theme import Theme
from gui.widgets.charts.scatter import Points, Scatter


@pytest.fixture
def scatter(qtbot: QtBot, theme: Theme) -> Scatter:
    scatter = Scatter(theme, name="ROUGE by length")
    qtbot.addWidget(scatter)
    scatter.resize(500, 400)
    return scatter


def points(x: np.ndarray, y: np.ndarray) -> Points:
    return Points(x.astype(float), y.astype(float), np.arange(len(x)), ("length", "ROUGE"))


def color_at(scatter: Scatter, number: int) -> QColor:
    place = scatter.place_of(number)
    assert place is not None
    return scatter.grab().toImage().pixelColor(place)


def test_of_many_points_dense_places_are_darker(scatter: Scatter) -> None:
    crowd = np.full(5_000, 0.5)
    scatter.show_points(points(np.append(crowd, [0.0, 1.0]), np.append(crowd, [0.0, 1.0])))
    dense, alone = color_at(scatter, 0), color_at(scatter, 5_000)
    assert dense.lightness() < alone.lightness() - 40
    paper = scatter.grab().toImage().pixelColor(scatter.width() // 2 + 40, 60)
    assert alone.lightness() < paper.lightness()


def test_many_points_take_few_places(scatter: Scatter) -> None:
    chance = np.random.default_rng(1)
    scatter.show_points(points(chance.normal(size=20_000), chance.normal(size=20_000)))
    drawn = [place for _, places in scatter._layers() for place in places]
    assert len(drawn) < 8_000
    for number in range(0, 20_000, 997):  # each point is near a place that is drawn
        own = scatter.place_of(number)
        assert own is not None
        assert min((place.toPoint() - own).manhattanLength() for place in drawn) <= 4


def test_the_same_points_in_another_order_are_not_drawn_anew(scatter: Scatter) -> None:
    some = points(np.arange(50), np.arange(50) ** 2)
    scatter.show_points(some)
    scatter.grab()
    picture = scatter._picture
    assert picture is not None
    back = np.arange(50)[::-1]
    scatter.show_points(Points(some.x[back], some.y[back], some.numbers[back], some.titles))
    assert scatter._picture is picture
    scatter.show_points(Points(some.x, some.y + 1, some.numbers, some.titles))
    assert scatter._picture is None
