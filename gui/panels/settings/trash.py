"""The trash in Settings: what was deleted, restored or deleted for good."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from core.jobs.job import Job
from core.jobs.queue.trash import KEPT_DAYS
from core.jobs.queue.trash_contents import (
    DeleteTrashedJob,
    Kind,
    ListTrashJob,
    RestoreTrashedJob,
    TrashedItem,
)
from core.numbers import format_quantity, format_size
from gui.panel import Services
from gui.panels.settings.rows import Row
from gui.panels.settings.state import matches
from gui.widgets.display.label import Label
from gui.widgets.inputs.button import Button, icon_button
from gui.widgets.inputs.dialog import ConfirmDialog
from gui.widgets.support import layouts
from gui.widgets.support.leaving import let_go
from gui.workers.latest_run import LatestRun

_ABOUT = "trash"
_TOP_PX = 8


class TrashList(QWidget):
    """What is in the trash, what was deleted last first.

    Args:
        services: Runs the jobs, and tells how they ended.
    """

    def __init__(self, services: Services) -> None:
        super().__init__()
        self._services, self._theme = services, services.theme
        self._report = partial(services.report_failure, about=_ABOUT)
        self._listing = LatestRun()
        self.items: tuple[TrashedItem, ...] = ()
        self.rows: list[TrashRow] = []
        self._told = Label(self._theme, "", "small", "text3", wrap=True)
        self.empty = Button(self._theme, self.tr("Empty the trash…"), kind="danger")
        self.empty.triggered.connect(lambda: self.delete(self.items))
        self._column = layouts.column(
            layouts.row((self._told, 1), self.empty, margins=(0, _TOP_PX, 0, _TOP_PX), spacing=24),
            into=self,
        )
        self._show(())

    def matches(self, wanted: str) -> bool:
        """True if it holds what is looked for."""
        return matches(wanted, self._told.text(), *(item.name for item in self.items))

    def refresh(self) -> None:
        """Lists again what is in the trash."""
        run = self._services.controller.run_in_thread(ListTrashJob(self._services.folders))
        self._listing.follow(run, self._show, self._report)

    def _show(self, items: tuple[TrashedItem, ...]) -> None:
        words = self.tr(
            "Models, runs, corpora, comparisons and batches that you delete stay here for {0} days."
        ).format(KEPT_DAYS)
        total = format_size(sum(item.size_bytes for item in items))
        count = format_quantity(len(items), self.tr("item"), self.tr("items"))
        inside = f"{count}, {total}." if items else self.tr("The trash is empty.")
        self._told.setText(f"{words} {inside}")
        self.empty.setVisible(bool(items))
        if items == self.items:
            return
        self.items = items
        for row in self.rows:
            self._column.removeWidget(row)
            let_go(row)
        self.rows = [TrashRow(self, item) for item in items]
        for row in self.rows:
            row.set_line(True)
            self._column.addWidget(row)
            row.restore.triggered.connect(partial(self.restore, row.item))
            row.delete.triggered.connect(partial(self.delete, (row.item,)))

    def restore(self, item: TrashedItem) -> None:
        """Moves something back from the trash."""
        self._do(RestoreTrashedJob(item, self._services.folders), partial(self._restored, item))

    def _restored(self, item: TrashedItem, folder: Path) -> None:
        words = self.tr("“{0}” is restored")
        if not item.job and folder.name != item.name:
            words = self.tr("“{0}” is restored as “{1}”, since there is another one of its name")
        self._services.notify("ok", words.format(item.name, folder.name), about=_ABOUT)

    def delete(self, items: tuple[TrashedItem, ...]) -> None:
        """Deletes things for good, after a question."""
        size = format_size(sum(item.size_bytes for item in items))
        title = self.tr("Delete all that is in the trash?")
        if len(items) == 1:
            title = self.tr("Delete “{0}” for good?").format(items[0].name)
        sure = ConfirmDialog.ask(
            self._theme,
            title,
            self.tr("It cannot be restored after that."),
            deed=self.tr("Delete {0}").format(size),
            parent=self.window(),
        )
        if sure:
            self._do(DeleteTrashedJob(items, self._services.folders), self._deleted)

    def _deleted(self, freed_bytes: int) -> None:
        words = self.tr("Deleted {0} for good").format(format_size(freed_bytes))
        self._services.notify("ok", words, about=_ABOUT)

    def _do(self, job: Job, finished: Callable[[Any], object]) -> None:
        run = self._services.run(job, finished, about=_ABOUT)
        run.ended.connect(self.refresh)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()


class TrashRow(Row):
    """Something in the trash: its kind, its size, how long it stays."""

    def __init__(self, list_: TrashList, item: TrashedItem) -> None:
        self.item = item
        left = format_quantity(item.days_left, self.tr("day"), self.tr("days"))
        facts = (self._kind_words(item.kind), format_size(item.size_bytes))
        stays = self.tr("deleted in {0}").format(left)
        super().__init__(list_._theme, item.name, "  ·  ".join((*facts, stays)))
        self.restore = Button(list_._theme, self.tr("Restore"), icon="undo-2")
        self.restore.setAccessibleName(self.tr("Restore {0}").format(item.name))
        words = self.tr("Delete {0} for good…").format(item.name)
        self.delete = icon_button(list_._theme, "trash-2", words)
        self.add(self.restore, self.delete)

    def _kind_words(self, kind: Kind) -> str:
        return {
            "run": self.tr("Run"),
            "model": self.tr("Imported model"),
            "corpus": self.tr("Corpus"),
            "comparison": self.tr("Comparison"),
            "batch": self.tr("Batch"),
            "measurement": self.tr("Measurement"),
            "other": self.tr("Folder"),
        }[kind]
