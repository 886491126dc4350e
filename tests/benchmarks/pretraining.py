"""Does pre-training on gap sentences help? Trains small Reformers with and without, and compares.

    python tests/benchmarks/pretraining.py               # trains and scores, under two hours
    python tests/benchmarks/pretraining.py --table       # print the kept rows, run nothing
    python tests/benchmarks/pretraining.py --figure      # draw the curves
    python tests/benchmarks/pretraining.py --constant    # score the constant texts anew
    python tests/benchmarks/pretraining.py --arms equal-tokens
    python tests/benchmarks/pretraining.py --arms language-model,gaps-left-in --seeds 1

The small model (width 256, 4 layers, 4 heads, 4,096 tokens, about 4 million weights) reads 1,024
tokens at a time. Three seeds, and for each: pre-training on the gap sentences of the corpora in
`../shared/data`; fine-tuning of that on the summaries of patents, textbook sections, proposals and
research articles; and the same fine-tuning, with as many steps and the same rows in the same order,
of a model that was not pre-trained. All by the commands that a person types, on one thread in
bf16. Interrupted, it goes on where it was when called again: all that it makes lies in `--work`.

Further arms are made and scored only where `--arms` names them, of the same seeds or of the first
ones. `equal-tokens`:
fine-tuning alone, of as many rows as pre-training and fine-tuning have together. `language-model`:
pre-trained on the documents themselves, word after word, with as many rows. `gaps-left-in`:
pre-trained on gap sentences of which a third stays in the document.

Results: `pretraining-curves.csv` (a row a validation), `pretraining-losses.csv` (the best
checkpoint's loss on each validation document), `pretraining-scores.csv` (ROUGE of each test
document, beside systems that need no training), `pretraining-times.csv` (a row a command), and
`pretraining-samples.md`: ten test documents drawn at random, with all that was written.
"""

import argparse
import csv
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

DATA = ROOT / "../shared/data"
RESULTS = Path(__file__).parent / "results"
FIGURE = ROOT / "docs" / "pictures" / "pretraining.png"
SAMPLES = RESULTS / "pretraining-samples.md"
WORDS = {"patents": 105, "openstax": 100, "proposals": 60, "lay": 330}
"""How long summaries of each set are: about as long as the median of those that people wrote."""
SEEDS = (1, 2, 3)
T_OF_SEEDS = 4.303
"""Student's t of 95 % for three seeds."""
WITH, ALONE, FIRST = "pre-trained", "not-pre-trained", "pre-training"
EQUAL, PLAIN, LEFT_IN = "equal-tokens", "language-model", "gaps-left-in"
MORE_ARMS = (EQUAL, PLAIN, LEFT_IN)
SHARE_LEFT_IN = 0.33
UNTRAINED = ("lead", "gap-sentences", "built-in")
CONSTANT = ("one-summary", "common-words")
"""The same text for all documents of a set: what a score gives that reads nothing."""
STEP = ("--precision", "bf16", "--threads", "1", "--keep", "1", "--schedule", "linear")
PRE_TRAINING = (
    "--objective", "gsg", "--length", "1024", "--batch", "1", "--steps", "3000", "--warm-up", "200",
    "--learning-rate", "1e-3", "--validate-every", "500", "--validate-rows", "100",
)  # fmt: skip
FINE_TUNING = (
    "--objective", "summary", "--too-long", "window", "--batch", "2", "--steps", "500",
    "--learning-rate", "1e-3", "--warm-up", "50", "--validate-every", "100",
    "--validate-rows", "200",
)  # fmt: skip
EQUAL_STEPS = 500 + 3000 // 2
"""Steps of fine-tuning, at two rows each, that read as many rows as both trainings above."""
FRESH = ("--tokenizer", "v4096")
NUM_SCORED = 50
"""Test documents of each set that are summarised: the first ones, which are any ones, since the
sets are ordered by a hash."""
NUM_SAMPLES = 10
Row = dict[str, Any]


# --- commands ---


