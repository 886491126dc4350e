"""What of a run lies in a checkpoint: weights, the optimiser's and the scaler's numbers, state."""

from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from core.errors import EpitomeError
from core.models.weights import check_same, named_weights, read_tensors, read_weights, write_tensors
from core.runs.checkpoints import TOKENIZER_KEY, Checkpoint, Checkpoints
from core.training.state import RunState
from core.training.step import TrainingStep

WEIGHTS_FILE = "model.safetensors"
_OPTIMIZER_FILE = "optimizer.safetensors"


def save_checkpoint(
    checkpoints: Checkpoints,
    model: nn.Module,
    step: TrainingStep,
    state: RunState,
    plan: dict[str, Any],
    tokenizer: str,
) -> float:
    """Writes a checkpoint and names it the last.

    Args:
        checkpoints: Those of the run.
        model: The model.
        step: Its training step, with optimiser and scaler.
        state: Where the run stands.
        plan: What the run is made of, as plain values, by which a change to its file is noticed.
        tokenizer: The fingerprint of its tokenizer, by which another one is noticed.

    Returns:
        Its size in MiB.

    Raises:
        EpitomeError: If it cannot be written.
    """
    weights, memory = named_weights(model), moments(model, step.optimizer)
    files = {
        WEIGHTS_FILE: lambda path: write_tensors(path, weights),
        _OPTIMIZER_FILE: lambda path: write_tensors(path, memory),
    }
    values = {
        "run": state.values(),
        "scaler": step.scaler.state_dict(),
        "plan": plan,
        TOKENIZER_KEY: tokenizer,
    }
    checkpoints.write(state.step, files, values)
    return sum(each.nbytes for tensors in (weights, memory) for each in tensors.values()) / 2**20


def check_tokenizer(checkpoint: Checkpoint, fingerprint: str, folder: Path) -> None:
    """Refuses another tokenizer than the one that made the ids which the weights know.

    Args:
        checkpoint: The weights'; one of an older program does not say, and takes any.
        fingerprint: Of the tokenizer that was found.
        folder: Where it lies.

    Raises:
        EpitomeError: If they differ.
    """
    if checkpoint.state.get(TOKENIZER_KEY, fingerprint) != fingerprint:
        raise EpitomeError(
            f"The tokenizer in {folder} is not the one that this model was trained with, so the "
            "model would write nonsense.",
            "Put the run's own tokenizer back.",
        )


def is_finite(model: nn.Module) -> bool:
    """Whether every weight of a model is a finite number."""
    return all(bool(weight.isfinite().all()) for weight in model.parameters())


def load_checkpoint(checkpoint: Checkpoint, model: nn.Module, step: TrainingStep) -> RunState:
    """Puts everything back as it was.

    Args:
        checkpoint: What was found.
        model: As it was built for the run.
        step: As it was built for the run; nothing was learnt with it yet.

    Returns:
        Where the run stood.

    Raises:
        EpitomeError: If something is missing, left over, or of another shape or type.
    """
    if checkpoint.state.keys() - {"plan", TOKENIZER_KEY} != {"run", "scaler"}:
        raise _foreign(checkpoint.path)
    state = RunState.of(checkpoint.state["run"])
    _load_moments(checkpoint.path / _OPTIMIZER_FILE, model, step.optimizer)
    read_weights(checkpoint.path / WEIGHTS_FILE, model)
    if checkpoint.state["scaler"].keys() != step.scaler.state_dict().keys():
        raise _foreign(checkpoint.path)
    step.scaler.load_state_dict(checkpoint.state["scaler"])
    return state


def moments(model: nn.Module, optimizer: torch.optim.Optimizer) -> dict[str, Tensor]:
    """Everything the optimiser remembers, by weight and name."""
    return {
        f"{name}/{what}": value
        for name, weight in model.named_parameters()
        for what, value in optimizer.state.get(weight, {}).items()
    }


def make_memory(model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
    """Makes the optimiser's memory, of the right shapes and types, by a step that learns nothing.

    Args:
        model: The model.
        optimizer: Its optimiser, which has made no step yet.
    """
    for weight in model.parameters():
        if weight.requires_grad:  # the others have no memory
            weight.grad = torch.zeros_like(weight)
    optimizer.step()
    optimizer.zero_grad()


def _load_moments(path: Path, model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
    found = read_tensors(path)
    if not found:  # no step was made yet that was not skipped
        return
    make_memory(model, optimizer)
    memory = moments(model, optimizer)
    check_same(path, found, memory)
    for name, tensor in memory.items():
        tensor.copy_(found[name])


def _foreign(path: Path) -> EpitomeError:
    return EpitomeError(
        f"{path} was not written by a run of this kind.",
        "Use another checkpoint, or the version of the program that wrote it.",
    )
