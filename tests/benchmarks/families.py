"""The tables of papers 2 and 4 on our data: systems, speed against length, a learning curve.

    python tests/benchmarks/families.py            # trains, scores, measures; under three hours
    python tests/benchmarks/families.py --part speed   # a part alone: systems, speed or curve
    python tests/benchmarks/families.py --part systems --seed 2    # of the main arms, a seed alone
    python tests/benchmarks/families.py --minutes 60   # begins nothing new after an hour
    python tests/benchmarks/families.py --tiny     # the same in minutes, with models of no use
    python tests/benchmarks/families.py --table    # print the kept rows, run nothing
    python tests/benchmarks/families.py --figure   # draw the kept rows, run nothing

*Systems* (paper 2): the encoder-decoder Transformer and its faster encoders (preset `paper-2` at
half its width, which two cores train in an evening), a larger one, and the Reformer
encoder-decoder, on pairs of textbook sections and research proposals in `../shared/data`, sources
cut at 400 tokens; equal steps; the first seed for all, two more for the main arms. Norms stand
before the sub-layers: behind them, as the preset has it, so few steps teach nothing. At least 90
tokens are written, since models of this size end early, and ROUGE would compare lengths. *Speed*: a
training step, reading and writing, against the source's length, each point in a fresh process,
three times in turn; medians are shown.
*Curve* (paper 4): preset `paper-4`, at half its width, too, on the pairs of all sets, 80/10/10.

All training and scoring by the commands that a person types, on one thread: two parts that are not
*speed* can run side by side. *Speed* takes all cores and wants an idle machine. Called again, it
goes on where it was: runs and points that have rows are done; the rest lies in `--work`.
Rows: `families-scores.csv` (ROUGE of each test document), `families-curves.csv` (a row a
validation), `families-speed.csv` (a row a point), `families-times.csv` (a row a command); with
`--tiny` they lie in `--work`.
"""

import argparse
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

DATA = ROOT / "../shared/data/pairs"
RESULTS = Path(__file__).parent / "results"
PICTURES = ROOT / "docs" / "pictures"
Row = dict[str, Any]

SETS = ("openstax", "proposals")
ALL_SETS = ("lay", "openstax", "patents", "proposals", "scisummnet")
SOURCE_TOKENS, CURVE_SOURCE_TOKENS = 400, 512
LIGHT = ("--encoder-attention", "light-convolution")
REFORMER = (
    "--family", "reformer-encoder-decoder", "--source-length", "400", "--encoder-depth", "3",
    "--decoder-depth", "3", "--dropout", "0.1",
)  # fmt: skip
SYSTEMS: dict[str, tuple[str, ...]] = {
    "transformer": (),
    "input convolution": ("--shortening", "4"),
    "light convolution": LIGHT,
    "local": ("--encoder-attention", "local"),
    "local, shifted": ("--encoder-attention", "shifted"),
    "memory-compressed": ("--encoder-attention", "memory-compressed"),
    "light convolution, decoder too": (*LIGHT, "--decoder-attention", "light-convolution"),
    "transformer, larger": ("--width", "256", "--heads", "8", "--encoder-depth", "4",
                            "--decoder-depth", "4"),
    "reformer": REFORMER,
}  # fmt: skip
MAIN, SEEDS = ("transformer", "light convolution", "local"), (1, 2, 3)
PAPER: dict[str, tuple[float, ...]] = {
    "transformer": (32.39, 8.78, 26.8, 1),
    "input convolution": (30.30, 8.63, 26.05, 1.62),
    "light convolution": (36.27, 14.31, 30.91, 1.08),
    "local": (35.53, 14.01, 30.62, 1.13),
    "local, shifted": (35.8, 14.54, 30.92, 1.13),
    "memory-compressed": (31.43, 7.70, 26.12, 1.01),
    "light convolution, decoder too": (38.37, 16.20, 32.7),
    "transformer, larger": (25.55, 5.08, 22.5),
}
"""ROUGE-1, 2, L and the speed-up on CNN/DailyMail, as the poster has them."""
MEASURES = ("rouge-1", "rouge-2", "rouge-l")
UNTRAINED = ("lead", "built-in")
CURVE, CURVES = "paper-4", "families-curves.csv"


