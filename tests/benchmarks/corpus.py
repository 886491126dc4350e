"""Measures preparing and tokenising many documents: time, and the most memory that is held.

    python tests/benchmarks/corpus.py                   # 1,000,000 short and 10,000 long documents
    python tests/benchmarks/corpus.py --share 0.1       # a tenth of each
    python tests/benchmarks/corpus.py --kinds tiny --only prepare    # 100,000 and 1,000,000
    python tests/benchmarks/corpus.py --kinds short long --share 0.1 --only prepare \
        --engines local:2 cluster:1 cluster:2    # processes against the workers of a cluster

Documents are drawn from the sentences of `../shared/data/corpus`, no two alike. Each corpus is
prepared and tokenised by the command line in processes of their own, whose memory is looked at
twenty times a second: what each holds for itself (no pages of files that are mapped). Rows are
added to `results/corpus.csv`; a smaller number of documents is measured too, since memory is
bounded only if it does not grow with them. An engine is measured with a number of processes; the
scheduler and the workers of a cluster count as processes too.
"""

import argparse
import csv
import os
import platform
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path

import psutil
import pyarrow as pa
import pyarrow.parquet as pq

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from core.documents.sentences import split_paragraph  # noqa: E402
from tests.helpers.clusters import local_cluster  # noqa: E402

DATA = ROOT / "../shared/data/corpus"
RESULTS = Path(__file__).parent / "results" / "corpus.csv"
COMMAND = [sys.executable, "-c", "from core.cli.main import main; raise SystemExit(main())"]
TOKENISE = """
import sys
from core.data.corpus import open_corpus
from core.data.examples import tokenise
from core.data.tokenizer import Tokenizer
from core.events import result_of
from core.stop import StopToken
from pathlib import Path
folder, tokenizer = map(Path, sys.argv[1:])
result_of(tokenise(folder, Tokenizer.load(tokenizer), StopToken()))
"""
MEBIBYTE = 2**20
LOOK_S = 0.05
COLUMNS = (
    "what", "engine", "documents", "make", "processes", "million_characters", "seconds", "main_mib",
    "most_of_a_worker_mib", "all_mib", "on_disk_mib", "load_1min", "cores", "python",
)  # fmt: skip


@dataclass(frozen=True)
class Kind:
    """Documents of one size.

    Args:
        documents: How many there are.
        paragraphs: How many paragraphs each has.
        make: What is made of them.
        sentences: How many sentences a paragraph has.
        times: How many times fewer documents are measured first.
    """

    documents: int
    paragraphs: int
    make: str
    sentences: int = 4
    times: int = 4


KINDS = {
    "short": Kind(1_000_000, 1, "text"),
    "long": Kind(10_000, 60, "gsg"),
    "tiny": Kind(1_000_000, 1, "text", sentences=1, times=10),
}


@dataclass
class Peak:
    """The most memory that was seen, in bytes."""

    main: int = 0
    worker: int = 0
    together: int = 0

    def look(self, process: psutil.Process) -> None:
        """Looks once at a process, and at all others that this one has started."""
        try:
            main = own_bytes(process)
            others = psutil.Process().children(recursive=True)
            workers = [own_bytes(other) for other in others if other != process]
        except psutil.NoSuchProcess:
            return
        self.main = max(self.main, main)
        self.worker = max(self.worker, *workers, 0)
        self.together = max(self.together, main + sum(workers))


def own_bytes(process: psutil.Process) -> int:
    """What a process holds for itself; pages of mapped files can be taken from it at any time."""
    memory = process.memory_info()
    return int(memory.rss - getattr(memory, "shared", 0))


def measured(command: list[str], environment: dict[str, str]) -> tuple[float, Peak]:
    """Runs a command to its end: seconds, and the most memory."""
    begin_s, peak = time.perf_counter(), Peak()
    with subprocess.Popen(command, cwd=ROOT, env=environment) as running:
        process = psutil.Process(running.pid)
        while running.poll() is None:
            peak.look(process)
            time.sleep(LOOK_S)
    if running.returncode:
        sys.exit(f"{' '.join(command)} ended with {running.returncode}")
    return time.perf_counter() - begin_s, peak


