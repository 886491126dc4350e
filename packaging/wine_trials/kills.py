"""Processes of the queue under Wine are killed at random moments; the batch loses nothing."""

import argparse
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from installers.documents import make_documents
from installers.trying import step
from installers.wine import Wine

from wine_trials.source import PYTHON

_KINDS: Final = {
    "window": b"queue_batch.py",
    "lane": b"lanes.lane import",
    "job": b"lanes.detached import",
}
"""What the command lines of the processes that are killed contain."""
_EACH: Final = 2
_ROWS: Final = "SELECT name, state, title, words, language, sentences, first, read FROM rows"
_HOME: Final = "killed-home"


def try_kills(bare: Wine, options: argparse.Namespace) -> None:
    """Works on one batch undisturbed and on one whose processes are killed; they are the same."""
    for name in ("documents", _HOME):
        shutil.rmtree(bare.folder / name, ignore_errors=True)
    (bare.folder / "documents").mkdir()
    make_documents(bare.folder / "documents")
    step("a batch", lambda: str(start_batch(bare, "whole").wait()))
    step("a batch whose processes are killed", lambda: finish_killed(bare, "cut"))
    rows = {name: read_rows(bare.folder / _HOME, name) for name in ("whole", "cut")}
    assert rows["whole"] == rows["cut"] and len(rows["cut"]) > 10, rows
    print(f"the summaries of {len(rows['cut'])} documents are the same")


def start_batch(bare: Wine, name: str) -> "subprocess.Popen[str]":
    """Starts a process that queues a batch, or goes on with it, and waits for its end."""
    script = "Z:\\src\\packaging\\windows\\wine\\queue_batch.py"
    command = (PYTHON, "-P", script, name, "Z:\\documents")
    home = {"EPITOME_HOME": f"Z:\\{_HOME}", "PYTHONPATH": "Z:\\src"}
    return bare.start("wine", *command, quietly=True, **home)


def finish_killed(bare: Wine, name: str) -> str:
    """Works on a batch to its end, and kills each kind of process in between."""
    killed: Counter[str] = Counter()
    process = start_batch(bare, name)
    while process.poll() is None:
        time.sleep(random.uniform(0.5, 4))
        rare = [kind for kind in _KINDS if killed[kind] < _EACH]
        if rare and kill_one(_KINDS[kind := random.choice(rare)]):
            killed[kind] += 1
            process.wait() if kind == "window" else None
        if process.poll():
            process = start_batch(bare, name)
    print(", ".join(f"{kind}: {num} killed" for kind, num in killed.items()))
    assert len(killed) == len(_KINDS), "the batch ended before each kind was killed"
    return ""


def kill_one(part: bytes) -> bool:
    """Kills a Python program for Windows by a part of its command line; False if there is none."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended
            words = (process / "cmdline").read_bytes()
            if words.partition(b"\0")[0].endswith(b"python.exe") and part in words:
                os.kill(int(process.name), signal.SIGKILL)
                return True
    return False


def read_rows(home: Path, name: str) -> list[Any]:
    """Returns what a batch contains but for times, by the names of its documents."""
    with sqlite3.connect(home / "data" / "batches" / name / "batch.sqlite") as connection:
        return sorted(connection.execute(_ROWS))
