"""Series, decimation, smoothing, ticks, labels and CSV, beside their slow twins."""

import csv
import io
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.widgets.charts.chart_model import DASHES, Axis, ChartModel, Limit
from gui.widgets.charts.chart_series import (
    MARKERS,
    Look,
    Series,
    Smoother,
    clear_of,
    decimate,
    spread,
)
from gui.widgets.support.ticks import MOST, duration, labels, readable, ticks

VALUES = st.floats(-1e6, 1e6) | st.just(float("nan"))


def slow_smooth(values: list[float], amount: float) -> list[float]:
    total = weight = 0.0
    made = []
    for value in values:
        if value != value:
            made.append(value)
            continue
        total = amount * total + (1 - amount) * value
        weight = amount * weight + (1 - amount)
        made.append(total / weight)
    return made


@given(st.lists(st.lists(VALUES, max_size=90), max_size=5), st.sampled_from([0.3, 0.6, 0.9, 0.98]))
def test_smoothing_in_pieces_is_that_of_one_value_after_the_other(
    pieces: list[list[float]], amount: float
) -> None:
    smoother = Smoother(amount)
    made = np.concatenate([np.empty(0), *(smoother(np.array(piece)) for piece in pieces)])
    whole = [value for piece in pieces for value in piece]
    expected = np.array(slow_smooth(whole, amount))
    np.testing.assert_allclose(made, expected, rtol=1e-9, atol=1e-6)


def test_the_first_smooth_value_is_the_first_value() -> None:
    series = Series("loss", Look(smooth=True))
    series.append([8.0, 8.0, 8.0], step=[1, 2, 3])
    assert series.y(0.98).tolist() == pytest.approx([8.0, 8.0, 8.0])


def test_a_mean_has_the_range_of_its_members_in_band_axis_and_table() -> None:
    model = ChartModel("Loss", smoothing=0.6)
    mean = model.add(Series("run (2 seeds)", Look(smooth=True, raw_line=False)))
    mean.append([3.0, 2.0], step=[1, 2])
    for values in ([2.0, 1.0], [4.0, 3.0]):
        member = Series("run", mean.look)
        member.append(values, step=[1, 2])
        mean.members = (*mean.members, member)
    low, high = model.band(mean)
    assert low.tolist() == pytest.approx(slow_smooth([2.0, 1.0], 0.6))
    assert high.tolist() == pytest.approx(slow_smooth([4.0, 3.0], 0.6))
    assert model.range_y()[0] < low.min() and model.range_y()[1] > high.max()
    assert model.columns()[-2:] == ["run (2 seeds), lowest", "run (2 seeds), highest"]
    assert model.table()[:, -2:].tolist() == [[2.0, 4.0], [1.0, 3.0]]


