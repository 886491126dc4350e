"""Whole runs, tiny: they learn, they end as they should, and they go on to the bit."""

import errno
import json
import math
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

import core.runs.events_file
import core.runs.folder
import core.storage.files
from core.data.tokenizer import Tokenizer
from core.errors import FULL, EpitomeError
from core.events import Failed, Finished, Message, Progress, Started, Stopped
from core.jobs.run import run_inline
from core.jobs.training.train import TrainJob
from core.models.parts.products import best_products
from core.runs.control import request
from core.runs.events_file import read_events
from core.runs.folder import RunFolder
from core.stop import StopToken
from core.storage import atomic_files
from core.storage.files import folder_size
from core.storage.regular_files import open_regular
from core.storage.temporary_names import open_temporary
from core.system.machine import SLOW_BF16, bf16_units
from core.training import assembly, divergence, loop
from core.training.events import (
    CheckpointSaved,
    SampleWritten,
    StepDone,
    StepSkipped,
    ValidationDone,
)
from core.training.loop import Trained
from core.training.plan import RunPlan
from core.training.settings import TrainSettings
from core.training.step import TrainingStep
from tests.helpers.killing import KILLED_STATUS
from tests.helpers.runs import curve, fresh_corpus, run_events, stopped_run, tiny_corpus, tiny_plan

ROOT = Path(__file__).parents[4]
DYING = ROOT / "tests" / "helpers" / "dying_command.py"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_corpus(tmp_path_factory.mktemp("corpora") / "tiny")


@pytest.fixture(scope="module")
def whole(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing interrupted."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    events = run_events(folder, tiny_plan(corpus))
    assert isinstance(events[-1], Finished), events[-1]
    return folder


def kinds(folder: Path) -> list[str]:
    return [recorded.kind for recorded in read_events(folder / "events.jsonl")]


def weights(folder: Path) -> bytes:
    last = json.loads((folder / "last.json").read_text("utf-8"))["checkpoint"]
    return (folder / "checkpoints" / last / "model.safetensors").read_bytes()


def unfinished(whole: Path, folder: Path) -> Path:
    """A copy of a run as it was after its first checkpoint."""
    shutil.copytree(whole, folder)
    shutil.rmtree(folder / "checkpoints" / "step-00000012")
    return folder


def test_a_model_too_short_for_any_summary_is_refused_by_its_setting(
    corpus: Path, tmp_path: Path
) -> None:
    plan = tiny_plan(corpus)
    short = replace(plan, model=plan.model.model_copy(update={"length": 4}))
    *_, last = run_events(tmp_path / "run", short)
    assert isinstance(last, Failed)
    assert last.message.startswith("Every summary is longer than “length” (4 tokens) allows: the")


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_a_run_in_bf16_warns_on_a_processor_without_units_for_it(
    precision: str, corpus: Path, tmp_path: Path
) -> None:
    events = run_events(tmp_path / "run", tiny_plan(corpus, precision=precision, steps=1))
    assert isinstance(events[-1], Finished), events[-1]
    warned = Message("warning", SLOW_BF16) in events
    assert warned is (precision == "bf16" and bf16_units() is False)


def test_the_share_that_is_shown_counts_steps_also_during_a_validation(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core.runs.folder, "_PROGRESS_S", 0.0)
    folder, shown = RunFolder(tmp_path / "run"), []
    plan = tiny_plan(corpus, steps=4, validate_every=2)
    for event in run_inline(TrainJob(folder.path, plan), StopToken()):
        if isinstance(event, Progress) and event.unit == "rows":
            told = json.loads(folder.progress_file.read_text("utf-8"))
            shown.append((told["done"], told["total"], told["unit"], told["what"]))
    assert (2, 4, "steps", "Validating") in shown and (4, 4, "steps", "Writing summaries") in shown
    assert {unit for _, _, unit, _ in shown} == {"steps"}


def test_what_comes_before_the_first_step_is_no_share_of_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core.runs.folder, "_PROGRESS_S", 0.0)
    corpus = fresh_corpus(tmp_path / "fresh")
    folder, shown = RunFolder(tmp_path / "run"), []
    for event in run_inline(TrainJob(folder.path, tiny_plan(corpus, steps=2)), StopToken()):
        if isinstance(event, Progress):
            told = json.loads(folder.progress_file.read_text("utf-8"))
            shown.append((told["unit"] == "steps", told["total"], bool(told["what"])))
    assert (False, 0, True) in shown, "reading and tokenising are told, without a percent"
    assert {total for is_steps, total, _ in shown if not is_steps} == {0}
    assert shown[-1] == (True, 2, True)


