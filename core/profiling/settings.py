"""Settings of a measurement: which step, how often, and what is varied."""

from typing import Literal, Self

from pydantic import model_validator

from core.settings import Settings, option
from core.training.settings import StepSettings

VARY_HELP = (
    "--vary: values are listed (rounds=1,2,4, reversible=on,off) or given as a range "
    "(length=1024..16384x2 doubles, depth=2..8+2 adds 2); + joins the attention kinds of a model's "
    "layers (attention=full,lsh+local). Several --vary measure all combinations; the first is the "
    "x axis of the figure, the others its lines. A length above the model's raises the model's."
)

GaugeName = Literal["causality", "twin", "rotations"]
GAUGES: tuple[GaugeName, ...] = ("causality", "twin", "rotations")


class ProfileSettings(StepSettings):
    """How training steps are measured."""

    steps: int = option(
        5, "Steps", "Number of timed steps; the median is reported.", unit="steps", ge=1
    )
    warm_up: int = option(
        2, "Warm-up", "Number of untimed steps before them; the first is reported separately.",
        unit="steps", ge=1,
    )  # fmt: skip
    accumulate: int = option(
        1,
        "Gradient accumulation",
        "Compute each step in this many parts, one after the other, to save memory.",
        ge=1,
    )
    loss_tokens: int | None = option(
        None, "Loss tokens", "Number of tokens at the end of each row with a loss; by default all.",
        unit="tokens", ge=1,
    )  # fmt: skip
    memory_limit: int | None = option(
        None, "Memory limit", "Memory limit of a step (Linux only); by default the free memory.",
        unit="MiB", ge=1,
    )  # fmt: skip
    vary: tuple[str, ...] = option(
        (),
        "Name=values",
        "Measure a setting at several values, such as length=1024..16384x2; may be repeated.",
    )
    against_full: bool = option(
        False,
        "Against full",
        "Also measure with full attention instead of hashing, and compare speed and loss.",
    )
    memory_options: bool = option(
        False,
        "Memory options",
        "Also measure half the length, bf16, accumulation, checkpointing, and all of them.",
    )
    causality: bool = option(
        False,
        "Causality",
        "Instead, test for each attention kind whether later tokens change earlier predictions.",
    )

    @model_validator(mode="after")
    def _asks_for_one_thing(self) -> Self:
        others = ("against_full", "memory_options", "vary")
        if self.causality and (other := next((o for o in others if getattr(self, o)), "")):
            raise ValueError(
                f"“causality” measures no step, so “{other}” is not allowed beside it."
            )
        return self


class GaugeSettings(Settings):
    """How a trained run is gauged."""

    gauge: tuple[GaugeName, ...] = option(
        GAUGES,
        "Gauge",
        "What to gauge: causality, twin (full attention) or rotations; may be repeated.",
        min_length=1,
    )
    documents: int = option(
        8, "Documents", "Documents of the validation split to measure the loss on.", ge=1
    )
    summaries: int = option(
        0, "Summaries", "Summaries to write each time and score by ROUGE; 0 writes none.", ge=0
    )
    rotations: int = option(
        5, "Rotations", "How many random rotations to hash with; the first is the model's.", ge=2
    )
    device: str = option(
        "auto",
        "Device",
        "Device to compute on: cpu, cuda, cuda:N or mps; auto takes a GPU if there is one.",
        pattern=r"^(auto|cpu|cuda(:\d+)?|mps)$",
    )
    threads: int | None = option(
        None, "Threads", "CPU threads; none takes one fewer than the machine has cores.", ge=1
    )
