"""Actions on a whole corpus: rename it, delete it, take it back, show its folder."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from core.jobs.call import CallJob
from core.jobs.corpora.corpus_folder import (
    CorpusMoved,
    rename_corpus,
    trash_corpus,
)
from core.numbers import format_quantity
from gui.panel import Services
from gui.panel_kit import TrashUndo
from gui.panels.corpus.rename_dialog import RenameDialog
from gui.widgets.inputs.menu import Menu

_ABOUT = "corpora"


class CorpusActions(QObject):
    """All that touches the disk happens in threads.

    Args:
        services: The window.
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
        self.trash = TrashUndo(services, _ABOUT, self)
        self.trash.changed.connect(self.changed)

    def fill_menu(self, menu: Menu, folder: Path) -> None:
        """Adds what can be done with a corpus to a menu."""
        menu.add(self.tr("Rename…"), partial(self.ask_name, folder), icon="pencil", detail="F2")
        menu.add(self.tr("Open folder"), partial(self.open_folder, folder), icon="folder-open")
        menu.add(self.tr("Move to the trash"), partial(self.delete, folder), icon="trash-2",
                 detail="Del")  # fmt: skip

    def open_folder(self, folder: Path) -> None:
        """Shows the corpus in the system's file manager."""
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
            self._services.notify(
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
        self._services.run(job, partial(self._tell_renamed, folder), about=_ABOUT)

    def _tell_renamed(self, before: Path, moved: CorpusMoved) -> None:
        if moved.trained:
            told = self.tr("{runs} know it as “{name}”; to train them further, rename it back.")
            runs = format_quantity(len(moved.trained), self.tr("run"), self.tr("runs"))
            told = told.format(runs=runs, name=before.name)
            title = self.tr("Renamed to “{name}”").format(name=moved.folder.name)
            self._services.notify("info", title, told, about=_ABOUT)
        self.renamed.emit(before, moved.folder)
        self.changed.emit()

    def delete(self, folder: Path) -> None:
        """Moves a corpus to the trash; it can be taken back."""
        job = CallJob(trash_corpus, folder, self._services.folders)
        self.trash.discard(folder, job, partial(self._describe_trashed, folder))

    def _describe_trashed(self, folder: Path, moved: CorpusMoved) -> tuple[Path, str, str]:
        self.trashed.emit(folder)
        text = ""
        if moved.trained:
            runs = format_quantity(len(moved.trained), self.tr("run"), self.tr("runs"))
            text = self.tr("{runs} cannot be trained further without it.").format(runs=runs)
        return moved.folder, self.tr("“{name}” is in the trash").format(name=folder.name), text
