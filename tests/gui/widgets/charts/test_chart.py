"""The chart, as a person uses it."""

import csv
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QAccessible, QColor, QContextMenuEvent, QFontMetricsF, QImage
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from core.errors import EpitomeError
from docs.scenes.charts import build, loss, memory, point_at, rouge
from gui.theme.theme import Theme
from gui.widgets.charts import chart_crosshair, chart_plot
from gui.widgets.charts.chart import Chart, link
from gui.widgets.charts.chart_model import Axis, ChartModel, Limit, Note
from gui.widgets.charts.chart_plot import LEFT_PX
from gui.widgets.charts.chart_series import Look, Series
from gui.widgets.inputs.menu import Menu
from gui.widgets.tables.table import Table
from tests.helpers.windows import hover, wheel


def shown(qtbot: QtBot, chart: Chart, size: tuple[int, int] = (900, 400)) -> Chart:
    qtbot.addWidget(chart)
    chart.resize(*size)
    with qtbot.waitExposed(chart):
        chart.show()
    chart.activateWindow()
    qtbot.waitUntil(chart.isActiveWindow)
    return chart


@pytest.fixture
def chart(qtbot: QtBot, theme: Theme) -> Chart:
    return shown(qtbot, Chart(theme, loss()))


def colors(image: QImage) -> set[str]:
    return {
        image.pixelColor(x, y).name()
        for x in range(0, image.width(), 1)
        for y in range(0, image.height(), 1)
    }


def test_pyqtgraph_is_not_imported_with_the_module() -> None:
    code = "import sys, gui.widgets.charts.chart, gui.widgets.tables.table; "
    code += "print('pyqtgraph' in sys.modules)"
    run = [sys.executable, "-c", code]
    told = subprocess.run(run, capture_output=True, text=True, check=True, cwd=Path.cwd())
    assert told.stdout.strip() == "False"


def test_all_is_seen_with_room_for_labels(chart: Chart) -> None:
    ends = chart.plot.ends
    assert (ends.left, ends.right) == pytest.approx((0, 50_000))
    low, high = chart.model.range_y()
    assert (ends.low, ends.high) == pytest.approx((low, high))
    plane = chart.plot.plane
    assert plane.right() <= chart.plot.width()
    for series in chart.model.drawn:
        place = chart.plot.lines._label_place(series)
        assert place is not None
        assert place[0] + chart.plot.lines.label_width() * 0.8 < chart.plot.width()


def test_labels_have_room_where_lines_go_on_beyond_the_edge(chart: Chart) -> None:
    plot = chart.plot
    plot.show_x(11_000, 13_000)
    assert plot.width() - plot.plane.right() > plot.lines.label_width()
    plot.reset()
    assert plot.width() - plot.plane.right() < 20


def test_the_label_of_a_short_line_hides_no_longer_one(qtbot: QtBot, theme: Theme) -> None:
    model = ChartModel("Loss")
    for name, color, steps, loss_ in (("long", "s1", 100, 2.0), ("short", "s2", 40, 2.01),
                                      ("high", "s3", 100, 5.0)):  # fmt: skip
        series = model.add(Series(name, Look(color)))
        series.append(np.full(steps, loss_), step=np.arange(steps))
    plot = shown(qtbot, Chart(theme, model)).plot
    (short,) = [label for label in plot.lines.labels() if label.text.startswith("short")]
    line = plot.to_px(0.0, 2.0)[1]
    assert not short.box.top() < line < short.box.bottom()
    assert abs(short.box.center().y() - line) < 2 * short.box.height()
    assert all(label.box.bottom() <= plot.plane.bottom() for label in plot.lines.labels())


def test_the_line_of_the_present_crosses_no_words(chart: Chart) -> None:
    frame, now = chart.plot._layers[0], 500.0
    for start in (380.0, 430.0, 470.0, 499.0):
        begin = frame._beside(now, start, 60)
        assert begin + 60 < now or now < begin or begin == start
    assert frame._beside(None, 470.0, 60) == 470.0


def test_wheel_zooms_about_the_pointer(chart: Chart) -> None:
    plot = chart.plot
    at = QPointF(plot.plane.left() + plot.plane.width() / 4, plot.plane.center().y())
    before = plot.place_at(at.x())
    wheel(chart.plot, at, 240)
    ends = plot.ends
    assert ends.right - ends.left < 50_000
    assert plot.place_at(at.x()) == pytest.approx(before, rel=0.01)
    assert not plot.follows


