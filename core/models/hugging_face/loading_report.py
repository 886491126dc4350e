"""Refuses weights that the library would complete, or leave out, without a word."""

import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from core.display_names import shown
from core.errors import UNUSABLE_TEXT, EpitomeError
from core.numbers import format_quantity

_NAMED = 3  # tensors in a message
_LONGEST_NAME = 120
_NUMBER = re.compile(r"\d+")
REMEDY = "Copy all files of the model into the folder again, from where it comes from."


def check_whole(folder: Path, model: Any, report: dict[str, Any]) -> None:
    """Refuses a model of which tensors are missing, ruined, of other shapes, or of more layers.

    The library draws at random what is missing. Tied tensors are stored once, and sinusoidal
    positions are often not stored: neither is missing. Tensors of other heads are left out.

    Args:
        folder: The model's.
        model: What the library made of it.
        report: What the library says of its loading.

    Raises:
        EpitomeError: If there are any; it names them.
    """
    if missing := [name for name in report["missing_keys"] if not _is_computed(model, name)]:
        raise EpitomeError(
            f"The weights in {folder} are not whole: {named_tensors(missing)} missing.", REMEDY
        )
    if odd := sorted(report["mismatched_keys"]):
        name, found, wanted = odd[0]
        more = f"; {format_quantity(len(odd) - 1, 'more tensor')} differ" if odd[1:] else ""
        raise EpitomeError(
            f"The weights in {folder} are not those that config.json describes: "
            f"{quote(name)} is {list(found)} there and {list(wanted)} in the model{more}.",
            REMEDY,
        )
    weights = model.state_dict().items()  # with buffers, such as the bias of the logits
    if ruined := [name for name, weight in weights if not _is_finite(weight)]:
        raise EpitomeError(
            f"The weights in {folder} are ruined: {named_tensors(ruined)} not finite.",
            "Get the model again, or use the built-in summariser or another model.",
            kind=UNUSABLE_TEXT,
        )
    if extra := _of_more_layers(report["unexpected_keys"], model.state_dict()):
        raise EpitomeError(
            f"The weights in {folder} are of a model with more layers than config.json describes: "
            f"{named_tensors(extra)} left over.",
            REMEDY,
        )


def named_tensors(names: Collection[str]) -> str:
    """Names some of several tensors, with the verb: "“a”, “b”, “c” and 7 more tensors are"."""
    some = [quote(name) for name in sorted(names)[:_NAMED]]
    if more := len(names) - len(some):
        return f"{', '.join(some)} and {format_quantity(more, 'more tensor')} are"
    return f"{' and '.join(some)} {'are' if some[1:] else 'is'}"


def quote(name: str) -> str:
    """Quotes the name of a tensor, shortened where it is very long."""
    return f"“{shown(name[:_LONGEST_NAME])}”"


def _is_finite(weight: Any) -> bool:
    return not weight.is_floating_point() or bool(weight.isfinite().all())


def _is_computed(model: Any, name: str) -> bool:
    """True if a missing tensor follows from its shape alone, as sinusoidal positions do."""
    return "Sinusoidal" in type(model.get_submodule(name.rpartition(".")[0])).__name__


def _of_more_layers(names: Iterable[str], known: Iterable[str]) -> list[str]:
    """The names that differ from known ones in their numbers alone."""
    kinds = {_NUMBER.sub("#", name) for name in known}
    return [name for name in names if _NUMBER.sub("#", name) in kinds]
