"""Can a model copy? 48 random tokens, then two neighbours of them: continue for eight tokens.

    python tests/benchmarks/copying.py             # makes the runs that are not kept yet
    python tests/benchmarks/copying.py --table     # print the kept rows, run nothing
    python tests/benchmarks/copying.py --only "local+lsh" --steps 300

Models of all four families, with and without smear and pointer head. All have width 64, 2 heads and
2 layers (encoder-decoders 2 and 2), and see the same fresh random rows, 16 a step; Adam, a warm-up
of 100 steps, then one rate. One thread. Chance is the logarithm of the 124 tokens, 4.82 nats. A row
for every 250 steps goes to `results/copying.csv`; a run found there, of as many steps, is not made
again.

`loss`: nats a token of the continuation, over 256 fresh rows; `right`: how often the most likely
token is right. Of a Reformer language model also, best head of the layers that look far: `on_next`
and `on_same`, the share of attention that the positions that continue pay to the place where the
wanted token stands, and to the place before it, where their own token stands; `sees_next` and
`sees_same`, how often these places are among those that the position sees at all.
"""

import argparse
import csv
import os
import platform
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")
ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

import torch  # noqa: E402
from torch import Tensor  # noqa: E402

from core.models.batch import NO_LOSS, Batch, PairBatch  # noqa: E402
from core.models.language_model.model import LanguageModel  # noqa: E402
from core.models.language_model.settings import LanguageModelSettings  # noqa: E402
from core.models.parts.hashing import hash_vectors  # noqa: E402
from core.models.parts.randomness import Randomness  # noqa: E402
from core.models.protocol import Model  # noqa: E402
from core.models.reformer.attention import layer_rotations  # noqa: E402
from core.models.reformer.encoder_decoder import ReformerEncoderDecoder  # noqa: E402
from core.models.reformer.encoder_decoder_settings import (  # noqa: E402
    ReformerEncoderDecoderSettings,
)
from core.models.reformer.language_model import ReformerLM  # noqa: E402
from core.models.reformer.settings import ReformerSettings  # noqa: E402
from core.models.transformer.model import Transformer  # noqa: E402
from core.models.transformer.settings import TransformerSettings  # noqa: E402

CopyingModel = ReformerLM | ReformerEncoderDecoder | Transformer | LanguageModel

RESULTS = Path(__file__).parent / "results" / "copying.csv"
SPECIAL, TOKENS, SOURCE, CUE, CONTINUED = 4, 124, 48, 2, 8
SEPARATOR = 2
TARGET = 1 + CUE + CONTINUED - 1  # the last is only predicted
LENGTH = SOURCE + TARGET
WINDOW, BATCH, RATE, WARM_UP, EVERY = 16, 16, 2e-3, 100, 250
SIZES: dict[str, Any] = {"vocabulary_size": SPECIAL + TOKENS, "width": 64, "heads": 2}
COLUMNS = (
    "arm", "smear", "pointer", "rounds", "buckets", "seed", "steps", "step", "loss", "right",
    "on_next", "on_same", "sees_next", "sees_same", "seconds", "load_1min", "machine", "torch",
)  # fmt: skip


class Arm(NamedTuple):
    """A model: the kinds of the Reformer's two layers, `encoder-decoder` or another family."""

    name: str
    smear: bool = False
    pointer: bool = False
    rounds: int = 2
    buckets: int = 8


ARMS = (
    Arm("full"), Arm("full", True), Arm("full", True, True),
    Arm("local+lsh"), Arm("local+lsh", True), Arm("local+lsh", True, True),
    Arm("encoder-decoder"), Arm("encoder-decoder", True), Arm("encoder-decoder", True, True),
    Arm("local+lsh", False, True), Arm("local+full", True), Arm("lsh+local", True),
    Arm("local+lsh", True, False, 2, 2), Arm("local+lsh", True, False, 8),
    Arm("encoder-decoder", False, True),
    *(Arm(name, smear, pointer) for name in ("transformer", "language-model")
      for smear, pointer in ((False, False), (True, False), (False, True), (True, True))),
)  # fmt: skip


class Rows(NamedTuple):
    """Rows of the task.

    Args:
        tokens: [B, LENGTH], source, separator, cue and what is fed of the continuation.
        wanted: [B, CONTINUED], the continuation.
        places: [B, CONTINUED], where in the source each of them stands.
    """

    tokens: Tensor
    wanted: Tensor
    places: Tensor


