"""Settings of scores: what is measured, over which documents, how texts are compared."""

from collections.abc import Iterator
from typing import Any, Literal, get_args

from pydantic import field_validator

from core.settings import Settings, option
from core.summary import LengthText

Metric = Literal[
    "rouge-1",
    "rouge-2",
    "rouge-3",
    "rouge-4",
    "rouge-l",
    "rouge-lsum",
    "rouge-w",
    "bleu",
    "novelty",
    "words",
]
ALL: tuple[Metric, ...] = get_args(Metric)


class ScoreSettings(Settings):
    """How summaries are scored."""

    metrics: tuple[Metric, ...] = option(
        ("rouge-1", "rouge-2", "rouge-l", "rouge-lsum", "novelty", "words"),
        "Metrics",
        "What is measured, with commas between the names, or repeated; “all” is every one.",
        basic=True,
        min_length=1,
    )
    length: LengthText = option(
        "100w",
        "Length",
        "How long a model writes: whole sentences (5s), words (120w) or a share of the text (10%).",
        basic=True,
    )
    limit: int | None = option(
        None, "Limit", "Only the first documents of the file.", unit="documents", basic=True, ge=1
    )
    stem: bool = option(False, "Stemming", "ROUGE compares English words by their Porter stems.")
    sentence_breaks: Literal["lines", "found"] = option(
        "lines",
        "Sentence breaks",
        "What a sentence is to rouge-lsum: a line of the text, or one that is found in a line.",
    )
    document_column: str = option("", "Column", "The documents' column; empty: guessed.")
    summary_column: str = option("", "Column", "The references' column; empty: guessed.")
    prediction_column: str = option("", "Column", "The predictions' column; empty: guessed.")
    seed: int = option(0, "Seed", "The same seed draws the same random numbers.", ge=0)

    @field_validator("metrics", mode="before")
    @classmethod
    def _named_once(cls, metrics: Any) -> Any:
        if not isinstance(metrics, list | tuple) or not all(isinstance(m, str) for m in metrics):
            return metrics
        return tuple(dict.fromkeys(_each(metrics)))


class EvaluateSettings(ScoreSettings):
    """How the summaries of one system are scored."""

    intervals: bool = option(
        False, "Intervals", "Say how sure each score is, by drawing the documents anew.", basic=True
    )


def _each(metrics: list[str] | tuple[str, ...]) -> Iterator[str]:
    for name in (part.strip() for several in metrics for part in several.split(",")):
        yield from ALL if name == "all" else (name,)
