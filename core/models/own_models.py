"""Recognises an imported model that was trained on this computer, by the digest of its weights."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from core.errors import EpitomeError
from core.models.model_file import WEIGHTS
from core.runs.folder import RunFolder
from core.runs.model_card import read_model_card
from core.storage.files import entries_of
from core.storage.parsing import parse_json
from core.storage.regular_files import read_regular


def is_own_model(model: Path, places: Sequence[Path]) -> bool:
    """True if a run that was trained here has the same weights as an imported model.

    Args:
        model: The folder of the imported model.
        places: The folders of all runs, and of those in the trash.

    Returns:
        True if there is such a run.
    """
    wanted = set(_digests(model))
    runs = (run for place in places for run in _entries(place) if run != model)
    return bool(wanted) and any(_is_own(run) and wanted & set(_digests(run)) for run in runs)


def _entries(place: Path) -> list[Path]:
    with suppress(EpitomeError):  # a folder that cannot be read keeps no model from being imported
        return entries_of(place)
    return []


def _is_own(run: Path) -> bool:
    card = read_model_card(RunFolder(run))
    return card.own or not (card.imported or card.is_damaged)


def _digests(run: Path) -> Iterator[str]:
    """The digests of the weights in all checkpoints of a run."""
    for file in RunFolder(run).checkpoints.glob("step-*/state.json"):
        with suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
            yield str(parse_json(read_regular(file))["files"][WEIGHTS]["blake2b"])