def test_drag_pans_and_double_click_shows_all(qtbot: QtBot, chart: Chart) -> None:
    plot = chart.plot
    start, end = plot.plane.center().toPoint(), plot.plane.center().toPoint() - QPoint(100, 0)
    before = plot.ends
    qtbot.mousePress(plot.viewport(), Qt.MouseButton.LeftButton, pos=start)
    for step in range(1, 6):
        qtbot.mouseMove(plot.viewport(), start + (end - start) * (step / 5))
    qtbot.mouseRelease(plot.viewport(), Qt.MouseButton.LeftButton, pos=end)
    moved = plot.ends
    assert moved.left > before.left
    assert moved.right - moved.left == pytest.approx(before.right - before.left)
    qtbot.mouseDClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=start)
    assert plot.ends == before
    assert plot.follows


def test_pointing_reads_the_nearest_points(chart: Chart) -> None:
    plot = chart.plot
    before = plot.grab().toImage()
    x, _ = plot.to_px(10_000.0, 0.0)
    hover(plot.viewport(), QPoint(round(x), round(plot.plane.center().y())))
    assert plot.reading is not None
    assert plot.reading.x == pytest.approx(10_000, abs=60)
    assert {series.name for series, _ in plot.reading.values} == {
        "loss",
        "validation",
        "patents-4k",
    }
    assert plot.grab().toImage() != before
    hover(plot.viewport(), QPoint(2, 2))
    assert plot.reading is None


def test_tab_and_a_click_lead_to_the_plot_and_tab_leads_on(qtbot: QtBot, chart: Chart) -> None:
    seen: list[QWidget | None] = []
    for _ in range(10):
        qtbot.keyClick(chart.focusWidget() or chart, Qt.Key.Key_Tab)
        seen.append(chart.focusWidget())
    assert 1 < seen.count(chart.plot) < len(seen)  # once in each round
    assert chart.plot.viewport() not in seen
    other = next(stop for stop in seen if stop is not chart.plot)
    assert other is not None
    other.setFocus()
    qtbot.mouseClick(chart.plot.viewport(), Qt.MouseButton.LeftButton)
    assert chart.focusWidget() is chart.plot


