"""The right side of the Models panel: all about one model, and what can be done with it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QFocusEvent, QKeyEvent
from PySide6.QtWidgets import (
    QPlainTextEdit,
    QWidget,
)

from core.jobs.models.describe_models import DescribedModel
from core.models.hugging_face.conversion_report import conversion_lines
from gui.panels.models.actions import ModelActions
from gui.panels.models.lineage import Lineage
from gui.panels.models.score_words import ScoreTable, scores_of
from gui.panels.models.setting_up import can_convert
from gui.panels.models.state import ModelsState, key_of
from gui.panels.models.words import (
    Mark,
    built_in_origins,
    built_in_rows,
    facts_of,
    marks_of,
    prompt_of,
    sentence_of,
    state_of,
    title_of,
    tr,
)
from gui.theme.theme import Theme
from gui.widgets.display.area import Area
from gui.widgets.display.chip import Chip
from gui.widgets.display.fact_rows import FactRows
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.inputs.button import STRIP_HEIGHT_PX, Button
from gui.widgets.inputs.editable_title import EditableTitle
from gui.widgets.inputs.field import TextField
from gui.widgets.inputs.wrap_row import WrapRow
from gui.widgets.support import layouts
from gui.widgets.support.dragged import leave_files
from gui.widgets.support.leaving import clear

_PROMPT_HELP = tr("What the model is given; {text} stands for the document.")
_EDGE_PX = 24
_FOOT_PX = 52
_NOTES_PX = 76
_PROMPT_PX = 92


class Details(Plane):
    """Name, state, actions, lineage, scores, facts, licence and notes of the chosen model.

    Args:
        theme: The look.
        state: The state of the panel.
        actions: Does what the buttons say.
    """

    scoring_requested = Signal(bool)
    """The model is to be evaluated; with another one if true."""
    conversion_requested = Signal()
    """A model that reads longer texts is to be made of it."""
    relative_chosen = Signal(str)
    """The key of another model of the lineage."""

    def __init__(self, theme: Theme, state: ModelsState, actions: ModelActions) -> None:
        super().__init__(theme, "surface")
        self._state, self._actions = state, actions
        self._shown: str | None = None
        self._marks: tuple[Mark, ...] = ()
        self._make_head(theme)
        self._make_parts(theme)
        self.foot = self._make_foot(theme)
        self._lay_out(theme)

    def _make_head(self, theme: Theme) -> None:
        self.title = EditableTitle(theme, tr("Name of the model"), tr("Rename"), field_px=200)
        self.title.renamed.connect(self._actions.rename)
        self._chips = layouts.row(spacing=6)
        self._now = Label(theme, "", "body", "text2", wrap=True)
        self._what = Label(theme, "", "body", "text2", wrap=True)
        self.summarise = Button(theme, tr("Summarise with it"), kind="primary", icon="text-quote")
        self.evaluate = Button(
            theme,
            tr("Evaluate"),
            icon="gauge",
            tooltip=tr("Score its summaries against references"),
        )
        self.compare = Button(
            theme,
            tr("Compare"),
            icon="git-compare",
            tooltip=tr("Score it and another model on the same documents"),
        )
        self.convert = Button(
            theme,
            tr("Convert to longer…"),
            icon="move-horizontal",
            tooltip=tr("Make a model of it that reads longer texts at once"),
        )
        self.convert.triggered.connect(self.conversion_requested)
        self._why_not = Label(theme, "", "small", "text2", wrap=True)
        self.summarise.triggered.connect(self._actions.summarise)
        self.evaluate.triggered.connect(lambda: self.scoring_requested.emit(False))
        self.compare.triggered.connect(lambda: self.scoring_requested.emit(True))

    def _make_parts(self, theme: Theme) -> None:
        self.lineage = Lineage(theme)
        self.lineage.chosen.connect(self.relative_chosen)
        self._scores, self._facts = Scores(theme), FactRows(theme, num_columns=2)
        self._long_facts = FactRows(theme)  # what fills lines needs their whole width
        self.licence = TextField(
            theme, name=tr("Licence"), placeholder=tr("unknown"), height=STRIP_HEIGHT_PX
        )
        self.licence.setMaximumWidth(280)
        self.licence.editingFinished.connect(self._commit_licence)
        self.prompt = Notes(tr("Prompt"))
        self.prompt.setFixedHeight(_PROMPT_PX)
        self.prompt.left.connect(self._commit_prompt)
        self._prompt_problem = Label(theme, "", "small", "err", wrap=True)
        self._conversion = FactRows(theme)
        self.notes = Notes(tr("Notes"))
        self.notes.setPlaceholderText(tr("What you want to remember about this model"))
        self.notes.setFixedHeight(_NOTES_PX)
        self.notes.left.connect(self._commit_notes)

    def _make_foot(self, theme: Theme) -> QWidget:
        foot = Plane(theme, "surface")
        foot.setFixedHeight(_FOOT_PX)
        self.open_folder = Button(theme, tr("Open folder"), kind="ghost", icon="folder-open")
        self.export = Button(theme, tr("Export…"), kind="ghost", icon="download")
        self.export.triggered.connect(self._actions.ask_where_to_export)
        self.delete = Button(
            theme,
            tr("Delete"),
            kind="ghost",
            icon="trash-2",
            tooltip=tr("Move the model to the trash"),
            keys="Del",
        )
        self.open_folder.triggered.connect(self._actions.open_folder)
        self.delete.triggered.connect(self._actions.delete)
        # Not at the right, where "Evaluate" was just clicked: a second click would delete.
        layouts.row(
            self.delete,
            layouts.stretch(),
            self.open_folder,
            self.export,
            into=foot,
            margins=(_EDGE_PX - 9, 0, _EDGE_PX - 9, 0),
            spacing=8,
        )
        return foot

    def _lay_out(self, theme: Theme) -> None:
        page = QWidget()
        head = layouts.row(self.title, self._chips, layouts.stretch(), spacing=8)
        actions = (self.summarise, self.evaluate, self.compare, self.convert)
        self._parts = {
            "lineage": self._part(theme, tr("Lineage"), self.lineage),
            "scores": self._part(theme, tr("Scores"), self._scores),
            "facts": self._part(theme, tr("Facts"), self._facts, self._long_facts),
            "conversion": self._part(theme, tr("Conversion"), self._conversion),
            "prompt": self._part(
                theme,
                tr("Prompt"),
                Label(theme, _PROMPT_HELP, "small", "text2", wrap=True),
                self.prompt,
                self._prompt_problem,
            ),
            "yours": self._part(theme, tr("Licence and notes"), self.licence, self.notes),
        }
        layouts.column(
            head,
            8,
            self._what,
            2,
            self._now,
            16,
            WrapRow(theme, actions, gap=8, padding=(0, 0, 0, 0), color="surface"),
            4,
            self._why_not,
            *self._parts.values(),
            layouts.stretch(),
            into=page,
            margins=(_EDGE_PX, 20, _EDGE_PX, _EDGE_PX),
        )
        self.page = ScrollPage(page)
        self._line = Divider(theme)
        layouts.column((self.page, 1), self._line, self.foot, into=self)

    def _part(self, theme: Theme, title: str, *widgets: QWidget) -> QWidget:
        """A titled part below a line."""
        part = QWidget()
        layouts.column(
            Divider(theme),
            8,
            Label(theme, title, "section"),
            *widgets,
            into=part,
            margins=(0, 20, 0, 0),
            spacing=8,
        )
        return part

    # What is shown

    def refresh(self) -> None:
        """Shows the chosen model; what is being typed stays."""
        model, key = self._state.selected, self._state.chosen
        is_other, self._shown = key != self._shown, key
        self.title.show_title(title_of(model), can_rename=model is not None)
        self._show_marks(marks_of(model))
        self._what.setText(sentence_of(model))
        self._now.setText(state_of(model))
        self._now.setVisible(model is None or not model.fault)
        why_not = tr(self._state.why_not())
        for button in (self.summarise, self.evaluate, self.compare):
            button.set_usable(not why_not, why_not)
        self._why_not.setText(why_not)
        self._why_not.setVisible(bool(why_not) and not (model and model.fault))
        for part in (*self._parts.values(), self.foot, self._line):
            part.setVisible(model is not None)
        self.convert.setVisible(can_convert(model))
        self.convert.set_usable(not why_not, why_not)
        has_conversion = model is not None and model.conversion is not None
        self._parts["conversion"].setVisible(has_conversion)
        self._parts["prompt"].setVisible(bool(prompt_of(model)))
        evaluations = self._state.evaluations(model)
        known = self._state.built_in
        for name in ("scores", "facts"):
            self._parts[name].setVisible(True)
        self._scores.show_tables(scores_of(model, evaluations, known.tables))
        if is_other:
            self.title.end()
            self.page.verticalScrollBar().setValue(0)
        if model is not None:
            self._show_model(model, is_other)
        else:
            size, licence = self._state.built_in_bytes, self._state.built_in_licence
            self._facts.show_rows(built_in_rows(size, licence))
            self._long_facts.show_rows(built_in_origins(known))

    def _show_model(self, model: DescribedModel, is_other: bool) -> None:
        self.lineage.show_kin(self._state.lineage(model), key_of(model))
        self._facts.show_rows(facts_of(model))
        self._long_facts.show_rows([])
        self._conversion.show_rows(conversion_lines(model.conversion) if model.conversion else [])
        if is_other or not self.prompt.hasFocus():
            self.prompt.set_text(prompt_of(model))
            self._prompt_problem.hide()
        training = tr("It is being trained: stop its job first.")
        self.delete.set_usable(not model.is_training, training)
        self.export.set_usable(not model.fault, tr("It cannot be used."))
        licence = self._state.licence(model)
        unknown = tr("not stated by whoever exported it") if model.card.imported else tr("unknown")
        if model.card.is_damaged:
            unknown = tr("unknown: model.json is damaged")
        self.licence.setPlaceholderText(unknown)
        if is_other or not self.licence.hasFocus():
            self.licence.setText(licence)
        if is_other or not self.notes.hasFocus():
            self.notes.set_text(model.notes)

    def _show_marks(self, marks: Sequence[Mark]) -> None:
        if tuple(marks) == self._marks:
            return
        self._marks = tuple(marks)
        clear(self._chips)
        for mark in marks:
            self._chips.addWidget(Chip(self._theme, mark.text, mark.state))

    # What is typed

    def commit(self) -> None:
        """Takes what is still being typed."""
        self.title.commit()
        self._commit_licence()
        self._commit_notes()
        self._commit_prompt()

    def escape(self) -> bool:
        """Leaves the name as it is; True if it was being changed."""
        return self.title.end()

    def _commit_licence(self) -> None:
        model, licence = self._state.selected, self.licence.text().strip()
        if model is not None and licence != self._state.licence(model):
            self._actions.give_licence(licence)

    def _commit_prompt(self) -> None:
        """Keeps a prompt that has a place for the document; an empty one is the model's own."""
        model, prompt = self._state.selected, self.prompt.toPlainText().strip()
        if model is None or not prompt_of(model) or prompt == prompt_of(model).strip():
            self._prompt_problem.hide()
            return
        is_wrong = bool(prompt) and prompt.count("{text}") != 1
        words = tr("Write {text} once, where the document stands. The old prompt is still in use.")
        self._prompt_problem.setText(words)
        self._prompt_problem.setVisible(is_wrong)
        if not is_wrong:
            self._actions.give_prompt(prompt)

    def _commit_notes(self) -> None:
        model, notes = self._state.selected, self.notes.toPlainText().strip()
        if model is not None and notes != model.notes:
            self._actions.give_notes(notes)


