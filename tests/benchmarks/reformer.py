"""Measures our Reformer beside the two that one can install, and beside fused full attention.

    python tests/benchmarks/reformer.py             # about two hours on two idle cores
    python tests/benchmarks/reformer.py --quick     # two minutes, short texts, nothing kept
    python tests/benchmarks/reformer.py --table     # print the kept rows, run nothing
    python tests/benchmarks/reformer.py --only step --lengths 4096 --depths 2 --sides epitome fused

Sides: *epitome* (our language model as it is set by default, local and lsh in turn, and the
program's own training step), *reformer-pytorch* (`pip install -c packaging/constraints.txt
reformer-pytorch`), *transformers* (`ReformerModelWithLMHead`, lsh and local in turn) and *fused*
(a plain pre-norm decoder on `scaled_dot_product_attention(is_causal=True)`). All have width 256,
4 heads, feed-forward 1,024, 2 rounds, buckets and chunks of 64, a vocabulary of 8,192, no dropout,
batch 1, fp32, 2 threads and Adam (fused). Peers have the settings that were fastest here: axial
positions; reformer-pytorch with half its heads local, and feed-forward in pieces of 512;
transformers with nothing in pieces, and its own number of buckets.

What is measured, each point in a fresh process, the sides in turn: *step*: a training step (loss
on all tokens, backward, update), its time, its peak memory above the process after its imports,
model and optimiser included, and the operations of its matrix products as executed. *growth*: the
same over depth. *task*: only the last 256 tokens carry loss; peers as they are, and *sliced*: only
those positions pass their head. *bf16*: our step in autocast beside fp32. *floor*: our step's
matrix products alone, each in its fastest layout into memory that is there; *recomputed* as if no
activations were kept, *kept* as if all were. *decode*: greedy, a token after a prompt.
*reformer-pytorch* has no cache and writes 3 tokens only.

Rows are added to `results/reformer.csv`; the table is made from it alone. *others*: how many cores
all other programs kept busy meanwhile; rows above 0.2 should be measured again (`--fresh` forgets
the kept rows).
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
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
RESULTS = Path(__file__).parent / "results" / "reformer.csv"
PEERS = ("reformer-pytorch", "transformers")
SIDES = ("epitome", *PEERS, "fused")
LENGTHS = (1_024, 2_048, 4_096, 8_192, 16_384, 24_576)
KINDS = ("step", "growth", "task", "bf16", "floor", "decode")
ONCE = ("fused", 24_576)  # minutes a process: measured in the first run only
COLUMNS = (
    "what", "side", "variant", "length", "depth", "run", "seconds", "first_s", "peak_mib",
    "state_mib", "baseline_mib", "parameters", "gflop", "gflop_per_s", "load_1min", "others",
    "started", "machine", "cores", "python", "torch", "package",
)  # fmt: skip
Row = dict[str, Any]


class Case(NamedTuple):
    """A point: what is measured, of which side, in which variant of it."""

    what: str
    side: str
    variant: str
    length: int
    depth: int


# --- what is measured ---


def cases() -> Iterator[Case]:
    """All points, the sides in turn."""
    for depth in (2, 6):
        for length in LENGTHS:
            yield from (Case("step", side, "", length, depth) for side in SIDES)
    for depth in (2, 4, 8):
        yield from (Case("growth", side, "", 8_192, depth) for side in SIDES)
    for side, variant in (
        ("epitome", ""), ("transformers", ""), ("transformers", "sliced"),
        ("reformer-pytorch", ""), ("reformer-pytorch", "sliced"),
    ):  # fmt: skip
        yield Case("task", side, variant, 16_384, 2)
    yield from (Case("bf16", "epitome", variant, 4_096, 2) for variant in ("fp32", "bf16"))
    for depth in (2, 6):
        for variant in ("recomputed", "kept"):
            yield Case("floor", "epitome", variant, 4_096, depth)
    for length in (4_096, 16_384):
        yield from (Case("decode", side, "", length, 2) for side in SIDES)


def chosen(arguments: argparse.Namespace) -> list[Case]:
    return [
        case
        for case in (quick(cases()) if arguments.quick else cases())
        if case.what in (arguments.only or KINDS)
        and case.side in (arguments.sides or SIDES)
        and case.length in (arguments.lengths or [case.length])
        and case.depth in (arguments.depths or [case.depth])
    ]


def quick(points: Iterable[Case]) -> list[Case]:
    """The same with short texts, each once."""
    shrunk = (case._replace(length=min(case.length, 1_024)) for case in points if case.depth == 2)
    return list(dict.fromkeys(shrunk))


def run_all(points: list[Case], runs: int, results: Path | None) -> Iterator[Row]:
    """Measures all points; what fails is told and left out."""
    for run in range(1, runs + 1):
        for case in points:
            if run > 1 and (case.side, case.length) == ONCE:
                continue
            start = {**case._asdict(), "run": run, **about(case.side)}
            found = child(case)
            if found is None:
                print(f"{run} FAILED: {' '.join(map(str, case))}", flush=True)
                continue
            row = {**start, **found}
            print(told(row), flush=True)
            if results:
                keep(row, results)
            yield row


def refuse_missing(sides: set[str]) -> None:
    """Ends with one sentence where a package is not installed."""
    modules = {"reformer-pytorch": "reformer_pytorch", "transformers": "transformers"}
    missing = [side for side in PEERS if side in sides and find_spec(modules[side]) is None]
    if missing:
        names = " ".join(missing)
        raise SystemExit(
            f"{names} is not installed, but is one of the sides. "
            f"Call pip install -c packaging/constraints.txt {names}, or leave it out with --sides."
        )


def child(case: Case) -> Row | None:
    """One measurement in a process of its own, and what disturbed it; None if it failed."""
    command = [sys.executable, "-W", "ignore", __file__, "--one", json.dumps(case)]
    threads = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "2")
    environment = {**os.environ, **threads, "PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1"}
    load_1min = os.getloadavg()[0]
    with disturbance() as others:
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        return None
    found: Row = json.loads(done.stdout.splitlines()[-1])
    return {**found, "load_1min": round(load_1min, 2), "others": others[0]}


@contextmanager
def disturbance() -> Iterator[list[float | None]]:
    """How many cores others kept busy meanwhile; None where the system does not tell."""
    found: list[float | None] = [None]
    start_s, busy_s, own_s = time.monotonic(), all_busy_s(), children_s()
    yield found
    if busy_s is not None and (end_s := all_busy_s()) is not None:
        theirs_s = (end_s - busy_s) - (children_s() - own_s)
        found[0] = round(max(0.0, theirs_s) / (time.monotonic() - start_s), 2)


def all_busy_s() -> float | None:
    """Processor seconds of everything since the machine's start, stolen ones too."""
    if not (stat := Path("/proc/stat")).exists():
        return None
    user, nice, system, _idle, _wait, irq, softirq, steal = stat.read_text("utf-8").split()[1:9]
    ticks = sum(map(int, (user, nice, system, irq, softirq, steal)))
    return ticks / os.sysconf("SC_CLK_TCK")


