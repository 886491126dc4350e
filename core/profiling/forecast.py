"""What a training job will need, from its settings alone: nothing is built and torch not loaded.

Weights, gradients and optimiser states are counted exactly; the rest follows from `work`.
"""

from dataclasses import dataclass

from core.decoding.settings import DecodingSettings
from core.models.families import get_family
from core.models.layer_stack import MIB
from core.models.settings import ModelSettings, SequenceSettings
from core.profiling.work import step_work
from core.system.machine import bf16_units
from core.training.checkpoint_size import checkpoints_bytes, optimizer_bytes
from core.training.settings import TrainSettings

PROGRAM_MIB = 270
"""What torch and this program take before the model; not on a GPU, which is counted alone."""

RUN_MIB = 40
"""What a run keeps beside its largest step, on a processor: its corpus and tokenizer, and the holes
that rows of other lengths leave in the heap. Measured over 12 to 40 steps of five models."""

MEMORY_SPREAD, TIME_SPREAD = 0.15, 0.35
"""How far forecasts may be from measurements, as `tests/benchmarks/estimate.py` finds them."""

USUAL_RATE = 60e9
"""Operations a second of one processor core in large matrix products, where none were measured."""
_GPU_RATE = 2e13
HALF_GAIN = 1.6
"""How much faster 16 bits are multiplied than 32, by units for them."""
_WITHOUT_UNITS = 1 / 16  # measured with AVX2; with AVX-512 alone it may be less bad
_EFFICIENCY = 0.72  # of the rate of large matrix products


@dataclass(frozen=True)
class Forecast:
    """What a step and a run will need.

    Args:
        parameters: Weights, tied ones once.
        weights: Memory of the weights in bytes; so are the other parts.
        gradients: A gradient for each weight that is trained.
        optimizer: What the optimiser keeps.
        activations: What is kept for the backward pass, and what a layer holds while it works.
        attention: What attention holds.
        workspace: The loss, libraries' code, and the program itself.
        longest_step_s: Time of the largest step, in seconds.
        step_s: Time of a step with rows of the usual length.
        validation_s: Time of all validations.
        run_s: Time of the run, with them.
        tokens_per_step: Tokens of a usual step.
        disk_bytes: What the run's checkpoints take at most.
        growth: What a run keeps beside its largest step, in bytes.
    """

    parameters: int
    weights: int
    gradients: int
    optimizer: int
    activations: int
    attention: int
    workspace: int
    longest_step_s: float
    step_s: float
    validation_s: float
    run_s: float
    tokens_per_step: float
    disk_bytes: int
    growth: int = 0

    @property
    def peak_bytes(self) -> int:
        """The most memory of a process that makes the largest step."""
        return (
            self.weights
            + self.gradients
            + self.optimizer
            + self.activations
            + self.attention
            + self.workspace
        )

    @property
    def run_peak_bytes(self) -> int:
        """The most memory of a run's process."""
        return self.peak_bytes + self.growth


def forecast(
    model: ModelSettings,
    train: TrainSettings,
    decoding: DecodingSettings,
    *,
    mean_tokens: float | None = None,
    cores: int = 2,
    on_gpu: bool = False,
    rate: float | None = None,
    row_loss_tokens: int | None = None,
    units: bool | None = None,
) -> Forecast:
    """What a job will need.

    Args:
        model: The model.
        train: How it is trained.
        decoding: How it writes when it is validated.
        mean_tokens: Tokens of a row on average; None for as many as the model takes.
        cores: Processor cores that the job may use.
        on_gpu: Whether it runs on a GPU.
        rate: Operations a second of one core in large matrix products; None for the usual.
        row_loss_tokens: Tokens of a row that carry loss; None for as many as `loss_tokens` says.
        units: Whether the processor has units for bf16; None asks this machine.

    Returns:
        The forecast.
    """
    family = get_family(model)
    parameters, trained = family.num_parameters(model), family.num_trained(model)
    work = step_work(model, train, row_loss_tokens or loss_tokens(model, train, decoding))
    longest = model.row_length
    share = min((mean_tokens or longest) / longest, 1.0)
    threads = train.threads or max(cores - 1, 1)
    usual = _GPU_RATE if on_gpu else (rate or USUAL_RATE) * threads
    gain = HALF_GAIN if on_gpu else bf16_gain(bf16_units() if units is None else units)
    speed = _EFFICIENCY * usual * (gain if train.precision != "fp32" else 1.0)
    longest_s = work.flops / speed
    step_s = share * longest_s
    states = optimizer_bytes(train, trained)
    validation_s = _validation_s(model, train, decoding, step_s)
    program = 0 if on_gpu else PROGRAM_MIB * MIB
    return Forecast(
        parameters,
        4 * parameters,
        4 * trained,
        states,
        round(work.activations),
        round(work.attention),
        round(work.workspace) + program,
        longest_s,
        step_s,
        validation_s,
        train.steps * step_s + validation_s,
        train.batch * (mean_tokens or longest),
        checkpoints_bytes(train, 4 * parameters, trained),
        0 if on_gpu else RUN_MIB * MIB,
    )


def bf16_gain(units: bool | None) -> float:
    """How many times as fast as in fp32 a processor multiplies in bf16.

    Args:
        units: Whether it has units for it; None where nobody knows, and nothing is promised.

    Returns:
        The factor; below 1 where it is slower.
    """
    if units is None:
        return 1.0
    return HALF_GAIN if units else _WITHOUT_UNITS


def loss_tokens(
    model: ModelSettings, train: TrainSettings, decoding: DecodingSettings
) -> int | None:
    """How many tokens of a row carry loss, as *Try one step* has it; None for all it writes."""
    learns_all = train.objective == "language-model" or train.adaptive_steps
    if not isinstance(model, SequenceSettings) or learns_all:
        return None
    return max(1, min(model.length // 2, 2 * decoding.max_length))


def _validation_s(
    model: ModelSettings, train: TrainSettings, decoding: DecodingSettings, step_s: float
) -> float:
    """Losses cost a third of a step, and each token that is written about as much as reading it."""
    times = -(-train.steps // train.validate_every)
    row_s = step_s / train.batch / 3
    written = train.rouge_rows * decoding.max_length * decoding.beams * row_s * 0.02
    return times * (train.validate_rows * row_s + written)


_FIXED = ("weights", "gradients", "optimizer")
_SCALED = ("activations", "attention", "workspace")


def part_bytes(told: Forecast, peak_bytes: float | None = None) -> dict[str, float]:
    """The parts of a forecast, in the order of a bar.

    Args:
        told: The forecast.
        peak_bytes: The peak that was measured; None where none was.

    Returns:
        By name of the part, bytes. They add up to what was measured: weights, gradients and
        optimiser states are known, and the others keep their ratios.
    """
    parts = {name: float(getattr(told, name)) for name in (*_FIXED, *_SCALED)}
    if peak_bytes is None:
        return parts
    fixed = sum(parts[name] for name in _FIXED)
    factor = max(peak_bytes - fixed, 0.0) / max(told.peak_bytes - fixed, 1)
    return parts | {name: factor * parts[name] for name in _SCALED}
