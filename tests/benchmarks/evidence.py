"""How good is the evidence of written sentences, and what is marked in them, and how fast?

    python tests/benchmarks/evidence.py               # two minutes
    python tests/benchmarks/evidence.py --table       # print the kept rows, run nothing
    python tests/benchmarks/evidence.py --draw        # print what is to be labelled by hand

`labels`: the labelled set of `tests/reference/evidence`. Beside ours stand identity (a sentence of
the source with the same words) and overlap (what the program did before: up to three sentences
that together share most words, rare ones counting more; none below three tenths).
`planted`: marks in these sentences, in 200 reference summaries, and in both with one error planted
by `tests/helpers/planted_errors.py`. `times`: 200 words of a summary, written by people, checked
against 15,000 words, among them those it was written of; finding words in the source included.
`coverage`: how many sentences of 200 reference summaries, drawn at random, find support.

Rows go to `results/evidence-*.csv`.
"""

import argparse
import csv
import math
import os
import platform
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from core.documents.document import Document, count_words  # noqa: E402
from core.documents.readers.door import read_pasted  # noqa: E402
from core.documents.sentences import split_document, split_paragraph  # noqa: E402
from core.documents.words import unicode_words  # noqa: E402
from core.events import result_of  # noqa: E402
from core.evidence.finder import EvidenceFinder  # noqa: E402
from core.metrics.intervals import draws  # noqa: E402
from core.stop import StopToken  # noqa: E402
from core.summaries.summary import SummarySentence  # noqa: E402
from tests.helpers.labelled_evidence import PAIRS, Labelled, counts, read_labels  # noqa: E402
from tests.helpers.planted_errors import plant  # noqa: E402

RESULTS = Path(__file__).parent / "results"
SETS = ("openstax", "patents", "proposals", "scisummnet", "lay")
SUMMARIES = 200
WORDS, SOURCE_WORDS, ROUNDS = 200, 15_000, 5
FEWEST_WORDS = 6  # of a sentence that is drawn
TEXT = ("part", "system", "set", "id", "planted", "machine")
Row = dict[str, Any]


# --- what is read ---


def rows_of(name: str) -> list[tuple[str, Row]]:
    """The pairs of validation and test, by their ids."""
    from pyarrow.parquet import read_table

    columns = ["id", "document", "summary"]
    rows = [
        (split, row)
        for split in ("validation", "test")
        for row in read_table(PAIRS / name / f"{split}.parquet", columns=columns).to_pylist()
    ]
    return sorted(rows, key=lambda row: row[1]["id"])


def sentences_of(summary: str) -> Iterator[str]:
    for line in summary.split("\n"):
        for start, end in split_paragraph(line):
            if count_words(line[start:end]) >= FEWEST_WORDS:
                yield line[start:end]


def drawn() -> Iterator[tuple[str, str, Row, str]]:
    """The sentences of the labelled set: of some summaries of each set one sentence each.

    Twelve of validation and test, of which the first four are for development, and six of train.
    """
    from pyarrow.parquet import read_table

    columns = ["id", "document", "summary"]
    for name in SETS:
        chance = random.Random(f"evidence {name}")
        for split, row in chance.sample(rows_of(name), 12):
            yield name, split, row, chance.choice(list(sentences_of(row["summary"])))
    for name in SETS:
        chance = random.Random(f"more evidence {name}")
        rows = read_table(PAIRS / name / "train.parquet", columns=columns).to_pylist()
        for row in chance.sample(sorted(rows, key=lambda row: row["id"]), 6):
            yield name, "train", row, chance.choice(list(sentences_of(row["summary"])))


def summaries() -> list[tuple[str, Row]]:
    chance = random.Random("summaries")
    per_set = SUMMARIES // len(SETS)
    return [(name, row) for name in SETS for _, row in chance.sample(rows_of(name), per_set)]


def read(text: str) -> Document:
    return result_of(read_pasted(text, "", StopToken()))


def finder_of(document: Document) -> EvidenceFinder:
    return EvidenceFinder(document, result_of(split_document(document, StopToken())))


# --- systems ---


def identity(labelled: Labelled) -> list[int]:
    """Sentences with the same words."""
    words = unicode_words(labelled.text)
    texts = labelled.sentences.texts(labelled.document.text)
    return [index for index, text in enumerate(texts) if unicode_words(text) == words]


