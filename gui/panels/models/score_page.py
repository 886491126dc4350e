"""Sets up how a model is scored: on which set, against which other model, with which settings."""

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from core.data.corpus_facts import CorpusFacts, list_corpora
from core.evaluation.settings import ScoreSettings
from core.jobs.call import CallJob
from core.jobs.models.describe_models import DescribedModel
from core.numbers import format_count
from gui.forms.form import Form
from gui.forms.state import FormState
from gui.panel import Services
from gui.panels.models.details import ScrollPage
from gui.panels.models.scoring import Scoring, usual_settings
from gui.panels.models.words import title_of, tr
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.inputs.button import Button, icon_button
from gui.widgets.inputs.combo import ComboBox
from gui.widgets.inputs.command_line import CommandLine
from gui.widgets.support import layouts
from gui.widgets.support.leaving import let_go

_EDGE_PX = 24
_FIRST = ("split", "limit", "length")
_FILES = "*.jsonl *.csv *.tsv *.parquet"


class ScorePage(Plane):
    """The choice of a set and another model, the form of the settings, the command, the button."""

    begun = Signal(object)
    """The `Scoring` that shall be done."""
    left = Signal()
    """The page is to be closed."""

    def __init__(self, services: Services) -> None:
        super().__init__(services.theme, "surface")
        self._services, self._theme = services, services.theme
        self.scoring = Scoring(None, compares=False)
        self.back = icon_button(self._theme, "arrow-left", tr("Back to the model"))
        self.back.triggered.connect(self.left)
        self._title = Label(self._theme, "", "title", elide=True)
        self._what = Label(self._theme, "", "body", "text2", wrap=True)
        self.against = ComboBox(self._theme, name=tr("Compared with"))
        self.against.activated.connect(self._choose_against)
        self.pairs = ComboBox(self._theme, name=tr("Documents and references"))
        self.pairs.activated.connect(self._choose_pairs)
        self._why_not = Label(self._theme, "", "small", "text2", wrap=True)
        self.command = CommandLine(self._theme, wrap=True)
        self.begin = Button(self._theme, tr("Evaluate"), kind="primary", icon="gauge")
        self.begin.triggered.connect(self.start)
        self.form: Form | None = None
        self._form_state: FormState[ScoreSettings] | None = None
        self._lay_out()

    def _lay_out(self) -> None:
        page = QWidget()
        self._other = self._labelled(tr("Compared with"), self.against)
        self._body = layouts.column(
            layouts.row(self.back, (self._title, 1), spacing=8),
            self._what,
            8,
            self._other,
            self._labelled(tr("Documents and references"), self.pairs),
            layouts.stretch(),
            into=page,
            margins=(_EDGE_PX, 16, _EDGE_PX, _EDGE_PX),
            spacing=8,
        )
        foot = Plane(self._theme, "surface")
        layouts.column(
            self.command,
            layouts.row((self._why_not, 1), self.begin, spacing=None),
            into=foot,
            margins=(_EDGE_PX, 8, _EDGE_PX, 12),
            spacing=8,
        )
        layouts.column((ScrollPage(page), 1), Divider(self._theme), foot, into=self)

    def _labelled(self, words: str, control: QWidget) -> QWidget:
        part = QWidget()
        label = Label(self._theme, words, "strong")
        label.setBuddy(control)
        layouts.column(label, control, into=part, spacing=4)
        return part

    # What is set up

    def set_up(
        self, model: DescribedModel | None, others: Mapping[str, str], compares: bool
    ) -> None:
        """Begins an evaluation, or a comparison.

        Args:
            model: The model; None for the built-in summariser.
            others: The titles of the models it can be compared with, by name or folder.
            compares: Whether it is compared.
        """
        last = self.scoring
        against = last.against if last.against in others else next(iter(others), "")
        self.take_up(
            Scoring(model, compares, others, against if compares else "", last.corpora, last.pairs)
        )

    def take_up(self, scoring: Scoring) -> None:
        """Shows what was chosen for an evaluation or a comparison, to be changed."""
        self.scoring = scoring
        model, compares, others = scoring.model, scoring.compares, scoring.others
        words = tr("Compare “{model}”") if compares else tr("Evaluate “{model}”")
        self._title.setText(words.format(model=title_of(model)))
        self._what.setText(
            tr("Both models write summaries of the same documents; the scores, their differences "
               "and 95 % intervals are kept with the models.")
            if compares
            else tr("The model writes a summary of each document, which is compared with the "
                    "reference; the scores are kept with the model.")
        )  # fmt: skip
        self.begin.setText(tr("Compare") if compares else tr("Evaluate"))
        self._other.setVisible(compares)
        self.against.clear()
        for name, title in others.items():
            self.against.addItem(title, name)
        chosen = list(others).index(scoring.against) if scoring.against in others else -1
        self.against.setCurrentIndex(chosen)
        self._make_form(usual_settings(compares), scoring.settings)
        self._show_pairs()
        run = self._services.controller.run_in_thread(
            CallJob(list_corpora, self._services.folders.corpora)
        )
        run.finished.connect(self._take_corpora)

    def _take_corpora(self, corpora: tuple[CorpusFacts, ...]) -> None:
        self.scoring.take_corpora(corpora)
        self._show_pairs()

    def _show_pairs(self) -> None:
        """Lists the sets; the last entry asks for a file."""
        scoring = self.scoring
        self.pairs.clear()
        for corpus in scoring.corpora:
            splits = ", ".join(f"{format_count(n)} {split}" for split, n in corpus.rows.items())
            self.pairs.addItem(f"{corpus.name} ({splits})", corpus.folder)
        if scoring.pairs is not None and scoring.corpus is None:
            self.pairs.addItem(scoring.pairs.name, scoring.pairs)
        self.pairs.addItem(tr("A file of pairs…"), None)
        at = [self.pairs.itemData(n) for n in range(self.pairs.count())].index(scoring.pairs)
        self.pairs.setCurrentIndex(at if scoring.pairs is not None else -1)
        self._set_split()
        self._refresh()

    def _set_split(self) -> None:
        """Takes the split that is for scoring where the set has not the one of the form."""
        state, wanted = self._form_state, self.scoring.usual_split
        if state is None or self.form is None:
            return
        preset = usual_settings(self.scoring.compares).model_copy(update={"split": wanted})
        state.set_preset(preset)
        if state.value("split") not in (self.scoring.splits or ("test",)):
            state.put("split", wanted)
        self.form.refresh()
        self.form.rows["split"].setVisible(bool(self.scoring.splits))

    def _make_form(self, usual: ScoreSettings, settings: ScoreSettings | None) -> None:
        if self.form is not None:
            self._body.removeWidget(self.form)
            let_go(self.form)
        self._form_state = FormState(type(usual), usual, settings, left_out=("prediction_column",))
        self.form = Form(
            self._theme, self._form_state, compared_with="default", basic=_FIRST,
            words={None: tr("All of them")},
        )  # fmt: skip
        self.form.changed.connect(self._refresh)
        self._body.insertWidget(self._body.count() - 1, self.form)

    def _choose_against(self, index: int) -> None:
        self.scoring.against = self.against.itemData(index)
        self._refresh()

    def _choose_pairs(self, index: int) -> None:
        chosen = self.pairs.itemData(index)
        if chosen is None:
            self.ask_for_file()
        else:
            self.choose_pairs(chosen)

    def ask_for_file(self) -> None:
        """Lets the person choose a file of pairs."""
        words = f"{tr('Documents and references')} ({_FILES})"
        name, _ = QFileDialog.getOpenFileName(
            self, tr("Documents and references"), str(Path.home()), words
        )
        self.choose_pairs(Path(name) if name else self.scoring.pairs)

    def choose_pairs(self, pairs: Path | None) -> None:
        """Takes a corpus or a file of pairs."""
        self.scoring.pairs = pairs
        self._show_pairs()

    def _refresh(self) -> None:
        state = self._form_state
        self.scoring.settings = state.settings if state is not None else None
        if self.form is not None:
            self.form.rows["split"].setVisible(bool(self.scoring.splits))
        problem = self.scoring.problem
        self._why_not.setText(problem)
        self.begin.set_usable(not problem, problem)
        self.command.show_line(self.scoring.command)

    def start(self) -> None:
        """Begins what is set up, unless something is wrong with it."""
        if self.form is None or self.form.show_problems() or self.scoring.problem:
            return
        self.begun.emit(self.scoring)

    def focus_first(self) -> None:
        """Puts the keyboard into the first choice."""
        first = self.against if self.scoring.compares else self.pairs
        first.setFocus(Qt.FocusReason.OtherFocusReason)
