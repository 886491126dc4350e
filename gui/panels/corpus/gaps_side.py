"""What a model gets and must write, beside the text: input with masks, pseudo-summary."""

from collections.abc import Callable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QSizePolicy

from core.numbers import format_count, format_quantity
from gui.panels.corpus.gaps_state import GapsState, Shown
from gui.theme.theme import Theme
from gui.widgets.display.card import Card
from gui.widgets.display.plane import Plane
from gui.widgets.inputs.button import icon_button
from gui.widgets.inputs.command_line import CommandLine
from gui.widgets.reading.gap_marks import GapMarks
from gui.widgets.reading.marks import Mark
from gui.widgets.reading.reading_view import ReadingView
from gui.widgets.support import layouts

_INPUT_LEFT_PX = 16
_TARGET_LEFT_PX = 72  # a badge of five digits fits between the card's line and the text
_TURN_MS = 20


class GapsSide(Plane):
    """The cards at the right of the text.

    Signals:
        export_requested: The pair of this document shall be written to a file.
    """

    export_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "window")
        self._state = GapsState()
        self._shown: dict[Card, Shown] = {}
        self.model_length = 0
        """How many tokens the model reads that the input is compared with."""
        self._left: list[Callable[[GapsState], None]] = []
        self._turn = QTimer(self, singleShot=True, interval=_TURN_MS)
        self._turn.timeout.connect(self._show_next)
        self.input = Card(theme, self.tr("Input, as the model sees it"))
        self.input_view = ReadingView(theme, compact_left=_INPUT_LEFT_PX)
        self.input_view.setAccessibleName(self.tr("Input, as the model sees it"))
        self.input.add(self.input_view, 1)
        self.target = Card(theme, self.tr("Pseudo-summary"))
        self.target_view = ReadingView(theme, compact_left=_TARGET_LEFT_PX)
        self.target_view.setAccessibleName(self.tr("Pseudo-summary to be written"))
        self.target.add(self.target_view, 1)
        self.export = icon_button(theme, "download", self.tr("Export this pair"))
        self.export.triggered.connect(self.export_requested)
        self.target.head.addWidget(self.export)
        self.target.head.setContentsMargins(16, 0, 6, 0)
        for card in (self.input, self.target):  # the facts give way first
            card.title.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Preferred)
        self.command = CommandLine(theme)
        self.cards = layouts.column(
            (self.input, 4),
            (self.target, 4),
            self.command,
            into=self,
            margins=(16, 14, 16, 12),
            spacing=12,
        )

    def show_gaps(self, state: GapsState) -> None:
        """Shows what comes of the chosen sentences, a card in each of the next turns.

        A slider that is dragged must not wait for both, so this can be called at every step.
        """
        self._state = state
        # What waits already stays first: a slider that moves on and on must not starve one card.
        cards = (self._show_input, self._show_target)
        self._left += [card for card in cards if card not in self._left]
        if not self._turn.isActive():
            self._turn.start()

    def _show_next(self) -> None:
        if self._state.row is None or self._state.order is None:
            self._left.clear()
            self._shown.clear()
            for view in (self.input_view, self.target_view):
                view.set_document(None)
            return
        self._left.pop(0)(self._state)
        if self._left:
            self._turn.start()

    def _show_input(self, state: GapsState) -> None:
        given = state.input()
        self._show(self.input_view, given)
        self.input_view.set_marks(Mark(start, end, kind="mask") for start, end in given.marks)
        self._tell(self.input, given)

    def _show_target(self, state: GapsState) -> None:
        target = state.target()
        self._show(self.target_view, target)
        document = target.document
        shades = [0] * len(target.numbers)
        self.target_view.set_marks(
            GapMarks(document.starts, document.ends, shades, target.numbers, "target")
        )
        self._tell(self.target, target)
        self.export.set_usable(bool(len(state.picked)), self.tr("Nothing is chosen."))

    def show_facts(self) -> None:
        """Says again how long both are: their tokens were counted, or the model is another one."""
        for card, shown in self._shown.items():
            self._tell(card, shown)

    def _tell(self, card: Card, shown: Shown) -> None:
        self._shown[card] = shown
        tokens, part = self._state.tokens, ""
        if not shown.is_whole:
            first = self.tr("first {count} shown").format(count=format_count(len(shown.numbers)))
            part = self.tr("start shown") if card is self.input else first
        length, is_long = "", False
        if tokens is not None and card is self.input:
            length = _of(tokens.input, self.model_length)
            is_long = bool(self.model_length) and tokens.input > self.model_length
        elif tokens is not None:
            length = format_quantity(tokens.target, "token")
        # There is room for two of the three; what is left out, and what a model counts, go first.
        words = format_quantity(shown.words, "word") if not (length and part) else ""
        card.facts.setText(", ".join(filter(None, (words, length, part))))
        card.facts.set_color("warn" if is_long else "text3")

    def _show(self, view: ReadingView, shown: Shown) -> None:
        kept = view.verticalScrollBar().value()
        view.set_document(shown.document)
        view.verticalScrollBar().setValue(kept)


def _of(tokens: int, length: int) -> str:
    """A length against that of the model: "298 of 4 096 tokens"."""
    if not length:
        return format_quantity(tokens, "token")
    return f"{format_count(tokens)} of {format_quantity(length, 'token')}"
