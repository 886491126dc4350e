"""At the foot of an open comparison: how blind judging stands, and the way to it."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.evaluation.judging import Outcome, outcomes
from core.numbers import format_count
from core.runs.judgements import Judgements
from gui.panels.compare.words import color_of, named, tr
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.inputs.button import Button
from gui.widgets.support import layouts
from gui.widgets.support.cut_words import fitted, tell_cut_words
from gui.widgets.support.paint import draw_plate, painter_on

HEIGHT_PX = 60
_BAR_PX, _GAP_PX = 9, 2


class WinBar(QWidget):
    """Wins of the one, ties, wins of the other, as parts of a bar with their names above."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._parts: tuple[tuple[str, int, str], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        tell_cut_words(self)
        theme.changed.connect(self.update)

    def show_outcome(
        self, outcome: Outcome, names: tuple[str, str], colors: tuple[str, str]
    ) -> None:
        """Shows how two systems fared."""
        equal = outcome.equal + outcome.neither
        self._parts = (
            (names[0], outcome.first, colors[0]),
            (tr("equal"), equal, "line2"),
            (names[1], outcome.second, colors[1]),
        )
        told = ", ".join(f"{name} {count}" for name, count, _ in self._parts)
        self.setAccessibleName(told)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(360, 36)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 36)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, total = painter_on(self), sum(count for _, count, _ in self._parts)
        painter.setFont(self._theme.font("small"))
        left = 0.0
        for name, count, color in self._parts:
            if not count:
                continue
            width = count / total * self.width()
            bar = QRectF(left, 22, max(width - _GAP_PX, 2), _BAR_PX)
            draw_plate(painter, bar, 2, self._theme.color(color))
            line = QRectF(left, 0, width, 18)
            words = fitted(painter, f"{name} {count}", line)
            painter.setPen(self._theme.color("text2"))
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, words)
            left += width
        painter.end()


class JudgingStrip(Plane):
    """How the last session stands, and a button that begins one or goes on."""

    judging_requested = Signal()
    results_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "window")
        self.setFixedHeight(HEIGHT_PX)
        self._told = Label(theme, "", "small", "text2")
        self.bar = WinBar(theme)
        self.bar.setMaximumWidth(420)
        self._promise = Label(
            theme,
            tr("Names are hidden and the order shuffled while you judge."),
            "small",
            "text2",
            elide=True,
        )
        self.results = Button(theme, tr("Results"), kind="ghost", icon="table-2")
        self.judge = Button(theme, tr("Judge blind"), icon="eye-off")
        self.results.triggered.connect(self.results_requested)
        self.judge.triggered.connect(self.judging_requested)
        words = layouts.column(
            layouts.stretch(),
            Label(theme, tr("Blind judging"), "section"),
            self._told,
            layouts.stretch(),
            spacing=2,
        )
        layouts.row(
            words,
            (self.bar, 1),
            (self._promise, 1),
            self.results,
            self.judge,
            into=self,
            margins=(24, 0, 16, 0),
            spacing=24,
        )
        self.show_session(None)

    def show_session(self, judgements: Judgements | None, colors: tuple[int, int] = (0, 1)) -> None:
        """Shows how a session stands; wins only once it is over, or names would be told."""
        is_over = judgements is not None and judgements.is_over
        self.bar.setVisible(is_over)
        self._promise.setVisible(not is_over)
        self.results.setVisible(judgements is not None)
        if judgements is None:
            self._told.setText(tr("no pairs judged"))
            self.judge.setText(tr("Judge blind"))
            return
        words = tr("{done} of {total} pairs judged")
        done, total = judgements.documents_done, len(judgements.session.documents)
        self._told.setText(words.format(done=format_count(done), total=format_count(total)))
        self.judge.setText(tr("Judge again") if is_over else tr("Continue judging"))
        if is_over:
            first, second = map(named, judgements.session.systems)
            names = (first, second)
            tokens = (color_of(colors[0]), color_of(colors[1]))
            self.bar.show_outcome(outcomes(judgements)[-1], names, tokens)

    @property
    def told(self) -> str:
        """How many pairs are judged."""
        return self._told.text()

    def fold(self, folded: bool) -> None:
        """Leaves out the sentence where there is no room."""
        self._promise.setVisible(not folded and not self.bar.isVisibleTo(self))
