"""The state of a run beside its weights: enough to resume it exactly."""

from dataclasses import asdict, dataclass, fields
from typing import Any, Self

from core.errors import EpitomeError

# Not in the checkpoints of older programs:
_ADDED = frozenset(("usual_loss", "lowest_loss", "lowest_usual", "ruined"))


@dataclass
class RunState:
    """How far a run is, and what it has seen.

    Everything else that a step needs follows from the settings and the number of the step: rows,
    padding, random numbers, learning rate.

    Args:
        data: Fingerprint of the training data.
        step: Number of steps, including skipped ones.
        last_event: The number of the last event that counts.
        validated: The step of the last validation.
        best: The best validation's loss, or its ROUGE-1 with a minus; None before the first.
        worse: Validations since the best one.
        skipped: Number of consecutive skipped steps.
        usual_norm: Running mean of the gradient norm; None before the first step.
        usual_loss: Running mean of the training loss in nats; None before the first step.
        lowest_loss: The lowest validation loss in nats; None before the first validation.
        lowest_usual: The lowest running mean of the training loss; None before the first step.
        ruined: Number of consecutive validations that showed ruined weights.
    """

    data: str
    step: int = 0
    last_event: int = 0
    validated: int = 0
    best: float | None = None
    worse: int = 0
    skipped: int = 0
    usual_norm: float | None = None
    usual_loss: float | None = None
    lowest_loss: float | None = None
    lowest_usual: float | None = None
    ruined: int = 0

    def values(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)

    @classmethod
    def of(cls, values: dict[str, Any]) -> Self:
        """From plain values.

        Args:
            values: What `values` gave; none missing but those that older programs did not know,
                none left over.

        Returns:
            The state.

        Raises:
            EpitomeError: If something is missing, left over, or of another type.
        """
        known = {field.name for field in fields(cls)}
        odd = sorted((values.keys() ^ known) - (_ADDED - values.keys()))
        odd += [name for name in sorted(known & values.keys()) if not _fits(name, values[name])]
        if odd:
            raise EpitomeError(
                f"The state of the checkpoint does not fit this program (“{odd[0]}”).",
                "Use another checkpoint, or the version of the program that wrote it.",
            )
        return cls(**values)


def _fits(name: str, value: Any) -> bool:
    if name in ("best", "usual_norm", "usual_loss", "lowest_loss", "lowest_usual"):
        return value is None or isinstance(value, float)
    if name == "data":
        return isinstance(value, str)
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
