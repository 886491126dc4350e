"""Settings of decoding: how a model's next tokens become a text."""

from typing import Literal, Self

from pydantic import model_validator

from core.settings import Settings, option

EndOfSearch = Literal["likely", "full", "certain"]
"""When beam search of a text ends; `early_stopping` of transformers' `generate` in brackets.

*full* (True): as many drafts have ended as there are beams. *likely* (False): moreover, the best
open draft, if it ended as it is, would not be better than the worst of those. *certain* ("never"):
no open draft can become better than the best ended one, whatever it adds. Equal settings give equal
texts in both, with `max_new_tokens` and `min_new_tokens` for the lengths, which there count a
forced first token, and without a forced last one.
"""


class DecodingSettings(Settings):
    """How a text is written, token by token."""

    beams: int = option(
        1,
        "Beams",
        "How many drafts are followed side by side; 1 takes the likeliest token each time.",
        basic=True,
        ge=1,
    )
    max_length: int = option(
        256, "Longest", "How many tokens are written at most, the end token counted.",
        unit="tokens", basic=True, ge=1,
    )  # fmt: skip
    min_length: int = option(
        0, "Shortest", "How many tokens are written before the text may end.",
        unit="tokens", basic=True, ge=0,
    )  # fmt: skip
    block_repeats: int = option(
        3,
        "Block repeats",
        "No run of so many tokens is written twice; 0 allows it. The source may be copied.",
        unit="tokens",
        ge=0,
    )
    length_penalty: float = option(
        1.0,
        "Length penalty",
        "Drafts are compared by log-probability / length ^ this; above 0 favours long ones.",
        ge=-10,
        le=10,
    )
    end_of_search: EndOfSearch = option(
        "likely",
        "End of search",
        "With beams: the ended drafts are as many as the beams (full), and no open one is better "
        "by now (likely); or no open one can become better (certain).",
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
                "“block_repeats” must be 0, or 2 and more, since with 1 no token could be "
                "written twice."
            )
        return self
