"""Defaults follow from corpus and machine, are always allowed, and each says why."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from core.data.corpus_facts import CorpusFacts
from core.jobs.call import CallJob
from core.jobs.run import run_inline
from core.jobs.training.job_presets import BUILT_IN
from core.jobs.training.machine_facts import read_machine
from core.models.settings import ModelSettings
from core.profiling.suggestion_reasons import reasons
from core.profiling.training_suggestions import Machine, suggest, tokens_a_word
from core.stop import StopToken
from core.training.settings import Objective, RunSettings
from core.training.training_fields import flat_of, plan_of_flat

SHARES = (0.0, 10.0, 25.0, 50.0, 75.0, 90.0, 99.0, 100.0)


def corpus(longest: int = 4000, documents: int = 1000, summaries: bool = False) -> CorpusFacts:
    lengths = [round(longest * share / 100) for share in SHARES]
    spread = dict(zip(SHARES, lengths, strict=True))
    return CorpusFacts(
        Path("reports"), "reports", "pairs" if summaries else "gsg",
        {"train": documents, "validation": documents // 10},
        documents * longest // 2, spread, {50.0: 60, 75.0: 90, 90.0: 120} if summaries else {},
    )  # fmt: skip


def test_the_length_holds_most_documents_and_no_more() -> None:
    preset = flat_of(next(each.plan for each in BUILT_IN if each.name == "large"))
    made = suggest(preset, "gsg", corpus(4000), Machine())
    words = made.length / tokens_a_word(8192)  # type: ignore[attr-defined]
    assert 3600 <= words < 2 * 1.3 * 3600
    longest = suggest(preset, "gsg", corpus(10**7), Machine())
    assert longest.length == preset.length  # type: ignore[attr-defined]


def test_a_wider_model_learns_more_slowly_and_fine_tuning_too() -> None:
    rates = {
        preset.name: suggest(flat_of(preset.plan), "gsg", corpus(), Machine()).learning_rate  # type: ignore[attr-defined]
        for preset in BUILT_IN
    }
    assert rates["quick"] == 2e-3 and rates["small"] == 1e-3 and rates["large"] == 5e-4
    flat = flat_of(BUILT_IN[0].plan)
    tuned = suggest(flat, "summary", corpus(), Machine(), BUILT_IN[0].plan.model)
    assert tuned.learning_rate == 5e-4  # type: ignore[attr-defined]


@given(
    st.sampled_from(BUILT_IN),
    st.sampled_from(["gsg", "summary"]),
    st.integers(1, 200_000),
    st.integers(1, 500_000),
    st.booleans(),
    st.booleans(),
)
def test_every_suggestion_is_a_plan_and_says_why(
    preset: object, objective: Objective, longest: int, documents: int, gpu: bool, given_model: bool
) -> None:
    from core.jobs.training.job_presets import JobPreset

    assert isinstance(preset, JobPreset)
    facts = corpus(longest, documents, summaries=objective == "summary")
    machine = Machine(gpu="H200" if gpu else "", gpu_bytes=10**11)
    origin = preset.plan.model if given_model else None
    made = suggest(flat_of(preset.plan), objective, facts, machine, origin)
    plan = plan_of_flat(made, RunSettings(corpus="reports"), objective)
    assert plan.train.steps >= 1
    assert plan.train.validate_rows <= max(100, facts.rows["validation"])
    told = reasons(made.model_dump(), objective, facts, machine)
    followed = {
        "steps", "batch", "learning_rate", "validate_every", "warm_up", "precision", "too_long",
        "validate_rows", "rouge_rows",
    }  # fmt: skip
    assert (followed if facts.rows["validation"] else followed - {"validate_rows"}) <= told.keys()
    assert all(sentence.endswith(".") and len(sentence) <= 90 for sentence in told.values())


def test_reasons_follow_what_was_typed() -> None:
    made = suggest(flat_of(BUILT_IN[0].plan), "gsg", corpus(4000), Machine())
    values = made.model_dump() | {"length": 512, "too_long": "skip"}
    told = reasons(values, "gsg", corpus(4000), Machine())
    assert told["length"] == "About 93\u202f% of the documents are longer and are left out."
    assert "2\u202f048" not in told["vocabulary_size"]
    assert told["vocabulary_size"].startswith("A tokenizer of this size is trained")
    told = reasons(values | {"steps": 24, "warm_up": 40}, "gsg", corpus(4000), Machine())
    assert told["learning_rate"] == "Never reached: the warm-up takes 40 steps, the run 24."


def test_rates_say_why_they_are_as_they_are() -> None:
    def told_of(origin: ModelSettings | None, **typed: object) -> dict[str, str]:
        made = suggest(flat_of(BUILT_IN[0].plan), "gsg", corpus(4000), Machine(), origin)
        return reasons(made.model_dump() | typed, "gsg", corpus(4000), Machine(), origin)

    assert told_of(None)["learning_rate"].endswith("It suits this width; wider models need less.")
    tuned = told_of(BUILT_IN[0].plan.model)["learning_rate"]
    assert tuned.endswith("Low, since the weights are trained already.")
    typed = told_of(None, learning_rate=0.5, warm_up=7)
    assert typed["learning_rate"] == "Peak, after 7 steps of warm-up." and "warm_up" not in typed


def with_room(gb: float) -> Machine:
    return Machine(memory_bytes=64 * 10**9, free_bytes=round(gb * 10**9), cores=2)


def test_the_batch_is_halved_until_it_fits_the_free_memory() -> None:
    flat = flat_of(next(each.plan for each in BUILT_IN if each.name == "small"))
    usual = suggest(flat, "gsg", corpus(100), with_room(60))
    assert usual.batch == 8  # type: ignore[attr-defined]
    told = reasons(usual.model_dump(), "gsg", corpus(100), with_room(60))["batch"]
    assert told.endswith("a step: enough for a processor.")
    tight = suggest(flat, "gsg", corpus(100), with_room(0.6))
    assert tight.batch == 2  # type: ignore[attr-defined]
    told = reasons(tight.model_dump(), "gsg", corpus(100), with_room(0.6))["batch"]
    assert told.endswith("a step: twice as many rows do not fit the free memory.")
    none = suggest(flat, "gsg", corpus(100), with_room(0.1))
    assert none.batch == 1  # type: ignore[attr-defined]
    assert tight.steps > usual.steps  # type: ignore[attr-defined]


def test_of_a_gpu_all_memory_may_be_taken() -> None:
    flat = flat_of(next(each.plan for each in BUILT_IN if each.name == "large"))
    for gb, batch in ((80, 4), (1.4, 2), (0.5, 1)):
        gpu = Machine(free_bytes=10**6, gpu="H100", gpu_bytes=round(gb * 10**9))
        assert suggest(flat, "gsg", corpus(4000), gpu).batch == batch  # type: ignore[attr-defined]


def test_the_machine_is_looked_at(tmp_path: Path) -> None:
    (last,) = run_inline(CallJob(read_machine, tmp_path / "runs"), StopToken())
    machine = last.result  # type: ignore[attr-defined]
    assert machine.memory_bytes > machine.free_bytes > 0
    assert machine.cores >= 1 and machine.disk_free_bytes > 0
