"""The Models panel: what there is to write summaries with, and what is known of each."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from core.events import Failed
from core.jobs.models.convert_model import ConvertSettings
from core.jobs.models.describe_models import DescribedModel, DescribeModelsJob, ModelsFound
from core.jobs.models.import_folder import FolderFacts, ImportSettings
from core.jobs.models.import_gguf import SUFFIX as GGUF_SUFFIX
from core.jobs.models.model_languages import RecordLanguagesJob
from core.models.model_file import SUFFIX
from core.numbers import format_quantity, format_size
from core.settings import Settings
from gui.panel import Services
from gui.panel_kit import BOTH_SIDES_PX, SplitPanel
from gui.panels.models.actions import ModelActions
from gui.panels.models.card_list import CardList
from gui.panels.models.details import Details
from gui.panels.models.model_page import ModelPage
from gui.panels.models.score_page import ScorePage
from gui.panels.models.scoring import Scoring
from gui.panels.models.setting_up import (
    can_convert,
    convert_command,
    convert_settings,
    folder_rows,
    folder_warning,
    import_command,
    import_left_out,
    import_settings,
    is_library_folder,
)
from gui.panels.models.state import ModelsState
from gui.panels.models.words import length_of, tr
from gui.widgets.chrome.panel_header import PanelHeader
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.inputs.button import STRIP_HEIGHT_PX, Button, icon_button
from gui.widgets.inputs.combo import ComboBox
from gui.widgets.inputs.filter_strip import FilterStrip
from gui.widgets.inputs.menu import Menu
from gui.widgets.support import layouts

_SHARES = (57, 43)
_ORDER_FROM_PX = 1200
"""The box of orders has room from this width of the window on, and where the list is alone."""


class ModelsPanel(SplitPanel):
    """A list of models and, beside it, all about the chosen one.

    Args:
        services: The window.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        theme = services.theme
        self.state = ModelsState()
        self.row_actions = ModelActions(services, self.state, self.look, self)
        self._make_head()
        self.list = CardList(theme, self.state)
        self.nothing = Label(theme, "", "body", "text2", wrap=True)
        self.details = Details(theme, self.state, self.row_actions)
        self.scoring = ScorePage(services)
        self._side = QStackedWidget()
        self._side.addWidget(self.details)
        self._side.addWidget(self.scoring)
        self.page = ModelPage(theme)
        self._side.addWidget(self.page)
        self._begin_page: Callable[[Settings], None] = lambda settings: None
        self._looking_through: Path | None = None
        self._wanted_key = ""
        self._is_looking = self._looks_again = False
        self._asked: set[Path] = set()
        """The models whose languages were looked for."""
        self._lay_out()
        self._connect()
        self.redraw()

    def _make_head(self) -> None:
        theme = self._theme
        self.header = PanelHeader(
            theme,
            tr("Models"),
            sides=(("models", tr("Models")), ("details", tr("Details"))),
        )
        self.importing = Button(theme, tr("Import…"), icon="folder-input",
                                tooltip=tr("Import a model from a folder or file"))  # fmt: skip
        self.importing.triggered.connect(self._open_import_menu)
        trash = icon_button(theme, "trash-2", tr("What is in the trash"))
        trash.triggered.connect(partial(self._services.act, "trash"))
        self.header.add(trash, self.importing)
        self._order = ComboBox(theme, name=tr("Order of the models"), height=STRIP_HEIGHT_PX)
        for words, value in ((tr("Newest first"), "newest"), (tr("By name"), "name"),
                             (tr("Largest first"), "size")):  # fmt: skip
            self._order.addItem(words, value)
        self._order.activated.connect(lambda index: self._filter())
        self.strip = FilterStrip(
            theme,
            [("all", tr("All")), ("trained", tr("Trained here")), ("imported", tr("Imported"))],
            choices_name=tr("Which models are shown"),
            find_name=tr("Find a model"),
            placeholder=tr("Find a model"),
            more=[self._order],
            margins=(0, 0, 12, 0),
        )

    def _open_import_menu(self) -> None:
        menu, actions = Menu(self._theme, tr("Import a model"), self), self.row_actions
        menu.add(tr("Hugging Face folder…"), actions.ask_for_folder, icon="folder-open",
                 detail=tr("BART, LED, T5, chat models"))  # fmt: skip
        menu.add(tr("GGUF file…"), actions.ask_for_gguf, icon="file-text",
                 detail=tr("from other programs"))  # fmt: skip
        menu.add(tr("Exported model…"), actions.ask_what_to_import, icon="box", detail=SUFFIX)
        menu.open_below(self.importing, flush_right=True)

    def _lay_out(self) -> None:
        left = Plane(self._theme, "window")
        layouts.column(
            self.strip,
            (self.list, 1000),
            self.nothing,
            layouts.stretch(),
            into=left,
            margins=(24, 12, 12, 0),
            spacing=12,
        )
        self.lay_out(self.header, left, self._side, shares=_SHARES)

    def _connect(self) -> None:
        details, actions = self.details, self.row_actions
        self.strip.changed.connect(self._filter)
        self.list.chosen.connect(self.select)
        for opening in (self.list.opened, self.list.clicked_item):
            opening.connect(lambda: self.show_side("details"))
        details.relative_chosen.connect(self.select)
        details.scoring_requested.connect(self.set_up_scoring)
        details.conversion_requested.connect(self.set_up_conversion)
        self.scoring.left.connect(self._go_back)
        self.scoring.begun.connect(self._score)
        actions.folder_chosen.connect(self.set_up_import)
        actions.imported.connect(self._show_imported)
        self.page.left.connect(self._leave_page)
        self.page.retried.connect(actions.ask_for_folder)
        self.page.begun.connect(lambda settings: self._begin_page(settings))

    # What is shown

    def look(self) -> None:
        """Looks which models there are now; what was found is shown soon."""
        if self._is_looking:
            self._looks_again = True
            return
        self._is_looking = True
        job = DescribeModelsJob(self._services.folders.runs, self._services.folders.built_in)
        self._services.run(job, self._take).ended.connect(self._looked)

    def _take(self, found: ModelsFound) -> None:
        if self.row_actions.is_keeping:
            return  # it is looked again when that is written
        changed = self.state.take(
            found.models,
            found.built_in_bytes,
            found.can_write,
            found.built_in_evaluations,
            found.built_in,
        )
        if found.can_write:
            self._look_for_languages()
        if self.state.model(self._wanted_key) is not None:
            self.state.choose(self._wanted_key)
            self._wanted_key = ""
            changed = True
        if changed:
            self.redraw()

    def _look_for_languages(self) -> None:
        """Has those of older models found in their corpora, once for each."""
        missing = [
            model.folder
            for model in self.state.models
            if model.step and model.corpus and not model.card.languages
        ]
        new = tuple(folder for folder in missing if folder not in self._asked)
        if not new:
            return
        self._asked.update(new)
        run = self._services.controller.run_in_reader(RecordLanguagesJob(new))
        run.finished.connect(lambda found: self.look() if found else None)

    def _looked(self) -> None:
        self._is_looking = False
        if self._looks_again:
            self._looks_again = False
            self.look()

    def redraw(self) -> None:
        """Draws the state as it is now."""
        count = format_quantity(len(self.state.models) + 1, tr("model"), tr("models"))
        size = format_size(self.state.size_bytes + self.state.built_in_bytes)
        self.header.show_facts(f"{count}, {size}" if self.state.is_known else "")
        self.list.refresh()
        self.nothing.setText(self._nothing_told())
        self.nothing.setVisible(bool(self.nothing.text()))
        self.details.refresh()

    def _nothing_told(self) -> str:
        if self.state.wanted.strip() and not self.state.shown():
            return tr("No model matches “{words}”.").format(words=self.state.wanted.strip())
        is_empty = not self.state.shown() or (not self.state.models and self.state.kept == "all")
        if not is_empty or not self.state.is_known:
            return ""
        if self.state.kept == "imported":
            return tr("No model was imported yet.")
        return tr("No model was trained yet. A run is listed here from its first checkpoint on.")

    def select(self, key: str) -> None:
        """Shows the details of a model.

        Args:
            key: As `gui.panels.models.state.key_of` gives it.
        """
        self.details.commit()
        self._leave_scoring()
        self.state.choose(key)
        self.list.refresh()
        self.details.refresh()

    def set_up_scoring(self, compares: bool) -> None:
        """Shows how the chosen model is evaluated, or compared with another one."""
        self.details.commit()
        self.scoring.set_up(self.state.selected, self.state.others(), compares)
        self._side.setCurrentWidget(self.scoring)
        self.scoring.focus_first()

    @property
    def is_scoring(self) -> bool:
        """Whether an evaluation is being set up."""
        return self._side.currentWidget() is self.scoring

    def _leave_scoring(self) -> None:
        self._looking_through = None
        self._side.setCurrentWidget(self.details)

    def _go_back(self) -> None:
        self._leave_scoring()
        button = self.details.compare if self.scoring.scoring.compares else self.details.evaluate
        button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _score(self, scoring: Scoring) -> None:
        self._go_back()
        self.row_actions.score(scoring, partial(self._score_again, scoring))

    def _score_again(self, scoring: Scoring) -> None:
        """Shows the form of an evaluation that failed as it was filled in."""
        self.details.commit()
        self.scoring.take_up(scoring)
        self._side.setCurrentWidget(self.scoring)
        self.show_side("details")
        self.scoring.focus_first()

    # A folder is imported, a model is converted

    def set_up_import(self, folder: Path) -> None:
        """Looks through a folder, and shows what is in it before it is imported."""
        self.details.commit()
        self._looking_through = folder
        title = tr("Import “{name}”").format(name=folder.name)
        self.page.show_words(title, tr("Looking through the folder…"))
        self._show_page()
        run = self.row_actions.look_through(folder)
        run.finished.connect(lambda facts: self._offer_import(folder, facts))
        run.failed.connect(lambda failure: self._refuse_import(folder, failure))

    def _offer_import(self, folder: Path, facts: FolderFacts) -> None:
        if folder == self._looking_through:
            self._show_import(folder, facts, import_settings(facts))

    def _show_import(self, folder: Path, facts: FolderFacts, settings: Settings) -> None:
        self._begin_page = partial(self._import, folder, facts)
        self.page.show_form(
            tr("Import “{name}”").format(name=folder.name),
            tr("The model is copied; its folder is not needed any more. Nothing in it is run."),
            settings,
            facts=folder_rows(facts),
            begin=(tr("Import"), "folder-input"),
            command=partial(import_command, facts),
            left_out=import_left_out(facts),
            warning=folder_warning(facts),
        )

    def _refuse_import(self, folder: Path, failure: Failed) -> None:
        if folder == self._looking_through:
            title = tr("“{name}” cannot be imported").format(name=folder.name)
            self.page.show_failure(title, failure)

    def _import(self, folder: Path, facts: FolderFacts, settings: Settings) -> None:
        assert isinstance(settings, ImportSettings)
        self._leave_page()

        def again() -> None:
            self.details.commit()
            self._show_import(folder, facts, settings)
            self._show_page()

        self.row_actions.import_folder(folder, settings, again)

    def set_up_conversion(self) -> None:
        """Shows how the chosen model is made to read longer texts."""
        model = self.state.selected
        if model is not None and can_convert(model):
            self._show_conversion(model, convert_settings(model))

    def _show_conversion(self, model: DescribedModel, settings: Settings) -> None:
        self.details.commit()
        self._looking_through = None

        def begin(settings: Settings) -> None:
            assert isinstance(settings, ConvertSettings)
            self._leave_page()
            self.row_actions.convert(
                model, settings, partial(self._show_conversion, model, settings)
            )

        self._begin_page = begin
        self.page.show_form(
            tr("Convert “{name}”").format(name=model.title),
            tr("An LED with its weights: the encoder attends within a window, so that it reads "
               "longer texts. It should be fine-tuned on long documents. The old model stays."),
            settings,
            facts=[(tr("Reads now"), length_of(model))],
            begin=(tr("Convert"), "move-horizontal"),
            command=partial(convert_command, model),
        )  # fmt: skip
        self._show_page()

    @property
    def is_setting_up(self) -> bool:
        """Whether an import or a conversion is being set up."""
        return self._side.currentWidget() is self.page

    def _show_page(self) -> None:
        self._side.setCurrentWidget(self.page)
        self.show_side("details")
        self.page.focus_first()

    def _leave_page(self) -> None:
        self._looking_through = None
        self._side.setCurrentWidget(self.details)
        self.details.summarise.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_imported(self, folder: Path) -> None:
        """Chooses a model that was just imported, as soon as it is listed."""
        self._wanted_key = str(folder)
        self.look()

    def _filter(self) -> None:
        state = self.state
        state.kept, state.order = self.strip.choice, self._order.currentData()  # type: ignore[assignment]
        state.wanted = self.strip.query
        self.redraw()

    # What the window asks

    def commands(self) -> Mapping[str, Callable[[], object]]:
        """Export writes the chosen model, find searches, undo takes back what was deleted."""
        found: dict[str, Callable[[], object]] = {
            "export": self.row_actions.ask_where_to_export,
            "find": self.strip.focus_find,
            "undo": self.row_actions.trash.undo,
        }
        if self.is_scoring:
            found |= {"start": self.scoring.start, "copy_command": self.scoring.command.copy}
        if self.is_setting_up:
            found |= {"start": self.page.start, "copy_command": self.page.command.copy}
        return found

    def can_take(self, data: QMimeData) -> bool:
        """Takes models that were exported, and folders of models."""
        return bool(_models_in(data) or _folders_in(data))

    def take(self, data: QMimeData) -> None:
        """Imports what was dropped."""
        for path in _models_in(data):
            self.row_actions.import_from(path)
        for folder in _folders_in(data)[:1]:
            self.set_up_import(folder)

    def escape(self) -> bool:
        """Leaves the evaluation that is set up, the field of the name, or the details."""
        if self.is_scoring:
            self._go_back()
            return True
        if self.is_setting_up:
            self._leave_page()
            return True
        if self.details.escape():
            return True
        return self.leave_right(self.list)

    def regions(self) -> list[QWidget]:
        """The parts that F6 moves between."""
        return [self.header, self.strip, self.list, self._side]

    def may_close(self) -> bool:
        """Keeps what is still being typed."""
        self.details.commit()
        return True

    def choose(self, chosen: Mapping[str, str]) -> None:
        """Shows the details of a model, by the name of its folder."""
        model = self.state.named(chosen.get("model", ""))
        if model is not None:
            self.select(str(model.folder))
            self.show_side("details")

    # Qt's

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete and self.list.hasFocus():
            self.row_actions.delete()
            return
        super().keyPressEvent(event)

    def fold(self) -> None:
        """Shows both sides, or one; the order where there is room for it."""
        super().fold()
        width = self.window().width()
        self._order.setVisible(width >= _ORDER_FROM_PX or width < BOTH_SIDES_PX)


def _models_in(data: QMimeData) -> list[Path]:
    """The files of models among what is dragged."""
    return [path for path in _paths_in(data) if path.suffix.lower() in (SUFFIX, GGUF_SUFFIX)]


def _folders_in(data: QMimeData) -> list[Path]:
    """The folders of Hugging Face models among what is dragged."""
    return [path for path in _paths_in(data) if is_library_folder(path)]


def _paths_in(data: QMimeData) -> list[Path]:
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
