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
        "Size of the vocabulary: 4 special tokens, 256 bytes, and the most frequent merges.",
        unit="tokens",
        basic=True,
        ge=SMALLEST_VOCABULARY,
        le=1_000_000,
    )


class CorpusSettings(GapPairSettings):
    """How a corpus is prepared; the settings of gap sentences apply to “gsg” only."""

    make: Make | None = option(
        None,
        "Make",
        "Rows to make: gap sentences (gsg), documents with summaries (pairs) or documents (text); "
        "by default pairs, else text.",
        basic=True,
    )
    document_column: str = option(
        "", "Document column", "Table column with the documents; by default guessed from its name."
    )
    summary_column: str = option(
        "", "Summary column", "Table column with the summaries; by default guessed from its name."
    )
    split: str | None = option(
        None,
        "Split",
        "Shares of training, validation and test; by default existing splits are kept, the rest is "
        "split 80/10/10.",
        basic=True,
    )
    processes: int | None = option(
        None,
        "Processes",
        "Number of worker processes; by default one less than the number of cores.",
        unit="processes",
        ge=1,
        le=256,
    )
    include: tuple[str, ...] = option(
        (), "Pattern", "In folders, read only files that match, such as '*.pdf'; may be repeated."
    )
    exclude: tuple[str, ...] = option(
        (), "Pattern", "In folders, skip files that match; may be repeated."
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
        """Shares of training, validation and test for unsplit sources; they sum to 1."""
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
