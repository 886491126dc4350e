"""Lists the person's models: the training runs that can write a summary."""

from contextlib import suppress
from pathlib import Path

from core.distribution.parts import part_of
from core.runs.about import title_of
from core.runs.folder import RunFolder


def list_models(runs: Path) -> dict[str, str]:
    """Lists the runs that have a checkpoint, without loading one, nor what loading needs.

    Args:
        runs: The folder of all runs.

    Returns:
        Titles by name, the model trained last first; none where the training part is not installed.
        A run that is still going on is one of them, as it was at its last checkpoint.
    """
    names = _names(runs) if part_of("training").is_installed else ()
    return {name: title_of(RunFolder(runs / name)) for name in names}


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
