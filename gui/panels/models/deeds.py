"""What a person does with the chosen model; all that touches the disk happens in threads."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from core.events import Failed
from core.jobs.describe_models import DescribedModel
from core.jobs.trash import KEPT_DAYS
from core.jobs.trash_model import RestoreModelJob, TrashModelJob
from core.runs.about import read_about, write_about
from core.runs.folder import RunFolder
from core.runs.model_card import read_model_card, write_model_card
from gui.panel import Services
from gui.panels.models.state import ModelsState
from gui.panels.models.words import tr

_ABOUT = "models"
_BUILT_IN = "built-in"


class Deeds(QObject):
    """Summarise, rename, describe, open, delete, take back.

    Args:
        services: Runs the jobs and tells how they ended.
        state: Which model is chosen.
        look: Looks again which models there are.
        parent: Qt's owner.
    """

    def __init__(
        self,
        services: Services,
        state: ModelsState,
        look: Callable[[], object],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._services, self._state, self._look = services, state, look
        self._trashed: list[tuple[Path, DescribedModel]] = []
        services.keeper.kept.connect(self._kept)

    def summarise(self) -> None:
        """Opens the Summarise panel with the chosen model."""
        model = self._state.selected
        self._services.show_panel("summarise", model=model.name if model else _BUILT_IN)

    def open_folder(self) -> None:
        """Shows the model's folder in the system's file manager."""
        model = self._state.selected
        if model is None:
            return
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(model.folder))):
            self._services.tell("warn", tr("No program opens folders here"), str(model.folder))

    # What is told of it

    def rename(self, title: str) -> None:
        """Gives the model a name; empty for that of its folder."""
        self._change_about("title", title)

    def give_notes(self, notes: str) -> None:
        """Keeps what the person says of the model."""
        self._change_about("notes", notes)

    def give_licence(self, licence: str) -> None:
        """Keeps the name of the model's licence."""
        model = self._state.selected
        if model is not None:
            run = RunFolder(model.folder)
            self._keep("licence", model, lambda: write_model_card(
                run, replace(read_model_card(run), licence=licence)
            ))  # fmt: skip

    def _change_about(self, field: str, text: str) -> None:
        model = self._state.selected
        if model is not None:
            run = RunFolder(model.folder)
            # Read when it is written: notes and name may change one after the other.
            self._keep(field, model, lambda: write_about(
                run, replace(read_about(run), **{field: text})
            ))  # fmt: skip

    def _keep(self, field: str, model: DescribedModel, write: Callable[[], object]) -> None:
        self._services.keeper.keep(f"{_ABOUT} {field} {model.folder}", write)

    def _kept(self, what: str) -> None:
        if what.startswith(f"{_ABOUT} "):
            self._look()

    # Deleted and taken back

    def delete(self) -> None:
        """Moves the chosen model to the trash; it can be taken back."""
        model = self._state.selected
        if model is None or model.is_training:
            return
        job = TrashModelJob(model.folder, self._services.folders)
        run = self._services.controller.run_in_thread(job)
        run.finished.connect(partial(self._told_trashed, model))
        run.failed.connect(self._tell_failed)
        run.ended.connect(self._look)

    def _told_trashed(self, model: DescribedModel, place: Path) -> None:
        self._trashed.append((place, model))
        self._services.tell(
            "info",
            tr("“{title}” is in the trash").format(title=model.title),
            tr("It stays there for {days} days.").format(days=KEPT_DAYS),
            action=tr("Undo"),
            on_action=partial(self._restore, place, model),
            about=f"{_ABOUT} {model.folder}",
        )

    def undo(self) -> None:
        """Takes back the model that was deleted last."""
        if self._trashed:
            self._restore(*self._trashed[-1])

    def _restore(self, place: Path, model: DescribedModel) -> None:
        if (place, model) not in self._trashed:
            return
        self._trashed.remove((place, model))
        run = self._services.controller.run_in_thread(RestoreModelJob(place, model.folder))
        run.finished.connect(lambda folder: self._services.dismiss(f"{_ABOUT} {model.folder}"))
        run.failed.connect(self._tell_failed)
        run.ended.connect(self._look)

    def _tell_failed(self, failure: Failed) -> None:
        self._services.tell("err", failure.message, failure.remedy, about=_ABOUT)
