"""About: what this is, its version, its licence, and the licences of all its parts."""

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.installation import installation
from core.version import VERSION
from gui.panels.settings.parts import NAME, Part, bundled_parts, installed_parts, technical_details
from gui.panels.settings.rows import Row
from gui.panels.settings.state import matches
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.inputs.button import STRIP_HEIGHT_PX, Button
from gui.widgets.inputs.text_dialog import TextDialog
from gui.widgets.support import layouts
from gui.widgets.support.announce import announce
from gui.widgets.support.paint import draw_plate, painter_on

_COPIED_MS = 4000


class Mark(QWidget):
    """Three lines of text, one of them evidence."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedSize(QSize(48, 48))
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        draw_plate(painter, QRectF(self.rect()), 8, color("window"), color("line"))
        for y, width, token in ((15, 28, "line2"), (23, 18, "ev"), (31, 28, "line2")):
            draw_plate(painter, QRectF(10, y, width, 3), 1.5, color(token))
        painter.end()


class AboutRow(QWidget):
    """The mark, the version, the licence; copies the technical details."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.copy = Button(theme, self.tr("Copy technical details"), icon="copy")
        self.copy.set_tooltip(self.tr("Versions of Epitome, Python, Qt and the system"))
        self.copied = Label(theme, "", "small", "ok")
        self._gone = QTimer(self, singleShot=True, interval=_COPIED_MS)
        self._gone.timeout.connect(lambda: self.copied.setText(""))
        self.copy.triggered.connect(self._copy)
        layouts.row(
            (Mark(theme), 0, Qt.AlignmentFlag.AlignTop),
            (self._words(theme), 1),
            into=self,
            margins=(0, 12, 0, 12),
            spacing=16,
        )

    def _words(self, theme: Theme) -> QVBoxLayout:
        what = self.tr(
            "Reads long documents on your own machine and shows the evidence for every "
            "sentence of the summary."
        )
        copy = self.tr("Installed from: {}").format(installation().title)
        column = layouts.column(
            Label(theme, f"Epitome {VERSION}", "section"),
            Label(theme, copy, "small", "text2"),
            Label(theme, what, "body", "text2", wrap=True),
            10,
            layouts.row(self.copy, (self.copied, 1), spacing=12),
            spacing=2,
        )
        return column

    def matches(self, wanted: str) -> bool:
        """Whether its words hold what is looked for."""
        return matches(
            wanted, *(label.text() for label in self.findChildren(Label)), self.copy.text()
        )

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(technical_details())
        self.copied.setText(self.tr("Copied"))
        announce(self, self.tr("Technical details copied"))
        self._gone.start()


class PartRow(Row):
    """A part, its version and licence, and the button that shows the licence."""

    def __init__(self, theme: Theme, part: Part) -> None:
        """A part.

        Args:
            theme: The look.
            part: Which.
        """
        name = "Epitome" if part.name == NAME else part.name
        super().__init__(theme, name, part.facts)
        self._part = part
        self.read = Button(
            theme,
            self.tr("Read licence"),
            kind="link",
            height=STRIP_HEIGHT_PX,
        )
        self.read.setAccessibleName(self.tr("Read the licence of {0}").format(name))
        self.read.triggered.connect(self._show)
        if part.files:
            self.add(self.read)
        else:
            self.read.setParent(self)
            self.read.hide()

    def _show(self) -> None:
        part, name = self._part, self.tr("Licence of {0}").format(self._part.name)
        TextDialog(
            self._theme, part.name, part.facts, part.read_licence(), self.window(), name=name
        ).show_until_closed()


def about_rows(theme: Theme, updates: QWidget) -> list[QWidget]:
    """All rows of About; that of updates is the second."""
    parts = installed_parts()
    own, packages = parts[:1], parts[1:]
    rows = [PartRow(theme, part) for part in own + bundled_parts() + packages]
    return [AboutRow(theme), updates, *rows]
