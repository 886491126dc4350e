"""What memory is drawn against, what fits, the papers' figures, and the commands."""

import shlex
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.cli.main import main
from core.errors import EpitomeError
from core.models.families import BUILT_FAMILIES
from core.models.settings import ModelSettings
from core.profiling.memory_fields import (
    PRESET_TITLES,
    ProfileSettings,
    changed_by,
    flat_of_model,
    model_and_step,
    preset_model,
)
from core.profiling.memory_sweeps import (
    Machine,
    axis_values,
    forecast_of,
    largest_that_fits,
    model_words,
    parts_of,
    pays_from,
    point_for,
    varied_fields,
)
from core.profiling.paper_figures import FIGURES
from core.profiling.profile_command import profile_commands, profile_words
from core.profiling.sweep import points_of
from core.runs.job_file import read_job

STEP = ProfileSettings()
SMALL = preset_model("small")
FIGURE_LIST = [figure for figures in FIGURES.values() for figure in figures]


@pytest.mark.parametrize("name", PRESET_TITLES)
def test_the_fields_of_a_form_give_model_and_step_back(name: str) -> None:
    model, step = preset_model(name), ProfileSettings(batch=3)
    assert model_and_step(flat_of_model(model, step)) == (model, step)


@pytest.mark.parametrize("name", PRESET_TITLES)
def test_each_usual_value_of_a_field_is_forecast(name: str) -> None:
    model, peaks = preset_model(name), []
    for varied in varied_fields(model):
        for value in axis_values(varied.values):
            try:
                peaks.append(forecast_of(point_for(model, STEP, varied.name, value), Machine()))
            except EpitomeError:  # such as heads that do not divide this width
                continue
    assert len(peaks) > 20 and all(each.peak_bytes > 0 for each in peaks)


def test_a_part_that_is_off_already_is_not_offered() -> None:
    titles = [part.title for part in parts_of(SMALL, STEP)]
    assert "Stored layers" in titles and "Full attention" in titles
    stored, step = changed_by(SMALL, STEP, {"reversible": False})
    assert "Stored layers" not in [part.title for part in parts_of(stored, step)]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "LSH, reversible"),
        ({"attention": ("full",), "reversible": False}, "Full attention, stored layers"),
        ({"reversible": False, "checkpointing": True}, "LSH, checkpointing"),
        ({"attention": ("local", "local-chunk")}, "Local attention, reversible"),
    ],
)
def test_a_model_is_told_in_few_words(changes: dict[str, object], told: str) -> None:
    assert model_words(changed_by(SMALL, STEP, changes)[0]) == told


@given(st.integers(500, 60_000), st.sampled_from(["length", "depth", "batch"]))
def test_what_fits_fits_and_twice_as_much_does_not(mib: int, name: str) -> None:
    machine = Machine(limit_bytes=mib * 2**20)
    largest = largest_that_fits(SMALL, STEP, name, machine)
    assert largest is not None

    def peak(value: int) -> int:
        return forecast_of(point_for(SMALL, STEP, name, str(value)), machine).peak_bytes

    assert largest == 0 or peak(largest) <= machine.limit_bytes
    most = 4096 if name == "depth" else 2**20
    # Memory falls at a few lengths, so a tenth more may fit again.
    assert largest >= most or peak(2 * largest + 1) > machine.limit_bytes


def test_nothing_is_said_to_fit_where_the_limit_is_unknown() -> None:
    assert largest_that_fits(SMALL, STEP, "length", Machine()) is None


def test_full_attention_grows_faster_with_the_length_than_hashing() -> None:
    full, step = changed_by(SMALL, STEP, {"attention": ("full",)})
    times = {
        name: [
            forecast_of(point_for(model, step, "length", n), Machine()).longest_step_s
            for n in ("1024", "32768")
        ]
        for name, model in (("own", SMALL), ("full", full))
    }
    crossing = pays_from([1024, 32768], times["own"], times["full"])
    assert crossing is not None and 1024 <= crossing < 32768


@pytest.mark.parametrize("figure", FIGURE_LIST, ids=lambda figure: figure.title)
def test_each_figure_of_the_papers_can_be_measured(figure: object) -> None:
    for model, step in figure.models:  # type: ignore[attr-defined]
        varied = step.model_copy(update={"vary": (f"{figure.axis}={figure.tried}",)})  # type: ignore[attr-defined]
        points = points_of(model, varied)
        assert all(forecast_of(point, Machine()).peak_bytes for point in points)
    values = axis_values(figure.tried)  # type: ignore[attr-defined]
    for number in figure.numbers:  # type: ignore[attr-defined]
        assert number.variant < len(figure.models)  # type: ignore[attr-defined]
        assert not number.value or number.value in values


def config_of(words: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
              ) -> tuple[ModelSettings, ProfileSettings]:  # fmt: skip
    """What the command line makes of a command."""
    assert main([*words[1:], "--print-config"]) == 0
    file = tmp_path / "job.toml"
    file.write_text(capsys.readouterr().out, "utf-8")
    from core.cli.profile import TABLES

    tables = read_job(file, "profile", TABLES).tables
    model = BUILT_FAMILIES.checked(tables["model"])
    return model, ProfileSettings.checked(tables["profile"])  # type: ignore[return-value]


@pytest.mark.parametrize("name", PRESET_TITLES)
def test_the_command_of_a_model_means_that_model(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    values = {"width": 320, "heads": 5, "batch": 2, "precision": "bf16"}
    if name == "paper-4":
        values.pop("heads")
    model, step = changed_by(preset_model(name), STEP, values)
    assert config_of(profile_words(model, step), capsys, tmp_path) == (model, step)


def test_a_grid_of_variants_is_one_command_and_measures_the_same_points(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    variants = [
        changed_by(SMALL, STEP, {"attention": attention, "reversible": reversible})
        for attention in (("local", "lsh"), ("full",))
        for reversible in (True, False)
    ]
    (words,) = profile_commands(variants, "length", "1024,2048")
    assert shlex.join(words).count("--vary") == 3
    points = points_of(*config_of(words, capsys, tmp_path))
    made = {(repr(point.model), point.length) for point in points}
    wanted = {
        (repr(point.model), point.length)
        for model, step in variants
        for point in points_of(model, step.model_copy(update={"vary": ("length=1024,2048",)}))
    }
    assert made == wanted and len(points) == 8


def test_variants_that_are_no_grid_are_a_command_each() -> None:
    other = preset_model("paper-4")
    assert len(profile_commands([(SMALL, STEP), (other, STEP)], "batch", "1,2")) == 2
