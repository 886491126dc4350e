"""The training part in a portable folder; a run that is killed is resumed exactly."""

import argparse
import os
import random
import shutil
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from installers.documents import make_documents
from installers.trying import step
from installers.wine import Wine, add_shims, bring_wheels

from wine_trials.portable import unpack_portable

COPY: Final = "C:\\Training\\epitome"
COMMAND: Final = ("cmd", "/c", f"{COPY}\\bin\\epitome.cmd")
_TRAINING: Final = (
    "--corpus c --tokenizer t --objective gsg --preset quick --steps 24 --checkpoint-every 4 "
    "--batch 1 --length 256 --vocabulary-size 512 --samples 0 --rouge-rows 0 --threads 1 "
    "--deterministic"
)
_NUM_KILLS: Final = 2


def try_training(bare: Wine, options: argparse.Namespace) -> None:
    """Adds the training part to a portable folder; what is killed there is resumed exactly."""
    unpack_portable(bare, options, "C:\\Training")
    add_shims(bare, bare.host(f"{COPY}\\python\\Lib\\site-packages"))
    step("wheels of the part", lambda: bring_wheels(bare.folder / "wheels", "training"))
    step("install the part", lambda: bare.windows(*COMMAND, "install", "training"))
    folder = bare.folder / "documents"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    make_documents(folder)
    corpus = ("corpus", "Z:\\documents", *"--make gsg --split 80/20/0 --out".split())
    step("a corpus", lambda: bare.windows(*COMMAND, *corpus, "c"))
    tokenizer = ("tokenizer", "c", "--size", "512", "--out")
    step("a tokenizer", lambda: bare.windows(*COMMAND, *tokenizer, "t"))
    start_s = time.monotonic()
    train = ("train", *_TRAINING.split(), "--out")
    step("train a run", lambda: bare.windows(*COMMAND, *train, "whole"))
    took_s = time.monotonic() - start_s
    step("train another one, killed and resumed", lambda: train_killed(bare, train, took_s))
    compare_weights(bare.host(f"{COPY}\\home\\data\\runs"))
    shutil.rmtree(bare.host("C:\\Training"))


def train_killed(bare: Wine, train: tuple[str, ...], took_s: float) -> str:
    """Trains a run whose process is killed at random moments, and resumes it.

    Args:
        bare: The root.
        train: The command, to which the name of the run is added.
        took_s: How long the whole run took, in seconds.

    Returns:
        How many processes were killed.
    """
    run = bare.host(f"{COPY}\\home\\data\\runs\\cut")
    num_killed = 0
    while num_killed < _NUM_KILLS:
        resumes = (run / "checkpoints").exists()
        command = ("train", "--resume", "cut") if resumes else (*train, "cut")
        process = bare.start("wine", *COMMAND, *command, quietly=True)
        time.sleep(took_s * random.uniform(0.3, 0.8))
        num = kill_programs(COPY)
        process.wait()
        if not num:
            break  # it has ended meanwhile
        num_killed += num
    assert num_killed, "the run ended before it was killed"
    bare.windows(*COMMAND, "train", "--resume", "cut")
    print(f"{num_killed} processes were killed")
    return ""


def compare_weights(runs: Path) -> None:
    """Ends the trial unless two runs have the same weights and optimizer, byte for byte."""
    names = [path.relative_to(runs / "whole") for path in (runs / "whole").rglob("*.safetensors")]
    assert names, runs
    for name in names:
        assert (runs / "whole" / name).read_bytes() == (runs / "cut" / name).read_bytes(), name
    print(f"{len(names)} files of weights and optimizer are the same, byte for byte")


def kill_programs(folder: str) -> int:
    """Kills, at once, the Python programs for Windows that run from a folder.

    Args:
        folder: The folder, as Windows names it.

    Returns:
        Their number.
    """
    num_killed = 0
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended
            program = (process / "cmdline").read_bytes().split(b"\0")[0].lower()
            if program.endswith(b"python.exe") and folder.lower().encode() in program:
                os.kill(int(process.name), signal.SIGKILL)
                num_killed += 1
    return num_killed
