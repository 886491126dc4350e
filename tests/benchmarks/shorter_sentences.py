"""Do shorter sentences pay? Deletes clauses from the built-in's sentences, and fills up with more.

    python tests/benchmarks/shorter_sentences.py             # scores and draws cuts: minutes
    python tests/benchmarks/shorter_sentences.py --table     # print the kept rows, run nothing

A clause deleter (`tests/helpers/clauses.py`) shortens the sentences that the built-in summariser
picks; the freed words are filled with the next best sentences, shortened too. Scored on the 200
documents of `rewrite.py`: ROUGE-1, 2 and Lsum, F1, stemmed, one sentence a line, against the
summary that a person wrote. *same sentences* only deletes, and fills nothing up. *deleting oracle*
knows the summary, and cuts each sentence by the bold setting for as long as ROUGE rises.

`results/shorter-sentences.csv` has a row a document and system. 60 cuts of the careful setting,
drawn at random from all, go to `results/shorter-sentences-cuts.csv`, to be read by the guide of
the judged documents; a judgement there (`-` for none, or the letter of the fault that the cut
brings in) stays where the cut is the same.
"""

import argparse
import csv
import random
import statistics
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from core.documents.document import Document, count_words  # noqa: E402
from core.events import result_of  # noqa: E402
from core.metrics.intervals import paired_bootstrap  # noqa: E402
from core.stop import StopToken  # noqa: E402
from core.summaries.length import Length  # noqa: E402
from core.summarisers.built_in import rank_document  # noqa: E402
from core.summarisers.choice import choose  # noqa: E402
from core.summarisers.presentation.trimming import trim_sentence  # noqa: E402
from core.summarisers.ranking import Ranking  # noqa: E402
from core.summarisers.selection.budget import ranks_needed  # noqa: E402
from tests.helpers.clauses import Cut, Setting, cuts, shortened  # noqa: E402
from tests.helpers.scored_documents import PAIRS, Scored, rouge, scored_documents  # noqa: E402

RESULTS = Path(__file__).parent / "results"
ROWS, CUTS = RESULTS / "shorter-sentences.csv", RESULTS / "shorter-sentences-cuts.csv"
BUILT_IN, ORACLE = "built-in", "deleting oracle"
SETTINGS: tuple[Setting, ...] = ("careful", "bold")
NUM_READ = 60
FIGURES = ("1", "2", "Lsum", "mean", "words")
Row = dict[str, Any]


# --- summaries of one document ---


def ranking_of(scored: Scored) -> Ranking:
    length = Length(scored.most_words, "words")
    needed = 2 * ranks_needed(scored.document, length)
    return result_of(rank_document(scored.document, StopToken(), at_least=needed))


def picked(document: Document, ranking: Ranking, most_words: int) -> list[str]:
    summary = choose(document, ranking, Length(most_words, "words"))
    return [sentence.text for sentence in summary.sentences]


def with_shorter_words(document: Document, ranking: Ranking, setting: Setting) -> Ranking:
    """The ranking, with each sentence as long as it is when its clauses are deleted."""
    words = ranking.words.copy()
    bounds = zip(ranking.starts.tolist(), ranking.ends.tolist(), strict=True)
    for index, (start, end) in enumerate(bounds):
        line = " ".join(document.text[start:end].split())
        text = trim_sentence(line, "en", ranking.citing)
        words[index] -= count_words(text) - count_words(shortened(text, setting))
    return replace(ranking, words=np.maximum(words, 1))


def systems_of(scored: Scored) -> Iterator[tuple[str, list[str]]]:
    """The summaries of one document; each but the first begins with what the built-in picks."""
    document, ranking = scored.document, ranking_of(scored)
    own = picked(document, ranking, scored.most_words)
    yield BUILT_IN, own
    for setting in SETTINGS:
        yield f"{setting}, same sentences", [shortened(text, setting) for text in own]
        shorter = with_shorter_words(document, ranking, setting)
        more = picked(document, shorter, scored.most_words)
        yield setting, [shortened(text, setting) for text in more]
    yield ORACLE, knowing(own, scored.reference)


