"""Scores of groups of documents: by length of the summary, or by abstractiveness."""

from dataclasses import replace

from core.runs.comparisons import Comparison
from gui.panels.compare.scores_table import written_score
from gui.panels.compare.words import color_of, main_measure, measure_title, named, tr
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.support import layouts
from gui.widgets.tables.table import Table
from gui.widgets.tables.table_model import Cell, Column, Interval, Record, TableModel

_DRAWN_PX, _WRITTEN_PX = 260, 130
_MOST_WRITTEN = 4


class GroupsPage(Plane):
    """A table: a row for each group and system.

    Args:
        theme: The look.
        groupings: Which groups: some of "kind", "novelty" and "length".
    """

    def __init__(self, theme: Theme, groupings: tuple[str, ...]) -> None:
        super().__init__(theme, "surface")
        self._groupings = groupings
        self.table = Table(theme, TableModel((Column("group", ""),)), name=tr("Scores by group"))
        self._recipe = Label(theme, "", "small", "text2", wrap=True)
        layouts.column(
            self._recipe, (self.table, 1), into=self, margins=(24, 12, 24, 12), spacing=8
        )

    def open(self, about: Comparison | None) -> None:
        """Shows the groups of another comparison."""
        if about is None:
            return
        self.table.show_table(groups_model(about, self._groupings))
        recipes = filter(None, (about.recipes.get(f"by {by}", "") for by in self._groupings))
        told = tr("Documents are grouped {how}.")
        self._recipe.setText(" ".join(told.format(how=how) for how in recipes))

    def has_groups(self, about: Comparison) -> bool:
        """Whether a comparison has such groups."""
        return any(group.by in self._groupings for group in about.groups)


def groups_model(about: Comparison, groupings: tuple[str, ...]) -> TableModel:
    """The rows of groups.

    Args:
        about: The comparison.
        groupings: Which groups.

    Returns:
        A row for each group and system, the main measure drawn with its interval.
    """
    groups = [group for group in about.groups if group.by in groupings]
    main = main_measure(about)
    names = [s.measure for s in groups[0].scores] if groups else []
    wanted = [n for n in names if n.endswith(" f1") or n.startswith(("novel 1", "unsupported"))]
    written = [name for name in wanted if name != main][:_MOST_WRITTEN]
    highest = max((_high(group.score(main)) for group in groups), default=1.0)
    columns = [
        Column("group", tr("Group"), kept=True, strong=True),
        Column("system", tr("System"), width=180, kept=True),
        Column("documents", tr("Documents"), number=True, width=104),
        Column(main, measure_title(main), width=_DRAWN_PX, scale=(0.0, float(int(highest) + 1)),
               decimals=1, kept=True),
        *(Column(n, measure_title(n), number=True, width=_WRITTEN_PX) for n in written),
    ]  # fmt: skip
    records = []
    for at, group in enumerate(groups):
        cells: dict[str, Cell] = {
            "group": group.group,
            "system": named(about.systems[group.system].title),
            "documents": group.documents,
        }
        score = group.score(main)
        has_interval = score is not None and score.low is not None and group.documents > 1
        if has_interval and score is not None and score.low is not None and score.high is not None:
            cells[main] = Interval(score.value, score.low, score.high, color_of(group.system))
        elif score is not None:
            cells[main] = score.value
        for name in written:
            if (found := group.score(name)) is not None:
                alone = replace(found, low=None, high=None)  # one document has no interval
                cells[name] = written_score(found if group.documents > 1 else alone)
        records.append(Record(at, cells, color=color_of(group.system)))
    return TableModel(columns, records)


def _high(score: object) -> float:
    return max((getattr(score, name, None) or 0.0 for name in ("value", "high")), default=0.0)
