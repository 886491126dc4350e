"""Trains small Reformers that differ in their hashed layers only, and compares what they learn.

    python tests/benchmarks/attention_kinds.py             # 42 runs, about an hour on two cores
    python tests/benchmarks/attention_kinds.py --table     # print the kept rows, run nothing
    python tests/benchmarks/attention_kinds.py --figure    # draw them

Every second layer is `local`; the others are of one kind: `full`, `lsh` (rounds × buckets),
`lsh-chunk`, or `local` too, which shows what is learnt without any long reach. Where the name
begins with `local+` the local layers come first. Text: articles and
books of `../shared/data`, byte-level BPE of 2,048 pieces, each document cut into pieces of 1,025
tokens; whole documents are held out for validation, the middle of each is read. One piece a step,
Adam, a warm-up, then one rate for all; what is validated is the running mean of the weights, so
that a loss at any step, or at any second, stands for a run that ended there. Each run is a fresh
process with one thread, two at a time; seconds are processor time of training steps alone. All
kinds see the same text in the same order for the same seed. A row a validation goes to
`results/attention_kinds.csv`; runs found there are not made again.

Losses are in nats a token, over all tokens and over these: *far*: words rare in the training text
that stood in the same piece, but no nearer than local layers reach together; *middle*: nearer, but
beyond one window; *near*: within one window; *new*: rare and not yet seen. *reading*: the kind that
the same weights were validated with; rows whose reading is not the run's own kind show
what hashing loses, or what more rounds bring.
"""

import argparse
import csv
import hashlib
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "../shared/data/corpus"
RESULTS = Path(__file__).parent / "results" / "attention_kinds.csv"
FIGURE = ROOT / "docs" / "pictures" / "reformer-kinds.png"
HELD_OUT = {"articles": 48, "books": 12}
TOKENIZER_CHARACTERS = 8_000_000
RARE_PER_MILLION = 50
VOCABULARY, LENGTH, WIDTH, HEADS, DEPTH, WINDOW = 2048, 1024, 64, 2, 4, 64
REACH = DEPTH * (WINDOW - 1)
STEPS, EVERY, WARM_UP, RATE, MEAN_OF = 2000, 250, 300, 4e-3, 0.98
SEEDS = (1, 2, 3)
GROUPS = ("common", "far", "middle", "near", "new")
COLUMNS = (
    "kind", "rounds", "buckets", "seed", "reading", "step", "seconds", "train_loss",
    "validation_loss", *(f"{group}_loss" for group in GROUPS), "load_1min", "machine", "torch",
)  # fmt: skip
Row = dict[str, Any]


class Arm(NamedTuple):
    """What the layers between the local ones are; "local+lsh" is `lsh` after `local`."""

    kind: str
    rounds: int = 0
    buckets: int = 0

    def __str__(self) -> str:
        hashing = f" {self.rounds}" if self.rounds else ""
        return self.kind + hashing + (f"×{self.buckets}" if self.buckets else "")


ARMS = (
    Arm("full"), Arm("lsh", 2, 16), Arm("lsh-chunk", 2), Arm("local"),
    Arm("lsh", 1, 16), Arm("lsh", 4, 16), Arm("lsh-chunk", 1), Arm("lsh-chunk", 4),
    Arm("lsh", 2, 64), Arm("local+full"), Arm("local+lsh", 2, 16), Arm("local+lsh", 2, 64),
    Arm("lsh", 2, 32), Arm("lsh", 2, 128),
)  # fmt: skip
READINGS = {
    "full": [*(Arm("lsh", rounds, 16) for rounds in (1, 2, 4, 8)), Arm("lsh", 2, 64)],
    "lsh": [Arm("full"), Arm("lsh", 8, 16)],
    "lsh-chunk": [Arm("full")],
}
"""Other kinds that a trained model is validated with, by its own kind."""


# --- text ---


