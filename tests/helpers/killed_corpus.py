"""A corpus job whose process is killed once its corpus has its name, before it can say so."""

import os
import sys
from pathlib import Path
from typing import Any

from core.data.prepared import PLAN
from core.jobs.lanes import detached, lane
from core.jobs.queue.job_queue import JobQueue
from tests.helpers.killing import KILL


def attend(queue: JobQueue) -> None:
    """Starts the jobs of a queue; those of corpora are killed."""
    code = "from tests.helpers.killed_corpus import lane_main; lane_main()"
    lane.attend(queue, lambda name: [sys.executable, "-c", code, name])


def lane_main() -> None:
    """The body of a lane's process."""
    code = "from tests.helpers.killed_corpus import job_main; job_main()"
    lane.main(sys.argv[1], lambda id, start: [sys.executable, "-c", code, id, str(start)])


def job_main() -> None:
    """The body of a job's process."""
    unlink = Path.unlink

    def unlink_or_die(path: Path, *arguments: Any, **named: Any) -> None:
        if path.name == PLAN and (path.parent / "corpus.toml").exists():
            os.kill(os.getpid(), KILL)
        unlink(path, *arguments, **named)

    Path.unlink = unlink_or_die  # type: ignore[method-assign]
    detached.main(sys.argv[1], int(sys.argv[2]))
