"""Settings of decoding: how a model's next tokens become a text."""

from typing import Literal, Self

from pydantic import model_validator

from core.settings import Settings, option

EndOfSearch = Literal["likely", "full", "certain"]
"""When beam search stops; the value of `early_stopping` in transformers' `generate` in brackets.

*full* (True): as many hypotheses have ended as there are beams. *likely* (False): in addition, the
best open hypothesis, scored as it is, is no better than the worst of those. *certain* ("never"):
no open hypothesis can become better than the best ended one. The same settings give the same texts
in both programs, with `max_new_tokens` and `min_new_tokens` for the lengths (which there count a
forced first token), and without a forced last token.
"""


class DecodingSettings(Settings):
    """How a text is generated, token by token."""

    beams: int = option(
        1,
        "Beams",
        "Beam width; 1 is greedy decoding.",
        basic=True,
        ge=1,
    )
    max_length: int = option(
        256, "Maximum length", "Maximum number of tokens to generate, end token included.",
        unit="tokens", basic=True, ge=1,
    )  # fmt: skip
    min_length: int = option(
        0, "Minimum length", "Minimum number of tokens to generate before the text may end.",
        unit="tokens", basic=True, ge=0,
    )  # fmt: skip
    block_repeats: int = option(
        3,
        "Block repeats",
        "Never generate an n-gram of this size twice (the source does not count); 0 disables it.",
        unit="tokens",
        ge=0,
    )
    length_penalty: float = option(
        1.0,
        "Length penalty",
        "Rank hypotheses by log-probability / length ^ penalty; above 0 favours long texts.",
        ge=-10,
        le=10,
    )
    end_of_search: EndOfSearch = option(
        "likely",
        "End of search",
        "Stop beam search when all beams ended (full), no open one looks better (likely), or none "
        "can become so (certain).",
    )

    @model_validator(mode="after")
    def _go_together(self) -> Self:
        if self.min_length > self.max_length:
            raise ValueError(
                f"“min_length” must not be above “max_length”, but {self.min_length} is "
                f"above {self.max_length}."
            )
        if self.block_repeats == 1:
            raise ValueError(
                "“block_repeats” must be 0, or 2 or more: with 1, no token could occur twice."
            )
        return self
