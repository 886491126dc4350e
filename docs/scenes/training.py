"""A home with training runs in every state, as `epitome train` leaves them on the disk."""

import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import tomlkit

from core.decoding.settings import DecodingSettings
from core.events import Event, Failed, Finished, Message, Stopped
from core.jobs.queue.job_queue import JobQueue
from core.jobs.training.queued_training import specify_resumed, specify_training
from core.models.reformer.settings import ReformerSettings
from core.profiling.training_suggestions import Machine
from core.runs.about import RunAbout, write_about
from core.runs.checkpoints import Checkpoints
from core.runs.events import Resumed
from core.runs.folder import RunFolder
from core.training.events import CheckpointSaved, SampleWritten, StepDone, ValidationDone
from core.training.plan import RunPlan
from core.training.settings import RunSettings, TrainSettings

REFERENCE = (
    "A hearing aid estimates the direction of the speaker from two microphones on each side and "
    "narrows its beam only when the wearer’s head has been still for half a second."
)
LATE = (
    "The device estimates the direction of the speaker with two microphones on each side and "
    "steers the beam after the head has been still for half a second."
)
EARLY = (
    "The present invention relates to a hearing aid and a method of a hearing aid and a direction "
    "of the hearing aid."
)
SECOND = "A battery cell has a separator that is cast onto its cathode and dried in two steps."


def plan(steps: int = 50_000, objective: str = "gsg", **run: str) -> RunPlan:
    """What a run is made of."""
    train = TrainSettings.checked(
        {"steps": steps, "batch": 8, "objective": objective, "validate_every": 1000,
         "rouge_rows": 50, "warm_up": 2000, "schedule": "inverse-square-root", "device": "cpu",
         "threads": 2, "learning_rate": 2e-3}
    )  # fmt: skip
    model = ReformerSettings(length=16_384, width=512, depth=6, heads=8)
    return RunPlan(RunSettings(corpus="patents-eu", **run), model, train, DecodingSettings())


def write_run(
    runs: Path, name: str, steps: int, plan_: RunPlan, *endings: Event, level: float = 1.97,
    every: int = 4, resumed: int = 0,
) -> Path:  # fmt: skip
    """Writes a run of so many steps, one in a few of them, with validations and samples."""
    folder = RunFolder(runs / name)
    folder.path.mkdir(parents=True)
    plan_.save(folder)
    moment = datetime.now(UTC) - timedelta(seconds=0.38 * steps)
    with folder.events_file.open("w", encoding="utf-8") as file:
        number = 0
        for event, step in _events(steps, level, every, resumed):
            number += 1
            if isinstance(event, Resumed):
                event = Resumed(number - 1, event.step)
            written = (moment + timedelta(seconds=0.38 * step)).isoformat()
            _write(file, number, written, event)
        for event in endings:
            number += 1
            _write(file, number, datetime.now(UTC).isoformat(), event)
    return folder.path


def _write(file: object, number: int, time: str, event: Event) -> None:
    about = {"number": number, "time": time, "kind": type(event).__name__}
    values = asdict(event)
    if "kind" in values:
        values["kind_"] = values.pop("kind")
    file.write(json.dumps(about | values) + "\n")  # type: ignore[attr-defined]


