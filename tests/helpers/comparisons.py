"""Comparisons for tests: a small real one, and one of very many documents."""

from pathlib import Path

import numpy as np

from core.evaluation.settings import ScoreSettings
from core.events import Finished
from core.jobs.evaluation.score import ScoreJob, score_models
from core.jobs.run import run_inline
from core.runs.comparisons import (
    ComparedSystem,
    ComparedTexts,
    Comparison,
    DocumentNames,
    keep_comparison,
)
from core.runs.evaluations import KeptDifference, KeptScore
from core.stop import StopToken
from tests.helpers.pair_files import ROWS, write_rows

METRICS = ("rouge-1", "rouge-2", "rouge-l", "novelty", "support", "words")
INVENTED = (
    "A layer of lithium nitride stops the reaction. The Berlin plant closed in 1987.",
    "The valve opens when the pressure falls below three bar.",
    "The pump runs while the valve is open.",
)
"""Summaries of `ROWS` by another program; the first has a sentence without support."""


def compare_job(folder: Path, *, references: bool = True) -> ScoreJob:
    """Compares two ready models and a plain file of summaries on `ROWS`."""
    folder.mkdir(parents=True, exist_ok=True)
    pairs = write_rows(folder / "pairs.jsonl", ROWS)
    theirs = folder / "theirs.txt"
    theirs.write_text("\n".join(INVENTED) + "\n", "utf-8")
    by = ("kind", "length") if references else ("length",)
    settings = ScoreSettings(metrics=METRICS, length="2s", references=references, by=by)
    return score_models(["built-in", "lead"], pairs, settings, [theirs], folder / "out")


def small_comparison(folder: Path, *, references: bool = True) -> Path:
    """The folder of a comparison made of `compare_job`."""
    job = compare_job(folder, references=references)
    *_, last = run_inline(job, StopToken())
    assert isinstance(last, Finished), last
    assert job.out is not None
    return job.out


def large_comparison(folder: Path, num_documents: int) -> Path:
    """A comparison of two systems on many documents, with invented scores."""
    chance = np.random.default_rng(7)
    measures = (("rouge-1 f1", "%"), ("novel 2-grams", "%"), ("words", "words"))
    values = chance.uniform(0, 100, (2, num_documents, len(measures)))
    values[:, :, 2] = np.round(values[:, :, 2])
    systems = []
    for number, title in enumerate(("first", "second")):
        ahead = KeptDifference(1.0, 0.5, 1.5) if number else None
        scores = tuple(
            KeptScore(name, unit, float(mean), float(mean) - 1, float(mean) + 1, ahead)
            for (name, unit), mean in zip(measures, values[number].mean(0), strict=True)
        )
        systems.append(ComparedSystem(title, title, f"{title}, invented", scores))
    words = chance.integers(100, 9000, num_documents).tolist()
    names = DocumentNames(
        tuple(f"d-{n:05}" for n in range(num_documents)),
        tuple(f"Report {n} on the state of the harbour" for n in range(num_documents)),
        tuple("patent" if n % 3 else "paper" for n in range(num_documents)),
        tuple(words),
    )
    about = Comparison(
        "harbours", str(folder / "harbours.jsonl"), "", "2026-11-01T00:00:00+00:00",
        tuple(systems), measures, True, True, num_documents,
    )  # fmt: skip
    texts = (
        ComparedTexts(
            f"Report {n}. The pump runs while the valve is open.",
            "The pump runs.",
            ("The pump runs.", "The valve is open."),
        )
        for n in range(num_documents)
    )
    keep_comparison(folder, about, names, values, texts)
    return folder