def prepare(cache: Path) -> None:
    """Writes the pieces for training and validation, once."""
    if (cache / "groups.npy").exists():
        return
    from pyarrow.parquet import read_table

    cache.mkdir(parents=True, exist_ok=True)
    training, held_out = [], []
    for name, count in HELD_OUT.items():
        documents = read_table(CORPUS / f"{name}.parquet", columns=["id", "text"]).to_pylist()
        documents.sort(key=lambda row: hashlib.blake2b(row["id"].encode()).digest())
        held_out += [row["text"] for row in documents[:count]]
        training += [row["text"] for row in documents[count:]]
    tokenizer = train_tokenizer(training)
    pieces = [piece for text in training for piece in cut(tokenizer.encode(text).ids)]
    np.save(cache / "training.npy", np.array(pieces, np.uint16))
    frequent = frequent_words(training)
    middles = [middle_piece(tokenizer.encode(text), text) for text in held_out]
    np.save(cache / "validation.npy", np.array([ids for ids, _ in middles], np.uint16))
    np.save(cache / "groups.npy", np.array([groups(words, frequent) for _, words in middles]))


def train_tokenizer(texts: list[str]) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    share = TOKENIZER_CHARACTERS // len(texts)
    tokenizer.train_from_iterator((text[:share] for text in texts), trainer)
    return tokenizer


def cut(ids: list[int]) -> Iterator[list[int]]:
    size = LENGTH + 1
    return (ids[at : at + size] for at in range(0, len(ids) - size + 1, size))


def frequent_words(texts: Iterable[str]) -> frozenset[str]:
    counts = Counter(word for text in texts for word in re.findall(r"[a-z]+", text.lower()))
    least = RARE_PER_MILLION * counts.total() / 1e6
    return frozenset(word for word, count in counts.items() if count >= least)


def middle_piece(encoding: Any, text: str) -> tuple[list[int], list[tuple[int, str]]]:
    """The tokens in the middle of a document, and for each the number and spelling of its word."""
    start = max(0, (len(encoding.ids) - LENGTH - 1) // 2)
    middle = slice(start, start + LENGTH + 1)
    numbers = encoding.word_ids[middle]
    spelling: defaultdict[int, str] = defaultdict(str)
    for number, (first, last) in zip(numbers, encoding.offsets[middle], strict=True):
        spelling[number] += text[first:last].strip().lower()
    return encoding.ids[middle], [(number, spelling[number]) for number in numbers]


def groups(words: list[tuple[int, str]], frequent: frozenset[str]) -> NDArray[np.uint8]:
    """[LENGTH] the group of each predicted token: how far back its word, if rare, was seen."""
    seen: dict[str, int] = {}
    found: dict[int, str] = {}
    for place, (word, spelling) in enumerate(words):
        if word not in found:
            rare = len(spelling) >= 4 and spelling.isalpha() and spelling not in frequent
            back = place - seen[spelling] if spelling in seen else None
            found[word] = _group(back) if rare else "common"
        elif words[place - 1][0] != word:
            raise ValueError("The tokens of a word must follow one another.")
        if place + 1 == len(words) or words[place + 1][0] != word:
            seen[spelling] = place
    return np.array([GROUPS.index(found[word]) for word, _ in words[1:]], np.uint8)


def _group(back: int | None) -> str:
    if back is None:
        return "new"
    return "near" if back < WINDOW else "middle" if back <= REACH else "far"


# --- one run ---


def layers_of(arm: Arm) -> tuple[str, str]:
    """The kinds of two layers, which are repeated."""
    first, _, second = arm.kind.partition("+")
    return first, second or "local"


def model_of(arm: Arm, seed: int) -> Any:
    from core.models.reformer.language_model import ReformerLM
    from core.models.reformer.settings import ReformerSettings

    hashing = {"rounds": arm.rounds, "buckets": arm.buckets}
    settings = ReformerSettings(
        vocabulary_size=VOCABULARY, length=LENGTH, width=WIDTH, heads=HEADS, depth=DEPTH,
        attention=layers_of(arm), bucket_size=WINDOW, reversible=False, seed=seed,
        **{name: value for name, value in hashing.items() if value},
    )  # fmt: skip
    return ReformerLM(settings)


def run(arm: Arm, seed: int, steps: int, cache: Path, rate: float) -> list[Row]:
    """Trains one model; a row for each validation."""
    import torch
    from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

    torch.set_num_threads(1)
    pieces = np.load(cache / "training.npy", mmap_mode="r")
    order = np.random.default_rng(seed).permutation(len(pieces))
    model = model_of(arm, seed)
    mean = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(MEAN_OF))
    optimiser = torch.optim.Adam(model.parameters(), lr=rate)
    rows: list[Row] = []
    seconds, losses = 0.0, []
    for step in range(1, steps + 1):
        optimiser.param_groups[0]["lr"] = rate * min(1, step / WARM_UP)
        piece = pieces[order[step % len(order)]]
        start = time.process_time()
        losses.append(train_step(model, optimiser, piece, seed, step))
        seconds += time.process_time() - start
        mean.update_parameters(model)
        if step % EVERY == 0 or step == steps:
            row = {"reading": str(arm), "step": step, "seconds": round(seconds, 2)}
            row["train_loss"] = round(statistics.fmean(losses[-EVERY:]), 4)
            rows.append(row | validate(mean.module, cache))
    for reading in READINGS.get(arm.kind, []):
        other = model_of(reading, seed)
        other.load_state_dict(mean.module.state_dict())
        rows.append(rows[-1] | {"reading": str(reading)} | validate(other, cache))
    return rows


