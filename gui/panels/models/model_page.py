"""A page beside the list of models: facts, a form, the command that does the same, and a button.

Importing a folder and converting a model are set up here.
"""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from core.events import Failed
from core.settings import Settings
from gui.forms.form import Form
from gui.forms.state import FormState
from gui.panels.models.details import ScrollPage
from gui.panels.models.words import tr
from gui.theme.theme import Theme
from gui.widgets.display.fact_rows import FactRows
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.display.sign import Sign
from gui.widgets.inputs.button import Button, icon_button
from gui.widgets.inputs.command_line import CommandLine
from gui.widgets.support import layouts
from gui.widgets.support.leaving import let_go

_EDGE_PX = 24


class ModelPage(Plane):
    """Title and back button, a sentence, facts, a failure or a form, and the foot.

    Args:
        theme: The look.
    """

    begun = Signal(object)
    """The settings with which it shall be done."""
    left = Signal()
    """The page is to be closed."""
    retried = Signal()
    """Another choice is wanted after a failure."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self._theme = theme
        self.form: Form | None = None
        self._state: FormState[Any] | None = None
        self._command_of: Callable[[Any], str] = lambda settings: ""
        self.back = icon_button(theme, "arrow-left", tr("Back to the model"))
        self.back.triggered.connect(self.left)
        self._title = Label(theme, "", "title", elide=True)
        self.what = Label(theme, "", "body", "text2", wrap=True)
        self.warning = Label(theme, "", "body", "warn", wrap=True)
        self.facts = FactRows(theme)
        self.command = CommandLine(theme, wrap=True)
        self.begin = Button(theme, tr("Begin"), kind="primary")
        self.begin.triggered.connect(self.start)
        self._make_failure(theme)
        self._lay_out(theme)

    def _make_failure(self, theme: Theme) -> None:
        self.failure = QWidget()
        self._why = Label(theme, "", "strong", wrap=True)
        self._remedy = Label(theme, "", "body", "text2", wrap=True)
        self.retry = Button(theme, tr("Choose another folder"), icon="folder-open")
        self.retry.triggered.connect(self.retried)
        words = layouts.column(
            self._why, self._remedy, 6, (self.retry, 0, Qt.AlignmentFlag.AlignLeft), spacing=6
        )
        layouts.row(
            (Sign(theme, "octagon-x", "err", beside="strong"), 0, Qt.AlignmentFlag.AlignTop),
            (words, 1),
            into=self.failure,
            margins=(0, 8, 0, 0),
            spacing=10,
        )

    def _lay_out(self, theme: Theme) -> None:
        page = QWidget()
        self._body = layouts.column(
            layouts.row(self.back, (self._title, 1), spacing=8),
            self.what,
            self.failure,
            self.facts,
            self.warning,
            8,
            layouts.stretch(),
            into=page,
            margins=(_EDGE_PX, 16, _EDGE_PX, _EDGE_PX),
            spacing=8,
        )
        self._foot = Plane(theme, "surface")
        layouts.column(
            self.command,
            layouts.row(layouts.stretch(), self.begin, spacing=None),
            into=self._foot,
            margins=(_EDGE_PX, 8, _EDGE_PX, 12),
            spacing=8,
        )
        self._line = Divider(theme)
        layouts.column((ScrollPage(page), 1), self._line, self._foot, into=self)

    # What is shown

    def show_words(self, title: str, what: str) -> None:
        """Shows a title and a sentence, and nothing else yet."""
        self._title.setText(title)
        self.what.setText(what)
        self.what.setVisible(bool(what))
        self._drop_form()
        self.facts.show_rows([])
        self._warn("")
        for part in (self.failure, self._line, self._foot):
            part.hide()

    def show_failure(self, title: str, failure: Failed) -> None:
        """Says why it cannot be done, in the place of the form."""
        self.show_words(title, "")
        self._why.setText(failure.message)
        self._remedy.setText(failure.remedy)
        self.failure.show()
        self.retry.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_form(
        self,
        title: str,
        what: str,
        settings: Settings,
        *,
        facts: Sequence[tuple[str, str]],
        begin: tuple[str, str],
        command: Callable[[Any], str],
        left_out: Sequence[str] = (),
        warning: str = "",
    ) -> None:
        """Lets the person set up what is done.

        Args:
            title: What is done.
            what: One sentence about it.
            settings: What the form begins with.
            facts: Names and values.
            begin: The button's words and icon.
            command: Makes the command of the settings.
            left_out: Names of fields that are not shown.
            warning: What the person should know before; empty for nothing.
        """
        self.show_words(title, what)
        self.facts.show_rows(list(facts))
        self._warn(warning)
        self._command_of = command
        self.begin.setText(begin[0])
        self.begin.set_icon_name(begin[1])
        self._state = FormState(type(settings), settings, left_out=left_out)
        self.form = Form(self._theme, self._state, compared_with="default")
        self.form.changed.connect(self._refresh)
        self._body.insertWidget(self._body.count() - 1, self.form)
        self._line.show()
        self._foot.show()
        self._refresh()

    def _warn(self, words: str) -> None:
        self.warning.setText(words)
        self.warning.setVisible(bool(words))

    def _drop_form(self) -> None:
        if self.form is not None:
            self._body.removeWidget(self.form)
            let_go(self.form)
        self.form = self._state = None

    def _refresh(self) -> None:
        settings = self._state.settings if self._state else None
        self.begin.set_usable(settings is not None, tr("Correct the marked settings first."))
        if settings is not None:
            self.command.show_line(self._command_of(settings))

    def start(self) -> None:
        """Begins what is set up, unless something is wrong with it."""
        if self.form is None or self._state is None or self.form.show_problems():
            return
        self.begun.emit(self._state.settings)

    def focus_first(self) -> None:
        """Puts the keyboard on the page."""
        self.back.setFocus(Qt.FocusReason.OtherFocusReason)
