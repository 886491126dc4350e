"""How good are the built-in summaries to a reader? Importance and faults, as judged by reading.

    python tests/benchmarks/judged.py               # documents held out, two minutes
    python tests/benchmarks/judged.py --folds       # all others, by models without them: minutes
    python tests/benchmarks/judged.py --left-out    # the same, each kind by a model without it
    python tests/benchmarks/judged.py --table       # print the kept rows, run nothing

Of documents whose every sentence was judged (`packaging/judged.py`): the mean importance (0 to 3)
of the sentences of a summary, the share of them with a fault, the share that is good (importance of
2 or more and no fault), and that says again what another one says. *faulty, bound* counts a leaning
sentence as sound where the one before it stands before it. Lengths are 1, 3 and 10 sentences and
120 words. Beside the built-in summariser stand *lead*, the first sentences, and *oracle*, which
knows the judgements. *held out* documents were never used for anything but this table; those of
*held out later* were judged after all choices but the last had been made.

The ranker's first stages have learnt from the summaries of some documents of *folds* (those of
openstax, patents, proposals and lay), not from their judgements. A row a document, system and
length goes to `results/judged.csv`; rows of other parts stay.
"""

import argparse
import csv
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]

from judged import FAULTS, Judged, own_documents, picked_documents, shared_documents  # noqa: E402
from train_quality import example_of, score_judged, trained  # noqa: E402

from core.documents.document import count_words  # noqa: E402
from core.stop import StopToken  # noqa: E402
from core.summaries.summary import Length  # noqa: E402
from core.summarisers.built_in import rank_scored  # noqa: E402
from core.summarisers.choice import choose  # noqa: E402
from core.summarisers.scoring.quality import QualityModel  # noqa: E402
from core.summarisers.scoring.scores import ScoredCandidates, shipped_quality_model  # noqa: E402

RESULTS = Path(__file__).parent / "results" / "judged.csv"
LENGTHS = (Length(1), Length(3), Length(10), Length(120, "words"))
FOLDS = 5
HELD_OUT = {"held out": "held-out", "held out later": "held-out-later"}
PARTS = (*HELD_OUT, "folds", "left out")
SPOKEN = ("hearings", "minutes", "transcripts", "slides")
"""Kinds of which hardly a sentence stands alone: in tables of their own."""
FIGURES = ("importance", "faulty", "faulty, bound", "good", "again", "sentences", "words")
Row = dict[str, Any]


# --- systems: the sentences that are picked ---


def lead(judged: Judged, length: Length) -> list[int]:
    return fitting(judged, np.flatnonzero(judged.importance >= 0).tolist(), length)


def oracle(judged: Judged, length: Length) -> list[int]:
    known = np.flatnonzero(judged.importance >= 0)
    worth = judged.importance[known] - 1.5 * (judged.fault[known] > 0)
    return fitting(judged, known[np.argsort(-worth, kind="stable")].tolist(), length)


def fitting(judged: Judged, order: Sequence[int], length: Length) -> list[int]:
    """The first of them that fit."""
    if length.unit == "sentences":
        return list(order[: int(length.value)])
    left, picked = length.value, []
    texts = judged.texts
    for index in order:
        words = count_words(texts[index])
        if words <= left:
            picked.append(index)
            left -= words
    return picked


def built_in(
    judged: Judged, scored: ScoredCandidates, model: QualityModel, length: Length
) -> list[int]:
    quality = model.predict(scored.table, scored.cue_tokens, StopToken())
    summary = choose(judged.document, rank_scored(judged.document, scored, quality), length)
    return [item.sentence for sentence in summary.sentences for item in sentence.evidence]


# --- measuring ---


def figures(judged: Judged, picked: Iterable[int]) -> Row:
    """What a reader thinks of sentences; those that nobody judged do not count."""
    there = [index for index in sorted(picked) if judged.importance[index] >= 0]
    if not there:
        return {}
    importance, fault = judged.importance[there], judged.fault[there]
    leans = FAULTS.index("d")
    bound = [kind == leans and index - 1 in there for index, kind in zip(there, fault, strict=True)]
    again = [judged.same_as.get(index, -1) in there for index in there]
    texts = judged.texts
    return {
        "importance": round(float(importance.mean()), 4),
        "faulty": round(float((fault > 0).mean()), 4),
        "faulty, bound": round(float(((fault > 0) & ~np.array(bound)).mean()), 4),
        "good": round(float(((importance >= 2) & (fault == 0)).mean()), 4),
        "again": round(float(np.mean(again)), 4),
        "sentences": len(there),
        "words": sum(count_words(texts[index]) for index in there),
    }


def rows_of(
    part: str, judged: Judged, scored: ScoredCandidates, model: QualityModel
) -> Iterator[Row]:
    systems: dict[str, Callable[[Length], list[int]]] = {
        "lead": lambda length: lead(judged, length),
        "built-in": lambda length: built_in(judged, scored, model, length),
        "oracle": lambda length: oracle(judged, length),
    }
    for length in LENGTHS:
        for system, picks in systems.items():
            found = figures(judged, picks(length))
            if found:
                names = {"part": part, "kind": judged.kind, "document": judged.id}
                yield names | {"system": system, "length": str(length)} | found


