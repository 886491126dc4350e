"""What a form takes is what its settings class takes."""

from pathlib import Path
from typing import Any, Literal, Self

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, create_model, model_validator

from core.decoding.settings import DecodingSettings
from core.errors import EpitomeError
from core.evaluation.settings import ScoreSettings
from core.gsg.settings import GapSentenceSettings
from core.library.preferences import Preferences
from core.models.reformer.settings import PRESETS, ReformerSettings
from core.numbers import THIN_SPACE
from core.profiling.settings import ProfileSettings
from core.settings import Settings, option
from core.summaries.length import Length, LengthUnit
from core.training.settings import TrainSettings
from gui.forms.fields import Choice, Items, Number, OnOff, SummaryLength, Table, describe
from gui.forms.state import FormState
from gui.forms.values import length_raw, range_of, shown_value, title_of, words_of, written

REAL = (TrainSettings, ReformerSettings, DecodingSettings, ProfileSettings, GapSentenceSettings)


class Source(Settings):
    """A row of a table."""

    corpus: str = option("", "Corpus", "Its name.")
    share: float = option(1.0, "Share", "How often it is drawn.", gt=0, le=1)


class Mixed(Settings):
    """One field of each kind."""

    rows: int = option(4, "Rows", "Rows of a step.", unit="rows", basic=True, ge=1, le=64)
    rate: float = option(1e-4, "Rate", "How far a step goes.", gt=0, lt=1)
    clip: float | None = option(1.0, "Clip", "Clip gradients.", gt=0)
    kinds: tuple[Literal["lsh", "local"], ...] = option(
        ("lsh",), "Kinds", "Layer by layer.", min_length=1
    )
    widths: tuple[int, ...] = option((), "Widths", "Layer by layer.")
    sources: tuple[Source, ...] = option((), "Sources", "What is read.")
    device: str = option("cpu", "Device", "cpu or cuda.", pattern="^(cpu|cuda)$")
    out: Path | None = option(None, "Folder", "Where it goes.")
    fast: bool = option(False, "Fast", "Faster.")
    most: int = option(8, "Most", "At most.", ge=0)

    @model_validator(mode="after")
    def _go_together(self) -> Self:
        if self.rows > self.most:
            raise ValueError(f"“rows” must not be above “most”, but {self.rows} is.")
        return self


# A settings class at random, and values for it, right and wrong.

BOUNDS = st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: round(value, 3))
WORDS = ("one", "two-three", "four")


@st.composite
def numbers(draw: st.DrawFn, whole: bool) -> tuple[Any, dict[str, Any]]:
    bounds: dict[str, Any] = {}
    for names in (("ge", "gt"), ("le", "lt")):
        if draw(st.booleans()):
            bound = draw(BOUNDS)
            bounds[draw(st.sampled_from(names))] = round(bound) if whole else bound
    return (int if whole else float), bounds


FIELD_TYPES = st.one_of(
    numbers(True),
    numbers(False),
    st.sampled_from(
        [
            (bool, {}),
            (str, {"pattern": "^[a-c]*$"}),
            (Literal["one", "two-three", "four"], {}),
            (tuple[int, ...], {"min_length": 1}),
            (tuple[Literal["one", "four"], ...], {"max_length": 2}),
            (tuple[Source, ...], {}),
        ]
    ),
)


def _without_minus_zero(value: float) -> float:
    """A number as a field can show it: there is one zero."""
    return value + 0.0


def value_for(kind: Any) -> st.SearchStrategy[Any]:
    """Values of a field's type, inside and outside its bounds."""
    match kind:
        case Number(whole=True):
            return st.integers(-(2**60), 2**60) | st.integers(-3, 3)
        case Number():
            return (st.floats() | st.floats(-2, 2)).map(_without_minus_zero)
        case OnOff():
            return st.booleans()
        case Choice():
            return st.sampled_from(WORDS)
        case Items(item):
            return st.lists(value_for(item), max_size=3).map(tuple)
        case Table():
            shares = st.floats(-1, 2).map(_without_minus_zero)
            rows = st.builds(lambda share: {"corpus": "x", "share": share}, shares)
            return st.lists(rows, max_size=2).map(tuple)
        case _:
            return st.text("abcd", max_size=3)


def typed(kind: Any, value: Any) -> Any:
    """A value as a person types it."""
    if isinstance(kind, Table) and value is not None:
        columns = {each.name: each.kind for each in kind.columns}
        return tuple({k: typed(columns[k], v) for k, v in row.items()} for row in value)
    return written(kind, value)