def sentences() -> list[str]:
    """Sentences of real text."""
    found = []
    for path in sorted(DATA.glob("*.parquet")):
        for text in pq.read_table(path, columns=["text"])["text"].to_pylist()[:200]:
            parts = (part for part in text.split("\n\n") if 100 < len(part) < 1500)
            found += [part[a:b] for part in parts for a, b in split_paragraph(part)]
    return found


def documents(kind: Kind, count: int) -> Iterator[str]:
    """Documents of paragraphs of sentences that stand together nowhere else; single sentences are
    numbered."""
    generator, parts = random.Random(0), sentences()
    for number in range(count):
        drawn = (" ".join(generator.sample(parts, kind.sentences)) for _ in range(kind.paragraphs))
        beginning = f"{number} " if kind.sentences == 1 else ""
        yield beginning + "\n\n".join(drawn)


def write_source(path: Path, kind: Kind, count: int) -> int:
    """Writes the documents as a table; gives their characters."""
    characters, texts = 0, documents(kind, count)
    with pq.ParquetWriter(path, pa.schema([("text", pa.string())])) as writer:
        while some := list(islice(texts, 1000)):
            characters += sum(map(len, some))
            writer.write_table(pa.table({"text": some}))
    return characters


@contextmanager
def cluster_for(engine: str, folder: Path) -> Iterator[str]:
    """A cluster of as many workers as an engine names; gives its address, empty for none."""
    name, _, workers = engine.partition(":")
    if name != "cluster":
        yield ""
        return
    with local_cluster(folder / "cluster", int(workers)) as cluster:
        yield cluster.address


def measure(
    kind: Kind, count: int, engine: str, only: str, folder: Path, address: str
) -> Iterator[dict[str, object]]:
    """Prepares, trains a tokenizer on, and tokenises some documents; a row for each."""
    engine, processes = engine.split(":")
    source, corpus, tokenizer = folder / "source.parquet", folder / "corpus", folder / "tokenizer"
    characters = write_source(source, kind, count)
    environment = {**os.environ, "EPITOME_HOME": str(folder / "home"), "OMP_NUM_THREADS": "1"}
    prepare = [*COMMAND, "corpus", str(source), "--make", kind.make, "--out", str(corpus)]
    place = ["--cluster", address] if address else ["--processes", processes]
    steps = {
        "prepare": [*prepare, *place, "--split", "98/1/1", "--quiet"],
        "tokenizer": [*COMMAND, "tokenizer", str(corpus), "--out", str(tokenizer), "--quiet"],
        "tokenise": [sys.executable, "-c", TOKENISE, str(corpus), str(tokenizer)],
    }
    for what, command in ((what, steps[what]) for what in steps if only in ("", what)):
        load = os.getloadavg()[0]
        seconds, peak = measured(command, environment)
        size = sum(path.stat().st_size for path in corpus.rglob("*") if path.is_file())
        yield {
            "what": what,
            "engine": engine if what == "prepare" else "local",
            "documents": count,
            "make": kind.make,
            "processes": processes if what == "prepare" else 1,
            "million_characters": round(characters / 1e6, 1),
            "seconds": round(seconds, 1),
            "main_mib": round(peak.main / MEBIBYTE),
            "most_of_a_worker_mib": round(peak.worker / MEBIBYTE),
            "all_mib": round(peak.together / MEBIBYTE),
            "on_disk_mib": round(size / MEBIBYTE),
            "load_1min": round(load, 2),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=["short", "long"])
    parser.add_argument("--share", type=float, default=1.0, help="of the documents")
    parser.add_argument(
        "--engines", nargs="+", default=["local:2"], help="each with its number of processes"
    )
    parser.add_argument("--only", choices=("prepare",), default="", help="nothing after that")
    parser.add_argument("--results", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    rows = []
    for name in arguments.kinds:
        kind = KINDS[name]
        counts = (kind.documents // kind.times, kind.documents)
        for count, engine in product(counts, arguments.engines):
            folder = Path(tempfile.mkdtemp(prefix="corpus-"))
            count = round(count * arguments.share)
            with cluster_for(engine, folder) as address:
                for row in measure(kind, count, engine, arguments.only, folder, address):
                    rows.append(row)
                    print("  ".join(f"{key} {value}" for key, value in row.items()), flush=True)
            shutil.rmtree(folder)
    is_new = not arguments.results.exists()
    with arguments.results.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        if is_new:
            writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
