"""A checkpoint holds all that a run is; what does not fit is refused in words."""

from pathlib import Path
from typing import Any

import pytest
import torch

from core.errors import EpitomeError
from core.models.weights import read_weights, write_tensors
from core.runs.checkpoints import Checkpoint, Checkpoints
from core.training.assembly import freeze
from core.training.checkpoint import load_checkpoint, save_checkpoint
from core.training.optimizers import optimizer_of
from core.training.settings import TrainSettings
from core.training.state import RunState
from core.training.step import TrainingStep
from tests.helpers.reformers import batch_of, reformer

CPU = torch.device("cpu")
STATE = RunState(data="corpus", step=3, last_event=9, best=1.5, worse=2, usual_norm=0.25)


def made(optimizer: str = "adam", **model: Any) -> tuple[Any, TrainingStep]:
    settings = TrainSettings.checked({"optimizer": optimizer, "weight_decay": 0.1})
    learner = reformer(dtype=torch.float32, **model)
    chosen = optimizer_of(learner.parameters(), settings)
    return learner, TrainingStep(learner, settings, CPU, chosen)


def saved(folder: Path, optimizer: str = "adam") -> tuple[Checkpoint, Any, TrainingStep]:
    model, step = made(optimizer)
    for _ in range(3):
        step(batch_of(2, 12))
    save_checkpoint(Checkpoints(folder), model, step, STATE, {}, "a tokenizer")
    found = Checkpoints(folder).newest()
    assert found is not None
    return found, model, step


@pytest.mark.parametrize("optimizer", ["adam", "adamw", "adafactor"])
def test_the_next_step_is_the_same_to_the_bit(tmp_path: Path, optimizer: str) -> None:
    checkpoint, model, step = saved(tmp_path, optimizer)
    again, fresh = made(optimizer)
    assert load_checkpoint(checkpoint, again, fresh) == STATE
    for _ in range(2):
        assert step(batch_of(2, 12)).loss.equal(fresh(batch_of(2, 12)).loss)
    for ours, theirs in zip(model.parameters(), again.parameters(), strict=True):
        assert ours.equal(theirs)


def test_tied_weights_are_kept_once_and_stay_tied(tmp_path: Path) -> None:
    model, step = made(tied_embeddings=True)
    step(batch_of(2, 12))
    save_checkpoint(Checkpoints(tmp_path), model, step, STATE, {}, "a tokenizer")
    checkpoint = Checkpoints(tmp_path).newest()
    again, fresh = made(tied_embeddings=True)
    assert checkpoint is not None
    load_checkpoint(checkpoint, again, fresh)
    assert again.output.weight is again.embedding.weight
    assert again.embedding.weight.equal(model.embedding.weight)


@pytest.mark.parametrize("optimizer", ["adam", "adamw", "adafactor"])
def test_frozen_weights_are_kept_and_stay_as_they_are(tmp_path: Path, optimizer: str) -> None:
    model, step = made(optimizer)
    freeze(model, ["attention.0", "embedding"])
    first = {name: weight.clone() for name, weight in model.named_parameters()}
    for _ in range(3):
        step(batch_of(2, 12))
    save_checkpoint(Checkpoints(tmp_path), model, step, STATE, {}, "a tokenizer")
    checkpoint = Checkpoints(tmp_path).newest()
    assert checkpoint is not None
    again, fresh = made(optimizer, weights=5)
    freeze(again, ["attention.0", "embedding"])
    load_checkpoint(checkpoint, again, fresh)
    assert step(batch_of(2, 12)).loss.equal(fresh(batch_of(2, 12)).loss)
    for name, weight in again.named_parameters():
        assert weight.equal(model.get_parameter(name)), name
        frozen = name.startswith(("attention.0", "embedding"))
        assert weight.equal(first[name]) == frozen, name


def test_what_cannot_be_frozen_is_told() -> None:
    model, _ = made()
    with pytest.raises(EpitomeError) as error:
        freeze(model, ["encoder"])
    assert error.value.message == "No parameter's name starts with “encoder”."
    assert error.value.remedy.startswith("Choose among attention.0, attention.1, embedding.weight")
    with pytest.raises(EpitomeError, match="All parameters are frozen"):
        freeze(model, [""])


def test_a_model_of_other_sizes_is_refused(tmp_path: Path) -> None:
    checkpoint, _, _ = saved(tmp_path)
    path = checkpoint.path / "model.safetensors"
    other, _ = made(feed_forward_width=24)
    with pytest.raises(EpitomeError) as error:
        read_weights(path, other)
    assert error.value.message == (
        f"{path} does not fit the model: “feed_forward.0.narrow.weight” is [16, 64] there and "
        "[16, 24] in the model."
    )
    assert error.value.remedy == "Use a checkpoint that this model made."
    other, _ = made(depth=3)
    with pytest.raises(EpitomeError, match="is missing"):
        read_weights(path, other)
    other, _ = made(depth=1)
    with pytest.raises(EpitomeError, match="is not the model's"):
        read_weights(path, other)


def test_the_memory_of_another_optimiser_is_refused(tmp_path: Path) -> None:
    checkpoint, _, _ = saved(tmp_path, "adam")
    model, step = made("adafactor")
    with pytest.raises(EpitomeError, match="does not fit the model"):
        load_checkpoint(checkpoint, model, step)


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"run": STATE.values()},
        {"run": STATE.values() | {"step": "3"}, "scaler": {}},
        {"run": STATE.values() | {"left over": 1}, "scaler": {}},
        {"run": {"step": 3}, "scaler": {}},
        {"run": STATE.values(), "scaler": {"scale": 1.0}},
    ],
)
def test_missing_mistyped_and_left_over_state_is_refused(
    tmp_path: Path, state: dict[str, Any]
) -> None:
    checkpoint, _, _ = saved(tmp_path)
    model, step = made()
    with pytest.raises(EpitomeError) as error:
        load_checkpoint(Checkpoint(checkpoint.path, 3, state), model, step)
    assert (
        error.value.remedy == "Use another checkpoint, or the version of the program that wrote it."
    )


def test_a_checkpoint_of_an_older_program_is_read(tmp_path: Path) -> None:
    checkpoint, _, _ = saved(tmp_path)
    values = STATE.values()
    for name in ("usual_loss", "lowest_loss", "lowest_usual", "ruined"):
        del values[name]
    model, step = made()
    older = Checkpoint(checkpoint.path, 3, {"run": values, "scaler": {}})
    assert load_checkpoint(older, model, step) == STATE


def test_a_file_of_something_else_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"cos\nsystem\n(S'touch pwned'\ntR.")  # a pickle that would run a command
    with pytest.raises(EpitomeError, match="holds no tensors"):
        read_weights(path, made()[0])
    with pytest.raises(EpitomeError, match="cannot be read"):
        read_weights(tmp_path / "none", made()[0])


def test_weights_go_through_a_file_unchanged(tmp_path: Path) -> None:
    model, _ = made()
    write_tensors(tmp_path / "w", {name: w.detach() for name, w in model.named_parameters()})
    other, _ = made(seed=7)
    read_weights(tmp_path / "w", other)
    for ours, theirs in zip(model.parameters(), other.parameters(), strict=True):
        assert ours.equal(theirs)
