"""The first rows of a table fill the room there is."""

from itertools import pairwise

from pytestqt.qtbot import QtBot

from gui.theme.theme import Theme
from gui.widgets.tables.preview_table import PreviewTable, Role

ROLE = Role("document", "documents", "Read as documents", "Guess by name", "is read as documents")


def shown(qtbot: QtBot, theme: Theme, number: int) -> PreviewTable:
    names = [f"column {at}" for at in range(number)]
    table = PreviewTable(theme, "letters.csv", names, [names] * 3, [ROLE], {"document": ""})
    qtbot.addWidget(table)
    table.resize(760, 200)
    table.show()
    return table


def ends(table: PreviewTable) -> list[int]:
    """Where each column begins, then where the last one ends, from the left edge."""
    columns = [head.parentWidget() for head in table.heads.values()]
    return [
        *(column.mapTo(table, column.rect().topLeft()).x() for column in columns),
        columns[-1].mapTo(table, columns[-1].rect().topRight()).x() + 1,
    ]


def test_few_columns_share_the_whole_width(qtbot: QtBot, theme: Theme) -> None:
    table = shown(qtbot, theme, 3)
    places = ends(table)
    assert places[0] == 0 and places[-1] == table.width()
    widths = [right - left for left, right in pairwise(places)]
    assert max(widths) - min(widths) <= 1


def test_many_columns_stay_readable_and_are_scrolled_to(qtbot: QtBot, theme: Theme) -> None:
    places = ends(shown(qtbot, theme, 8))
    assert places[-1] - places[0] == 8 * 208
