"""What tests with a real Ray share: sources, its processes, a cluster on this machine."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.distribution.parts import part_of
from core.jobs.ray_engine.session import MARK
from tests.helpers.corpora import TEXTS
from tests.helpers.patience import PATIENCE_S

needs_part = pytest.mark.skipif(
    sys.platform != "linux" or not part_of("ray").is_installed,
    reason="the part “ray” is not installed",
)
_LONG = "\n\n".join(TEXTS)


def write_sources(folder: Path) -> Path:
    """Shards of several blocks: duplicates, rows and lines that are none, and a damaged shard."""
    folder.mkdir(parents=True)
    short = [*TEXTS, *TEXTS[:5], "", "Only a title"]
    pq.write_table(pa.table({"document": short}), folder / "a.parquet")
    lines = [f'{{"document": "Line {number}. {text!r}"}}' for number, text in enumerate(TEXTS)]
    lines[3], lines[9] = "{broken", "[1, 2]"
    (folder / "b.jsonl").write_text("\n".join(lines).replace("'", ""), "utf-8")
    long = [_LONG.replace("pump", f"pump {number} of") for number in range(120)]
    pq.write_table(pa.table({"document": long}), folder / "c.parquet")
    pq.write_table(pa.table({"document": long[:50]}), folder / "d.parquet", compression="gzip")
    content = bytearray((folder / "d.parquet").read_bytes())
    content[2000:4000] = bytes(2000)
    (folder / "d.parquet").write_bytes(content)
    return folder


def write_files(folder: Path) -> Path:
    """Files of documents, one of which is broken."""
    folder.mkdir(parents=True)
    for number, text in enumerate(TEXTS[:20]):
        (folder / f"{number:02}.txt").write_text(text * 3, "utf-8")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing")
    return folder


def content_of(folder: Path) -> dict[str, bytes]:
    """The bytes of all files of a folder, by their names in it."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def ray_processes() -> list[psutil.Process]:
    """The living processes of every Ray that a corpus has started."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if MARK in process.environ() and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def workers_of(processes: list[psutil.Process]) -> list[psutil.Process]:
    """Those of them that do tasks."""
    found = []
    for process in processes:
        with suppress(psutil.Error):
            if process.cmdline()[:1] and process.cmdline()[0].startswith("ray::"):
                found.append(process)
    return found


@contextmanager
def ray_cluster() -> Iterator[str]:
    """A cluster of this machine alone, with two workers, that ends with the block.

    Yields:
        Its address.
    """
    with tempfile.TemporaryDirectory(dir="/tmp", ignore_cleanup_errors=True) as folder:
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block"]
        # Ray takes 127.0.0.1 for the machine's own address, which tests do not reach.
        command += ["--node-ip-address", "127.0.0.2", "--port", "0", "--num-cpus", "2"]
        command += ["--temp-dir", folder, "--include-dashboard", "false", "--disable-usage-stats"]
        paths = filter(None, (*sys.path, os.environ.get("PYTHONPATH")))
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        head, address = _started(command, environment, Path(folder))
        try:
            yield address
        finally:
            with suppress(psutil.Error):
                parts = psutil.Process(head.pid).children(recursive=True)
                head.kill()  # the others end with it
                for left in psutil.wait_procs(parts, timeout=PATIENCE_S)[1]:
                    left.kill()
            head.wait()


def _started(
    command: list[str], environment: dict[str, str], folder: Path, tries: int = 3
) -> "tuple[subprocess.Popen[bytes], str]":
    """The main process and the address, which it writes last; on a busy machine Ray gives up."""
    log, file = folder / "log.txt", folder / "ray_current_cluster"
    with log.open("wb") as output:
        head = subprocess.Popen(command, env=environment, stdout=output, stderr=output)
    until_s = time.monotonic() + 2 * PATIENCE_S
    while not (address := file.read_text("utf-8").strip() if file.exists() else ""):
        told = log.read_text("utf-8", "replace")
        if head.poll() is not None and tries > 1:
            return _started(command, environment, folder, tries - 1)
        assert head.poll() is None and time.monotonic() < until_s, told
        with suppress(subprocess.TimeoutExpired):
            head.wait(0.05)
    return head, address