class ScrollPage(Area):
    """A page that scrolls, without a background of its own."""

    def __init__(self, page: QWidget) -> None:
        super().__init__()
        self.setWidget(page)
        self.viewport().setAutoFillBackground(False)
        page.setAutoFillBackground(False)


class Notes(QPlainTextEdit):
    """A few lines of plain text; Tab leaves them."""

    left = Signal()
    """They lost the focus."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)

    def set_text(self, text: str) -> None:
        """Shows a text; the cursor stays where it is if it is the same."""
        if text != self.toPlainText():
            self.setPlainText(text)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if not leave_files(event):
            super().dragEnterEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.clearFocus()
            return
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()


class Scores(QWidget):
    """Tables of scores, each below how it was measured."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._tables: tuple[ScoreTable, ...] = ()
        self._column = layouts.column(into=self, spacing=4)

    def show_tables(self, tables: tuple[ScoreTable, ...]) -> None:
        """Shows tables."""
        if tables == self._tables:
            return
        self._tables = tables
        clear(self._column)
        for number, table in enumerate(tables):
            if number:
                self._column.addSpacing(12)
            self._column.addWidget(Label(self._theme, table.told, "small", "text2", wrap=True))
            rows = FactRows(self._theme)
            self._column.addWidget(rows)  # first: shown without a place, it would be a window
            rows.show_rows(table.rows)
            if table.recipe:
                recipe = Label(self._theme, table.recipe, "small", "text3", wrap=True)
                self._column.addWidget(recipe)
