"""Scores as a person reads them, as CSV, and as plain values for JSON."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from core.evaluation.groups import GroupScores
from core.evaluation.scores import PERCENT, REFERENCE_WORDS, Measure, Scores
from core.evaluation.table import Against, Score
from core.export.csv_file import csv_text
from core.numbers import format_count, format_interval
from core.runs.evaluations import is_clear

Cells = Sequence[str]


def score_lines(table: Sequence[Score]) -> Iterator[str]:
    """The scores of one system, a line for each measure, below the heads of the columns."""
    rows = [(_label(score.measure), f"{score.value:.2f}", _ends(score)) for score in table]
    heads = ("measure", "value", "95 % interval")
    columns = len(heads) if any(score.low is not None for score in table) else 2
    yield from _aligned([row[:columns] for row in (heads, *rows)])


def comparison_lines(names: Cells, tables: Sequence[Sequence[Score]]) -> Iterator[str]:
    """The scores of several systems: a line for each measure, a column for each system."""
    rows = [
        (_label(scores[0].measure), *map(_with_half, scores))
        for scores in zip(*tables, strict=True)
        if _is_shown(scores[0].measure)
    ]
    yield from _aligned([("measure", *names), *rows])


def difference_lines(found: Iterable[Against], num_documents: int) -> Iterator[str]:
    """How one system stands against the first; a star where that is more than chance."""
    rows = [
        (
            _label(one.measure),
            f"{one.difference.value:+.2f}{'*' if is_clear(one.difference, num_documents) else ' '}",
            format_interval(one.difference.low, one.difference.high, "+.2f"),
            f"{one.difference.share_above:.0%}",
        )
        for one in found
        if _is_shown(one.measure) and one.measure.name != REFERENCE_WORDS
    ]
    yield from _aligned([("measure", "difference ", "95 % interval", "draws above"), *rows])


def group_lines(groups: Sequence[GroupScores]) -> Iterator[str]:
    """The scores of groups: a table for each grouping, a line for each group and system."""
    has_systems = len({each.system for each in groups}) > 1
    for by in dict.fromkeys(each.by for each in groups):
        mine = [each for each in groups if each.by == by]
        names = [score.measure for score in mine[0].scores if _is_of_groups(score.measure)]
        heads = ["system"] if has_systems else []
        rows = [(f"by {by}", *heads, "documents", *map(_label, names))]
        for each in mine:
            values = [_with_half(score) for score in each.scores if score.measure in names]
            system = [Path(each.system).name] if has_systems else []
            rows.append((each.group, *system, format_count(each.documents), *values))
        yield from ("", *_aligned(rows))


def groups_csv(groups: Iterable[GroupScores]) -> bytes:
    """A row for each grouping, group, system and measure."""
    rows = (
        [each.by, each.group, each.system, each.documents, score.measure.name, score.measure.unit,
         score.value, score.low, score.high]
        for each in groups
        for score in each.scores
    )  # fmt: skip
    heads = ["by", "group", "system", "documents", "measure", "unit", "value", "low", "high"]
    return _csv([heads, *rows])


def plain_group(group: GroupScores) -> dict[str, Any]:
    """The scores of a group as plain values."""
    return {
        "by": group.by,
        "group": group.group,
        "system": group.system,
        "documents": group.documents,
        "scores": [plain_score(score) for score in group.scores],
    }


def documents_csv(systems: Sequence[Scores], ids: Sequence[str]) -> bytes:
    """A row for each system and document, a column for each measure."""
    heads = ["system", "document", *(measure.name for measure in systems[0].measures)]
    rows = (
        [scores.system, name, *values]
        for scores in systems
        for name, values in zip(ids, scores.values.tolist(), strict=True)
    )
    return _csv([heads, *rows])


def table_csv(names: Cells, tables: Sequence[Sequence[Score]]) -> bytes:
    """A row for each system and measure, with its interval where there is one."""
    rows = (
        [name, score.measure.name, score.measure.unit, score.value, score.low, score.high]
        for name, table in zip(names, tables, strict=True)
        for score in table
    )
    return _csv([["system", "measure", "unit", "value", "low", "high"], *rows])


def plain_score(score: Score) -> dict[str, Any]:
    """A score as plain values."""
    return {
        "measure": score.measure.name,
        "unit": score.measure.unit,
        "value": score.value,
        "low": score.low,
        "high": score.high,
    }


def plain_against(one: Against) -> dict[str, Any]:
    """A difference as plain values."""
    extremes = {"most_won": one.most_won, "most_lost": one.most_lost}
    return {
        "measure": one.measure.name,
        "unit": one.measure.unit,
        "difference": one.difference.value,
        "low": one.difference.low,
        "high": one.difference.high,
        "share_above": one.difference.share_above,
    } | {
        name: extreme and {"document": extreme.document, "by": extreme.by}
        for name, extreme in extremes.items()
    }


def _label(measure: Measure) -> str:
    return f"{measure.name}, %" if measure.unit == PERCENT else measure.name


def _is_shown(measure: Measure) -> bool:
    """Whether a measure stands in tables that have no room for all; JSON and CSV hold the rest."""
    is_part = measure.name.endswith((" precision", " recall"))
    return not (is_part and measure.name.startswith("rouge"))


def _is_of_groups(measure: Measure) -> bool:
    """Whether a measure stands in tables of groups, which are narrow."""
    return measure.name.endswith(" f1") or measure.name.startswith(("content ", "bleu-4"))


def _ends(score: Score) -> str:
    return format_interval(score.low, score.high, ".2f")


def _with_half(score: Score) -> str:
    if score.low is None or score.high is None:
        return f"{score.value:.2f}"
    return f"{score.value:.2f} ±{(score.high - score.low) / 2:.2f}"


def _aligned(rows: Sequence[Cells]) -> Iterator[str]:
    """Rows with their columns under each other: the first at the left, the others at the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = [
            first.ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)),
        ]
        yield "  ".join(cells).rstrip()


def _csv(rows: Iterable[Sequence[object]]) -> bytes:
    return csv_text(rows).encode("utf-8", "replace")