@given(st.data())
def test_form_accepts_exactly_what_its_class_accepts(data: st.DataObject) -> None:
    types = data.draw(st.lists(st.tuples(FIELD_TYPES, st.booleans()), min_size=1, max_size=4))
    fields: dict[str, Any] = {}
    for index, ((kind, bounds), optional) in enumerate(types):
        annotation = kind | None if optional else kind
        fields[f"field_{index}"] = (annotation, Field(None, **bounds))
    made = create_model("Made", __base__=Settings, **fields)
    state, values = FormState(made), {}
    for field in describe(made):
        none = st.none() if field.optional else st.nothing()
        value = data.draw(none | value_for(field.kind), label=field.name)
        values[field.name] = value
        state.put(field.name, typed(field.kind, value))
    try:
        expected = made.checked(values)
    except EpitomeError:
        assert state.settings is None
        assert state.problems
        assert all(sentence.endswith(".") for sentence in state.problems.values())
        return
    assert state.problems == {}
    assert repr(state.settings) == repr(expected)  # repr: nan is not itself


@given(st.text(max_size=12), st.sampled_from(["rows", "rate", "clip"]))
def test_a_text_that_is_taken_is_shown_so_that_it_is_taken_again(text: str, name: str) -> None:
    state = FormState(Mixed)
    state.put(name, text)
    if state.settings is None:
        assert name in state.problems or state.across
        assert state.raw(name) == text
        return
    before = state.settings
    state.tidy(name)
    assert state.settings == before
    state.put(name, state.raw(name))
    assert state.settings == before


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("most", "16384", 16384),
        ("most", "16 384", 16384),
        ("most", f"16{THIN_SPACE}384", 16384),
        ("most", "16,384", 16384),
        ("most", "16k", 16000),
        ("rate", "1e-4", 1e-4),
        ("rate", "0.0008", 0.0008),
        ("clip", "", None),
        ("clip", "none", None),
    ],
)
def test_numbers_are_taken_as_people_write_them(name: str, text: str, value: object) -> None:
    state = FormState(Mixed)
    state.put(name, text)
    assert state.settings is not None
    assert getattr(state.settings, name) == value


@pytest.mark.parametrize(
    ("name", "raw", "sentence"),
    [
        ("rows", "0", "Must be at least 1."),
        ("rows", "65", "Must be at most 64."),
        ("rows", "1.5", "Enter a whole number, such as 512 or 16k."),
        ("rows", "", "Enter a whole number, such as 512 or 16k."),
        ("rate", "0", "Must be above 0."),
        ("rate", "1", "Must be below 1."),
        ("rate", "1,5", "Enter a number, such as 0.5 or 1e-4."),
        ("kinds", (), "At least 1 needed; add one."),
        ("widths", ("1", "x"), "Entry 2: Enter a whole number, such as 512 or 16k."),
        ("sources", ({"corpus": "a", "share": "2"},), "Entry 1, Share: Must be at most 1."),
        ("device", "gpu", "“gpu” is not allowed. cpu or cuda."),
    ],
)
def test_a_problem_stands_at_its_field_in_one_sentence(
    name: str, raw: object, sentence: str
) -> None:
    state = FormState(Mixed)
    state.put(name, raw)
    assert state.problems == {name: sentence}
    assert state.settings is None
    assert state.raw(name) == raw


def test_a_problem_between_fields_names_them_by_their_titles() -> None:
    state = FormState(Mixed)
    state.put("rows", "9")
    assert state.problems == {"": "“Rows” must not be above “Most”, but 9 is."}
    assert state.across == state.problems[""]
    state.put("most", "9")
    assert state.settings == Mixed(rows=9, most=9)


def test_what_differs_from_the_preset_is_told_and_taken_back() -> None:
    preset = Mixed(rows=8, kinds=("local",))
    state = FormState(Mixed, preset)
    assert state.changed == ()
    state.put("rows", "2")
    state.put("kinds", ("local", "lsh"))
    state.put("rate", "x")
    assert state.changed == ("rows", "rate", "kinds")
    state.put("rows", "08")  # another text of the same value
    assert not state.differs("rows")
    state.reset("rate")
    assert state.changed == ("kinds",)
    state.reset()
    assert state.settings == preset


def test_another_preset_keeps_what_the_person_changed() -> None:
    state = FormState(Mixed, Mixed(rows=8))
    state.put("rate", "0.5")
    state.set_preset(Mixed(rows=2, rate=0.25))
    assert state.settings == Mixed(rows=2, rate=0.5)
    assert state.changed == ("rate",)


def test_a_field_with_a_single_value_is_kept_and_not_shown() -> None:
    class Family(Settings):
        family: Literal["reformer"] = option("reformer", "Family", "Model family.")
        depth: int = option(1, "Depth", "Layers.")

    state = FormState(Family)
    assert [field.name for field in state.fields] == ["depth"]
    assert state.settings == Family()


def test_fields_left_out_keep_their_value() -> None:
    state = FormState(Mixed, values=Mixed(rows=5), left_out=("rows",))
    assert "rows" not in {field.name for field in state.fields}
    assert state.settings == Mixed(rows=5)


