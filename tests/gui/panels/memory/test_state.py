"""What the Memory panel knows: cells, variants, what is missing, what fits, what it says."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from core.models.reformer.settings import ReformerSettings
from core.models.settings import ModelSettings
from core.profiling.kept_points import DatedPoint, KeptPoints, keep
from core.profiling.memory_fields import preset_model
from core.profiling.memory_sweeps import Machine
from core.profiling.paper_figures import FIGURES
from core.profiling.planned_model import PlannedModel
from core.profiling.settings import ProfileSettings
from gui.panels.memory.charts import MemoryCharts
from gui.panels.memory.measuring import commands_of, missing_points, num_missing, sweeps_of
from gui.panels.memory.points import Cell, forecast_errors
from gui.panels.memory.state import MOST_SHOWN, PARTS, MemoryState
from gui.panels.memory.telling import foot, hashing, headline, paper_lines
from gui.panels.memory.variants import kept_variants, variant_of
from tests.helpers.measurements import done, failed
from tests.helpers.memory_window import MACHINE, tiny_state

TIME = "2026-11-23T01:00:00+00:00"
FIGURE_LIST = [figure for figures in FIGURES.values() for figure in figures]


def measured(state: MemoryState, cells: Sequence[Cell], **changes: float) -> None:
    """Keeps a measurement of points."""
    points = []
    for cell in cells:
        assert cell.point is not None and cell.told is not None
        points.append(DatedPoint(TIME, keep(done(cell.point, **changes), cell.told)))
    state.take(KeptPoints(tuple(points), 1, is_whole=False))


def small() -> MemoryState:
    return MemoryState(machine=MACHINE)


def test_at_first_four_variants_of_a_preset_are_forecast_against_the_length() -> None:
    state = small()
    titles = [row.variant.title for row in state.rows]
    assert titles == [
        "LSH, reversible",
        "Full attention, reversible",
        "LSH, stored layers",
        "Full attention, stored layers",
    ]
    peaks = [[cell.peak_bytes or 0 for cell in row.cells] for row in state.rows]
    assert all(one == sorted(one) and len(one) == 6 for one in peaks)
    assert not any(cell.is_measured for row in state.rows for cell in row.cells)


def test_a_measurement_replaces_the_forecast_and_is_no_longer_missing() -> None:
    state = small()
    before, cells = num_missing(state), state.rows[0].cells[:2]
    measured(state, cells, baseline_bytes=3 * 10**8, peak_bytes=2 * 10**8)
    first = state.rows[0].cells[0]
    assert first.is_measured and first.peak_bytes == 5 * 10**8 and first.step_s == 0.5
    assert num_missing(state) == before - 2
    assert missing_points(state, again=True)[0][1][0].value == "1024"


def test_what_changes_nothing_is_told_as_one_number() -> None:
    state = small()
    state.show_figure(next(each for each in FIGURE_LIST if each.axis == "heads"))
    told = headline(state)
    assert re.fullmatch(r"LSH, reversible: [\d.]+\sGB from 1 to 16 \(heads\)\.", told), told
    state.choose_axis("rounds")
    assert re.search(r": from .+ at 1 to .+ at \d+ \(", headline(state)), headline(state)


def test_measurements_of_another_machine_are_not_taken() -> None:
    state = small()
    point = state.rows[0].cells[0].point
    assert point is not None and state.rows[0].cells[0].told is not None
    elsewhere = replace(keep(done(point), state.rows[0].cells[0].told), machine="another")
    state.take(KeptPoints((DatedPoint(TIME, elsewhere),), 1, is_whole=True))
    assert not state.kept


def test_what_does_not_fit_is_marked_and_not_measured() -> None:
    state = MemoryState(machine=Machine(limit_bytes=900_000_000))
    over = [(r, c) for r, row in enumerate(state.rows) for c in row.cells if state.is_over(c)]
    assert over
    asked = [(variant.title, cell) for variant, cells in missing_points(state) for cell in cells]
    assert len(asked) == 24 - len(over) and not any(state.is_over(cell) for _, cell in asked)
    assert sweeps_of(state)[-1].profile.vary == ("length=1024,2048,4096",)
    assert "do not fit and were not tried" not in " ".join(foot(state))
    measured(state, state.rows[0].cells[:1])
    assert f"{len(over)} do not fit and were not tried" in " ".join(foot(state))


def test_a_point_that_failed_counts_as_tried_and_too_large() -> None:
    state = tiny_state()
    cell = state.rows[0].cells[0]
    assert cell.point is not None and cell.told is not None
    kept = DatedPoint(TIME, keep(failed(cell.point), cell.told))
    state.take(KeptPoints((kept,), 1, is_whole=True))
    assert state.is_over(state.rows[0].cells[0]) and num_missing(state) == 1
    assert "100 MiB" in state.rows[0].cells[0].failure


def test_a_value_that_is_not_allowed_says_why_and_leaves_the_others() -> None:
    state = small()
    state.choose_axis("heads")
    state.choose_values("3,4")
    wrong, right = state.rows[0].cells
    assert "must divide the width" in wrong.problem and right.told is not None
    assert [cell.value for _, cells in missing_points(state) for cell in cells] == ["4"] * 4


@pytest.mark.parametrize("typed", ["", "16..8x2", "1..4", "8,,9", "1..100+1"])
def test_values_that_cannot_be_meant_are_told(typed: str) -> None:
    state = small()
    state.choose_values(typed)
    assert state.values_problem and not state.values and not sweeps_of(state)
    assert headline(state) == state.values_problem


def test_no_more_variants_are_shown_than_there_are_colours() -> None:
    state = small()
    for variant in state.variants:
        state.tick(variant.key, True)
    assert len(state.variants) > MOST_SHOWN == len(state.shown) and state.is_full


def test_an_added_model_stays_as_it_was_when_another_is_set() -> None:
    state = small()
    base = state.base
    assert base is not None
    state.pin("Small", *base)
    state.put("width", "512")
    pinned, now = state.variants[-1], state.variants[0]
    assert pinned.model.width == 256 and now.model.width == 512  # type: ignore[union-attr]
    (kept,) = kept_variants(state.pinned)
    assert variant_of(kept, 1) == pinned
    state.unpin(pinned.key)
    assert pinned not in state.variants


def test_models_of_several_families_are_drawn_together() -> None:
    state = small()
    state.choose_axis("batch")
    state.pin("Small Transformer", preset_model("paper-4"), ProfileSettings())
    last = state.rows[-1]
    assert last.variant.title == "Small Transformer: Full attention"
    assert all(cell.told for cell in last.cells)
    state.choose_axis("length")
    assert all("cannot be varied" in cell.problem for cell in state.rows[-1].cells)


def test_the_sentence_says_what_fits_and_which_stops_first() -> None:
    state = small()
    state.tick("Full attention", False)
    told = headline(state)
    assert told.startswith("With LSH, reversible, ") and "tokens fit in this machine" in told
    assert re.search(r"\(about \d+\u202fmin for a step\); LSH, stored layers stops at ", told)


def test_a_measurement_moves_what_is_said_to_fit() -> None:
    state = small()
    before = state.rows[0].fits
    told = state.rows[0].cells[-1].told
    assert before and told
    measured(state, state.rows[0].cells[-1:], baseline_bytes=0, peak_bytes=2 * told.peak_bytes)
    after = state.rows[0].fits
    assert after is not None and after < 0.6 * before


def test_hashing_pays_is_told_of_measured_times_once_there_are_two_pairs() -> None:
    state = small()
    assert "(forecast)" in hashing(state)
    own, full = state.rows[0], state.rows[1]
    for at, (fast, slow) in enumerate(((2.0, 1.0), (2.0, 3.0))):
        measured(state, own.cells[at : at + 1], step_s=fast)
        measured(state, full.cells[at : at + 1], step_s=slow)
    assert hashing(state) == (
        "Hashing is faster than full attention from about 1\u202f600 tokens (measured)."
    )
    for variant in state.variants[1:]:
        state.tick(variant.key, False)
    assert hashing(state) == ""


def test_how_far_forecasts_were_off_is_the_median_of_all_that_was_measured_here() -> None:
    state = small()
    cell = state.rows[0].cells[0]
    assert cell.told is not None and forecast_errors(state.kept.values()) is None
    peak = round(1.1 * cell.told.peak_bytes)
    measured(state, [cell], baseline_bytes=0, peak_bytes=peak, step_s=cell.told.longest_step_s / 2)
    memory, time, count = forecast_errors(state.kept.values())  # type: ignore[misc]
    assert (round(memory, 3), round(time, 3), count) == (0.1, 1.0, 1)
    assert "off by 10\u202f% in memory and 100\u202f% in time (1 point here)" in foot(state)[-1]


def test_each_part_can_be_switched_off_in_turn() -> None:
    state = small()
    state.choose_axis(PARTS)
    (row,) = state.rows
    values = [cell.value for cell in row.cells]
    assert values[0] == "As set" and {"Stored layers", "Checkpointing"} <= set(values)
    assert len(sweeps_of(state)) == len(values) == len(commands_of(state).splitlines())


@pytest.mark.parametrize("figure", FIGURE_LIST, ids=lambda figure: figure.title)
def test_a_figure_of_a_paper_stands_beside_what_is_found_here(figure: object) -> None:
    state = small()
    state.show_figure(figure)  # type: ignore[arg-type]
    lines = paper_lines(state)
    assert len(lines) == len(figure.numbers)  # type: ignore[attr-defined]
    assert all(paper and here not in ("", "–") for _, paper, here in lines)
    assert len(state.rows) == len(figure.variants)  # type: ignore[attr-defined]
    state.put("batch", "2")
    assert state.figure is None


@pytest.mark.parametrize("figure", FIGURE_LIST, ids=lambda figure: figure.title)
def test_each_number_of_a_paper_is_compared_with_its_own_variant(figure: object) -> None:
    state = small()
    state.show_figure(figure)  # type: ignore[arg-type]
    models = [row.variant.model for row in state.figure_rows]
    assert models == [model for model, _ in figure.models]  # type: ignore[attr-defined]


def test_the_chart_draws_measured_points_filled_and_the_rest_dashed() -> None:
    state = small()
    charts = MemoryCharts()
    measured(state, state.rows[0].cells[:3])
    charts.show(state)
    named = [s for s in charts.memory.series if s.name == "LSH, reversible"]
    dashed, filled = named
    assert dashed.look.hollow and not filled.look.hollow and len(filled) == 3
    assert [round(x) for x, y in zip(dashed.x("value"), dashed.y(), strict=True) if y == y] == [
        4096, 8192, 16384, 32768,
    ]  # fmt: skip
    assert charts.memory.log_x and charts.memory.limits[0].value == 8.0
    assert charts.time.columns()[1] == "LSH, reversible, s (forecast)"


def test_values_that_are_words_are_drawn_beside_one_another() -> None:
    state = small()
    state.choose_axis("precision")
    charts = MemoryCharts()
    charts.show(state)
    assert charts.memory.axis.labels == ("fp32", "bf16")
    assert charts.memory.range_x() == (-0.5, 1.5)
    assert charts.memory.csv().splitlines()[1].startswith("fp32,")


def test_another_family_has_other_fields_and_keeps_what_it_shares() -> None:
    state = small()
    state.choose_preset("paper-4")
    assert state.axis == "source_length" and "target_length" in [f.name for f in state.axes]
    state.choose_axis("batch")
    state.choose_preset("quick")
    assert state.axis == "batch" and state.rows


def planned(model: ModelSettings, batch: int = 2, name: str = "mine") -> PlannedModel:
    return PlannedModel(f"{name}: as trained", model, ProfileSettings(batch=batch))


def test_a_run_is_a_line_beside_the_presets_with_its_own_value() -> None:
    state = small()
    key, value = state.show_planned(planned(ReformerSettings(length=3000, bucket_size=50)))
    last = state.rows[-1]
    assert last.variant.key == key and last.variant.title == "mine: as trained"
    assert len(state.rows) == 5 and value == "3000"
    assert state.tried == "1024,2048,3000,4096,8192,16384,32768"
    own = next(cell for cell in last.cells if cell.value == value)
    assert own.told is not None and own.point is not None and own.point.step.batch == 2


def test_the_same_run_is_drawn_once() -> None:
    state = small()
    run = planned(ReformerSettings(length=4096))
    first, _ = state.show_planned(run)
    before = state.tried
    state.tick(first, False)
    again, _ = state.show_planned(run)
    assert first == again and state.rows[-1].variant.key == first and len(state.pinned) == 1
    assert state.tried == before, "4,096 is among the values already"


def test_a_run_takes_the_place_of_the_last_line_where_there_is_no_colour_left() -> None:
    state = small()
    for variant in state.variants:
        state.tick(variant.key, True)
    key, _ = state.show_planned(planned(ReformerSettings()))
    assert len(state.shown) == MOST_SHOWN and state.shown[-1].key == key


def test_a_run_of_another_family_brings_a_preset_of_its_own() -> None:
    state = small()
    key, value = state.show_planned(planned(preset_model("paper-4")))
    assert state.axis == "source_length" and state.rows[-1].variant.key == key
    assert all(cell.told for row in state.rows for cell in row.cells)
    assert value in [cell.value for cell in state.rows[-1].cells]


def test_a_run_is_drawn_among_parts_and_words_too() -> None:
    state = small()
    state.choose_axis("precision")
    assert state.show_planned(planned(ReformerSettings()))[1] == "fp32"
    assert state.tried == "fp32,bf16"
    state.choose_axis(PARTS)
    state.show_planned(planned(ReformerSettings(), name="other"))
    assert "other: as trained" in [cell.value for cell in state.rows[0].cells]


def test_an_added_model_stays_ticked_with_another_preset_where_it_can_be_drawn() -> None:
    state = small()
    key, _ = state.show_planned(planned(ReformerSettings()))
    state.choose_preset("quick")
    assert key in [row.variant.key for row in state.rows] and len(state.rows) == 5
    state.choose_preset("paper-4")
    assert key not in state.ticked, "it has no source length"