def rows(count: int, source: torch.Generator) -> Rows:
    texts = torch.randint(SPECIAL, SPECIAL + TOKENS, (count, SOURCE), generator=source)
    first = torch.randint(SOURCE - CUE - CONTINUED + 1, (count, 1), generator=source)
    run = texts.gather(1, first + torch.arange(CUE + CONTINUED))
    tokens = torch.cat((texts, torch.full((count, 1), SEPARATOR), run[:, :-1]), 1)
    return Rows(tokens, run[:, CUE:], first + CUE + torch.arange(CONTINUED))


def batch_of(model: Model, some: Rows) -> Batch | PairBatch:
    labels = torch.full_like(some.tokens, NO_LOSS)
    labels[:, -CONTINUED:] = some.wanted
    if isinstance(model, ReformerLM):
        return Batch(some.tokens, labels)
    if isinstance(model, LanguageModel):  # as it is trained: positions restart behind the separator
        places = torch.arange(LENGTH).expand_as(labels)
        behind = places > SOURCE
        places = torch.where(behind, places - SOURCE - 1, places)
        return Batch(some.tokens, labels, positions=places, segments=behind.long())
    target = Batch(some.tokens[:, SOURCE:], labels[:, SOURCE:])
    return PairBatch(Batch(some.tokens[:, :SOURCE]), target)


def model_of(arm: Arm, seed: int) -> CopyingModel:
    settings = SIZES | {"smear": arm.smear, "pointer": arm.pointer, "seed": seed}
    if arm.name == "language-model":
        return LanguageModel(LanguageModelSettings(**settings, length=LENGTH, depth=2))
    pair = settings | {
        "source_length": SOURCE, "target_length": TARGET, "encoder_depth": 2, "decoder_depth": 2,
        "positions": "learned",
    }  # fmt: skip
    if arm.name == "transformer":
        return Transformer(TransformerSettings(**pair))
    if arm.name == "encoder-decoder":
        return ReformerEncoderDecoder(ReformerEncoderDecoderSettings(**pair, reversible=False))
    return ReformerLM(
        ReformerSettings(
            **settings, positions="learned", reversible=False, length=LENGTH, depth=2,
            attention=tuple(arm.name.split("+")), rounds=arm.rounds, buckets=arm.buckets,
            bucket_size=WINDOW,
        )
    )  # fmt: skip


# --- what is measured ---


@torch.no_grad()
def measured(model: CopyingModel, seed: int) -> dict[str, Any]:
    some = rows(256, torch.Generator().manual_seed(1000 + seed))
    batch = batch_of(model, some)
    pair = (batch.source, batch.target) if isinstance(batch, PairBatch) else (batch,)
    log_probs = model(*pair)[:, -CONTINUED:].log_softmax(-1)
    found = {
        "loss": round(-float(log_probs.gather(2, some.wanted[..., None]).mean()), 4),
        "right": round(float((log_probs.argmax(-1) == some.wanted).float().mean()), 4),
    }
    return found | (looks(model, some) if isinstance(model, ReformerLM) else {})


def looks(model: ReformerLM, some: Rows) -> dict[str, float]:
    """How the positions that continue look at the places that matter; best layer and head."""
    far = [depth for depth, kind in enumerate(model.kinds) if kind.looks_far]
    found = [looks_of_layer(model, depth, some) for depth in far]
    return {name: max(each[name] for each in found) for name in found[0]}


def looks_of_layer(model: ReformerLM, depth: int, some: Rows) -> dict[str, float]:
    module, kept = model.attention[depth], []
    project = module.project

    def keep(x: Tensor) -> Any:
        kept.append(project(x))
        return kept[-1]

    module.project = keep  # type: ignore[method-assign]
    try:
        model.hidden(Batch(some.tokens))
    finally:
        module.project = project  # type: ignore[method-assign]
    shared = torch.cat([part[0] for part in kept], 1)  # [B, T, H, K], which comes in pieces
    seen = seen_by(model, depth, shared)
    q = shared.transpose(1, 2)
    k = torch.nn.functional.normalize(q, dim=-1)
    scores = (q @ k.transpose(2, 3)) * q.shape[-1] ** -0.5
    shares = scores.masked_fill(~seen, -1e30).softmax(-1)[:, :, -CONTINUED:]
    seen = seen[:, :, -CONTINUED:].float()
    found = {}
    for name, places in (("next", some.places), ("same", some.places - 1)):
        at = places[:, None, :, None].expand(-1, q.shape[1], -1, 1)
        for what, table in (("on", shares), ("sees", seen)):
            found[f"{what}_{name}"] = round(float(table.gather(3, at).mean((0, 2, 3)).max()), 4)
    return found


