"""Times gap sentences: ours beside the paper's own algorithms, and draws its figures 3 to 5.

    python tests/benchmarks/gsg.py            # about 5 minutes
    python tests/benchmarks/gsg.py --quick    # about a minute, small sizes, nothing kept

Sides: *epitome* (our fast algorithms), *paper* (Algorithms 1 to 3 with their memo table, word for
word, on `rouge_score`), *unmemoised* (the same without the table) and *exact paper*
(`--algorithm paper`: the memo table over whole numbers). Times are of the selection alone, after
words were found, with bags and indexes built anew; ratio 0.3. Every row is a fresh process with
one thread, warmed on a small text, sides in turn, the slow
sides' largest text once. *random* is the paper's text: letters, space
and full stop, the space five times as likely as any other character. *books* is real text from
`../shared/data`. Rows go to `results/gsg.csv`, figures to `docs/pictures`.
"""

import argparse
import csv
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.documents.sentences import split_paragraph
from core.events import result_of
from core.gsg.selection import num_picks, select
from core.gsg.settings import GapSentenceSettings
from core.gsg.tokens import Tokens, tokenise
from core.stop import StopToken

ROOT = Path(__file__).parents[2]
BOOKS = ROOT / "../shared/data/corpus/books.parquet"
RESULTS = Path(__file__).parent / "results" / "gsg.csv"
PICTURES = ROOT / "docs" / "pictures"
STRATEGIES = (
    "independent-document", "sequential-document", "independent-pairwise", "sequential-pairwise",
)  # fmt: skip
PAIRWISE = STRATEGIES[2:]
RANDOM = (
    2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000,
    5_000_000,
)  # fmt: skip
REAL = (100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000)
# Sizes that end in about a minute.
SIZES = {
    ("epitome", "random"): RANDOM,
    ("epitome", "books"): REAL,
    ("exact paper", "random"): (2_000, 5_000, 10_000),
    ("paper", "random"): (2_000, 5_000, 10_000),
    ("unmemoised", "random"): (500, 1_000, 2_000, 4_000),
}
QUICK = {
    ("epitome", "random"): (2_000, 10_000, 50_000, 500_000),
    ("epitome", "books"): (100_000, 500_000),
    ("exact paper", "random"): (2_000, 5_000),
    ("paper", "random"): (2_000, 4_000),
    ("unmemoised", "random"): (500, 1_000),
}
# Seconds allowed on an idle machine, by characters of random text.
ALLOWED = {
    "sequential-pairwise": {50_000: 0.015, 500_000: 0.18, 5_000_000: 8.0},
    "sequential-document": {50_000: 0.02, 500_000: 0.2, 5_000_000: 6.0},
    "independent-pairwise": {50_000: 0.003, 500_000: 0.036, 5_000_000: 1.6},
    "independent-document": {50_000: 0.004, 500_000: 0.04, 5_000_000: 1.2},
}
COLUMNS = (
    "side", "text", "strategy", "run", "characters", "sentences", "picks", "seconds",
    "picks_hash", "load_1min", "machine", "cores", "python", "numpy",
)  # fmt: skip
Row = dict[str, Any]


# --- texts ---


def random_sentences(num_characters: int) -> list[str]:
    letters = "abcdefghijklmnopqrstuvwxyz. "
    drawn = random.Random(0).choices(letters, [1] * 27 + [5], k=num_characters)
    return "".join(drawn).split(".")


def book_sentences(num_characters: int) -> list[str]:
    from pyarrow.parquet import read_table

    text = "\n\n".join(read_table(BOOKS, columns=["text"])["text"].to_pylist())[:num_characters]
    return [
        paragraph[start:end]
        for paragraph in text.split("\n\n")
        for start, end in split_paragraph(paragraph)
    ]


TEXTS = {"random": random_sentences, "books": book_sentences}


# --- the paper, word for word ---


