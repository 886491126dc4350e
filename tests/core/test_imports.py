"""What each part of the program loads, seen in a fresh process."""

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENGINES = ("torch", "transformers", "datasets", "pyarrow", "scipy", "numba")
TEXT_SIDE = ("jobs", "cli", "documents", "evidence", "gsg", "export")
WITH_TRAINING = {"core.jobs.cluster.shards"}
"""Loaded only where corpora are prepared on a cluster."""
QT = ("PySide6", "shiboken6", "pyqtgraph", "gui")


def modules(*packages: str) -> list[str]:
    """The import names of all modules in these packages or files."""
    paths = [
        path
        for package in packages
        for path in [*(ROOT / package).rglob("*.py"), ROOT / f"{package}.py"]
        if path.is_file()
    ]
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths}
    return sorted({name.removesuffix(".__init__") for name in names})


SUMMARISING = """
from core.jobs.sources.sources import SourceRef
from core.jobs.summaries.summarise import SummariseJob, SummariseSettings
from core.stop import StopToken
text = " ".join(f"Valve number {n} opens when the pressure of pump {n} falls." for n in range(60))
job = SummariseJob(SourceRef(text=text), SummariseSettings(length="3s"))
assert len(list(job.run(StopToken()))[-1].result.summary.sentences) == 3
"""

TELL_FIRST = """
# One process for all: what is not there after the last was loaded by none of them.
import importlib, sys
known = set()
for name in {names}:
    importlib.import_module(name)
    if new := {unwanted} & set(sys.modules) - known:
        print(name, "loads", *sorted(new))
        known |= new
"""


@cache
def loaded_by(code: str) -> set[str]:
    """The top-level names in `sys.modules` after running code in a fresh process, offline."""
    tell = "import sys; print(*{name.partition('.')[0] for name in sys.modules})"
    command = [sys.executable, "-c", f"{code}\n{tell}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_summarising_loads_neither_engine_nor_window() -> None:
    assert loaded_by(SUMMARISING).isdisjoint({*ENGINES, *QT})


def test_only_another_language_loads_stemmers_and_none_loads_nltk() -> None:
    german = SUMMARISING.replace("Valve number {n} opens when the", "Ventil {n} schließt, wenn der")
    german = german.replace("pressure of pump {n} falls", "Druck in der Pumpe {n} zu hoch ist")
    assert loaded_by(SUMMARISING).isdisjoint({"nltk", "Stemmer"})
    loaded = loaded_by(german)
    assert "Stemmer" in loaded and "nltk" not in loaded


def test_text_side_loads_neither_engine_nor_window() -> None:
    found = modules(*(f"core/{part}" for part in TEXT_SIDE))
    names = [name for name in found if name not in WITH_TRAINING]
    code = TELL_FIRST.format(names=names, unwanted={*ENGINES, *QT})
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("", "")


def test_window_loads_no_engine() -> None:
    names = modules("gui/app", "gui/main_window", "gui/workers", "gui/panels")
    assert loaded_by(f"import {', '.join(names)}").isdisjoint(ENGINES)


@pytest.mark.parametrize("module", modules("gui/app"))
def test_start_loads_no_qt_before_the_command_is_known(module: str) -> None:
    assert loaded_by(f"import {module}").isdisjoint({"PySide6", "shiboken6"})