@dataclass(frozen=True)
class Scale:
    """How much is done.

    Args:
        steps: Of each system.
        curve_steps: Of the learning curve.
        validate_every: Steps between validations.
        lengths: Of sources in the speed figures, in tokens.
        scored: Test documents that are summarised.
        pairs: Pairs of a set that are used at most; None for all.
        vocabulary: Tokens.
        sizes: Options of every model.
        norm: Options of every Transformer.
        seeds: Of the main arms.
        speed_rounds: How often each point of the speed figures is measured.
        written: Tokens that are written there.
    """

    steps: int = 640
    curve_steps: int = 960
    validate_every: int = 160
    lengths: tuple[int, ...] = (200, 400, 1000, 2000, 4000)
    scored: int = 100
    pairs: int | None = None
    vocabulary: int = 4096
    sizes: tuple[str, ...] = ("--width", "128", "--heads", "4")
    norm: tuple[str, ...] = ("--norm", "pre")
    seeds: tuple[int, ...] = SEEDS
    speed_rounds: int = 3
    written: int = 100

    @property
    def training(self) -> tuple[str, ...]:
        """What all runs have in common."""
        return (
            "--objective", "summary", "--too-long", "window", "--batch", "8", "--schedule",
            "linear", "--learning-rate", "4e-3", "--warm-up", "50", "--smoothing", "0.1",
            "--target-length", "256", "--min-length", "90", "--max-length", "160",
            "--validate-every", str(self.validate_every), "--validate-rows", "100",
            "--threads", "1", "--keep", "1",
        )  # fmt: skip


TINY = Scale(
    steps=2, curve_steps=4, validate_every=2, lengths=(40, 80), scored=2, pairs=24, vocabulary=512,
    sizes=("--width", "16", "--heads", "2", "--encoder-depth", "1", "--decoder-depth", "1"),
    seeds=(1, 2), speed_rounds=1, written=4,
)  # fmt: skip


class Work:
    """What is made lies in one folder; every command's time is kept.

    Args:
        folder: The folder.
        results: Where rows go.
        scale: How much is done.
        times: The file of the commands' times, beside the other rows.
    """

    def __init__(
        self, folder: Path, results: Path, scale: Scale, times: str = "families-times.csv"
    ) -> None:
        self.folder, self.results, self.scale, self.times = folder, results, scale, times
        folder.mkdir(parents=True, exist_ok=True)

    def run(self, name: str) -> Path:
        """The folder of a run."""
        return self.folder / "runs" / name

    def epitome(self, what: str, *words: object) -> None:
        """Runs a command; `what` stands beside its time."""
        command = [str(Path(sys.executable).with_name("epitome")), *map(str, words)]
        print(f"{what}: epitome {' '.join(command[1:])}", flush=True)
        load, began_s = os.getloadavg()[0], time.monotonic()
        environment = {**os.environ, "EPITOME_HOME": str(self.folder)}
        ended = subprocess.run(command, env=environment, check=False).returncode
        row = {"what": what, "seconds": round(time.monotonic() - began_s, 1)}
        row |= {"load_before": round(load, 2), "exit_code": ended}
        add_rows(self.results / self.times, [row])
        if ended:
            sys.exit(f"“{what}” ended with {ended}; call again to go on.")

    def train(self, name: str, *words: object) -> None:
        """Makes a run, or goes on with it, until it is finished."""
        from core.runs.events_file import read_events

        run = self.run(name)
        events = read_events(run / "events.jsonl") if run.exists() else []
        if events and events[-1].kind == "Finished":
            return
        begun = (run / "job.toml").exists()
        how = ("--resume", run) if begun else (*words, "--out", run)
        self.epitome(name, "train", "--quiet", *how)


