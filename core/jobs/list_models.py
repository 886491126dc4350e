"""Lists the person's models: the training runs that can write a summary."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.events import Event, Finished
from core.parts import part_of
from core.runs.about import title_of
from core.runs.folder import RunFolder
from core.stop import StopToken


@dataclass(frozen=True)
class ListModelsJob:
    """Looks which runs have a checkpoint; loads none of them, nor what would be needed for that.

    Args:
        runs: The folder of all runs.
    """

    runs: Path

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with titles by name, the model trained last first.

        A run that is still going on is one of them, as it was at its last checkpoint. Where the
        training part is not installed no model can write, and there are none.
        """
        names = _names(self.runs) if part_of("training").is_installed else ()
        yield Finished({name: title_of(RunFolder(self.runs / name)) for name in names})


def _names(runs: Path) -> tuple[str, ...]:
    if not runs.is_dir():
        return ()
    trained = {path.name: trained_ns(RunFolder(path)) for path in runs.iterdir()}
    names = [name for name, when in sorted(trained.items()) if when]
    return tuple(sorted(names, key=lambda name: -trained[name]))


def trained_ns(run: RunFolder) -> int:
    """When its newest checkpoint was made; 0 if it has none, or cannot be read."""
    with suppress(OSError):
        if run.exists:
            # Written last: a folder without this file is no checkpoint.
            states = run.checkpoints.glob("step-*/state.json")
            return max((state.stat().st_mtime_ns for state in states), default=0)
    return 0
