"""Times reading files, beside another tree of this program: an older one, or one without a change.

    git worktree add ../before 4eb58100
    python tests/benchmarks/reading.py ../before                  # all formats
    python tests/benchmarks/reading.py ../before --suffix html md # some

Each run is a fresh process, the trees in turn; in it each file of `../shared/data/files` is read
several times, and the least CPU time counts. The least of all runs goes to `results/reading.csv`,
a row a file; the median ratio of each format is printed.
"""

import argparse
import csv
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = ROOT / "../shared/data/files"
RESULTS = Path(__file__).parent / "results" / "reading.csv"
COLUMNS = (
    "suffix", "file", "other", "other_ms", "own_ms", "ratio", "load_1min", "machine", "python",
)  # fmt: skip
SKIPPED = ("scan-", "court-transcript", "password", "index")  # minutes, or no text


def time_reading(paths: list[Path], repeats: int) -> dict[str, float]:
    """The least CPU time of each file in milliseconds, in this process."""
    from core.documents.readers.door import read_bytes
    from core.errors import EpitomeError
    from core.stop import StopToken

    times = {}
    for path in paths:
        data = path.read_bytes()
        runs = []
        for _ in range(repeats + 1):  # the first one also imports and compiles
            start = time.process_time()
            with suppress(EpitomeError):  # a refusal takes time, too
                for _ in read_bytes(data, path.name, StopToken()):
                    pass
            runs.append(1000 * (time.process_time() - start))
        times[path.name] = min(runs[1:])
    return times


def run_child(tree: Path, paths: list[Path], repeats: int) -> dict[str, float]:
    """The times of a tree, measured in a process of its own."""
    command = [sys.executable, __file__, "--child", "--repeats", str(repeats), *map(str, paths)]
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    done = subprocess.run(command, env=environment, cwd=tree, stdout=subprocess.PIPE, check=True)
    return dict(json.loads(done.stdout))


def main() -> None:
    """Measures both trees and writes the rows."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("paths", nargs="+", type=Path, metavar="TREE", help="the other tree")
    parser.add_argument("--suffix", nargs="*", default=[], help="only files with these suffixes")
    parser.add_argument("--rounds", type=int, default=3, help="processes for each tree")
    parser.add_argument("--repeats", type=int, default=3, help="reads of a file in a process")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(time_reading(options.paths, options.repeats)))
        return
    other = options.paths[0].resolve()
    files = [
        path.resolve()
        for path in sorted(FILES.iterdir())
        if not path.name.startswith(SKIPPED)
        and (not options.suffix or path.suffix.removeprefix(".") in options.suffix)
    ]
    least: dict[Path, dict[str, float]] = {other: {}, ROOT: {}}
    for _ in range(options.rounds):
        for tree, times in least.items():
            for name, value in run_child(tree, files, options.repeats).items():
                times[name] = min(value, times.get(name, value))
    ratios: dict[str, list[float]] = defaultdict(list)
    commit = subprocess.check_output(["git", "rev-parse", "--short", "HEAD"], cwd=other, text=True)
    with RESULTS.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(COLUMNS)
        for path in sorted(files, key=lambda path: (path.suffix, path.name)):
            before, after = least[other][path.name], least[ROOT][path.name]
            ratios[path.suffix].append(after / before)
            writer.writerow(
                (
                    *(path.suffix.removeprefix("."), path.name, commit.strip(), f"{before:.2f}"),
                    *(f"{after:.2f}", f"{after / before:.2f}", f"{os.getloadavg()[0]:.1f}"),
                    *(platform.processor() or platform.machine(), platform.python_version()),
                )
            )
    for suffix, values in ratios.items():
        print(f"{suffix:6} {statistics.median(values):.2f} of the time, {len(values)} files")


if __name__ == "__main__":
    main()
