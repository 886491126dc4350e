"""The optional parts in Settings: what each is for, whether it is there, and how to get it."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from core.distribution.parts import PART_NAMES, PartName, part_of
from core.numbers import format_size
from gui.panels.settings.rows import Row
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.inputs.button import Button
from gui.workers.part_installer import PartInstaller

translate = QCoreApplication.translate


class OptionalPartRow(Row):
    """A part; its control installs it, or gives that up."""

    def __init__(self, theme: Theme, name: PartName, parts: PartInstaller) -> None:
        """A part.

        Args:
            theme: The look.
            name: Which.
            parts: Installs it.
        """
        part = part_of(name)
        super().__init__(theme, part.title, _purpose(name))
        self._name, self._parts, self._command = name, parts, part.command
        deed = self.tr("Install")
        if part.download_bytes:
            deed += f" ({format_size(part.download_bytes)})"
        self._doing = Label(theme, "", "small", "text2")
        self.install = Button(theme, deed, icon="download")
        self.install.setAccessibleName(f"{deed}: {part.title}")
        self.cancel = Button(theme, self.tr("Cancel"))
        self.cancel.setAccessibleName(self.tr("Cancel installing: {0}").format(part.title))
        self.add(self._doing, self.install, self.cancel)
        self.install.triggered.connect(lambda: parts.install(name))
        self.cancel.triggered.connect(lambda: parts.cancel(name))
        parts.changed.connect(self._follow)
        self._draw()

    def _follow(self, name: str) -> None:
        if name == self._name:
            self._draw()

    def _draw(self) -> None:
        state = self._parts.state(self._name)
        is_working = state.status == "installing"
        self.install.setVisible(state.status == "missing")
        self.install.set_usable(
            self._parts.can_offer(self._name),
            self.tr("It cannot be added to this installation from here."),
        )
        self.cancel.setVisible(is_working)
        is_there = state.status == "installed"
        self._doing.setText(self.tr("installed") if is_there else state.doing)
        failure = state.failure
        self.show_error(f"{failure.message} {failure.remedy}" if failure else "")


def part_rows(theme: Theme, parts: PartInstaller) -> list[QWidget]:
    """A row for each part."""
    return [OptionalPartRow(theme, name, parts) for name in PART_NAMES]


def _purpose(name: PartName) -> str:
    purposes = {
        "scans": translate("Settings", "Reads scanned PDFs and pictures of pages, offline"),
        "training": translate(
            "Settings", "Prepares corpora, trains models and summarises with them (PyTorch)"
        ),
        "fast": translate(
            "Settings", "Lets imported models write several times faster on a processor"
        ),
        "gguf": translate("Settings", "Opens models in GGUF files, which other programs use"),
        "lora": translate("Settings", "Fine-tunes imported models with less memory"),
        "cluster": translate(
            "Settings",
            "Lets the machines of a cluster summarise the documents of a batch, and the command "
            "“epitome corpus” prepare large tables there (Dask)",
        ),
    }
    return purposes[name]
