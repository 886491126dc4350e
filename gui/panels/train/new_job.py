"""The page of a new job: four steps at the left, the one that is open beside them, its estimate."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from core.data.corpus_facts import CorpusFacts
from core.jobs.runs.list_runs import RunCard
from core.jobs.training.job_presets import JobPreset
from core.numbers import format_count, format_quantity
from gui.forms.form import Form
from gui.forms.given_row import Given
from gui.panels.train.command_view import CommandView
from gui.panels.train.draft import BASIC, GROUPS, Draft
from gui.panels.train.estimate import Estimate
from gui.panels.train.option_cards import Option, OptionCards
from gui.panels.train.preset_list import PresetList
from gui.panels.train.state import OBJECTIVES
from gui.panels.train.step_list import Step, StepList
from gui.theme.theme import Theme
from gui.widgets.chrome.panel_header import PanelHeader
from gui.widgets.display.area import Area
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.combo import ComboBox
from gui.widgets.inputs.field import FieldFrame, TextField
from gui.widgets.support import layouts
from gui.widgets.support.leaving import let_go
from gui.widgets.support.tab_order import put_in_order

STEPS: Final = ("what", "data", "from", "fields")
_LEFT_PX, RIGHT_PX, _MEASURE_PX = 245, 373, 700
_WORDS: Final[Mapping[object, str]] = {
    "window": "keep a window",
    "start": "keep the start",
    "skip": "leave out",
    "split": "split",
    "lengths": "by length",
    "fixed": "at random",
}


_BRIEF: Final[Mapping[str, str]] = {
    "optimizer": "{0}",
    "adam_beta2": "β2 {0}",
    "adam_epsilon": "ε {0}",
    "too_long": "long ones: {0}",
    "padding": "padding {0}",
    "precision": "{0}",
    "accumulate": "steps in {0} parts",
    "validate_rows": "validation on {0} examples",
    "rouge_rows": "ROUGE on {0}",
}


class NewJobPage(QWidget):
    """Draws a draft, and says what the person wants."""

    left = Signal()
    """Back to the runs; the draft stays."""
    started = Signal()
    objective_chosen = Signal(str)
    corpus_chosen = Signal(object)
    start_chosen = Signal(object)
    """A folder of a run, or None for a new model."""
    folder_wanted = Signal()
    """A model's folder is to be chosen."""
    corpus_wanted = Signal()
    """A corpus is to be prepared first."""
    preset_chosen = Signal(object)
    changed = Signal()
    """A field, or the name, is another one."""
    file_menu_wanted = Signal(QWidget)

    def __init__(self, theme: Theme, estimate: Estimate) -> None:
        super().__init__()
        self._theme = theme
        self.estimate = estimate
        self._form: Form | None = None
        self._below_head: list[QWidget] = []
        self._several_problem = ""
        self._given: tuple[Given, ...] = ()
        self._draft: Draft | None = None
        self.file = Button(theme, self.tr("More"), kind="ghost", trailing_icon="chevron-down")
        self.start = Button(
            theme, self.tr("Start"), kind="primary", icon="play", keys="Ctrl Enter",
            tooltip=self.tr("Put the job into the queue"),
        )  # fmt: skip
        title = self.tr("draft, kept as you type")
        self._start_words = ""
        self.header = PanelHeader(
            theme, self.tr("New job"), title, back=self.tr("Back to the runs"), edge_px=12
        )
        self.steps = StepList(
            theme,
            (
                Step("what", self.tr("What")),
                Step("data", self.tr("Data")),
                Step("from", self.tr("From")),
                Step("fields", self.tr("Preset and fields")),
            ),
        )
        self.step_box = ComboBox(theme, name=self.tr("Step"), width=260)
        self.presets = PresetList(theme)
        self.what = OptionCards(theme, self.tr("What to do"))
        self.data = OptionCards(theme, self.tr("Corpus"))
        self.missing_corpus = Label(theme, "", "body", "warn", wrap=True)
        self.origins = OptionCards(theme, self.tr("Start from"))
        self.name = TextField(theme, name=self.tr("Name of the run"))
        self.several = TextField(
            theme,
            name=self.tr("Several values"),
            placeholder="learning_rate=0.001,0.002; seed=0,1,2",
        )
        self.command = CommandView(theme)
        self._pages = QStackedWidget()
        self._make_pages()
        self._lay_out()
        self._connect()
        self.show_step("what")

    # Parts

    def _make_pages(self) -> None:
        tr = self.tr
        self._add_page(tr("What should the model learn?"), "", self.what)
        prepare = Button(self._theme, tr("Prepare a corpus…"), icon="plus")
        prepare.triggered.connect(self.corpus_wanted)
        self._add_page(
            tr("Which corpus does it learn from?"),
            tr("Prepared corpora, the newest first."),
            self.data,
            prepare,
            above=self.missing_corpus,
        )
        folder = Button(self._theme, tr("Model from a folder…"), icon="folder-open")
        folder.triggered.connect(self.folder_wanted)
        self._add_page(
            tr("Which weights does it start with?"),
            tr(
                "A run, a Hugging Face encoder-decoder, or a new model. "
                "Of a run the best checkpoint is taken, or the newest if it was never validated."
            ),
            self.origins,
            folder,
        )
        self._form_area = Area()
        self._form_column = QVBoxLayout()
        holder = Plane(self._theme, "surface")
        named = FieldFrame(self._theme, tr("Name of the run"), self.name)
        named.setMaximumWidth(420)
        self._narrow_presets = ComboBox(self._theme, name=tr("Preset"), width=260)
        self._narrow_preset_row = FieldFrame(self._theme, tr("Preset"), self._narrow_presets)
        told = tr("Fields with several values: one job is queued for each combination.")
        several = FieldFrame(self._theme, tr("Several values"), self.several, told)
        several.setMaximumWidth(620)
        self._below_form = layouts.column(margins=(0, 16, 0, 0), spacing=None)
        layouts.column(
            named,
            self._narrow_preset_row,
            self._form_column,
            12,
            several,
            self._below_form,
            layouts.stretch(0),
            into=holder,
            margins=(32, 12, 24, 24),
            spacing=4,
        )
        self._form_area.setWidget(holder)
        self._pages.addWidget(self._form_area)

    def _add_page(
        self,
        title: str,
        text: str,
        cards: OptionCards,
        *more: QWidget,
        above: QWidget | None = None,
    ) -> None:
        page = Plane(self._theme, "surface")
        column = layouts.column(
            Label(self._theme, title, "title"), into=page, margins=(32, 24, 32, 24), spacing=4
        )
        if text:
            column.addWidget(Label(self._theme, text, "body", "text2", wrap=True))
        if above is not None:
            column.addSpacing(4)
            column.addWidget(above)
        column.addSpacing(12)
        cards.setMaximumWidth(_MEASURE_PX)
        column.addWidget(cards)
        column.addSpacing(8)
        column.addLayout(layouts.row(*more, layouts.stretch(0), spacing=None))
        column.addStretch()
        area = Area()
        area.setWidget(page)
        self._pages.addWidget(area)

    def _lay_out(self) -> None:
        theme = self._theme
        self.header.add(self.file, self.estimate.try_button, self.start)
        self._side = Plane(theme, "window")
        layouts.column(
            self.steps,
            layouts.stretch(0),
            self.presets,
            into=self._side,
            margins=(8, 14, 8, 14),
            spacing=None,
        )
        self._side.setFixedWidth(_LEFT_PX)
        self._right = self._make_right()
        self._strip = Plane(theme, "window")
        layouts.row(
            self.step_box,
            layouts.stretch(0),
            into=self._strip,
            margins=(24, 8, 24, 8),
            spacing=None,
        )
        self._lines = [Divider(theme, Qt.Orientation.Vertical) for _ in range(2)]
        below = layouts.row(
            self._side,
            self._lines[0],
            (layouts.column(self._strip, (self._pages, 1)), 1),
            self._lines[1],
            self._right,
        )
        self._told = QVBoxLayout()
        layouts.column(self.header, Divider(theme), self._told, (below, 1), into=self)

    def put_below_head(self, widget: QWidget) -> None:
        """Shows what holds for every step below the head."""
        self._told.addWidget(widget)
        self._below_head.append(widget)

    def _make_right(self) -> Area:
        area = Area()
        self._consequences = Plane(self._theme, "surface")
        layouts.column(
            self.estimate,
            Divider(self._theme),
            self.command,
            layouts.stretch(0),
            into=self._consequences,
            margins=(20, 16, 20, 20),
            spacing=12,
        )
        area.setWidget(self._consequences)
        area.setFixedWidth(RIGHT_PX)
        return area

    def _connect(self) -> None:
        self.header.back.triggered.connect(self.left)
        self.start.triggered.connect(self.started)
        self.file.triggered.connect(lambda: self.file_menu_wanted.emit(self.file))
        self.steps.chosen.connect(self.show_step)
        self.step_box.activated.connect(lambda at: self.show_step(STEPS[at]))
        self.what.chosen.connect(self._choose(self.objective_chosen.emit, "data"))
        self.data.chosen.connect(self._choose(self.corpus_chosen.emit, "from"))
        self.origins.chosen.connect(self._choose(self.start_chosen.emit, "fields"))
        self.presets.chosen.connect(self.preset_chosen)
        self._narrow_presets.activated.connect(
            lambda at: self.preset_chosen.emit(self._narrow_presets.itemData(at))
        )
        self.name.textEdited.connect(lambda: self.changed.emit())
        self.several.textEdited.connect(lambda: self.changed.emit())
        self.several.editingFinished.connect(lambda: self.several.set_error(self._several_problem))

    def _choose(self, tell: Callable[[object], object], following: str) -> Callable[..., None]:
        """A choice leads on to the next step."""

        def take(value: object) -> None:
            tell(value)
            self.show_step(following)
            self.focus_step()

        return take

    def focusNextPrevChild(self, next: bool) -> bool:
        put_in_order(self)  # cards and rows are made anew, and would come last
        return super().focusNextPrevChild(next)

    # What is shown

    def show_step(self, name: str) -> None:
        """Opens a step."""
        if name == "fields" and self._draft is not None:
            self.show_form(self._draft)
        if name != self.step:
            self._form_area.verticalScrollBar().setValue(0)
        self._pages.setCurrentIndex(STEPS.index(name))
        self.steps.set_value(name)
        self.step_box.setCurrentIndex(STEPS.index(name))

    def focus_step(self) -> None:
        """Puts the keyboard on the step that is open."""
        item = self.steps.item(self.step)
        (item if item.isVisible() else self.step_box).setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def step(self) -> str:
        """The step that is open."""
        return STEPS[self._pages.currentIndex()]

    @property
    def form(self) -> Form | None:
        """The form of the draft, made when it is first needed; None before there is a draft."""
        if self._draft is not None:
            self.show_form(self._draft)
        return self._form

    def show_form(self, draft: Draft) -> None:
        """Shows the draft's fields: the form there is, or a new one where it has other fields."""
        self._draft = draft
        if self._form is None or self._form.state is not draft.form:
            if self._form is not None:
                self._form_column.removeWidget(self._form)
                let_go(self._form)
            self._given = ()
            names = {field.name for field in draft.form.fields}
            groups = {title: [n for n in names_ if n in names] for title, names_ in GROUPS.items()}
            self._form = Form(
                self._theme, draft.form, groups=groups, words=_WORDS, basic=BASIC, brief=_BRIEF
            )
            self._form.changed.connect(self.changed)
            self._form_column.addWidget(self._form)
        else:
            self._form.refresh()
        self._form.tell(draft.reasons)
        if draft.given != self._given:
            self._given = draft.given
            self._form.show_given(self._given)

    def show_draft(
        self, draft: Draft, corpora: Sequence[CorpusFacts], runs: Sequence[RunCard],
        own: Sequence[JobPreset],
    ) -> None:  # fmt: skip
        """Shows what is chosen and what may be."""
        self._show_what(draft)
        self._show_data(draft, corpora)
        self._show_origins(draft, runs)
        presets = [*draft.presets, *(each for each in own if each.fits(draft.objective))]
        if draft.preset not in presets:
            presets.append(draft.preset)
        is_given = draft.origin is not None
        self.presets.show_presets(presets, draft.preset, model_is_given=is_given)
        self._narrow_presets.clear()
        for preset in presets:
            self._narrow_presets.addItem(preset.title, preset)
        self._narrow_presets.setCurrentIndex(presets.index(draft.preset))
        self._draft = draft
        if self.step == "fields":
            self.show_form(draft)
        self._tell_steps(draft)

    def show_missing(self, missing: str, jobs: int = 1) -> None:
        """Says what keeps the job from starting, "" for nothing; and how many jobs there are."""
        self.start.set_usable(not missing, missing)
        words = self.tr("Start {0} jobs").format(jobs) if jobs > 1 else self.tr("Start")
        if self.start.text() != words:
            self.start.setText(words)
            self.start.updateGeometry()

    def show_several_problem(self, sentence: str) -> None:
        """Says under the several values what is wrong with them, once the person is done there."""
        self._several_problem = sentence
        if not sentence or not self.several.hasFocus():
            self.several.set_error(sentence)

    def _show_what(self, draft: Draft) -> None:
        tr = self.tr
        options = [
            Option(
                "gsg",
                tr("Pre-train with gap sentences"),
                tr("The model learns to write sentences that were taken out of each document."),
                icon="scroll-text",
            ),
            Option(
                "summary",
                tr("Fine-tune on pairs"),
                tr("The model learns to write the summaries that come with the documents."),
                icon="text-quote",
            ),
            Option(
                "language-model",
                tr("Language model"),
                tr("The model learns to continue the text, token by token."),
                icon="file-text",
            ),
        ]
        self.what.show_options(options, draft.objective)

    def _show_data(self, draft: Draft, corpora: Sequence[CorpusFacts]) -> None:
        made = {"gsg": "gap sentences", "pairs": "pairs", "text": "documents"}
        options = [
            Option(
                corpus.folder,
                corpus.name,
                ", ".join(filter(None, (made.get(corpus.make, corpus.make), _words(corpus.words)))),
                format_quantity(corpus.documents, "document"),
                "file-text",
                draft.refusal(corpus),
            )
            for corpus in corpora
        ]
        options.sort(key=lambda option: bool(option.refusal))
        told = self.tr("“{0}” is not on this computer any more; choose what it learns from.")
        self.missing_corpus.setText(told.format(draft.missing_corpus))
        self.missing_corpus.setVisible(bool(draft.missing_corpus))
        self.data.show_options(options, draft.corpus.folder if draft.corpus else None)

    def _show_origins(self, draft: Draft, runs: Sequence[RunCard]) -> None:
        tr = self.tr
        options = [
            Option(
                None, tr("A new model"), tr("Its size is that of the preset."), icon="plus"
            )
        ]  # fmt: skip
        folders = [card.folder for card in runs]
        chosen = (card for card in runs if card.folder == draft.start_from)
        self._start_words = next(map(start_words, chosen), "")
        if draft.start_from is not None and draft.start_from not in folders:
            where = str(draft.start_from.parent)
            options.append(Option(draft.start_from, draft.start_from.name, where, icon="box"))
        options += [
            Option(
                card.folder,
                card.title,
                ", ".join(filter(None, (OBJECTIVES.get(card.objective, ""), card.corpus))),
                start_words(card),
                "git-branch",
            )
            for card in runs
            if card.step
        ]
        self.origins.show_options(options, draft.start_from)

    def _tell_steps(self, draft: Draft) -> None:
        objective = {"gsg": self.tr("Pre-train with gap sentences")}.get(
            draft.objective, OBJECTIVES[draft.objective]
        )
        self.steps.tell("what", objective, True)
        corpus = draft.corpus
        told = self.tr("no corpus yet")
        if corpus is not None:
            told = f"{corpus.name}, {format_quantity(corpus.documents, 'document')}"
        self.steps.tell("data", told, corpus is not None and not draft.refusal(corpus))
        start = self.tr("a new model")
        if draft.start_from is not None:
            start = ", ".join(filter(None, (draft.start_from.name, self._start_words)))
        self.steps.tell("from", start, True)
        changes = len(draft.form.changed)
        many = f"; {format_quantity(changes, 'change')}" if changes else ""
        preset = draft.preset.title
        if draft.origin is not None:  # its model, which the title names, is not taken
            preset = self.tr("Training of “{0}”").format(preset)
        self.steps.tell("fields", f"{preset}{many}", draft.form.settings is not None)
        self.step_box.clear()
        for number, (name, item) in enumerate(
            ((name, self.steps.item(name)) for name in STEPS), start=1
        ):
            self.step_box.addItem(f"{number}  {item.text()}: {item.told}", name)
        self.step_box.setCurrentIndex(STEPS.index(self.step))

    def fold(self, width: int) -> None:
        """Leaves out what there is no room for: the steps become a box, the estimate goes below."""
        wide = width >= 1200
        self._side.setVisible(wide)
        self._lines[0].setVisible(wide)
        self._strip.setVisible(not wide)
        self._narrow_preset_row.setVisible(not wide)
        self._place_estimate(wide)
        self._right.setVisible(wide)
        self._lines[1].setVisible(wide)
        self.header.show_facts(self.tr("draft, kept as you type") if wide else "")

    def _place_estimate(self, beside: bool) -> None:
        """Puts estimate and command beside the form, or below it."""
        if beside and self._right.widget() is None:
            self._below_form.removeWidget(self._consequences)
            self._right.setWidget(self._consequences)
        elif not beside and self._right.widget() is not None:
            self._right.takeWidget()
            self._below_form.addWidget(self._consequences)
            self._consequences.show()

    def regions(self) -> list[QWidget]:
        """The parts that F6 moves between."""
        beside = [self._side, self._strip, self._pages, self._right]
        return [self.header, *self._below_head, *beside]


def start_words(card: RunCard) -> str:
    """The step of the weights that a job starts with which starts from a run."""
    if card.best_step and card.best_step != card.step:
        words = _tr("best at step {0} of {1}")
        return words.format(format_count(card.best_step), format_count(card.step))
    return _tr("step {0}").format(format_count(card.step))


def _tr(text: str) -> str:
    return QCoreApplication.translate("NewJobPage", text)


def _words(count: int) -> str:
    return format_quantity(int(float(f"{count:.3g}")), "word") if count else ""
