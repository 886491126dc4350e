"""The table of systems: what each scores over all documents, with its interval."""

from collections.abc import Iterator

from core.numbers import format_interval, format_quantity
from core.runs.comparisons import ComparedSystem, Comparison
from core.runs.evaluations import KeptScore, is_clear
from gui.panels.compare.words import (
    PERCENT,
    color_of,
    main_measure,
    measure_title,
    named,
    table_measures,
    tr,
    with_unit,
)
from gui.theme.theme import Theme
from gui.widgets.tables.table import Table
from gui.widgets.tables.table_model import Cell, Column, Interval, Record, TableModel

_NAME, _AGAINST = "system", "against"
_MOST_DRAWN = 3  # intervals that are drawn; the others are written
_DRAWN_PX, _WRITTEN_PX, _AGAINST_PX = 184, 110, 184
_WIDE_PX = {
    "unsupported sentences": 126, "novel 1-grams": 116, "content precision": 140
}  # fmt: skip
"""Columns whose titles or numbers need more."""
_NAME_PX = 150  # what the names need
_MARGIN = 0.15  # of the range of all intervals, at either end of a scale


def make_scores_table(theme: Theme) -> Table:
    """A table without systems."""
    return Table(theme, TableModel((Column(_NAME, ""),)), name=tr("Scores of all documents"))


def num_drawn(about: Comparison, room_px: int) -> int:
    """How many intervals there is room for as lines, from 0 to 3; the others are written."""
    measures = table_measures(about)
    rouges = sum(each.measure.startswith("rouge") for each in measures)
    written_px = sum(_WIDE_PX.get(each.measure, _WRITTEN_PX) for each in measures)
    spare_px = room_px - _NAME_PX - written_px
    spare_px -= _AGAINST_PX if len(about.systems) > 1 else 0
    return max(0, min(rouges, _MOST_DRAWN, spare_px // (_DRAWN_PX - _WRITTEN_PX)))


def scores_model(about: Comparison, most_drawn: int = _MOST_DRAWN) -> TableModel:
    """The rows of the table.

    Args:
        about: What was compared.
        most_drawn: How many intervals are drawn as lines.

    Returns:
        A row for each system, a column for each kind of score.
    """
    measures = table_measures(about)
    drawn = [m.measure for m in measures if m.measure.startswith("rouge")][:most_drawn]
    kept = drawn[:1] or [m.measure for m in measures][:1]
    documents = format_quantity(about.documents, tr("document"), tr("documents"))
    columns = [Column(_NAME, documents, kept=True, strong=True)]
    for score in measures:
        name = score.measure
        if name in drawn and score.low is not None:
            scale = _scale(about, name)
            column = Column(name, measure_title(name), width=_DRAWN_PX, scale=scale, decimals=1,
                            kept=name in kept)  # fmt: skip
        else:
            width = _WIDE_PX.get(name, _WRITTEN_PX)
            column = Column(name, measure_title(name), number=True, width=width,
                            kept=name in kept)  # fmt: skip
        columns.append(column)
    if len(about.systems) > 1:
        title = tr("Against {first}").format(first=named(about.systems[0].title))
        columns.append(Column(_AGAINST, title, number=True, width=_AGAINST_PX))
    records = [
        Record(
            number,
            dict(_cells(about, system, number, measures, drawn)),
            color=color_of(number),
        )
        for number, system in enumerate(about.systems)
    ]
    return TableModel(columns, records)


def _cells(
    about: Comparison,
    system: ComparedSystem,
    number: int,
    measures: tuple[KeptScore, ...],
    drawn: list[str],
) -> Iterator[tuple[str, Cell]]:
    yield _NAME, named(system.title)
    for wanted in measures:
        score = system.score(wanted.measure)
        if score is None:
            continue
        if score.measure in drawn and score.low is not None and score.high is not None:
            yield score.measure, Interval(score.value, score.low, score.high, color_of(number))
        else:
            yield score.measure, written_score(score)
    yield _AGAINST, against_words(about, system)


def written_score(score: KeptScore) -> str:
    """A score in words: "31.2 % ± 1.0"; ROUGE and BLEU are told in points: "47.4 ± 4.1"."""
    told = with_unit(score.measure, score.value, score.unit)
    if score.low is None or score.high is None:
        return told
    return f"{told} ± {(score.high - score.low) / 2:.1f}"


def against_words(about: Comparison, system: ComparedSystem) -> str:
    """How a system stands against the first in the main measure: "−2.1 (−3.4 to −0.8) *"."""
    score = system.score(main_measure(about))
    if score is None or score.ahead is None:
        return ""
    ahead = score.ahead
    star = " *" if is_clear(ahead, about.documents) else ""
    ends = format_interval(ahead.low, ahead.high, "+.1f")
    return f"{ahead.value:+.1f} ({ends}){star}".replace("-", "−")


def star_note(about: Comparison) -> str:
    """What the star of a difference means; empty where none has one."""
    starred = any(against_words(about, system).endswith("*") for system in about.systems)
    return tr("* The 95\u202f% interval of the difference excludes 0.") if starred else ""


def _scale(about: Comparison, measure: str) -> tuple[float, ...]:
    """The ends of a column's scale: whole numbers around all intervals."""
    scores = [score for system in about.systems if (score := system.score(measure))]
    low = min(score.value if score.low is None else score.low for score in scores)
    high = max(score.value if score.high is None else score.high for score in scores)
    room = _MARGIN * max(high - low, 2.0)
    least = 0.0 if scores[0].unit == PERCENT else min(low, 0.0)
    return (float(int(max(low - room, least))), float(int(high + room) + 1))