def test_a_run_learns_and_leaves_all_that_is_promised(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    events = run_events(folder, tiny_plan(corpus, steps=60, validate_every=30))
    steps = [event for event in events if isinstance(event, StepDone)]
    validations = [event for event in events if isinstance(event, ValidationDone)]
    assert [step.step for step in steps] == list(range(1, 61))
    assert steps[-1].loss < steps[0].loss - 1
    assert [found.step for found in validations] == [30, 60]
    assert validations[-1].rouge.keys() == {"1", "2", "L"}
    assert isinstance(events[-1], Finished)
    assert events[-1].result == Trained(60, validations[-1].loss, early=False)
    names = {path.name for path in folder.iterdir()}
    assert names >= {
        "job.toml", "environment.json", "events.jsonl", "tokenizer", "checkpoints", "best.json",
        "last.json", "samples.jsonl", "process.json",
    }  # fmt: skip
    assert len((folder / "samples.jsonl").read_text("utf-8").splitlines()) == 4
    assert RunPlan.load(RunFolder(folder)).train.threads == 1


def test_a_checkpoint_is_made_before_each_validation(whole: Path) -> None:
    told = [kind for kind in kinds(whole) if kind in ("CheckpointSaved", "ValidationDone")]
    assert told == ["CheckpointSaved", "ValidationDone"] * 2


@pytest.mark.parametrize("wish", ["stop", "pause"])
def test_a_stopped_run_goes_on_to_the_bit(
    corpus: Path, whole: Path, tmp_path: Path, wish: str
) -> None:
    folder, stop = tmp_path / "run", StopToken()
    plan = tiny_plan(corpus)

    class AtStepFour(StopToken):
        @property
        def wish(self):  # type: ignore[no-untyped-def]
            return wish if (folder / "events.jsonl").read_bytes().count(b"StepDone") == 4 else ""

    events = run_events(folder, plan, AtStepFour())
    assert events[-1] == Stopped(wish)
    assert isinstance(events[-2], CheckpointSaved)
    run_events(folder, None, stop)
    assert curve(folder) == curve(whole)
    assert weights(folder) == weights(whole)


def test_a_request_from_outside_stops_the_run(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    events = []
    for event in run_inline(TrainJob(folder, tiny_plan(corpus)), StopToken()):
        events.append(event)
        if isinstance(event, StepDone) and event.step == 2:
            request(folder / "control.jsonl", "pause")
    assert events[-1] == Stopped("pause")
    assert max(event.step for event in events if isinstance(event, StepDone)) == 2


@pytest.mark.parametrize("what", ["Validating", "Writing summaries"])
@pytest.mark.parametrize("step", [6, 12])
def test_a_run_stopped_inside_a_validation_goes_on_to_the_bit(
    corpus: Path, whole: Path, tmp_path: Path, what: str, step: int
) -> None:
    folder, made = tmp_path / "run", []
    for event in run_inline(TrainJob(folder, tiny_plan(corpus)), StopToken()):
        made.append(event)
        if isinstance(event, Progress) and event.what == what and _steps(folder) == step:
            request(folder / "control.jsonl", "pause")
    assert made[-1] == Stopped("pause")
    validated = [event.step for event in made if isinstance(event, ValidationDone)]
    assert validated == list(range(6, step, 6))
    run_events(folder)
    assert curve(folder) == curve(whole)
    assert weights(folder) == weights(whole)


@pytest.mark.parametrize("when", ["training", "validating"])
def test_a_run_whose_folder_is_moved_away_fails_and_goes_on_when_it_is_back(
    corpus: Path, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    monkeypatch.setattr(core.runs.folder, "_HEARTBEAT_S", 0.0)
    monkeypatch.setattr(core.runs.folder, "_PROGRESS_S", 0.0)
    folder, moved = tmp_path / "run", tmp_path / "moved"
    events = []
    for event in run_inline(TrainJob(folder, tiny_plan(corpus)), StopToken()):
        events.append(event)
        is_due = isinstance(event, Progress) and event.what.lower() == when
        if is_due and _steps(folder) in (4, 6) and not moved.exists():
            folder.rename(moved)
    last = events[-1]
    assert isinstance(last, Failed), last
    assert (last.message, last.remedy) == (
        f"The folder {folder} is gone.",
        "Move it back, and resume.",
    )
    assert not folder.exists()
    moved.rename(folder)
    assert isinstance(run_events(folder)[-1], Finished)
    assert weights(folder) == weights(whole)


def test_a_validation_tells_how_far_it_is(corpus: Path, tmp_path: Path) -> None:
    plan = tiny_plan(corpus, steps=1, batch=2)
    told = [event for event in run_events(tmp_path / "run", plan) if isinstance(event, Progress)]
    validating = [(each.done, each.total) for each in told if each.what == "Validating"]
    assert validating == [(2, 4), (4, 4)]
    assert [(each.done, each.total) for each in told if each.what == "Writing summaries"] == [
        (2, 2)
    ]


@pytest.mark.slow
@pytest.mark.usefixtures("products_of_processes")
def test_a_run_killed_at_any_moment_goes_on_to_the_bit(corpus: Path, tmp_path: Path) -> None:
    plan = tiny_plan(corpus, steps=10, checkpoint_every=2)
    whole, folder = tmp_path / "whole", tmp_path / "killed"
    run_events(whole, plan)
    job = tmp_path / "job.toml"
    job.write_text(plan.to_toml(), "utf-8")
    drawn = random.Random(1)
    checkpoint = str(folder / "checkpoints" / ".step-")
    kills = [
        (str(folder), drawn.randrange(20, 120)),
        (checkpoint, drawn.randrange(2, 12)),
        (str(folder), drawn.randrange(20, 120)),
    ]
    for part, touches in kills:
        print(f"killed at touch {touches} of {part}")
        first = not (folder / "job.toml").exists()
        how = ("--config", str(job), "--out", str(folder)) if first else ("--resume", str(folder))
        words = map(str, (DYING, part, touches, "train", "--quiet", *how))
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        done = subprocess.run([sys.executable, *words], cwd=ROOT, env=environment)
        assert done.returncode == KILLED_STATUS
    run_events(folder)
    assert curve(folder) == curve(whole)
    assert weights(folder) == weights(whole)


def _steps(folder: Path) -> int:
    return max((r.values["step"] for r in read_events(folder / "events.jsonl")
                if r.kind == "StepDone"), default=0)  # fmt: skip


def test_another_run_s_weights_are_taken_over(corpus: Path, whole: Path, tmp_path: Path) -> None:
    plan = tiny_plan(corpus, steps=1, learning_rate=1e-9)
    run = plan.run.model_copy(update={"start_from": str(whole), "tokenizer": ""})
    folder = tmp_path / "run"
    events = run_events(folder, RunPlan(run, plan.model, plan.train, plan.decoding))
    told = [event.text for event in events if isinstance(event, Message)]
    assert f"Starting with the weights of {whole}, step 12." in told
    found = next(event for event in events if isinstance(event, ValidationDone))
    last = [r.values for r in read_events(whole / "events.jsonl") if r.kind == "ValidationDone"][-1]
    assert found.loss == pytest.approx(last["loss"], abs=1e-4)


def test_a_run_ends_when_nothing_becomes_better_also_after_a_stop(
    corpus: Path, tmp_path: Path
) -> None:
    # The steps are too small to change a weight.
    plan = tiny_plan(
        corpus, steps=50, validate_every=1, patience=4, learning_rate=1e-12, warm_up=0,
        rouge_rows=0,
    )  # fmt: skip
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    events = run_events(whole, plan)
    assert isinstance(events[-1], Finished)
    assert events[-1].result.early
    assert 4 <= events[-1].result.step < 50
    for event in run_inline(TrainJob(stopped, plan), StopToken()):
        if isinstance(event, StepDone) and event.step == events[-1].result.step - 1:
            request(stopped / "control.jsonl", "stop")
    assert run_events(stopped)[-1] == events[-1]
    assert curve(stopped) == curve(whole)


def test_a_run_that_is_finished_says_so_and_does_nothing_twice(whole: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(whole, tmp_path / "run")
    shutil.rmtree(folder / "checkpoints" / "step-00000006")  # nothing but the last is needed
    *events, last = run_events(folder)
    trained = read_events(whole / "events.jsonl")[-1].values["result"]
    assert last == Finished(Trained(**trained))
    assert events[1:] == [
        Message(
            "info",
            "This run is finished (12 steps). To train further, start a new run with "
            f"--from {folder}.",
        )
    ]
    for name in ("events.jsonl", "samples.jsonl", "environment.json"):
        assert (folder / name).read_bytes() == (whole / name).read_bytes()


def test_steps_whose_numbers_are_none_are_skipped_and_end_the_run(
    corpus: Path, tmp_path: Path
) -> None:
    # So high a rate that the first step already ruins the weights.
    plan = tiny_plan(corpus, learning_rate=1e30, warm_up=0, clip=None, most_skipped=3, rouge_rows=0)
    events = run_events(tmp_path / "run", plan)
    skipped = [event for event in events if isinstance(event, StepSkipped)]
    assert [event.reason for event in skipped] == ["its loss or its gradient is not finite"] * 2
    assert isinstance(events[-1], Failed)
    assert events[-1].message == (
        "3 consecutive steps were skipped, the last because its loss or its gradient is not finite."
    )
    assert events[-1].remedy == (
        "Start a new run with a lower learning rate, such as 0.001, or a longer warm-up."
    )


@pytest.mark.parametrize("every", [1, 3, 7])
def test_a_run_that_diverges_leaves_a_checkpoint_from_which_another_can_begin(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: int
) -> None:
    rate = loop.learning_rate

    def too_high(step: int, settings: TrainSettings) -> float:
        return 1e30 if step == 14 else rate(step, settings)

    monkeypatch.setattr(loop, "learning_rate", too_high)
    folder = tmp_path / "run"
    plan = tiny_plan(
        corpus, steps=40, validate_every=20, checkpoint_every=every, keep=1, rouge_rows=0,
        most_skipped=4,
    )  # fmt: skip
    events = run_events(folder, plan)
    saved = [event.step for event in events if isinstance(event, CheckpointSaved)]
    assert max(saved) <= 14
    last = events[-1]
    assert isinstance(last, Failed)
    good = max(step for step in saved if step < 14)
    assert last.remedy == (
        f"Start a new run with --from {folder}, which takes the weights of step {good}, and a "
        "lower learning rate, such as 0.001."
    )
    monkeypatch.undo()
    run = plan.run.model_copy(update={"start_from": str(folder), "tokenizer": ""})
    train = plan.train.model_copy(update={"learning_rate": 0.001, "steps": 5})
    again = run_events(tmp_path / "again", RunPlan(run, plan.model, train, plan.decoding))
    assert isinstance(again[-1], Finished)
    assert all(event.loss < 6 for event in again if isinstance(event, StepDone))


def test_what_is_due_while_a_step_is_skipped_is_done_after_the_next(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(divergence, "_TRUSTED_STEPS", 3)
    norm = TrainingStep.gradient_norm

    def long_at_six(step: TrainingStep) -> torch.Tensor:
        found = norm(step)
        counted.append(1)
        return found * 1000 if len(counted) == 6 else found

    counted: list[int] = []
    monkeypatch.setattr(TrainingStep, "gradient_norm", long_at_six)
    events = run_events(tmp_path / "run", tiny_plan(corpus))
    assert [event.step for event in events if isinstance(event, StepSkipped)] == [6]
    assert [event.step for event in events if isinstance(event, CheckpointSaved)] == [7, 12]
    assert [event.step for event in events if isinstance(event, ValidationDone)] == [7, 12]


def test_a_run_that_ends_while_steps_are_skipped_says_what_is_not_kept(
    corpus: Path, tmp_path: Path
) -> None:
    plan = tiny_plan(corpus, steps=3, learning_rate=1e30, warm_up=0, clip=None, checkpoint_every=1)
    events = run_events(tmp_path / "run", plan)
    assert [event.step for event in events if isinstance(event, CheckpointSaved)] == [1]
    told = [event.text for event in events if isinstance(event, Message)]
    assert told[-1] == (
        "No checkpoint of step 3 is written, because the last 2 steps had to be skipped."
    )
    assert isinstance(events[-1], Finished)


@pytest.mark.parametrize("rate", [1e30, 30.0])
def test_ruined_weights_are_never_the_best(corpus: Path, tmp_path: Path, rate: float) -> None:
    plan = tiny_plan(
        corpus, steps=6, learning_rate=rate, warm_up=0, clip=None, validate_every=1, rouge_rows=0
    )
    folder = tmp_path / "run"
    events = run_events(folder, plan)
    validations = [event for event in events if isinstance(event, ValidationDone)]
    assert validations and not any(found.best for found in validations)
    assert not (folder / "best.json").exists()
    assert any("the run diverges" in event.text for event in events if isinstance(event, Message))


@pytest.mark.parametrize(("steps", "validations"), [(40, 3), (10, 1)])
def test_a_run_that_diverges_before_its_first_validation_fails_and_names_the_way_back(
    corpus: Path, tmp_path: Path, steps: int, validations: int
) -> None:
    plan = tiny_plan(
        corpus, steps=steps, learning_rate=2.0, warm_up=0, validate_every=10, rouge_rows=0,
        spike=1e9,
    )  # fmt: skip
    events = run_events(tmp_path / "run", plan)
    assert sum(isinstance(event, ValidationDone) for event in events) == validations
    last = events[-1]
    assert isinstance(last, Failed) and not last.details
    assert last.message.startswith("The run has diverged: ")
    assert last.remedy == (
        "Start a new run with a lower learning rate, such as 0.001, or a longer warm-up."
    )


def test_weights_that_are_not_finite_are_not_written(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "learning_rate", lambda step, settings: float("inf"))
    events = run_events(tmp_path / "run", tiny_plan(corpus, steps=2, checkpoint_every=1))
    told = [event.text for event in events if isinstance(event, Message)]
    assert "No checkpoint of step 1 is written: its weights are not finite." in told
    assert not (tmp_path / "run" / "checkpoints").exists()


@pytest.mark.parametrize("tied", [True, False])
def test_a_new_model_begins_with_the_frequencies_of_tokens(
    corpus: Path, tmp_path: Path, tied: bool
) -> None:
    plan = tiny_plan(corpus, steps=1, rouge_rows=0)
    model = plan.model.model_copy(update={"tied_embeddings": tied})
    events = run_events(tmp_path / "run", RunPlan(plan.run, model, plan.train, plan.decoding))
    first = next(event for event in events if isinstance(event, StepDone))
    assert first.loss < math.log(plan.model.vocabulary_size) - 1


def test_a_step_whose_gradient_is_unusually_long_is_skipped(corpus: Path, tmp_path: Path) -> None:
    # Next to nothing is learnt, so the gradients' length goes up and down.
    plan = tiny_plan(
        corpus, steps=32, spike=1.01, learning_rate=1e-9, most_skipped=32, validate_rows=1,
        rouge_rows=0, batch=4,
    )  # fmt: skip
    events = run_events(tmp_path / "run", plan)
    skipped = [event for event in events if isinstance(event, StepSkipped)]
    assert skipped
    assert all(event.step > 20 for event in skipped)
    assert all(event.reason.endswith(" times the average") for event in skipped)
    made = [event.step for event in events if isinstance(event, StepDone)]
    assert sorted(made + [event.step for event in skipped]) == list(range(1, 33))


def test_a_precision_that_the_device_lacks_is_refused_before_the_corpus_is_read(
    corpus: Path, whole: Path, tmp_path: Path
) -> None:
    begun = [Started("Training")]
    refused = "The precision fp16 works on the device cuda only; the device was cpu."
    new = tmp_path / "new"
    *before, last = run_events(new, tiny_plan(corpus, precision="fp16"))
    assert isinstance(last, Failed) and last.message == refused
    assert before == begun and not new.exists()
    old = tmp_path / "old"
    old.mkdir()
    shutil.copytree(whole / "tokenizer", old / "tokenizer")
    tiny_plan(corpus, precision="fp16").save(RunFolder(old))  # it was begun on another machine
    *before, last = run_events(old)
    assert isinstance(last, Failed) and last.message == refused
    assert not any(isinstance(event, Progress) for event in before)
    assert not any("Read" in event.text for event in before if isinstance(event, Message))


def test_more_checkpoints_than_the_disk_holds_are_refused_at_once(
    corpus: Path, tmp_path: Path
) -> None:
    last = run_events(tmp_path / "run", tiny_plan(corpus, keep=10**9))[-1]
    assert isinstance(last, Failed)
    assert last.message.startswith("The checkpoints of this run need ")
    assert last.remedy == (
        "Free some space on the disk, keep fewer checkpoints, or choose another place."
    )


def _disk(monkeypatch: pytest.MonkeyPatch, run: Path, mib: float) -> None:
    """Makes the disk as large as that, with nothing on it but the run's checkpoints."""

    def usage(path: Path) -> Any:
        return SimpleNamespace(free=int(mib * 2**20) - folder_size(run / "checkpoints"))

    monkeypatch.setattr(assembly, "shutil", SimpleNamespace(disk_usage=usage))


def _checkpoint_mib(run: Path) -> float:
    return folder_size(run / "checkpoints" / "step-00000006") / 2**20


@pytest.mark.parametrize(
    "train", [{"optimizer": "adafactor"}, {"freeze": ("embedding",)}, {}], ids=str
)
def test_no_more_room_is_asked_for_than_the_checkpoints_take(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, train: dict[str, Any]
) -> None:
    plan = tiny_plan(corpus, steps=6, keep=3, rouge_rows=0, **train)
    run_events(tmp_path / "first", plan)
    folder = tmp_path / "run"
    _disk(monkeypatch, folder, 5 * _checkpoint_mib(tmp_path / "first"))
    assert isinstance(run_events(folder, plan)[-1], Finished)


def test_a_run_that_fits_on_the_disk_can_be_resumed(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = tiny_plan(corpus, steps=24, keep=2, rouge_rows=0)
    folder = tmp_path / "run"
    stopped_run(folder, plan, "pause", after=14)
    _disk(monkeypatch, folder, 5 * _checkpoint_mib(folder))
    assert isinstance(run_events(folder)[-1], Finished)


def test_a_run_that_goes_on_is_told_how_much_more_room_it_needs(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    stopped_run(folder, tiny_plan(corpus, steps=24, keep=2, rouge_rows=0), "pause", after=14)
    _disk(monkeypatch, folder, 3.5 * _checkpoint_mib(folder))
    last = run_events(folder)[-1]
    assert isinstance(last, Failed) and "MiB more, but only" in last.message


def test_another_tokenizer_than_the_run_s_is_refused(
    corpus: Path, whole: Path, tmp_path: Path
) -> None:
    Tokenizer.train(["quite another text " * 50], 330).save(tmp_path / "other")
    plan = tiny_plan(corpus)
    changes = {"start_from": str(whole), "tokenizer": str(tmp_path / "other")}
    run = plan.run.model_copy(update=changes)
    plan = RunPlan(run, plan.model, plan.train, plan.decoding)
    assert run_events(tmp_path / "run", plan)[-1] == Failed(
        f"The tokenizer {tmp_path / 'other'} is not the one that {whole} was trained with.",
        "Leave out --tokenizer.",
    )


def test_what_the_bits_depend_on_is_told_when_it_has_changed(whole: Path, tmp_path: Path) -> None:
    folder = unfinished(whole, tmp_path / "run")
    about = json.loads((folder / "environment.json").read_text("utf-8"))
    (folder / "environment.json").write_text(
        json.dumps(about | {"torch": "1.0", "threads": 9}), "utf-8"
    )
    told = [event.text for event in run_events(folder) if isinstance(event, Message)]
    assert told[0] == (
        f"The run is resumed, but not bit-exactly: torch 1.0 → {about['torch']}, threads 9 → 1."
    )


@pytest.mark.skipif(best_products() != "onednn", reason="needs a processor with AVX-512")
@pytest.mark.parametrize("is_recorded", [True, False])  # programs before recorded none
@pytest.mark.usefixtures("products_of_processes")
def test_a_run_keeps_the_products_it_began_with(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_recorded: bool
) -> None:
    plan = tiny_plan(corpus, steps=4, rouge_rows=0, samples=0)
    with monkeypatch.context() as before:
        before.setattr("core.models.parts.products.best_products", lambda: "blas")
        run_events(tmp_path / "whole", plan)
        stopped_run(tmp_path / "half", plan, "stop", after=2)
    about = json.loads((tmp_path / "half" / "environment.json").read_text("utf-8"))
    assert about["products"] == "blas"
    if not is_recorded:
        del about["products"], about["arithmetic"]
        (tmp_path / "half" / "environment.json").write_text(json.dumps(about), "utf-8")
    told = [event.text for event in run_events(tmp_path / "half") if isinstance(event, Message)]
    warning = "The run is resumed, but not bit-exactly: arithmetic 1 → 2."
    assert any("bit-exactly" in text for text in told) == (warning in told) == (not is_recorded)
    assert weights(tmp_path / "half") == weights(tmp_path / "whole")
    run_events(tmp_path / "new", plan)
    assert weights(tmp_path / "new") != weights(tmp_path / "whole")


def test_a_damaged_checkpoint_is_told_and_the_one_before_used(
    corpus: Path, whole: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(whole, folder)
    newest = max((folder / "checkpoints").glob("step-*"))
    data = (newest / "optimizer.safetensors").read_bytes()
    (newest / "optimizer.safetensors").write_bytes(data[:-100])
    events = run_events(folder)
    told = [event.text for event in events if isinstance(event, Message)]
    assert (
        "The checkpoint step-00000012 is damaged and was skipped. It is kept as "
        "damaged-step-00000012." in told
    )
    assert "Resuming after step 6." in told
    assert curve(folder) == curve(whole)
    assert weights(folder) == weights(whole)


def test_two_damaged_checkpoints_do_not_cost_those_that_are_made_anew(
    corpus: Path, whole: Path, tmp_path: Path
) -> None:
    folder, stop = tmp_path / "run", StopToken()
    shutil.copytree(whole, folder)
    for checkpoint in (folder / "checkpoints").iterdir():
        (checkpoint / "model.safetensors").write_bytes(b"cut")
    told = []
    for event in run_inline(TrainJob(folder), stop):
        told += [event.text] if isinstance(event, Message) and event.level == "warning" else []
        if isinstance(event, StepDone) and event.step == 3:
            stop.request("stop")
    assert told == [
        "The checkpoint step-00000012 is damaged and was skipped. It is kept as "
        "damaged-step-00000012.",
        "The checkpoint step-00000006 is damaged and was skipped.",
    ]
    assert [path.name for path in (folder / "checkpoints").glob("damaged-*")] == [
        "damaged-step-00000012"
    ]
    last = json.loads((folder / "last.json").read_text("utf-8"))
    assert last["step"] == 3
    run_events(folder)
    assert curve(folder) == curve(whole)
    assert weights(folder) == weights(whole)


def test_a_run_whose_file_was_changed_does_not_go_on_in_silence(
    whole: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(whole, tmp_path / "run")
    job = (folder / "job.toml").read_text("utf-8")
    changed = job.replace("batch = 8\n", "batch = 4\n").replace("clip = 1.0\n", 'clip = "none"\n')
    (folder / "job.toml").write_text(changed.replace("keep = 2\n", "keep = 5\n"), "utf-8")
    assert run_events(folder)[-1] == Failed(
        f"{folder}/job.toml was changed after the run started: train.batch 8 → 4, "
        "train.clip 1.0 → none.",
        "Undo the change, or start a new run with the changed file: epitome train --config "
        f"{folder}/job.toml --from {folder} --out NEW.",
    )
    (folder / "job.toml").write_text(job.replace("keep = 2\n", "keep = 5\n"), "utf-8")
    assert isinstance(run_events(folder)[-1], Finished)


def test_a_run_begun_with_another_s_weights_has_them_also_without_a_checkpoint(
    corpus: Path, whole: Path, tmp_path: Path
) -> None:
    plan = tiny_plan(corpus, steps=4)
    run = plan.run.model_copy(update={"start_from": str(whole), "tokenizer": ""})
    plan = RunPlan(run, plan.model, plan.train, plan.decoding)
    run_events(tmp_path / "one", plan)
    stop = StopToken()
    for event in run_inline(TrainJob(tmp_path / "two", plan), stop):
        if isinstance(event, StepDone):
            stop.request("cancel")
    assert not (tmp_path / "two" / "checkpoints").exists()
    run_events(tmp_path / "two")
    assert curve(tmp_path / "two") == curve(tmp_path / "one")


def test_a_failed_validation_does_not_end_the_run(corpus: Path, tmp_path: Path) -> None:
    plan = tiny_plan(corpus)
    model = plan.model.model_copy(update={"attention": ("lsh-chunk",)})  # which cannot be cached
    events = run_events(tmp_path / "run", RunPlan(plan.run, model, plan.train, plan.decoding))
    told = [event.text for event in events if isinstance(event, Message)]
    failed = [text for text in told if text.startswith("The validation after step 6 failed: ")]
    assert failed and failed[0].endswith("The run goes on.")
    assert isinstance(events[-1], Finished)


def test_a_full_disk_is_waited_for_and_loses_nothing(
    corpus: Path, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused, save = [], loop.save_checkpoint

    def full_at_first(*arguments):  # type: ignore[no-untyped-def]
        if len(refused) < 2:
            refused.append(1)
            raise EpitomeError("The checkpoint cannot be written (No space left).", "Free.", FULL)
        return save(*arguments)

    monkeypatch.setattr(loop, "save_checkpoint", full_at_first)
    monkeypatch.setattr(loop, "_LOOK_AGAIN_S", 0.0)
    events = run_events(tmp_path / "run", tiny_plan(corpus))
    told = [event.text for event in events if isinstance(event, Message)]
    waits = "The checkpoint cannot be written (No space left). Training waits until there is space."
    assert told.count(waits) == 1
    assert curve(tmp_path / "run") == curve(whole)


@pytest.mark.parametrize("full", ["best.json", "last.json", "samples.jsonl", "events.jsonl"])
def test_whatever_finds_the_disk_full_is_written_once_when_there_is_room(
    corpus: Path, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: str
) -> None:
    refused: list[str] = []

    def full_at_times(original: Callable[..., Any], path: Path, *mode: str, **named: Any) -> Any:
        is_it = path.name.startswith(full) and "r" not in (mode or ("r",))[0]
        if is_it and len(refused) % 3 < 2:
            refused.append(path.name)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        refused.extend([full] * is_it)
        return original(path, *mode, **named)

    def fill_the_disk() -> None:
        open_path = Path.open
        monkeypatch.setattr(Path, "open", lambda path, *mode, **named: full_at_times(
            open_path, path, *mode, **named))  # fmt: skip
        for module in (core.storage.files, core.runs.events_file):
            monkeypatch.setattr(module, "open_regular", partial(full_at_times, open_regular))
        monkeypatch.setattr(atomic_files, "open_temporary", lambda path, permissions: full_at_times(
            lambda place, mode: open_temporary(place, permissions), path, "wb"))  # fmt: skip

    monkeypatch.setattr(loop, "_LOOK_AGAIN_S", 0.0)
    folder = tmp_path / "run"
    events = []
    for event in run_inline(TrainJob(folder, tiny_plan(corpus)), StopToken()):
        events.append(event)
        if isinstance(event, StepDone) and event.step == 1:
            fill_the_disk()
    monkeypatch.undo()
    assert isinstance(events[-1], Finished), events[-1]
    assert len(refused) >= 3
    assert curve(folder) == curve(whole)
    assert (folder / "samples.jsonl").read_bytes() == (whole / "samples.jsonl").read_bytes()
    written = [each for each in kinds(folder) if each != "Message"]
    assert written == [each for each in kinds(whole) if each != "Message"]


def test_parts_of_a_step_are_the_whole_step(corpus: Path, whole: Path, tmp_path: Path) -> None:
    run_events(tmp_path / "run", tiny_plan(corpus, accumulate=3))
    pairs = zip(losses(tmp_path / "run"), losses(whole), strict=True)
    assert all(ours == pytest.approx(theirs, rel=2e-4) for ours, theirs in pairs)


def losses(folder: Path) -> list[float]:
    events = read_events(folder / "events.jsonl")
    return [each.values["loss"] for each in events if each.kind == "StepDone"]


@pytest.mark.parametrize(
    ("changes", "message", "remedy"),
    [
        (
            {"corpus": ""},
            "A run needs a corpus.",
            "Prepare one with epitome corpus, and name it with --corpus.",
        ),
    ],
)
def test_what_is_missing_is_told_and_leaves_no_run(
    corpus: Path, tmp_path: Path, changes: dict[str, str], message: str, remedy: str
) -> None:
    plan, folder = tiny_plan(corpus), tmp_path / "run"
    run = plan.run.model_copy(update=changes)
    events = run_events(folder, RunPlan(run, plan.model, plan.train, plan.decoding))
    assert events[-1] == Failed(message, remedy)
    assert isinstance(run_events(folder, plan)[-1], Finished)


def test_a_run_without_a_tokenizer_trains_that_of_its_corpus_once(
    corpus: Path, tmp_path: Path
) -> None:
    plan = tiny_plan(corpus, steps=2)
    plan = replace(plan, run=plan.run.model_copy(update={"tokenizer": ""}))
    told = [e.text for e in run_events(tmp_path / "one", plan) if isinstance(e, Message)]
    assert any("uses the tokenizer of the corpus" in text for text in told)
    kept = corpus / "tokenizer-400"
    first = Tokenizer.load(kept)
    assert Tokenizer.load(tmp_path / "one" / "tokenizer").fingerprint == first.fingerprint
    made_ns = (kept / "tokenizer.json").stat().st_mtime_ns
    assert isinstance(run_events(tmp_path / "two", plan)[-1], Finished)
    assert (kept / "tokenizer.json").stat().st_mtime_ns == made_ns
    assert not list(corpus.glob("*.preparing*"))


def test_a_run_is_never_begun_over_another(corpus: Path, whole: Path) -> None:
    events = run_events(whole, tiny_plan(corpus))
    assert events == [
        Failed(
            f"There is a run in {whole} already.",
            "Resume it with --resume, or choose another --out.",
        )
    ]


def test_a_run_does_not_go_on_with_another_corpus(
    corpus: Path, whole: Path, tmp_path: Path
) -> None:
    folder, other = tmp_path / "run", tmp_path / "other"
    unfinished(whole, folder)
    shutil.copytree(corpus, other)
    card = (other / "corpus.toml").read_text("utf-8").replace("tiny-pairs", "another")
    (other / "corpus.toml").write_text(card, "utf-8")
    job = (folder / "job.toml").read_text("utf-8").replace(str(corpus), str(other), 1)
    (folder / "job.toml").write_text(job, "utf-8")
    last = run_events(folder)[-1]
    assert isinstance(last, Failed)
    assert last.message == f"The corpus {other} is not the one the run started with."
    assert last.remedy == "Restore the corpus, or start a new run with --from."


def test_samples_are_those_of_the_steps_that_count(whole: Path) -> None:
    lines = (whole / "samples.jsonl").read_text("utf-8").splitlines()
    counting = [r.values for r in read_events(whole / "events.jsonl") if r.kind == "SampleWritten"]
    assert [json.loads(line) for line in lines] == counting
    assert counting[0].keys() == SampleWritten.__dataclass_fields__.keys()


def test_nothing_of_training_is_loaded_to_describe_a_run() -> None:
    program = (
        "import sys, core.jobs.training.train, core.cli.train;"
        "import core.training.plan, core.training.events;"
        "print({'torch', 'transformers', 'datasets'} & set(sys.modules))"
    )
    told = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert told.stdout.strip() == "set()", told.stderr
