"""What is typed behind --vary, and the points that come of it."""

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import EpitomeError
from core.models.reformer.encoder_decoder_settings import ReformerEncoderDecoderSettings
from core.models.reformer.settings import PRESETS, ReformerSettings
from core.profiling.settings import ProfileSettings
from core.profiling.sweep import (
    MOST_POINTS,
    Axis,
    Point,
    Value,
    is_logarithmic,
    parse_axis,
    points_of,
    shown,
)
from tests.helpers.measurements import sweep


@pytest.mark.parametrize(
    ("text", "name", "values"),
    [
        ("depth=2,4,8", "depth", "2 4 8"),
        ("length=1024..24576x2", "length", "1024 2048 4096 8192 16384"),
        ("length=1024..4096×2,24576", "length", "1024 2048 4096 24576"),
        ("width=512..1536+256", "width", "512 768 1024 1280 1536"),
        ("dropout=0..0.3+0.1", "dropout", "0 0.1 0.2 0.3"),
        ("learning_rate=1e-4..1e-2x10", "learning_rate", "0.0001 0.001 0.01"),
        ("bucket-size=64, 64 ,128", "bucket_size", "64 128"),
        ("attention=full,lsh+local", "attention", "full lsh+local"),
        ("reversible=on,off", "reversible", "on off"),
    ],
)
def test_an_axis_is_read_as_it_is_meant(text: str, name: str, values: str) -> None:
    assert parse_axis(text) == Axis(name, tuple(values.split()))


NUMBERS = st.integers(1, 3000)


@st.composite
def items(draw: st.DrawFn) -> tuple[str, list[int]]:
    """An item as typed, and its values found by counting."""
    low, high = sorted((draw(NUMBERS), draw(NUMBERS)))
    kind = draw(st.sampled_from(["value", "x", "+"]))
    if kind == "value":
        return str(low), [low]
    if kind == "+":
        step = draw(st.integers(1, 500))
        return f"{low}..{high}+{step}", [n for n in range(low, high + 1) if (n - low) % step == 0]
    factor = draw(st.integers(2, 9))
    powers = [low * factor**k for k in range(20)]
    return f"{low}..{high}x{factor}", [n for n in powers if n <= high]


@given(st.lists(items(), min_size=1, max_size=4))
def test_any_list_of_items_gives_each_value_once_in_order(
    typed: list[tuple[str, list[int]]],
) -> None:
    axis = parse_axis("depth=" + ",".join(text for text, _ in typed))
    wanted: list[str] = []
    for number in itertools.chain(*(numbers for _, numbers in typed)):
        if str(number) not in wanted:
            wanted.append(str(number))
    assert list(axis.values) == wanted


@given(st.text(max_size=30))
def test_whatever_is_typed_is_read_or_refused_in_words(text: str) -> None:
    try:
        points_of(ReformerSettings(), ProfileSettings(vary=(text,)))
    except EpitomeError as error:
        assert error.message.endswith((".", "!", "?")) and error.remedy.endswith(".")


@pytest.mark.parametrize(
    ("text", "message", "remedy"),
    [
        ("depth", "“depth” does not say what is varied, and how.", "Write NAME=VALUE"),
        ("=3", "“=3” does not say", "Write NAME=VALUE"),
        ("depth=2,,3", "A value of “depth=2,,3” is empty.", "Write NAME=VALUE"),
        ("depth=1..5", "“1..5” is no range of numbers.", "Write NAME=VALUE"),
        ("depth=8..2x2", "The range “8..2x2” ends before it begins.", "Write the smaller first."),
        ("depth=1..8x1", "its factor must be above 1.", "Write it as 1..8x2."),
        ("dropout=0..1x2", "it must begin above 0", "Write it as 1..8x2."),
        ("depth=1..8+0", "its step must be above 0.", "Write it as 2..8+2."),
        ("dept=2", "“dept” cannot be varied", "Write depth."),
        ("bucket=2", "“bucket” cannot be varied", "Write buckets."),
        ("qqq=2", "“qqq” cannot be varied", "Choose one of accumulate, attention, "),
        ("causality=on", "“causality” cannot be varied", ""),
        ("depth=2.5", "“depth” was '2.5': it should be a valid integer", "Correct the value"),
        ("precision=fp8", "“precision” was 'fp8': it should be 'fp32'", "Correct the value"),
        (
            "heads=3",
            "The heads must divide the width, but 3 do not divide 256.",
            "Correct the value",
        ),
        ("seed=1..99999999+1", "more than 10\u202f000 points", "Vary less"),
    ],
)
def test_what_cannot_be_meant_is_told_with_a_remedy(text: str, message: str, remedy: str) -> None:
    with pytest.raises(EpitomeError) as error:
        sweep(text)
    assert message in error.value.message
    assert remedy in error.value.remedy


def test_a_field_is_varied_once() -> None:
    with pytest.raises(EpitomeError, match="“depth” is varied twice"):
        sweep("depth=2", "depth=4")


