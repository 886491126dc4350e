"""Times ROUGE over 10,000 pairs, beside `rouge_score` called in a loop.

    python tests/benchmarks/rouge.py            # about 20 minutes
    python tests/benchmarks/rouge.py --quick    # 500 pairs, one run, nothing kept

A pair is a summary that people wrote and, as its prediction, sentences of the document beside it,
as many as make up the same number of words; each sentence stands on its own line. All summaries of
`../shared/data/pairs` are taken, and again with sentences from further on in their documents, until
there are enough. Both sides find ROUGE-1 to 4, L and Lsum and count the words of both texts, with
stemming and without. Each run is a fresh process, the sides in turn, and its imports are not timed;
each run's scores are summed up, so that both sides are seen to find the same. A row a run goes to
`results/rouge.csv`.
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
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PAIRS = ROOT / "../shared/data/pairs"
RESULTS = Path(__file__).parent / "results" / "rouge.csv"
NUM_PAIRS, NUM_QUICK, NUM_RUNS = 10_000, 500, 3
TYPES = ("1", "2", "3", "4", "L", "Lsum")
COLUMNS = (
    "side", "stem", "run", "pairs", "words", "seconds", "cpu_seconds", "sum_of_f1", "load_1min",
    "machine", "cores", "python",
)  # fmt: skip
Pair = tuple[str, str]
Row = dict[str, Any]


# --- pairs ---


def sentences_of(text: str) -> list[str]:
    from core.documents.sentences import split_paragraph

    return [line[start:end] for line in text.split("\n") for start, end in split_paragraph(line)]


def summaries_and_documents() -> list[tuple[list[str], list[str]]]:
    """The sentences of each summary, and of the document that it is of."""
    from pyarrow.parquet import read_table

    files = sorted(PAIRS.glob("*/*.parquet"))
    rows = [row for file in files for row in read_table(file).to_pylist()]
    return [(sentences_of(row["summary"]), sentences_of(row["document"])) for row in rows]


def pairs_of(num_pairs: int) -> list[Pair]:
    return list(islice(endless_pairs(), num_pairs))


def endless_pairs() -> Iterator[Pair]:
    texts = summaries_and_documents()
    for turn in count():
        for summary, document in texts:
            wished = sum(len(sentence.split()) for sentence in summary)
            yield "\n".join(taken(document, turn * len(summary), wished)), "\n".join(summary)


def taken(sentences: list[str], start: int, num_words: int) -> Iterator[str]:
    for sentence in sentences[start % len(sentences) :]:
        if num_words <= 0:
            return
        num_words -= len(sentence.split())
        yield sentence


# --- one measurement, in a process of its own ---


def run_ours(pairs: list[Pair], stem: bool) -> tuple[float, int]:
    from core.documents.document import count_words
    from core.metrics.rouge import Rouge

    rouge = Rouge(TYPES, stem=stem)
    total, words = 0.0, 0
    for prediction, reference in pairs:
        scores = rouge.score(prediction, reference)
        total += sum(score.f1 for score in scores.values())
        words += count_words(prediction) + count_words(reference)
    return total, words


def run_theirs(pairs: list[Pair], stem: bool) -> tuple[float, int]:
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer([f"rouge{name}" for name in TYPES], use_stemmer=stem)
    total, words = 0.0, 0
    for prediction, reference in pairs:
        scores = scorer.score(target=reference, prediction=prediction)
        total += sum(score.fmeasure for score in scores.values())
        words += len(prediction.split()) + len(reference.split())
    return total, words


SIDES: dict[str, Callable[[list[Pair], bool], tuple[float, int]]] = {
    "epitome": run_ours,
    "rouge_score": run_theirs,
}


def measure(side: str, stem: bool, num_pairs: int) -> Row:
    pairs = pairs_of(num_pairs)
    SIDES[side]([("It is warm.", "It was warm.")], stem)  # imports what is needed
    start, cpu_start = time.perf_counter(), time.process_time()
    total, words = SIDES[side](pairs, stem)
    seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - cpu_start
    return {
        "pairs": len(pairs),
        "words": words,
        "seconds": round(seconds, 3),
        "cpu_seconds": round(cpu_seconds, 3),
        "sum_of_f1": round(total, 6),
    }


# --- all measurements ---


def run_all(num_pairs: int, num_runs: int) -> Iterator[Row]:
    for run in range(1, num_runs + 1):
        for stem in (0, 1):
            for side in SIDES:
                load = round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else ""
                row = {"side": side, "stem": stem, "run": run, **child(side, stem, num_pairs)}
                row |= {"load_1min": load, "machine": machine(), "cores": os.cpu_count()}
                print(f"{run} {side:12} stem {stem} {row['seconds']:>9.2f} s  load {load}")
                yield row | {"python": platform.python_version()}


def child(side: str, stem: int, num_pairs: int) -> Row:
    command = [sys.executable, __file__, "--one", side, str(stem), str(num_pairs)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    row: Row = json.loads(done.stdout)
    return row


def machine() -> str:
    """The processor's name where the system tells it."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def write_rows(rows: list[Row]) -> None:
    with RESULTS.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)


def report(rows: list[Row]) -> None:
    words = rows[0]["words"] / rows[0]["pairs"] / 2
    print(f"\n{rows[0]['pairs']:,} pairs, {words:.0f} words a text; {rows[0]['machine']}, ", end="")
    print(f"{rows[0]['cores']} cores, Python {rows[0]['python']}")
    for stem in (0, 1):
        some = [row for row in rows if row["stem"] == stem]
        same = len({row["sum_of_f1"] for row in some}) == 1
        print(f"{'stems' if stem else 'words'}: sums of all F1 {'equal' if same else 'NOT EQUAL'}")
        for what in ("seconds", "cpu_seconds"):
            ours, theirs = (
                statistics.median(row[what] for row in some if row["side"] == side)
                for side in SIDES
            )
            told = f"epitome {ours:.2f}, rouge_score {theirs:.2f}"
            print(f"  {what:12} {told}: {theirs / ours:.1f} times as long")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few pairs, one run, nothing kept")
    parser.add_argument("--runs", type=int, default=NUM_RUNS, help="how often each side runs")
    parser.add_argument("--one", nargs=3, help="one run (used by the command itself)")
    arguments = parser.parse_args()
    if not PAIRS.exists():
        sys.exit(f"The pairs are not there: {PAIRS}")
    if arguments.one:
        side, stem, num_pairs = arguments.one
        print(json.dumps(measure(side, stem == "1", int(num_pairs))))
        return
    rows = []
    for row in run_all(*((NUM_QUICK, 1) if arguments.quick else (NUM_PAIRS, arguments.runs))):
        rows.append(row)
        if not arguments.quick:
            write_rows(rows)  # after each run: an end in the midst loses none
    report(rows)


if __name__ == "__main__":
    main()