@st.composite
def lines(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """Lines of few and many points, with peaks, gaps and places that repeat."""
    count, gaps = draw(st.integers(1, 700)), draw(st.sampled_from([0.0, 0.1, 0.6]))
    random = np.random.default_rng(draw(st.integers(0, 10**6)))
    x = np.sort(np.round(random.uniform(0, 100, count), draw(st.sampled_from([0, 6]))))
    y = random.normal(0, 1, count) ** 3
    return x, np.where(random.uniform(size=count) < gaps, np.nan, y)


@given(lines(), st.floats(-10, 110), st.floats(0.1, 120), st.integers(1, 12))
def test_decimation_keeps_the_extremes_of_every_column(
    line: tuple[np.ndarray, np.ndarray], left: float, width: float, columns: int
) -> None:
    x, y = line
    right = left + width
    xs, ys = decimate(x, y, left, right, columns)
    assert len(xs) == len(ys)
    assert np.all(np.diff(xs) >= 0)
    assert len(xs) <= max(4 * columns, 5 * (columns + 2))
    edges = np.linspace(left, right, columns + 1)
    for low, high in pairwise(edges):
        inside = y[(x >= low) & (x < high)]
        drawn = ys[(xs >= low) & (xs < high)]
        if np.isfinite(inside).any():
            assert np.nanmin(drawn) == np.nanmin(inside)
            assert np.nanmax(drawn) == np.nanmax(inside)
        assert np.isnan(drawn).any() == np.isnan(inside).any()
    visible = (x >= left) & (x <= right)
    if visible.any():
        before = np.flatnonzero(x < left)
        assert xs[0] <= x[visible][0] if not len(before) else xs[0] <= left


def test_few_points_are_drawn_as_they_are() -> None:
    x, y = np.arange(10.0), np.arange(10.0) ** 2
    xs, ys = decimate(x, y, -1, 11, 100)
    assert xs.tolist() == x.tolist()
    assert ys.tolist() == y.tolist()


def test_a_place_that_falls_back_is_refused() -> None:
    series = Series("loss", Look())
    series.append([1.0], step=[5])
    with pytest.raises(ValueError, match="must rise"):
        series.append([1.0], step=[4])
    assert len(series) == 1


@given(
    st.lists(st.floats(-50, 250), min_size=1, max_size=7), st.sampled_from([1.0, 14.0, 60.0, 200.0])
)
def test_labels_are_moved_apart_and_no_farther(wished: list[float], height: float) -> None:
    made = spread(wished, height, 0, 200)
    room = min(height, 200 / max(len(wished) - 1, 1))
    ordered = sorted(made)
    assert all(b - a >= room - 1e-6 for a, b in pairwise(ordered))
    assert all(-1e-6 <= place <= 200 + 1e-6 for place in made)
    order = sorted(range(len(wished)), key=lambda index: wished[index])
    assert [made[index] for index in order] == pytest.approx(ordered)
    held = [min(max(place, 0), 200) for place in wished]
    if all(b - a >= height for a, b in pairwise(sorted(held))):
        assert made == pytest.approx(held)


SPANS = st.lists(st.tuples(st.floats(0, 200), st.floats(0, 30)), max_size=5)


@given(st.floats(0, 200), SPANS)
def test_a_label_moves_off_the_lines_and_no_farther(
    wished: float, spans: list[tuple[float, float]]
) -> None:
    taken = [(least, least + size) for least, size in spans]
    made, wished = clear_of(wished, 8, taken, 8, 192), min(max(wished, 8), 192)
    tried = np.linspace(max(8, wished - 32), min(192, wished + 32), 501)
    free = [each for each in tried if all(each + 8 <= a or each - 8 >= b for a, b in taken)]
    if not free:
        return
    nearest = min(abs(each - wished) for each in free)
    assert abs(made - wished) <= nearest + 1e-6
    assert all(made + 8 <= a + 1e-6 or made - 8 >= b - 1e-6 for a, b in taken)


@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e9))
def test_ticks_are_few_round_and_inside(low: float, span: float) -> None:
    high = low + span
    made = ticks(low, high)
    if span < 1e-9 * abs(low):
        return
    assert len(made) <= MOST
    slack = 1e-6 * span + 1e-9 * max(abs(low), abs(high))
    assert all(low - slack <= tick <= high + slack for tick in made)
    if span > 1e-6 * abs(low):
        assert len(made) >= 2
        assert len(set(labels(made))) == len(made)


@given(st.floats(1e-6, 1e6), st.floats(1.01, 1e12), st.sampled_from(["number", "doubling"]))
def test_logarithmic_ticks_are_few_and_inside(low: float, factor: float, kind: str) -> None:
    made = ticks(low, low * factor, log=True, kind=kind)  # type: ignore[arg-type]
    assert 2 <= len(made) <= MOST + 2
    assert all(low * (1 - 1e-6) <= tick <= low * factor * (1 + 1e-6) for tick in made)


