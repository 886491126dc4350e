"""The names of files that are saved: with or without an ending, and never replaced unasked."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

import gui
from gui.theme.theme import Theme
from gui.widgets.charts.chart import Chart
from gui.widgets.charts.chart_model import ChartModel
from gui.widgets.charts.histogram import Histogram
from gui.widgets.charts.histogram_model import HistogramModel
from gui.widgets.tables.table import Table
from gui.widgets.tables.table_model import Column, Record, TableModel
from tests.helpers.questions import answer

Make = Callable[[Theme], QWidget]


def type_name(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))


def make_table(theme: Theme) -> QWidget:
    rows = [Record("first", {"town": "Arden"})]
    return Table(theme, TableModel((Column("town", "Town"),), rows), name="Towns")


def make_chart(theme: Theme) -> QWidget:
    return Chart(theme, ChartModel("Loss", "nats"))


def make_histogram(theme: Theme) -> QWidget:
    return Histogram(theme, HistogramModel("Lengths", "words"))


def save(part: QWidget) -> None:
    """Chooses to save it as CSV."""
    if isinstance(part, Table):
        menu = part.make_menu()
        next(each for each in menu.actions() if each.text().startswith("Save as CSV")).trigger()
    else:
        assert isinstance(part, Chart | Histogram)
        part._save_as(".csv")


PARTS = pytest.mark.parametrize("make", [make_table, make_chart, make_histogram])


@pytest.mark.parametrize(
    ("title", "offered"),
    [
        ("Loss: train / valid", "Loss- train - valid.csv"),
        ("NUL", "_NUL.csv"),
        ("Loss. ", "Loss.csv"),
        ("x" * 300, f"{'x' * 251}.csv"),
    ],
)
def test_the_name_that_is_offered_is_one_that_every_system_takes(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch, title: str, offered: str
) -> None:
    names: list[str] = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a: names.append(a[2]) or ("", ""))
    chart = Chart(theme, ChartModel(title))
    qtbot.addWidget(chart)
    save(chart)
    assert names == [offered]


@PARTS
@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("numbers", "numbers.csv"),
        ("lr-0.001", "lr-0.001.csv"),
        ("numbers.csv", "numbers.csv"),
        ("NUMBERS.CSV", "NUMBERS.CSV"),
    ],
)
def test_a_typed_name_stays_whole(
    qtbot: QtBot, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    make: Make, typed: str, written: str,
) -> None:  # fmt: skip
    part = make(theme)
    qtbot.addWidget(part)
    type_name(monkeypatch, tmp_path / typed)
    save(part)
    assert [path.name for path in tmp_path.iterdir()] == [written]


@PARTS
@pytest.mark.parametrize("deed", [False, True])
def test_a_file_whose_ending_was_not_typed_is_not_replaced_unasked(
    qtbot: QtBot, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    make: Make, deed: bool,
) -> None:  # fmt: skip
    part = make(theme)
    qtbot.addWidget(part)
    file = tmp_path / "numbers.csv"
    file.write_text("mine", "utf-8")
    type_name(monkeypatch, tmp_path / "numbers")
    asked = answer(deed)
    save(part)
    assert asked == ["Replace “numbers.csv”?"]
    assert (file.read_text("utf-8") == "mine") is not deed


def test_the_typed_ending_of_another_format_chooses_it(
    qtbot: QtBot, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    histogram = make_histogram(theme)
    qtbot.addWidget(histogram)
    type_name(monkeypatch, tmp_path / "lengths.svg")
    save(histogram)
    assert b"<svg" in (tmp_path / "lengths.svg").read_bytes()


def test_files_are_named_in_one_place() -> None:
    folder = Path(gui.__file__).parent
    naming = [
        str(path.relative_to(folder))
        for path in folder.rglob("*.py")
        if "getSaveFileName" in path.read_text("utf-8")
    ]
    assert naming == [str(Path("widgets/inputs/saving.py"))]
