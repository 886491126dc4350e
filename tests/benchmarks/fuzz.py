"""Reads thousands of hostile files of every format, in bounded time and memory.

    python tests/benchmarks/fuzz.py --cases 20000 --seed 1
    python tests/benchmarks/fuzz.py --cases 20000 --seed 1 --formats pdf docx
    python tests/benchmarks/fuzz.py --models --cases 2000 --seed 1

A row a format goes to `results/fuzz.csv`, in place of that of the same seed. A finding is
anything but a document or a refusal in words: a crash, a hang, another error, a reach for the
network or for another file. A case is read again by its number with ``--only``. A tenth of the
cases repeat, nest or inflate one element; with ``--attacks`` each such family is tried once, with
as much of the element as does most harm, and its rows have the seed "attacks". With ``--models``
the cases are models of others: GGUF files, folders of encoder-decoders and of chat models, and a
PEGASUS that is converted.

What came of each case is noted in a file (``--notes``) as it comes: a round that was ended is gone
on with by the same command.
"""

import argparse
import csv
import json
import os
import platform
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.helpers.attacks import ATTACKS
from tests.helpers.fuzzing import Outcome, run_cases, run_models
from tests.helpers.hostile_files import FIRST_ATTACK, format_of_case, make_case
from tests.helpers.hostile_models import KINDS
from tests.helpers.model_child import bases
from tests.helpers.model_child import format_of_case as kind_of_case

RESULTS = Path(__file__).parent / "results" / "fuzz.csv"
COLUMNS = (
    "format", "cases", "documents", "refusals", "findings", "slowest_s", "peak_mib", "seed",
    "machine", "cores", "python",
)  # fmt: skip


def main() -> None:
    """Runs the cases, tells findings as they come, writes the table."""
    options = _options()
    seed = "attacks" if options.attacks else str(options.seed)
    notes = options.notes or Path(tempfile.gettempdir()) / f"epitome-fuzz-{options.name}.jsonl"
    found: dict[str, list[Outcome]] = defaultdict(list)
    done = set()
    if not options.only:
        for outcome in _noted(notes):
            found[outcome.format].append(outcome)
            done.add(outcome.number)
        print(f"{len(done)} cases were noted in {notes}", flush=True)
    numbers = [number for number in _numbers(options) if number not in done]
    start = time.monotonic()
    with notes.open("a", encoding="utf-8") as file:
        for count, outcome in enumerate(_run(numbers, options), 1):
            found[outcome.format].append(outcome)
            if not options.only:
                file.write(f"{json.dumps(asdict(outcome))}\n")
                file.flush()
            if outcome.what or outcome.seconds > options.limit / 4 or options.only:
                told = f"{outcome.outcome} {outcome.what} {outcome.seconds:.1f} s"
                print(f"{outcome.number} {outcome.format}: {told}", flush=True)
            if count % 500 == 0:
                print(f"{count} cases, {time.monotonic() - start:.0f} s", flush=True)
                if not options.only:
                    _write(found, seed)
    if options.save:
        for number in options.only:
            case = make_case(number, options.seed)
            (options.save / f"{number}-{case.name}").write_bytes(case.data)
    if not options.only:
        _write(found, seed)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--limit", type=float, default=30.0, help="seconds a case may take")
    parser.add_argument("--only", type=int, nargs="*", default=[], help="numbers of cases")
    parser.add_argument("--formats", nargs="*", default=[], help="only cases of these")
    parser.add_argument("--attacks", action="store_true", help="the largest of each family")
    parser.add_argument("--models", action="store_true", help="models, not documents")
    parser.add_argument("--notes", type=Path, help="the file of what came of each case")
    parser.add_argument("--save", type=Path, help="a folder for the files of --only")
    options = parser.parse_args()
    kind = "models" if options.models else "attacks" if options.attacks else "files"
    options.name = f"{kind}-{options.seed}"
    return options


def _numbers(options: argparse.Namespace) -> Iterator[int]:
    numbers: Iterable[int] = options.only or range(options.cases)
    if options.attacks:
        numbers = range(FIRST_ATTACK, FIRST_ATTACK + len(ATTACKS))
    format_of = kind_of_case if options.models else format_of_case
    for number in numbers:
        if not options.formats or format_of(number) in options.formats:
            yield number


def _run(numbers: list[int], options: argparse.Namespace) -> Iterator[Outcome]:
    how = {"processes": options.processes, "limit_s": options.limit}
    if not options.models:
        yield from run_cases(numbers, options.seed, **how)
        return
    with tempfile.TemporaryDirectory() as folder:
        yield from run_models(numbers, options.seed, bases(Path(folder)), **how)


def _noted(file: Path) -> Iterator[Outcome]:
    """What a round that was ended has noted."""
    for line in file.read_text("utf-8").splitlines() if file.exists() else ():
        yield Outcome(**json.loads(line))


def _write(found: dict[str, list[Outcome]], seed: str) -> None:
    """Writes the rows of a seed; those of other seeds stay."""
    machine = (platform.machine(), os.cpu_count(), platform.python_version())
    keys = sorted(set(found) - {"all"})
    new = [[key, *_row(found[key]), seed, *machine] for key in keys]
    is_of_models = bool(set(keys) & set(KINDS))
    told = "all models" if is_of_models else "all"
    new.append([told, *_row(list(chain(*found.values()))), seed, *machine])
    replaced = {(row[0], row[COLUMNS.index("seed")]) for row in new}
    rows = [row for row in _kept_rows() if (row[0], row[COLUMNS.index("seed")]) not in replaced]
    rows += new
    with RESULTS.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows])


def _kept_rows() -> list[list[Any]]:
    if not RESULTS.exists():
        return []
    with RESULTS.open(newline="", encoding="utf-8") as file:
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
