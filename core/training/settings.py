"""Settings of training steps, and of a run of them."""

from typing import Literal, Self

from pydantic import model_validator

from core.settings import Settings, option

Precision = Literal["fp32", "bf16", "fp16"]
Objective = Literal["gsg", "language-model", "summary"]
Optimizer = Literal["adam", "adamw", "adafactor"]
Schedule = Literal["constant", "linear", "cosine", "inverse-square-root"]


class StepSettings(Settings):
    """Settings of one training step."""

    batch: int = option(1, "Batch size", "Examples per step.", unit="rows", basic=True, ge=1)
    precision: Precision = option(
        "fp32",
        "Precision",
        "Floats: fp32, or where precise enough bf16 (slow on many processors) or fp16 (loss "
        "scaling, CUDA only).",
    )
    learning_rate: float = option(1e-4, "Learning rate", "Peak learning rate.", gt=0)
    clip: float | None = option(
        None, "Gradient clipping", "Clip the gradient norm to this value; none disables clipping.",
        gt=0,
    )  # fmt: skip
    smoothing: float = option(
        0.0,
        "Label smoothing",
        "Share of the target probability that is spread evenly over the vocabulary.",
        ge=0,
        lt=1,
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


class TrainSettings(StepSettings):
    """Settings of a training run."""

    objective: Objective = option(
        "summary",
        "Objective",
        "Text to predict: the gap sentences (gsg), the summary (summary), or document and summary "
        "(language-model).",
        basic=True,
    )
    domain_adaptive: float = option(
        0.0,
        "Domain-adaptive share",
        "Share of the steps, from the first on, that learn document and summary; the rest learn "
        "the objective.",
        ge=0,
        lt=1,
    )
    steps: int = option(1000, "Steps", "Training steps.", basic=True, ge=1)
    batch: int = option(
        4, "Batch size", "Examples per step, over all processes.", unit="rows", basic=True, ge=1
    )
    accumulate: int = option(
        1,
        "Gradient accumulation",
        "Compute each step in this many parts, one after the other, to save memory.",
        ge=1,
    )
    too_long: Literal["split", "window", "start", "skip"] = option(
        "split",
        "Long documents",
        "Documents longer than the model: split them, keep the window that covers most of the "
        "summary or the start, or skip them.",
    )
    padding: Literal["lengths", "fixed"] = option(
        "lengths",
        "Padding",
        "Batch examples of similar length (lengths), or pad each to the model's length, at random "
        "on both sides (fixed).",
    )
    optimizer: Optimizer = option("adam", "Optimiser", "Adam, AdamW or Adafactor.")
    adam_beta2: float = option(
        0.999, "Adam beta 2", "Decay rate of Adam's average of squared gradients.", ge=0, lt=1
    )
    adam_epsilon: float = option(
        1e-8, "Adam epsilon", "Added to the denominator of Adam's update.", gt=0
    )
    weight_decay: float = option(0.0, "Weight decay", "Weight decay of the optimiser.", ge=0)
    schedule: Schedule = option(
        "linear", "Schedule", "How the learning rate decays after the warm-up."
    )
    warm_up: int = option(
        100,
        "Warm-up",
        "Steps over which the learning rate rises linearly to its peak.",
        unit="steps",
        ge=0,
    )
    clip: float | None = option(
        1.0, "Gradient clipping", "Clip the gradient norm to this value; none disables clipping.",
        gt=0,
    )  # fmt: skip
    validate_every: int = option(
        200, "Validation interval", "Validate every this many steps.", unit="steps", ge=1
    )
    validate_rows: int = option(
        100,
        "Validation examples",
        "Examples of the validation split to use, drawn once at random.",
        unit="rows",
        ge=1,
    )
    rouge_rows: int = option(
        0,
        "ROUGE examples",
        "How many of the validation examples to write summaries for and score by ROUGE.",
        unit="rows",
        ge=0,
    )
    samples: int = option(
        2, "Samples", "How many of these summaries to keep as samples at each validation.", ge=0
    )
    best_by: Literal["loss", "rouge"] = option(
        "loss", "Best by", "Choose the best checkpoint by validation loss or by ROUGE-1."
    )
    patience: int | None = option(
        None,
        "Patience",
        "Stop after this many validations without improvement; none never stops early.",
        ge=1,
    )
    checkpoint_every: int | None = option(
        None,
        "Checkpoint interval",
        "Save a checkpoint every this many steps; none saves one before each validation only.",
        unit="steps",
        ge=1,
    )
    keep: int = option(
        2, "Checkpoints to keep", "Keep this many of the newest checkpoints, beside the best.", ge=1
    )
    spike: float = option(
        # Single gradients of 10 to 40 times the average occur while little is learnt, and are
        # harmless when clipped.
        100.0,
        "Spike threshold",
        "Skip a step whose gradient norm is this many times the running average.",
        gt=1,
    )
    most_skipped: int = option(
        10, "Skipped steps", "Stop after this many consecutive skipped steps.", ge=1
    )
    tensorboard: bool = option(False, "TensorBoard", "Also write a log for TensorBoard.")
    freeze: tuple[str, ...] = option(
        (), "Name",
        "Do not train the parameters whose name starts with this, such as inner.model.encoder; "
        "may be repeated.",
    )  # fmt: skip
    deterministic: bool = option(
        True, "Deterministic", "On a GPU, use only deterministic algorithms."
    )
    seed: int = option(
        0,
        "Seed",
        "Random seed for the order of examples, dropout, padding and hashing in training.",
        ge=0,
    )

    @model_validator(mode="after")
    def _go_together(self) -> Self:
        if self.rouge_rows > self.validate_rows:
            raise ValueError(
                f"“rouge_rows” must not exceed “validate_rows”: {self.rouge_rows} is more than "
                f"{self.validate_rows}."
            )
        if self.best_by == "rouge" and not self.rouge_rows:
            raise ValueError("“best_by” is rouge, so “rouge_rows” must be 1 or more.")
        return self

    @property
    def adaptive_steps(self) -> int:
        """How many of the first steps are domain-adaptive."""
        return round(self.domain_adaptive * self.steps)


class RunSettings(Settings):
    """What a run starts from."""

    corpus: str = option(
        "", "Corpus", "Corpus to train on: the name of a prepared corpus, or its folder.",
        basic=True,
    )  # fmt: skip
    tokenizer: str = option(
        "",
        "Tokenizer",
        "Name or folder of the tokenizer; by default one is trained on the corpus.",
        basic=True,
    )
    start_from: str = option(
        "",
        "Start from",
        "Run to start from: its best weights, its model settings and its tokenizer are used.",
        basic=True,
    )
