"""Documents a second on a cluster of this machine, against the processes of the built-in engine.

    python tests/benchmarks/cluster.py            # some minutes, on an idle machine
    python tests/benchmarks/cluster.py --quick    # fewer documents; nothing is kept

A scheduler and one or two workers, each with one thread, against one or two processes, in turn. Of
*long* documents (about 900 words) and *short* ones (about 120 words) each run writes a file for
each; *rows* are the same short texts in a table, as a batch. `a_second` counts from the first
summary to the last, without the start of processes; `seconds` is the whole run. The client, the
scheduler and the workers share the cores of this machine. Rows go to `results/cluster.csv`.
"""

import argparse
import csv
import json
import os
import platform
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from core.events import Event, Failed, Finished, Progress  # noqa: E402
from core.jobs.batches.adding import AddToBatchJob  # noqa: E402
from core.jobs.batches.rows import BatchSettings  # noqa: E402
from core.jobs.batches.store import BatchStore  # noqa: E402
from core.jobs.batches.summarise_batch import SourceSummarised, SummariseBatchJob  # noqa: E402
from core.jobs.batches.work import BatchJob  # noqa: E402
from core.jobs.run import run_inline  # noqa: E402
from core.jobs.sources.source_files import FolderOptions, files_named  # noqa: E402
from core.jobs.summaries.summarise import SummariseSettings  # noqa: E402
from core.stop import StopToken  # noqa: E402
from core.system.machine import usable_cores  # noqa: E402
from tests.benchmarks.batch import write_documents  # noqa: E402
from tests.helpers.clusters import LocalCluster, local_cluster  # noqa: E402

RESULTS = Path(__file__).parent / "results" / "cluster.csv"
COLUMNS = (
    "what", "run", "engine", "workers", "documents", "seconds", "a_second", "client_mib",
    "scheduler_mib", "load_1min", "cores", "python",
)  # fmt: skip
SIZES = (1, 2)


class Laps:
    """Times the documents of a run."""

    def __init__(self) -> None:
        self.ended_s: list[tuple[float, int]] = []

    def take(self, event: Event) -> None:
        """Notes how many are done."""
        if isinstance(event, SourceSummarised):
            self._note((self.ended_s[-1][1] if self.ended_s else 0) + 1)
        elif isinstance(event, Progress) and event.unit == "documents" and event.done:
            self._note(event.done)

    def _note(self, done: int) -> None:
        self.ended_s.append((time.perf_counter(), done))

    @property
    def a_second(self) -> float:
        """From the first summary to the last."""
        (first_s, first), (last_s, last) = self.ended_s[0], self.ended_s[-1]
        return (last - first) / (last_s - first_s)


def timed(events: Iterable[Event], scheduler: psutil.Process | None) -> dict[str, Any]:
    """Runs to the end; gives the seconds, and the memory of this process and the scheduler."""
    laps, peak = Laps(), {"client_mib": 0.0, "scheduler_mib": 0.0}
    started_s, last = time.perf_counter(), Event()
    for last in events:
        laps.take(last)
        for name, process in (("client_mib", psutil.Process()), ("scheduler_mib", scheduler)):
            if process is not None:
                mib = process.memory_info().rss / 2**20
                peak[name] = max(peak[name], round(mib, 1))
    assert isinstance(last, Finished) and not isinstance(last, Failed), last
    return {
        "documents": last.result.done,
        "seconds": round(time.perf_counter() - started_s, 2),
        "a_second": round(laps.a_second, 1),
        **peak,
    }


def files_run(documents: Path, out: Path, address: str, size: int) -> Iterable[Event]:
    """A folder, a file for each summary."""
    found, _ = files_named(str(documents), FolderOptions())
    job = SummariseBatchJob(found, SummariseSettings(), out, processes=size, cluster=address)
    return run_inline(job, StopToken())


def rows_run(table: Path, folder: Path, address: str, size: int) -> Iterable[Event]:
    """The rows of a table, as a batch."""
    settings = BatchSettings.checked({"processes": size})
    list(run_inline(AddToBatchJob(folder, (table,), settings), StopToken()))
    with BatchStore(folder) as store:
        store.set_cluster(address)
    return run_inline(BatchJob(folder), StopToken())


def table_of(folder: Path, path: Path) -> Path:
    """The documents of a folder as the rows of a table."""
    with path.open("w", encoding="utf-8") as file:
        for document in sorted(folder.iterdir()):
            value = {"title": document.stem, "text": document.read_text("utf-8")}
            file.write(json.dumps(value) + "\n")
    return path


def run_all(num_runs: int, num_documents: int) -> list[dict[str, Any]]:
    """All measurements, with the machine in every row."""
    rows: list[dict[str, Any]] = []
    constant = {"cores": usable_cores(), "python": platform.python_version()}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["EPITOME_HOME"] = str(folder / "home")
        long = write_documents(folder / "long", num_documents, 900)
        short = write_documents(folder / "short", 2 * num_documents, 120)
        table = table_of(short, folder / "short.jsonl")
        works: dict[str, tuple[Callable[..., Iterable[Event]], Path]] = {
            "long": (files_run, long), "short": (files_run, short), "rows": (rows_run, table),
        }  # fmt: skip
        with local_cluster(folder / "one", 1) as one, local_cluster(folder / "two", 2) as two:
            clusters: dict[int, LocalCluster] = {1: one, 2: two}
            for run in range(num_runs + 1):  # the first one warms the workers up, and is not kept
                for what, (work, source) in works.items():
                    for size in SIZES:
                        for engine in ("local", "cluster"):
                            cluster = clusters[size] if engine == "cluster" else None
                            place = folder / f"{what}-{engine}"
                            address = cluster.address if cluster else ""
                            scheduler = psutil.Process(cluster.scheduler.pid) if cluster else None
                            events = work(source, place, address, size)
                            row = timed(events, scheduler)
                            shutil.rmtree(place)
                            load = {"load_1min": round(os.getloadavg()[0], 2)}
                            told = {"what": what, "run": run, "engine": engine, "workers": size}
                            if run:
                                rows.append({**told, **row, **load, **constant})
                            print({**told, **row}, flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="fewer documents; nothing is kept")
    arguments = parser.parse_args()
    quick = arguments.quick
    rows = run_all(1 if quick else arguments.runs, 60 if quick else 200)
    for what in dict.fromkeys(row["what"] for row in rows):
        for size in SIZES:
            rates = {
                engine: statistics.median(
                    row["a_second"]
                    for row in rows
                    if (row["what"], row["workers"], row["engine"]) == (what, size, engine)
                )
                for engine in ("local", "cluster")
            }
            told = ", ".join(f"{engine} {rate:.1f}" for engine, rate in rates.items())
            print(f"{what}, {size}: documents a second: {told}")
    if not quick:
        is_new = not RESULTS.exists()
        with RESULTS.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS)
            if is_new:
                writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