# --- data ---


def make_corpora(work: Work) -> None:
    """Tokenizer, then the corpora of pairs whose sources are cut."""
    made = work.folder / "data"
    whole = work.folder / "whole"
    if not whole.exists():
        write_pairs(work, SETS, whole, None)
    if not (made / "corpora" / "whole").exists():
        work.epitome("corpus", "corpus", whole, "--make", "pairs", "--out", "whole")
    if not (made / "tokenizers" / "words").exists():
        size = str(work.scale.vocabulary)
        work.epitome("tokenizer", "tokenizer", "whole", "--size", size, "--out", "words")
    if not (made / "corpora" / "cut").exists():
        write_pairs(work, SETS, work.folder / "cut", SOURCE_TOKENS)
        source = work.folder / "cut"
        work.epitome("corpus, cut", "corpus", source, "--make", "pairs", "--out", "cut")
    if not (made / "corpora" / "all").exists():
        write_pairs(work, ALL_SETS, work.folder / "all", CURVE_SOURCE_TOKENS, one_split=True)
        how = ("--make", "pairs", "--split", "80/10/10", "--out", "all")
        work.epitome("corpus, all sets", "corpus", work.folder / "all", *how)


def write_pairs(
    work: Work, sets: tuple[str, ...], folder: Path, most_tokens: int | None, *,
    one_split: bool = False,
) -> None:  # fmt: skip
    """Writes pairs as tables, one a split; sources cut to their first tokens."""
    import pyarrow as pa
    from pyarrow.parquet import read_table, write_table

    folder.mkdir(exist_ok=True)
    found: dict[str, list[Row]] = {}
    for name in sets:
        for split in ("train", "validation", "test"):
            rows = read_table(DATA / name / f"{split}.parquet").to_pylist()[: work.scale.pairs]
            found.setdefault("all" if one_split else split, []).extend(rows)
    for split, rows in found.items():
        documents = [row["document"] for row in rows]
        cut = documents if most_tokens is None else cut_to(work, documents, most_tokens)
        table = {"document": cut, "summary": [row["summary"] for row in rows]}
        write_table(pa.table(table), folder / f"{split}.parquet")


def cut_to(work: Work, documents: list[str], most_tokens: int) -> list[str]:
    """Each document as far as its first tokens go, cut between words."""
    from core.data.tokenizer import Tokenizer

    tokenizer = Tokenizer.load(work.folder / "data" / "tokenizers" / "words")
    cut = []
    for document in documents:
        words = document[: 20 * most_tokens].split(" ")
        low, high = 1, min(len(words), most_tokens)
        while low < high:
            middle = (low + high + 1) // 2
            fits = len(tokenizer.encode(" ".join(words[:middle]))) <= most_tokens
            low, high = (middle, high) if fits else (low, middle - 1)
        cut.append(" ".join(words[:low]))
    return cut


# --- runs ---


def runs(scale: Scale) -> Iterator[tuple[str, int, str]]:
    """System, seed and name of each run; the first seed of all comes first."""
    for seed in scale.seeds:
        for system in SYSTEMS:
            if seed == SEEDS[0] or system in MAIN:
                yield system, seed, f"{system.replace(', ', '-').replace(' ', '-')}-{seed}"


def train_system(work: Work, system: str, seed: int, name: str) -> None:
    """A system; all have equal steps on equal rows."""
    scale = work.scale
    preset = () if system == "reformer" else ("--preset", "paper-2", *scale.norm)
    data = ("--corpus", "cut", "--tokenizer", "words", "--seed", seed)
    sizes = scale.sizes if system != "transformer, larger" else scale.sizes[4:]
    how = (*SYSTEMS[system], *sizes, *scale.training, "--rouge-rows", "0")
    work.train(name, *preset, *data, *how, "--steps", scale.steps)