def test_ticks_are_told_as_a_person_reads_them() -> None:
    assert labels(ticks(0, 50_000)) == [
        "0", "10\u202f000", "20\u202f000", "30\u202f000", "40\u202f000", "50\u202f000",
    ]  # fmt: skip
    assert labels(ticks(0, 50_000, most=3), short=True) == ["0", "25k", "50k"]
    assert labels(ticks(0, 1)) == ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]
    tokens = ticks(1000, 70_000, log=True, kind="doubling")
    assert labels(tokens, "doubling") == ["1k", "2k", "4k", "8k", "16k", "32k", "64k"]
    assert labels([5e8, 1e9, 2e9], "doubling") == ["500M", "1G", "2G"]
    assert labels([512, 65_536, 20_000, 2.0**21], "doubling") == ["512", "64k", "20k", "2M"]
    assert labels(ticks(0, 0.0005, most=3), short=True) == ["0", "2.5e-4", "5e-4"]
    assert ticks(12, 24, whole=True) == [15.0, 20.0], "12.5 steps are not made"
    hours = ticks(0, 3 * 3600, kind="time", most=4)
    assert labels(hours, "time") == ["0\u202fs", "1\u202fh", "2\u202fh", "3\u202fh"]


def test_values_are_told_in_a_few_digits() -> None:
    assert [readable(value) for value in (2.2134, 40.72, 11239.8, 0.00062, 0, 3e-7, 17.94)] == [
        "2.21", "40.7", "11\u202f240", "0.000620", "0", "3.00e-7", "17.9",
    ]  # fmt: skip
    assert duration(7800) == "2\u202fh 10\u202fmin"


def chart() -> ChartModel:
    model = ChartModel("Loss", axes=(Axis("step", "Step"), Axis("time", "Time", "time")))
    loss = model.add(Series("loss", Look(smooth=True), ("step", "time")))
    loss.append([4.0, 3.0, 2.0, 1.0], step=[1, 2, 3, 4], time=[10, 20, 30, 40])
    validation = model.add(Series("validation", Look("s2", "circle"), ("step", "time")))
    validation.append([3.5, 2.5], step=[2, 4], time=[22, 42])
    return model


def test_table_and_csv_hold_every_value_once() -> None:
    model = chart()
    model.smoothing = 0.6
    rows = list(csv.reader(io.StringIO(model.csv())))
    assert rows[0] == ["Step", "loss", "loss, smoothed 0.6", "validation"]
    assert [row[0] for row in rows[1:]] == ["1", "2", "3", "4"]
    assert [row[1] for row in rows[1:]] == ["4", "3", "2", "1"]
    assert [row[3] for row in rows[1:]] == ["", "3.5", "", "2.5"]
    assert float(rows[4][2]) == pytest.approx(slow_smooth([4, 3, 2, 1], 0.6)[-1])


def test_what_a_chart_says_to_who_cannot_see_it() -> None:
    model = chart()
    assert model.describe() == "loss 1.00 at step 4; validation 2.50 at step 4."
    model.limits.append(Limit(3.0, "device limit"))
    assert model.describe().endswith("device limit 3.00.")
    assert ChartModel("Loss").describe() == "no measurements yet."


def test_a_reading_is_that_of_the_nearest_points() -> None:
    model = chart()
    reading = model.read(2.9)
    assert reading is not None
    assert reading.x == 3
    assert model.describe_reading(reading) == "Step 3, loss 2.00, validation 3.50"
    assert ChartModel("Loss").read(0) is None


def test_a_reading_of_another_chart_is_taken_at_its_own_place() -> None:
    model = ChartModel("ROUGE")
    series = model.add(Series("ROUGE-1", Look()))
    series.append([10.0, 20.0], step=[2000, 4000])
    reading = model.read_at(3100.0)
    assert (reading.x, reading.values) == (3100.0, ((series, 20.0),))
    assert model.point_of(series, reading.x) == 4000
    assert model.read_at(5000.0).values == (), "the series does not reach there"