class Work:
    """What is made lies in one folder, and every command's time is kept.

    Args:
        folder: The folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def run(self, name: str) -> Path:
        """The folder of a run."""
        return self.folder / "runs" / name

    def epitome(self, what: str, *words: object) -> None:
        """Runs a command; `what` stands beside its time."""
        command = [Path(sys.executable).with_name("epitome"), *map(str, words)]
        print(f"{what}: epitome {' '.join(map(str, words))}", flush=True)
        load, began_s = os.getloadavg()[0], time.monotonic()
        environment = {**os.environ, "EPITOME_HOME": str(self.folder)}
        ended = subprocess.run(command, env=environment, check=False).returncode
        row = {"what": what, "seconds": round(time.monotonic() - began_s, 1)}
        row |= {"load_before": round(load, 2), "exit_code": ended}
        add_rows(RESULTS / "pretraining-times.csv", [row])
        if ended:
            sys.exit(f"“{what}” ended with {ended}; call again to go on.")

    def train(self, what: str, name: str, *words: object) -> None:
        """Makes a run, or goes on with it, until it is finished."""
        from core.runs.events_file import read_events

        run = self.run(name)
        events = read_events(run / "events.jsonl") if run.exists() else []
        if events and events[-1].kind == "Finished":
            return
        begun = (run / "job.toml").exists()
        how = ("--resume", run) if begun else (*words, *STEP, "--out", run)
        self.epitome(what, "train", "--quiet", *how)


def make_data(work: Work) -> None:
    """Corpora and the tokenizer."""
    data = work.folder / "data"
    if not (data / "corpora" / "texts").exists():
        made = ("--make", "gsg", "--split", "98/2/0", "--out", "texts")
        work.epitome("corpus", "corpus", DATA / "corpus", *made)
    if not (data / "corpora" / "pairs").exists():
        sets = [DATA / "pairs" / name for name in WORDS]
        work.epitome("pairs", "corpus", *sets, "--make", "pairs", "--out", "pairs")
    if not (data / "tokenizers" / "v4096").exists():
        work.epitome("tokenizer", "tokenizer", "texts", "--size", "4096", "--out", "v4096")


def make_all(work: Work) -> None:
    """The runs of the two main arms."""
    for seed in SEEDS:
        seeds = ("--seed", seed)
        first = ("--corpus", "texts", *FRESH, *PRE_TRAINING, *seeds)
        work.train(FIRST, f"{FIRST}-{seed}", *first)
        fine = ("--corpus", "pairs", *FINE_TUNING, *seeds)
        both = {WITH: ("--from", work.run(f"{FIRST}-{seed}")), ALONE: (*FRESH, "--length", "1024")}
        for arm, start in both.items():
            work.train(arm, f"{arm}-{seed}", *fine, *start)


def make_more(work: Work, arms: Sequence[str], seeds: Sequence[int]) -> None:
    """The runs of further arms."""
    if LEFT_IN in arms and not (work.folder / "data" / "corpora" / LEFT_IN).exists():
        made = ("--make", "gsg", "--split", "98/2/0", "--left-in", SHARE_LEFT_IN, "--out", LEFT_IN)
        work.epitome("corpus", "corpus", DATA / "corpus", *made)
    for seed in seeds:
        for arm in arms:
            make_arm(work, arm, seed)


def make_arm(work: Work, arm: str, seed: int) -> None:
    """The runs of one further arm and seed."""
    fine = ("--corpus", "pairs", *FINE_TUNING, "--seed", seed)
    if arm == EQUAL:
        steps = ("--steps", EQUAL_STEPS, "--validate-every", EQUAL_STEPS // 5)
        work.train(arm, f"{arm}-{seed}", *changed(fine, *steps), *FRESH, "--length", "1024")
        return
    corpus = LEFT_IN if arm == LEFT_IN else "texts"
    first = ("--corpus", corpus, *FRESH, *PRE_TRAINING, "--seed", seed)
    if arm == PLAIN:
        first = changed(first, "--objective", "language-model")
    begun = f"first-{arm}-{seed}"
    work.train(f"{FIRST} of {arm}", begun, *first)
    work.train(arm, f"{arm}-{seed}", *fine, "--from", work.run(begun))


def changed(words: Sequence[object], *others: object) -> tuple[object, ...]:
    """Options of a command, each with a value, with other values of some."""
    named = dict(zip(words[::2], words[1::2], strict=True))
    named |= dict(zip(others[::2], others[1::2], strict=True))
    return tuple(word for pair in named.items() for word in pair)


def arms_in(rows: Iterable[Row], column: str) -> dict[str, list[int]]:
    """The arms that rows were kept of, with their seeds."""
    found = {row[column] for row in rows}
    arms = (WITH, ALONE, *MORE_ARMS)
    seeds = {arm: [seed for seed in SEEDS if f"{arm}-{seed}" in found] for arm in arms}
    return {arm: some for arm, some in seeds.items() if some}


def runs(arms: Iterable[str], seeds: Sequence[int] = SEEDS) -> list[str]:
    """The names of the runs that write summaries."""
    return [f"{arm}-{seed}" for arm in arms for seed in seeds]


# --- what came out ---


def keep_curves(work: Work, names: list[str]) -> None:
    """A row a validation of each run; rows of others stay."""
    from core.runs.events_file import read_events

    names = names + [f"first-{name}" for name in names if work.run(f"first-{name}").exists()]
    rows = others(RESULTS / "pretraining-curves.csv", "run", names)
    for name in names:
        losses: list[float] = []
        seconds = 0.0
        for event in read_events(work.run(name) / "events.jsonl"):
            seconds += event.values.get("seconds", 0.0)
            if event.kind == "StepDone":
                losses.append(event.values["loss"])
            if event.kind == "ValidationDone":
                row = {"run": name, "step": event.values["step"], "seconds": round(seconds, 1)}
                row["train_loss"] = round(statistics.fmean(losses), 4)
                rows.append(row | {"validation_loss": round(event.values["loss"], 4)})
                losses.clear()
    write_rows(RESULTS / "pretraining-curves.csv", rows)


def keep_losses(work: Work, names: list[str]) -> None:
    """The loss of each validation document in each run's best checkpoint."""
    rows = others(RESULTS / "pretraining-losses.csv", "run", names)
    rows += [row for name in names for row in losses_of(work, name)]
    write_rows(RESULTS / "pretraining-losses.csv", rows)