def train_curve(work: Work) -> None:
    """The learning curve of paper 4."""
    scale = work.scale
    data = ("--preset", "paper-4", "--corpus", "all", "--tokenizer", "words", "--seed", "1")
    how = (*scale.norm, *scale.sizes, *scale.training, "--rouge-rows", "20")
    how += ("--steps", scale.curve_steps)
    work.train(CURVE, *data, *how)


def make_systems(work: Work, until_s: float) -> None:
    """All systems that have no rows yet, one after the other, while there is time."""
    make_corpora(work)
    score(work, "cut", *UNTRAINED)
    for system, seed, name in runs(work.scale):
        if is_scored(work, name):
            continue
        if time.monotonic() > until_s:
            print(f"No time left for {name} and what comes after it; call again to go on.")
            return
        train_system(work, system, seed, name)
        keep_curve(work, name)
        score(work, "cut", name)


def make_curve(work: Work, until_s: float) -> None:
    """The learning curve, if it has no rows yet and there is time."""
    make_corpora(work)
    score(work, "all", *UNTRAINED)
    if is_scored(work, CURVE) or time.monotonic() > until_s:
        return
    train_curve(work)
    keep_curve(work, CURVE)
    score(work, "all", CURVE)


def is_scored(work: Work, name: str) -> bool:
    """Whether a run has all its rows; those of its test documents come last."""
    kept = read_rows(work.results / "families-scores.csv")
    return any(row["system"] == name for row in kept)


def score(work: Work, corpus: str, *names: str) -> None:
    """Has systems write the test documents, and keeps their F1."""
    file = work.results / "families-scores.csv"
    if names[0] in {row["system"] for row in read_rows(file) if row["corpus"] == corpus}:
        return
    out = work.folder / "scores" / corpus / names[0]
    if not (out / "documents.csv").exists():
        models = [name if name in UNTRAINED else work.run(name) for name in names]
        words = [word for model in models for word in ("--model", model)]
        words += ["--corpus", corpus, "--length", "80w", "--out", out]
        words += ["--metrics", ",".join((*MEASURES, "words")), "--limit", work.scale.scored]
        command = "compare" if len(models) > 1 else "evaluate"
        work.epitome(f"scores, {names[0]}, {corpus}", command, "--quiet", *words)
    rows: list[Row] = []
    for row in read_rows(out / "documents.csv"):
        kept = {"corpus": corpus, "document": row["document"]}
        kept["system"] = row["system"].split("/")[-1]
        kept |= {each: f"{float(row[f'{each} f1']):.2f}" for each in MEASURES}
        rows.append(kept | {"words": row["words"].removesuffix(".0")})
    add_rows(file, rows)


def keep_curve(work: Work, name: str, curves: str = CURVES) -> None:
    """A row a validation of a run."""
    from core.runs.events_file import read_events

    file = work.results / curves
    if any(row["run"] == name for row in read_rows(file)):
        return
    rows: list[Row] = []
    losses: list[float] = []
    seconds = 0.0
    for event in read_events(work.run(name) / "events.jsonl"):
        if event.kind == "StepDone":
            losses.append(event.values["loss"])
            seconds += event.values.get("seconds", 0.0)
        if event.kind == "ValidationDone":
            row = {"run": name, "step": event.values["step"], "seconds": round(seconds, 1)}
            row |= {"train_loss": round(statistics.fmean(losses), 4)}
            row |= {"validation_loss": round(event.values["loss"], 4)}
            found = event.values.get("rouge") or {}
            rows.append(row | {f"rouge-{k}": round(100 * found.get(k, 0), 2) for k in "12L"})
            losses.clear()
    add_rows(file, rows)


# --- speed ---