def held_out() -> Iterator[Row]:
    for part, use in HELD_OUT.items():
        for judged in own_documents(use):
            yield from rows_of(part, judged, score_judged(judged), shipped_quality_model())


def in_folds(part: str) -> Iterator[Row]:
    """All documents that are learnt from, each by a model without those of its fold, or kind."""
    documents = [*shared_documents(), *own_documents("tuning")]
    scored = [score_judged(judged) for judged in documents]
    examples = [example_of(*both) for both in zip(documents, scored, strict=True)]
    groups = _kinds(documents) if part == "left out" else _folds(documents)
    picks = list(picked_documents())
    also = [example_of(judged, score_judged(judged)) for judged in picks]
    kinds = _kinds(picks)
    for group in sorted(set(groups)):
        learnt = zip((*examples, *also), (*groups, *kinds), strict=True)
        model = trained([one for one, own in learnt if own != group])
        for index, own in enumerate(groups):
            if own == group:
                yield from rows_of(part, documents[index], scored[index], model)
        print(f"{part}: {group}", flush=True)


def _kinds(documents: Sequence[Judged]) -> list[str]:
    alike = {"lay": "articles", "papers": "articles", "textbooks": "openstax"}
    return [alike.get(judged.kind, judged.kind) for judged in documents]


def _folds(documents: Sequence[Judged]) -> list[str]:
    """Dealt out kind by kind."""
    counts: dict[str, int] = {}
    folds = []
    for judged in documents:
        number = counts[judged.kind] = counts.get(judged.kind, len(counts)) + 1
        folds.append(f"fold {number % FOLDS + 1}")
    return folds


# --- tables ---


def report() -> None:
    rows = list(csv.DictReader(RESULTS.open(encoding="utf-8")))
    for part in PARTS:
        for spoken in (False, True):
            own = [row for row in rows if row["part"] == part and (row["kind"] in SPOKEN) == spoken]
            if own:
                count = len({row["document"] for row in own})
                kinds = "minutes, transcripts, slides" if spoken else "running text"
                print(f"\n{part}, {kinds}: {count} documents\n")
                _table(own)
        _by_kind([row for row in rows if row["part"] == part])


def _table(rows: Sequence[Row]) -> None:
    lengths = [str(length) for length in LENGTHS]
    print("| importance, faulty, bound, good |", " | ".join(lengths), "|")
    print("| --- " * (len(lengths) + 1) + "|")
    for system in ("lead", "built-in", "oracle"):
        cells = []
        for length in lengths:
            own = [row for row in rows if (row["system"], row["length"]) == (system, length)]
            means = {name: np.mean([float(row[name]) for row in own]) for name in FIGURES}
            low, high = _interval([float(row["importance"]) for row in own])
            down, up = _interval([100 * float(row["faulty"]) for row in own])
            cells.append(
                f"{means['importance']:.2f} ({low:.2f} to {high:.2f}), "
                f"{100 * means['faulty']:.0f} % ({down:.0f} to {up:.0f}), "
                f"{100 * means['faulty, bound']:.0f} %, {100 * means['good']:.0f} %; "
                f"{means['sentences']:.1f} sentences, {100 * means['again']:.0f} % again"
            )
        print(f"| {system} |", " | ".join(cells), "|")


def _by_kind(rows: Sequence[Row]) -> None:
    for kind in sorted({row["kind"] for row in rows}):
        cells = []
        for length in map(str, LENGTHS):
            own = [row for row in rows if (row["kind"], row["length"]) == (kind, length)]
            both = [
                [float(row["importance"]) for row in own if row["system"] == system]
                for system in ("lead", "built-in")
            ]
            faulty = [float(row["faulty"]) for row in own if row["system"] == "built-in"]
            cells.append(
                f"{np.mean(both[0]):.2f} → {np.mean(both[1]):.2f}, {100 * np.mean(faulty):.0f} %"
            )
        print(f"{kind}: " + " | ".join(cells))


def _interval(values: Sequence[float], draws: int = 1000) -> tuple[float, float]:
    """95 % of the means when the documents are drawn anew."""
    chance = np.random.default_rng(0)
    drawn = [chance.choice(values, len(values)).mean() for _ in range(draws)]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return float(low), float(high)


def _keep(parts: Collection[str], rows: list[Row]) -> None:
    others: list[Row] = []
    if RESULTS.exists():
        with RESULTS.open(encoding="utf-8") as file:
            others = [row for row in csv.DictReader(file) if row["part"] not in parts]
    with RESULTS.open("w", newline="", encoding="utf-8") as file:
        columns = ["part", "kind", "document", "system", "length", *FIGURES]
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted([*others, *rows], key=lambda row: PARTS.index(row["part"])))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folds", action="store_true", help="documents that are learnt from")
    parser.add_argument("--left-out", action="store_true", help="the same, kind by kind")
    parser.add_argument("--table", action="store_true", help="print the kept rows, run nothing")
    arguments = parser.parse_args()
    if arguments.folds:
        _keep(("folds",), list(in_folds("folds")))
    elif arguments.left_out:
        _keep(("left out",), list(in_folds("left out")))
    elif not arguments.table:
        _keep(HELD_OUT, list(held_out()))
    report()
    return 0


if __name__ == "__main__":
    sys.exit(main())
