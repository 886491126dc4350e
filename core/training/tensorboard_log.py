"""Logs for TensorBoard."""

from pathlib import Path

from core.errors import of_system
from core.events import Event
from core.training.events import StepDone, ValidationDone


class TensorBoardLog:
    """Writes losses, rates and scores into a folder for ``tensorboard --logdir``.

    Args:
        folder: Where its files go, one for each start of the run.
        after: The step after which the run resumes; the log of later steps is discarded.

    Raises:
        EpitomeError: If the folder cannot be written.
    """

    def __init__(self, folder: Path, after: int | None = None) -> None:
        from tensorboardX import SummaryWriter  # slow to import

        try:
            purge = None if after is None else after + 1
            self._writer = SummaryWriter(str(folder), purge_step=purge)
        except OSError as error:
            remedy = "Make the run's folder writable."
            raise of_system(error, f"{folder} cannot be written", remedy) from error

    def keep(self, event: Event) -> None:
        """Writes the numbers of an event; other events are ignored."""
        if isinstance(event, StepDone):
            scalars = {
                "training/loss": event.loss,
                "training/gradient norm": event.gradient_norm,
                "training/learning rate": event.learning_rate,
                "training/tokens a second": event.tokens / event.seconds,
            }
            self._write(scalars, event.step)
        elif isinstance(event, ValidationDone):
            scores = {f"validation/ROUGE-{name}": f1 for name, f1 in event.rouge.items()}
            self._write({"validation/loss": event.loss} | scores, event.step)
            self._writer.flush()

    def close(self) -> None:
        """Flushes the log and ends the writer's thread."""
        self._writer.close()

    def _write(self, scalars: dict[str, float], step: int) -> None:
        for name, value in scalars.items():
            self._writer.add_scalar(name, value, step)
