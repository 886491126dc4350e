"""One summary of several documents: what they share, where they differ, each point's places."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from core.export.combined import CombinedSummary, Point, lines_of, sections
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.inputs.button import Button
from gui.widgets.support import layouts
from gui.widgets.support.leaving import clear

if TYPE_CHECKING:
    from core.export.combined import Line

_MEASURE_PX = 720
_LONGEST_QUOTE = 160
_INSET_PX = 10


class CombinedView(QScrollArea):
    """The points under their two headings, each with links to the documents that make it.

    Signals:
        document_opened: The place of a document, from 0, that shall be opened.
    """

    document_opened = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.combined: CombinedSummary | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        content, self._column = Plane(theme, "surface"), QVBoxLayout()
        holder = QWidget()
        holder.setMaximumWidth(_MEASURE_PX)
        holder.setLayout(self._column)
        self._column.setSpacing(4)
        layouts.row(
            layouts.stretch(),
            (holder, 100),
            layouts.stretch(),
            into=content,
            margins=(24, 8, 24, 24),
            spacing=None,
        )
        self.setWidget(content)

    def show_combined(self, combined: CombinedSummary | None) -> None:
        """Shows a summary; None shows nothing."""
        self.combined = combined
        clear(self._column)
        if combined is not None:
            self._fill(self._column, combined)
        self._column.addStretch(1)

    def _fill(self, column: QVBoxLayout, combined: CombinedSummary) -> None:
        for heading, points in sections(combined):
            column.addSpacing(12)
            column.addWidget(Label(self._theme, heading, "section"))
            for point in points:
                self._add_point(column, combined, point)
        for note in combined.notes:
            column.addSpacing(12)
            column.addWidget(Label(self._theme, note, "small", "text3", wrap=True))

    def _add_point(self, column: QVBoxLayout, combined: CombinedSummary, point: Point) -> None:
        column.addSpacing(10)
        column.addWidget(Label(self._theme, point.text, "reads", "text", wrap=True))
        holder = QWidget()
        places = layouts.column(into=holder, margins=(_INSET_PX, 0, 0, 0), spacing=2)
        for line in lines_of(combined, point):
            link = self._link(line)
            places.addWidget(link, 0, Qt.AlignmentFlag.AlignLeft)
            if line.is_contrary:
                words = self.tr("With other numbers or names, or to the contrary: “{0}”").format(
                    line.quotation
                )
                told = layouts.column(
                    Label(self._theme, words, "body", "text2", wrap=True),
                    margins=(link.padding_px, 0, 0, 4),
                )
                places.addLayout(told)
        column.addWidget(holder)

    def _link(self, line: "Line") -> Button:
        words = f"[{line.number}] {line.name}, {line.place}"
        link = Button(self._theme, words, kind="link", height=24)
        quote = line.quotation
        link.set_tooltip(quote if len(quote) <= _LONGEST_QUOTE else f"{quote[:_LONGEST_QUOTE]}…")
        link.triggered.connect(partial(self.document_opened.emit, line.number - 1))
        return link
