"""Settings of a measurement: what step, how often, and what is varied."""

from typing import Self

from pydantic import model_validator

from core.settings import option
from core.training.settings import StepSettings


class ProfileSettings(StepSettings):
    """How training steps are measured."""

    steps: int = option(
        5, "Steps", "Steps that are timed; their median counts.", unit="steps", ge=1
    )
    warm_up: int = option(
        2, "Warm-up", "Steps before those that are timed; the first is told apart.",
        unit="steps", ge=1,
    )  # fmt: skip
    loss_tokens: int | None = option(
        None, "Loss tokens", "How many of a row's last tokens carry loss; all if not given.",
        unit="tokens", ge=1,
    )  # fmt: skip
    memory_limit: int | None = option(
        None, "Memory limit", "Mebibytes a step may take; what is free if not given. Linux only.",
        unit="MiB", ge=1,
    )  # fmt: skip
    vary: tuple[str, ...] = option(
        (),
        "Name=values",
        "Measure at each of these values, such as length=1024..16384x2 (times 2), "
        "depth=2..8+2 (plus 2), rounds=1,2,4, reversible=on,off or attention=full,lsh+local "
        "(+ between the kinds of a model's layers). The length is the step's; the model's is "
        "raised where it is shorter. May be repeated: all combinations are measured. The first "
        "becomes the figure's axis, the others its lines.",
    )
    against_full: bool = option(
        False,
        "Against full",
        "Measure each point also with full attention in place of hashing, and tell from which "
        "length hashing is faster, and how far the loss of the same weights differs.",
    )
    causality: bool = option(
        False,
        "Causality",
        "Measure no step, but for each kind of attention whether a change at the end of a text "
        "moves what the model says of the places before.",
    )

    @model_validator(mode="after")
    def _asks_for_one_thing(self) -> Self:
        if self.causality and (self.vary or self.against_full):
            other = "against_full" if self.against_full else "vary"
            raise ValueError(
                f"“causality” measures no step, so “{other}” is not allowed beside it."
            )
        return self
