"""Kills a training run again and again, and looks whether it goes on to the bit.

    python tests/benchmarks/kills.py              # 30 kills, some minutes
    python tests/benchmarks/kills.py --kills 5

A tiny run (dropout, hashing, a checkpoint every second step, many epochs) is made once in one go,
and once in a process that is ended by SIGKILL at moments drawn from a seed: at any time after a
number of steps, and each third time inside the writing of a checkpoint. What is compared: the loss
and the gradient's length of every step, every validation, every sample, and the last weights. A row
a kill goes to `results/kills.csv`.
"""

import argparse
import csv
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from core.runs.events_file import read_events  # noqa: E402
from tests.helpers.runs import curve, run_events, tiny_corpus, tiny_plan  # noqa: E402

RESULTS = Path(__file__).parent / "results" / "kills.csv"
STEPS_A_KILL = 4
COLUMNS = ("kill", "moment", "after_step", "seconds", "went_on_from")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return kill_all(Path(folder), arguments.kills, arguments.seed)


def kill_all(folder: Path, kills: int, seed: int) -> int:
    """Makes both runs, and tells whether they are the same."""
    whole, killed, job = folder / "whole", folder / "killed", folder / "job.toml"
    corpus = tiny_corpus(folder / "corpus")
    plan = tiny_plan(corpus, steps=STEPS_A_KILL * (kills + 2), checkpoint_every=2, batch=20)
    job.write_text(plan.to_toml(), "utf-8")
    run_events(whole, plan)
    drawn, rows = random.Random(seed), []
    for number in range(1, kills + 1):
        rows.append(kill_once(killed, job, number, drawn))
        print(", ".join(f"{name} {value}" for name, value in rows[-1].items()), flush=True)
    run_events(killed)
    with RESULTS.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    same = curve(killed) == curve(whole) and weights(killed) == weights(whole)
    print(f"{kills} kills; the run is {'the same to the bit' if same else 'NOT THE SAME'}.")
    return 0 if same else 1


def kill_once(run: Path, job: Path, number: int, drawn: random.Random) -> dict[str, object]:
    """Starts the run, or goes on with it, and kills it at a moment that is drawn."""
    begun = (run / "job.toml").exists()
    how = ("--resume", str(run)) if begun else ("--config", str(job), "--out", str(run))
    at = steps_of(run)[-1] + drawn.randrange(1, STEPS_A_KILL + 2)
    inside = number % 3 == 0
    wait_s = drawn.random() * 0.2
    start_s = time.monotonic()
    command = [sys.executable, "-m", "core.cli", "train", "--quiet", *how]
    with subprocess.Popen(command, cwd=ROOT) as process:
        until(process, lambda: steps_of(run)[-1] >= at)
        if inside:
            until(process, lambda: any((run / "checkpoints").glob(".step-*.draft")))
        else:
            time.sleep(wait_s)
        process.kill()
        ended = process.wait()
    assert ended in (-signal.SIGKILL, 0), ended
    return {
        "kill": number,
        "moment": "inside a checkpoint" if inside else f"{wait_s:.3f} s after step {at}",
        "after_step": steps_of(run)[-1],
        "seconds": round(time.monotonic() - start_s, 2),
        "went_on_from": went_on_from(run),
    }


def until(process: "subprocess.Popen[bytes]", due: Callable[[], bool]) -> None:
    while process.poll() is None and not due():
        time.sleep(0.001)


def steps_of(run: Path) -> list[int]:
    """0 and the numbers of the steps that were made."""
    events = read_events(run / "events.jsonl")
    return [0, *(each.values["step"] for each in events if each.kind == "StepDone")]


def went_on_from(run: Path) -> int:
    """The step at which the process that was killed had begun."""
    events = read_events(run / "events.jsonl")
    return next((each.values["step"] for each in reversed(events) if each.kind == "Resumed"), 0)


def weights(run: Path) -> bytes:
    newest = max((run / "checkpoints").glob("step-*"))
    return (newest / "model.safetensors").read_bytes()


if __name__ == "__main__":
    sys.exit(main())
