"""Asks for the address of a cluster, and looks whether it can be used."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from core.distribution.parts import part_of
from core.events import Failed
from core.jobs.cluster.address import EXAMPLE, checked_address
from core.jobs.cluster.connection import CheckClusterJob, ClusterFacts
from core.numbers import format_size
from gui.panel import Services
from gui.widgets.chrome.part_offer import PartOffer
from gui.widgets.display.label import Label
from gui.widgets.display.sign import Sign
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.dialog import Dialog
from gui.widgets.inputs.field import FieldFrame, TextField
from gui.widgets.support import layouts
from gui.widgets.support.announce import announce
from gui.workers.runner import Run


class ClusterDialog(Dialog):
    """A field for the address; where Dask is missing, the offer to install it.

    Args:
        services: Installs the part, and connects in a process of its own.
        address: At first in the field.
        parent: The window it belongs to.

    Signals:
        chosen: The address of a cluster that can be used, and its `ClusterFacts`.
    """

    chosen = Signal(str, object)

    def __init__(self, services: Services, address: str = "", parent: QWidget | None = None):
        super().__init__(
            services.theme,
            self.tr("Summarise on a cluster"),
            self.tr(
                "The documents of this batch are sent over the network to the machines of a Dask "
                "cluster. With tcp:// nothing is encrypted, and whoever reaches the scheduler can "
                "read them and run programs there: use it only in a network you trust, or use "
                "tls:// with certificates."
            ),
            parent,
        )
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._services, self._run = services, None
        theme = services.theme
        self.field = TextField(theme, address, name=self.tr("Address"), placeholder=EXAMPLE)
        self.add_content(FieldFrame(theme, self.tr("Address of the scheduler"), self.field))
        self.told = Label(theme, "", "small", "text2", wrap=True)
        self._sign = Sign(theme, "octagon-x", "err", 14, beside="small")
        self._told_line = self._line()
        self.add_content(self._told_line)
        self._say("")
        size = part_of("cluster").download_bytes
        deed = self.tr("Install Dask") + (f" ({format_size(size)})" if size else "")
        self.offer = PartOffer(theme, deed)
        self.add_content(self.offer)
        self.keep = Button(theme, self.tr("Cancel"))
        self.deed = Button(theme, self.tr("Connect"), kind="primary")
        self.deed.setDefault(True)
        for button in (self.keep, self.deed):
            self.add_button(button)
        self._connect()
        self._follow_part("cluster")
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    _run: Run | None

    def _line(self) -> QWidget:
        line = QWidget()
        layouts.row(
            (self._sign, 0, Qt.AlignmentFlag.AlignTop), (self.told, 1), into=line, spacing=6
        )
        return line

    def _connect(self) -> None:
        parts = self._services.parts
        self.keep.triggered.connect(self.reject)
        self.deed.triggered.connect(self._try)
        self.field.returnPressed.connect(self._try)
        self.field.textEdited.connect(lambda: self._say(""))
        self.offer.install_requested.connect(lambda: parts.install("cluster"))
        self.offer.cancel_requested.connect(lambda: parts.cancel("cluster"))
        parts.changed.connect(self._follow_part)
        self.finished.connect(self._give_up)

    def _follow_part(self, name: str) -> None:
        """Shows how the part stands; nothing can be connected without it."""
        if name != "cluster":
            return
        parts = self._services.parts
        state = parts.state("cluster")
        is_there = state.status == "installed"
        self.offer.setVisible(not is_there)
        if state.failure is not None:
            told = f"{state.failure.message} {state.failure.remedy}"
            self.offer.show_failure(told, part_of("cluster").command)
        elif state.status == "installing":
            self.offer.show_progress(state.doing or self.tr("Installing…"), state.share)
        else:
            self.offer.show_idle()
        self.offer.install.set_usable(
            parts.can_offer("cluster"),
            self.tr("It cannot be added to this installation from here."),
        )
        self.deed.set_usable(is_there, self.tr("Install Dask first."))
        self.adjustSize()

    def _try(self) -> None:
        """Connects, unless that is under way."""
        if self._run is not None or self._services.parts.state("cluster").status != "installed":
            return
        try:
            address = checked_address(self.field.text())
        except ValueError as error:
            self._say(str(error), "err")
            return
        if not address:
            self._say(self.tr("Type the address first."), "err")
            return
        self._say(self.tr("Connecting to {0}…").format(address))
        self.deed.set_usable(False, self.tr("It is connecting."))
        run = self._run = self._services.controller.run_aside(CheckClusterJob(address))
        run.finished.connect(lambda facts: self._succeed(run, address, facts))
        run.failed.connect(lambda failure: self._fail(run, failure))

    def _succeed(self, run: Run, address: str, facts: ClusterFacts) -> None:
        if run is self._run:
            self._run = None
            self.chosen.emit(address, facts)
            self.accept()

    def _fail(self, run: Run, failure: Failed) -> None:
        if run is self._run:
            self._run = None
            self.deed.set_usable(True)
            self._say(f"{failure.message} {failure.remedy}", "err")

    def _say(self, words: str, color: str = "text2") -> None:
        self._told_line.setVisible(bool(words))
        self._sign.setVisible(color == "err")
        self.told.setText(words)
        self.told.set_color(color)
        if words:
            announce(self, words, urgent=color == "err")
        self.adjustSize()

    def _give_up(self) -> None:
        run, self._run = self._run, None
        if run is not None:
            run.stop("cancel")
