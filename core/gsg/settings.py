"""Settings of gap sentences: which sentences of a document are picked, and how."""

from typing import Literal, Self

from pydantic import model_validator

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
Tokenizer = Literal["rouge", "unicode"]


class GapSentenceSettings(Settings):
    """How gap sentences are picked."""

    strategy: Strategy = option(
        "sequential-document",
        "Strategy",
        "How sentences are scored: each alone (independent) or one after the other (sequential), "
        "against the rest as one text (document) or sentence by sentence (pairwise).",
        basic=True,
    )
    rouge: Rouge = option(
        "1", "ROUGE", "What two texts are compared by: words (1), pairs of words (2), order (L)."
    )
    ratio: float = option(
        0.3, "Ratio", "Share of the sentences that is picked.", basic=True, gt=0, lt=1
    )
    ratio_to: float | None = option(
        None,
        "Ratio up to",
        "Each document draws its own ratio between the ratio and this one.",
        gt=0,
        lt=1,
    )
    count: int | None = option(
        None, "Count", "How many sentences are picked, instead of a share.", unit="sentences", ge=1
    )
    unique: bool = option(False, "Unique", "Count each word once a text, however often it stands.")
    stem: bool = option(False, "Stemming", "Compare English words by their Porter stems.")
    aggregate: Literal["mean", "max"] = option(
        "mean", "Aggregate", "Pairwise: the mean over the other sentences, or the nearest of them."
    )
    tokenizer: Tokenizer = option(
        "rouge", "Words", "What a word is: a–z and 0–9 as in ROUGE, or the words of any script."
    )
    algorithm: Literal["fast", "paper"] = option(
        "fast", "Algorithm", "Same picks: the fast one, or the paper's own (slow)."
    )
    noise: float = option(
        0.0,
        "Noise",
        "Independent: scores are changed at random by up to this share before they are ranked.",
        ge=0,
        le=1,
    )
    seed: int = option(0, "Seed", "The same seed draws the same random numbers.", ge=0)

    @property
    def pairwise(self) -> bool:
        """Whether sentences are compared one by one."""
        return self.strategy.endswith("pairwise")

    @property
    def independent(self) -> bool:
        """Whether each sentence is scored as if no other were picked."""
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
    """How gap sentences are picked, and what becomes of them in the input of a model."""

    masking: Literal["mask", "remove", "keep"] = option(
        "mask", "Masking", "What becomes of picked sentences in the input."
    )
    left_in: float = option(
        0.0, "Left in", "Share of the picked sentences that stay in the input.", ge=0, le=1
    )

    @model_validator(mode="after")
    def _leaves_gaps(self) -> Self:
        if self.left_in > 0 and self.masking == "keep":
            raise ValueError(
                "“left_in” is allowed with the maskings “mask” and “remove” only, since “keep” "
                f"leaves all in; “left_in” was {self.left_in}."
            )
        return self
