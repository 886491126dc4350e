"""A reference under the summary: its text, and how close the summary comes to it."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from core.library.decisions import LONGEST_REFERENCE
from core.metrics.reference_scores import ReferenceScores, score_against
from core.numbers import format_count, format_quantity
from core.summaries.summary import Summary
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.display.sign import Sign
from gui.widgets.inputs.button import STRIP_HEIGHT_PX, icon_button

_TEXT_PX, _LOW_TEXT_PX = 108, 62
_TALL_PX = 560
"""From this height of the column on the text has more lines, and the recipe stands below it."""
_NAMED_PX = 420
"""From this width on the word "Reference" stands before the scores."""


class ReferencePart(Plane):
    """The scores in a line; unfolded, the text and how the scores are computed.

    It is shown while there is a reference, or while one is asked for.

    Args:
        theme: The look.
        is_second: Whether it belongs to the second of two summaries, which shows scores alone.
    """

    edited = Signal(str)
    """The reference as it is typed now; empty for none."""
    removal_requested = Signal()

    def __init__(self, theme: Theme, *, is_second: bool = False) -> None:
        super().__init__(theme, "surface")
        self._is_second = is_second
        self._subject: object = None
        self._scored: tuple[Summary | None, str] = (None, "")
        self._name = Label(theme, self.tr("Reference"), "section")
        self.scores = Label(theme, "", "smallb", elide=True)
        self._sign = Sign(theme, "octagon-x", "err", 14, beside="small")
        self.told = Label(theme, "", "small", "text2", wrap=True)
        self.text = QPlainTextEdit()
        self.text.setAccessibleName(self.tr("Reference"))
        self.text.setPlaceholderText(self.tr("Paste a reference summary to see its ROUGE scores"))
        self.text.setTabChangesFocus(True)
        self.recipe = Label(theme, "", "small", "text3", wrap=True)
        self.fold_button = icon_button(theme, "chevron-up", self.tr("Show the reference"))
        self.remove_button = icon_button(theme, "x", self.tr("Remove the reference"))
        self._lay_out(theme)
        theme.changed.connect(lambda: self.text.setFont(theme.font("reads")))
        self.text.setFont(theme.font("reads"))
        self.text.textChanged.connect(self._take_text)
        self.fold_button.triggered.connect(lambda: self.unfold(not self.is_unfolded))
        self.remove_button.triggered.connect(self.removal_requested)
        self._is_wanted = False
        self._tell("")
        self.unfold(False)

    def _lay_out(self, theme: Theme) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._name)
        head.addWidget(self.scores, 1)
        for button in (self.fold_button, self.remove_button):
            button.setFixedHeight(STRIP_HEIGHT_PX)
            if self._is_second:
                button.hide()  # shown before it has a place, a widget would be a window
            head.addWidget(button)
        said = QHBoxLayout()
        said.setSpacing(6)
        said.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        said.addWidget(self.told, 1)
        self._body = QWidget()
        body = QVBoxLayout(self._body)
        body.setContentsMargins(0, 4, 8, 4)
        body.setSpacing(6)
        body.addWidget(self.text)
        body.addWidget(self.recipe)
        inner = QVBoxLayout()
        inner.setContentsMargins(24, 6, 16, 8)
        inner.setSpacing(2)
        inner.addLayout(head)
        inner.addLayout(said)
        inner.addWidget(self._body)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(Divider(theme))
        column.addLayout(inner)

    # What is shown

    def show_reference(self, subject: object, reference: str, summary: Summary | None) -> None:
        """Shows what a summary scores against a reference.

        Args:
            subject: What the reference belongs to; another one's text takes the place of what is
                typed.
            reference: Its text; empty for none.
            summary: What is scored; None while it is being written.
        """
        if subject is not self._subject:
            self._subject = subject
            self._put(reference)
            self.unfold(False)
        if (summary, reference) != self._scored:
            self._scored = (summary, reference)
            self._show_scores(score_of(summary, reference))
        self._arrange()

    def put(self, reference: str) -> None:
        """Replaces the text; what is typed goes."""
        self._put(reference)
        self._take_text()

    def _put(self, reference: str) -> None:
        with QSignalBlocker(self.text):
            self.text.setPlainText(reference)

    def _show_scores(self, scores: ReferenceScores | None) -> None:
        if scores is None:
            self.scores.setText("")
            self._tell("")
            self.recipe.setText("")
            return
        named = [f"ROUGE-{name} {f1:.1f}" for name, f1 in scores.f1.items()]
        self.scores.setText("  ·  ".join(named) if scores.reference_words else "")
        if scores.reference_words:
            # How long the summary is stands above it; ROUGE would count "solid-state" as two words.
            told = self.tr("{shared} of its {words} are in the summary.").format(
                shared=format_count(scores.shared),
                words=format_quantity(scores.reference_words, self.tr("word"), self.tr("words")),
            )
        else:
            told = self.tr("ROUGE compares words; this reference has none.")
        self._tell(told)
        self.recipe.setText(self.tr("F1 in %. {recipe}.").format(recipe=scores.recipe))

    def _tell(self, words: str, *, is_fault: bool = False) -> None:
        self.told.setText(words)
        self.told.set_color("err" if is_fault else "text2")
        self._sign.setVisible(is_fault)
        self.told.setVisible(bool(words))

    # The text

    def _take_text(self) -> None:
        text = self.text.toPlainText().strip()
        fits = len(text) <= LONGEST_REFERENCE
        self.edited.emit(text if fits else "")
        if not fits:
            told = self.tr("A reference has at most {most} characters; this text has {count}.")
            most, count = format_count(LONGEST_REFERENCE), format_count(len(text))
            self._tell(told.format(most=most, count=count), is_fault=True)

    # Room

    @property
    def is_unfolded(self) -> bool:
        """Whether its text is shown."""
        return self._body.isVisibleTo(self)

    def unfold(self, unfolded: bool) -> None:
        """Shows its text or hides it; without a reference nothing is left then."""
        had_focus = self.text.hasFocus()
        self._is_wanted = unfolded
        self._body.setVisible(unfolded and not self._is_second)
        told = self.tr("Hide the text") if unfolded else self.tr("Show the text")
        self.fold_button.set_icon_name("chevron-down" if unfolded else "chevron-up")
        self.fold_button.set_tooltip(told)
        self._arrange()
        if had_focus and not unfolded and self.isVisible():
            self.fold_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def ask(self) -> None:
        """Shows the text with the cursor in it."""
        self.unfold(True)
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _arrange(self) -> None:
        self.setVisible(bool(self._scored[1]) or self._is_wanted)

    def fold(self, width_px: int, height_px: int) -> None:
        """Takes the room that a column of this size has for it."""
        tall = height_px >= _TALL_PX
        self.text.setFixedHeight(_TEXT_PX if tall else _LOW_TEXT_PX)
        self.recipe.setVisible(tall)
        self._name.setVisible(width_px >= _NAMED_PX)


def score_of(summary: Summary | None, reference: str) -> ReferenceScores | None:
    """What a summary scores against a reference; None without either."""
    if summary is None or not reference:
        return None
    return score_against("\n".join(each.text for each in summary.sentences), reference)
