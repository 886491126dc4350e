"""Blind judging before and after: what is judged, the sessions there are, and what they say."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.errors import EpitomeError
from core.evaluation.judging import FoundSession, Outcome, agreement, outcomes
from core.numbers import format_interval, format_quantity
from core.runs.comparisons import OpenedComparison
from core.runs.judgements import Judgements
from gui.control_words import explain
from gui.panels.compare.words import named, questions, tr
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.inputs.button import STRIP_HEIGHT_PX, Button
from gui.widgets.inputs.combo import ComboBox
from gui.widgets.inputs.field import NumberField, TextField
from gui.widgets.inputs.segmented import SegmentedControl
from gui.widgets.inputs.wrap_row import WrapRow, labelled
from gui.widgets.support import layouts
from gui.widgets.tables.table import Table, inset
from gui.widgets.tables.table_model import Cell, Column, Interval, Record, State, TableModel
from gui.widgets.tables.table_paint import HEAD_PX, ROW_PX

ONE, FOUR = "one", "four"
ASKED = {ONE: ("faithful",), FOUR: ("non-redundancy", "coherence", "focus", "overall")}
"""The questions of a session, by the choice."""
_PAIRS = 40
_MOST_PAIRS = 100_000
_JUDGE_PX, _NUMBER_PX = 140, 72
_MOST_SESSIONS = 6
"""More of them are scrolled through."""


@dataclass(frozen=True)
class Wish:
    """A session that shall begin.

    Args:
        judge: Who judges.
        systems: The numbers of the two systems.
        questions: What is asked.
        most: How many documents are judged at most.
        seed: Of the order and the sides.
    """

    judge: str
    systems: tuple[int, int]
    questions: tuple[str, ...]
    most: int
    seed: int


class JudgingTab(Plane):
    """Choices in a strip, sessions below, what the chosen one says below them."""

    begun = Signal(object)
    """A `Wish`."""
    continued = Signal(object)
    """The path of a session that shall go on."""
    file_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self._theme = theme
        self.sessions: tuple[FoundSession, ...] = ()
        self._titles: tuple[str, ...] = ()
        self.first = ComboBox(theme, name=tr("First system"), height=STRIP_HEIGHT_PX)
        self.second = ComboBox(theme, name=tr("Second system"), height=STRIP_HEIGHT_PX)
        self.asked = SegmentedControl(
            theme,
            [(ONE, tr("One question")), (FOUR, tr("Four questions"))],
            height=STRIP_HEIGHT_PX,
            name=tr("What is asked"),
        )
        self.pairs = NumberField(theme, 1, _MOST_PAIRS, _PAIRS, name=tr("Pairs"), width=_NUMBER_PX,
                                 height=STRIP_HEIGHT_PX)  # fmt: skip
        self.seed = NumberField(theme, 0, 2**31 - 1, 0, name=tr("Seed"), width=_NUMBER_PX,
                                height=STRIP_HEIGHT_PX)  # fmt: skip
        self.judge = TextField(theme, name=tr("Judge"), height=STRIP_HEIGHT_PX)
        self.judge.setPlaceholderText(tr("Your name"))
        self.judge.setFixedWidth(_JUDGE_PX)
        self.begin = Button(theme, tr("Judge blind"), kind="primary", icon="eye-off",
                            height=STRIP_HEIGHT_PX)  # fmt: skip
        self.table = Table(theme, _sessions_model(()), name=tr("Sessions"))
        self.outcome = Table(theme, _outcomes_model(None), name=tr("Wins and ties"))
        self._sessions_title = Label(theme, tr("Sessions"), "section")
        self._heading = Label(theme, "", "section", wrap=True)
        self._agreement = Label(theme, "", "body", "text2", wrap=True)
        self.add = Button(theme, tr("Add a judge’s file…"), icon="plus")
        self.go_on = Button(theme, tr("Continue judging"), icon="eye-off")
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        theme = self._theme
        groups = [
            labelled(theme, tr("Compare"), self.first, self.second),
            self.asked,
            labelled(theme, tr("Pairs"), self.pairs),
            labelled(theme, tr("Seed"), self.seed),
            labelled(theme, tr("Judge"), self.judge),
            self.begin,
        ]
        self._strip = WrapRow(theme, groups)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(12, 12, 12, 12)  # the words of the first column stand at 24
        column.setSpacing(8)
        row = layouts.row(
            self._sessions_title,
            layouts.stretch(),
            self.go_on,
            self.add,
            margins=(12, 0, 12, 0),
            spacing=8,
        )
        column.addLayout(row)
        column.addWidget(self.table)
        column.addLayout(inset(self._agreement))
        column.addSpacing(16)
        column.addLayout(inset(self._heading))
        column.addWidget(self.outcome)
        column.addStretch(1)
        layouts.column(self._strip, Divider(theme), (inner, 1), into=self)

    def _connect(self) -> None:
        self.begin.triggered.connect(self._begin)
        self.first.activated.connect(self._check)
        self.second.activated.connect(self._check)
        self.table.selection_changed.connect(self._show_chosen)
        self.table.opened.connect(self.continued)
        self.add.triggered.connect(self.file_requested)
        self.go_on.triggered.connect(self._go_on)

    # What is shown

    def open(self, opened: OpenedComparison | None) -> None:
        """Offers the systems of another comparison."""
        self._titles = tuple(s.title for s in opened.about.systems) if opened else ()
        for box, at in ((self.first, 0), (self.second, 1)):
            box.clear()
            for number, title in enumerate(self._titles):
                box.addItem(named(title), number)
            box.setCurrentIndex(min(at, len(self._titles) - 1))
            box.updateGeometry()
        self._strip.arrange()
        self._check()

    def show_sessions(self, sessions: Sequence[FoundSession]) -> None:
        """Lists the sessions there are."""
        self.sessions = tuple(sessions)
        self.table.show_table(_sessions_model(self.sessions))
        if self.sessions:
            self.table.select(str(self.sessions[0].path))
        _fit(self.table, most=_MOST_SESSIONS)
        self._show_chosen()

    @property
    def chosen(self) -> list[FoundSession]:
        """The sessions that are selected."""
        keys = self.table.selected_keys()
        return [each for each in self.sessions if str(each.path) in keys]

    def _show_chosen(self) -> None:
        whole = [each.judgements for each in self.chosen if each.judgements is not None]
        one = whole[0] if whole else None
        shown = one if one is not None and one.is_over else None
        self.outcome.show_table(_outcomes_model(shown))
        _fit(self.outcome)
        self.outcome.setVisible(shown is not None)
        self._heading.setText(self._heading_of(one))
        self._agreement.setText(self._agreement_of(whole))
        open_ones = [each for each in whole if not each.is_over]
        self.go_on.set_usable(bool(open_ones), tr("Select a session that is not finished."))
        for part in (self._sessions_title, self.table, self.go_on):
            part.setVisible(bool(self.sessions))
        self._agreement.setVisible(len(self.sessions) > 1)

    def _heading_of(self, judgements: Judgements | None) -> str:
        if not self.sessions:
            return tr("No pairs were judged yet. Choose two systems above, then press Judge blind.")
        if judgements is None:
            return ""
        if not judgements.is_over:
            return tr("Wins and ties are shown when all pairs are judged.")
        words = tr("{first} against {second}, judged by {judge}")
        first, second = map(named, judgements.session.systems)
        return words.format(first=first, second=second, judge=judgements.session.judge)

    def _agreement_of(self, whole: Sequence[Judgements]) -> str:
        if len(whole) != 2:
            return tr("Select two sessions to see how far their judges agree.")
        try:
            found = agreement(*whole)
        except EpitomeError as error:
            return explain(error)
        words = tr(
            "{first} and {second} agree on {share} of {common}. Cohen’s kappa {kappa} "
            "({ends}, 95 % bootstrap)."
        )
        return words.format(
            first=whole[0].session.judge, second=whole[1].session.judge,
            share=f"{found.share:.0%}".replace("%", "\u202f%"),
            common=format_quantity(found.common, tr("common answer"), tr("common answers")),
            kappa=f"{found.kappa:.2f}", ends=format_interval(found.low, found.high, ".2f"),
        ).replace("-", "−")  # fmt: skip

    @property
    def agreement_told(self) -> str:
        """What is said of two judges."""
        return self._agreement.text()

    # What a person asks

    def _check(self) -> None:
        same = self.first.currentData() == self.second.currentData()
        few = len(self._titles) < 2
        why = tr("Judging needs two systems.") if few else tr("Choose two different systems.")
        self.begin.set_usable(not same and not few, why)

    def _begin(self) -> None:
        if not self.begin.isEnabled():
            return
        judge = self.judge.text().strip() or tr("judge")
        systems = (self.first.currentData(), self.second.currentData())
        asked = ASKED[self.asked.value]
        pairs, seed = self.pairs.value or _PAIRS, self.seed.value or 0
        self.begun.emit(Wish(judge, systems, asked, pairs, seed))

    def _go_on(self) -> None:
        for each in self.chosen:
            if each.judgements is not None and not each.judgements.is_over:
                self.continued.emit(str(each.path))
                return

    def regions(self) -> list[QWidget]:
        """The parts that F6 moves between."""
        return [self._strip, self.table, self.outcome]


def _fit(table: Table, most: int = 100) -> None:
    """Makes a table as high as its rows, up to so many; at least as high as one."""
    rows = min(max(table.table_model.rowCount(), 1), most)
    table.setFixedHeight(HEAD_PX + rows * ROW_PX)


def _sessions_model(sessions: Sequence[FoundSession]) -> TableModel:
    columns = (
        Column("judge", tr("Judge"), kept=True, strong=True),
        Column("systems", tr("Systems"), width=280),
        Column("questions", tr("Questions"), number=True, width=96),
        Column("pairs", tr("Pairs judged"), width=140, kept=True),
        Column("seed", tr("Seed"), number=True, width=80),
    )
    return TableModel(columns, map(_session_record, sessions))


def _session_record(found: FoundSession) -> Record:
    key = str(found.path)
    if found.judgements is None:
        return Record(key, {"judge": Path(key).name, "pairs": State("note", found.fault)})
    session = found.judgements.session
    done, total = found.judgements.documents_done, len(session.documents)
    state = State("done" if found.judgements.is_over else "waiting", f"{done} / {total}")
    return Record(
        key,
        {
            "judge": session.judge,
            "systems": " / ".join(map(named, sorted(session.systems))),
            "questions": len(session.questions),
            "pairs": state,
            "seed": session.seed,
        },
    )


def _outcomes_model(judgements: Judgements | None) -> TableModel:
    systems = judgements.session.systems if judgements else ("", "")
    first, second = map(named, systems)
    columns = (
        Column("question", tr("Question"), kept=True, strong=True),
        Column("first", first, number=True, width=112),
        Column("equal", tr("Equal"), number=True, width=80),
        Column("second", second, number=True, width=112),
        Column("neither", tr("Neither"), number=True, width=80),
        Column("ahead", tr("Ahead, %"), width=320, scale=(-100.0, 100.0), decimals=1, kept=True),
    )
    found = outcomes(judgements) if judgements else ()
    return TableModel(columns, map(_outcome_record, found))


def _outcome_record(outcome: Outcome) -> Record:
    ahead: Cell = 100 * outcome.ahead
    if outcome.low is not None and outcome.high is not None:
        ahead = Interval(100 * outcome.ahead, 100 * outcome.low, 100 * outcome.high)
    return Record(
        outcome.question,
        {
            "question": questions().get(outcome.question, outcome.question),
            "first": outcome.first,
            "equal": outcome.equal,
            "second": outcome.second,
            "neither": outcome.neither,
            "ahead": ahead,
        },
    )