def losses_of(work: Work, name: str) -> Iterator[Row]:
    import torch

    from core.data.examples import open_examples
    from core.models.builders import build
    from core.models.weights import read_weights
    from core.training.checkpoint import WEIGHTS_FILE
    from core.training.origins import origin_of
    from core.training.rows import rows_of
    from core.writing.opened_model import open_model

    run = work.run(name)
    plan, checkpoint = origin_of(run).plan, origin_of(run).checkpoint
    model = build(plan.model)
    read_weights(checkpoint.path / WEIGHTS_FILE, model)
    tokenizer = open_model(run).tokenizer
    examples = open_examples(Path(plan.run.corpus), tokenizer, "validation")
    held_out = rows_of(examples, plan.model, plan.train, tokenizer.special)
    with torch.no_grad():
        for number in range(len(held_out)):
            batch = held_out.batch([number], plan.train)
            loss = round(float(model.loss(batch)), 3)
            yield {
                "run": name,
                "document": int(held_out.fitted.rows[number, 0]),
                "loss_sum": loss,
            } | {"tokens": batch.num_loss_tokens}


def keep_scores(work: Work, names: list[str], untrained: Sequence[str], folder: Path) -> None:
    """Has systems write all test documents, and keeps their F1; rows of others stay."""
    rows = others(RESULTS / "pretraining-scores.csv", "system", (*untrained, *names))
    models = [*untrained, *(str(work.run(name)) for name in names)]
    company = ["lead"] if len(models) == 1 else []  # at least two systems are compared
    named = [word for model in [*company, *models] for word in ("--model", model)]
    metrics = ("--metrics", "rouge-1,rouge-2,rouge-lsum,words", "--sentence-breaks", "found")
    for name, words in WORDS.items():
        out = folder / name
        if not (out / "documents.csv").exists():
            pairs = DATA / "pairs" / name / "test.parquet"
            how = (*named, *metrics, "--pairs", pairs, "--length", f"{words}w", "--out", out)
            how += ("--limit", NUM_SCORED)
            work.epitome(f"scores of {name}", "compare", "--quiet", *how)
        for row in read_rows(out / "documents.csv"):
            if row["system"] in company:
                continue
            kept = {
                "set": name,
                "document": row["document"],
                "system": row["system"].split("/")[-1],
            }
            kept |= {each: f"{float(row[f'{each} f1']):.2f}" for each in MEASURES}
            rows.append(kept | {"words": row["words"].removesuffix(".0")})
    write_rows(RESULTS / "pretraining-scores.csv", rows)


