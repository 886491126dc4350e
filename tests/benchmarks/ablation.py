"""Paper 5's ablation on our data: source embeddings yes/no x domain-adaptive training yes/no.

    python tests/benchmarks/ablation.py            # trains and scores; up to two hours
    python tests/benchmarks/ablation.py --quick    # the same in two minutes, with useless models
    python tests/benchmarks/ablation.py --table    # print the kept rows, run nothing

The family `language-model`, smaller than its preset `paper-5`, on pairs of textbook sections and
research proposals in `../shared/data`, articles cut at 256 tokens; four arms with three seeds each
and equal steps: half of them domain-adaptive, or all on the summary. Beam 3, no trigram twice, at
least 70 tokens: models of this size end early, and ROUGE would compare lengths.

All training and scoring by the commands that a person types, on one thread. Called again, it goes
on where it was: runs that have rows are done; what is not finished lies in `--work`. Rows:
`ablation-scores.csv` (ROUGE of each test document), `ablation-curves.csv` (a row a validation) and
`ablation-times.csv` (a row a command); with `--quick` they lie in `--work`.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.benchmarks.families import (  # noqa: E402
    DATA,
    RESULTS,
    Row,
    Scale,
    Work,
    add_rows,
    keep_curve,
    last_losses,
    mean_of,
    read_rows,
    spread,
    write_pairs,
)

SETS = ("openstax", "proposals")
SOURCE_TOKENS, LENGTH = 256, 416
WITHOUT = ("--source-embeddings", "none")
ADAPTED = ("--domain-adaptive", "0.5")
ARMS: dict[str, tuple[str, ...]] = {
    "end task": WITHOUT,
    "domain-adaptive, end task": (*WITHOUT, *ADAPTED),
    "source embeddings, end task": (),
    "source embeddings, domain-adaptive, end task": ADAPTED,
}
PAPER: dict[str, tuple[float, float, float]] = {
    "end task": (36.82, 16.04, 34.03),
    "domain-adaptive, end task": (38.00, 17.13, 35.20),
    "source embeddings, end task": (37.81, 16.82, 34.87),
    "source embeddings, domain-adaptive, end task": (38.34, 17.34, 35.44),
}
"""ROUGE-1, 2 and L on CNN/DailyMail without pre-trained weights, as its table 5 has them."""
MEASURES = ("rouge-1", "rouge-2", "rouge-l")
SCORES, CURVES, LEAD = "ablation-scores.csv", "ablation-curves.csv", "lead"


@dataclass(frozen=True)
class Sizes(Scale):
    """How much is done; see `Scale`."""

    steps: int = 640
    validate_every: int = 160
    scored: int = 100
    sizes: tuple[str, ...] = ("--width", "128", "--depth", "4", "--heads", "4")

    @property
    def training(self) -> tuple[str, ...]:
        """What all runs have in common."""
        return (
            "--family", "language-model", "--length", str(LENGTH), "--dropout", "0.1",
            "--objective", "summary", "--too-long", "start", "--batch", "8", "--learning-rate",
            "2e-3", "--warm-up", "50", "--steps", str(self.steps), "--validate-every",
            str(self.validate_every), "--validate-rows", "50", "--rouge-rows", "16", "--best-by",
            "rouge", "--beams", "3", "--min-length", "70", "--max-length", "110", "--threads", "1",
            "--keep", "1",
        )  # fmt: skip


QUICK = Sizes(
    steps=2, validate_every=1, scored=2, pairs=24, vocabulary=512, seeds=(1, 2),
    sizes=("--width", "16", "--depth", "1", "--heads", "2"),
)  # fmt: skip


def make_corpus(work: Work) -> None:
    """Tokenizer, then the corpus of pairs whose articles are cut."""
    made, cut = work.folder / "data", work.folder / "cut"
    whole = work.folder / "whole"
    if not whole.exists():
        write_pairs(work, SETS, whole, None)
    if not (made / "corpora" / "whole").exists():
        work.epitome("corpus", "corpus", whole, "--make", "pairs", "--out", "whole")
    if not (made / "tokenizers" / "words").exists():
        size = str(work.scale.vocabulary)
        work.epitome("tokenizer", "tokenizer", "whole", "--size", size, "--out", "words")
    if not (made / "corpora" / "cut").exists():
        write_pairs(work, SETS, cut, SOURCE_TOKENS)
        work.epitome("corpus, cut", "corpus", cut, "--make", "pairs", "--out", "cut")


def runs(scale: Scale) -> Iterator[tuple[str, int, str]]:
    """Arm, seed and name of each run; the first seed of all comes first."""
    for seed in scale.seeds:
        for number, arm in enumerate(ARMS, 1):
            yield arm, seed, f"arm-{number}-seed-{seed}"


def train_and_score(work: Work) -> None:
    """All runs that have no rows yet, by equal steps on the same rows."""
    score(work, LEAD, LEAD, LEAD)
    for arm, seed, name in runs(work.scale):
        if not is_scored(work, name):
            data = ("--corpus", "cut", "--tokenizer", "words", "--seed", seed)
            work.train(name, *work.scale.training, *work.scale.sizes, *ARMS[arm], *data)
            keep_curve(work, name, CURVES)
            score(work, arm, name, work.run(name))


def is_scored(work: Work, name: str) -> bool:
    """Whether a system has its rows."""
    return any(row["system"] == name for row in read_rows(work.results / SCORES))


def score(work: Work, arm: str, name: str, model: str | Path) -> None:
    """Has a system write the test documents, and keeps its F1."""
    if is_scored(work, name):
        return
    out = work.folder / "scores" / name
    if not (out / "documents.csv").exists():
        words = ("--model", model, "--corpus", "cut", "--length", "60w", "--out", out)
        metrics = ("--metrics", ",".join((*MEASURES, "words")), "--limit", work.scale.scored)
        work.epitome(f"scores, {name}", "evaluate", "--quiet", *words, *metrics)
    rows: list[Row] = []
    for row in read_rows(out / "documents.csv"):
        kept: Row = {"arm": arm, "system": name, "document": row["document"]}
        kept |= {each: f"{float(row[f'{each} f1']):.2f}" for each in MEASURES}
        rows.append(kept | {"words": row["words"].removesuffix(".0")})
    add_rows(work.results / SCORES, rows)


def report(results: Path) -> None:
    """The table, from the kept rows alone."""
    rows = read_rows(results / SCORES)
    print("| arm | ROUGE-1 | ROUGE-2 | ROUGE-L | words | validation loss | runs "
          "| ROUGE-1 less the first arm's | the paper's |")  # fmt: skip
    print("| --- " * 9 + "|")
    for arm in (LEAD, *ARMS):
        mine = [row for row in rows if row["arm"] == arm]
        if not mine:
            continue
        names = sorted({row["system"] for row in mine})
        cells = [spread([mean_of(mine, name, each) for name in names]) for each in MEASURES]
        losses = last_losses(results / CURVES, names)
        cells += [f"{mean_of(mine, None, 'words'):.0f}", losses, str(len(names))]
        cells.append(difference(rows, arm))
        paper = " / ".join(f"{value:g}" for value in PAPER.get(arm, ()))
        print(f"| {arm} | {' | '.join(cells)} | {paper} |")


def difference(rows: list[Row], arm: str) -> str:
    """An arm less the first, on the same documents, seeds averaged; with its 95 % interval."""
    import numpy as np

    from core.metrics.intervals import paired_bootstrap

    def of(name: str) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
        mine = [row for row in rows if row["arm"] == name]
        systems = dict.fromkeys(row["system"] for row in mine)
        each = [[float(r["rouge-1"]) for r in mine if r["system"] == system] for system in systems]
        means: np.ndarray[tuple[int], np.dtype[np.float64]] = np.mean(each, axis=0)
        return means

    first = next(iter(ARMS))
    if arm == first:
        return "–"
    told = paired_bootstrap(of(first), of(arm))
    return f"{told.value:+.2f} ({told.low:+.2f} to {told.high:+.2f})"


def main() -> int:
    """Makes what is missing, and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--table", action="store_true", help="print the kept rows, run nothing")
    parser.add_argument("--quick", action="store_true", help="try everything in minutes")
    parser.add_argument("--work", type=Path)
    arguments = parser.parse_args()
    name = "epitome-ablation-quick" if arguments.quick else "epitome-ablation"
    folder = arguments.work or Path(tempfile.gettempdir()) / name
    results = folder / "results" if arguments.quick else RESULTS
    results.mkdir(parents=True, exist_ok=True)
    if not arguments.table:
        if not DATA.exists():
            sys.exit(f"The data to learn from is not there: {DATA}")
        scale = QUICK if arguments.quick else Sizes()
        work = Work(folder, results, scale, "ablation-times.csv")
        make_corpus(work)
        train_and_score(work)
    report(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
