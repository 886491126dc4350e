"""The state of the Models panel, without Qt."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.jobs.models.describe_models import DescribedModel
from core.models.hugging_face.conversion import Conversion
from core.runs.model_card import ModelCard
from gui.panels.models.state import BUILT_IN, ModelsState, key_of
from gui.panels.models.words import marks_of

RUNS = Path("/runs")


def a_model(name: str, start_from: str = "", **more: object) -> DescribedModel:
    parent = str(RUNS / start_from) if start_from else ""
    return DescribedModel(RUNS / name, name, start_from=parent, **more)  # type: ignore[arg-type]


BASE = a_model("base", trained_ns=1, size_bytes=30)
SHORT = a_model("short", "base", trained_ns=2, size_bytes=10)
LONG = a_model("long", "short", trained_ns=4, size_bytes=20)
OTHER = a_model("other", "short", trained_ns=3, size_bytes=5)
LAB = a_model("lab", trained_ns=5, card=ModelCard(imported="2026-11-22", parents=("mother",)))
ALL = (BASE, SHORT, LONG, OTHER, LAB)


@pytest.fixture
def state() -> ModelsState:
    state = ModelsState()
    state.take(ALL, built_in_bytes=7)
    return state


def names(state: ModelsState) -> list[str]:
    return [model.name if model else BUILT_IN for model in state.shown()]


def test_the_built_in_summariser_is_there_before_anything_is_trained() -> None:
    state = ModelsState()
    assert state.shown() == [None] and state.selected is None and not state.is_known


def test_the_order_is_chosen(state: ModelsState) -> None:
    assert names(state) == [BUILT_IN, "lab", "long", "other", "short", "base"]
    state.order = "name"
    assert names(state) == [BUILT_IN, "base", "lab", "long", "other", "short"]
    state.order = "size"
    assert names(state) == [BUILT_IN, "base", "long", "short", "other", "lab"]


def test_models_are_kept_by_where_they_come_from_and_found_by_words(state: ModelsState) -> None:
    state.kept = "imported"
    assert names(state) == ["lab"]
    state.kept = "trained"
    assert names(state) == ["long", "other", "short", "base"]
    state.kept, state.wanted = "all", "LO "
    assert names(state) == ["long"]
    state.wanted = "built"
    assert names(state) == [BUILT_IN]


def test_the_chosen_model_stays_chosen_until_it_is_gone(state: ModelsState) -> None:
    state.choose(key_of(LONG))
    assert not state.take(ALL, 7)
    assert state.selected == LONG
    assert state.take(ALL[:2], 7)
    assert state.chosen == BUILT_IN
    state.choose("/runs/never")
    assert state.chosen == BUILT_IN


def test_the_lineage_is_a_tree(state: ModelsState) -> None:
    assert [(kin.title, kin.depth) for kin in state.lineage(SHORT)] == [
        ("random weights", 0), ("base", 1), ("short", 2), ("other", 3), ("long", 3),
    ]  # fmt: skip
    assert [(kin.title, kin.depth, kin.is_last) for kin in state.lineage(LONG)] == [
        ("random weights", 0, True), ("base", 1, True), ("short", 2, True),
        ("other", 3, False), ("long", 3, True),
    ]  # fmt: skip


def test_what_is_not_here_stands_in_the_lineage_too(state: ModelsState) -> None:
    assert [(kin.title, kin.model) for kin in state.lineage(LAB)] == [
        ("mother", None), ("lab", LAB),
    ]  # fmt: skip
    orphan = a_model("orphan", "gone")
    state.take([orphan])
    assert [(kin.title, kin.model) for kin in state.lineage(orphan)] == [
        ("gone", None), ("orphan", orphan),
    ]  # fmt: skip


def test_a_lineage_that_goes_in_a_circle_ends(state: ModelsState) -> None:
    first, second = a_model("first", "second"), a_model("second", "first")
    itself = a_model("itself", "itself")
    state.take([first, second, itself])
    for model in (first, second, itself):
        assert model in [kin.model for kin in state.lineage(model)]


def test_the_licence_is_that_of_what_the_model_comes_from(state: ModelsState) -> None:
    assert state.licence(LONG) == "yours"
    assert state.licence(LAB) == "", "somebody else's, and nobody has said"
    assert state.licence(a_model("tuned", "gone")) == ""
    licensed = replace(BASE, card=ModelCard(licence="CC BY 4.0"))
    state.take([licensed, SHORT, LONG])
    assert state.licence(LONG) == "CC BY 4.0"
    own = replace(SHORT, card=ModelCard(licence="Apache 2.0"))
    state.take([licensed, own, LONG])
    assert state.licence(LONG) == "Apache 2.0"


def test_an_imported_model_is_never_called_the_persons_own(state: ModelsState) -> None:
    assert state.stated_licence(LONG) == "", "nothing is exported that nobody has said"
    older = replace(LAB, card=replace(LAB.card, licence="yours"))
    state.take([older])
    assert state.licence(older) == ""


def test_a_model_whose_card_is_damaged_is_not_called_the_persons_own(state: ModelsState) -> None:
    damaged = replace(SHORT, card=ModelCard(is_damaged=True))
    state.take([damaged])
    assert state.licence(damaged) == ""
    assert [mark.text for mark in marks_of(damaged)] == ["damaged card", "experimental"]


def test_a_converted_model_stands_below_the_one_it_was_made_from() -> None:
    old = DescribedModel(Path("/runs/bart"), "bart", card=ModelCard(imported="2026-01-01"))
    report = Conversion("bart", 4096, 1024, 512, 6, 4.0, 18, (), 250, 0.0, 1.0)
    card = ModelCard(imported="2026-01-02", parents=("bart",))
    new = DescribedModel(Path("/runs/long"), "long", card=card, conversion=report)
    state = ModelsState()
    state.take((old, new))
    assert [(kin.title, kin.depth) for kin in state.lineage(new)] == [("bart", 0), ("long", 1)]
    state.take((new,))
    assert [kin.title for kin in state.lineage(new)] == ["bart", "long"]