MEASURES = ("rouge-1", "rouge-2", "rouge-lsum")


def keep_constant() -> None:
    """Scores for each set the training summary nearest to the others, and their commonest words."""
    from pyarrow.parquet import read_table

    kept = [r for r in read_rows(RESULTS / "pretraining-scores.csv") if r["system"] not in CONSTANT]
    for name, words in WORDS.items():
        train, test = (
            read_table(DATA / "pairs" / name / f"{split}.parquet").to_pylist()
            for split in ("train", "test")
        )
        texts = constant_texts([row["summary"] for row in train], words)
        for system, text in zip(CONSTANT, texts, strict=True):
            for row in test[:NUM_SCORED]:
                found = {"set": name, "document": row["id"], "system": system}
                found |= f1_of(text, row["summary"])
                kept.append(found | {"words": len(text.split())})
    write_rows(RESULTS / "pretraining-scores.csv", kept)


def constant_texts(summaries: list[str], words: int) -> tuple[str, str]:
    """The summary, cut, that is nearest to the others, and the words that most of them have."""
    counted = [Counter(re.findall("[a-z0-9]+", text.lower())) for text in summaries]
    cut = [" ".join(text.split()[:words]) for text in summaries]

    def nearness(text: str) -> float:
        mine = Counter(re.findall("[a-z0-9]+", text.lower()))
        shared = (
            (mine & other).total() / (mine.total() + other.total()) for other in counted[:300]
        )
        return statistics.fmean(shared)

    # A word comes as often as most summaries have it: "the" several times before "method" once.
    times = Counter((word, n) for one in counted for word, many in one.items() for n in range(many))
    commonest = [word for (word, _), _ in times.most_common(words)]
    return max(cut, key=nearness), " ".join(commonest)


def f1_of(text: str, reference: str) -> Row:
    """F1 as `keep_scores` has it, with sentence breaks found."""
    from core.documents.sentences import split_paragraph
    from core.metrics.rouge import Rouge

    broken = (
        "\n".join(line[a:b] for line in each.split("\n") for a, b in split_paragraph(line))
        for each in (text, reference)
    )
    found = Rouge(("1", "2", "Lsum")).score(*broken)
    names = dict(zip(MEASURES, ("1", "2", "Lsum"), strict=True))
    return {measure: f"{100 * found[name].f1:.2f}" for measure, name in names.items()}


def keep_samples(work: Work) -> None:
    """Ten random test documents with the output of each system."""
    from pyarrow.parquet import read_table

    tests = {name: read_table(DATA / "pairs" / name / "test.parquet").to_pylist() for name in WORDS}
    drawn = random.Random(0).sample(
        [(name, n) for name in WORDS for n in range(NUM_SCORED)], NUM_SAMPLES
    )
    shown = {
        f"{WITH}-{SEEDS[0]}": "Pre-trained, then fine-tuned",
        f"{ALONE}-{SEEDS[0]}": "Fine-tuned only",
        "lead": "Lead (first sentences)",
        "gap-sentences": "Gap sentences",
    }
    lines = [
        "# Samples",
        "",
        "Written by `python tests/benchmarks/pretraining.py`: ten random test documents",
        "with the complete, unedited output of the models of seed 1. See",
        "[tried.md](../../../docs/tried.md).",
    ]
    for name, number in sorted(drawn):
        row = tests[name][number]
        lines += ["", f"## {row['title']}", "", f"From {name}: {row['source']}, {row['licence']}."]
        lines += quoted("Reference summary", row["summary"])
        for system, told in shown.items():
            file = work.folder / "scores" / name / system / "predictions.jsonl"
            text = json.loads(file.read_text("utf-8").splitlines()[number])["prediction"]
            lines += quoted(told, text)
    SAMPLES.write_text("\n".join(lines) + "\n", "utf-8")


def quoted(told: str, text: str) -> list[str]:
    return ["", f"**{told}**", "", *(f"> {line}" for line in " ".join(text.split()).splitlines())]


# --- rows ---


