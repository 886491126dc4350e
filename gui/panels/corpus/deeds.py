"""What a person does with a whole corpus: rename it, delete it, take it back, show its folder."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from core.events import Failed
from core.jobs.call import CallJob
from core.jobs.corpora.corpus_folder import (
    CorpusMoved,
    rename_corpus,
    trash_corpus,
)
from core.jobs.queue.trash import KEPT_DAYS, take_from_trash
from core.numbers import format_quantity
from gui.panel import Services, offer_again
from gui.panels.corpus.rename_dialog import RenameDialog
from gui.widgets.inputs.menu import Menu

_ABOUT = "corpora"


class Deeds(QObject):
    """All that touches the disk happens in threads.

    Args:
        services: Runs the jobs and tells how they ended.
        parent: Qt's owner.
    """

    renamed = Signal(object, object)
    """The old folder of a corpus, and the new one."""
    trashed = Signal(object)
    """The folder of a corpus that is in the trash now."""
    changed = Signal()
    """There are other corpora now."""

    def __init__(self, services: Services, parent: QWidget) -> None:
        super().__init__(parent)
        self._services, self._window = services, parent
        self._trash: list[tuple[Path, Path]] = []

    def fill_menu(self, menu: Menu, folder: Path) -> None:
        """Adds what can be done with a corpus to a menu."""
        menu.add(self.tr("Rename…"), partial(self.ask_name, folder), icon="pencil", detail="F2")
        menu.add(self.tr("Open folder"), partial(self.open_folder, folder), icon="folder-open")
        menu.add(self.tr("Move to the trash"), partial(self.delete, folder), icon="trash-2",
                 detail="Del")  # fmt: skip

    def open_folder(self, folder: Path) -> None:
        """Shows the corpus in the system's file manager."""
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
            self._services.tell(
                "warn", self.tr("No program to open folders was found"), str(folder)
            )

    def ask_name(self, folder: Path) -> None:
        """Asks for another name."""
        dialog = RenameDialog(self._services.theme, folder, self._window)
        dialog.named.connect(partial(self.rename, folder))
        dialog.open()

    def rename(self, folder: Path, name: str) -> None:
        """Gives a corpus another name."""
        job = CallJob(rename_corpus, folder, name, self._services.folders)
        run = self._services.controller.run_in_thread(job)
        run.finished.connect(partial(self._tell_renamed, folder))
        run.failed.connect(self._tell_failed)

    def _tell_renamed(self, before: Path, moved: CorpusMoved) -> None:
        if moved.trained:
            told = self.tr("{runs} know it as “{name}”; to train them further, rename it back.")
            runs = format_quantity(len(moved.trained), self.tr("run"), self.tr("runs"))
            told = told.format(runs=runs, name=before.name)
            title = self.tr("Renamed to “{name}”").format(name=moved.folder.name)
            self._services.tell("info", title, told, about=_ABOUT)
        self.renamed.emit(before, moved.folder)
        self.changed.emit()

    def delete(self, folder: Path) -> None:
        """Moves a corpus to the trash; it can be taken back."""
        run = self._services.controller.run_in_thread(
            CallJob(trash_corpus, folder, self._services.folders)
        )
        run.finished.connect(partial(self._tell_trashed, folder))
        run.failed.connect(self._tell_failed)

    def _tell_trashed(self, folder: Path, moved: CorpusMoved) -> None:
        self._trash.append((moved.folder, folder))
        told = self.tr("It stays there for {days} days.").format(days=KEPT_DAYS)
        if moved.trained:
            runs = format_quantity(len(moved.trained), self.tr("run"), self.tr("runs"))
            told += " " + self.tr("{runs} cannot be trained further without it.").format(runs=runs)
        self._services.tell(
            "info",
            self.tr("“{name}” is in the trash").format(name=folder.name),
            told,
            action=self.tr("Undo"),
            on_action=partial(self._restore, moved.folder, folder),
            about=f"{_ABOUT} {folder}",
        )
        self.trashed.emit(folder)
        self.changed.emit()

    def undo(self) -> None:
        """Takes back the corpus that was deleted last."""
        if self._trash:
            self._restore(*self._trash[-1])

    def _restore(self, place: Path, folder: Path) -> None:
        if (place, folder) not in self._trash:
            return
        self._trash.remove((place, folder))
        run = self._services.controller.run_in_thread(CallJob(take_from_trash, place, folder))
        run.finished.connect(lambda _: self._services.dismiss(f"{_ABOUT} {folder}"))
        run.failed.connect(partial(self._tell_not_restored, place, folder))
        run.ended.connect(self.changed)

    def _tell_not_restored(self, place: Path, folder: Path, failure: Failed) -> None:
        if not place.exists():
            self._tell_failed(failure)
            return
        self._trash.append((place, folder))
        offer_again(
            self._services,
            failure,
            partial(self._restore, place, folder),
            self.tr("Try again"),
            f"{_ABOUT} {folder}",
        )

    def _tell_failed(self, failure: Failed) -> None:
        self._services.tell("err", failure.message, failure.remedy, about=_ABOUT)