class Paper:
    """Algorithms 1 to 3 on `rouge_score`, with the memo table or without."""

    def __init__(self, sentences: list[str], memoised: bool) -> None:
        from rouge_score.rouge_scorer import RougeScorer

        self.sentences = sentences
        self.scorer = RougeScorer(["rouge1"])
        self.memoised = memoised
        self.table: dict[tuple[int, int], float] = {}

    def rouge(self, hypothesis: int, reference: int) -> float:
        pair = (hypothesis, reference)
        if self.memoised and pair in self.table:
            return self.table[pair]
        score = self.scorer.score(self.sentences[reference], self.sentences[hypothesis])
        f1: float = score["rouge1"].fmeasure
        if self.memoised:
            self.table[pair] = f1
        return f1

    def many(self, hypotheses: Sequence[int], references: Sequence[int]) -> float:
        means = [
            statistics.fmean([self.rouge(h, r) for r in references]) if references else 0.0
            for h in hypotheses
        ]
        return statistics.fmean(means)

    def sequential(self, count: int) -> list[int]:
        chosen: list[int] = []
        everything = range(len(self.sentences))
        for _ in range(count):
            scores = []
            for each in everything:
                if each in chosen:
                    scores.append(-1.0)
                    continue
                now = [*chosen, each]
                scores.append(self.many(now, [at for at in everything if at not in now]))
            chosen.append(scores.index(max(scores)))
        return chosen

    def independent(self, count: int) -> list[int]:
        everything = range(len(self.sentences))
        scores = [self.many([each], [at for at in everything if at != each]) for each in everything]
        return sorted(everything, key=lambda at: -scores[at])[:count]


# --- one measurement, in a process of its own ---


def tokens_of(sentences: list[str]) -> Tokens:
    return result_of(tokenise(sentences, StopToken()))


def pick_ours(side: str, strategy: str, sentences: list[str]) -> tuple[float, Sequence[int]]:
    algorithm = "paper" if side == "exact paper" else "fast"
    settings = GapSentenceSettings.checked({"strategy": strategy, "algorithm": algorithm})
    tokens, stop = tokens_of(sentences), StopToken()
    result_of(select(tokens_of(random_sentences(1_000)), settings, stop))  # warms up
    start = time.perf_counter()
    selection = result_of(select(tokens, settings, stop))
    return time.perf_counter() - start, selection.picked


def pick_theirs(side: str, strategy: str, sentences: list[str]) -> tuple[float, Sequence[int]]:
    scorable = [at for at, n in enumerate(tokens_of(sentences).lengths.tolist()) if n]
    paper = Paper([sentences[at] for at in scorable], side == "paper")
    count = num_picks(len(scorable), GapSentenceSettings())
    start = time.perf_counter()
    run = paper.sequential if strategy.startswith("sequential") else paper.independent
    picks = run(count)
    return time.perf_counter() - start, [scorable[pick] for pick in picks]


def measure(side: str, text: str, strategy: str, characters: int) -> Row:
    sentences = TEXTS[text](characters)
    pick = pick_theirs if side in ("paper", "unmemoised") else pick_ours
    seconds, picks = pick(side, strategy, sentences)
    return {
        "sentences": len(sentences),
        "picks": len(picks),
        "seconds": round(seconds, 6),
        "picks_hash": f"{hash(tuple(picks)) & 0xFFFFFFFF:08x}",
    }


# --- all measurements ---


def cases(sizes: dict[tuple[str, str], tuple[int, ...]]) -> Iterator[tuple[str, str, str, int]]:
    """Small sizes first, the sides in turn."""
    everything = sorted({size for many in sizes.values() for size in many})
    for size in everything:
        for (side, text), many in sizes.items():
            if size in many and (text != "books" or BOOKS.exists()):
                for strategy in STRATEGIES if side == "epitome" else PAIRWISE:
                    yield side, text, strategy, size