def children_s() -> float:
    times = os.times()
    return times.children_user + times.children_system


def about(side: str) -> Row:
    return {
        "started": datetime.now(UTC).isoformat(" ", "minutes").removesuffix("+00:00"),
        "machine": f"{platform.system()} {platform.machine()} {processor()}",
        "cores": os.cpu_count(), "python": platform.python_version(), "torch": version("torch"),
        "package": version(side) if side in PEERS else "",
    }  # fmt: skip


def processor() -> str:
    names = Path("/proc/cpuinfo")
    lines = names.read_text("utf-8").splitlines() if names.exists() else []
    found = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return found[0] if found else platform.processor()


def told(row: Row) -> str:
    case = f"{row['what']:7}{row['side']:17}{row['variant']:11}"
    found = f"{row['length']:>7,}{row['depth']:>3}{row['seconds']:>10.4f} s"
    memory = f"{row['peak_mib']:>8,.0f} MiB" if row.get("peak_mib") else ""
    return f"{row['run']} {case}{found}{memory}  load {row['load_1min']}, others {row['others']}"


def keep(row: Row, results: Path) -> None:
    results.parent.mkdir(parents=True, exist_ok=True)
    begun = results.exists()
    with results.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        if not begun:
            writer.writeheader()
        writer.writerow({key: rounded(value) for key, value in row.items()})