def train_step(
    model: Any, optimiser: Any, piece: NDArray[np.uint16], seed: int, step: int
) -> float:
    """One step on one piece; its loss in nats a token."""
    from torch.nn.utils import clip_grad_norm_

    from core.models.parts.randomness import Randomness

    batch = batch_of(piece)
    loss = model.loss(batch, Randomness(seed, step, (0,))) / batch.num_loss_tokens
    optimiser.zero_grad()
    loss.backward()
    clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()
    return float(loss.detach())


def batch_of(piece: NDArray[np.uint16]) -> Any:
    import torch

    from core.models.batch import Batch

    tokens = torch.from_numpy(piece.astype(np.int64))[None]
    return Batch(tokens[:, :-1], tokens[:, 1:])


def validate(model: Any, cache: Path) -> Row:
    """The mean loss over all held-out tokens, and over each group of them."""
    import torch
    from torch.nn.functional import cross_entropy

    losses = []
    with torch.no_grad():
        for piece in np.load(cache / "validation.npy"):
            batch = batch_of(piece)
            losses.append(cross_entropy(model(batch)[0], batch.labels[0], reduction="none").numpy())
    loss, group = np.concatenate(losses), np.load(cache / "groups.npy").ravel()
    row = {f"{name}_loss": float(loss[group == i].mean()) for i, name in enumerate(GROUPS)}
    row["validation_loss"] = float(loss.mean())
    return {name: round(value, 4) for name, value in row.items()}


# --- all runs ---


def run_all(arguments: argparse.Namespace) -> None:
    made = {(arm_of(row), row["seed"]) for row in read_rows(arguments.results)}
    todo = [(arm, seed) for seed in arguments.seeds for arm in ARMS if (arm, seed) not in made]
    with ThreadPoolExecutor(arguments.together) as pool:
        for rows in pool.map(lambda one: child(*one, arguments), todo):
            keep(rows, arguments.results)
            told = [f"{row['reading']}: {row['validation_loss']:.3f}" for row in rows]
            print(
                f"seed {rows[0]['seed']}, {rows[-1]['seconds']:.0f} s, {', '.join(told)}",
                flush=True,
            )


