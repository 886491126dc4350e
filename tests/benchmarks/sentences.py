"""Times splitting one million characters of real text, beside nltk's untrained Punkt.

    python tests/benchmarks/sentences.py

Each run is a fresh process on one core, ours and theirs in turn; a row a run goes to
`results/sentences.csv`. The text is read from `../shared/data`.
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
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
DATA = ROOT / "../shared/data"
RESULTS = Path(__file__).parent / "results" / "sentences.csv"
NUM_CHARACTERS = 1_000_000
SETS = ("pairs/patents/test", "pairs/lay/test", "pairs/proposals/test", "corpus/speeches")
COLUMNS = (
    "side", "run", "characters", "paragraphs", "sentences", "seconds", "load_1min", "machine",
    "cores", "python",
)  # fmt: skip


def real_text() -> str:
    """Equal parts of patents, articles, proposals and speeches, one million characters."""
    from pyarrow.parquet import read_table

    share = NUM_CHARACTERS // len(SETS)
    parts = []
    for name in SETS:
        table = read_table(DATA / f"{name}.parquet")
        texts = table["document" if name.startswith("pairs") else "text"].to_pylist()
        parts.append("\n\n".join(texts)[:share])
    return "\n\n".join(parts)[:NUM_CHARACTERS]


def run_ours(paragraphs: list[str]) -> int:
    from core.documents.sentences import split_paragraph

    return sum(len(split_paragraph(paragraph)) for paragraph in paragraphs)


def run_punkt(paragraphs: list[str]) -> int:
    from nltk.tokenize.punkt import PunktSentenceTokenizer

    tokenizer = PunktSentenceTokenizer()
    return sum(len(list(tokenizer.span_tokenize(paragraph))) for paragraph in paragraphs)


SIDES: dict[str, Callable[[list[str]], int]] = {"epitome": run_ours, "punkt": run_punkt}


def measure(side: str) -> dict[str, object]:
    """Splits the text once, after a short warm-up that imports what is needed."""
    text = real_text()
    paragraphs = [part for part in text.split("\n\n") if part.strip()]
    SIDES[side](["It is warm. It is not."])
    start = time.perf_counter()
    found = SIDES[side](paragraphs)
    seconds = time.perf_counter() - start
    return {
        "characters": len(text),
        "paragraphs": len(paragraphs),
        "sentences": found,
        "seconds": round(seconds, 4),
    }


def machine() -> str:
    """The processor's name where the system tells it."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def run_all(num_runs: int) -> list[dict[str, object]]:
    rows = []
    for run in range(1, num_runs + 1):
        for side in SIDES:
            load = os.getloadavg()[0] if hasattr(os, "getloadavg") else -1.0
            command = [sys.executable, __file__, "--side", side]
            output = subprocess.run(
                command, check=True, capture_output=True, text=True, env=_environment()
            )
            row = {"side": side, "run": run, **json.loads(output.stdout)}
            row |= {"load_1min": round(load, 2), "machine": machine(), "cores": os.cpu_count()}
            rows.append(row | {"python": platform.python_version()})
    return rows


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def report(rows: list[dict[str, object]]) -> None:
    medians = {}
    for side in SIDES:
        seconds = [float(str(row["seconds"])) for row in rows if row["side"] == side]
        medians[side] = statistics.median(seconds)
        print(f"{side:8} median {medians[side]:.3f} s, {min(seconds):.3f} to {max(seconds):.3f}")
    print(f"Punkt takes {medians['punkt'] / medians['epitome']:.1f} times as long.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--side", choices=SIDES, help="one side, once (used by the command itself)")
    arguments = parser.parse_args()
    if not DATA.exists():
        sys.exit(f"The texts to split are not there: {DATA}")
    if arguments.side:
        print(json.dumps(measure(arguments.side)))
        return
    rows = run_all(arguments.runs)
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    with RESULTS.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    report(rows)


if __name__ == "__main__":
    main()