def rounded(value: Any) -> Any:
    return float(f"{value:.6g}") if isinstance(value, float) else value


def read_rows(results: Path) -> list[Row]:
    with results.open(newline="", encoding="utf-8") as file:
        rows: list[Row] = list(csv.DictReader(file))
    numbers = (*COLUMNS[5:16], "cores")
    for row in rows:
        row["length"], row["depth"] = int(row["length"]), int(row["depth"])
        row.update({name: float(row[name]) if row[name] else None for name in numbers})
    return rows


# --- the table ---


class Medians:
    """Medians of all rows of a point."""

    def __init__(self, rows: list[Row]) -> None:
        self._found: defaultdict[Case, list[Row]] = defaultdict(list)
        for row in rows:
            self._found[Case(*(row[name] for name in Case._fields))].append(row)

    def of(self, column: str, what: str, side: str, length: int, depth: int = 2,
           variant: str = "") -> float | None:  # fmt: skip
        rows = self._found.get(Case(what, side, variant, length, depth), [])
        values = [row[column] for row in rows if row.get(column) is not None]
        return statistics.median(values) if values else None

    def best(
        self, column: str, what: str, length: int, depth: int = 2, variant: str = ""
    ) -> float | None:
        """The least of the Reformer peers."""
        found = [self.of(column, what, peer, length, depth, variant) for peer in PEERS]
        return min((value for value in found if value is not None), default=None)

    def growth(self, side: str) -> float | None:
        """MiB from depth 2 to 8 at 8,192, weights, gradients and optimiser states taken off."""
        shallow, deep = (
            self.working("growth", side, 8_192, 2),
            self.working("growth", side, 8_192, 8),
        )
        return None if shallow is None or deep is None else deep - shallow

    def working(self, *point: Any) -> float | None:
        peak, state = self.of("peak_mib", *point), self.of("state_mib", *point)
        return None if peak is None or state is None else peak - state


def table(rows: list[Row]) -> str:
    """The issue's table in Markdown, then all steps."""
    found = Medians(rows)
    if not rows:
        return "Nothing was measured."
    lines = [
        "| | best peer | fused full | epitome | ratio to best peer | target |",
        "| --- | --- | --- | --- | --- | --- |",
        *wanted_steps(found), *task_lines(found), *bf16_lines(found), *memory_lines(found),
        *decoding_lines(found), *rate_lines(found),
    ]  # fmt: skip
    lines = [each for each in lines if set(each.split(" | ")[1:-1]) != {"–"}]
    return "\n".join(
        [*lines, "", *all_steps(found), "", *floor_lines(found), "", surroundings(rows)]
    )


def line(name: str, peer: float | None, fused: float | None, ours: float | None, unit: str,
         wanted: str, places: int = 2) -> str:  # fmt: skip
    """One line; fused and ours with their ratio to the peer."""
    ratio = f"**{ours / peer:.2f}**" if ours is not None and peer else "–"
    beside = f" ({fused / peer:.2f})" if fused is not None and peer else ""
    cells = [shown(peer, unit, places), shown(fused, unit, places) + beside]
    return f"| {name} | {' | '.join(cells)} | {shown(ours, unit, places)} | {ratio} | {wanted} |"


def shown(value: float | None, unit: str, places: int = 2) -> str:
    return "–" if value is None else f"{value:,.{places}f} {unit}"


def wanted_steps(found: Medians) -> Iterator[str]:
    for length, depth, wanted in ((4_096, 2, 0.52), (4_096, 6, 0.55), (16_384, 2, 0.40)):
        point = ("step", length, depth)
        fused, ours = (
            found.of("seconds", "step", side, length, depth) for side in ("fused", "epitome")
        )
        name = f"training step, {length:,}, depth {depth}"
        yield line(name, found.best("seconds", *point), fused, ours, "s", f"≤ {wanted:.2f}")


