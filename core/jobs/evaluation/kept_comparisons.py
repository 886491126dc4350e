"""Keeps what was scored as a comparison that the window opens, and lists those there are."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import EpitomeError
from core.runs.comparisons import (
    COMPARISON_FILE,
    ComparedGroup,
    ComparedSystem,
    ComparedTexts,
    Comparison,
    DocumentNames,
    keep_comparison,
    read_about,
)
from core.runs.evaluations import KeptScore

if TYPE_CHECKING:
    from core.evaluation.pairs import Pairs
    from core.evaluation.scores import Scores
    from core.evaluation.settings import ScoreSettings
    from core.evaluation.systems import System


@dataclass(frozen=True)
class FoundComparison:
    """A comparison that is kept.

    Args:
        folder: Where it lies.
        about: What was compared; None where it is damaged.
        fault: Why it cannot be opened; empty if it can.
    """

    folder: Path
    about: Comparison | None
    fault: str = ""


def list_comparisons(folder: Path) -> tuple[FoundComparison, ...]:
    """Lists the comparisons in a folder, the newest first.

    Args:
        folder: Where they lie, a folder each.

    Returns:
        The comparisons.
    """
    found = []
    with suppress(OSError):
        for each in sorted(folder.iterdir()):
            if (each / COMPARISON_FILE).exists():
                found.append(_looked_at(each))
    newest_first = sorted(found, key=lambda each: each.about.made if each.about else "")
    return tuple(reversed(newest_first))


def keep_scored(
    folder: Path,
    systems: "Sequence[System]",
    scored: "Sequence[Scores]",
    totals: Sequence[tuple[KeptScore, ...]],
    groups: tuple[ComparedGroup, ...],
    recipes: dict[str, str],
    warnings: tuple[str, ...],
    pairs: "Pairs",
    settings: "ScoreSettings",
    split: str,
    *,
    replace: bool = False,
) -> None:
    """Keeps what was scored.

    Args:
        folder: Where.
        systems: What was scored.
        scored: [S] what each document scores, and the summaries.
        totals: [S] the scores over all documents.
        groups: The scores of groups of documents.
        recipes: How each kind of score is computed.
        warnings: What a reader of the scores should know.
        pairs: The documents and references.
        settings: How they were scored.
        split: The split of a corpus; empty for a file.
        replace: Whether a comparison that is there is replaced.

    Raises:
        EpitomeError: If it cannot be written.
    """
    import numpy as np

    titles = _titles(systems)
    about = Comparison(
        pairs=pairs.path.name,
        path=str(pairs.path),
        split=split,
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        systems=tuple(
            ComparedSystem(system.name, title, scores.description, total, system.is_file)
            for system, title, scores, total in zip(systems, titles, scored, totals, strict=True)
        ),
        measures=tuple((measure.name, measure.unit) for measure in scored[0].measures),
        has_references=pairs.has_references,
        has_documents=pairs.documents is not None,
        documents=len(pairs),
        recipes=recipes,
        warnings=warnings,
        settings=settings.model_dump(mode="json"),
        groups=groups,
    )
    values = np.stack([scores.values for scores in scored])
    keep_comparison(folder, about, _names(pairs), values, _texts(pairs, scored), replace=replace)


def _names(pairs: "Pairs") -> DocumentNames:
    from core.documents.document import count_words
    from core.documents.plain import first_line

    texts = pairs.documents or pairs.references
    titles = tuple(map(first_line, pairs.documents)) if pairs.documents else pairs.ids
    return DocumentNames(pairs.ids, titles, pairs.kinds, tuple(map(count_words, texts)))


def _texts(pairs: "Pairs", scored: "Sequence[Scores]") -> Iterator[ComparedTexts]:
    documents = pairs.documents or ("",) * len(pairs)
    outputs = zip(*(scores.predictions for scores in scored), strict=True)
    for document, reference, written in zip(documents, pairs.references, outputs, strict=True):
        yield ComparedTexts(document, reference, written)


def _titles(systems: "Sequence[System]") -> Iterator[str]:
    """Short names of systems; one that another has already gets a number."""
    from core.evaluation.pairs import told_apart

    paths = ((Path(system.name), system.is_file) for system in systems)
    return told_apart(path.stem if is_file else path.name for path, is_file in paths)


def _looked_at(folder: Path) -> FoundComparison:
    try:
        return FoundComparison(folder, read_about(folder))
    except EpitomeError as error:
        return FoundComparison(folder, None, error.message)
