"""A job that is set up: what follows from what, what is missing; every field reaches it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.data.corpus_facts import CorpusFacts
from core.jobs.training.job_presets import BUILT_IN
from core.models.language_model.settings import LanguageModelSettings
from core.models.reformer.settings import ReformerSettings
from core.profiling.training_suggestions import Machine
from core.training.train_command import train_words
from core.training.training_fields import flat_of
from gui.forms.fields import Choice, FormField, Items, Number, OnOff
from gui.panels.train.draft import Draft

SPREAD = {0.0: 10, 50.0: 300, 90.0: 900, 100.0: 2000}


def corpus(make: str = "gsg", name: str = "reports") -> CorpusFacts:
    rows = {"train": 400, "validation": 50}
    return CorpusFacts(Path("corpora").absolute() / name, name, make, rows, 150_000, SPREAD)


@pytest.fixture
def draft() -> Draft:
    draft = Draft(Machine(memory_bytes=8 * 10**9, cores=2))
    draft.choose_corpus(corpus())
    return draft


def preset(name: str) -> Any:
    return next(each for each in BUILT_IN if each.name == name)


def test_what_is_learnt_follows_from_the_corpus_until_the_person_chooses() -> None:
    draft = Draft()
    for make, objective in (("pairs", "summary"), ("text", "language-model"), ("gsg", "gsg")):
        draft.choose_corpus(corpus(make), by_person=False)
        assert draft.objective == objective and not draft.missing
    draft.choose_objective("summary")
    assert draft.missing == "reports has gap sentences; pairs of document and summary are needed."


def test_without_a_corpus_it_cannot_start() -> None:
    assert Draft().missing == "Choose a corpus first."


def test_a_language_model_is_no_encoder_decoder(draft: Draft) -> None:
    draft.choose_preset(preset("pair"))
    assert "source_length" in {field.name for field in draft.form.fields}
    draft.choose_objective("language-model")
    assert draft.preset.fits("language-model")
    assert "length" in {field.name for field in draft.form.fields}


def test_the_preset_of_paper_5_is_a_form_like_every_other() -> None:
    draft = Draft(Machine(memory_bytes=8 * 10**9, cores=2))
    draft.choose_corpus(corpus("pairs"))
    draft.choose_preset(preset("paper-5"))
    names = {field.name for field in draft.form.fields}
    assert {"source_embeddings", "domain_adaptive", "length", "beams"} <= names
    draft.form.put("source_embeddings", "zero")
    plan = draft.plan
    assert plan is not None and isinstance(plan.model, LanguageModelSettings)
    assert (plan.model.source_embeddings, plan.train.domain_adaptive) == ("zero", 0.5)
    assert (plan.train.too_long, plan.train.best_by, plan.decoding.beams) == ("start", "rouge", 3)
    command = train_words(plan, "lm")
    assert command[command.index("--preset") + 1] == "paper-5"
    assert "--source-embeddings" in command and "--domain-adaptive" not in command
    draft.choose_objective("language-model")
    assert draft.plan is not None and draft.plan.train.best_by == "loss"


def test_an_encoder_decoder_to_start_from_learns_no_article(draft: Draft) -> None:
    draft.choose_preset(preset("paper-5"))
    draft.choose_start(Path("runs/first"), preset("pair").plan)
    assert "domain_adaptive" not in {field.name for field in draft.form.fields}
    assert draft.plan is not None and draft.plan.train.domain_adaptive == 0


def test_what_was_typed_stays_when_the_preset_or_the_corpus_changes(draft: Draft) -> None:
    draft.form.put("steps", "77")
    draft.choose_preset(preset("small"))
    draft.choose_corpus(corpus(name="others"))
    assert draft.form.changed == ("steps",)
    plan = draft.plan
    assert plan is not None
    assert plan.train.steps == 77 and plan.model.width == 256  # type: ignore[union-attr]


def test_what_follows_is_the_presets_own_and_no_difference(draft: Draft) -> None:
    assert draft.form.changed == ()
    draft.choose_preset(preset("paper"))
    assert draft.form.changed == ()


def test_a_given_model_hides_its_fields(draft: Draft) -> None:
    origin = replace(preset("quick").plan, model=ReformerSettings(width=64, heads=2))
    draft.choose_start(Path("runs/first"), origin)
    names = {field.name for field in draft.form.fields}
    assert "width" not in names and "length" not in names and "steps" in names
    plan = draft.plan
    assert plan is not None and plan.model == origin.model
    assert plan.run.start_from == str(Path("runs/first"))
    (length,) = draft.given
    assert (length.title, length.words) == ("Length", "4\u202f096 tokens")
    assert length.told == "Of the model. Holds nearly all documents of the corpus."
    draft.choose_start(None, None)
    assert draft.given == ()
    assert "width" in {field.name for field in draft.form.fields}


def test_a_copied_run_keeps_every_setting(draft: Draft) -> None:
    theirs = preset("small").plan
    theirs = replace(theirs, train=theirs.train.model_copy(update={"steps": 5, "batch": 3}))
    draft.take_plan(theirs, corpus())
    plan = draft.plan
    assert plan is not None
    assert (plan.model, plan.train, plan.decoding) == (
        theirs.model, theirs.train, theirs.decoding,
    )  # fmt: skip


def test_a_gpu_suggests_the_large_preset_unless_another_was_chosen() -> None:
    gpu = Machine(gpu="H200", gpu_bytes=10**11)
    draft = Draft()
    draft.take_machine(gpu)
    assert draft.preset.name == "large"
    draft = Draft()
    draft.choose_preset(preset("small"))
    draft.take_machine(gpu)
    assert draft.preset.name == "small"


def test_no_preset_is_suggested_that_does_not_fit_where_a_smaller_one_does() -> None:
    for gb, name in ((100, "large"), (0.5, "small"), (0.01, "quick")):
        draft = Draft()
        draft.choose_corpus(corpus())
        draft.take_machine(Machine(gpu="H200", gpu_bytes=round(gb * 10**9)))
        assert draft.preset.name == name


def test_names_say_what_makes_the_job_and_are_free(draft: Draft) -> None:
    assert draft.suggested_name(()) == "reports-gsg-quick"
    assert draft.suggested_name({"reports-gsg-quick"}) == "reports-gsg-quick-2"


def test_a_draft_is_taken_up_again(draft: Draft) -> None:
    draft.choose_preset(preset("small"))
    draft.form.put("steps", "12")
    draft.form.put("clip", None)
    draft.form.put("freeze", ("a", "b"))
    again = Draft(draft.machine)
    again.take_up(draft.kept(), [corpus()], BUILT_IN)
    assert again.plan == draft.plan
    assert again.form.changed == draft.form.changed


def test_what_was_changed_stays_with_another_kind_of_model(draft: Draft) -> None:
    draft.form.put("steps", "12")
    draft.form.put("batch", "3")
    draft.choose_preset(preset("pair"))
    assert (draft.form.raw("steps"), draft.form.raw("batch")) == ("12", "3")
    draft.choose_preset(preset("quick"))
    draft.choose_start(Path("runs/first"), preset("small").plan)
    assert (draft.form.raw("steps"), draft.form.raw("batch")) == ("12", "3")
    draft.choose_start(None, None)
    assert (draft.form.raw("steps"), draft.form.raw("batch")) == ("12", "3")


def test_the_fields_of_a_model_go_with_its_kind(draft: Draft) -> None:
    draft.form.put("width", "96")
    draft.choose_preset(preset("pair"))
    assert draft.form.changed == ()


def test_a_copied_run_is_taken_up_again_with_every_setting(draft: Draft) -> None:
    theirs = preset("small").plan
    theirs = replace(theirs, train=theirs.train.model_copy(update={"steps": 5, "batch": 3}))
    draft.take_plan(theirs, corpus())
    draft.form.put("clip", None)
    again = Draft(draft.machine)
    again.take_up(draft.kept(), [corpus()], BUILT_IN)
    assert again.plan == draft.plan
    assert again.form.changed == ("clip",)


def test_what_was_changed_is_taken_up_again_once_the_start_is_read(draft: Draft) -> None:
    draft.choose_start(Path("runs/first"), preset("small").plan)
    draft.form.put("steps", "12")
    again = Draft(draft.machine)
    again.take_up(draft.kept(), [corpus()], BUILT_IN)
    again.choose_start(Path("runs/first"), preset("small").plan)
    assert again.plan == draft.plan


def test_several_values_are_kept_and_their_jobs_are_told(draft: Draft) -> None:
    draft.name, draft.several = "grid", "batch=2,8"
    again = Draft(draft.machine)
    again.take_up(draft.kept(), [corpus()], BUILT_IN)
    assert again.several == "batch=2,8" and not again.several_problem
    assert [name for name, _ in draft.jobs] == ["grid-batch-2", "grid-batch-8"]
    options = draft.options(Path("corpora"), Path("runs")) or []
    assert {("--batch", "2"), ("--out", "grid-batch-2")} <= set(options)


def test_what_is_wrong_with_several_values_is_told(draft: Draft) -> None:
    draft.several = "bach=2,8"
    assert draft.several_problem.startswith("“bach” is not a field of this job.")
    assert draft.missing == draft.several_problem
    assert draft.options(Path("corpora"), Path("runs")) is None


def test_several_numbers_in_one_field_are_shown_their_place(draft: Draft) -> None:
    draft.form.put("learning_rate", "0.001, 0.002")
    assert draft.form.problems == {
        "learning_rate": "One value here. Write learning_rate=0.001,0.002 under “Several values”."
    }
    draft.form.put("learning_rate", "a lot")
    assert "Several" not in draft.form.problems["learning_rate"]


def test_damaged_drafts_are_taken_up_as_far_as_they_go() -> None:
    draft = Draft()
    draft.take_up({"objective": "none", "preset": 7, "fields": {"nothing": 1}}, [], BUILT_IN)
    assert draft.objective == "gsg" and draft.form.changed == ()


def test_what_the_machine_cannot_do_is_wrong_in_its_field(draft: Draft) -> None:
    draft.form.put("precision", "fp16")
    assert draft.plan is None and draft.options(Path("corpora"), Path("runs")) is None
    assert draft.form.problems == {
        "precision": "fp16 needs an NVIDIA GPU, which was not found. Choose fp32 or bf16."
    }
    draft.take_machine(Machine(gpu="H200", gpu_bytes=10**11))
    assert draft.plan is not None and draft.plan.train.precision == "fp16"
    draft.form.put("device", "cpu")
    assert draft.form.problems == {
        "precision": "fp16 needs an NVIDIA GPU, but the device is cpu. Choose fp32 or bf16."
    }


def other_raw(draft: Draft, field: FormField) -> Any:
    """Something else that may stand in a field."""
    value = draft.form.value(field.name)
    match field.kind:
        case OnOff():
            return not value
        case Choice(values):
            return next(each for each in values if each != value)
        case Items(Choice(values)):
            return (values[0], values[1]) if value != (values[0], values[1]) else (values[1],)
        case Items():
            return ("inner.model",)
        case Number(whole=whole):
            return _other_number(field, value, whole)
    return "cpu" if value != "cpu" else "auto"


def _other_number(field: FormField, value: Any, whole: bool) -> str:
    if field.name == "heads":
        return "2"
    if field.name in ("buckets", "width"):
        return "128" if value != 128 else "256"
    if field.name == "min_length":
        return "3"
    if field.name == "rouge_rows":
        return "2" if value != 2 else "3"
    if not whole:
        return "0.25" if value != 0.25 else "0.5"
    return str((value or 1) + 1)


ALLOWED_WITH = {
    "checkpointing": {"reversible": False},
    "best_by": {"rouge_rows": "4"},
    "spike": {},
}


@pytest.mark.parametrize("name", ["quick", "pair"])
def test_every_field_that_is_turned_reaches_the_job(draft: Draft, name: str) -> None:
    draft.choose_preset(preset(name))
    draft.choose_objective("summary")
    for field in draft.form.fields:
        draft.form.reset()
        for other, raw in ALLOWED_WITH.get(field.name, {}).items():
            draft.form.put(other, raw)
        before = draft.plan
        assert before is not None, field.name
        raw = "7.5" if field.name == "spike" else other_raw(draft, field)
        draft.form.put(field.name, raw)
        after = draft.plan
        assert after is not None, (field.name, raw, draft.form.problems)
        changed = flat_of(after).model_dump().items() - _hashable(flat_of(before).model_dump())
        assert {each for each, _ in changed} == {field.name}
        made = draft.options(Path("corpora"), Path("runs"))
        assert made is not None, field.name
        options = [option[0] for option in made]
        flag = field.name.replace("_", "-")
        plain = field.name in ("seed",) or f"--{flag}" in options or f"--no-{flag}" in options
        assert plain or f"--{flag}" in _at_default(after, field.name), field.name


def _hashable(values: dict[str, Any]) -> set[tuple[str, Any]]:
    return set(values.items())


def _at_default(plan: Any, name: str) -> set[str]:
    """The option of a field that was turned to its default: it need not be typed."""
    for table in plan.tables().values():
        if name in type(table).model_fields:
            default = type(table).model_fields[name].get_default(call_default_factory=True)
            if getattr(table, name) == default:
                return {f"--{name.replace('_', '-')}"}
    return set()


def test_no_other_corpus_takes_the_place_of_one_that_is_gone(draft: Draft) -> None:
    kept = draft.kept()
    again = Draft()
    again.choose_corpus(corpus(name="others"), by_person=False)
    again.take_up(kept, [corpus(name="others")], BUILT_IN)
    assert again.corpus is None and again.missing_corpus == "reports"
    assert again.missing == "Choose a corpus first."
    again.choose_corpus(corpus(name="others"))
    assert again.missing_corpus == ""
    plan = preset("small").plan
    theirs = replace(plan, run=plan.run.model_copy(update={"corpus": "/elsewhere/patents"}))
    again.take_plan(theirs, None)
    assert again.corpus is None and again.missing_corpus == "patents"
