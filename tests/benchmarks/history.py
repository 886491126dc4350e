"""How long a search in the history takes: `python tests/benchmarks/history.py [ENTRIES]`.

The entries are made of the sentences of the samples; each query is asked as it is typed, letter by
letter. The bound is 50 ms for 10,000 entries.
"""

import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.library.history import History  # noqa: E402
from tests.helpers.histories import entries_of_samples  # noqa: E402

QUERIES = ("electrolyte", "the", "north quay", "solid state cell", "zzz")
BOUND_MS = 50.0


def main(count: int) -> int:
    """Prints the times; gives 1 when a search was late."""
    with tempfile.TemporaryDirectory() as folder:
        history = History(Path(folder) / "history.sqlite")
        began_s = time.perf_counter()
        history.keep(*entries_of_samples(count, random.Random(5)))
        kept_ms = 1000 * (time.perf_counter() - began_s) / count
        size = history.file.stat().st_size / 1e6
        print(f"{count} entries, {size:.0f} MB, {kept_ms:.1f} ms to keep one")
        late = False
        for query in QUERIES:
            times: list[float] = []
            for end in range(len(query) + 1):
                began_s = time.perf_counter()
                found = len(history.search(query[:end]))
                times.append(1000 * (time.perf_counter() - began_s))
            late = late or max(times) > BOUND_MS
            print(f"{query!r}: {found} found, median {statistics.median(times):.0f} ms, "
                  f"at most {max(times):.0f} ms")  # fmt: skip
    return int(late)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
