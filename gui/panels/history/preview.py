"""The right side of the History panel: one summary, its facts, and what can be done with it."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from core.export.combined import CombinedSummary
from core.export.excerpt import KeptSummary
from core.library.history_entry import Entry
from gui.panels.history.controller import HistoryController
from gui.panels.history.words import list_facts, tr
from gui.theme.theme import Theme
from gui.widgets.display.fact_rows import FactRows
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.display.sign import Sign
from gui.widgets.inputs.button import STRIP_HEIGHT_PX, Button
from gui.widgets.inputs.editable_title import EditableTitle
from gui.widgets.inputs.field import TextField
from gui.widgets.reading.combined_view import CombinedView
from gui.widgets.reading.summary_list import SummaryList
from gui.widgets.support import layouts

_EDGE_PX = 24
_NAME_PX = 80


class EntryPreview(Plane):
    """Title, actions, facts, a note, and the summary itself.

    Args:
        theme: The look.
        controller: Does what the buttons say.
    """

    def __init__(self, theme: Theme, controller: HistoryController) -> None:
        super().__init__(theme, "surface")
        self._controller = controller
        self._entry: Entry | None = None
        self.title = EditableTitle(theme, tr("Title"), tr("Rename"))
        self.title.renamed.connect(controller.rename)
        self._make_buttons()
        self._facts = FactRows(theme, "small", name_px=_NAME_PX, gap_px=2, elide=True)
        self.note = TextField(
            theme, name=tr("Note"), placeholder=tr("Add a note"), height=STRIP_HEIGHT_PX
        )
        self.note.editingFinished.connect(self._commit_note)
        self.summary, self.combined = SummaryList(theme), CombinedView(theme)
        self.summary.set_editable(False)
        self.combined.document_opened.connect(controller.open_document)
        self._nothing = Label(theme, "", "body", "text2", wrap=True)
        self._lay_out()
        controller.summary_read.connect(self._show_summary)
        controller.document_missing.connect(self._show_missing)

    def _make_buttons(self) -> None:
        controller, theme = self._controller, self._theme

        def make(text: str, action: Callable[[], object], icon: str, **looks: Any) -> Button:
            button = Button(theme, text, icon=icon, height=STRIP_HEIGHT_PX, **looks)
            button.triggered.connect(action)
            return button

        self.open = make(tr("Open in Summarise"), controller.reopen, "text-quote", kind="primary",
                         keys="Enter",
                         tooltip=tr("Open the document as it was summarised then"))  # fmt: skip
        self.copy = make(tr("Copy"), controller.copy, "copy", keys="Ctrl Shift C",
                         tooltip=tr("Copy the summary"))  # fmt: skip
        self.delete = make(tr("Delete"), controller.delete, "trash-2", kind="ghost", keys="Del",
                           tooltip=tr("Move the summary to the trash"))  # fmt: skip
        self.star = make(tr("Star"), controller.toggle_star, "star", kind="ghost")
        self.restore = make(tr("Restore"), controller.restore, "undo-2")
        self.open_anyway = make(tr("Open it as it is now"), controller.open_changed, "folder-open")
        self.notice = QWidget()
        self._reason = Label(theme, "", "body", "text", wrap=True)
        sign = Sign(theme, "triangle-alert", "warn", 16, beside="body")
        layouts.row(
            (sign, 0, Qt.AlignmentFlag.AlignTop),
            (self._reason, 1),
            self.open_anyway,
            into=self.notice,
            margins=(0, 0, 0, 12),
            spacing=8,
        )
        self.notice.hide()

    def _lay_out(self) -> None:
        self._top, self._line, stretch = QWidget(), Divider(self._theme), layouts.stretch()
        actions = (self.open, self.restore, self.copy, stretch, self.delete)
        layouts.column(
            layouts.row(self.title, self.star, stretch, spacing=8),
            12,
            layouts.row(*actions, spacing=8),
            12,
            self.notice,
            self._facts,
            8,
            self.note,
            into=self._top,
            margins=(_EDGE_PX, 16, _EDGE_PX, 12),
        )
        parts = (self.summary, 1), (self.combined, 1), (self._nothing, 1)
        layouts.column(self._top, self._line, *parts, into=self)
        self._nothing.setContentsMargins(_EDGE_PX, _EDGE_PX, _EDGE_PX, _EDGE_PX)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop)

    # What is shown

    def show_entry(self, entry: Entry | None) -> None:
        """Shows the facts of a summary; what is being typed stays.

        Args:
            entry: The summary; None for none.
        """
        is_other = entry is None or self._entry is None or entry.id != self._entry.id
        self._entry = entry
        if is_other:
            self.title.end()
            self.summary.set_summary(None)
            self.combined.show_combined(None)
            self.notice.hide()
            self._nothing.setText("")
        for part in (self._top, self._line):
            part.setVisible(entry is not None)
        self._show_kind()
        self._nothing.setVisible(entry is None)
        if entry is None:
            return
        in_trash = entry.trashed_s is not None
        self.title.show_title(entry.title, can_rename=not in_trash)
        is_one = entry.documents == 1
        self.open.setText(tr("Open in Summarise") if is_one else tr("Open its documents"))
        star = tr("Take its star") if entry.starred else tr("Give it a star")
        self.star.set_tooltip(star, "S")
        self.star.setText(tr("Starred") if entry.starred else tr("Star"))
        self.star.set_icon_name("star-filled" if entry.starred else "star")
        self._facts.show_rows(list_facts(entry, datetime.now().astimezone()))
        if is_other or not self.note.hasFocus():
            self.note.setText(entry.note)
        for button in (self.open, self.delete, self.star):
            button.setVisible(not in_trash)
        self.restore.setVisible(in_trash)

    def _show_kind(self, *, damaged: bool = False) -> None:
        """Shows the part that summaries of this kind are shown in."""
        documents = self._entry.documents if self._entry and not damaged else 0
        self.summary.setVisible(documents == 1)
        self.combined.setVisible(documents > 1)

    def _show_summary(self, kept: KeptSummary | CombinedSummary | None) -> None:
        if isinstance(kept, CombinedSummary):
            self.combined.show_combined(kept)
        else:
            self.summary.set_summary(kept.summary if kept else None)
        self._show_kind(damaged=kept is None)
        self._nothing.setVisible(kept is None)
        self._nothing.setText("" if kept else tr("This summary is damaged and cannot be shown."))

    def _show_missing(self, reason: str, can_open: bool) -> None:
        self._reason.setText(reason)
        self.open_anyway.setVisible(can_open)
        self.notice.show()

    # What is typed

    def commit(self) -> None:
        """Takes what is still being typed."""
        self.title.commit()
        self._commit_note()

    def escape(self) -> bool:
        """Leaves the title as it is; True if it was being changed."""
        return self.title.end()

    def _commit_note(self) -> None:
        note = self.note.text().strip()
        if self._entry is not None and note != self._entry.note:
            self._controller.annotate(note)
