"""Blind judging: the source, two summaries without names, one question, four keys."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from core.jobs.evaluation.browse_comparison import ComparedDocument
from core.numbers import format_count, format_quantity
from core.runs.judgements import Answer, Judgements
from gui.panels.compare.column import ColumnHead, find_button
from gui.panels.compare.summary_text import summary_document
from gui.panels.compare.words import questions, tr
from gui.theme.theme import Theme
from gui.widgets.chrome.panel_header import PanelHeader
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.display.progress import ProgressBar
from gui.widgets.display.tooltip import KeyCap
from gui.widgets.inputs.button import Button
from gui.widgets.reading.find_across import FindAcross
from gui.widgets.reading.find_bar import FindBar
from gui.widgets.reading.reading_view import ReadingView
from gui.widgets.support import layouts
from gui.widgets.support.announce import announce

_KEYS: dict[int, Answer] = {
    Qt.Key.Key_1: "A",
    Qt.Key.Key_2: "equal",
    Qt.Key.Key_3: "B",
    Qt.Key.Key_0: "neither",
}
_LEFT_PX = 20
_WIDE_PX, _NARROW_PX = 148, 112  # of the buttons
_ROOMY_PX = 950  # below it the buttons are as wide as their words, and the source keeps its room
_BAR_PX = 120


class JudgingHeader(PanelHeader):
    """How far the judge is, undo, finish."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, tr("Blind judging"))
        self._place = Label(theme, "", "body", "text2")
        self._bar = ProgressBar(theme, name=tr("Pairs judged"), width=_BAR_PX)
        self.undo = Button(theme, tr("Undo"), kind="ghost", icon="undo-2", keys="Ctrl Z")
        self.finish = Button(theme, tr("Finish"), keys="Esc")
        self.add(self._place, self._bar, self.undo, self.finish)

    def show_place(self, facts: str, judgements: Judgements) -> None:
        """Says how far the judge is."""
        session, done = judgements.session, judgements.documents_done
        total = len(session.documents)
        self.show_facts(facts)
        words = tr("{number} of {total}")
        at = format_count(min(done + 1, total))
        self._place.setText(words.format(number=at, total=format_count(total)))
        self._bar.set_share(len(judgements.answers) / max(session.total, 1))
        self.undo.set_usable(bool(judgements.answers), tr("Nothing was answered yet."))


class JudgingPage(Plane):
    """A above B, so that both have a full measure; nothing tells which system wrote which."""

    answered = Signal(str)
    undo_requested = Signal()
    left = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self._theme = theme
        self.header = JudgingHeader(theme)
        self.header.undo.triggered.connect(self.undo_requested)
        self.header.finish.triggered.connect(self.left)
        find = find_button(theme)
        self._source_head = ColumnHead(theme, tr("Source"), button=find)
        self.source = ReadingView(theme, compact_left=_LEFT_PX)
        self.source.setAccessibleName(tr("Source"))
        self.sides = [self._make_side(name) for name in ("A", "B")]
        self.found = FindAcross(self)
        self.find_bar = FindBar(theme, self.found, tr("Find in all texts"))
        find.triggered.connect(self.find_bar.open_bar)
        self._question = Label(theme, "", "strong", wrap=True)
        self._question.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.buttons: dict[Answer, Button] = {}
        self._usable = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(
            tr("Blind judging: 1 A is better, 2 equal, 3 B is better, 0 neither")
        )
        self._lay_out()

    def _make_side(self, name: str) -> ReadingView:
        view = ReadingView(self._theme, compact_left=_LEFT_PX)
        view.setAccessibleName(tr("Summary {name}").format(name=name))
        return view

    def _lay_out(self) -> None:
        left, right = Plane(self._theme, "surface"), Plane(self._theme, "surface")
        column = layouts.column(
            self._source_head, Divider(self._theme), (self.source, 1), into=left
        )
        column = layouts.column(into=right)
        for name, view in zip("AB", self.sides, strict=True):
            column.addWidget(ColumnHead(self._theme, name))
            column.addWidget(Divider(self._theme))
            column.addWidget(view, 1)
            column.addWidget(Divider(self._theme))
        column.addWidget(self._make_foot())
        self._left = left
        layouts.column(
            self.header,
            Divider(self._theme),
            self.find_bar,
            (
                layouts.row((left, 44), Divider(self._theme, Qt.Orientation.Vertical), (right, 56)),
                1,
            ),
            into=self,
        )

    def _make_foot(self) -> Plane:
        foot = Plane(self._theme, "window")
        row = layouts.row(layouts.stretch(), spacing=8)
        words: dict[Answer, tuple[str, str]] = {
            "A": (tr("A is better"), "1"),
            "equal": (tr("Equal"), "2"),
            "B": (tr("B is better"), "3"),
            "neither": (tr("Neither is usable"), "0"),
        }
        for answer, (text, key) in words.items():
            kind = "ghost" if answer == "neither" else "secondary"
            button = Button(self._theme, text, kind=kind, height=36)  # type: ignore[arg-type]
            button.triggered.connect(lambda answer=answer: self._answer(answer))
            self.buttons[answer] = button
            cap = KeyCap(self._theme, key)
            row.addLayout(
                layouts.column(button, (cap, 0, Qt.AlignmentFlag.AlignHCenter), spacing=4)
            )
        row.addStretch(1)
        self._promise = Label(
            self._theme,
            tr("Names, lengths and scores are shown when you finish."),
            "small",
            "text3",
        )
        self._promise.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        layouts.column(
            self._question, row, self._promise, into=foot, margins=(24, 16, 24, 12), spacing=8
        )
        return foot

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for answer, button in self.buttons.items():
            width = _NARROW_PX if answer == "equal" else _WIDE_PX
            button.setMinimumWidth(width if self.width() >= _ROOMY_PX else 0)

    # What is shown

    def show_waiting(self) -> None:
        """The next pair is being read; nothing can be answered."""
        self._usable = False
        for button in self.buttons.values():
            button.set_usable(False, tr("The next pair is being read."))

    def show_pair(self, shown: ComparedDocument, judgements: Judgements, sides: list[int]) -> None:
        """Shows the next pair.

        Args:
            shown: The document with all its summaries.
            judgements: The session.
            sides: The number of the system that is A, and of the one that is B.
        """
        self.source.set_document(shown.document)
        self._left.setVisible(shown.document is not None)
        if shown.document is not None:
            words = format_quantity(shown.document.reading.words, tr("word"), tr("words"))
            self._source_head.words.setText(words)
        for name, view, system in zip("AB", self.sides, sides, strict=True):
            title = tr("Summary {name}").format(name=name)
            view.set_document(summary_document(shown.outputs[system], title))
        has_source = shown.document is not None
        self.found.set_views([*([self.source] if has_source else []), *self.sides])
        self.ask(judgements)

    def ask(self, judgements: Judgements) -> None:
        """Asks the next question of the pair that is shown."""
        question = judgements.session.questions[judgements.place[1]]
        self._question.setText(questions().get(question, question))
        self._usable = True
        for button in self.buttons.values():
            button.set_usable(True, "")
        announce(self, self._question.text())

    @property
    def question(self) -> str:
        """What is asked."""
        return self._question.text()

    def _answer(self, answer: Answer) -> None:
        if self._usable:
            self.answered.emit(answer)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _KEYS and not event.isAutoRepeat():
            self._answer(_KEYS[event.key()])
        else:
            super().keyPressEvent(event)

    def regions(self) -> list[QWidget]:
        """The parts that F6 moves between."""
        return [self.header, self.find_bar, self.source, *self.sides, self]
