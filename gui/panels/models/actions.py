"""Actions on the chosen model; all that touches the disk happens in threads."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

from core.events import Failed
from core.jobs.call import CallJob
from core.jobs.evaluation.score import ScoringDone
from core.jobs.job import Job
from core.jobs.models.convert_model import ConvertModelJob, ConvertSettings
from core.jobs.models.describe_models import DescribedModel
from core.jobs.models.export_model import ExportModelJob
from core.jobs.models.import_folder import ImportFolderJob, ImportSettings, LookThroughJob
from core.jobs.models.import_gguf import SUFFIX as GGUF_SUFFIX
from core.jobs.models.import_gguf import ImportGGUFJob
from core.jobs.models.import_model import ImportModelJob
from core.jobs.models.trash_model import trash_model
from core.models.model_file import SUFFIX
from core.runs.about import read_about, write_about
from core.runs.folder import RunFolder
from core.runs.model_card import read_model_card, write_model_card
from gui.panel import Services, offer_again
from gui.panel_kit import TrashUndo
from gui.panels.models.score_words import result_words
from gui.panels.models.scoring import Scoring
from gui.panels.models.state import ModelsState
from gui.panels.models.words import tr
from gui.widgets.inputs.saving import ask_where
from gui.workers.runner import Run

_ABOUT = "models"
_BUILT_IN = "built-in"

Again = Callable[[], object]
"""Shows the form of a job again as it was filled in."""


class ModelActions(QObject):
    """Summarise, score, rename, describe, open, export, import, delete, take back.

    Args:
        services: The window.
        state: The state of the panel.
        look: Reads again which models there are.
        parent: Qt's owner.
    """

    imported = Signal(object)
    """The folder of a model that was just imported or converted."""
    folder_chosen = Signal(object)
    """A folder that the person wants to import."""

    def __init__(
        self,
        services: Services,
        state: ModelsState,
        look: Callable[[], object],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._window = parent
        self._services, self._state, self._look = services, state, look
        self._keeping: set[str] = set()
        self.trash = TrashUndo(services, _ABOUT, self)
        self.trash.changed.connect(look)
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
            self._services.notify(
                "warn", tr("No program to open folders was found"), str(model.folder)
            )

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

    def give_prompt(self, prompt: str) -> None:
        """Keeps what the model is given; empty for the prompt that it came with."""
        model = self._state.selected
        if model is not None:
            run = RunFolder(model.folder)
            self._keep("prompt", model, lambda: write_model_card(
                run, replace(read_model_card(run), prompt=prompt)
            ))  # fmt: skip

    def _change_about(self, field: str, text: str) -> None:
        model = self._state.selected
        if model is not None:
            run = RunFolder(model.folder)
            # Read when it is written: notes and name may change one after the other.
            self._keep(field, model, lambda: write_about(
                run, replace(read_about(run), **{field: text})
            ))  # fmt: skip

    @property
    def is_keeping(self) -> bool:
        """Whether something is still to be written: what was read before is older than that."""
        return bool(self._keeping)

    def _keep(self, field: str, model: DescribedModel, write: Callable[[], object]) -> None:
        what = f"{_ABOUT} {field} {model.folder}"
        self._keeping.add(what)
        self._services.keeper.keep(what, write)

    def _kept(self, what: str) -> None:
        if what in self._keeping:
            self._keeping.remove(what)
            self._look()

    # Exported and imported

    def ask_where_to_export(self) -> None:
        """Lets the person choose a file for the chosen model."""
        model = self._state.selected
        if model is None or model.fault:
            return
        theme, title, kind = self._services.theme, tr("Export the model"), tr("Exported models")
        home = Path.home()
        path = ask_where(theme, self._window, title, model.name, SUFFIX, folder=home, kind=kind)
        if path is not None:
            self.export_to(path)

    def export_to(self, path: Path) -> None:
        """Writes the chosen model into one file.

        Args:
            path: The file; one that is there is replaced.
        """
        model = self._state.selected
        assert model is not None
        card = replace(
            model.card,
            licence=self._state.stated_licence(model),
            parents=self._state.parents(model),
        )
        job = ExportModelJob(model.folder, path, card, replace=True)
        title = tr("Exporting {name}").format(name=model.title)
        self._services.run(job, self._tell_exported, title, about=_ABOUT)

    def _tell_exported(self, path: Path) -> None:
        self._services.notify(
            "ok",
            tr("Exported to {name}").format(name=path.name),
            tr("The file holds the weights, the tokenizer and the settings; no text, no notes."),
            action=tr("Show"),
            on_action=partial(QDesktopServices.openUrl, QUrl.fromLocalFile(str(path.parent))),
            about=_ABOUT,
        )

    def ask_what_to_import(self) -> None:
        """Lets the person choose a file with a model."""
        self._ask_for_file(f"{tr('Exported models')} (*{SUFFIX});;{tr('All files')} (*)")

    def ask_for_gguf(self) -> None:
        """Lets the person choose a GGUF file."""
        self._ask_for_file(f"{tr('GGUF models')} (*{GGUF_SUFFIX})")

    def _ask_for_file(self, kinds: str) -> None:
        chosen, _ = QFileDialog.getOpenFileName(
            self._window, tr("Import a model"), str(Path.home()), kinds
        )
        if chosen:
            self.import_from(Path(chosen))

    def import_from(self, path: Path) -> None:
        """Checks a file and takes the model in.

        Args:
            path: The file.
        """
        folders = self._services.folders
        is_gguf = path.suffix.lower() == GGUF_SUFFIX
        own = ImportModelJob(path, folders.runs, trash=folders.trash)
        job = ImportGGUFJob(path, folders.runs) if is_gguf else own
        self._run(job, self._tell_imported, tr("Importing {name}").format(name=path.name))

    def _tell_imported(self, folder: Path) -> None:
        told = tr("Checked: weights, tokenizer and settings go together; nothing in it was run.")
        self._services.notify(
            "ok", tr("Imported {name}").format(name=folder.name), told, about=_ABOUT
        )
        self.imported.emit(folder)

    def ask_for_folder(self) -> None:
        """Lets the person choose the folder of a Hugging Face model."""
        chosen = QFileDialog.getExistingDirectory(
            self._window, tr("Import the folder of a model"), str(Path.home())
        )
        if chosen:
            self.folder_chosen.emit(Path(chosen))

    def look_through(self, folder: Path) -> Run:
        """Checks a folder, in a process of its own; nothing of the model is loaded."""
        return self._services.controller.run_aside(LookThroughJob(folder))

    def import_folder(
        self, folder: Path, settings: ImportSettings, again: Again | None = None
    ) -> None:
        """Takes in a model of the Hugging Face library.

        Args:
            folder: The model's.
            settings: How.
            again: Shows the form again, if the import fails; None where there is none.
        """
        job = ImportFolderJob(folder, self._services.folders.runs, settings)
        title = tr("Importing {name}").format(name=folder.name)
        self._run(job, self._tell_imported, title, again=again)

    def convert(self, model: DescribedModel, settings: ConvertSettings, again: Again) -> None:
        """Makes a model that reads longer texts; the old one stays.

        Args:
            model: The old one.
            settings: How long it is to read.
            again: Shows the form again, if the conversion fails.
        """
        job = ConvertModelJob(model.folder, self._services.folders.runs, settings)
        title = tr("Converting {name}").format(name=model.title)
        self._run(job, self._tell_converted, title, again=again)

    def _tell_converted(self, folder: Path) -> None:
        told = tr("What was done to it, and how its outputs compare, is shown under Conversion.")
        self._services.notify("ok", tr("Made {name}").format(name=folder.name), told, about=_ABOUT)
        self.imported.emit(folder)

    # Scored

    def score(self, scoring: Scoring, again: Again) -> None:
        """Evaluates or compares models in a process of its own; the scores are kept with them.

        Args:
            scoring: What is scored, and how.
            again: Shows the form again, if it fails.
        """
        title = tr("Comparing {name}") if scoring.compares else tr("Evaluating {name}")
        title = title.format(name=scoring.titles[-1])
        done = partial(self._tell_scored, scoring.titles)
        self._run(scoring.job, done, title, again=again, by_escape=False)

    def _tell_scored(self, titles: tuple[str, ...], done: ScoringDone) -> None:
        self._services.notify("ok", *result_words(done, titles), about=f"{_ABOUT} {titles}")
        self._look()

    def _run(
        self,
        job: Job,
        done: Callable[[Any], object],
        title: str,
        *,
        again: Again | None = None,
        by_escape: bool = True,
    ) -> None:
        """Runs a job of minutes in a process of its own; `again` is offered if it fails."""
        failed = partial(self._offer_again, again) if again is not None else None
        self._services.run(
            job, done, title, lane="aside", about=_ABOUT, failed=failed, by_escape=by_escape
        )

    def _offer_again(self, again: Again, failure: Failed) -> None:
        offer_again(self._services, failure, again, tr("Show its settings"), _ABOUT)

    # Deleted and taken back

    def delete(self) -> None:
        """Moves the chosen model to the trash; it can be taken back."""
        model = self._state.selected
        if model is None or model.is_training:
            return
        job = CallJob(trash_model, model.folder, self._services.folders)
        title = tr("“{title}” is in the trash").format(title=model.title)
        self.trash.discard(model.folder, job, lambda place: (place, title, ""))
