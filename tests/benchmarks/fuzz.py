"""Reads thousands of hostile files of every format, in bounded time and memory.

    python tests/benchmarks/fuzz.py --cases 12000 --seed 1

A row a format goes to `results/fuzz.csv`, in place of those of the same seed. A finding is
anything but a document or a refusal in words: a crash, a hang, another error, a reach for the
network or for another file. A case is read again by its number with ``--only``. A tenth of the
cases repeat, nest or inflate one element; with ``--attacks`` each such family is tried once, with
as much of the element as does most harm, and its rows have the seed "attacks".
"""

import argparse
import csv
import os
import platform
import sys
import time
from collections import defaultdict
from itertools import chain
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.helpers.attacks import ATTACKS
from tests.helpers.fuzzing import Outcome, run_cases
from tests.helpers.hostile_files import FIRST_ATTACK, make_case

RESULTS = Path(__file__).parent / "results" / "fuzz.csv"
COLUMNS = (
    "format", "cases", "documents", "refusals", "findings", "slowest_s", "peak_mib", "seed",
    "machine", "cores", "python",
)  # fmt: skip


def main() -> None:
    """Runs the cases, tells findings as they come, writes the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=12_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--limit", type=float, default=20.0, help="seconds a case may take")
    parser.add_argument("--only", type=int, nargs="*", default=[], help="numbers of cases")
    parser.add_argument("--attacks", action="store_true", help="the largest of each family")
    parser.add_argument("--save", type=Path, help="a folder for the files of --only")
    options = parser.parse_args()
    numbers = options.only or range(options.cases)
    if options.attacks:
        numbers = range(FIRST_ATTACK, FIRST_ATTACK + len(ATTACKS))
    found: dict[str, list[Outcome]] = defaultdict(list)
    start = time.monotonic()
    for count, outcome in enumerate(
        run_cases(numbers, options.seed, processes=options.processes, limit_s=options.limit), 1
    ):
        found[outcome.format].append(outcome)
        if outcome.what or outcome.seconds > options.limit / 4 or outcome.number in options.only:
            told = f"{outcome.outcome} {outcome.what} {outcome.seconds:.1f} s"
            print(f"{outcome.number} {outcome.format}: {told}", flush=True)
        if count % 500 == 0:
            print(f"{count} cases, {time.monotonic() - start:.0f} s", flush=True)
    if options.save:
        for number in options.only:
            case = make_case(number, options.seed)
            (options.save / f"{number}-{case.name}").write_bytes(case.data)
    if not options.only:
        _write(found, "attacks" if options.attacks else str(options.seed))


def _write(found: dict[str, list[Outcome]], seed: str) -> None:
    """Writes the rows of a seed; those of other seeds stay."""
    machine = (platform.machine(), os.cpu_count(), platform.python_version())
    rows = [row for row in _kept_rows() if row[COLUMNS.index("seed")] != seed]
    for key in sorted(set(found) - {"all"}):
        rows.append([key, *_row(found[key]), seed, *machine])
    rows.append(["all", *_row(list(chain(*found.values()))), seed, *machine])
    with RESULTS.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows])


def _kept_rows() -> list[list[Any]]:
    if not RESULTS.exists():
        return []
    with RESULTS.open(newline="") as file:
        return list(csv.reader(file))[1:]


def _row(outcomes: list[Outcome]) -> tuple[object, ...]:
    counts = [
        sum(one.outcome == what for one in outcomes) for what in ("document", "refusal", "finding")
    ]
    slowest = max((one.seconds for one in outcomes), default=0.0)
    peak = max((one.peak_mib for one in outcomes), default=0.0)
    return (sum(one.number >= 0 for one in outcomes), *counts, f"{slowest:.2f}", f"{peak:.0f}")


if __name__ == "__main__":
    main()
