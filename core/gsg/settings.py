"""Settings of gap sentences: which sentences of a document are selected, and how."""

from typing import Literal, Self

from pydantic import model_validator

from core.documents.words import Tokenizer
from core.settings import Settings, option

Strategy = Literal[
    "random",
    "lead",
    "independent-document",
    "sequential-document",
    "independent-pairwise",
    "sequential-pairwise",
]
Rouge = Literal["1", "2", "L"]

OTHER_SCRIPTS = "Words are those of a–z and 0–9; --tokenizer unicode takes any script."
"""Said of texts of which the usual tokenizer sees too little."""


class GapSentenceSettings(Settings):
    """How gap sentences are selected."""

    strategy: Strategy = option(
        "sequential-document",
        "Strategy",
        "Score sentences independently or sequentially, against the rest of the document or "
        "pairwise; or random or lead.",
        basic=True,
    )
    rouge: Rouge = option("1", "ROUGE", "Similarity measure: ROUGE-1, ROUGE-2 or ROUGE-L.")
    ratio: float = option(0.3, "Ratio", "Share of the sentences to select.", basic=True, gt=0, lt=1)
    ratio_to: float | None = option(
        None,
        "Ratio up to",
        "Upper bound of the ratio: each document draws its own between the two.",
        gt=0,
        lt=1,
    )
    count: int | None = option(
        None, "Count", "Number of sentences to select, instead of a share.", unit="sentences", ge=1
    )
    unique: bool = option(False, "Unique", "Count each different n-gram once per text.")
    stem: bool = option(False, "Stemming", "Compare English words by their Porter stems.")
    aggregate: Literal["mean", "max"] = option(
        "mean", "Aggregate", "Pairwise: mean or maximum similarity to the other sentences."
    )
    tokenizer: Tokenizer = option(
        "rouge",
        "Words",
        "What counts as a word: a–z and 0–9 (rouge), or words of any script (unicode).",
    )
    algorithm: Literal["fast", "paper"] = option(
        "fast",
        "Algorithm",
        "Pairwise: fast, or as in the paper (slow); both select the same sentences.",
    )
    noise: float = option(
        0.0,
        "Noise",
        "Independent: change scores at random by up to this share before ranking.",
        ge=0,
        le=1,
    )
    seed: int = option(0, "Seed", "Random seed.", ge=0)

    @property
    def pairwise(self) -> bool:
        """Whether sentences are compared pairwise."""
        return self.strategy.endswith("pairwise")

    @property
    def independent(self) -> bool:
        """Whether each sentence is scored as if no other were selected."""
        return self.strategy.startswith("independent")

    @model_validator(mode="after")
    def _go_together(self) -> Self:
        for wrong, message in self._conflicts():
            if wrong:
                raise ValueError(f"{message}; the strategy was “{self.strategy}”.")
        return self

    def _conflicts(self) -> list[tuple[bool, str]]:
        sequential = self.strategy.startswith("sequential")
        return [
            (
                self.rouge == "L" and sequential,
                "ROUGE-L is allowed with the independent strategies only",
            ),
            (
                self.rouge == "L" and self.unique,
                "“unique” is allowed with ROUGE-1 and ROUGE-2 only, since ROUGE-L compares order",
            ),
            (
                self.aggregate == "max" and not self.pairwise,
                "The aggregate “max” is allowed with the pairwise strategies only",
            ),
            (
                self.algorithm == "paper" and not self.pairwise,
                "The algorithm “paper” is allowed with the pairwise strategies only",
            ),
            (
                self.noise > 0 and not self.independent,
                "Noise is allowed with the independent strategies only",
            ),
            (
                self.ratio_to is not None and self.ratio_to < self.ratio,
                f"“ratio_to” must not be below the ratio, but {self.ratio_to} is "
                f"below {self.ratio}",
            ),
        ]


class GapPairSettings(GapSentenceSettings):
    """How gap sentences are selected, and what replaces them in the model's input."""

    masking: Literal["mask", "remove", "keep"] = option(
        "mask",
        "Masking",
        "Replace selected sentences in the input by a mask token, remove them, or keep them.",
    )
    left_in: float = option(
        0.0, "Left in", "Share of the selected sentences that stay in the input.", ge=0, le=1
    )

    @model_validator(mode="after")
    def _leaves_gaps(self) -> Self:
        if self.left_in > 0 and self.masking == "keep":
            raise ValueError(
                "“left_in” is allowed with the maskings “mask” and “remove” only, since “keep” "
                f"keeps all sentences; “left_in” was {self.left_in}."
            )
        return self
