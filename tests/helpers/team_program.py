"""One process of a team: makes the gradients of a step of runs in float64 and writes them to files.

    python team_program.py PORT FOLDER [PORT FOLDER...]

Started with `RANK` and `WORLD_SIZE` in the environment, as launchers do. The processes meet at
another port for each run. The plan of a run is `plan.toml` in its folder; `out.safetensors` is
written there.
"""

import os
import sys
from dataclasses import replace
from pathlib import Path

import torch
from safetensors.torch import save_file

from core.runs.folder import RunFolder
from core.stop import StopToken
from core.training.loop import Trainer
from core.training.optimizers import optimizer_of
from core.training.plan import RunPlan
from core.training.setup import begin
from core.training.step import StepGradients, TrainingStep
from core.training.team import leave_team

STEP = 3


def write_gradients(folder: Path) -> None:
    """Makes the gradients of the third step of a run, over all processes."""
    plan = RunPlan.read(folder / "plan.toml")
    (folder / "run").mkdir(exist_ok=True)
    gradients = exact(plan, trainer_of(plan, folder / "run"))
    made = gradients(STEP)
    if gradients.team.leads:
        found = {
            name: w.grad for name, w in gradients.model.named_parameters() if w.grad is not None
        }
        found["loss"] = torch.tensor(made.loss, dtype=torch.float64)
        found["tokens"] = torch.tensor([made.loss_tokens, made.tokens])
        save_file(found, folder / "out.safetensors")
    leave_team()


def trainer_of(plan: RunPlan, run: Path) -> Trainer:
    """The run, put together as `epitome train` does."""
    steps = begin(plan, RunFolder(run), None, StopToken())
    while True:
        try:
            next(steps)
        except StopIteration as end:
            trainer: Trainer = end.value
            return trainer


def exact(plan: RunPlan, trainer: Trainer) -> StepGradients:
    """The same in float64."""
    model = trainer.model.double()
    step = TrainingStep(
        model, plan.train, trainer.team.device, optimizer_of(model.parameters(), plan.train)
    )
    return replace(trainer.gradients, model=model, step=step)


def main(*words: str) -> None:
    """Does so for all runs."""
    for port, folder in zip(words[::2], words[1::2], strict=True):
        os.environ["MASTER_PORT"] = port
        write_gradients(Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