def others(path: Path, column: str, names: Iterable[str]) -> list[Row]:
    """The kept rows of others than those that are made anew."""
    left_out = set(names)
    rows = read_rows(path) if path.exists() else []
    return [row for row in rows if row[column] not in left_out]


def read_rows(path: Path) -> list[Row]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write_rows(path: Path, rows: list[Row]) -> None:
    path.unlink(missing_ok=True)
    add_rows(path, rows)


def add_rows(path: Path, rows: list[Row]) -> None:
    begun = path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        if not begun:
            writer.writeheader()
        writer.writerows(rows)


# --- what it says ---


def spread(values: Iterable[float]) -> str:
    found = list(values)
    deviation = f" ± {statistics.stdev(found):.2f}" if len(found) > 1 else ""
    return f"{statistics.fmean(found):.2f}{deviation}"


def report() -> None:
    report_times()
    report_losses()
    report_scores()


def report_times() -> None:
    rows = read_rows(RESULTS / "pretraining-times.csv")
    print("| what | commands | minutes |\n| --- | --- | --- |")
    for what in dict.fromkeys(row["what"] for row in rows):
        seconds = [float(row["seconds"]) for row in rows if row["what"] == what]
        print(f"| {what} | {len(seconds)} | {sum(seconds) / 60:.1f} |")


def report_losses() -> None:
    """Each arm's loss a token, and the difference, documents drawn anew."""
    import numpy as np

    from core.metrics.intervals import difference, draws

    rows = read_rows(RESULTS / "pretraining-losses.csv")
    sums: dict[str, Any] = {}
    arms = arms_in(rows, "run")
    for name in (name for arm, seeds in arms.items() for name in runs([arm], seeds)):
        mine = sorted((row for row in rows if row["run"] == name), key=lambda r: int(r["document"]))
        sums[name] = np.array([[float(row["loss_sum"]), int(row["tokens"])] for row in mine])
    print("\n| validation loss, nats a token | mean ± deviation of the seeds |\n| --- | --- |")
    for arm, seeds in arms.items():
        found = (sums[f"{arm}-{seed}"].sum(0) for seed in seeds)
        print(f"| {arm} | {spread(loss / tokens for loss, tokens in found)} |")

    def mean(arm: str, weights: Any) -> float:
        found = (weights @ sums[f"{arm}-{seed}"] for seed in SEEDS)
        return statistics.fmean(loss / tokens for loss, tokens in found)

    number = len(sums[f"{WITH}-{SEEDS[0]}"])
    drawn = [mean(WITH, weights) - mean(ALONE, weights) for weights in draws(number)]
    ones = np.ones(number)
    told = difference(mean(WITH, ones) - mean(ALONE, ones), np.array(drawn))
    print(f"| difference | {told.value:+.3f} ({told.low:+.3f} to {told.high:+.3f}) |")


def report_scores() -> None:
    import numpy as np

    from core.metrics.intervals import paired_bootstrap

    rows = read_rows(RESULTS / "pretraining-scores.csv")
    found: dict[tuple[str, str], Any] = {}
    arms = arms_in(rows, "system")
    for name in WORDS:
        trained = (name for arm, seeds in arms.items() for name in runs([arm], seeds))
        for system in (*UNTRAINED, *CONSTANT, *trained):
            mine = [row for row in rows if row["set"] == name and row["system"] == system]
            columns = (*MEASURES, "words")
            found[name, system] = np.array([[float(row[c]) for c in columns] for row in mine])
    for place, measure in enumerate((*MEASURES, "words")):
        print(f"\n| {measure} | {' | '.join(WORDS)} | mean of the sets |")
        print("| --- " * (len(WORDS) + 2) + "|")
        for system in (*UNTRAINED, *CONSTANT):
            means = [found[name, system][:, place].mean() for name in WORDS]
            cells = [f"{mean:.2f}" for mean in (*means, statistics.fmean(means))]
            print(f"| {system} | {' | '.join(cells)} |")
        for arm, seeds in arms.items():
            means = np.array(
                [[found[name, f"{arm}-{s}"][:, place].mean() for name in WORDS] for s in seeds]
            )
            cells = [spread(column) for column in (*means.T.tolist(), means.mean(1).tolist())]
            print(f"| {arm} | {' | '.join(cells)} |")
    print(
        "\n| ROUGE-1, difference | documents drawn anew | seeds drawn anew |\n| --- | --- | --- |"
    )

    def of(system: str) -> Any:
        """[seeds, documents] ROUGE-1; one row for what has no seeds."""
        seeds = runs([system], arms[system]) if system in arms else [system]
        return np.array([np.concatenate([found[n, s][:, 0] for n in WORDS]) for s in seeds])

    more = tuple((arm, WITH) for arm in arms if arm in MORE_ARMS)
    for first, second in ((ALONE, WITH), *more, ("lead", WITH), ("one-summary", WITH)):
        told = paired_bootstrap(of(first).mean(0), of(second).mean(0))
        documents = f"{told.value:+.2f} ({told.low:+.2f} to {told.high:+.2f})"
        by_seed = of(second).mean(1) - of(first).mean(1)
        of_seeds = "one seed"
        if len(arms.get(first, SEEDS)) == len(SEEDS):
            half = T_OF_SEEDS * by_seed.std(ddof=1) / len(SEEDS) ** 0.5
            of_seeds = f"{told.value - half:+.2f} to {told.value + half:+.2f}"
        print(f"| {second} less {first} | {documents} | {of_seeds} |")


