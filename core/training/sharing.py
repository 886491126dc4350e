"""What the first process of a run knows, given to the others: the run's folder is its alone.

So the folder need not be seen by all machines, and all begin with the same bits, whatever their
processors.
"""

import json
import tempfile
from pathlib import Path

import torch

from core.data.tokenizer import Tokenizer
from core.errors import EpitomeError
from core.models.weights import named_weights
from core.training.checkpoint import make_memory, moments
from core.training.loop import Trainer
from core.training.plan import RunPlan
from core.training.state import RunState
from core.training.team import Team


def shared_plan(team: Team, plan: RunPlan) -> RunPlan:
    """The first process's plan, in every process; the others' own is ignored."""
    return plan if team.count == 1 else RunPlan.of_json(team.told(plan.to_json()))


def check_same_plan(team: Team, first: RunPlan, own: RunPlan) -> None:
    """Refuses processes that were started with different jobs.

    Args:
        team: The processes.
        first: The plan of the first one.
        own: The plan of this one; corpora and devices may have other places here.

    Raises:
        EpitomeError: If they would not train the same.
    """
    if changes := own.changes_since(first):
        raise EpitomeError(
            f"Process {team.rank + 1} of {team.count} has another job than the first: "
            f"{', '.join(changes)}.",
            "Start the same command, with the same job file, on every machine.",
        )


def shared_tokenizer(team: Team, tokenizer: Tokenizer | None) -> Tokenizer:
    """The first process's tokenizer, in every process.

    Args:
        team: The processes.
        tokenizer: In the first process, the tokenizer.

    Returns:
        The same, as its files make it.
    """
    files: dict[str, str] = {}
    with team.together():
        if tokenizer and team.count > 1:
            files = _files_of(tokenizer)
    files = json.loads(team.told(json.dumps(files)))
    with team.together():
        return tokenizer or _opened(files)


def _files_of(tokenizer: Tokenizer) -> dict[str, str]:
    with tempfile.TemporaryDirectory(prefix="epitome-tokenizer-") as place:
        folder = Path(place)
        tokenizer.save(folder)
        return {path.name: path.read_text("utf-8") for path in folder.iterdir()}


def _opened(files: dict[str, str]) -> Tokenizer:
    with tempfile.TemporaryDirectory(prefix="epitome-tokenizer-") as place:
        folder = Path(place)
        for name, text in files.items():
            (folder / Path(name).name).write_text(text, "utf-8", newline="")
        return Tokenizer.load(folder)


def share_beginning(trainer: Trainer, state: RunState) -> RunState:
    """Gives every process the first one's weights, optimiser and state.

    Args:
        trainer: The run, put together as in every process.
        state: Where it stands; that of the first process counts.

    Returns:
        The first process's state.
    """
    team, step = trainer.team, trainer.step
    if team.count == 1:
        return state
    told = json.loads(
        team.told(
            json.dumps([state.values(), step.scaler.state_dict(), bool(step.optimizer.state)])
        )
    )
    values, scaler, remembers = told
    if not team.leads:
        step.scaler.load_state_dict(scaler)
        if remembers:
            make_memory(trainer.model, step.optimizer)
    weights = named_weights(trainer.model)
    for tensor in (*weights.values(), *moments(trainer.model, step.optimizer).values()):
        _spread(team, tensor)
    return RunState.of(values)


def _spread(team: Team, tensor: torch.Tensor) -> None:
    """Spreads a tensor that may lie elsewhere than the model, as an optimiser's counts do."""
    tensor.copy_(team.spread(tensor.to(team.device)))


def check_same_data(team: Team, data: str, corpus: str) -> None:
    """Refuses machines whose corpora differ.

    Args:
        team: The processes; each calls this.
        data: The fingerprint of this process's rows.
        corpus: The corpus's name.

    Raises:
        EpitomeError: If the rows of the first process are others.
    """
    first = team.told(data)
    with team.together():
        if data != first:
            raise EpitomeError(
                f"The corpus {corpus} is not the same on all machines.",
                "Copy the whole folder of the corpus from the first machine to the others.",
            )
