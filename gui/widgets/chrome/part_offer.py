"""Offers to install an optional part, shows how far that is, and says why it failed."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.progress import ProgressBar
from gui.widgets.display.sign import Sign
from gui.widgets.inputs.button import Button
from gui.widgets.support import layouts
from gui.widgets.support.announce import announce


class PartOffer(QWidget):
    """A button; while it works, a bar and Cancel; after a failure, the reason and the command."""

    install_requested = Signal()
    cancel_requested = Signal()

    def __init__(self, theme: Theme, deed: str, *, primary: bool = False) -> None:
        """An offer.

        Args:
            theme: The look.
            deed: The button's words: "Install text recognition (13 MB)".
            primary: Whether this is what the page is for.
        """
        super().__init__()
        self._theme, self._told = theme, ""
        self.install = Button(
            theme, deed, kind="primary" if primary else "secondary", icon="download"
        )
        self.cancel = Button(theme, self.tr("Cancel"))
        self.copy = Button(theme, self.tr("Copy the command"), kind="link", height=28)
        self._bar = ProgressBar(theme, name=deed)
        self._doing = Label(theme, "", "small", "text2")
        told = self.tr("What is downloaded whole is kept if you cancel; the rest is fetched again.")
        self._kept = Label(theme, told, "small", "text3", wrap=True)
        self._sign = Sign(theme, "octagon-x", "err", 14, beside="small")
        self._failure = Label(theme, "", "small", "err", wrap=True)
        self._command = Label(theme, "", "monos", "text2", wrap=True)
        self._lay_out()
        self.install.triggered.connect(self.install_requested)
        self.cancel.triggered.connect(self.cancel_requested)
        self.copy.triggered.connect(self._copy)
        self.show_idle()

    def _lay_out(self) -> None:
        self.buttons = layouts.row(self.install, self.cancel, layouts.stretch(), spacing=8)
        self._problem = QWidget()
        layouts.row(
            (self._sign, 0, Qt.AlignmentFlag.AlignTop),
            (self._failure, 1),
            into=self._problem,
            margins=(0, 4, 0, 0),
            spacing=8,
        )
        self._recipe = QWidget()
        layouts.row(
            (self._command, 1), self.copy, into=self._recipe, margins=(22, 0, 0, 0), spacing=None
        )
        layouts.column(
            self._bar,
            self._doing,
            self._kept,
            self.buttons,
            self._problem,
            self._recipe,
            into=self,
            spacing=8,
        )

    def show_idle(self) -> None:
        """Offers it."""
        self._show(idle=True)

    def show_progress(self, doing: str, share: float | None) -> None:
        """Shows how far the installation is.

        Args:
            doing: In a few words.
            share: 0 to 1; None when nobody knows.
        """
        had_focus = self.install.hasFocus()
        self._show(idle=False)
        if had_focus:
            self.cancel.setFocus(Qt.FocusReason.OtherFocusReason)
        self._bar.set_share(share)
        self._doing.setText(doing)

    def show_failure(self, sentence: str, command: str) -> None:
        """Offers it again, and says why it failed.

        Args:
            sentence: What was wrong and what to do.
            command: What does the same at a terminal.
        """
        had_focus = self.cancel.hasFocus()
        self._show(idle=True, failed=True)
        if had_focus:
            self.install.setFocus(Qt.FocusReason.OtherFocusReason)
        self._failure.setText(sentence)
        self._command.setText(command)
        if sentence != self._told:
            announce(self, sentence, urgent=True)
        self._told = sentence

    def _show(self, *, idle: bool, failed: bool = False) -> None:
        self.install.setVisible(idle)
        working: tuple[QWidget, ...] = (self.cancel, self._bar, self._doing, self._kept)
        for part in working:
            part.setVisible(not idle)
        for told in (self._problem, self._recipe):
            told.setVisible(failed)
        if not failed:
            self._told = ""

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._command.text())
        announce(self, self.tr("Command copied"))
