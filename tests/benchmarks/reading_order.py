"""Compares the order of text from labelled pages of real PDFs with that of other programs.

    python tests/benchmarks/reading_order.py

A row a program and page goes to `results/reading_order.csv`. The files are read from
`../shared/data/files`; a program that is not installed has no rows.
"""

import argparse
import csv
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.helpers.reading_order import FILES, Score, labelled_pages, score
from tests.helpers.reading_order_sides import SIDES, version_of

RESULTS = Path(__file__).parent / "results" / "reading_order.csv"
SHARES = (
    ("found", "found", "labels"),
    ("in one piece", "in_one_piece", "labels"),
    ("whole", "whole", "labels"),
    ("neighbours", "in_turn", "neighbours"),
    ("pairs", "in_order", "pairs"),
)


def measure() -> list[dict[str, object]]:
    """A row for each program and page."""
    return [
        {"side": side, "version": version_of(side), "file": page.file, "page": page.page}
        | {"shows": page.shows}
        | vars(score(page, read(page)))
        for side, read in SIDES.items()
        if version_of(side)
        for page in labelled_pages()
    ]


def report(rows: list[dict[str, object]]) -> None:
    """Prints the shares of each program over all pages."""
    totals: dict[str, Score] = defaultdict(Score)
    for row in rows:
        counts = {name: int(str(row[name])) for name in vars(Score())}
        totals[str(row["side"])] += Score(**counts)
    print(f"{'':12}" + "".join(f"{name:>14}" for name, _, _ in SHARES))
    for side, found in totals.items():
        counts = vars(found)
        shares = [counts[part] / counts[whole] for _, part, whole in SHARES]
        print(f"{side:12}" + "".join(f"{share:14.3f}" for share in shares))


def main() -> None:
    """Measures, writes and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry", action="store_true", help="print only")
    arguments = parser.parse_args()
    if not FILES.is_dir():
        sys.exit(f"The labelled files are not there: {FILES}")
    rows = measure()
    if not arguments.dry:
        with RESULTS.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
    report(rows)


if __name__ == "__main__":
    main()
