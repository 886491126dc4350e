"""Sets up a comparison: the documents, the models and files, the settings, the command."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QFrame, QScrollArea, QVBoxLayout, QWidget

from core.data.corpus_facts import CorpusFacts, list_corpora
from core.evaluation.settings import ScoreSettings
from core.events import Failed
from core.jobs.call import CallJob
from core.jobs.models.describe_models import DescribeModelsJob, ModelsFound
from core.numbers import format_count
from gui.forms.form import Form
from gui.forms.state import FormState
from gui.panel import Services
from gui.panels.compare.setup import READY_MODELS, Setup, usual_settings
from gui.panels.compare.words import tr
from gui.widgets.display.failure_line import FailureLine
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.inputs.button import Button, icon_button
from gui.widgets.inputs.combo import ComboBox
from gui.widgets.inputs.command_line import CommandLine
from gui.widgets.inputs.toggle import CheckBox
from gui.widgets.support import layouts
from gui.widgets.support.leaving import clear, let_go

_WIDEST_PX = 760
_EDGE_PX = 24
_FIRST = ("split", "limit", "length", "references")
_TABLES = "*.jsonl *.csv *.tsv *.parquet"
_PREDICTIONS = "*.jsonl *.csv *.tsv *.txt *.parquet"
_A_TABLE, _A_FOLDER, _A_DOCUMENT = "table", "folder", "document"


class SetupPage(Plane):
    """All that is chosen before a comparison begins."""

    begun = Signal(object)
    """The `Setup` that shall be done."""

    def __init__(self, services: Services) -> None:
        super().__init__(services.theme, "surface")
        self._services, self._theme = services, services.theme
        self.setup = Setup()
        self._titles: dict[str, str] = {}
        self._boxes: dict[str, CheckBox] = {}
        self.pairs = ComboBox(self._theme, name=tr("Documents"))
        self.pairs.setPlaceholderText(tr("Choose documents"))
        self.pairs.activated.connect(self._choose_pairs)
        self._models = QVBoxLayout()
        self._files = QVBoxLayout()
        self.add_file = Button(self._theme, tr("Add summaries from a file…"), icon="plus")
        self.add_file.triggered.connect(self.ask_for_predictions)
        self.command = CommandLine(self._theme, wrap=True)
        self._why_not = Label(self._theme, "", "small", "text2", wrap=True)
        self.failure = FailureLine(self._theme)
        self.begin = Button(
            self._theme, tr("Compare"), kind="primary", icon="columns-3", keys="Ctrl Enter"
        )
        self.begin.triggered.connect(self.start)
        self._waits_for_references = False  # turned off for documents that have none
        self.form: Form | None = None
        self._form_state: FormState[ScoreSettings] | None = None
        self._lay_out()
        self._make_form(usual_settings())
        self._show_models()
        self._show_pairs()

    def _lay_out(self) -> None:
        page = QWidget()
        page.setMaximumWidth(_WIDEST_PX)
        documents = self._heading(
            tr("Documents"),
            tr("A corpus, a table with documents and references, or documents without references."),
        )
        models = self._heading(
            tr("Models"),
            tr("Each writes a summary of every document. All are compared with the first."),
        )
        files = self._heading(
            tr("Summaries of other programs"),
            tr("JSON Lines, CSV or Parquet with a row for each document, or plain text with a "
               "summary in each line, in the order of the documents."),
        )  # fmt: skip
        self._body = layouts.column(
            *documents,
            self.pairs,
            *models,
            self._models,
            *files,
            self._files,
            layouts.row(self.add_file, layouts.stretch(), spacing=None),
            8,
            layouts.stretch(),
            into=page,
            margins=(_EDGE_PX, 16, _EDGE_PX, _EDGE_PX),
            spacing=8,
        )
        across = QWidget()
        layouts.row(layouts.stretch(), (page, 100), layouts.stretch(), into=across, spacing=None)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(across)
        scroll.viewport().setAutoFillBackground(False)
        across.setAutoFillBackground(False)
        layouts.column((scroll, 1), Divider(self._theme), self._make_foot(), into=self)

    def _make_foot(self) -> Plane:
        foot = Plane(self._theme, "surface")
        layouts.column(
            self.failure,
            self.command,
            layouts.row((self._why_not, 1), self.begin, spacing=None),
            into=foot,
            margins=(_EDGE_PX, 8, _EDGE_PX, 12),
            spacing=8,
        )
        return foot

    def _heading(self, title: str, what: str) -> tuple[layouts.Part, ...]:
        text = Label(self._theme, what, "small", "text2", wrap=True)
        return 12, Label(self._theme, title, "section"), text

    # What there is to choose

    def take_up(self, setup: Setup) -> None:
        """Begins with other choices; the corpora that are known stay."""
        self.failure.hide()
        setup.corpora = self.setup.corpora
        self.setup = setup
        settings = setup.settings or usual_settings()
        self._waits_for_references = False
        assert self.form is not None
        self._body.removeWidget(self.form)
        let_go(self.form)
        self._make_form(settings)
        for name, box in self._boxes.items():
            box.setChecked(name in setup.models)
        self._show_files()
        self._show_pairs()

    def show_failure(self, failure: Failed) -> None:
        """Says why the comparison that was begun with these choices failed."""
        self.failure.show_failure(failure)

    def look(self) -> None:
        """Looks which corpora and models there are now."""
        folders, run = self._services.folders, self._services.controller.run_in_thread
        run(CallJob(list_corpora, folders.corpora)).finished.connect(self._take_corpora)
        run(DescribeModelsJob(folders.runs, folders.built_in)).finished.connect(self._take_models)

    def _take_corpora(self, corpora: tuple[CorpusFacts, ...]) -> None:
        self.setup.take_corpora(corpora)
        self._show_pairs()

    def _take_models(self, found: ModelsFound) -> None:
        self._titles = {str(model.folder): model.title for model in found.models if not model.fault}
        self.setup.take_models(self._titles)
        self._show_models()
        self._refresh()

    def _show_pairs(self) -> None:
        setup = self.setup
        self.pairs.clear()
        for corpus in setup.corpora:
            splits = ", ".join(f"{format_count(n)} {split}" for split, n in corpus.rows.items())
            without = "" if corpus.make == "pairs" else tr(", without references")
            self.pairs.addItem(f"{corpus.name} ({splits}{without})", corpus.folder)
        if setup.pairs is not None and setup.corpus is None:
            self.pairs.addItem(setup.pairs.name, setup.pairs)
        self.pairs.addItem(tr("A table of documents and references…"), _A_TABLE)
        self.pairs.addItem(tr("A folder of documents…"), _A_FOLDER)
        self.pairs.addItem(tr("A document…"), _A_DOCUMENT)
        values = [self.pairs.itemData(at) for at in range(self.pairs.count())]
        self.pairs.setCurrentIndex(values.index(setup.pairs) if setup.pairs in values else -1)
        self._follow_pairs()
        self._refresh()

    def _follow_pairs(self) -> None:
        """Takes the split that is for scoring, and asks for references where there are some.

        References that the person does not want stay turned off.
        """
        state, setup = self._form_state, self.setup
        if state is None or self.form is None:
            return
        if setup.pairs is None:
            self._show_split()
            return
        if state.value("split") not in (setup.splits or ("test",)):
            state.put("split", setup.usual_split)
        has_none = setup.corpus.make != "pairs" if setup.corpus else not _is_table(setup.pairs)
        if has_none and state.value("references"):
            self._waits_for_references = True
            state.put("references", False)
        elif self._waits_for_references and not has_none:
            self._waits_for_references = False
            state.put("references", True)
        self.form.refresh()
        self._show_split()

    def _show_split(self) -> None:
        """Only a corpus has splits to choose from."""
        if self.form is not None:
            self.form.rows["split"].setVisible(bool(self.setup.splits))

    def _show_models(self) -> None:
        told = (tr("Built-in summariser"), tr("Lead: the first sentences"),
                tr("Gap sentences"), tr("Random sentences"))  # fmt: skip
        gone = tr("{model}, not on this computer any more")
        missing = {name: gone.format(model=Path(name).name) for name in self.setup.missing}
        names = dict(zip(READY_MODELS, told, strict=True)) | self._titles | missing
        if list(names) == list(self._boxes):
            return  # made anew, they would lose the keyboard
        for box in self._boxes.values():
            self._models.removeWidget(box)
            let_go(box)
        self._boxes = {}
        for name, title in names.items():
            box = CheckBox(self._theme, title)
            box.setChecked(name in self.setup.models)
            box.toggled.connect(partial(self._turn, name))
            self._boxes[name] = box
            self._models.addWidget(box)
            box.show()

    def _turn(self, name: str, chosen: bool) -> None:
        self.setup.turn_model(name, chosen)
        self._refresh()

    def box(self, name: str) -> CheckBox:
        """The box of a model."""
        return self._boxes[name]

    def _show_files(self) -> None:
        clear(self._files)
        for path in self.setup.files:
            row = QWidget()
            words = tr("Leave out {file}").format(file=path.name)
            away = icon_button(self._theme, "x", words)
            away.triggered.connect(partial(self._leave_out, path))
            layouts.row(
                (Label(self._theme, path.name, "body", elide=True), 1), away, into=row, spacing=None
            )
            self._files.addWidget(row)
        self._refresh()

    def _leave_out(self, path: Path) -> None:
        self.setup.files.remove(path)
        self._show_files()

    def _make_form(self, settings: ScoreSettings) -> None:
        self._form_state = FormState(ScoreSettings, usual_settings(), settings)
        self.form = Form(
            self._theme, self._form_state, compared_with="default", basic=_FIRST,
            words={None: tr("All of them")},
        )  # fmt: skip
        self.form.changed.connect(self._refresh)
        self._body.insertWidget(self._body.count() - 1, self.form)

    # What a person chooses

    def _choose_pairs(self, index: int) -> None:
        chosen = self.pairs.itemData(index)
        asks = {_A_TABLE: self._ask_for_table, _A_FOLDER: self._ask_for_folder,
                _A_DOCUMENT: self._ask_for_document}  # fmt: skip
        if isinstance(chosen, str):
            asks[chosen]()
        else:
            self.choose_pairs(chosen)

    def _ask_for_table(self) -> None:
        self._ask(tr("Documents and references"), f"{tr('Tables')} ({_TABLES})")

    def _ask_for_document(self) -> None:
        self._ask(tr("A document"), "")

    def _ask(self, title: str, filters: str) -> None:
        name, _ = QFileDialog.getOpenFileName(self, title, str(Path.home()), filters)
        self.choose_pairs(Path(name) if name else self.setup.pairs)

    def _ask_for_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self, tr("Documents"), str(Path.home()))
        self.choose_pairs(Path(name) if name else self.setup.pairs)

    def choose_pairs(self, pairs: Path | None) -> None:
        """Takes a corpus, a table, a document or a folder of documents."""
        self.setup.pairs = pairs
        self._show_pairs()

    def ask_for_predictions(self) -> None:
        """Lets the person choose files of summaries."""
        words = f"{tr('Summaries')} ({_PREDICTIONS})"
        names, _ = QFileDialog.getOpenFileNames(
            self, tr("Summaries of other programs"), str(Path.home()), words
        )
        self.add_predictions([Path(name) for name in names])

    def add_predictions(self, paths: Sequence[Path]) -> None:
        """Adds files of summaries."""
        self.setup.add_files(paths)
        self._show_files()

    def _refresh(self) -> None:
        state = self._form_state
        self.setup.settings = state.settings if state is not None else None
        problem = self.setup.problem
        self._why_not.setText(problem)
        self.begin.set_usable(not problem, problem)
        self._show_split()
        self.command.show_line(self.setup.command(self._services.folders.comparisons))

    def start(self) -> None:
        """Begins what is set up, unless something is wrong with it."""
        if self.form is None or self.form.show_problems() or self.setup.problem:
            return
        self.begun.emit(self.setup)

    def focus_first(self) -> None:
        """Puts the keyboard into the first choice."""
        self.pairs.setFocus(Qt.FocusReason.OtherFocusReason)


def _is_table(path: Path) -> bool:
    return any(path.name.lower().endswith(end[1:]) for end in _TABLES.split())
