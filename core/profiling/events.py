"""What a measurement finds, and tells while it runs."""

import statistics
from dataclasses import dataclass

from core.events import Event
from core.numbers import THIN_SPACE, format_count, format_size
from core.profiling.sweep import Point, shown


@dataclass(frozen=True)
class StepMeasured:
    """One training step as it was measured in a fresh process. Medians are over its timed steps.

    Args:
        device: What computed.
        threads: Processor threads.
        num_parameters: Weights of the model, tied ones once.
        num_tokens: Tokens of a step: rows times length.
        first_step_s: Time of the very first step, which also loads and allocates, in seconds.
        step_s: Median time of a step, in seconds.
        step_times_s: Each timed step, in seconds.
        baseline_bytes: Memory of the process after its imports, before the model.
        peak_bytes: Most memory of the process above the baseline, model and optimiser included.
        code_bytes: The part of it that is libraries' code, first used in these steps; None where
            the system does not tell.
        state_bytes: Weights, gradients and the optimiser's states.
        memory_by: How the peak was found: "high-water mark" of the system, exact, or "samples",
            which can miss a short one.
        allocated_bytes: Most memory the device's allocator handed out; None on the processor.
        reserved_bytes: Most memory it took from the device; None on the processor.
        matmul_flops: Floating-point operations of a step's matrix products as executed:
            recomputation and masked blocks included.
        matmul_rate: Operations a second of one large matrix product, measured beside it.
        load_1min: Programs that wanted a processor core in the minute before, on average.
        num_cores: Cores there are.
        driver_bytes: Memory in use on the device after the steps, as its driver sees it: of all
            programs; None on the processor.
    """

    device: str
    threads: int
    num_parameters: int
    num_tokens: int
    first_step_s: float
    step_s: float
    step_times_s: tuple[float, ...]
    baseline_bytes: int
    peak_bytes: int
    code_bytes: int | None
    state_bytes: int
    memory_by: str
    allocated_bytes: int | None
    reserved_bytes: int | None
    matmul_flops: int
    matmul_rate: float
    load_1min: float
    num_cores: int
    driver_bytes: int | None = None

    @property
    def total_bytes(self) -> int:
        """The most memory of a process that makes the step; of a GPU what it reserved."""
        if self.reserved_bytes is not None:
            return self.reserved_bytes
        return self.baseline_bytes + self.peak_bytes

    @property
    def tokens_per_s(self) -> float:
        """Tokens learnt from in a second."""
        return self.num_tokens / self.step_s

    @property
    def working_bytes(self) -> int:
        """The peak without weights, gradients and optimiser states."""
        peak = self.peak_bytes if self.allocated_bytes is None else self.allocated_bytes
        return peak - self.state_bytes

    @property
    def fraction_of_rate(self) -> float:
        """The speed of the step's matrix products as a share of the machine's measured rate."""
        return self.matmul_flops / self.step_s / self.matmul_rate

    @property
    def was_disturbed(self) -> bool:
        """Whether other programs used the cores, so that times are too long."""
        return self.load_1min > self.num_cores + 0.5


@dataclass(frozen=True)
class PointMeasured(Event):
    """A point of a sweep was measured, or failed.

    Args:
        point: What was measured.
        found: The measurement; None where it failed.
        failure: Why it failed, one sentence; empty where it did not.
        remedy: What to do about that, one sentence.
    """

    point: Point
    found: StepMeasured | None
    failure: str = ""
    remedy: str = ""


@dataclass(frozen=True)
class LossesCompared(Event):
    """The same weights with hashing and with full attention.

    Args:
        point: The model and the length, with hashing.
        loss: Mean cross-entropy in nats; None where it could not be found.
        full_loss: The same with full attention in every layer.
        failure: Why it could not be found, one sentence; empty where it could.
    """

    point: Point
    loss: float | None
    full_loss: float | None
    failure: str = ""

    def told(self) -> str:
        """One sentence."""
        varied = {**self.point.varied, "length": self.point.length, "attention": None}
        where = ", ".join(f"{name} {shown(v)}" for name, v in varied.items() if v is not None)
        if self.loss is None or self.full_loss is None:
            return f"Loss at {where}: not measured. {self.failure}"
        return (
            f"Loss of the same weights at {where}: {self.loss:.5f} with hashing, "
            f"{self.full_loss:.5f} with full attention."
        )


@dataclass(frozen=True)
class TailEffect(Event):
    """The effect of a change at the end of a text on a model's earlier predictions.

    Args:
        kind: The attention of every layer.
        num_prefix: Number of positions before the change.
        moved: How many of them have a logit that changed by more than `threshold`.
        furthest: The largest change of their logits.
        spread: Standard deviation of their logits, for comparison.
        threshold: The smallest change that counts.
    """

    kind: str
    num_prefix: int
    moved: int
    furthest: float
    spread: float
    threshold: float

    def told(self) -> str:
        """One line."""
        of_all = f"{format_count(self.moved)} of {format_count(self.num_prefix)}"
        far = f", by up to {self.furthest:.2g}" if self.furthest else ""
        changed = f"{of_all} earlier positions changed{far}"
        return f"{self.kind:<11}  {changed} (standard deviation of the logits {self.spread:.2g})"


@dataclass(frozen=True)
class GaugedLoss(Event):
    """The loss of a trained model on held-out documents, and what it took.

    Args:
        name: "as trained" or "full attention".
        loss: Mean cross-entropy in nats.
        rouge: F1 by type of the summaries; empty if none was written.
        seconds: How long all of it took.
        peak_bytes: The most memory it took above that of the model.
    """

    name: str
    loss: float
    rouge: dict[str, float]
    seconds: float
    peak_bytes: int

    def told(self) -> str:
        """One line."""
        rouge = "".join(f", ROUGE-{name} {100 * f1:.1f}" for name, f1 in self.rouge.items())
        took = f"{self.seconds:.2f}{THIN_SPACE}s, {format_size(self.peak_bytes)}"
        return f"{self.name:<14}  loss {self.loss:.5f}{rouge}, {took}"


@dataclass(frozen=True)
class RotationsGauged(Event):
    """The same documents, hashed with other random rotations.

    Args:
        losses: Mean cross-entropy in nats of each; the first is that of the model's own.
        rouge: ROUGE-1 F1 of the summaries of each; empty if none was written.
    """

    losses: tuple[float, ...]
    rouge: tuple[float, ...] = ()

    def told(self) -> str:
        """One line."""
        own, spread = self.losses[0], statistics.stdev(self.losses)
        low, high = min(self.losses), max(self.losses)
        told = (
            f"{len(self.losses)} rotations: loss {own:.5f} with the model's own, "
            f"{low:.5f} to {high:.5f}, standard deviation {spread:.5f}"
        )
        if self.rouge:
            least, most = 100 * min(self.rouge), 100 * max(self.rouge)
            told += f"; ROUGE-1 {least:.1f} to {most:.1f}"
        return told
