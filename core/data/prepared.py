"""What the preparation of a corpus gives, as it ends or as it is found on the disk later."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.data.corpus import STATISTICS, read_card
from core.data.settings import Make
from core.errors import EpitomeError
from core.storage.parsing import parse_json
from core.storage.regular_files import read_regular

PLAN = "plan.json"
"""In a folder that is not a corpus yet: what its shards depend on."""


@dataclass(frozen=True)
class PreparedCorpus:
    """A prepared corpus, or its statistics.

    Args:
        folder: The corpus; None if only its statistics were requested.
        make: The kind of its rows.
        sources: One sentence per source on what was read.
        statistics: The result of `core.data.statistics.statistics`.
        fingerprint: Equal for the same rows in the same splits.
    """

    folder: Path | None
    make: Make
    sources: tuple[str, ...]
    statistics: dict[str, Any]
    fingerprint: str


def corpus_made_by(job: str, folder: Path) -> PreparedCorpus | None:
    """The corpus in a folder, if a job has made it, and its process could not say so any more.

    Args:
        job: The name that the job gave to `core.data.preparing.prepare`.
        folder: Where the corpus was to be.

    Returns:
        The corpus; None where there is none, or somebody else has made it.
    """
    with suppress(EpitomeError, OSError, ValueError, KeyError, TypeError):
        made = read_card(folder)["made"]
        if job and made.get("job") == job:
            numbers = parse_json(read_regular(folder / STATISTICS))
            # Left by a process that was killed just after it had named the folder.
            (folder / PLAN).unlink(missing_ok=True)
            sources = tuple(made["sources"])
            return PreparedCorpus(folder, made["make"], sources, numbers, made["fingerprint"])
    return None
