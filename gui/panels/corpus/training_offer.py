"""Where the training part is missing: what corpora are for, and the offer to install it."""

from typing import Final

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from core.numbers import format_size
from core.parts import PartName, part_of
from gui.panel import Services
from gui.widgets.label import Label
from gui.widgets.part_offer import PartOffer
from gui.widgets.plane import Plane
from gui.widgets.sign import Sign

_PART: Final[PartName] = "training"


class TrainingOffer(Plane):
    """A strip below the head; hidden where the part is there.

    Args:
        services: Installs the part.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services.theme, "window")
        self._parts = services.parts
        size = part_of(_PART).download_bytes
        about = self.tr(" (about {0})").format(format_size(size)) if size else ""
        self.offer = PartOffer(services.theme, self.tr("Install training") + about)
        told = self.tr(
            "A corpus is what a model is trained on. Corpora are prepared and read with the "
            "training part, which is not installed."
        )
        words = QVBoxLayout()
        words.setSpacing(8)
        words.addWidget(Label(services.theme, told, "body", "text", wrap=True))
        words.addWidget(self.offer)
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 10, 16, 10)
        row.setSpacing(8)
        row.addWidget(Sign(services.theme, "info", "accent"))
        row.addLayout(words, 1)
        self.offer.install_asked.connect(lambda: self._parts.install(_PART))
        self.offer.cancel_asked.connect(lambda: self._parts.cancel(_PART))
        self._parts.changed.connect(self._follow)
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
