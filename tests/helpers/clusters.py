"""A real Dask cluster on this machine: a scheduler and workers, each a process."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.distribution.parts import part_of
from core.errors import EpitomeError
from core.events import Finished
from core.jobs.cluster.connection import CheckClusterJob
from core.jobs.run import run_inline
from core.stop import StopToken
from tests.helpers.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
FAULTS = ROOT / "tests" / "helpers" / "faulty_worker.py"
_HOST = ("--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0", "--no-dashboard")

needs_part = pytest.mark.skipif(
    not part_of("cluster").is_installed, reason="the part “cluster” (Dask) is not installed"
)


class LocalCluster:
    """A scheduler, and the workers that are started one by one.

    Args:
        folder: Where it keeps its files.
        allowed_failures: How often a task may lose its worker before it is given up, less one.
        protocol: "tcp" or "tls"; the certificates of TLS stand in Dask's environment variables.
    """

    def __init__(self, folder: Path, allowed_failures: int = 3, protocol: str = "tcp") -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / "scheduler.json"
        settings = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(allowed_failures)}
        where = (*_HOST, "--protocol", protocol, "--port", "0")
        self.scheduler = self._start(
            "scheduler", *where, "--scheduler-file", str(self._file), **settings
        )
        self._protocol = protocol
        self.workers: list[subprocess.Popen[bytes]] = []
        self.address = str(_waited_for(self._read_address))

    def _start(self, kind: str, *options: str, **settings: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *options]
        paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = {
            **os.environ,
            **settings,
            "PYTHONPATH": os.pathsep.join(paths),
            "EPITOME_HOME": str(self.folder / "home"),
        }
        with (self.folder / f"{kind}.log").open("ab") as log:
            return subprocess.Popen(
                command, cwd=self.folder, env=environment, stdout=log, stderr=log
            )

    def _read_address(self) -> str:
        import json

        try:
            return str(json.loads(self._file.read_text("utf-8"))["address"])
        except (OSError, ValueError):
            assert self.scheduler.poll() is None, (self.folder / "scheduler.log").read_text("utf-8")
            return ""

    def add_worker(self, *, faulty: bool = False) -> "subprocess.Popen[bytes]":
        """Starts a worker that does one task at a time."""
        options = ["--scheduler-file", str(self._file), *_HOST, "--no-nanny", "--nthreads", "1"]
        options += ["--protocol", self._protocol]
        options += ["--local-directory", str(self.folder)]
        options += ["--preload", str(FAULTS)] if faulty else []
        worker = self._start("worker", *options)
        self.workers.append(worker)
        return worker

    def wait_for_workers(self, number: int) -> None:
        """Waits until so many workers are there."""
        _waited_for(lambda: self._num_workers() == number)

    def _num_workers(self) -> int:
        *_, last = run_inline(CheckClusterJob(self.address), StopToken())
        return int(last.result.workers) if isinstance(last, Finished) else 0

    def kill(self, worker: "subprocess.Popen[bytes]") -> None:
        """Ends a worker as a power cut does."""
        worker.kill()
        worker.wait()
        self.workers.remove(worker)

    def close(self) -> None:
        """Ends all its processes."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@contextmanager
def local_cluster(
    folder: Path,
    workers: int,
    *,
    faulty: bool = False,
    allowed_failures: int = 3,
    protocol: str = "tcp",
) -> Iterator[LocalCluster]:
    """A cluster that ends with the block.

    Args:
        folder: Where it keeps its files.
        workers: How many workers.
        faulty: Whether its workers obey the commands of `tests/helpers/faulty_worker.py`.
        allowed_failures: As `LocalCluster`.
        protocol: As `LocalCluster`.

    Yields:
        The cluster, with all its workers.
    """
    cluster = LocalCluster(folder, allowed_failures, protocol)
    try:
        for _ in range(workers):
            cluster.add_worker(faulty=faulty)
        if workers:
            cluster.wait_for_workers(workers)
        yield cluster
    finally:
        cluster.close()


def _waited_for(look: "object") -> object:
    until_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < until_s:
        if found := look():  # type: ignore[operator]
            return found
        time.sleep(0.02)
    raise EpitomeError("The cluster did not come up.", "Look into its log.")
