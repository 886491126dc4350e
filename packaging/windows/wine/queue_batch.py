"""Summarises a folder in a batch of the queue, as the window does: `queue_batch.py BATCH FOLDER`.

Called again after a crash, it goes on where the batch was stopped; it ends when nothing waits.
"""

import sys
import time
from itertools import count
from pathlib import Path

from core.jobs.batches.adding import AddToBatchJob
from core.jobs.batches.queued import finished_batch, work_on
from core.jobs.lanes.lane import attend
from core.jobs.queue.job_queue import JobQueue
from core.jobs.run import run_inline
from core.library.folders import Folders
from core.stop import StopToken


def main() -> None:
    """Works until the batch is finished."""
    batch, queue = Folders.of_this_user().batches / sys.argv[1], JobQueue.of_this_user()
    list(run_inline(AddToBatchJob(batch, (Path(sys.argv[2]),)), StopToken()))
    for turn in count():
        if finished_batch(batch) is not None:
            return
        if turn % 20 == 0:  # a lane that was started takes seconds to hold its lock under Wine
            work_on(queue, batch)
            attend(queue)
        time.sleep(0.5)


if __name__ == "__main__":
    main()
