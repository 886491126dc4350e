"""The list of all keys, read from the one table of them."""

from collections.abc import Sequence
from itertools import groupby

from PySide6.QtWidgets import QWidget

from gui.panels.settings.rows import Row
from gui.panels.settings.state import matches
from gui.shortcuts import Shortcut, places
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.tooltip import KeyCap
from gui.widgets.support import layouts

_ROW_PX = 36


class ShortcutRow(Row):
    """What it does, and the caps of its keys."""

    def __init__(self, theme: Theme, shortcut: Shortcut) -> None:
        super().__init__(theme, shortcut.title, height=_ROW_PX)
        self.shortcut = shortcut
        self.setAccessibleName(f"{shortcut.title}: {', '.join(shortcut.shown)}")
        caps = [KeyCap(theme, keys) for keys in shortcut.shown]
        for cap in caps:
            cap.setFixedSize(cap.sizeHint())
        self.add(*caps)

    def matches(self, wanted: str) -> bool:
        """Whether its words, its keys or its place hold what is looked for."""
        return matches(
            wanted, self.shortcut.title, places()[self.shortcut.where], *self.shortcut.shown
        )


class Place(QWidget):
    """The head of the keys that act in one place."""

    def __init__(self, theme: Theme, shortcuts: list[Shortcut]) -> None:
        super().__init__()
        self._shortcuts = shortcuts
        layouts.column(
            Label(theme, places()[shortcuts[0].where], "smallb", "text3"),
            into=self,
            margins=(0, 8, 0, 6),
        )

    def matches(self, wanted: str) -> bool:
        """Whether one of its keys is looked for."""
        return any(
            matches(wanted, each.title, places()[each.where], *each.shown)
            for each in self._shortcuts
        )


def shortcut_rows(theme: Theme, keys: Sequence[Shortcut]) -> list[QWidget]:
    """Heads and rows, in the order of the places."""
    rows: list[QWidget] = []
    for _, group in groupby(keys, key=lambda each: each.where):
        here = list(group)
        rows += [Place(theme, here), *(ShortcutRow(theme, each) for each in here)]
    return rows
