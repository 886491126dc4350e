"""Changes to a job that save memory, each with what it saves."""

from dataclasses import dataclass
from typing import Any

from core.decoding.settings import DecodingSettings
from core.models.families import get_family
from core.models.settings import ModelSettings
from core.profiling.forecast import forecast
from core.training.settings import TrainSettings


@dataclass(frozen=True)
class Advice:
    """A change that saves memory.

    Args:
        words: What is changed: "Halve the length to 2 048 tokens".
        values: The fields to set.
        saved_bytes: What it saves at the peak.
    """

    words: str
    values: tuple[tuple[str, Any], ...]
    saved_bytes: int


def advice(
    model: ModelSettings,
    train: TrainSettings,
    decoding: DecodingSettings,
    *,
    model_is_given: bool = False,
) -> tuple[Advice, ...]:
    """Changes that save memory, the one that saves most first.

    Args:
        model: The model.
        train: How it is trained.
        decoding: How it writes.
        model_is_given: Whether its sizes cannot be changed, since it starts from another run.

    Returns:
        Those that save something.
    """
    before = forecast(model, train, decoding).peak_bytes
    found = []
    for words, values in _changes(model, train, model_is_given):
        changed = {
            name: value for name, value in values.items() if name in type(model).model_fields
        }
        rest = {name: value for name, value in values.items() if name not in changed}
        other = type(model).model_validate(model.model_dump() | changed)
        trained = TrainSettings.model_validate(train.model_dump() | rest)
        saved = before - forecast(other, trained, decoding).peak_bytes
        if saved > 0.02 * before:
            found.append(Advice(words, tuple(values.items()), saved))
    return tuple(sorted(found, key=lambda each: -each.saved_bytes))


def _changes(
    model: ModelSettings, train: TrainSettings, model_is_given: bool
) -> list[tuple[str, dict[str, Any]]]:
    """What may be changed, in words and fields."""
    found: list[tuple[str, dict[str, Any]]] = []
    per_part = -(-train.batch // train.accumulate)
    if per_part > 1:
        parts = min(2 * train.accumulate, train.batch)
        found.append((f"Compute each step in {parts} parts", {"accumulate": parts}))
        found.append(
            (f"Halve the batch to {max(train.batch // 2, 1)}", {"batch": max(train.batch // 2, 1)})
        )
    if train.optimizer != "adafactor":
        found.append(("Use Adafactor", {"optimizer": "adafactor"}))
    if not model_is_given:
        found += [
            (change.title, dict(change.values)) for change in get_family(model).savings(model)
        ]
    return found
