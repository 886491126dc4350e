"""Cards beside the settings: what stays on this computer, and where."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from PySide6.QtCore import QRectF, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QHideEvent, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.library.folders import Folders
from core.library.recent import Recents
from core.numbers import format_quantity, format_size
from gui.panels.settings.state import matches, measure, shown_path
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider
from gui.widgets.display.sign import Sign
from gui.widgets.inputs.button import STRIP_HEIGHT_PX, Button
from gui.widgets.inputs.dialog import ConfirmDialog
from gui.widgets.support import layouts
from gui.widgets.support.leaving import let_go
from gui.widgets.support.paint import draw_plate, painter_on

_EDGE_PX = 20
_RADIUS_PX = 8
_FILES_A_TURN = 200


class Card(QWidget):
    """A frame of 1 px around what belongs together."""

    def __init__(self, theme: Theme, title: str) -> None:
        """An empty card.

        Args:
            theme: The look.
            title: Its heading; for finding and for screen readers.
        """
        super().__init__()
        self._theme = theme
        self.setAccessibleName(title)
        self.column = layouts.column(into=self, margins=_EDGE_PX)
        theme.changed.connect(self.update)

    def matches(self, wanted: str) -> bool:
        """Whether the words on it hold what is looked for."""
        labels = [label.text() for label in self.findChildren(Label)]
        buttons = [button.accessibleName() for button in self.findChildren(Button)]
        return matches(wanted, *labels, *buttons)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        draw_plate(painter, QRectF(self.rect()), _RADIUS_PX, color("surface"), color("line"))
        painter.end()


class PrivacyCard(Card):
    """Says what leaves this computer, and clears the list of recent documents."""

    clear_requested = Signal()
    forget_requested = Signal()
    """Everything that is kept of documents is to be deleted."""

    def __init__(self, theme: Theme, folders: Folders) -> None:
        """The card.

        Args:
            theme: The look.
            folders: Where the list of recent documents is.
        """
        title = self.tr("Nothing leaves this computer by itself")
        super().__init__(theme, title)
        self._recents = Recents(folders.recents_file)
        self._num_recents = 0
        self._count = Label(theme, "", "small", "text2")
        self.clear = Button(
            theme,
            self.tr("Clear recent documents…"),
            kind="danger",
            icon="trash-2",
            height=STRIP_HEIGHT_PX,
        )
        self.clear.triggered.connect(self._ask)
        self.forget = Button(
            theme,
            self.tr("Forget everything…"),
            kind="danger",
            icon="trash-2",
            height=STRIP_HEIGHT_PX,
        )
        self.forget.triggered.connect(self._ask_to_forget)
        self.column.addLayout(self._head(title))
        self.column.addSpacing(6)
        promise = self.tr(
            "Documents are read and summaries are made here. Epitome connects to the network only "
            "when you install an optional part, or give a batch the address of a cluster: its "
            "documents are then sent there. “Check for updates”, in About, opens a page in your "
            "browser when you click it. What Epitome keeps is in the folders below."
        )
        self.column.addWidget(Label(theme, promise, "small", "text2", wrap=True))
        self.column.addSpacing(12)
        self.column.addWidget(Divider(theme))
        self.column.addSpacing(12)
        self.column.addLayout(self._recent_line())
        self.column.addSpacing(12)
        self.column.addLayout(_left(self.clear))
        self.column.addSpacing(8)
        self.column.addLayout(_left(self.forget))

    def _head(self, title: str) -> QHBoxLayout:
        row = layouts.row(
            Sign(self._theme, "shield-check", "ok", 20),
            (Label(self._theme, title, "section", wrap=True), 1),
            spacing=10,
        )
        return row

    def _recent_line(self) -> QHBoxLayout:
        row = layouts.row(
            (Label(self._theme, self.tr("Recent documents"), "body", "text2"), 1),
            self._count,
            spacing=None,
        )
        return row

    def refresh(self) -> None:
        """Counts the recent documents again."""
        self._num_recents = len(self._recents.read())
        shown = self._num_recents or self.tr("none")
        self._count.setText(self._recents.note or str(shown))
        self.clear.set_usable(
            bool(self._num_recents), self.tr("The list of recent documents is empty.")
        )

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _ask(self) -> None:
        documents = format_quantity(self._num_recents, "recent document")
        deed = self.tr("Clear {0}").format(documents)
        text = self.tr(
            "The list is cleared, with the pins and drops in all summaries. "
            "The documents themselves stay where they are."
        )
        dialog = ConfirmDialog(self._theme, f"{deed}?", text, deed=deed, parent=self.window())
        dialog.finished.connect(lambda: let_go(dialog))
        dialog.accepted.connect(self.clear_requested)
        dialog.open()

    def _ask_to_forget(self) -> None:
        text = self.tr(
            "Open documents are closed. The history, recent documents, pins and drops, recovery "
            "copies, batches, comparisons, the cache and the logs are deleted for good. Documents, "
            "corpora and models stay where they are."
        )
        deed = self.tr("Forget everything")
        dialog = ConfirmDialog(self._theme, f"{deed}?", text, deed=deed, parent=self.window())
        dialog.finished.connect(lambda: let_go(dialog))
        dialog.accepted.connect(self.forget_requested)
        dialog.open()


class FolderLine(QWidget):
    """One folder: what it holds, where it is, how large it is, a button that opens it."""

    def __init__(self, theme: Theme, title: str, path: Path) -> None:
        """A folder.

        Args:
            theme: The look.
            title: What it holds.
            path: Where it is.
        """
        super().__init__()
        self._path = path
        self._size = Label(theme, "", "small", "text3")
        self.open_button = Button(
            theme,
            kind="ghost",
            icon="folder-open",
            height=STRIP_HEIGHT_PX,
            tooltip=self.tr("Open folder: {0}").format(title),
        )
        self.open_button.triggered.connect(self._open)
        self._measuring: Iterator[int] | None = None
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._measure_some)
        where = Label(theme, shown_path(path), "body", wrap=True)
        where.setAccessibleName(str(path))
        layouts.column(
            layouts.row((Label(theme, title, "small", "text3"), 1), self._size, spacing=None),
            layouts.row((where, 1, Qt.AlignmentFlag.AlignVCenter), self.open_button, spacing=8),
            into=self,
        )

    @property
    def size_text(self) -> str:
        """Its size as it is shown."""
        return self._size.text()

    def refresh(self) -> None:
        """Measures it again, a bounded number of files in every turn of the event loop."""
        there = self._path.is_dir()
        self.open_button.set_usable(
            there, self.tr("This folder is created when it is first needed.")
        )
        self._measuring = measure(self._path) if there else None
        self._size.setText("" if there else self.tr("not created yet"))
        if there:
            self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _measure_some(self) -> None:
        totals = list(islice(self._measuring or (), _FILES_A_TURN))
        if totals:
            self._size.setText(format_size(totals[-1]))
            return
        self._timer.stop()
        self._size.setText(self._size.text() or self.tr("empty"))

    def _open(self) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._path))):
            self._size.setText(self.tr("no program to open it"))


class FoldersCard(Card):
    """The four folders."""

    def __init__(self, theme: Theme, folders: Folders) -> None:
        """The card.

        Args:
            theme: The look.
            folders: Where they are.
        """
        title = self.tr("Folders")
        super().__init__(theme, title)
        self.lines = {
            "data": FolderLine(theme, self.tr("Your data"), folders.data),
            "config": FolderLine(theme, self.tr("Settings"), folders.config),
            "cache": FolderLine(theme, self.tr("Cache"), folders.cache),
            "log": FolderLine(theme, self.tr("Log"), folders.log),
        }
        self.column.addWidget(Label(theme, title, "section"))
        for line in self.lines.values():
            self.column.addSpacing(6)
            self.column.addWidget(line)

    def refresh(self) -> None:
        """Measures the folders again."""
        for line in self.lines.values():
            line.refresh()


def _left(widget: QWidget) -> QHBoxLayout:
    row = layouts.row(widget, layouts.stretch(0), spacing=None)
    return row
