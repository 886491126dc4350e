"""Settings of scoring: metrics, documents, and how texts are compared."""

from collections.abc import Iterator
from typing import Any, Literal, Self, get_args

from pydantic import ValidationInfo, field_validator, model_validator

from core.settings import Settings, option
from core.summaries.summary import LengthText

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
    "content",
    "support",
    "words",
]
Grouping = Literal["kind", "novelty", "length"]
ALL: tuple[Metric, ...] = get_args(Metric)
GROUPINGS: tuple[Grouping, ...] = get_args(Grouping)


class ScoreSettings(Settings):
    """How summaries are scored."""

    metrics: tuple[Metric, ...] = option(
        ("rouge-1", "rouge-2", "rouge-l", "rouge-lsum", "novelty", "words"),
        "Metrics",
        "Metrics to compute, separated by commas or repeated; “all” means all of them.",
        basic=True,
        min_length=1,
    )
    length: LengthText = option(
        "100w",
        "Length",
        "Length of the summaries: sentences (5s), words (120w) or a share of the text (10%).",
        basic=True,
    )
    limit: int | None = option(
        None,
        "Limit",
        "Use this many documents, from the first on; none uses all of them.",
        unit="documents",
        basic=True,
        ge=1,
    )
    split: Literal["train", "validation", "test"] = option(
        "test", "Split", "Split of a corpus to use; a file of pairs has none.", basic=True
    )
    by: tuple[Grouping, ...] = option(
        (),
        "Groups",
        "Also score groups: kind (extractive to abstractive), novelty, length; separated by "
        "commas or repeated.",
    )
    scorer: Literal["epitome", "rouge-score"] = option(
        "epitome",
        "ROUGE by",
        "Scorer of ROUGE: epitome, or the slower package rouge-score, if it is installed.",
    )
    tokenizer: Literal["auto", "rouge", "unicode"] = option(
        "auto",
        "Words",
        "Words of ROUGE: a–z and 0–9 (rouge), any script (unicode), or by the references (auto).",
    )
    stem: bool = option(False, "Stemming", "Compare English words by their Porter stems in ROUGE.")
    sentence_breaks: Literal["lines", "found"] = option(
        "lines",
        "Sentence breaks",
        "Sentences for rouge-lsum: the lines of a text (lines), or those detected in them (found).",
    )
    document_column: str = option(
        "", "Column", "Column of the documents; by default guessed from its name."
    )
    summary_column: str = option(
        "", "Column", "Column of the references; by default guessed from its name."
    )
    prediction_column: str = option(
        "", "Column", "Column of the predictions; by default guessed from its name."
    )
    references: bool = option(
        True, "References", "Compare with references; turn off for documents that have none."
    )
    seed: int = option(0, "Seed", "Random seed.", ge=0)

    @model_validator(mode="after")
    def _check_scorer(self) -> Self:
        if self.scorer == "rouge-score" and "rouge-w" in self.metrics:
            raise ValueError("rouge-score computes no rouge-w; leave it out, or use epitome")
        if self.scorer == "rouge-score" and self.tokenizer == "unicode":
            raise ValueError("rouge-score finds words of a–z and 0–9 only; use epitome")
        return self

    @field_validator("metrics", "by", mode="before")
    @classmethod
    def _named_once(cls, names: Any, info: ValidationInfo) -> Any:
        if not isinstance(names, list | tuple) or not all(isinstance(m, str) for m in names):
            return names
        every: tuple[str, ...] = ALL if info.field_name == "metrics" else GROUPINGS
        return tuple(dict.fromkeys(_each(names, every)))


class EvaluateSettings(ScoreSettings):
    """How the summaries of one system are scored."""

    intervals: bool = option(
        False, "Intervals", "Add a bootstrap confidence interval to each score.", basic=True
    )


def _each(names: list[str] | tuple[str, ...], every: tuple[str, ...]) -> Iterator[str]:
    for name in (part.strip() for several in names for part in several.split(",")):
        yield from every if name == "all" else (name,)