def test_keys_move_the_crosshair_and_zoom(
    qtbot: QtBot, chart: Chart, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(chart_plot, "announce", lambda _, told, **__: said.append(told))
    plot = chart.plot
    plot.setFocus()
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    assert plot.reading is not None
    first = plot.reading.x
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    pixel = 50_000 / plot.plane.width()
    assert first + pixel <= plot.reading.x <= first + 3 * pixel
    qtbot.keyClick(plot, Qt.Key.Key_Left)
    assert plot.reading.x == pytest.approx(first, abs=pixel)
    assert said[0].startswith("Step 1")
    assert "loss" in said[0]
    qtbot.keyClick(plot, Qt.Key.Key_Plus)
    assert plot.ends.right - plot.ends.left < 50_000
    qtbot.keyClick(plot, Qt.Key.Key_0)
    assert plot.ends.right == pytest.approx(50_000)
    qtbot.keyClick(plot, Qt.Key.Key_Escape)
    assert plot.reading is None


def test_a_growing_run_goes_on_being_seen_until_the_person_zooms(
    qtbot: QtBot, theme: Theme
) -> None:
    model = ChartModel("Loss")
    series = model.add(Series("loss", Look()))
    series.append([3.0, 2.0], step=[1, 10])
    chart = shown(qtbot, Chart(theme, model))
    series.append([9.0], step=[20])
    chart.refresh()
    assert chart.plot.ends.right == pytest.approx(20)
    assert chart.plot.ends.high > 9
    chart.plot.zoom(0.5)
    seen = chart.plot.ends
    series.append([1.0], step=[40])
    chart.refresh()
    assert chart.plot.ends == seen


def test_linked_charts_share_their_axis(qtbot: QtBot, theme: Theme) -> None:
    charts = [shown(qtbot, Chart(theme, model)) for model in (loss(), rouge())]
    link(charts)
    for chart in charts:
        chart.refresh()
    assert charts[0].plot.plane.width() == charts[1].plot.plane.width()
    charts[0].plot.zoom(0.5)
    ends = [(chart.plot.ends.left, chart.plot.ends.right) for chart in charts]
    assert ends[0] == pytest.approx(ends[1])
    charts[1].plot.reset()
    assert charts[0].plot.follows
    assert charts[0].plot.ends.right == pytest.approx(50_000)


def test_linked_charts_show_the_crosshair_at_the_same_place(qtbot: QtBot, theme: Theme) -> None:
    first, second = (shown(qtbot, Chart(theme, model)) for model in (loss(), rouge()))
    link([first, second])
    before = second.plot.grab().toImage()
    x, _ = first.plot.to_px(10_900.0, 0.0)
    hover(first.plot.viewport(), QPoint(round(x), round(first.plot.plane.center().y())))
    here, there = first.plot.reading, second.plot.reading
    assert here is not None and there is not None
    assert there.x == here.x == pytest.approx(10_900, abs=60)
    said = {second.plot.crosshair._name(series, there) for series, _ in there.values}
    assert "ROUGE-1 at 10 000" in {name.replace("\u202f", " ") for name in said}
    assert {series.name for series, _ in there.values} == {"ROUGE-1", "ROUGE-2", "ROUGE-L"}
    assert second.plot.grab().toImage() != before
    hover(first.plot.viewport(), QPoint(2, 2))
    assert second.plot.reading is None
    assert second.plot.grab().toImage() == before
    first.plot.point_at(30_000.0)
    assert second.plot.reading is not None and second.plot.reading.values == ()
    assert second.plot.grab().toImage() != before, "the line alone"


def test_linked_charts_over_different_axes_share_nothing(qtbot: QtBot, theme: Theme) -> None:
    first, second = (shown(qtbot, Chart(theme, model)) for model in (loss(), rouge()))
    link([first, second])
    first._choose_axis("time")
    seen = second.plot.ends
    first.plot.zoom(0.5)
    first.plot.point_at(4_000.0)
    assert first.plot.reading is not None
    assert (second.plot.ends, second.plot.reading) == (seen, None)


def test_values_beyond_the_range_are_told_at_the_edge(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    model = ChartModel("Gradient norm", smoothing=0.9)
    values = np.full(500, 1.0)
    values[[100, 200, 300]], values[400] = 90.0, -90.0
    model.add(Series("norm", Look(smooth=True))).append(values, step=np.arange(500))
    chart = shown(qtbot, Chart(theme, model))
    chart.save(tmp_path / "norm.svg")
    root = ET.parse(tmp_path / "norm.svg").getroot()
    texts = {each.text for each in root.iter() if each.tag.endswith("}text")}
    assert {"3 points above", "1 point below"} <= texts
    model.notes.append(Note(480, "resumed here"))
    chart.refresh()
    chart.grab()


def test_the_legend_shows_each_line_as_it_is_drawn(qtbot: QtBot, theme: Theme) -> None:
    model = ChartModel("Loss", smoothing=0.9)
    looks = (Look(smooth=True), Look("s2"), Look("s3"), Look("s4", "diamond"))
    for number, look in enumerate(looks):
        model.add(Series(str(number), look)).append([1.0, 2.0], step=[0, 1])
    chart = shown(qtbot, Chart(theme, model))
    (key,) = [key for key in chart.legend.keys if key.marker]
    assert (key.marker, key.dash) == ("diamond", model.dash(model.series[3]))
    assert not chart.legend.grab().isNull()


def test_another_axis_is_chosen(qtbot: QtBot, chart: Chart) -> None:
    assert chart.axes is not None
    with qtbot.waitSignal(chart.axis_chosen):
        qtbot.mouseClick(chart.axes.part("time"), Qt.MouseButton.LeftButton)
    assert chart.plot.ends.right == pytest.approx(35_700 * 0.38, rel=0.01)


def test_smoothing_can_be_turned_off(chart: Chart) -> None:
    before = chart.plot.grab().toImage()
    chart.set_smoothing(0.0)
    assert chart.plot.grab().toImage() != before
    assert "each step" not in {key.words for key in chart.legend.keys}


def test_logarithmic_values_are_drawn_as_logarithms(qtbot: QtBot, theme: Theme) -> None:
    chart = shown(qtbot, Chart(theme, memory()))
    model = chart.model
    assert chart.plot.ends.left == pytest.approx(np.log10(1024))
    y1, y2, y4 = (chart.plot.to_px(0.0, model.to_y(value))[1] for value in (8, 16, 32))
    assert y1 - y2 == pytest.approx(y2 - y4)
    chart.set_log(x=False, y=False)
    assert chart.plot.ends.right == pytest.approx(65_536)


def test_a_peak_of_one_point_in_a_million_is_seen(qtbot: QtBot, theme: Theme) -> None:
    model = ChartModel("Gradient norm")
    series = model.add(Series("norm", Look(labelled=False)))
    values = np.full(1_000_000, 1.0)
    values[345_678] = 50.0
    series.append(values, step=np.arange(1_000_000))
    chart = shown(qtbot, Chart(theme, model))
    x, y = (round(float(each)) for each in chart.plot.to_px(345_678.0, 25.0))
    image = chart.plot.grab().toImage()
    line = theme.color("s1")
    near = [image.pixelColor(x + dx, y) for dx in range(-3, 4)]
    assert any(distance(color, line) < 120 for color in near)


def distance(one: QColor, other: QColor) -> int:
    pairs = zip(one.getRgb()[:3], other.getRgb()[:3], strict=True)  # type: ignore[index]
    return sum(abs(a - b) for a, b in pairs)


def test_series_limits_and_present_are_drawn_in_their_colours(qtbot: QtBot, theme: Theme) -> None:
    chart = shown(qtbot, Chart(theme, memory()))
    found = colors(chart.plot.grab().toImage())
    for token in ("s1", "s2", "s3", "s5", "err", "grid", "line2"):
        assert theme.color(token).name() in found, token


def test_table_twin_holds_the_same_numbers(qtbot: QtBot, chart: Chart) -> None:
    qtbot.mouseClick(chart.table_button, Qt.MouseButton.LeftButton)
    table = chart.findChild(Table)
    assert table is not None
    assert table.isVisible()
    assert [column.title for column in table.table_model.columns] == chart.model.columns()
    assert table.table_model.rowCount() == len(chart.model.places())
    table.table_model.sort(1, Qt.SortOrder.DescendingOrder)
    top = table.table_model.record(0).cells["1"]
    assert top == np.nanmax(chart.model.table()[:, 1])
    qtbot.mouseClick(chart.table_button, Qt.MouseButton.LeftButton)
    assert not chart.plot.isHidden()


def test_table_twin_grows_with_the_chart(qtbot: QtBot, theme: Theme) -> None:
    model = ChartModel("Loss")
    series = model.add(Series("loss", Look()))
    series.append([3.0, 2.0], step=[1, 10])
    chart = shown(qtbot, Chart(theme, model))
    qtbot.mouseClick(chart.table_button, Qt.MouseButton.LeftButton)
    series.append([1.0], step=[20])
    chart.refresh()
    table = chart.findChild(Table)
    assert table is not None
    assert table.table_model.rowCount() == 3
    assert table.table_model.record(2).cells == {"0": 20, "1": 1}


def test_downloads_hold_the_chart(qtbot: QtBot, chart: Chart, tmp_path: Path) -> None:
    for ending in ("png", "svg", "csv"):
        with qtbot.waitSignal(chart.saved):
            chart.save(tmp_path / f"loss.{ending}")
    image = QImage(str(tmp_path / "loss.png"))
    assert image.width() >= 2 * chart.plot.width()
    root = ET.parse(tmp_path / "loss.svg").getroot()
    assert root.tag.endswith("svg")
    texts = [each.text for each in root.iter() if each.tag.endswith("}text")]
    assert {"Loss", "validation 2.00", "4.0", "resumed here"} <= set(texts)
    assert {"each step", "smoothed", "Step"} <= set(texts), "the legend, and what x is"
    assert not [each for each in root.iter() if each.tag.endswith("}image")]
    assert len([each for each in root.iter() if each.tag.endswith("}polyline")]) > 10
    rows = list(csv.reader((tmp_path / "loss.csv").read_text("utf-8").splitlines()))
    assert rows[0] == chart.model.columns()
    assert len(rows) == 1 + len(chart.model.places())


@pytest.mark.parametrize("width", [460, 1200])
def test_every_place_of_an_axis_of_words_is_labelled(
    qtbot: QtBot, theme: Theme, tmp_path: Path, width: int
) -> None:
    names = ("As set", "Full attention", "Stored layers", "One feed-forward chunk", "bf16")
    model = ChartModel("Peak memory", "GB", (Axis("part", "Part", labels=names),))
    peak = Series("peak", Look("s1", "circle"), axes=("part",))
    model.add(peak).append(np.ones(5), part=np.arange(5.0))
    chart = shown(qtbot, Chart(theme, model), (width, 300))
    chart.save(tmp_path / "parts.svg")
    root = ET.parse(tmp_path / "parts.svg").getroot()
    texts = [each.text or "" for each in root.iter() if each.tag.endswith("}text")]
    for name in names:
        assert any(text[:5] == name[:5] for text in texts), (name, texts)
    assert (set(names) <= set(texts)) == (width > 1000)


def test_a_download_that_fails_is_told(qtbot: QtBot, chart: Chart, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", "utf-8")
    with qtbot.waitSignal(chart.failed) as failed:
        chart.save(tmp_path / "taken" / "loss.csv")
    assert isinstance(failed.args[0], EpitomeError)  # type: ignore[index]


def test_empty_and_waiting_are_said(qtbot: QtBot, theme: Theme) -> None:
    chart = shown(qtbot, Chart(theme, ChartModel("Loss")))
    assert not chart.download.isEnabled()
    words = [label.text() for label in chart.findChildren(QLabel) if label.isVisible()]
    assert "No measurements yet" in words
    chart.set_waiting("Reading the run…")
    words = [label.text() for label in chart.findChildren(QLabel) if label.isVisible()]
    assert "Reading the run…" in words
    chart.model.add(Series("loss", Look())).append([1.0, 2.0], step=[1, 2])
    chart.set_waiting("")
    assert chart.plot.isVisible()
    assert chart.download.isEnabled()


def test_menus_offer_what_can_be_done(qtbot: QtBot, chart: Chart) -> None:
    chart.view.triggered.emit()
    (menu,) = chart.findChildren(Menu)
    words = [action.text() for action in menu.actions() if action.text()]
    assert words[0] == "No smoothing"
    assert "Logarithmic values" in words
    menu.actions()[0].trigger()
    assert chart.model.smoothing == 0
    menu.close()


def by_menu_key(qtbot: QtBot, widget: QWidget, words: str) -> None:
    """Chooses an entry of the menu that the menu key opens."""
    key = QContextMenuEvent.Reason.Keyboard
    at = widget.rect().center()
    QApplication.sendEvent(widget, QContextMenuEvent(key, at, widget.mapToGlobal(at)))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, Menu)
    (entry,) = [each for each in menu.actions() if each.text() == words]
    menu.setActiveAction(entry)
    qtbot.keyClick(menu, Qt.Key.Key_Return)


def test_a_small_chart_turns_into_a_table_and_back_by_the_menu_key(
    qtbot: QtBot, theme: Theme
) -> None:
    small = shown(qtbot, Chart(theme, loss(), compact=True), (300, 200))
    small.plot.setFocus()
    by_menu_key(qtbot, small.plot, "Show as a table")
    (table,) = small.findChildren(Table)
    assert table.isVisible() and table.hasFocus()
    by_menu_key(qtbot, table, "Show as a chart")
    assert small.plot.isVisible() and small.plot.hasFocus()


def test_screen_readers_are_told_title_and_last_values(chart: Chart) -> None:
    interface = QAccessible.queryAccessibleInterface(chart.plot)
    assert interface.text(QAccessible.Text.Name) == "Loss"
    told = interface.text(QAccessible.Text.Description)
    assert "validation 2.00 at step 20 000" in told.replace("\u202f", " ")


@pytest.mark.parametrize("width", [120, 140, 300])
def test_the_read_out_of_a_small_chart_is_not_cut_off(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    boxes: list[QRectF] = []
    monkeypatch.setattr(
        chart_crosshair, "draw_plate", lambda _, box, *__: boxes.append(QRectF(box))
    )
    model = ChartModel("Gradient norm")
    model.add(Series("Gradient norm", Look())).append([1.25, 1.5, 1.75], step=[1, 2, 3])
    small = shown(qtbot, Chart(theme, model, compact=True), (width, 150))
    for x in (1.0, 2.0, 3.0):
        small.plot.point_at(x)
        small.plot.grab()
    assert len(boxes) >= 3
    assert all(QRectF(small.plot.rect()).contains(box) for box in boxes)


def test_little_room_keeps_head_and_plot(qtbot: QtBot, theme: Theme) -> None:
    chart = shown(qtbot, Chart(theme, loss()), (420, 200))
    assert not chart.legend.isVisible()
    assert chart.plot.plane.width() > 150
    assert chart.download.geometry().right() <= chart.width()


@pytest.mark.parametrize("size", [(1440, 900), (720, 450)])
def test_scene_is_drawn(qtbot: QtBot, theme: Theme, size: tuple[int, int]) -> None:
    page = build(theme, size)
    qtbot.addWidget(page)
    with qtbot.waitExposed(page):
        page.show()
    point_at(page, 9000)
    assert not page.grab().isNull()


def test_what_a_logarithm_leaves_out_is_said(qtbot: QtBot, theme: Theme) -> None:
    model = ChartModel("Norm", "L2")
    model.add(Series("norm", Look())).append([0.0, 1.0, 100.0], step=[1, 2, 3])
    chart = shown(qtbot, Chart(theme, model))
    assert chart._unit.text() == "L2"
    chart.set_log(y=True)
    assert chart._unit.text() == "L2, 1 at or below 0 not shown"


NAN = float("nan")


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize(
    "values", [[1.0], [NAN], [NAN, 2.0, NAN], [0.0, 0.0], [-1.0, 1e300], [5.0] * 5, [1e-300, NAN]]
)
def test_odd_values_are_drawn_without_a_fault(
    qtbot: QtBot, theme: Theme, values: list[float], log: bool
) -> None:
    model = ChartModel("Odd", log_x=log, log_y=log, smoothing=0.9)
    for look in (Look(smooth=True), Look("s2", "cross"), Look("text3", dashed=True)):
        model.add(Series("odd", look)).append(values, step=range(len(values)))
    model.limits.append(Limit(3.0, "limit"))
    model.notes.append(Note(0, "here"))
    model.now = 0
    chart = shown(qtbot, Chart(theme, model))
    chart.plot.point_at(0.0)
    chart.plot.zoom(0.5)
    chart.plot.grab()
    chart.table_button.click()
    chart.grab()
    assert model.csv().count("\n") == 1 + len(values)


def test_a_fault_in_painting_does_not_end_the_program(
    qtbot: QtBot, chart: Chart, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("planted")

    monkeypatch.setattr(chart.plot.lines, "_paint_labels", fail)
    with qtbot.captureExceptions() as found:
        chart.plot.lines.update()
        chart.plot.grab()
    assert {str(error) for _, error, _ in found} == {"planted"}


@pytest.mark.parametrize("width", [300, 460, 1200])
@pytest.mark.parametrize(
    "values",
    [(0.0, 900.0), (0.0, 120_000.0), (0.0, 3.4e7), (2.5, 2.5), (2.4999, 2.5001), (12.498, 12.502)],
)
def test_the_labels_of_the_y_axis_have_room(
    qtbot: QtBot, theme: Theme, tmp_path: Path, width: int, values: tuple[float, float]
) -> None:
    model = ChartModel("Tokens/s")
    model.add(Series("tokens", Look())).append(np.array(values), step=np.array([1.0, 2.0]))
    chart = shown(qtbot, Chart(theme, model), (width, 300))
    chart.save(tmp_path / "tokens.svg")
    width_of = QFontMetricsF(theme.font("capr")).horizontalAdvance
    texts = [each.text or "" for each in ET.parse(tmp_path / "tokens.svg").getroot().iter()]
    numbers = [text for text in texts if re.fullmatch(r"\d[\d.\s]*[kMG]?", text)]
    assert len(numbers) >= 3
    assert max(map(width_of, numbers)) <= LEFT_PX - 8, numbers