def knowing(sentences: list[str], reference: str) -> list[str]:
    """The sentences, cut for as long as ROUGE rises when the reference is known."""
    kept = list(sentences)
    for index in range(len(kept)):
        for cut in cuts(kept[index], "bold"):
            other = [*kept[:index], cut.after, *kept[index + 1 :]]
            if rouge(other, reference)["mean"] <= rouge(kept, reference)["mean"]:
                break  # later cuts are of what this one leaves
            kept = other
    return kept


# --- all documents ---


def measure() -> None:
    """Scores all documents, and draws the cuts that are to be read."""
    rows: list[Row] = []
    made: list[tuple[Scored, Cut]] = []
    for scored in scored_documents():
        for system, sentences in systems_of(scored):
            found: Row = {"set": scored.set, "document": scored.number, "system": system}
            found |= {
                name: f"{value:.2f}" for name, value in rouge(sentences, scored.reference).items()
            }
            rows.append(found | {"words": sum(map(count_words, sentences))})
            if system == BUILT_IN:
                made += [(scored, cut) for text in sentences for cut in cuts(text)]
        if scored.number % 10 == 0:
            print(f"{scored.set}, document {scored.number}", flush=True)
    write(ROWS, rows)
    drawn = random.Random(0).sample(made, min(NUM_READ, len(made)))
    print(f"{len(made)} careful cuts, {len(drawn)} of them drawn")
    write(CUTS, with_judgements(drawn))


def with_judgements(drawn: list[tuple[Scored, Cut]]) -> list[Row]:
    """Rows of cuts, with what was judged of the same cuts before."""
    judged = {(row["before"], row["after"]): row for row in read(CUTS)}
    rows = []
    for scored, cut in drawn:
        known = judged.get((cut.before, cut.after), {})
        row = {"set": scored.set, "document": scored.number, "kind": cut.kind}
        row |= {name: known.get(name, "") for name in ("fault", "why")}
        rows.append(row | {"before": cut.before, "after": cut.after})
    return rows


def read(path: Path) -> list[Row]:
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write(path: Path, rows: list[Row]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


# --- tables ---


def report() -> None:
    """What the kept rows say."""
    rows = read(ROWS)
    systems = list(dict.fromkeys(row["system"] for row in rows))
    values: dict[str, dict[str, list[float]]] = {}
    for system in systems:
        own_rows = [row for row in rows if row["system"] == system]
        values[system] = {name: [float(row[name]) for row in own_rows] for name in FIGURES}
    print("| system | ROUGE-1 | ROUGE-2 | ROUGE-Lsum | mean | words | mean less the built-in's |")
    print("| --- " * 7 + "|")
    for system, own in values.items():
        cells = [f"{statistics.fmean(own[name]):.2f}" for name in FIGURES[:-1]]
        cells.append(f"{statistics.fmean(own['words']):.0f}")
        told = paired_bootstrap(values[BUILT_IN]["mean"], own["mean"])
        less = f"{told.value:+.2f} ({told.low:+.2f} to {told.high:+.2f})"
        print(f"| {system} | {' | '.join(cells)} | {'–' if system == BUILT_IN else less} |")
    report_cuts()


def report_cuts() -> None:
    """How many of the cuts that were read bring in a fault, by kind."""
    rows = [row for row in read(CUTS) if row["fault"]]
    print("\n| kind of cut | read | faulty |\n| --- | --- | --- |")
    for kind in (*sorted({row["kind"] for row in rows}), "all"):
        own = [row for row in rows if kind in (row["kind"], "all")]
        faulty = sum(row["fault"] != "-" for row in own)
        print(f"| {kind} | {len(own)} | {faulty} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--table", action="store_true", help="print the kept rows, run nothing")
    arguments = parser.parse_args()
    if not arguments.table:
        if not PAIRS.exists():
            sys.exit(f"The documents to summarise are not there: {PAIRS}")
        measure()
    report()
    return 0


if __name__ == "__main__":
    sys.exit(main())