def run_all(sizes: dict[tuple[str, str], tuple[int, ...]], runs: int) -> list[Row]:
    about = {
        "machine": f"{platform.system()} {platform.machine()} {processor()}",
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }
    rows = []
    for run in range(1, runs + 1):
        for side, text, strategy, size in cases(sizes):
            slow = side != "epitome" and size == max(sizes[side, text])
            if run > 1 and slow:
                continue
            row = {
                "side": side, "text": text, "strategy": strategy, "run": run, "characters": size,
                "load_1min": round(os.getloadavg()[0], 2), **about,
                **child(side, text, strategy, size),
            }  # fmt: skip
            rows.append(row)
            print(
                f"{run} {side:12} {text:7}{strategy:22}{size:>10,} {row['seconds']:>11.4f} s",
                flush=True,
            )
    return rows


def child(side: str, text: str, strategy: str, size: int) -> Row:
    command = [sys.executable, __file__, "--one", side, text, strategy, str(size)]
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    environment = {**os.environ, **threads, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    row: Row = json.loads(done.stdout)
    return row


def processor() -> str:
    names = Path("/proc/cpuinfo")
    lines = names.read_text("utf-8").splitlines() if names.exists() else []
    found = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return found[0] if found else platform.processor()


# --- what it says ---


def medians(rows: list[Row]) -> dict[tuple[str, str, str], dict[int, float]]:
    seconds: defaultdict[tuple[str, str, str, int], list[float]] = defaultdict(list)
    for row in rows:
        seconds[row["side"], row["text"], row["strategy"], row["characters"]].append(row["seconds"])
    curves: defaultdict[tuple[str, str, str], dict[int, float]] = defaultdict(dict)
    for (side, text, strategy, size), times in seconds.items():
        curves[side, text, strategy][size] = statistics.median(times)
    return curves


def exponent(curve: dict[int, float]) -> float:
    sizes, times = np.log(list(curve)), np.log(list(curve.values()))
    return float(np.polyfit(sizes, times, 1)[0])


def report(rows: list[Row]) -> None:
    curves = medians(rows)
    loads = [row["load_1min"] for row in rows]
    print(f"\n{rows[0]['machine']}, {rows[0]['cores']} cores, Python {rows[0]['python']}, ", end="")
    print(f"numpy {rows[0]['numpy']}; load {min(loads)} to {max(loads)}\n")
    print(f"{'side':13}{'text':8}{'strategy':23}{'exponent':>8}  median seconds by characters")
    for (side, text, strategy), curve in curves.items():
        times = "  ".join(f"{size:,}: {seconds:.4g}" for size, seconds in curve.items())
        print(f"{side:13}{text:8}{strategy:23}{exponent(curve):8.2f}  {times}")
    report_ratios(curves)
    report_picks(rows)


def report_ratios(curves: dict[tuple[str, str, str], dict[int, float]]) -> None:
    for (side, text, strategy), curve in curves.items():
        if side == "epitome":
            continue
        ours = curves["epitome", text, strategy]
        both = [size for size in curve if size in ours]
        if both:
            ratio = curve[both[-1]] / ours[both[-1]]
            print(f"{strategy} at {both[-1]:,}: {side} takes {ratio:,.0f} times as long as ours")
    for strategy, limits in ALLOWED.items():
        for size, limit in limits.items():
            seconds = curves["epitome", "random", strategy].get(size)
            if seconds is not None:
                kept = "kept" if seconds <= limit else "NOT KEPT"
                print(f"{strategy} at {size:,}: {seconds:.4f} s of {limit} s allowed, {kept}")


def report_picks(rows: list[Row]) -> None:
    """Whether all sides picked the same sentences in the same order."""
    picks: defaultdict[tuple[str, int], dict[str, set[str]]] = defaultdict(dict)
    for row in rows:
        if row["text"] == "random" and row["strategy"] in PAIRWISE:
            case = picks[row["strategy"], row["characters"]]
            case.setdefault(row["side"], set()).add(row["picks_hash"])
    for (strategy, size), sides in picks.items():
        others = [side for side in sides if side != "epitome"]
        if "epitome" in sides and others:
            same = [side for side in others if sides[side] == sides["epitome"]]
            differ = [side for side in others if side not in same]
            print(f"{strategy} at {size:,}: same picks as {same}; others than {differ}")


# --- figures ---


def draw(rows: list[Row]) -> None:
    import matplotlib

    matplotlib.use("Agg")
    curves = medians(rows)
    figure(curves, "gsg-figure-3", "Sequential gap sentences", "sequential-pairwise",
           ("paper", "exact paper", "epitome"), log=False)  # fmt: skip
    figure(curves, "gsg-figure-4", "Sequential gap sentences, memoised and not",
           "sequential-pairwise", ("unmemoised", "paper", "exact paper", "epitome"))  # fmt: skip
    figure(curves, "gsg-figure-5", "Independent gap sentences", "independent-pairwise",
           ("unmemoised", "paper", "exact paper", "epitome"))  # fmt: skip


COLOURS = {
    "unmemoised": "#8a6d3b", "paper": "#b3541e", "exact paper": "#7a7a8c", "epitome": "#2457a6",
}  # fmt: skip
LABELS = {
    "unmemoised": "the paper, no memo table",
    "paper": "the paper's algorithm on rouge-score",
    "exact paper": "Epitome, --algorithm paper",
    "epitome": "Epitome",
}


def figure(
    curves: dict[tuple[str, str, str], dict[int, float]],
    name: str,
    title: str,
    strategy: str,
    sides: Sequence[str],
    log: bool = True,
) -> None:
    import matplotlib.pyplot as plt

    canvas, axes = plt.subplots(figsize=(7, 4.4), dpi=120, layout="constrained")
    for side in sides:
        curve = curves.get((side, "random", strategy), {})
        shown = [size for size in curve if log or size <= 50_000]
        label = f"{LABELS[side]} (grows as n^{exponent(curve):.2f})"
        axes.plot(
            shown, [curve[size] for size in shown], "o-", color=COLOURS[side], label=label, ms=4
        )
    if strategy.startswith("sequential") and log:
        curve = curves["epitome", "random", "sequential-document"]
        label = f"Epitome, sequential-document (n^{exponent(curve):.2f})"
        axes.plot(list(curve), list(curve.values()), "s--", color="#5b8f3a", label=label, ms=4)
    if log:
        axes.set(xscale="log", yscale="log")
    axes.set(title=title, xlabel="characters of random text", ylabel="seconds (median)")
    axes.grid(alpha=0.25)
    axes.legend(frameon=False, fontsize=8)
    PICTURES.mkdir(parents=True, exist_ok=True)
    canvas.savefig(PICTURES / f"{name}.png")
    plt.close(canvas)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, one run, nothing kept")
    parser.add_argument("--runs", type=int, default=3, help="processes for each case")
    parser.add_argument("--draw", action="store_true", help="draw from the kept rows, run nothing")
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        side, text, strategy, size = arguments.one
        print(json.dumps(measure(side, text, strategy, int(size))))
        return 0
    if arguments.draw:
        rows = read_rows()
    else:
        rows = run_all(
            QUICK if arguments.quick else SIZES, 1 if arguments.quick else arguments.runs
        )
    report(rows)
    if not BOOKS.exists():
        print(f"No real text was measured: {BOOKS} is not there.")
    if not arguments.quick:
        keep(rows)
        draw(rows)
    return 0


def keep(rows: list[Row]) -> None:
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    with RESULTS.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)


def read_rows() -> list[Row]:
    with RESULTS.open(newline="", encoding="utf-8") as file:
        rows: list[Row] = list(csv.DictReader(file))
    for row in rows:
        row["characters"] = int(row["characters"])
        row["seconds"], row["load_1min"] = float(row["seconds"]), float(row["load_1min"])
    return rows


if __name__ == "__main__":
    sys.exit(main())
