"""Where the training part is missing: what it is needed for here, and the offer to install it."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from core.distribution.parts import PartName, part_of
from core.numbers import format_size
from gui.theme.theme import Theme
from gui.widgets.chrome.part_offer import PartOffer
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.display.sign import Sign
from gui.widgets.support import layouts
from gui.workers.part_installer import PartInstaller

_PART: Final[PartName] = "training"


class TrainingOffer(Plane):
    """A strip below the head of a panel; hidden where the part is there.

    Args:
        theme: The look.
        parts: Installs the part.
        purpose: What the panel would do with it, in a sentence or two.
        parent: The panel: without a parent the strip would be shown as a window of its own.
    """

    def __init__(self, theme: Theme, parts: PartInstaller, purpose: str, parent: QWidget) -> None:
        super().__init__(theme, "window", parent)
        self._parts = parts
        size = part_of(_PART).download_bytes
        about = self.tr(" (about {0})").format(format_size(size)) if size else ""
        self.offer = PartOffer(theme, self.tr("Install training") + about)
        layouts.row(
            (Sign(theme, "info", "accent", beside="body"), 0, Qt.AlignmentFlag.AlignTop),
            (
                layouts.column(
                    Label(theme, purpose, "body", "text", wrap=True), self.offer, spacing=8
                ),
                1,
            ),
            into=self,
            margins=(24, 10, 16, 10),
            spacing=8,
        )
        self.offer.install_requested.connect(lambda: parts.install(_PART))
        self.offer.cancel_requested.connect(lambda: parts.cancel(_PART))
        parts.changed.connect(self._follow)
        self._follow(_PART)

    def _follow(self, name: str) -> None:
        if name != _PART:
            return
        state = self._parts.state(_PART)
        if state.failure is not None:
            failure = state.failure
            self.offer.show_failure(f"{failure.message} {failure.remedy}", part_of(_PART).command)
        elif state.status == "installing":
            self.offer.show_progress(state.doing or self.tr("Installing…"), state.share)
        else:
            self.offer.show_idle()
        self.offer.install.set_usable(
            self._parts.can_offer(_PART),
            self.tr("It cannot be added to this installation from here."),
        )
        self.setVisible(state.status != "installed")
