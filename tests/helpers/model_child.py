"""Takes in hostile models one after the other in a process of its own, and says what came of each.

    python -m tests.helpers.model_child SEED BASES

Says "ready"; then takes the number of a case a line, and answers with a line of JSON, as
`tests.helpers.fuzz_child` does.
"""

import json
import os
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from core.events import Event, Failed, Finished
from core.jobs.models.convert_model import ConvertModelJob, ConvertSettings
from core.jobs.models.import_folder import ImportFolderJob, ImportSettings
from core.jobs.models.import_gguf import ImportGGUFJob
from core.jobs.run import run_inline
from core.library.folders import HOME_VARIABLE
from core.stop import StopToken
from tests.helpers.hostile_models import KINDS, make_model

MEMORY_BYTES = 14_000_000_000
"""Of addresses; PyTorch takes five of them for nothing."""

_FORBIDDEN = ("socket.connect", "socket.getaddrinfo", "os.system", "os.exec", "os.fork")


def bases(folder: Path) -> Path:
    """Writes the whole models that cases are made of; gives the folder."""
    from tests.helpers.library_folders import chat_folder, library_folder

    library_folder("bart", folder / "library")
    chat_folder(folder / "chat")
    library_folder("pegasus", folder / "pegasus")
    return folder


def judge(number: int, seed: int, whole: Path, seen: list[str]) -> tuple[str, str, str]:
    """Makes a case and takes it in.

    Args:
        number: The case.
        seed: Of all chance.
        whole: What `bases` wrote.
        seen: What the process did meanwhile that nothing of a model may.

    Returns:
        Its kind; "document" for a model that was taken in, "refusal" or "finding"; and what was
        found.
    """
    seen.clear()
    with tempfile.TemporaryDirectory() as folder:
        kind, place = make_model(number, seed, whole, Path(folder))
        runs = Path(folder) / "runs"
        try:
            last = _taken_in(kind, place, runs)
        except BaseException as error:
            return kind, "finding", f"{type(error).__name__}: {str(error)[:200]}"
        left = [path.name for path in runs.glob(".*")] if runs.is_dir() else []
        shutil.rmtree(runs, ignore_errors=True)
    outcome, what = _judged(last)
    if left or seen:
        outcome, what = "finding", f"{what} left {left} did {sorted(set(seen))}"
    return kind, outcome, what


def _taken_in(kind: str, place: Path, runs: Path) -> Event:
    job: Any
    if kind == "gguf":
        job = ImportGGUFJob(place, runs, ImportSettings(prompt="{text}"))
    elif kind == "pegasus":
        job = ConvertModelJob(place, runs, ConvertSettings(length=128, window=16))
    else:
        job = ImportFolderJob(place, runs, ImportSettings(prompt="{text}"))
    *_, last = run_inline(job, StopToken())
    return last


def _judged(last: Event) -> tuple[str, str]:
    if isinstance(last, Finished):
        return "document", ""
    if not isinstance(last, Failed):
        return "finding", f"ended with {last}"
    told = last.message
    is_one_sentence = told.endswith((".", "”")) and "\n" not in told and len(told) < 1_200
    if last.details or not last.remedy or not is_one_sentence:
        return "finding", f"{told[:200]} {last.details[-600:]}"
    return "refusal", ""


def _watch(seen: list[str]) -> None:
    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        own = event == "socket.connect" and str(arguments[1:]).startswith("('/")
        if event in _FORBIDDEN and not own:
            seen.append(event)

    sys.addaudithook(hook)


def main() -> None:
    """Answers until standard input ends."""
    seed, whole = int(sys.argv[1]), Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as home:
        os.environ[HOME_VARIABLE] = home
        import torch
        import transformers  # noqa: F401 - what it imports is not a case's

        torch.set_num_threads(1)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        seen: list[str] = []
        _watch(seen)
        print("ready", flush=True)
        for line in sys.stdin:
            start = time.process_time()
            kind, outcome, what = judge(int(line), seed, whole, seen)
            seconds = time.process_time() - start
            peak_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            told = {"number": int(line), "format": kind, "outcome": outcome, "what": what}
            told |= {"seconds": seconds, "peak_mib": peak_kib / 1024}
            print(json.dumps(told), flush=True)


def format_of_case(number: int) -> str:
    """The kind of a case."""
    return KINDS[number % len(KINDS)]


if __name__ == "__main__":
    main()
