"""Settings of corpora and tokenizers."""

import re
from typing import Literal

from pydantic import field_validator

from core.gsg.settings import GapPairSettings
from core.settings import Settings, option

Make = Literal["gsg", "pairs", "text"]

SMALLEST_VOCABULARY = 320
DEFAULT_SPLIT = "80/10/10"


class TokenizerSettings(Settings):
    """How a tokenizer is trained."""

    size: int = option(
        8192,
        "Size",
        "How many different tokens there are: 4 special ones, 256 bytes, and the most frequent "
        "longer pieces.",
        unit="tokens",
        basic=True,
        ge=SMALLEST_VOCABULARY,
        le=1_000_000,
    )


class CorpusSettings(GapPairSettings):
    """How a corpus is prepared; the settings of gap sentences hold for “gsg” only."""

    make: Make | None = option(
        None,
        "Make",
        "What its rows are: documents with gap sentences to be filled (gsg), documents with "
        "their summaries (pairs), or documents alone (text). If nothing is said: pairs where all "
        "sources have summaries, else text.",
        basic=True,
    )
    document_column: str = option(
        "", "Document column", "The column of tables that holds documents; else it is guessed."
    )
    summary_column: str = option(
        "", "Summary column", "The column of tables that holds summaries; else it is guessed."
    )
    split: str | None = option(
        None,
        "Split",
        "Shares of training, validation and test, such as 80/10/10. If nothing is said, a source "
        "that comes split stays so, and all else is split 80/10/10.",
        basic=True,
    )
    processes: int | None = option(
        None,
        "Processes",
        "How many processes work beside each other; one less than there are cores if nothing "
        "is said.",
        unit="processes",
        ge=1,
        le=256,
    )
    include: tuple[str, ...] = option(
        (), "Pattern", "Of folders, take the files that match, such as '*.pdf'; may be repeated."
    )
    exclude: tuple[str, ...] = option(
        (), "Pattern", "Of folders, leave out the files that match; may be repeated."
    )

    @field_validator("split")
    @classmethod
    def _is_shares(cls, value: str | None) -> str | None:
        if value is not None and not _shares_of(value):
            raise ValueError(
                f"“split” was '{value}': it should be three shares such as 80/10/10, "
                "the first above 0."
            )
        return value

    @property
    def shares(self) -> tuple[float, float, float]:
        """The shares of training, validation and test of what does not come split; together 1."""
        return _shares_of(self.split or DEFAULT_SPLIT) or (1.0, 0.0, 0.0)


def _shares_of(text: str) -> tuple[float, float, float] | None:
    parts = text.split("/")
    if len(parts) != 3 or not all(re.fullmatch(r"\d{1,9}(\.\d{1,9})?", part) for part in parts):
        return None
    train, validation, test = map(float, parts)
    if train == 0:
        return None
    whole = train + validation + test
    return train / whole, validation / whole, test / whole