def draw() -> None:
    """Validation loss of fine-tuning, and of pre-training, step by step."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    rows = read_rows(RESULTS / "pretraining-curves.csv")
    canvas, both = plt.subplots(1, 2, figsize=(10, 4.2), dpi=120, layout="constrained")
    colours = {FIRST: "#8a8a94", WITH: "#2457a6", ALONE: "#b3541e"}
    places = ((both[0], (FIRST,), "Pre-training"), (both[1], (WITH, ALONE), "Fine-tuning"))
    for axes, arms, title in places:
        for arm in arms:
            for seed in SEEDS:
                mine = [row for row in rows if row["run"] == f"{arm}-{seed}"]
                steps = [int(row["step"]) for row in mine]
                losses = [float(row["validation_loss"]) for row in mine]
                label = arm if seed == SEEDS[0] else None
                axes.plot(steps, losses, color=colours[arm], linewidth=1.4, label=label)
        axes.set(title=title, xlabel="steps", ylabel="validation loss, nats a token")
        axes.grid(alpha=0.25)
        axes.legend(frameon=False, fontsize=9)
    canvas.savefig(FIGURE)
    plt.close(canvas)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--table", action="store_true", help="print the kept rows, run nothing")
    parser.add_argument("--figure", action="store_true", help="draw the kept rows, run nothing")
    parser.add_argument(
        "--constant", action="store_true", help="score the constant texts anew, run nothing else"
    )
    parser.add_argument("--train-only", action="store_true", help="make the runs, score nothing")
    parser.add_argument(
        "--arms", default="", help=f"make and score further arms: {', '.join(MORE_ARMS)}"
    )
    parser.add_argument(
        "--seeds", type=int, default=len(SEEDS), help="of further arms: how many (default: all)"
    )
    parser.add_argument(
        "--work", type=Path, default=Path(tempfile.gettempdir()) / "epitome-pretraining"
    )
    arguments = parser.parse_args()
    if arguments.constant:
        keep_constant()
    elif not (arguments.table or arguments.figure):
        if not DATA.exists():
            sys.exit(f"The data to learn from is not there: {DATA}")
        work = Work(arguments.work)
        make_data(work)
        more = [arm for arm in MORE_ARMS if arm in arguments.arms.split(",")]
        seeds = SEEDS[: arguments.seeds]
        if more:
            make_more(work, more, seeds)
        else:
            make_all(work)
        keep_curves(work, runs(more, seeds) or runs((FIRST, WITH, ALONE)))
        if arguments.train_only:
            return 0
        names = runs(more, seeds) or runs((WITH, ALONE))
        keep_losses(work, names)
        folder = work.folder / "scores" / "-".join([*more, *map(str, seeds)] if more else [])
        keep_scores(work, names, () if more else UNTRAINED, folder)
        if not more:
            keep_constant()
            keep_samples(work)
    draw() if arguments.figure else report()
    return 0


if __name__ == "__main__":
    sys.exit(main())
