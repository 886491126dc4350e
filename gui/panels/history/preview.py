"""The right side of the History panel: one summary, what is known of it, what can be done."""

from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from core.export.combined import CombinedSummary
from core.library.history_entry import Entry
from core.summaries.summary import Summary
from gui.panels.history.words import rows_of, tr
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.display.sign import Sign
from gui.widgets.inputs.button import STRIP_HEIGHT_PX, Button, icon_button
from gui.widgets.inputs.field import TextField
from gui.widgets.reading.combined_view import CombinedView
from gui.widgets.reading.summary_list import SummaryList
from gui.widgets.support import layouts
from gui.widgets.support.leaving import let_go

_EDGE_PX = 24
_NAME_PX = 80


class Preview(Plane):
    """Title, deeds, facts, a note, and the summary itself."""

    open_asked = Signal()
    """It is to be opened in Summarise as it was."""
    open_anyway_asked = Signal()
    """The changed file is to be opened as it is now."""
    copy_asked = Signal()
    star_asked = Signal()
    delete_asked = Signal()
    restore_asked = Signal()
    renamed = Signal(str)
    noted = Signal(str)
    document_opened = Signal(int)
    """One of several documents is to be opened, by its place, from 0."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self._theme = theme
        self._entry: Entry | None = None
        self._renamed_from: QWidget | None = None
        self._make_head(theme)
        self._make_deeds(theme)
        self._facts = QGridLayout()
        self._facts.setHorizontalSpacing(16)
        self._facts.setVerticalSpacing(2)
        self._facts.setColumnMinimumWidth(0, _NAME_PX)
        self._facts.setColumnStretch(1, 1)
        self._cells: list[Label] = []
        self.note = TextField(
            theme, name=tr("Note"), placeholder=tr("Add a note"), height=STRIP_HEIGHT_PX
        )
        self.note.editingFinished.connect(self._give_note)
        self.summary = SummaryList(theme)
        self.summary.set_editable(False)
        self.combined = CombinedView(theme)
        self.combined.document_opened.connect(self.document_opened)
        self.nothing = Label(theme, "", "body", "text2", wrap=True)
        self._lay_out(theme)

    def _make_head(self, theme: Theme) -> None:
        self.title = Label(theme, "", "title", elide=True)
        self.name_field = TextField(theme, name=tr("Title"), height=STRIP_HEIGHT_PX)
        self.name_field.hide()
        self.name_field.editingFinished.connect(self._rename)
        self.rename = icon_button(theme, "pencil", tr("Rename"))
        self.rename.triggered.connect(self.begin_renaming)
        self.star = Button(theme, tr("Star"), kind="ghost", icon="star", height=STRIP_HEIGHT_PX)
        self.star.triggered.connect(self.star_asked)

    def _make_deeds(self, theme: Theme) -> None:
        self.open = Button(
            theme,
            tr("Open in Summarise"),
            kind="primary",
            icon="text-quote",
            height=STRIP_HEIGHT_PX,
            tooltip=tr("Open the document as it was summarised then"),
            keys="Enter",
        )
        self.copy = Button(
            theme,
            tr("Copy"),
            icon="copy",
            height=STRIP_HEIGHT_PX,
            tooltip=tr("Copy the summary"),
            keys="Ctrl Shift C",
        )
        self.delete = Button(
            theme,
            tr("Delete"),
            kind="ghost",
            icon="trash-2",
            height=STRIP_HEIGHT_PX,
            tooltip=tr("Move the summary to the trash"),
            keys="Del",
        )
        self.restore = Button(theme, tr("Restore"), icon="undo-2", height=STRIP_HEIGHT_PX)
        self.open.triggered.connect(self.open_asked)
        self.copy.triggered.connect(self.copy_asked)
        self.delete.triggered.connect(self.delete_asked)
        self.restore.triggered.connect(self.restore_asked)
        self.notice = QWidget()
        self._told = Label(theme, "", "body", "text", wrap=True)
        self.open_anyway = Button(
            theme, tr("Open it as it is now"), height=STRIP_HEIGHT_PX, icon="folder-open"
        )
        self.open_anyway.triggered.connect(self.open_anyway_asked)
        layouts.row(
            (
                Sign(theme, "triangle-alert", "warn", 16, beside="body"),
                0,
                Qt.AlignmentFlag.AlignTop,
            ),
            (self._told, 1),
            self.open_anyway,
            into=self.notice,
            margins=(0, 0, 0, 12),
            spacing=8,
        )
        self.notice.hide()

    def _lay_out(self, theme: Theme) -> None:
        head = layouts.row(
            self.title, self.name_field, self.rename, self.star, layouts.stretch(), spacing=8
        )
        deeds = layouts.row(
            self.open, self.restore, self.copy, layouts.stretch(), self.delete, spacing=8
        )
        self._top = QWidget()
        layouts.column(
            head,
            12,
            deeds,
            12,
            self.notice,
            self._facts,
            8,
            self.note,
            into=self._top,
            margins=(_EDGE_PX, 16, _EDGE_PX, 12),
        )
        self._line = Divider(theme)
        layouts.column(
            self._top,
            self._line,
            (self.summary, 1),
            (self.combined, 1),
            (self.nothing, 1),
            into=self,
        )
        self.nothing.setContentsMargins(_EDGE_PX, _EDGE_PX, _EDGE_PX, _EDGE_PX)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop)

    # What is shown

    def show_entry(self, entry: Entry | None) -> None:
        """Shows what is known of a summary; what is being typed stays.

        Args:
            entry: The summary; None for none.
        """
        is_other = entry is None or self._entry is None or entry.id != self._entry.id
        self._entry = entry
        if is_other:
            self._end_renaming()
            self.summary.set_summary(None)
            self.combined.show_combined(None)
            self.notice.hide()
            self.nothing.setText("")
        for part in (self._top, self._line):
            part.setVisible(entry is not None)
        self._show_kind()
        self.nothing.setVisible(entry is None)
        if entry is None:
            return
        in_trash = entry.trashed_s is not None
        self.title.setText(entry.title)
        self.title.setToolTip(entry.title)
        is_one = entry.documents == 1
        self.open.setText(tr("Open in Summarise") if is_one else tr("Open its documents"))
        star = tr("Take its star") if entry.starred else tr("Give it a star")
        self.star.set_tooltip(star, "S")
        self.star.setText(tr("Starred") if entry.starred else tr("Star"))
        self.star.set_icon_name("star-filled" if entry.starred else "star")
        self._show_facts(entry)
        if is_other or not self.note.hasFocus():
            self.note.setText(entry.note)
        for button in (self.open, self.delete, self.rename, self.star):
            button.setVisible(not in_trash)
        self.restore.setVisible(in_trash)

    def _show_facts(self, entry: Entry) -> None:
        for label in self._cells:
            let_go(label)
        self._cells = []
        for number, (name, value) in enumerate(rows_of(entry, datetime.now().astimezone())):
            shown = Label(self._theme, value, "small", "text", elide=True)
            shown.setToolTip(value)
            shown.setAccessibleName(f"{name}: {value}")
            told = Label(self._theme, name, "small", "text2")
            self._facts.addWidget(told, number, 0)
            self._facts.addWidget(shown, number, 1)
            self._cells += [told, shown]

    def _show_kind(self) -> None:
        """Shows the part that summaries of this kind are shown in."""
        is_one = self._entry is not None and self._entry.documents == 1
        self.summary.setVisible(is_one)
        self.combined.setVisible(self._entry is not None and not is_one)

    def show_summary(self, summary: Summary | None) -> None:
        """Shows the sentences; without any, that they cannot be read."""
        self.summary.set_summary(summary)
        self._show_kind()
        if summary is None:
            self.summary.hide()
            self.combined.hide()
        self.nothing.setVisible(summary is None)
        self.nothing.setText("" if summary else tr("This summary is damaged and cannot be shown."))

    def show_combined(self, combined: CombinedSummary) -> None:
        """Shows one summary of several documents."""
        self.combined.show_combined(combined)
        self._show_kind()

    def tell(self, sentence: str, *, can_open: bool) -> None:
        """Says why the document cannot be opened as it was.

        Args:
            sentence: What became of it.
            can_open: Whether there is a file to be opened all the same.
        """
        self._told.setText(sentence)
        self.open_anyway.setVisible(can_open)
        self.notice.show()

    # What is typed

    def begin_renaming(self) -> None:
        """Turns the title into a field."""
        if self._entry is None or self._entry.trashed_s is not None:
            return
        self._renamed_from = self.window().focusWidget()
        self.name_field.setText(self.title.text())
        self.name_field.setFixedWidth(max(self.title.width(), 240))
        self.title.hide()
        self.rename.hide()
        self.name_field.show()
        self.name_field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.name_field.selectAll()

    def commit(self) -> None:
        """Takes what is still being typed."""
        self._rename()
        self._give_note()

    def escape(self) -> bool:
        """Leaves the title as it is; whether it was being changed."""
        was_renaming = self.name_field.isVisible()
        self._end_renaming()
        return was_renaming

    def _rename(self) -> None:
        if not self.name_field.isVisible():
            return
        title = self.name_field.text().strip()
        self._end_renaming()
        if title and title != self.title.text():
            self.renamed.emit(title)

    def _end_renaming(self) -> None:
        had_focus = self.name_field.hasFocus()
        self.name_field.hide()
        self.title.show()
        self.rename.setVisible(self._entry is not None and self._entry.trashed_s is None)
        if had_focus:
            before = self._renamed_from or self.rename
            before.setFocus(Qt.FocusReason.OtherFocusReason)

    def _give_note(self) -> None:
        note = self.note.text().strip()
        if self._entry is not None and note != self._entry.note:
            self.noted.emit(note)