def child(arm: Arm, seed: int, arguments: argparse.Namespace) -> list[Row]:
    import torch

    told = (*arm, seed, "--cache", arguments.cache, "--steps", arguments.steps)
    command = [sys.executable, __file__, "--one", *map(str, told), "--rate", str(arguments.rate)]
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    load = round(os.getloadavg()[0], 2)
    environment = {**os.environ, **threads, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    about = arm._asdict() | {"seed": seed, "load_1min": load, "machine": processor()}
    about["torch"] = torch.__version__
    return [about | row for row in json.loads(done.stdout)]


def processor() -> str:
    names = Path("/proc/cpuinfo")
    lines = names.read_text("utf-8").splitlines() if names.exists() else []
    found = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return found[0] if found else platform.processor()


def keep(rows: list[Row], path: Path) -> None:
    begun = path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        if not begun:
            writer.writeheader()
        writer.writerows(rows)


def read_rows(path: Path) -> list[Row]:
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        rows: list[Row] = list(csv.DictReader(file))
    for row in rows:
        row |= {name: int(row[name]) for name in ("rounds", "buckets", "seed", "step")}
        row |= {name: float(row[name]) for name in row if name.endswith(("_loss", "seconds"))}
    return rows


def arm_of(row: Row) -> Arm:
    return Arm(row["kind"], row["rounds"], row["buckets"])


# --- what it says ---

Curves = dict[Arm, dict[int, list[Row]]]


def curves_of(rows: list[Row]) -> Curves:
    """The validations of each arm and seed, in the order of steps, read as they were trained."""
    curves: Curves = {arm: {} for arm in ARMS}
    for row in sorted(rows, key=lambda row: row["step"]):
        arm = arm_of(row)
        if row["reading"] == str(arm):
            curves[arm].setdefault(row["seed"], []).append(row)
    return {arm: curve for arm, curve in curves.items() if curve}


def step_seconds(curve: dict[int, list[Row]]) -> float:
    return statistics.median(rows[-1]["seconds"] / rows[-1]["step"] for rows in curve.values())


def at_step(curve: dict[int, list[Row]], step: float, name: str) -> dict[int, float]:
    """A loss of each seed at a step between validations."""
    return {
        seed: float(np.interp(step, [row["step"] for row in rows], [row[name] for row in rows]))
        for seed, rows in curve.items()
    }


def spread(values: Iterable[float]) -> str:
    found = list(values)
    deviation = f" ± {statistics.stdev(found):.3f}" if len(found) > 1 else ""
    return f"{statistics.fmean(found):.3f}{deviation}"


def beside_full(curves: Curves, arm: Arm, name: str, steps: dict[Arm, float]) -> str:
    """How much higher a loss is than that of `full` with the same seed."""
    ours = at_step(curves[arm], steps[arm], name)
    full = at_step(curves[ARMS[0]], steps[ARMS[0]], name)
    return spread(ours[seed] - full[seed] for seed in ours if seed in full)


def report(rows: list[Row]) -> None:
    curves = curves_of(rows)
    seconds = {arm: step_seconds(curve) for arm, curve in curves.items()}
    last = {arm: float(max(row["step"] for row in rows)) for arm in curves}
    fair = {arm: last[arm] * min(seconds.values()) / seconds[arm] for arm in curves}
    print(f"{rows[0]['machine']}, one thread, torch {rows[0]['torch']}; ", end="")
    print(
        f"load {min(row['load_1min'] for row in rows)} to {max(row['load_1min'] for row in rows)}"
    )
    print("Mean over seeds ± their deviation; what follows a colon is the difference to full.\n")
    print(
        "| kind | seeds | s a step | loss after equal steps | steps in equal time: loss |", end=""
    )
    print(" " + " | ".join(f"{name}: " for name in GROUPS[1:]) + " |")
    print("| --- " * (5 + len(GROUPS[1:])) + "|")
    for arm, curve in curves.items():
        cells = [str(arm), str(len(curve)), f"{seconds[arm]:.3f}"]
        for steps, told in ((last, ""), (fair, f"{fair[arm]:.0f}: ")):
            loss = spread(at_step(curve, steps[arm], "validation_loss").values())
            cells.append(f"{told}{loss}: {beside_full(curves, arm, 'validation_loss', steps)}")
        cells += [beside_full(curves, arm, f"{name}_loss", last) for name in GROUPS[1:]]
        print("| " + " | ".join(cells) + " |")
    report_readings(rows, curves)


def report_readings(rows: list[Row], curves: Curves) -> None:
    """What the same weights lose or win when another kind reads with them."""
    changes: defaultdict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for row in rows:
        arm = arm_of(row)
        if row["reading"] != str(arm):
            own = curves[arm][row["seed"]][-1]
            both = [row[name] - own[name] for name in ("validation_loss", "far_loss")]
            changes[str(arm), row["reading"]].append((both[0], both[1]))
    print("\n| trained as | read as | loss changes by | far |\n| --- | --- | --- | --- |")
    for (trained, reading), found in changes.items():
        change, far = zip(*found, strict=True)
        print(f"| {trained} | {reading} | {spread(change)} | {spread(far)} |")


COLOURS = {
    "full": "#222222", "lsh": "#2457a6", "lsh-chunk": "#b3541e", "local": "#8a8a94",
    "local+full": "#7a5c9e", "local+lsh": "#2a8a62",
}  # fmt: skip
STYLES = {0: "-", 1: ":", 2: "-", 4: "--"}


def draw(rows: list[Row]) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    curves = curves_of(rows)
    canvas, both = plt.subplots(1, 2, figsize=(10, 4.4), dpi=120, layout="constrained")
    titles = {"validation_loss": "All held-out tokens", "far_loss": "Rare words seen far back"}
    for axes, (name, title) in zip(both, titles.items(), strict=True):
        for arm in (arm for arm in curves if arm.buckets in (0, 16)):
            draw_curve(axes, arm, curves[arm], name)
        axes.set(title=title, xlabel="seconds of one thread", ylabel="loss, nats a token")
        axes.grid(alpha=0.25)
    both[0].legend(frameon=False, fontsize=8)
    FIGURE.parent.mkdir(parents=True, exist_ok=True)
    canvas.savefig(FIGURE)
    plt.close(canvas)


def draw_curve(axes: Any, arm: Arm, curve: dict[int, list[Row]], name: str) -> None:
    """The mean over seeds, with the range of the seeds behind it."""
    steps = np.array([row["step"] for row in next(iter(curve.values()))])
    losses = np.array([list(at_step(curve, step, name).values()) for step in steps])
    seconds = steps * step_seconds(curve)
    look = {"color": COLOURS[arm.kind], "linestyle": STYLES[arm.rounds]}
    axes.plot(seconds, losses.mean(axis=1), label=str(arm), linewidth=1.4, **look)
    axes.fill_between(
        seconds,
        losses.min(axis=1),
        losses.max(axis=1),
        color=look["color"],
        alpha=0.12,
        linewidth=0,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--table", action="store_true", help="print the kept rows, run nothing")
    parser.add_argument("--figure", action="store_true", help="draw the kept rows, run nothing")
    parser.add_argument("--together", type=int, default=2, help="runs at the same time")
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--rate", type=float, default=RATE, help="learning rate")
    parser.add_argument(
        "--cache",
        type=Path,
        default=Path(tempfile.gettempdir()) / "epitome-attention-kinds",
        help="where the tokenised text is kept",
    )
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file of rows")
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    return act(parser.parse_args())


def act(arguments: argparse.Namespace) -> int:
    if arguments.one:
        kind, *numbers = arguments.one
        rounds, buckets, seed = map(int, numbers)
        arm = Arm(kind, rounds, buckets)
        print(json.dumps(run(arm, seed, arguments.steps, arguments.cache, arguments.rate)))
        return 0
    if not (arguments.table or arguments.figure):
        if not CORPUS.exists():
            sys.exit(f"The texts to learn from are not there: {CORPUS}")
        prepare(arguments.cache)
        run_all(arguments)
    rows = read_rows(arguments.results)
    draw(rows) if arguments.figure else report(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