def overlap(labelled: Labelled) -> list[int]:
    """What the program did before."""
    texts = labelled.sentences.texts(labelled.document.text)
    having = [frozenset(unicode_words(text)) for text in texts]
    known = Counter(word for words in having for word in words)
    left = {
        word: math.log((len(texts) + 1) / (known[word] + 0.5))
        for word in unicode_words(labelled.text)
    }
    total, found = sum(left.values()), set[int]()
    while left and len(found) < 3:
        gains = [sum(left[word] for word in left if word in words) for words in having]
        best = max(range(len(gains)), key=gains.__getitem__)
        if gains[best] < 0.3 * total:
            break
        found.add(best)
        left = {word: weight for word, weight in left.items() if word not in having[best]}
    return sorted(found)


def ours(labelled: Labelled) -> list[int]:
    made = EvidenceFinder(labelled.document, labelled.sentences).checked(labelled.text)
    return [evidence.sentence for evidence in made.evidence]


SYSTEMS: dict[str, Callable[[Labelled], list[int]]] = {
    "identity": identity,
    "overlap": overlap,
    "ours": ours,
}


# --- measurements ---


def measure_labels() -> Iterator[Row]:
    for labelled in read_labels():
        for name, find in SYSTEMS.items():
            found = counts(labelled, find(labelled))
            yield {
                "part": labelled.part,
                "system": name,
                "set": labelled.set,
                "id": labelled.id,
                "shown": found.shown,
                "right": found.right,
                "claims": found.claims,
                "covered": found.covered,
            }


def measure_planted() -> Iterator[Row]:
    others = {name: [row["document"] for _, row in rows_of(name)] for name in SETS}
    chance = random.Random("planted")
    for labelled in read_labels():
        finder = EvidenceFinder(labelled.document, labelled.sentences)
        other = chance.choice(others[labelled.set])
        about = (labelled.part, labelled.set, labelled.id)
        yield from _planted_rows(about, finder, labelled, other, labelled.lacking, chance)
    for name, row in summaries():
        document = read(row["document"])
        finder, other = finder_of(document), chance.choice(others[name])
        for text in sentences_of(row["summary"]):
            about = ("summaries", name, row["id"])
            yield from _planted_rows(about, finder, (text, document.text), other, (), chance)


def _planted_rows(
    about: tuple[str, str, str],
    finder: EvidenceFinder,
    true: Labelled | tuple[str, str],
    other: str,
    lacking: Sequence[str],
    chance: random.Random,
) -> Iterator[Row]:
    text, source = (true.text, true.document.text) if isinstance(true, Labelled) else true
    head = dict(zip(("part", "set", "id"), about, strict=True))
    made = finder.checked(text)
    right = sum(any(said(made, doubt) in words for words in lacking) for doubt in made.doubts)
    yield {**head, "planted": "", "found": len(lacking) and right, **_marks(made), "right": right}
    for error in plant(text, source, other, chance):
        made = finder.checked(error.text)
        hits = [doubt for doubt in made.doubts if doubt.start < error.end > error.start < doubt.end]
        right = sum(any(said(made, doubt) in words for words in lacking) for doubt in made.doubts)
        yield {
            **head,
            "planted": error.kind,
            "found": int(bool(hits)),
            **_marks(made),
            "right": len(hits) + right,
        }


def said(made: SummarySentence, doubt: Any) -> str:
    return made.text[doubt.start : doubt.end]


def _marks(made: SummarySentence) -> Row:
    return {
        "marks": len(made.doubts),
        "elsewhere": sum(doubt.elsewhere for doubt in made.doubts),
        "denials": sum(doubt.kind == "negation" for doubt in made.doubts),
    }


def measure_coverage() -> Iterator[Row]:
    for name, row in summaries():
        document = read(row["document"])
        began = time.perf_counter()
        made = list(map(finder_of(document).checked, sentences_of(row["summary"])))
        yield {
            "set": name,
            "id": row["id"],
            "words": document.reading.words,
            "sentences": len(made),
            "supported": sum(bool(sentence.evidence) for sentence in made),
            "shown": sum(len(sentence.evidence) for sentence in made),
            "marked": sum(bool(sentence.doubts) for sentence in made),
            "seconds": round(time.perf_counter() - began, 4),
        }


def measure_times() -> Iterator[Row]:
    rows = [row for _, row in rows_of("lay")]
    for index in range(10):
        document = read(_long_source(rows[index:]))
        sentences = result_of(split_document(document, StopToken()))
        written = list(_first_words(rows[index]["summary"]))
        for turn in range(ROUNDS):
            began, cpu = time.perf_counter(), time.process_time()
            finder = EvidenceFinder(document, sentences)
            built = time.perf_counter()
            made = list(map(finder.checked, written))
            yield {
                "id": rows[index]["id"],
                "turn": turn,
                "words": document.reading.words,
                "written": sum(count_words(sentence.text) for sentence in made),
                "build_s": round(built - began, 4),
                "check_s": round(time.perf_counter() - built, 4),
                "cpu_s": round(time.process_time() - cpu, 4),
                "load_1min": round(os.getloadavg()[0], 2),
                "machine": platform.machine(),
                "cores": os.cpu_count(),
            }


