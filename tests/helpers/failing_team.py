"""A run in which something fails in one of its processes.

    python failing_team.py PLAN.toml RUN RANK WHERE

Started with `RANK` and `WORLD_SIZE` in the environment, as launchers do. WHERE is "loss" or
"writing", for the two halves of a validation, or "step". Prints warnings and the last event.
"""

import os
import sys
from pathlib import Path
from typing import Any

from core.errors import EpitomeError
from core.events import Message, is_last
from core.jobs.run import run_inline
from core.jobs.train import TrainJob
from core.stop import StopToken
from core.training.plan import RunPlan
from core.training.step import TrainingStep
from core.training.validation import Validator


def fail(*arguments: Any, **named: Any) -> Any:
    """Stands for whatever can go wrong in one process alone."""
    raise EpitomeError("The disk of this process broke.", "Buy another.")


def main(plan_file: str, run: str, rank: str, where: str) -> None:
    """Trains."""
    if os.environ["RANK"] == rank:
        if where == "step":
            TrainingStep.add_gradients = fail  # type: ignore[method-assign]
        elif where == "loss":
            Validator._batch_loss = fail  # type: ignore[method-assign]
        else:
            Validator._samples = fail  # type: ignore[method-assign]
    for event in run_inline(TrainJob(Path(run), RunPlan.read(Path(plan_file))), StopToken()):
        if is_last(event) or (isinstance(event, Message) and event.level == "warning"):
            print(event, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
