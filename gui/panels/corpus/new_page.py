"""Sets up a new corpus: what it is made of, how it is prepared, what it is called."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QBoxLayout,
    QFileDialog,
    QFrame,
    QScrollArea,
    QWidget,
)

from core.data.named_data_sets import NamedDataSet, named_data_sets
from core.data.settings import CorpusSettings
from core.events import Failed
from core.jobs.corpora.preview_sources import PreviewSourcesJob, SourcePreview
from core.library.named_folders import typed_path
from gui.forms.form import Form
from gui.forms.state import FormState
from gui.panel import Services
from gui.panels.corpus.source_list import SourceList
from gui.panels.corpus.state import NewCorpus, suggested_name, with_column
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.command_line import CommandLine
from gui.widgets.inputs.drop_zone import DropZone
from gui.widgets.inputs.field import FieldFrame, TextField
from gui.widgets.inputs.menu import Menu
from gui.widgets.support import layouts
from gui.workers.latest_run import LatestRun

_FORM_PX = 440
_LOOK_AFTER_MS = 300
_START = str(Path.home())  # where the dialogs begin, not where the program was started
GROUPS = {
    "Columns and files": ("document_column", "summary_column", "include", "exclude"),
    "Gap sentences": (
        "strategy", "ratio", "rouge", "ratio_to", "count", "unique", "stem", "aggregate",
        "tokenizer", "algorithm", "noise", "masking", "left_in", "seed",
    ),
    "Speed": ("processes",),
}  # fmt: skip
WORDS: dict[object, str] = {
    None: "Automatic", "gsg": "Gap sentences", "pairs": "Pairs", "text": "Text",
}  # fmt: skip


class NewPage(QWidget):
    """The sources at the left, the settings at the right, the command at the foot.

    Signals:
        changed: What can be done has changed.
    """

    changed = Signal()

    def __init__(self, services: Services) -> None:
        super().__init__()
        self._services = services
        self._theme = services.theme
        self._looking = LatestRun()
        self._look_soon = QTimer(self, singleShot=True, interval=_LOOK_AFTER_MS)
        self._look_soon.timeout.connect(self._look)
        self.state = NewCorpus(services.folders.corpora)
        self.sources = SourceList(self._theme)
        self.sources.removed.connect(self._remove)
        self.sources.column_chosen.connect(self._choose_column)
        self.name = TextField(self._theme, name=self.tr("Name of the corpus"))
        self.name.textEdited.connect(self._name_typed)
        self.command = CommandLine(self._theme, wrap=True)
        self._form_state: FormState[CorpusSettings] = FormState(CorpusSettings)
        self.form = Form(
            self._theme, self._form_state, groups=GROUPS, words=WORDS, compared_with="default"
        )
        self.form.changed.connect(self._settings_changed)
        self._lay_out()
        self._refresh()

    def _lay_out(self) -> None:
        self._body = Plane(self._theme, "window")
        self._across = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._body)
        self._across.setContentsMargins(24, 16, 24, 16)
        self._across.setSpacing(24)
        self._across.addWidget(self._left(), 3)
        self._across.addWidget(self._right(), 2)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self._body)
        self.foot = Plane(self._theme, "window")
        layouts.row(self.command, into=self.foot, margins=(24, 8, 24, 8))
        layouts.column((area, 1), Divider(self._theme), self.foot, into=self)

    def _left(self) -> QWidget:
        self.left = QWidget()
        row = layouts.row(
            Label(self._theme, self.tr("Sources"), "section"),
            layouts.stretch(),
            *self._adders(),
            spacing=8,
        )
        self.zone = DropZone(
            self._theme,
            self.tr("Drop documents, folders or tables here"),
            self.tr("PDF, Word, e-book, web page or text; Parquet, JSON Lines or CSV."),
        )
        self.zone.files_dropped.connect(lambda paths: self.add(map(str, paths)))
        self.zone.setMinimumHeight(180)
        layouts.column(row, self.sources, self.zone, layouts.stretch(), into=self.left, spacing=8)
        return self.left

    def _adders(self) -> list[QWidget]:
        def button(words: str, icon: str, act: Callable[[], object]) -> Button:
            made = Button(self._theme, words, icon=icon, height=28)
            made.triggered.connect(act)
            return made

        self.named = TextField(
            self._theme,
            name=self.tr("Data set or path"),
            placeholder=self.tr("hf:xsum, or a path"),
            height=28,
        )
        self.named.setFixedWidth(160)
        self.data_sets = Button(
            self._theme,
            self.tr("Data set"),
            icon="download",
            trailing_icon="chevron-down",
            height=28,
            tooltip=self.tr("Data sets that are known by name"),
        )
        self.data_sets.triggered.connect(self._open_data_sets)
        self.named.returnPressed.connect(self._add_named)
        return [
            button(self.tr("Files"), "file-text", self.ask_for_files),
            button(self.tr("Folder"), "folder-open", self.ask_for_folder),
            self.data_sets,
            self.named,
        ]

    def _right(self) -> QWidget:
        self.right = QWidget()
        self.right.setMinimumWidth(320)
        self._name_frame = FieldFrame(self._theme, self.tr("Name"), self.name)
        layouts.column(
            self._name_frame,
            self.form,
            layouts.stretch(),
            into=self.right,
            margins=(0, 4, 0, 0),
            spacing=8,
        )
        return self.right

    def fold(self, narrow: bool) -> None:
        """Puts the settings below the sources where there is no room beside them."""
        ways = QBoxLayout.Direction
        self._across.setDirection(ways.TopToBottom if narrow else ways.LeftToRight)

    # Sources

    def begin(self, names: Iterable[str], settings: CorpusSettings | None = None) -> None:
        """Begins anew with some sources.

        Args:
            names: The sources.
            settings: How the corpus is prepared; the defaults if None.
        """
        self.state = NewCorpus(self._services.folders.corpora)
        self._form_state.set_preset(CorpusSettings())
        self._form_state.show(settings or CorpusSettings())
        self.state.settings = self._form_state.settings
        self.state.make_is_chosen = bool(settings and settings.make)
        self.form.tell({})
        self.form.refresh()
        self.name.set_error("")
        self.add(names)
        self._refresh()

    def suggest_name(self, name: str) -> None:
        """Calls the corpus by a name that is free, unless the person has named it."""
        if not self.state.named_by_hand:
            self.state.name = suggested_name(name, self._services.folders.corpora)
            self._refresh()

    def add(self, names: Iterable[str]) -> None:
        """Adds sources and looks into them."""
        if self.state.add(names):
            self.look()

    def ask_for_files(self) -> None:
        """Lets the person choose files."""
        paths, _ = QFileDialog.getOpenFileNames(self, self.tr("Add documents or tables"), _START)
        self.add(paths)

    def ask_for_folder(self) -> None:
        """Lets the person choose a folder."""
        path = QFileDialog.getExistingDirectory(self, self.tr("Add a folder"), _START)
        self.add([path] if path else [])

    def _add_named(self) -> None:
        name = self.named.text().strip()
        if name:
            self.named.clear()
            known = name.startswith("hf:")
            self.add([name if known else str(typed_path(name))])

    def _open_data_sets(self) -> None:
        menu = Menu(self._theme, self.tr("Data sets"), self)
        for each in named_data_sets():
            holds = self.tr("pairs") if each.has_summaries else self.tr("documents")
            told = self.tr(", streamed") if each.is_streamed else ""
            if each.needs_folder:
                told = self.tr(", from its folder…")
            menu.add(each.name, partial(self._add_data_set, each), detail=f"{holds}{told}")
        menu.open_below(self.data_sets)

    def _add_data_set(self, chosen: NamedDataSet) -> None:
        if not chosen.needs_folder:
            self.add([chosen.name])
            return
        told = self.tr("The unpacked archive of {name}").format(name=chosen.name)
        path = QFileDialog.getExistingDirectory(self, told, _START)
        self.add([f"{chosen.name}:{path}"] if path else [])

    def _remove(self, name: str) -> None:
        self.state.remove(name)
        self.look()

    # Looking into them

    def look(self) -> None:
        """Looks into the sources soon; what was asked before does not count any more."""
        self.state.is_looking = bool(self.state.sources)
        self._look_soon.start()
        if not self.state.sources:
            self.state.previews = ()
        self._refresh()

    def _look(self) -> None:
        self._looking.stop()
        if not self.state.sources:
            return
        settings = self.state.settings or CorpusSettings()
        run = self._services.controller.run_in_reader(
            PreviewSourcesJob(self.state.sources, settings)
        )
        self._looking.follow(run, self._looked, self._not_looked)

    def _looked(self, found: tuple[SourcePreview, ...]) -> None:
        self.state.previews, self.state.is_looking = found, False
        self._choose_make()
        self._refresh()

    def _choose_make(self) -> None:
        """Makes gap sentences of plain documents, unless the person chose something.

        That is the default then: it stands nowhere as a difference, and the help says why.
        """
        settings, make = self.state.settings, self.state.fitting_make
        if settings is None:
            return
        if not self.state.make_is_chosen and settings.make != make:
            self.state.settings = settings = settings.model_copy(update={"make": make})
        self._form_state.set_preset(CorpusSettings(make=make))
        self._form_state.show(settings)
        why = self.tr("By default gap sentences, since these documents have no summaries.")
        self.form.tell({"make": why} if make else {})
        self.form.refresh()

    def _not_looked(self, failure: Failed) -> None:
        names = self.state.sources
        fault, remedy = failure.message, failure.remedy
        self._looked(
            tuple(
                SourcePreview(name, "none", fault=fault, remedy=remedy, asked=name)
                for name in names
            )
        )

    def _choose_column(self, role: str, column: str) -> None:
        settings = with_column(self.state.settings or CorpusSettings(), role, column)
        self._form_state.show(settings)
        self.form.refresh()
        self._settings_changed()

    def _settings_changed(self) -> None:
        before, self.state.settings = self.state.settings, self._form_state.settings
        if before is not None and self.state.settings is not None:
            self.state.make_is_chosen |= before.make != self.state.settings.make
        names = ("document_column", "summary_column", "include", "exclude", "make")
        if (
            before is None
            or self.state.settings is None
            or any(getattr(before, name) != getattr(self.state.settings, name) for name in names)
        ):
            self.look()
        self._refresh_words()

    # Name

    def _name_typed(self, text: str) -> None:
        self.state.name, self.state.named_by_hand = text, bool(text.strip())
        self._refresh_words()

    def _refresh(self) -> None:
        state = self.state
        self.sources.show_sources(state.sources, state.previews, state.is_looking)
        self.zone.setVisible(not state.sources)
        if self.name.text() != state.name:
            self.name.setText(state.name)
        self._refresh_words()

    def _refresh_words(self) -> None:
        state = self.state
        named = state.name.strip()
        self.name.set_error(state.name_problem if named else "")
        self.command.show_line(state.command)
        self.changed.emit()

    def show_problem(self) -> bool:
        """Goes to what keeps the corpus from being prepared; whether there was anything."""
        if self.form.show_problems():
            return True
        if self.state.name_problem and self.state.sources:
            self.name.set_error(self.state.name_problem)
            self.name.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        return bool(self.state.problem)