def _events(steps: int, level: float, every: int, resumed: int) -> Iterator[tuple[Event, int]]:
    draw = np.random.default_rng(steps)
    yield Message("info", "Train: 48 210 documents, of which 3 are split into pieces."), 0
    for step in range(every, steps + 1, every):
        smooth = level + 2.9 * np.exp(-step / 2600) + 600 / (step + 900)
        noise = draw.gamma(2.0, 0.07) - draw.gamma(2.0, 0.07)
        norm = 0.9 + 0.7 * np.exp(-step / 2000) + draw.gamma(1.2, 0.05)
        norm += 2.0 if step == 12_480 else 0.0
        rate = 2e-3 * min(step / 2000, (2000 / step) ** 0.5)
        seconds = 0.38 * (1 + draw.gamma(1.0, 0.05))
        peak = 1510.0 + (330.0 if step > 3 * every else 0.0)
        yield (
            StepDone(step, step // 7000, smooth + noise, norm, rate, 900, 4300, seconds, peak),
            step,
        )
        if resumed and step == resumed:
            yield Resumed(0, step), step
        if step % 1000 == 0:
            rise = 1 - np.exp(-step / 5000)
            rouge = {"1": 0.12 + 0.295 * rise, "2": 0.02 + 0.176 * rise, "L": 0.1 + 0.24 * rise}
            yield CheckpointSaved(step, 210.0), step
            if step % 4000 == 0:
                yield (
                    SampleWritten(step, 17, REFERENCE, LATE if step > 15_000 else EARLY, "end"),
                    step,
                )
                yield SampleWritten(step, 40, SECOND, SECOND.replace("cast", "laid"), "end"), step
            loss = smooth + 0.07
            yield ValidationDone(step, loss, 90_000, rouge, True, 9.0), step


def write_runs(runs: Path) -> Path:
    """Writes runs in several states.

    Args:
        runs: The folder of all runs.

    Returns:
        The one that is open in the pictures.
    """
    failed = Failed("The disk is full after step 8\u202f120.", "Free some space, then resume it.")
    write_run(runs, "notes-lm", 8_120, plan(20_000, "language-model"), failed, level=2.5)
    write_run(runs, "patents-base", 9_000, plan(9_000), Finished(), level=2.4)
    write_run(runs, "patents-4k", 36_000, plan(), Stopped("pause"), level=2.25, every=30)
    start = str(runs / "patents-4k")
    main = write_run(runs, "patents-16k", 20_600, plan(start_from=start), resumed=12_480)
    write_about(RunFolder(main), RunAbout(notes="Longer documents than patents-4k, same corpus."))
    return main


def write_failed(runs: Path) -> Path:
    """Writes a run that ran out of memory after its checkpoint of step 3 000."""
    failed = Failed(
        "There is not enough memory for this.",
        "Use a smaller batch, shorter rows or a smaller model.",
        kind="memory",
    )
    folder = write_run(runs, "patents-24k", 3_120, plan(20_000), failed, level=2.6)
    files = {"model.safetensors": lambda path: path.touch()}
    Checkpoints(folder).write(3_000, files, {"plan": plan(20_000).values()})
    return folder


def write_seeds(runs: Path) -> list[Path]:
    """Writes three runs that differ in nothing but the seed."""
    made = []
    for seed in range(3):
        train = plan(9_000).train.model_copy(update={"seed": seed})
        each = replace(plan(9_000), train=train)
        name, steps = f"reports-seed-{seed}", 9_000 - 8 * seed
        made.append(write_run(runs, name, steps, each, Finished(), level=2.1 + 0.1 * seed))
    return made


def queue_runs(queue: JobQueue, main: Path) -> None:
    """Lets the queue take the run for one that is at work, with two that wait behind it."""
    id = queue.adopt(specify_resumed(main)).id
    queue.resume(id)
    job = queue.begin_next("cpu")
    assert job is not None
    lock = queue.claim(id, job.start)
    assert lock is not None
    lock.release()
    for name in ("reports-ft", "reports-ft-uniq"):
        waiting = plan(objective="summary", tokenizer=str(main / "tokenizer"))
        queue.add(specify_training(waiting, main.parent / name))


MACHINE = Machine(16 * 10**9, 11 * 10**9, 8, "", 0, 212 * 10**9)
"""What the pictures are made for, so that they do not change with the machine."""
_CORPORA = (
    ("patents-eu", "gsg", 48_210, 3_100, (400, 900, 1700, 2600, 4100, 6300, 11_000, 24_000)),
    ("reports", "pairs", 6_400, 5_200, (700, 1800, 2900, 4700, 7000, 9100, 15_000, 31_000)),
    ("notes", "text", 2_150, 480, (20, 90, 200, 380, 700, 1000, 1900, 5200)),
)


def write_corpora(corpora: Path) -> None:
    """Writes what is read of prepared corpora: their cards and statistics."""
    for age, (name, make, documents, mean, percentiles) in enumerate(_CORPORA):
        folder = corpora / name
        folder.mkdir(parents=True)
        train = round(0.9 * documents)
        rows = {"train": train, "validation": documents - train}
        card = {
            "schema_version": 1,
            "made": {"make": make, "masking": "mask", "fingerprint": name},
            "rows": rows,
        }
        (folder / "corpus.toml").write_text(tomlkit.dumps(card), "utf-8")
        shares = ("0", "10", "25", "50", "75", "90", "99", "100")
        words = {"sum": documents * mean, "mean": mean}
        words |= {"percentiles": dict(zip(shares, percentiles, strict=True))}
        numbers = {"documents": documents, "words": words}
        (folder / "statistics.json").write_text(json.dumps({"all": numbers}), "utf-8")
        os.utime(folder / "corpus.toml", (time.time() - 3600 * age,) * 2)
