"""The sources of a new corpus: what is read of each, what is wrong with it, its first rows."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from core.jobs.corpora.preview_sources import SourceKind, SourcePreview
from gui.control_words import in_window
from gui.panels.corpus.state import short_path, told_within
from gui.theme.theme import Theme
from gui.widgets.display.card import Card
from gui.widgets.display.label import Label
from gui.widgets.display.sign import Sign
from gui.widgets.inputs.button import icon_button
from gui.widgets.support import layouts
from gui.widgets.support.leaving import clear
from gui.widgets.tables.preview_table import PreviewTable, Role

_ICONS: dict[SourceKind, str] = {
    "files": "file-text",
    "table": "table-2",
    "corpus": "library",
    "hub": "download",
    "none": "octagon-x",
}
MOST_TABLES = 12
"""Tables whose rows are shown; of a folder with more of them the first are."""


class SourceList(QWidget):
    """A card for each source."""

    removed = Signal(str)
    """The name of a source that shall be taken out."""
    column_chosen = Signal(str, str)
    """A role and the column that is read for it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.tables: list[PreviewTable] = []
        self._column = layouts.column(into=self, spacing=8)

    def show_sources(
        self, names: Sequence[str], previews: Sequence[SourcePreview], is_looking: bool
    ) -> None:
        """Shows sources.

        Args:
            names: As the person added them.
            previews: What is known of them, several for a folder of tables.
            is_looking: Whether more is being found out.
        """
        clear(self._column)
        self.tables = []
        known = {name: _of(name, previews) for name in names}
        for name in names:
            self._column.addWidget(self._card(name, known[name], is_looking))

    def _card(self, name: str, previews: Sequence[SourcePreview], is_looking: bool) -> QWidget:
        card = Card(self._theme)
        card.setAccessibleName(name)
        body = layouts.column(
            self._head(name, previews, is_looking), margins=(16, 8, 8, 8), spacing=8
        )
        seen: set[object] = set()
        for preview in previews:
            alike = (preview.columns, preview.document, preview.summary, preview.fault)
            alone = len(previews) == 1 and preview.name == name
            self._tell(preview, body, alone=alone, with_rows=alike not in seen)
            seen.add(alike)
        card.column.addLayout(body)
        return card

    def _head(self, name: str, previews: Sequence[SourcePreview], is_looking: bool) -> QHBoxLayout:
        faulty = any(preview.fault for preview in previews)
        kind: SourceKind = previews[0].kind if len(previews) == 1 else "files"
        if faulty:
            sign = Sign(self._theme, "octagon-x", "err")
        elif not previews and is_looking:
            sign = Sign(self._theme, "loader-circle", "accent")
        else:
            icon = "folder-open" if len(previews) > 1 else _ICONS[kind]
            sign = Sign(self._theme, icon, "text2")
        row = layouts.row(
            sign, (Label(self._theme, short_path(name), "strong", elide=True), 1), spacing=8
        )
        if not previews and is_looking:
            row.addWidget(Label(self._theme, self.tr("looking into it"), "small", "text3"))
        button = icon_button(self._theme, "x", self.tr("Remove {name}").format(name=name))
        button.triggered.connect(lambda: self.removed.emit(name))
        row.addWidget(button)
        return row

    def _tell(
        self, preview: SourcePreview, body: QVBoxLayout, *, alone: bool, with_rows: bool
    ) -> None:
        if preview.fault:
            fault = Label(self._theme, in_window(preview.fault), "small", "err", wrap=True)
            body.addWidget(fault)
            remedy = in_window(preview.remedy)
            body.addWidget(Label(self._theme, remedy, "small", "text2", wrap=True))
        elif preview.told:
            told = short_path(told_within(preview))
            body.addWidget(Label(self._theme, told, "small", "text2", wrap=True))
        if with_rows and preview.columns and preview.rows and len(self.tables) < MOST_TABLES:
            if not alone and preview.fault:
                body.addWidget(Label(self._theme, preview.name, "smallb", "text2", elide=True))
            chosen = {"document": preview.document, "summary": preview.summary}
            columns, rows = preview.columns, preview.rows
            table = PreviewTable(self._theme, preview.name, columns, rows, self._roles(), chosen)
            table.column_chosen.connect(self.column_chosen)
            self.tables.append(table)
            body.addWidget(table)
        body.setAlignment(Qt.AlignmentFlag.AlignTop)

    def _roles(self) -> tuple[Role, ...]:
        return (
            Role(
                "document",
                self.tr("documents"),
                self.tr("Read as documents"),
                self.tr("Guess by name"),
                self.tr("is read as documents"),
            ),
            Role(
                "summary",
                self.tr("summaries"),
                self.tr("Read as summaries"),
                self.tr("Guess by name"),
                self.tr("is read as summaries"),
            ),
        )


def _of(name: str, previews: Sequence[SourcePreview]) -> list[SourcePreview]:
    """What is known of one of the sources."""
    return [preview for preview in previews if preview.asked == name]
