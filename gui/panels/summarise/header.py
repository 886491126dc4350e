"""The head of the Summarise panel: what is open, and the ways to open something else."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.display.sign import Sign
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.segmented import SegmentedControl

HEIGHT_PX = 52


class Header(Plane):
    """Title and facts at the left, Open, Paste and Recent at the right.

    When the window is not wide, the two-part switch stands in the middle, the buttons lose their
    words and Export joins them.
    """

    open_requested = Signal()
    paste_requested = Signal()
    recent_requested = Signal(QWidget)
    export_requested = Signal(QWidget)
    documents_requested = Signal(QWidget)
    """The list of the open documents was asked for, under this button."""
    side_chosen = Signal(str)
    """ "source" or "summary", from the two-part switch."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self.setFixedHeight(HEIGHT_PX)
        self._sign = Sign(theme, "file-text", "text2", 16)
        self._signed = QWidget()  # hidden with its gap, so that all titles begin at the same place
        signed = QHBoxLayout(self._signed)
        signed.setContentsMargins(0, 0, 2, 0)
        signed.addWidget(self._sign)
        self._title = Label(theme, "", "title", elide=True)
        self._facts = Label(theme, "", "body", "text2", elide=True, least=72)
        self.switch = SegmentedControl(
            theme,
            [("source", self.tr("Source")), ("summary", self.tr("Summary"))],
            value="summary",
            name=self.tr("What is shown"),
        )
        self._make_buttons(theme)
        self._lay_out()
        self.switch.chosen.connect(self.side_chosen)
        self.show_empty()

    def _make_buttons(self, theme: Theme) -> None:
        opening, paste = self.tr("Open a file"), self.tr("Paste text")
        self._words = [
            Button(theme, self.tr("Open"), icon="folder-open", tooltip=opening, keys="Ctrl O"),
            Button(
                theme,
                self.tr("Paste"),
                kind="ghost",
                icon="clipboard-paste",
                tooltip=paste,
                keys="Ctrl V",
            ),
        ]
        self._icons = [
            Button(theme, kind="ghost", icon="folder-open", tooltip=opening, keys="Ctrl O"),
            Button(theme, kind="ghost", icon="clipboard-paste", tooltip=paste, keys="Ctrl V"),
        ]
        for row in (self._words, self._icons):
            row[0].triggered.connect(self.open_requested)
            row[1].triggered.connect(self.paste_requested)
        self._recent = Button(theme, self.tr("Recent"), kind="ghost", trailing_icon="chevron-down")
        self._recent_icon = Button(
            theme, kind="ghost", icon="history", tooltip=self.tr("Recent documents")
        )
        self.export = Button(
            theme,
            self.tr("Export"),
            kind="primary",
            icon="share",
            keys="Ctrl E",
            tooltip=self.tr("Write the summary to a file"),
        )
        self.documents = Button(
            theme,
            "1",
            kind="ghost",
            trailing_icon="chevron-down",
            tooltip=self.tr("Open documents"),
        )
        self.documents.hide()
        self.documents.triggered.connect(lambda: self.documents_requested.emit(self.documents))
        for button in (self._recent, self._recent_icon):
            button.triggered.connect(lambda button=button: self.recent_requested.emit(button))
        self.export.triggered.connect(lambda: self.export_requested.emit(self.export))

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 0, 16, 1)
        row.setSpacing(8)
        row.addWidget(self._signed)
        row.addWidget(self._title)
        row.addSpacing(4)
        row.addWidget(self._facts, 1)
        row.addWidget(self.documents)
        row.addStretch(0)
        row.addWidget(self.switch)
        row.addStretch(0)
        for button in (*self._words, *self._icons, self._recent, self._recent_icon, self.export):
            row.addWidget(button)

    def show_empty(self, facts: str = "") -> None:
        """Nothing is open."""
        self._title.setText(self.tr("Summarise"))
        self._facts.setText(facts)
        self._signed.hide()
        self._is_empty = True

    def show_document(self, title: str, facts: str, icon: str = "file-text") -> None:
        """Says what is open.

        Args:
            title: Its title.
            facts: One line about it.
            icon: Lucide's name.
        """
        self._title.setText(title)
        self._title.setToolTip(title)
        self._facts.setText(facts)
        self._sign.set_icon(icon, "text2")
        self._signed.show()
        self._is_empty = False

    def fold(self, wide: bool, with_summary: bool, with_switch: bool) -> None:
        """Shows what there is room for.

        Args:
            wide: Whether the buttons keep their words.
            with_summary: Whether there is a summary to export.
            with_switch: Whether source and summary share one place.
        """
        for button in self._words:
            button.setVisible(wide and not self._is_empty)
        for button in self._icons:
            button.setVisible(not wide and not self._is_empty)
        self._recent.setVisible(wide or self._is_empty)
        self._recent_icon.setVisible(not wide and not self._is_empty)
        self.switch.setVisible(with_switch and not self._is_empty)
        self.export.setVisible(not wide and with_summary)
        self._facts.setVisible(wide)

    def show_place(self, place: int, count: int) -> None:
        """Says which of how many documents is shown, from 0."""
        words = self.tr("{place} of {count}").format(place=place + 1, count=count)
        self.documents.setText(words)
        self.documents.setAccessibleName(self.tr("Open documents, {words}").format(words=words))

    def fold_documents(self, are_in_menu: bool) -> None:
        """Says whether the list of the open documents is a menu here."""
        self.documents.setVisible(are_in_menu)

    def show_side(self, side: str) -> None:
        """Sets the two-part switch."""
        self.switch.set_value(side)