def test_points_are_all_combinations_the_last_axis_changing_fastest() -> None:
    points = sweep("depth=1,2", "precision=fp32,bf16", "reversible=on,off")
    found = [(p.model.depth, p.step.precision, p.model.reversible) for p in points]
    assert found == list(itertools.product((1, 2), ("fp32", "bf16"), (True, False)))
    assert points[5].varied == {"depth": 2, "precision": "fp32", "reversible": False}
    assert all(point.step.vary == () for point in points)


def test_nothing_varied_is_one_point_of_the_models_own_length() -> None:
    (point,) = sweep()
    assert (point.length, point.varied) == (4096, {})


def test_the_length_is_the_steps_and_raises_the_models_where_it_must() -> None:
    points = sweep("length=512,8192")
    assert [(p.length, p.model.length) for p in points] == [(512, 4096), (8192, 8192)]


def test_none_leaves_a_choice_to_the_model() -> None:
    assert [p.model.ff_chunks for p in sweep("ff_chunks=none,1,10")] == [None, 1, 10]


def test_every_field_of_model_and_step_can_be_varied() -> None:
    asked = {"vary", "against_full", "memory_options", "causality", "family"}
    fields: dict[str, Any] = ReformerSettings.model_fields | ProfileSettings.model_fields
    for name, info in fields.items():
        if name not in asked:
            default = PRESETS["paper"].model_dump().get(name) or info.default
            text = shown(default if default is not None else 2).replace("\u202f", "")
            assert len(sweep(f"{name}={text}")) == 1, name
    assert not ReformerSettings.model_fields.keys() & ProfileSettings.model_fields.keys()


def test_against_full_pairs_each_point_and_chooses_lengths() -> None:
    points = sweep(against_full=True)
    assert [(p.length, p.model.attention) for p in points] == [
        (length, kinds)
        for length in (512, 1024, 2048, 4096)
        for kinds in (("local", "lsh"), ("full",))
    ]
    points = sweep("length=64", "depth=1,2", against_full=True)
    assert [p.varied["depth"] for p in points] == [1, 1, 2, 2]
    assert not any(p.step.against_full for p in points)


def test_against_full_is_refused_where_nothing_hashes() -> None:
    with pytest.raises(EpitomeError, match="“attention” was varied"):
        sweep("attention=lsh,local", against_full=True)
    with pytest.raises(EpitomeError, match="“attention” was full"):
        points_of(ReformerSettings(attention=("full",)), ProfileSettings(against_full=True))


@pytest.mark.parametrize("other", [{"against_full": True}, {"vary": ("depth=1",)}])
def test_causality_measures_no_steps(other: dict[str, Any]) -> None:
    with pytest.raises(EpitomeError, match="“causality” measures no step"):
        ProfileSettings.checked({"causality": True} | other)


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ((1, 2, 4, 8), True),
        ((1024, 2048, 4096, 8192, 16384, 24576), True),
        ((1, 2, 3, 4), False),
        (tuple(range(2, 40, 2)), False),
        ((512, 768, 1024), False),
        ((0, 1, 2, 4, 50), False),
        ((2, 4), False),
        ((None, 1, 10), False),
        (("full", "lsh"), False),
        ((True, False), False),
    ],
)
def test_an_axis_is_logarithmic_where_it_grows_by_factors(
    values: tuple[Value, ...], wanted: bool
) -> None:
    assert is_logarithmic(values) == wanted


def test_a_sweep_may_be_as_large_as_is_said() -> None:
    assert len(sweep(f"seed=1..{MOST_POINTS}+1")) == MOST_POINTS


def pair_points(*vary: str, **settings: Any) -> tuple[Point, ...]:
    model = ReformerEncoderDecoderSettings(source_length=128, target_length=32)
    return points_of(model, ProfileSettings(vary=vary, **settings))


def test_an_encoder_decoder_s_own_settings_are_varied() -> None:
    points = pair_points("encoder_attention=full,local+full", "source_length=64,256")
    assert [(p.length, p.varied["encoder_attention"]) for p in points] == [
        (64 + 32, ("full",)),
        (256 + 32, ("full",)),
        (64 + 32, ("local", "full")),
        (256 + 32, ("local", "full")),
    ]
    assert isinstance(points[1].model, ReformerEncoderDecoderSettings)
    assert points[1].model.source_length == 256


@pytest.mark.parametrize(
    ("vary", "settings", "told"),
    [
        (("rounds=1,2",), {}, "“rounds” cannot be varied"),
        ((), {"against_full": True}, "“against_full” compares attention kinds of the family"),
        ((), {"causality": True}, "“causality” compares attention kinds of the family reformer"),
    ],
)
def test_what_only_the_language_model_has_is_refused_for_an_encoder_decoder(
    vary: tuple[str, ...], settings: dict[str, Any], told: str
) -> None:
    with pytest.raises(EpitomeError, match=told):
        pair_points(*vary, **settings)
