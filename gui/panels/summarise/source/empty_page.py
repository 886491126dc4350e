"""What stands in the panel while nothing is open: one sentence, one target, three samples."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QTextLayout
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QSizePolicy, QVBoxLayout

from core.distribution.resources import resource
from core.numbers import format_quantity
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.drop_zone import DropZone
from gui.widgets.inputs.start_area import StartArea
from gui.widgets.support.enter_key import pressed_by_enter
from gui.widgets.support.paint import HoverFade, draw_icon, draw_plate, mixed, painter_on

_CARD_PX = 132


@dataclass(frozen=True)
class Sample:
    """A document that comes with the program."""

    path: Path
    kind: str
    icon: str
    title: str
    words: int
    pages: int

    @property
    def size(self) -> str:
        """Its pages and words, as its card says them."""
        words = format_quantity(self.words, "word")
        return f"{format_quantity(self.pages, 'page')}, {words}" if self.pages else words


def samples() -> list[Sample]:
    """The three samples; a test holds their counts against what the readers find."""
    folder = resource("samples")
    return [
        Sample(
            folder / "patent.pdf",
            "Patent",
            "scroll-text",
            "Solid-state lithium cell with cast separator",
            4354,
            12,
        ),
        Sample(
            folder / "report.docx",
            "Report",
            "landmark",
            "Ground water in the Upper Rhine, 2019 to 2024",
            3895,
            0,
        ),
        Sample(
            folder / "article.md",
            "Article",
            "flask-conical",
            "The clock that listens to the sea",
            1753,
            0,
        ),
    ]


def is_sample(path: Path) -> bool:
    """Whether a file is part of the program: its folder is no place to write to."""
    return path.parent == resource("samples")


class SampleCard(QAbstractButton):
    """A card that opens a sample."""

    def __init__(self, theme: Theme, sample: Sample) -> None:
        super().__init__()
        self._theme, self.sample = theme, sample
        self._hover = HoverFade(self, theme)
        self.setAccessibleName(f"{sample.title}. {sample.kind}, {sample.size}")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(_CARD_PX)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(220, _CARD_PX)

    def focus_shape(self) -> tuple[QRect, int]:
        """Where the focus ring goes."""
        return self.rect(), 8

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        fill = mixed(color("surface"), color("hover"), self._hover.amount / 2)
        draw_plate(painter, QRectF(self.rect()), 8, fill, color("line"))
        draw_icon(painter, self._theme, self.sample.icon, "text2", QPointF(16, 16))
        left, width = 16, self.width() - 32
        self._line(painter, "small", "text2", QRectF(left + 24, 14, width, 20), self.sample.kind)
        self._line(painter, "small", "text3", QRectF(left, 86, width, 20), self.sample.size)
        self._draw_title(painter, left, 43, width)
        painter.end()

    def _line(self, painter: QPainter, role: str, color: str, box: QRectF, words: str) -> None:
        painter.setFont(self._theme.font(role))
        painter.setPen(self._theme.color(color))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter), words)

    def _draw_title(self, painter: QPainter, x: int, y: int, width: int) -> None:
        """Two lines at most, 20 px apart, which QPainter's own word wrap does not give."""
        layout = QTextLayout(self.sample.title, self._theme.font("strong"))
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width)
        layout.endLayout()
        for row in range(min(2, layout.lineCount())):
            line = layout.lineAt(row)
            start, length = line.textStart(), line.textLength()
            words = self.sample.title[start : start + length]
            self._line(painter, "strong", "text", QRectF(x, y + 20 * row, width, 20), words)


class EmptyPage(StartArea):
    """The page of an empty panel."""

    open_requested = Signal()
    paste_requested = Signal()
    files_dropped = Signal(list)
    text_dropped = Signal(str)
    sample_chosen = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__(
            theme,
            self.tr("Read long documents with the evidence beside every sentence."),
            self.tr("The first summary takes a second. Nothing leaves this computer."),
        )
        self._cards = [SampleCard(theme, sample) for sample in samples()]
        self._grid = QGridLayout()
        self._grid.setSpacing(16)
        self.add(self._drop_zone(theme))
        cards = QVBoxLayout()
        cards.setContentsMargins(0, 16, 0, 0)
        cards.setSpacing(12)
        cards.addWidget(Label(theme, self.tr("Or try one of these"), "section"))
        cards.addLayout(self._grid)
        self.add(cards)
        self._place_cards(3)
        for card in self._cards:
            card.clicked.connect(lambda checked, card=card: self.sample_chosen.emit(card.sample))

    def _drop_zone(self, theme: Theme) -> DropZone:
        opening = Button(
            theme, self.tr("Open a file"), kind="primary", icon="folder-open", height=36
        )
        paste = Button(theme, self.tr("Paste text"), icon="clipboard-paste", height=36)
        opening.triggered.connect(self.open_requested)
        paste.triggered.connect(self.paste_requested)
        zone = DropZone(
            theme,
            self.tr("Drop documents or a folder here"),
            self.tr("PDF, Word, slides, e-book, e-mail, web page, table or text. Any length."),
            [opening, paste],
            [("Ctrl O", self.tr("open")), ("Ctrl V", self.tr("paste"))],
            takes_text=True,
        )
        zone.files_dropped.connect(self.files_dropped)
        zone.text_dropped.connect(self.text_dropped)
        return zone

    def _place_cards(self, columns: int) -> None:
        for index, card in enumerate(self._cards):
            self._grid.addWidget(card, index // columns, index % columns)

    def cards(self) -> Sequence[SampleCard]:
        """The sample cards, left to right."""
        return self._cards
