"""Runs in which something fails in one of their processes, one after the other.

    python failing_team.py CASES.json

Started with `RANK` and `WORLD_SIZE` in the environment, as launchers do. CASES is a list of `Case`.
Says for each the warnings and the last event, one line of JSON.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from core.data.tokenizer import Tokenizer
from core.errors import EpitomeError
from core.events import Message, is_last
from core.jobs.run import run_inline
from core.jobs.training.train import TrainJob
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


class Case(NamedTuple):
    """A run.

    Args:
        where: What fails, a key of `PLACES`.
        rank: In which process.
        plan: The file of its plan.
        run: Its folder; a run that is there is resumed.
        port: Where the processes meet; each run has its own.
    """

    where: str
    rank: int
    plan: str
    run: str
    port: int


def fail(*arguments: Any, **named: Any) -> Any:
    """Stands for whatever can go wrong in one process alone."""
    raise EpitomeError("The disk of this process broke.", "Buy another.")


def told(case: Case) -> list[str]:
    """Trains; gives the warnings and the last event."""
    os.environ["MASTER_PORT"] = str(case.port)
    plan = None if RunFolder(Path(case.run)).exists else RunPlan.read(Path(case.plan))
    return [
        str(event)
        for event in run_inline(TrainJob(Path(case.run), plan), StopToken())
        if is_last(event) or (isinstance(event, Message) and event.level == "warning")
    ]


def main(cases_file: str) -> None:
    """Trains them all."""
    for each in json.loads(Path(cases_file).read_text("utf-8")):
        case = Case(*each)
        owner, name = PLACES[case.where]
        fails_here = os.environ["RANK"] == str(case.rank)
        with patch.object(owner, name, fail if fails_here else getattr(owner, name)):
            print(json.dumps(told(case)), flush=True)
    # What a run can do without: it would take each of its processes seconds and some 100 MB.
    assert not {"torch._dynamo", "sympy", "datasets"} & set(sys.modules)


if __name__ == "__main__":
    main(*sys.argv[1:])
