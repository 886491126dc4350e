"""The trained model that wrote last: it stays loaded in its process for the next summary."""

from pathlib import Path
from typing import TYPE_CHECKING

from core.decoding.engine import EngineChoice
from core.distribution.parts import part_of
from core.errors import needs_training

if TYPE_CHECKING:
    from core.summarisers.trained import TrainedSummariser

Identity = tuple[tuple[str, int, int], ...]
_PARTS = (
    "job.toml", "best.json", "model.json", "tokenizer/*", "checkpoints/*/*",
    "config.json", "*.safetensors", "tokenizer.json",
)  # fmt: skip


class WarmModel:
    """Keeps one model: of a run's folder, as its files are."""

    def __init__(self) -> None:
        self._of: tuple[Path, Identity, EngineChoice, bool] | None = None
        self._summariser: TrainedSummariser | None = None

    def open(self, run: Path, engine: EngineChoice = "auto") -> "TrainedSummariser":
        """The model of a run; loaded only if it is not the one that is kept.

        Args:
            run: The run's folder.
            engine: As `core.writing.engines.open_with` takes it.

        Returns:
            The model.

        Raises:
            EpitomeError: If there is no such run, or nothing to run it with.
        """
        with needs_training("Trained models write"):
            from core.summarisers.trained import TrainedSummariser

        wanted = (run.resolve(), identity_of(run), engine, part_of("fast").is_installed)
        if self._summariser is None or wanted != self._of:
            self._of = self._summariser = None  # or both would be in memory at once
            self._summariser = TrainedSummariser.of_run(run, engine)
            self._of = wanted
        return self._summariser


def identity_of(run: Path) -> Identity:
    """Names, sizes and times of a run's files by which a changed model is known."""
    found = []
    for path in sorted(path for part in _PARTS for path in run.glob(part)):
        try:
            status = path.stat()
        except FileNotFoundError:
            continue  # an old checkpoint that was just deleted
        found.append((path.relative_to(run).as_posix(), status.st_size, status.st_mtime_ns))
    return tuple(found)


WARM = WarmModel()
"""That of this process."""
