"""Measures the bookkeeping of a corpus, duplicates and splits, without any documents.

    python tests/benchmarks/bookkeeping.py                    # 1,000,000 and 10,000,000 documents
    python tests/benchmarks/bookkeeping.py --documents 100000000 --folder FOLDER

Hashes and signatures are made from the number of a document. One document in twenty is a copy of
another one, one in twenty a near duplicate: four of five hashes of its signature are those of
another document. All of these must be found, and no other. 10^8 documents need 47 GB of disk in
the folder. Each size runs in a process of its own, whose private memory (no pages of files that are
mapped) is looked at twenty times a second, as is the disk that its files take. The time in which
the hashes are made is left out. A row for each size goes to `results/bookkeeping.csv`.
"""

import argparse
import csv
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psutil
from numpy.typing import NDArray

from core.data.bookkeeping import Bookkeeping
from core.data.duplicates import HASHES, mixed
from core.data.splitting import UNSPLIT
from core.events import result_of
from core.stop import StopToken

RESULTS = Path(__file__).parent / "results" / "bookkeeping.csv"
MEBIBYTE = 2**20
LOOK_S = 0.05
CHUNK = 1 << 13
EVERY = 20  # one in so many is a copy, and one a near duplicate
COLUMNS = (
    "documents", "seconds_add", "seconds_find", "processor_seconds", "private_mib",
    "private_mib_at_first", "disk_gib", "disk_bytes_a_document", "pairs", "validation", "test",
    "load_1min", "cores", "python",
)  # fmt: skip

Hashes = NDArray[np.uint64]


def originals(documents: Hashes) -> Hashes:
    """The document that each one copies, or nearly copies; itself for all others."""
    copies = documents % np.uint64(EVERY) < 2
    earlier = mixed(documents) % np.maximum(documents, np.uint64(1))
    # An original is no copy itself, so that the pairs to find are known.
    earlier = earlier - earlier % np.uint64(EVERY) + np.uint64(2)
    return np.where(copies & (earlier < documents), earlier, documents)


def made(documents: Hashes) -> tuple[Hashes, NDArray[np.uint32]]:
    """The content hashes and signatures of some documents."""
    originally = originals(documents)
    is_near = (originally != documents) & (documents % np.uint64(EVERY) == 1)
    contents = mixed(np.where(is_near, documents, originally))
    places = np.arange(HASHES, dtype=np.uint64)
    hashes = mixed(originally[:, None] * np.uint64(HASHES) + places)
    changed = is_near[:, None] & (places % np.uint64(5) == 0)
    hashes ^= np.where(changed, documents[:, None] + np.uint64(1), np.uint64(0))
    return contents, (hashes & np.uint64(2**32 - 1)).astype(np.uint32)


def chunks(count: int) -> Iterator[Hashes]:
    """The numbers of all documents, some at a time."""
    for start in range(0, count, CHUNK):
        yield np.arange(start, min(start + CHUNK, count), dtype=np.uint64)


def simulate(count: int, folder: Path) -> None:
    """Does the bookkeeping of so many documents, and prints what it took."""
    expected, begin_s, making_s = 0, time.perf_counter(), 0.0
    begin_cpu_s, making_cpu_s = time.process_time(), 0.0
    with Bookkeeping(folder / "books") as books:
        for documents in chunks(count):
            making_s -= time.perf_counter()
            making_cpu_s -= time.process_time()
            contents, signatures = made(documents)
            expected += int((originals(documents) != documents).sum())
            making_s += time.perf_counter()
            making_cpu_s += time.process_time()
            books.add(np.full(len(documents), UNSPLIT, np.int8), contents, signatures)
        added_s = time.perf_counter()
        result_of(books.find((0.98, 0.01, 0.01), 0, StopToken()))
        found_s = time.perf_counter()
        cpu_s = time.process_time() - begin_cpu_s - making_cpu_s
        if len(books.pairs) != expected:
            sys.exit(f"{len(books.pairs)} pairs were found, not {expected}.")
        splits = sum(np.bincount(books.splits[part[0] : part[-1] + 1], minlength=3)
                     for part in chunks(count))  # fmt: skip
        seconds = (added_s - begin_s - making_s, found_s - added_s, cpu_s)
        print(*seconds, len(books.pairs), *splits[1:])


def measure(count: int, folder: Path) -> dict[str, object]:
    """Simulates in a process of its own; a row."""
    load, private, disk = os.getloadavg()[0], 0, 0
    command = [sys.executable, __file__, "--simulate", str(count), "--folder", str(folder)]
    begin = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        process = psutil.Process(running.pid)
        while running.poll() is None:
            try:
                memory = process.memory_info()
            except psutil.NoSuchProcess:
                break
            private = max(private, memory.rss - memory.shared)
            if not begin and (folder / "books").exists():
                begin = private  # the interpreter and its modules
            disk = max(disk, size_of(folder))
            time.sleep(LOOK_S)
        told = running.stdout.read().split() if running.stdout else []
    if running.returncode:
        sys.exit(f"{' '.join(command)} ended with {running.returncode}")
    add_s, find_s, processor_s = map(float, told[:3])
    return {
        "documents": count,
        "seconds_add": round(add_s, 1),
        "seconds_find": round(find_s, 1),
        "processor_seconds": round(processor_s, 1),
        "private_mib": round(private / MEBIBYTE),
        "private_mib_at_first": round(begin / MEBIBYTE),
        "disk_gib": round(disk / 2**30, 2),
        "disk_bytes_a_document": round(disk / count),
        "pairs": int(told[3]),
        "validation": int(told[4]),
        "test": int(told[5]),
        "load_1min": round(load, 2),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
    }


def size_of(folder: Path) -> int:
    """Bytes of the files in a folder; files may vanish meanwhile."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += (Path(parent) / name).stat().st_size
            except FileNotFoundError:
                continue
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, nargs="+", default=[10**6, 10**7])
    parser.add_argument("--folder", type=Path, help="for the files; by default a temporary one")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--simulate", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.simulate:
        simulate(arguments.simulate, arguments.folder)
        return
    rows = []
    for count in arguments.documents:
        folder = Path(tempfile.mkdtemp(prefix="bookkeeping-", dir=arguments.folder))
        try:
            rows.append(measure(count, folder))
        finally:
            shutil.rmtree(folder)
        print("  ".join(f"{key} {value}" for key, value in rows[-1].items()), flush=True)
    is_new = not arguments.results.exists()
    with arguments.results.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        if is_new:
            writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
