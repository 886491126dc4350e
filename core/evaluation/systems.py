"""What is scored, by name."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import EpitomeError


@dataclass(frozen=True)
class System:
    """What is scored.

    Args:
        name: A model, or where ready predictions lie.
        is_file: Whether it is a file of predictions.
    """

    name: str
    is_file: bool = False


def systems_of(models: Sequence[str], predictions: Sequence[str]) -> tuple[System, ...]:
    """All systems that were named, the models first.

    Args:
        models: Names of models.
        predictions: Files of ready predictions.

    Returns:
        The systems.

    Raises:
        EpitomeError: If none was named, or one twice.
    """
    found = (*map(System, models), *(System(name, is_file=True) for name in predictions))
    if not found:
        raise EpitomeError(
            "Nothing was named that is to be scored.", "Name a --model, or a file of --predictions."
        )
    names = [system.name for system in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise EpitomeError(f"“{twice}” was named twice.", "Name each system once.")
    return found
