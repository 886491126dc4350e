"""A run in which something fails in one of its processes.

    python failing_team.py PLAN.toml RUN RANK WHERE

Started with `RANK` and `WORLD_SIZE` in the environment, as launchers do. WHERE is a key of
`PLACES`. A run that is there is resumed. Prints warnings and the last event.
"""

import os
import sys
from pathlib import Path
from typing import Any

from core.data.tokenizer import Tokenizer
from core.errors import EpitomeError
from core.events import Message, is_last
from core.jobs.run import run_inline
from core.jobs.train import TrainJob
from core.runs.folder import RunFolder
from core.stop import StopToken
from core.training import assembly, loop, setup
from core.training.plan import RunPlan
from core.training.step import TrainingStep
from core.training.validation import Validator

PLACES: dict[str, tuple[Any, str]] = {
    "plan": (setup, "named_origin"),
    "tokens": (assembly, "tokenise"),
    "rows": (assembly, "rows_of"),
    "folder": (Tokenizer, "save"),
    "old checkpoint": (setup, "load_checkpoint"),
    "new checkpoint": (loop, "is_finite"),
    "step": (TrainingStep, "add_gradients"),
    "loss": (Validator, "_batch_loss"),
    "writing": (Validator, "_samples"),
}


def fail(*arguments: Any, **named: Any) -> Any:
    """Stands for whatever can go wrong in one process alone."""
    raise EpitomeError("The disk of this process broke.", "Buy another.")


def main(plan_file: str, run: str, rank: str, where: str) -> None:
    """Trains."""
    if os.environ["RANK"] == rank:
        owner, name = PLACES[where]
        setattr(owner, name, fail)
    plan = None if RunFolder(Path(run)).exists else RunPlan.read(Path(plan_file))
    for event in run_inline(TrainJob(Path(run), plan), StopToken()):
        if is_last(event) or (isinstance(event, Message) and event.level == "warning"):
            print(event, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
