"""Settings of training steps, and of a run of them."""

from typing import Literal, Self

from pydantic import model_validator

from core.settings import Settings, option

Precision = Literal["fp32", "bf16", "fp16"]
Objective = Literal["gsg", "language-model", "summary"]
Optimizer = Literal["adam", "adamw", "adafactor"]
Schedule = Literal["constant", "linear", "cosine", "inverse-square-root"]


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
    smoothing: float = option(
        0.0, "Label smoothing", "Share of the target that is spread over all tokens.", ge=0, lt=1
    )
    device: str = option(
        "auto", "Device", "What computes: auto, cpu, cuda, cuda:N or mps.",
        pattern=r"^(auto|cpu|cuda(:\d+)?|mps)$",
    )  # fmt: skip
    threads: int | None = option(
        None, "Threads", "Processor threads; one less than there are cores if not given.", ge=1
    )


class TrainSettings(StepSettings):
    """How a run trains its model."""

    objective: Objective = option(
        "summary",
        "Objective",
        "What is learnt: to write the sentences that were taken out (gsg), document and summary "
        "(language-model), or the summary alone.",
        basic=True,
    )
    steps: int = option(1000, "Steps", "How many steps are made.", basic=True, ge=1)
    batch: int = option(
        4, "Batch", "Rows of a step, over all processes.", unit="rows", basic=True, ge=1
    )
    accumulate: int = option(
        1, "Accumulate", "Parts of a step's rows that are worked on one after the other.", ge=1
    )
    too_long: Literal["split", "window", "skip"] = option(
        "split",
        "Too long",
        "Documents longer than the model: read in pieces (split), by the stretch that holds most "
        "of the summary (window), or left out (skip).",
    )
    padding: Literal["lengths", "fixed"] = option(
        "lengths",
        "Padding",
        "Rows of like lengths make a step, so that little is padded (lengths); or every row is "
        "padded to the model's length, split at random to both sides (fixed).",
    )
    optimizer: Optimizer = option("adam", "Optimiser", "Adam, AdamW or Adafactor.")
    weight_decay: float = option(0.0, "Weight decay", "How much weights shrink a step.", ge=0)
    schedule: Schedule = option(
        "linear", "Schedule", "How the learning rate goes on after the warm-up."
    )
    warm_up: int = option(
        100, "Warm-up", "Steps in which the learning rate rises to its height.", unit="steps", ge=0
    )
    clip: float | None = option(
        1.0, "Clip", "The length to which longer gradients are cut; none are if not given.", gt=0
    )
    validate_every: int = option(
        200, "Validate every", "Steps from one validation to the next.", unit="steps", ge=1
    )
    validate_rows: int = option(
        100, "Validation rows", "Rows of the validation split that are read, drawn once.",
        unit="rows", ge=1,
    )  # fmt: skip
    rouge_rows: int = option(
        0, "ROUGE rows", "Of these, how many summaries are written and scored.", unit="rows", ge=0
    )
    samples: int = option(2, "Samples", "Of these, how many are kept as samples.", ge=0)
    best_by: Literal["loss", "rouge"] = option(
        "loss", "Best by", "What the best checkpoint is chosen by: validation loss, or ROUGE-1."
    )
    patience: int | None = option(
        None, "Patience", "Validations without a better one after which the run ends.", ge=1
    )
    checkpoint_every: int | None = option(
        None, "Checkpoint every", "Steps between checkpoints; as validations if not given.",
        unit="steps", ge=1,
    )  # fmt: skip
    keep: int = option(2, "Keep", "How many checkpoints stay, beside the best.", ge=1)
    spike: float = option(
        10.0, "Spike", "A step is skipped if its gradient is so many times as long as usual.", gt=1
    )
    most_skipped: int = option(
        10, "Most skipped", "So many steps skipped one after the other end the run.", ge=1
    )
    tensorboard: bool = option(
        False, "TensorBoard", "Also write the run's numbers as TensorBoard reads them."
    )
    deterministic: bool = option(
        True, "Deterministic", "On a GPU, only algorithms that give the same bits again."
    )
    seed: int = option(
        0, "Seed", "Draws the order of rows, dropout, padding and hashing in training.", ge=0
    )

    @model_validator(mode="after")
    def _go_together(self) -> Self:
        if self.rouge_rows > self.validate_rows:
            raise ValueError(
                f"The ROUGE rows must not be above the validation rows, but {self.rouge_rows} are "
                f"above {self.validate_rows}."
            )
        if self.best_by == "rouge" and not self.rouge_rows:
            raise ValueError("“best_by” is rouge, so “rouge_rows” must be 1 or more.")
        return self


class RunSettings(Settings):
    """What a run begins with."""

    corpus: str = option("", "Corpus", "What is learnt from: a corpus' name or folder.", basic=True)
    tokenizer: str = option(
        "",
        "Tokenizer",
        "Its name or folder; not needed with another run's weights, which bring theirs.",
        basic=True,
    )
    start_from: str = option(
        "", "Start from", "A run whose weights, model and tokenizer are taken over.", basic=True
    )
