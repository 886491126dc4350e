"""Times a batch with one process and with one for each core, and its memory with 10,000 files.

    python tests/benchmarks/batch.py            # some minutes
    python tests/benchmarks/batch.py --quick    # fewer documents; nothing is kept

*cores*: seconds for the same documents of about 900 words with one process and with one for each
core, in turn. *memory*: the most that the process of the job holds with 100 and with 10,000 files,
the processes that read for it left aside: they hold one document at a time. Rows go to
`results/batch.csv`.
"""

import argparse
import csv
import os
import platform
import random
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from core.events import Finished  # noqa: E402
from core.jobs.batches.adding import AddToBatchJob  # noqa: E402
from core.jobs.batches.rows import BatchSettings  # noqa: E402
from core.jobs.batches.work import BatchJob  # noqa: E402
from core.jobs.run import run_inline  # noqa: E402
from core.stop import StopToken  # noqa: E402
from core.system.machine import usable_cores  # noqa: E402
from tests.helpers.pdf_maker import paragraph  # noqa: E402

RESULTS = Path(__file__).parent / "results" / "batch.csv"
COLUMNS = (
    "what", "run", "documents", "processes", "seconds", "a_second", "peak_mib", "load_1min",
    "cores", "python",
)  # fmt: skip


def write_documents(folder: Path, number: int, words: int) -> Path:
    """A folder with made texts, each a file."""
    folder.mkdir()
    generator = random.Random(1)
    text = [paragraph(generator, 120) for _ in range(200)]
    for at in range(number):
        parts = generator.sample(text, max(words // 120, 1))
        (folder / f"{at:05}.txt").write_text("\n\n".join(parts), "utf-8")
    return folder


def run_batch(folder: Path, documents: Path, processes: int) -> dict[str, Any]:
    """Summarises all documents; gives the seconds and the most memory of this process."""
    settings = BatchSettings.checked({"processes": processes})
    list(run_inline(AddToBatchJob(folder, (documents,), settings), StopToken()))
    peak, is_over = [0], threading.Event()

    def watch() -> None:
        while not is_over.wait(0.05):
            peak[0] = max(peak[0], psutil.Process().memory_info().rss)

    watcher = threading.Thread(target=watch)
    watcher.start()
    started_s = time.perf_counter()
    *_, last = run_inline(BatchJob(folder), StopToken())
    seconds = time.perf_counter() - started_s
    is_over.set()
    watcher.join()
    assert isinstance(last, Finished) and last.result.done == last.result.total, last
    total = last.result.total
    return {
        "documents": total,
        "processes": processes,
        "seconds": round(seconds, 2),
        "a_second": round(total / seconds, 1),
        "peak_mib": round(peak[0] / 2**20, 1),
    }


def run_all(num_runs: int, num_documents: int, many: int) -> list[dict[str, Any]]:
    """All measurements, with the machine in every row."""
    rows: list[dict[str, Any]] = []
    constant = {"cores": usable_cores(), "python": platform.python_version()}

    def note(what: str, run: int, measured: dict[str, Any]) -> None:
        load = {"load_1min": round(os.getloadavg()[0], 2)}
        rows.append({"what": what, "run": run, **measured, **load, **constant})
        print(rows[-1], flush=True)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        documents = write_documents(folder / "documents", num_documents, 900)
        for run in range(1, num_runs + 1):
            for processes in (1, usable_cores()):
                place = folder / f"b-{run}-{processes}"
                note("cores", run, run_batch(place, documents, processes))
        for number in (100, many):
            short = write_documents(folder / f"short-{number}", number, 120)
            place = folder / f"m-{number}"
            note("memory", 1, run_batch(place, short, usable_cores()))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="fewer documents; nothing is kept")
    arguments = parser.parse_args()
    quick = arguments.quick
    rows = run_all(1 if quick else arguments.runs, 60 if quick else 400, 500 if quick else 10_000)
    of_cores = {
        processes: statistics.median(
            row["seconds"]
            for row in rows
            if row["what"] == "cores" and row["processes"] == processes
        )
        for processes in (1, usable_cores())
    }
    ratio = of_cores[1] / of_cores[usable_cores()]
    print(f"{usable_cores()} processes are {ratio:.2f} times as fast as one.")
    few, many = (row["peak_mib"] for row in rows if row["what"] == "memory")
    print(f"The job's process holds {few} MiB with few files, {many} MiB with many.")
    if not quick:
        is_new = not RESULTS.exists()
        with RESULTS.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS)
            if is_new:
                writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