def task_lines(found: Medians) -> Iterator[str]:
    ours = found.of("seconds", "task", "epitome", 16_384)
    for variant, name, wanted in (
        ("", "peers unchanged", "≤ 0.25"), ("sliced", "peers with sliced hidden states", "–"),
    ):  # fmt: skip
        peer = found.best("seconds", "task", 16_384, 2, variant=variant)
        yield line(f"real task, 16,384, depth 2; {name}", peer, None, ours, "s", wanted)


def bf16_lines(found: Medians) -> Iterator[str]:
    fp32, bf16 = (
        found.of("seconds", "bf16", "epitome", 4_096, 2, each) for each in ("fp32", "bf16")
    )
    flops, rate = (
        found.of(name, "bf16", "epitome", 4_096, 2, "bf16") for name in ("gflop", "gflop_per_s")
    )
    if fp32 and bf16 and flops and rate:
        yield (
            "| bf16 autocast compared with our fp32 step, 4,096, depth 2 | – | – | "
            f"{bf16:.2f} s to {fp32:.2f} s; {flops / bf16 / rate:.2f} of the bf16 rate of "
            f"{rate:,.0f} GFLOP/s | **{bf16 / fp32:.2f}** | ≤ 0.65 |"
        )


def memory_lines(found: Medians) -> Iterator[str]:
    peak = ("peak_mib", "step", 16_384, 2)
    fused, ours = (found.of("peak_mib", "step", side, 16_384) for side in ("fused", "epitome"))
    name = "peak training memory over baseline, 16,384, depth 2"
    yield line(name, found.best(*peak), fused, ours, "MiB", "≤ 450 MiB", 0)
    for variant, also in (("", ""), ("sliced", ", peers sliced")):
        peer = found.best("peak_mib", "task", 16_384, 2, variant=variant)
        ours = found.of("peak_mib", "task", "epitome", 16_384)
        yield line(f"the same, real task{also}", peer, None, ours, "MiB", "≤ 400 MiB", 0)
    grown = [
        f"{growth:,.0f} ({peer})" for peer in PEERS if (growth := found.growth(peer)) is not None
    ]
    name = "growth from depth 2 to 8 at 8,192, without weights, gradients and optimiser states"
    fused, ours = (shown(found.growth(side), "MiB", 0) for side in ("fused", "epitome"))
    yield f"| {name}, MiB | {', '.join(grown) or '–'} | {fused} | {ours} | – | ≤ 40 MiB |"


def decoding_lines(found: Medians) -> Iterator[str]:
    ms: dict[tuple[str, int], float] = {}
    for length, wanted in ((4_096, "≤ 1.0 × fused"), (16_384, "≤ 0.4 × fused")):
        for side in SIDES:
            seconds = found.of("seconds", "decode", side, length)
            if seconds is not None:
                ms[side, length] = 1_000 * seconds
        peers = [f"{ms[peer, length]:,.1f} ({peer})" for peer in PEERS if (peer, length) in ms]
        ours, fused = ms.get(("epitome", length)), ms.get(("fused", length))
        ratio = f"**{ours / fused:.2f}** × fused" if ours and fused else "–"
        yield (
            f"| greedy decoding after {length:,}, ms per token | {', '.join(peers) or '–'} | "
            f"{shown(fused, 'ms')} | {shown(ours, 'ms')} | {ratio} | {wanted} |"
        )
    short, long = ms.get(("epitome", 4_096)), ms.get(("epitome", 16_384))
    if short and long:
        yield (
            f"| the same, ours at 16,384 relative to 4,096 | – | – | – | **{long / short:.2f}** "
            "| ≤ 1.15 |"
        )


def rate_lines(found: Medians) -> Iterator[str]:
    shares = {side: share(found, side) for side in SIDES}
    peers = [f"{shares[peer]:.2f} ({peer})" for peer in PEERS if shares[peer]]
    fused, ours = (f"{s:.2f}" if (s := shares[side]) else "–" for side in ("fused", "epitome"))
    yield (
        f"| executed matrix-product FLOPs / measured rate, 4,096, depth 2 | "
        f"{', '.join(peers) or '–'} | {fused} | {ours} | – | ≥ 0.6 |"
    )


def share(found: Medians, side: str) -> float | None:
    names = ("gflop", "seconds", "gflop_per_s")
    flops, seconds, rate = (found.of(name, "step", side, 4_096) for name in names)
    return flops / seconds / rate if flops and seconds and rate else None