def settings_of(system: str, sizes: tuple[str, ...]) -> dict[str, Any]:
    """The model of a system, as `family_speed.py` takes it."""
    from core.models.transformer.settings import PRESETS

    words = iter((*sizes, *SYSTEMS[system]))
    typed = {word.removeprefix("--").replace("-", "_"): next(words) for word in words}
    lists = {name: [typed[name]] for name in typed if name.endswith("_attention")}
    left_out = {"source_length", "target_length"}
    return PRESETS["paper-2"].model_dump(mode="json", exclude=left_out) | typed | lists


def measure_speed(work: Work, until_s: float) -> None:
    """Every point in fresh processes, while there is time; those that are kept are done."""
    file = work.results / "families-speed.csv"
    kept = {(row["round"], row["system"], row["length"]) for row in read_rows(file)}
    rounds = range(1, 1 + work.scale.speed_rounds)
    for number, length, system in product(rounds, work.scale.lengths, SYSTEMS):
        if system == "reformer" or (str(number), system, str(length)) in kept:
            continue
        if time.monotonic() > until_s:
            return
        point = {
            "settings": settings_of(system, work.scale.sizes),
            "length": length,
            "written": work.scale.written,
        }
        script = Path(__file__).with_name("family_speed.py")
        command = [sys.executable, str(script), json.dumps(point)]
        load = round(os.getloadavg()[0], 2)
        found = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        row = {"round": number, "system": system, "length": length, "load_before": load}
        row |= json.loads(found)
        print(f"speed: {system}, {length}: {row['step_s']} s", flush=True)
        add_rows(file, [row])


Points = dict[tuple[str, int], dict[str, float]]
"""By system and length: seconds by name."""


def points_of(results: Path) -> Points:
    """The median of all rounds of each point."""
    found: dict[tuple[str, int], list[Row]] = {}
    for row in read_rows(results / "families-speed.csv"):
        found.setdefault((row["system"], int(row["length"])), []).append(row)
    return {
        point: {
            name: statistics.median(float(row[name]) for row in rows)
            for name in rows[0]
            if name.endswith("_s")
        }
        for point, rows in found.items()
    }


PARTS = {"speed": measure_speed, "systems": make_systems, "curve": make_curve}


# --- rows ---


def read_rows(path: Path) -> list[Row]:
    """The rows of a table; none where there is no file."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write_rows(path: Path, rows: list[Row]) -> None:
    """Writes a table anew."""
    path.unlink(missing_ok=True)
    add_rows(path, rows)


def add_rows(path: Path, rows: list[Row]) -> None:
    """Adds rows to a table, under a head if it is new."""
    begun = path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        if not begun:
            writer.writeheader()
        writer.writerows(rows)


# --- what it says ---


def report(results: Path) -> None:
    """All tables, from the kept rows alone."""
    report_systems(results)
    report_speed(results)
    report_curve(results)


def report_systems(results: Path) -> None:
    """ROUGE and speed-up of each system, beside the poster's."""
    rows = [row for row in read_rows(results / "families-scores.csv") if row["corpus"] == "cut"]
    speed = points_of(results)
    measured = sorted({length for _, length in speed})
    near = min(measured, key=lambda length: abs(length - SOURCE_TOKENS), default=0)
    print("| system | ROUGE-1 | ROUGE-2 | ROUGE-L | words | validation loss | runs "
          "| step, times faster | read and write, times faster | the poster's |")  # fmt: skip
    print("| --- " * 10 + "|")
    named = [(system, system) for system in UNTRAINED]
    named += [(system, system.replace(", ", "-").replace(" ", "-") + "-") for system in SYSTEMS]
    for system, name in named:
        mine = [row for row in rows if seeded(row["system"]) == name]
        if not mine:
            continue
        seeds = sorted({row["system"] for row in mine})
        cells = [spread([mean_of(mine, seed, each) for seed in seeds]) for each in MEASURES]
        losses = last_losses(results / CURVES, seeds)
        cells += [f"{mean_of(mine, None, 'words'):.0f}", losses, str(len(seeds))]
        cells += faster(speed, system, near)
        paper = " / ".join(f"{value:g}" for value in PAPER.get(system, ()))
        print(f"| {system} | {' | '.join(cells)} | {paper} |")
    report_differences(rows)