def _long_source(rows: Iterable[Row]) -> str:
    """Documents one after another, up to 15,000 words."""
    parts: list[str] = []
    for row in rows:
        parts += row["document"].split("\n\n")
        if count_words("\n\n".join(parts)) >= SOURCE_WORDS:
            break
    while count_words("\n\n".join(parts)) > SOURCE_WORDS:
        parts.pop()
    return "\n\n".join(parts)


def _first_words(summary: str) -> Iterator[str]:
    words = 0
    for sentence in sentences_of(summary):
        words += count_words(sentence)
        yield sentence
        if words >= WORDS:
            return


# --- what is printed ---


def _read(name: str) -> list[Row]:
    with (RESULTS / f"evidence-{name}.csv").open(encoding="utf-8") as file:
        return [
            {key: value if key in TEXT else float(value) for key, value in row.items()}
            for row in csv.DictReader(file)
        ]


def _write(name: str, rows: list[Row]) -> None:
    with (RESULTS / f"evidence-{name}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _ratio(rows: list[Row], above: str, below: str) -> str:
    """A ratio of sums in percent, between the ends of its 95 % interval."""
    top, bottom = (np.array([float(row[key]) for row in rows]) for key in (above, below))
    if not bottom.sum():
        return "–"
    drawn_anew = [top @ times / max(1, bottom @ times) for times in draws(len(rows))]
    low, high = np.quantile(drawn_anew, (0.025, 0.975))
    of = f"{top.sum():.0f} of {bottom.sum():.0f}"
    return f"{top.sum() / bottom.sum():.0%} ({low:.0%} to {high:.0%}; {of})"


def report() -> None:
    labels, planted = _read("labels"), _read("planted")
    print("| part | system | a right one shown | precision | recall | none where none is |")
    for part in ("development", "held out"):
        for system in SYSTEMS:
            rows = [row for row in labels if (row["part"], row["system"]) == (part, system)]
            for row in rows:
                row["one"], row["hit"] = int(row["claims"] > 0), int(row["right"] > 0)
                row["bare"], row["silent"] = 1 - row["one"], (1 - row["one"]) * (not row["shown"])
            cells = [("hit", "one"), ("right", "shown"), ("covered", "claims"), ("silent", "bare")]
            print(f"| {part} | {system} |", " | ".join(_ratio(rows, *cell) for cell in cells), "|")
    for part in ("development", "held out", "summaries"):
        rows = [row for row in planted if row["part"] == part]
        for row in rows:
            row["all"] = 1
        print(f"\n{part}: precision of all marks {_ratio(rows, 'right', 'marks')}")
        for kind in dict.fromkeys(row["planted"] for row in rows if row["planted"]):
            some = [row for row in rows if row["planted"] == kind]
            print(f"  {kind}: found {_ratio(some, 'found', 'all')}")
        clean = [row for row in rows if not row["planted"]]
        told = {key: sum(row[key] for row in clean) for key in ("marks", "elsewhere", "denials")}
        print(f"  true sentences: {len(clean)}, {told}, right {sum(r['right'] for r in clean):.0f}")
    _report_whole()


def _report_whole() -> None:
    coverage, times = _read("coverage"), _read("times")
    sums = {key: sum(row[key] for row in coverage) for key in ("sentences", "supported", "shown")}
    print(f"\ncoverage: {len(coverage)} summaries, {sums}")
    seconds = {
        "by the clock": [row["build_s"] + row["check_s"] for row in times],
        "of one core": [row["cpu_s"] for row in times],
    }
    for name, some in seconds.items():
        middle = statistics.median(some)
        print(f"{len(some)} times {name}: {middle:.3f} s ({min(some):.3f} to {max(some):.3f})")


def print_drawn() -> None:
    for name, split, row, text in drawn():
        print(f"{name} {split} {row['id']} {row['summary'].index(text)}: {text}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--table", action="store_true", help="print the kept rows, run nothing")
    parser.add_argument("--draw", action="store_true", help="print the sentences to be labelled")
    arguments = parser.parse_args()
    if arguments.draw:
        print_drawn()
        return 0
    if not arguments.table:
        _write("labels", list(measure_labels()))
        _write("planted", list(measure_planted()))
        _write("coverage", list(measure_coverage()))
        _write("times", list(measure_times()))
    report()
    return 0


if __name__ == "__main__":
    sys.exit(main())
