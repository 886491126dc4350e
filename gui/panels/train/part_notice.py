"""Where the training part is missing: what it is for, and the offer to install it."""

from typing import Final

from PySide6.QtWidgets import QHBoxLayout

from core.numbers import format_size
from core.parts import part_of
from gui.theme.theme import Theme
from gui.widgets.button import Button
from gui.widgets.label import Label
from gui.widgets.plane import Plane
from gui.widgets.sign import Sign
from gui.workers.part_installer import PartInstaller

_PART: Final = "training"


class PartNotice(Plane):
    """One line with one button; hidden where the part is there.

    Args:
        theme: The look.
        parts: Installs it.
    """

    def __init__(self, theme: Theme, parts: PartInstaller) -> None:
        super().__init__(theme, "window")
        self._parts = parts
        size = part_of(_PART).download_bytes
        deed = self.tr("Install training")
        if size:
            deed += self.tr(" (about {0})").format(format_size(size))
        self._words = Label(theme, "", "body", "text", wrap=True)
        self.install = Button(theme, deed, icon="download", height=28)
        self.cancel = Button(theme, self.tr("Cancel"), height=28)
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 8, 16, 8)
        row.setSpacing(8)
        row.addWidget(Sign(theme, "info", "accent"))
        row.addWidget(self._words, 1)
        row.addWidget(self.install)
        row.addWidget(self.cancel)
        self.install.triggered.connect(lambda: parts.install(_PART))
        self.cancel.triggered.connect(lambda: parts.cancel(_PART))
        parts.changed.connect(self._follow)
        self._draw()

    @property
    def words(self) -> str:
        """What is told; empty where the part is there."""
        return self._words.text() if self.is_needed else ""

    @property
    def is_needed(self) -> bool:
        """Whether the part is missing."""
        return self._parts.state(_PART).status != "installed"

    def _follow(self, name: str) -> None:
        if name == _PART:
            self._draw()

    def _draw(self) -> None:
        state, failure = self._parts.state(_PART), self._parts.state(_PART).failure
        told = self.tr(
            "Models are trained with PyTorch, which is not installed. You can look at runs and "
            "set up jobs; they start once it is there."
        )
        if failure is not None:
            told = f"{failure.message} {failure.remedy}"
        elif state.status == "installing":
            told = state.doing or self.tr("Installing…")
        self._words.setText(told)
        self.install.setVisible(state.status == "missing")
        self.install.set_usable(
            self._parts.can_offer(_PART),
            self.tr("It cannot be added to this installation from here."),
        )
        self.cancel.setVisible(state.status == "installing")
        self.setVisible(self.is_needed)
