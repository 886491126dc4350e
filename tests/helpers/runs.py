"""Tiny corpora, plans and runs for tests of training."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from datasets import Dataset
from datasets.utils.logging import disable_progress_bar
from torch import Tensor

from core.data.corpus import CARD_VERSION
from core.data.tokenizer import Tokenizer
from core.decoding.settings import DecodingSettings
from core.events import Event, Finished
from core.jobs.run import run_inline
from core.jobs.training.train import TrainJob
from core.models.parts import products
from core.models.reformer.settings import ReformerSettings
from core.models.weights import read_tensors, write_tensors
from core.runs.checkpoints import Checkpoints
from core.runs.events_file import read_events
from core.stop import StopToken, Wish
from core.training.checkpoint import WEIGHTS_FILE
from core.training.events import StepDone
from core.training.plan import RunPlan
from core.training.settings import RunSettings, TrainSettings
from tests.helpers.corpora import SUMMARIES, TEXTS
from tests.helpers.shelf import copied, kept

VALIDATION_ROWS = 8
MODEL = ReformerSettings(
    vocabulary_size=400, length=192, width=16, depth=2, heads=2, bucket_size=16, buckets=4,
    dropout=0.1,
)  # fmt: skip


def kept_corpus(make: str = "pairs") -> Path:
    """A prepared corpus, written as `epitome corpus` writes it, and a tokenizer beside it.

    It is made once for all tests of this process, so nobody may change it.
    """
    return kept(f"corpus of {make}", lambda folder: _write_corpus(folder, make))


def _write_corpus(folder: Path, make: str) -> None:
    disable_progress_bar()
    splits = {"validation": slice(0, VALIDATION_ROWS), "train": slice(VALIDATION_ROWS, None)}
    for split, part in splits.items():
        columns = {
            "id": [f"{split}-{number}" for number in range(len(TEXTS[part]))],
            "title": [""] * len(TEXTS[part]),
            "document": list(TEXTS[part]),
        }
        if make == "pairs":
            columns["summary"] = list(SUMMARIES[part])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("tqdm.tqdm.monitor_interval", 0)  # no thread that outlives the test
            Dataset.from_dict(columns).save_to_disk(str(folder / "documents" / split))
    card = {
        "schema_version": CARD_VERSION,
        "made": {"make": make, "masking": "mask", "fingerprint": f"tiny-{make}"},
        "rows": {split: len(TEXTS[part]) for split, part in splits.items()},
    }
    (folder / "corpus.toml").write_text(tomlkit.dumps(card), "utf-8")
    Tokenizer.train([*TEXTS, *SUMMARIES], 400).save(folder / "tokenizer")


def fresh_corpus(folder: Path, make: str = "pairs") -> Path:
    """The same, prepared anew: no run has read it, and no lengths of its rows are kept in it."""
    folder.mkdir(parents=True)
    _write_corpus(folder, make)
    return folder


def tiny_corpus(folder: Path, make: str = "pairs") -> Path:
    """A corpus of one's own, the same as `kept_corpus`."""
    return copied(kept_corpus(make), folder)


def tiny_plan(corpus: Path, **train: Any) -> RunPlan:
    """A run of a few small steps, of several epochs, with dropout and hashing."""
    usual = {
        "steps": 12, "batch": 8, "validate_every": 6, "validate_rows": 4, "rouge_rows": 2,
        "learning_rate": 0.01, "warm_up": 4, "threads": 1, "device": "cpu", "too_long": "window",
    }  # fmt: skip
    return RunPlan(
        RunSettings(corpus=str(corpus), tokenizer=str(corpus / "tokenizer")),
        MODEL,
        TrainSettings.checked(usual | train),
        DecodingSettings(max_length=6),
    )


def run_events(
    folder: Path, plan: RunPlan | None = None, stop: StopToken | None = None
) -> list[Event]:
    """Trains a new run, or goes on with one, in this process."""
    return list(run_inline(TrainJob(folder, plan), StopToken() if stop is None else stop))


def finished_run(folder: Path, plan: RunPlan) -> Path:
    """A run that was trained to its end; of a plan that was trained before, a copy."""

    def train(run: Path) -> None:
        last = run_events(run, plan)[-1]
        assert isinstance(last, Finished), last

    return copied(kept(f"run of {plan.to_toml()} by {products.best_products()}", train), folder)


def stopped_run(folder: Path, plan: RunPlan, wish: Wish, after: int = 1) -> list[Event]:
    """Trains a new run and asks it to end after so many steps."""
    stop, events = StopToken(), []
    for event in run_inline(TrainJob(folder, plan), stop):
        events.append(event)
        if isinstance(event, StepDone) and event.step == after:
            stop.request(wish)
    return events


def curve(folder: Path) -> list[tuple[Any, ...]]:
    """All numbers of a run that must be the same to the bit."""
    return list(_numbers(folder))


def _numbers(folder: Path) -> Iterator[tuple[Any, ...]]:
    for recorded in read_events(folder / "events.jsonl"):
        vary = ("seconds", "data_seconds", "peak_mib")
        values = {name: value for name, value in recorded.values.items() if name not in vary}
        if recorded.kind in ("StepDone", "StepSkipped", "ValidationDone", "SampleWritten"):
            yield recorded.kind, json.dumps(values, sort_keys=True)


def ruin(run: Path, change: Callable[[dict[str, Tensor]], object]) -> Path:
    """Changes the weights of a run's best checkpoint, which stays whole; gives the run."""
    checkpoints = Checkpoints(run)
    best = checkpoints.named("best")
    assert best is not None
    weights = read_tensors(best.path / WEIGHTS_FILE)
    change(weights)
    files = {WEIGHTS_FILE: lambda path: write_tensors(path, weights)}
    checkpoints.write(best.step, files, best.state)
    return run