def seen_by(model: ReformerLM, depth: int, shared: Tensor) -> Tensor:
    """[B, H, T, T] bool: what each position sees beside itself."""
    num_rows, length, heads, _ = shared.shape
    earlier = torch.ones(length, length, dtype=torch.bool).tril(-1)
    if model.settings.kinds[depth] != "lsh":
        return earlier.expand(num_rows, heads, length, length)
    count = model.settings.buckets
    found = hash_vectors(shared, layer_rotations(model.settings, depth).drawn(count, None), count)
    same = found[..., :, None] == found[..., None, :]  # [B, R, H, T, T]
    # How many of its bucket stand from a key to the query.
    between = (same & (earlier | torch.eye(length, dtype=torch.bool))).flip(-1).cumsum(-1).flip(-1)
    return (same & earlier & (between <= WINDOW)).any(1)


# --- a run ---


def run(arm: Arm, seed: int, steps: int) -> list[dict[str, Any]]:
    torch.set_num_threads(1)
    model, source = model_of(arm, seed), torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), RATE)
    kept, seconds = [], 0.0
    for step in range(1, steps + 1):
        began = time.process_time()
        some = rows(BATCH, source)
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1, step / WARM_UP)
        loss = model.loss(batch_of(model, some), Randomness(seed, step, tuple(range(BATCH))))
        (loss / some.wanted.numel()).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        seconds += time.process_time() - began
        if step % EVERY == 0 or step == steps:
            kept.append(
                arm._asdict()
                | {"seed": seed, "steps": steps, "step": step, "seconds": round(seconds, 1)}
                | measured(model, seed)
                | {"load_1min": round(os.getloadavg()[0], 2), "machine": _processor(),
                   "torch": torch.__version__}
            )  # fmt: skip
            kept[-1]["arm"] = kept[-1].pop("name")
            print(kept[-1], flush=True)
    return kept


def _processor() -> str:
    text = Path("/proc/cpuinfo").read_text("utf-8") if Path("/proc/cpuinfo").exists() else ""
    names = [line.partition(":")[2].strip() for line in text.splitlines() if "model name" in line]
    return names[0] if names else platform.processor()


def read() -> list[dict[str, str]]:
    if not RESULTS.exists():
        return []
    with RESULTS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(found: list[dict[str, Any]]) -> None:
    is_new = not RESULTS.exists()
    with RESULTS.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerows(found)


def key(row: Any) -> tuple[str, ...]:
    names = ("arm", "smear", "pointer", "rounds", "buckets", "seed", "steps")
    return tuple(str(row[name]) for name in names)


def table() -> None:
    """The last row of each run."""
    last = {key(row): row for row in read()}
    print("| model | smear | pointer | rounds × buckets | seed | loss | right ",
          "| looks at next, same | sees next, same |\n", "| --- " * 9, "|", sep="")  # fmt: skip
    for row in last.values():
        hashing = f"{row['rounds']}×{row['buckets']}" if "lsh" in row["arm"] else ""
        yes = ["yes" if row[name] == "True" else "" for name in ("smear", "pointer")]
        print("|", " | ".join([
            row["arm"], *yes, hashing, row["seed"], row["loss"], row["right"],
            *(", ".join(filter(None, (row[f"{what}_next"], row[f"{what}_same"])))
              for what in ("on", "sees")),
        ]), "|")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--only", help="only arms of this name")
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    chosen = parser.parse_args()
    if not chosen.table:
        made = {key(row) for row in read()}
        for seed in chosen.seeds:
            for arm in ARMS:
                names = {**arm._asdict(), "arm": arm.name, "seed": seed, "steps": chosen.steps}
                if key(names) not in made and chosen.only in (None, arm.name):
                    write(run(arm, seed, chosen.steps))
    table()


if __name__ == "__main__":
    main()
