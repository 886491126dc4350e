"""What stands in the panel while no comparison is open: what it is for, and those there are."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut

from core.jobs.evaluation.kept_comparisons import FoundComparison
from gui.panels.compare.words import day_of, facts_of, named, tr
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.menu import Menu
from gui.widgets.inputs.start_area import WIDTH_PX, StartArea
from gui.widgets.tables.table import Table
from gui.widgets.tables.table_model import Cell, Column, Record, State, TableModel

_WIDEST_PX = 860


class StartPage(StartArea):
    """One sentence, two buttons, the comparisons there are."""

    new_requested = Signal()
    example_requested = Signal()
    folder_requested = Signal()
    deleted = Signal(object)
    """The folder of a comparison that shall be moved to the trash."""
    chosen = Signal(object)
    """The folder of a comparison that shall be opened."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(
            theme,
            tr("See what each summary says, and where it comes from."),
            tr(
                "Summaries of models and of other programs stand beside the source and the "
                "reference. Shared words are lit, and each sentence leads to its evidence. Scores "
                "have intervals, and you can judge blind. Nothing leaves this computer."
            ),
        )
        self.new = Button(
            theme, tr("New comparison"), kind="primary", icon="plus", height=36, keys="Ctrl N"
        )
        self.example = Button(
            theme,
            tr("Show an example"),
            icon="play",
            height=36,
            tooltip=tr("Compares three ways to pick sentences of the three sample documents"),
        )
        self.open = Button(theme, tr("Open a folder…"), kind="ghost", icon="folder-open", height=36)
        self.new.triggered.connect(self.new_requested)
        self.example.triggered.connect(self.example_requested)
        self.open.triggered.connect(self.folder_requested)
        self._making = Label(theme, "", "body", "text2", wrap=True)
        self._making.hide()
        self._heading = Label(theme, tr("Comparisons"), "section")
        self.table = Table(theme, _model(()), name=tr("Comparisons"))
        self.table.opened.connect(self.chosen)
        self.table.menu_made.connect(self._add_to_menu)
        keys = QShortcut(QKeySequence.StandardKey.Delete, self.table)
        keys.setContext(Qt.ShortcutContext.WidgetShortcut)
        keys.activated.connect(self.delete)
        self.add_buttons(self.new, self.example, self.open)
        self.add(self._making)
        self.add(self._heading)
        self.add(self.table, grows=True)
        self.show_comparisons(())

    def _add_to_menu(self, menu: Menu) -> None:
        menu.addSeparator()
        away = menu.add(tr("Move to the trash"), self.delete, icon="trash-2", shortcut="Del")
        away.setEnabled(self.table.current_key is not None)

    def delete(self) -> None:
        """Asks for the chosen comparison to be moved to the trash."""
        if self.table.current_key is not None:
            self.deleted.emit(Path(str(self.table.current_key)))

    def show_making(self, titles: Sequence[str]) -> None:
        """Says which comparisons are being made, by their documents; nothing for none."""
        words = tr("Comparing on {what}. The comparison opens here when it is done.")
        if len(titles) > 1:
            words = tr("Comparing on {what}. The first comparison that is done opens here.")
        self._making.setText(words.format(what=tr(", ").join(titles)) if titles else "")
        self._making.setVisible(bool(titles))
        self.example.set_usable(not titles, tr("A comparison is being made."))

    def show_comparisons(self, found: Sequence[FoundComparison]) -> None:
        """Lists the comparisons there are."""
        self.table.show_table(_model(found))
        for part in (self._heading, self.table):
            part.setVisible(bool(found))
        # Only the table needs more room; without it the words stand where other panels have theirs.
        self.set_width(_WIDEST_PX if found else WIDTH_PX)
        self.table.setMinimumHeight(min(40 * len(found) + 40, 240))

    @property
    def folders(self) -> list[Path]:
        """The listed comparisons."""
        model = self.table.table_model
        return [Path(str(model.record(row).key)) for row in range(model.rowCount())]


def _model(found: Sequence[FoundComparison]) -> TableModel:
    columns = (
        Column("set", tr("Documents"), kept=True, strong=True),
        Column("count", tr("How many"), number=True, width=96),
        Column("systems", tr("Systems"), width=320, kept=True),
        Column("made", tr("Made"), width=120, words=day_of),
    )
    return TableModel(columns, map(_record, found))


def _record(found: FoundComparison) -> Record:
    about = found.about
    if about is None:
        state = State("note", found.fault)
        return Record(str(found.folder), {"set": found.folder.name, "systems": state})
    cells: dict[str, Cell] = {
        "set": facts_of(about),
        "count": about.documents,
        "systems": ", ".join(named(system.title) for system in about.systems),
        "made": about.made,
    }
    return Record(str(found.folder), cells)