@pytest.mark.parametrize("settings", REAL)
def test_every_field_of_the_real_settings_can_be_turned(settings: type[Settings]) -> None:
    for field in FormState(settings).fields:
        state = FormState(settings)
        before = state.value(field.name)
        for raw in other_values(field.kind, before):
            state.put(field.name, raw)
            if field.name not in state.problems:
                break
        assert state.value(field.name) != before, field.name
        if state.settings is not None:
            assert getattr(state.settings, field.name) == state.value(field.name)


def other_values(kind: Any, before: Any) -> list[Any]:
    """What a person might give a field instead."""
    match kind:
        case Number():
            return [
                text for text in ("2", "4", "8", "0.5", "1.5", "3", "100") if text != str(before)
            ]
        case OnOff():
            return [not before]
        case Choice(values):
            return [value for value in values if value != before]
        case Items(item):
            return [(each,) for each in other_values(item, None)]
        case _:
            return ["cuda", "b"]


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_presets_come_through_a_form_unchanged(preset: ReformerSettings) -> None:
    assert FormState(ReformerSettings, values=preset).settings == preset


def test_a_type_that_no_form_shows_is_told() -> None:
    class Odd(Settings):
        table: dict[str, int] = option({}, "Table", "Odd.")

    with pytest.raises(TypeError, match=r"Odd\.table: a form cannot show the type dict"):
        describe(Odd)


def test_a_field_is_read_from_its_class() -> None:
    fields = {field.name: field for field in describe(Preferences)}
    size = fields["reading_size"]
    assert (size.title, size.unit, size.basic) == ("Text size", "px", True)
    assert size.kind == Number(True, 14, 24)
    assert fields["theme"].kind == Choice(("system", "light", "dark"))
    assert fields["contrast"].kind == OnOff()


def test_ranges_and_values_are_told_in_words() -> None:
    ranges = {field.name: range_of(field.kind) for field in describe(Mixed)}
    assert ranges["rows"] == "1 to 64."
    assert ranges["rate"] == "Above 0, below 1."
    assert ranges["clip"] == "Above 0."
    assert ranges["most"] == "At least 0."
    assert ranges["device"] == ""
    fields = {field.name: field for field in describe(Mixed)}
    assert shown_value(fields["kinds"], ("local", "lsh")) == "local, LSH"
    assert shown_value(fields["sources"], (Source(), Source())) == "2 entries"
    assert shown_value(fields["rows"], 16384) == f"16{THIN_SPACE}384"
    assert words_of(None) == words_of("") == "none"
    metrics = {field.name: field for field in describe(ScoreSettings)}["metrics"]
    told = shown_value(metrics, ("rouge-1", "rouge-l", "rouge-lsum", "novelty"))
    assert told == "ROUGE-1, ROUGE-L, ROUGE-Lsum, novelty"
    assert title_of("rouge-lsum") == "ROUGE-Lsum"
    assert [title_of(each) for each in ("language-model", "lsh-chunk", "bf16", "adamw")] == [
        "Language model",
        "LSH chunk",
        "bf16",
        "AdamW",
    ]


@pytest.mark.parametrize(
    ("typed", "unit", "length"),
    [
        ("9", "sentences", Length(9, "sentences")),
        (" 1 200 ", "words", Length(1200, "words")),
        ("2.5", "share", Length(2.5, "share")),
        ("10 %", "share", Length(10, "share")),
        ("120w", "words", Length(120, "words")),
    ],
)
def test_length_is_read_as_typed(typed: str, unit: LengthUnit, length: Length) -> None:
    assert Length.parse(length_raw(typed, unit)) == length


@pytest.mark.parametrize(("typed", "unit"), [("0", "words"), ("", "share"), ("101", "share")])
def test_what_is_no_length_is_refused(typed: str, unit: LengthUnit) -> None:
    with pytest.raises(EpitomeError, match="length"):
        Length.parse(length_raw(typed, unit))


@pytest.mark.parametrize(
    ("length", "words"),
    [("9s", "9 sentences"), ("1s", "1 sentence"), ("120w", "120 words"), ("2.5%", "2.5 %")],
)
def test_a_length_is_told_in_words(length: str, words: str) -> None:
    field = {field.name: field for field in describe(Preferences)}["length"]
    assert field.kind == SummaryLength()
    assert shown_value(field, length).replace(THIN_SPACE, " ") == words
    assert shown_value(field, "many") == "many"


def test_what_the_class_allows_may_be_refused_all_the_same() -> None:
    refused = {"device": "There is no GPU."}
    state = FormState(Mixed, refused=lambda made: refused if made.device == "cuda" else {})
    assert state.settings == Mixed()
    state.put("device", "cuda")
    assert state.settings is None and state.problems == refused
    state.put("device", "cpu")
    assert state.settings == Mixed() and not state.problems