def last_losses(curves: Path, runs: list[str]) -> str:
    """The mean of the last validation losses of runs, nats a token; a dash for what has none."""
    rows = read_rows(curves)
    last = {row["run"]: float(row["validation_loss"]) for row in rows if row["run"] in runs}
    return spread(list(last.values())) if last else "–"


def seeded(name: str) -> str:
    """A run's name without its seed: "local-1" is "local-"; other names stay."""
    return name[:-1] if name[-1].isdigit() else name


def mean_of(rows: list[Row], system: str | None, column: str) -> float:
    """The mean of a column, over all documents of one run or of all."""
    found = [float(row[column]) for row in rows if system in (None, row["system"])]
    return statistics.fmean(found)


def spread(values: list[float]) -> str:
    """The mean of the runs, and their deviation where there are several."""
    mean = f"{statistics.fmean(values):.2f}"
    return f"{mean} ± {statistics.stdev(values):.2f}" if len(values) > 1 else mean


def faster(speed: Points, system: str, length: int) -> list[str]:
    """How many times faster than the plain model it learns, and reads and writes."""
    plain, own = speed.get(("transformer", length)), speed.get((system, length))
    if plain is None or own is None:
        return ["–", "–"]
    step, use = (
        sum(plain[name] for name in names) / sum(own[name] for name in names)
        for names in (("step_s",), ("read_s", "write_s"))
    )
    return [f"{step:.2f}", f"{use:.2f}"]


def report_differences(rows: list[Row]) -> None:
    """Each system less the plain one, on the same documents, seeds averaged."""
    import numpy as np

    from core.metrics.intervals import paired_bootstrap

    def of(name: str) -> Any:
        seeds = sorted({row["system"] for row in rows if seeded(row["system"]) == name})
        each = [[float(row["rouge-1"]) for row in rows if row["system"] == seed] for seed in seeds]
        return np.mean(each, axis=0) if each else None

    plain = of("transformer-")
    print("\n| ROUGE-1 less the Transformer's | (95 % interval over documents) |\n| --- | --- |")
    for system in (*UNTRAINED, *SYSTEMS):
        name = system if system in UNTRAINED else system.replace(", ", "-").replace(" ", "-") + "-"
        scores = of(name)
        if scores is None or plain is None or system == "transformer":
            continue
        told = paired_bootstrap(plain, scores)
        print(f"| {system} | {told.value:+.2f} ({told.low:+.2f} to {told.high:+.2f}) |")


def report_speed(results: Path) -> None:
    """Times against the source's length, and the share of the encoder's attention."""
    points = points_of(results)
    lengths = sorted({length for _, length in points})
    kinds = (("training step", "step_s", "step_attention_s"),
             ("reading", "read_s", "read_attention_s"))  # fmt: skip
    for title, whole, part in kinds:
        print(f"\n| {title}, s (attention's share) | {' | '.join(map(str, lengths))} |")
        print("| --- " * (len(lengths) + 1) + "|")
        for system in dict.fromkeys(system for system, _ in points):
            cells = []
            for length in lengths:
                row = points.get((system, length))
                told = f"{row[whole]:.3f} ({100 * row[part] / row[whole]:.0f} %)" if row else "–"
                cells.append(told)
            print(f"| {system} | {' | '.join(cells)} |")


