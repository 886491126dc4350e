"""Settings of one training step."""

from typing import Literal

from core.settings import Settings, option

Precision = Literal["fp32", "bf16", "fp16"]


class StepSettings(Settings):
    """How one training step is made."""

    batch: int = option(1, "Batch", "Rows of a step.", unit="rows", basic=True, ge=1)
    precision: Precision = option(
        "fp32", "Precision", "Numbers of 32 bits, or of 16 where they do: bf16, or fp16 on CUDA."
    )
    learning_rate: float = option(1e-4, "Learning rate", "How far a step goes.", gt=0)
    clip: float | None = option(
        None, "Clip", "The length to which longer gradients are cut; none are if not given.", gt=0
    )
    device: str = option(
        "auto", "Device", "What computes: auto, cpu, cuda, cuda:N or mps.",
        pattern=r"^(auto|cpu|cuda(:\d+)?|mps)$",
    )  # fmt: skip
    threads: int | None = option(
        None, "Threads", "Processor threads; one less than there are cores if not given.", ge=1
    )