def all_steps(found: Medians) -> Iterator[str]:
    """Seconds and MiB of every step."""
    yield "| length, depth | " + " | ".join(SIDES) + " | ratio to best peer |"
    yield "| --- " * (len(SIDES) + 2) + "|"
    for depth in (2, 6):
        for length in LENGTHS:
            cells = [step_cell(found, side, length, depth) for side in SIDES]
            if any(cell != "–" for cell in cells):
                ours, peer = (
                    found.of("seconds", "step", "epitome", length, depth),
                    found.best("seconds", "step", length, depth),
                )
                ratio = f"{ours / peer:.2f}" if ours and peer else "–"
                yield f"| {length:,}, {depth} | {' | '.join(cells)} | {ratio} |"


def step_cell(found: Medians, side: str, length: int, depth: int) -> str:
    seconds, peak = (
        found.of(name, "step", side, length, depth) for name in ("seconds", "peak_mib")
    )
    return "–" if seconds is None or peak is None else f"{seconds:.3g} s, {peak:,.0f} MiB"


def floor_lines(found: Medians) -> Iterator[str]:
    for depth in (2, 6):
        for variant in ("recomputed", "kept"):
            seconds, flops = (
                found.of(name, "floor", "epitome", 4_096, depth, variant)
                for name in ("seconds", "gflop")
            )
            step = found.of("seconds", "step", "epitome", 4_096, depth)
            if seconds and flops:
                yield (
                    f"- Lower bound at 4,096, depth {depth}, activations {variant}: "
                    f"{seconds:.2f} s for {flops:,.0f} GFLOP; our step {shown(step, 's')}."
                )


def surroundings(rows: list[Row]) -> str:
    loads, others = (
        [row[name] for row in rows if row[name] is not None] for name in ("load_1min", "others")
    )
    rates = [
        row["gflop_per_s"] for row in rows if row.get("gflop_per_s") and row["variant"] != "bf16"
    ]
    machine = ", ".join(sorted({f"{row['machine']}, {row['cores']:.0f} cores" for row in rows}))
    versions = sorted({f"{row['side']} {row['package']}" for row in rows if row["package"]})
    versions += sorted({f"Python {row['python']}, torch {row['torch']}" for row in rows})
    rate = f"; fp32 rate {min(rates):,.0f} to {max(rates):,.0f} GFLOP/s" if rates else ""
    beside = f", others' cores {min(others)} to {max(others)}" if others else ""
    times = [row["started"] for row in rows]
    return (
        f"{machine}; {', '.join(versions)}; load {min(loads)} to {max(loads)}{beside}{rate}; "
        f"{min(times)} to {max(times)} UTC."
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="short texts, one run, nothing kept")
    parser.add_argument("--runs", type=int, default=3, help="processes for each point")
    parser.add_argument("--only", nargs="+", choices=KINDS, help="what to measure")
    parser.add_argument("--lengths", nargs="+", type=int, help="only these lengths")
    parser.add_argument("--depths", nargs="+", type=int, help="only these depths")
    parser.add_argument("--sides", nargs="+", choices=SIDES, help="only these sides")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where rows are kept")
    parser.add_argument("--fresh", action="store_true", help="forget the kept rows first")
    parser.add_argument("--table", action="store_true", help="print the kept rows, run nothing")
    parser.add_argument("--one", type=json.loads, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        return measure_one(Case(*arguments.one))
    if not arguments.table:
        points = chosen(arguments)
        refuse_missing({case.side for case in points})
        if arguments.quick:
            print("\n" + table(list(run_all(points, 1, None))))
            return 0
        if arguments.fresh:
            arguments.results.unlink(missing_ok=True)
        for _ in run_all(points, arguments.runs, arguments.results):
            pass
    if not arguments.results.exists():
        raise SystemExit(f"No rows were kept: {arguments.results} is not there.")
    print("\n" + table(read_rows(arguments.results)))
    return 0


def measure_one(case: Case) -> int:
    from tests.benchmarks import reformer_measures

    print(json.dumps(reformer_measures.measured(case)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