def test_values_that_leave_the_range_are_counted() -> None:
    model = ChartModel("Loss", smoothing=0.9)
    values = np.full(100, 1.0)
    values[[10, 20, 30]], values[40], values[50] = 60.0, -60.0, float("nan")
    model.add(Series("loss", Look(smooth=True))).append(values, step=np.arange(100))
    model.add(Series("other", Look("text3"))).append([0.0, 2.0], step=[0, 99])
    low, high = model.range_y()
    assert model.num_beyond(-np.inf, np.inf, low, high) == (3, 1)
    assert model.num_beyond(20, 30, low, high) == (2, 0), "both ends are seen"
    model.smoothing = 0.0
    assert model.num_beyond(-np.inf, np.inf, *model.range_y()) == (0, 0)


def test_the_range_holds_nearly_all_values_behind_the_smooth_line() -> None:
    model = ChartModel("Loss", smoothing=0.9)
    values = np.linspace(7.0, 5.0, 30)
    model.add(Series("loss", Look(smooth=True))).append(values, step=np.arange(30))
    assert sum(model.num_beyond(-np.inf, np.inf, *model.range_y())) <= 1


def test_values_that_leave_a_logarithmic_range_are_counted() -> None:
    model = ChartModel("Loss", smoothing=0.9, log_y=True)
    values = np.full(100, 1.0)
    values[50], values[60] = 1e9, 0.0
    model.add(Series("loss", Look(smooth=True))).append(values, step=np.arange(100))
    low, _ = model.range_y()
    beyond = model.num_beyond(-np.inf, np.inf, low, 8.0)
    assert beyond == (1, 0), "what has no logarithm is told elsewhere"


def test_each_solid_series_beyond_the_third_has_its_own_dash() -> None:
    model = ChartModel("ROUGE")
    looks = [Look(f"s{n}", MARKERS[n - 1]) for n in (1, 2, 3)]
    looks += [Look("text3", dashed=True), Look("s1", dashed=True, hollow=True)]
    looks += [Look(f"s{n}", MARKERS[n - 1]) for n in (4, 5, 6)]
    series = [model.add(Series(str(n), look)) for n, look in enumerate(looks)]
    dashes = [model.dash(each) for each in series]
    assert dashes == [(), (), (), (), (), *DASHES]
    assert len(set(DASHES)) == 3


def test_ranges_hold_points_limits_and_the_planned_end() -> None:
    model = chart()
    model.axis = Axis("step", "Step", until=100)
    assert model.range_x() == (0, 100)
    late = ChartModel("ROUGE", axes=(Axis("step", "Step", until=100),))
    late.add(Series("ROUGE-1", Look())).append([1.0, 2.0], step=[40, 80])
    assert late.range_x() == (0, 100), "it stands below the loss, which begins at 0"
    low, high = model.range_y()
    assert low < 1 < 4 < high
    model.limits.append(Limit(9.0, "limit"))
    assert model.range_y()[1] > 9
    model.log_y = True
    assert model.range_y()[1] == pytest.approx(np.log10(9), abs=0.2)


def test_what_has_no_logarithm_is_left_out() -> None:
    series = Series("loss", Look())
    series.append([0.0, -1.0, 100.0], step=[1, 2, 3])
    assert series.y(log=True).tolist()[2] == 2
    assert np.isnan(series.y(log=True)[:2]).all()


def test_points_without_a_logarithm_are_counted() -> None:
    model = ChartModel("Norm", log_y=True)
    model.add(Series("norm", Look())).append([0.0, -1.0, 100.0], step=[0, 1, 2])
    assert model.num_left_out == 2
    model.log_x = True
    assert model.num_left_out == 2
    model.log_y = False
    assert model.num_left_out == 1


def test_notes_are_found_on_every_axis() -> None:
    model = chart()
    assert model.placed(2.5) == 2.5
    model.choose_axis("time")
    assert model.placed(2.5) == 25
    assert ChartModel("Loss", axes=model.axes).placed(3) == 3