def report_curve(results: Path) -> None:
    """Paper 4's model: its validations, and its test documents."""
    rows = [row for row in read_rows(results / CURVES) if row["run"] == CURVE]
    print("\n| step | training loss | validation loss | ROUGE-1 | ROUGE-2 | ROUGE-L |")
    print("| --- " * 6 + "|")
    for row in rows:
        names = ("step", "train_loss", "validation_loss", "rouge-1", "rouge-2", "rouge-L")
        print("| " + " | ".join(str(row[name]) for name in names) + " |")
    scores = [row for row in read_rows(results / "families-scores.csv") if row["corpus"] == "all"]
    print("\n| test documents | ROUGE-1 | ROUGE-2 | ROUGE-L | words |")
    print("| --- " * 5 + "|")
    for system in dict.fromkeys(row["system"] for row in scores):
        cells = [f"{mean_of(scores, system, each):.2f}" for each in (*MEASURES, "words")]
        print(f"| {system} | {' | '.join(cells)} |")


def draw(results: Path, pictures: Path) -> None:
    """Times and shares against length; losses against steps."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    points = points_of(results)
    canvas, planes = plt.subplots(1, 3, figsize=(13, 4), dpi=110, layout="constrained")
    for system in dict.fromkeys(system for system, _ in points):
        x = sorted(length for name, length in points if name == system)
        mine = [points[system, length] for length in x]
        step, read = ([row[name] for row in mine] for name in ("step_s", "read_s"))
        share = [100 * row["step_attention_s"] / row["step_s"] for row in mine]
        for plane, values in zip(planes, (step, read, share), strict=True):
            plane.plot(x, values, marker="o", markersize=3, linewidth=1.3, label=system)
    titles = ("training step, s", "reading, s", "encoder attention, % of the step")
    for plane, title in zip(planes, titles, strict=True):
        plane.set(xlabel="source, tokens", title=title)
        plane.grid(alpha=0.25)
    planes[0].legend(frameon=False, fontsize=8)
    pictures.mkdir(parents=True, exist_ok=True)
    canvas.savefig(pictures / "families-speed.png")
    rows = [row for row in read_rows(results / CURVES) if row["run"] == CURVE]
    canvas, plane = plt.subplots(figsize=(5.5, 3.6), dpi=110, layout="constrained")
    for name in ("train_loss", "validation_loss"):
        steps = [int(row["step"]) for row in rows]
        plane.plot(steps, [float(row[name]) for row in rows], label=name.replace("_", " "))
    plane.set(xlabel="steps", ylabel="nats a token", title="paper-4")
    plane.legend(frameon=False)
    canvas.savefig(pictures / "families-curve.png")
    plt.close("all")


def main() -> int:
    """Makes what is missing, and prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--table", action="store_true", help="print the kept rows, run nothing")
    parser.add_argument("--figure", action="store_true", help="draw the kept rows, run nothing")
    parser.add_argument("--part", choices=PARTS, action="append", help="all parts if not given")
    parser.add_argument("--seed", type=int, choices=SEEDS, help="of systems: this one alone")
    parser.add_argument("--tiny", action="store_true", help="try everything in minutes")
    parser.add_argument("--minutes", type=float, default=180.0, help="begin nothing new after them")
    parser.add_argument("--work", type=Path, help="folder of what is being made")
    arguments = parser.parse_args()
    name = "epitome-families-tiny" if arguments.tiny else "epitome-families"
    folder = arguments.work or Path(tempfile.gettempdir()) / name
    results = folder / "results" if arguments.tiny else RESULTS
    pictures = folder / "results" if arguments.tiny else PICTURES
    results.mkdir(parents=True, exist_ok=True)
    if not (arguments.table or arguments.figure):
        if not DATA.exists():
            sys.exit(f"The data to learn from is not there: {DATA}")
        until_s = time.monotonic() + 60 * arguments.minutes
        scale = TINY if arguments.tiny else Scale()
        if arguments.seed:
            scale = replace(scale, seeds=(arguments.seed,))
        work = Work(folder, results, scale)
        for part in arguments.part or PARTS:
            PARTS[part](work, until_s)
    if arguments.figure or arguments.tiny:
        draw(results, pictures)
    if not arguments.figure:
        report(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
