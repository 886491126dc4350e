"""A document set in one column: its pieces, laid out when asked for, and where words are."""

from collections import OrderedDict
from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from core.documents.document import Document, Kind
from gui.theme.theme import Theme
from gui.widgets.reading.flow import Flow
from gui.widgets.reading.pieces import (
    SMALL_STYLES,
    STYLES,
    Pieces,
    Style,
    guess_lines,
    spaces_above,
    style_codes,
)
from gui.widgets.reading.text_block import TextBlock

MAX_MEASURE = 75
"""Characters of the longest line."""
_LETTER_PX = 559 / 75 / 17  # width of a character of `read`, in sizes
_LEFT_PX, _RIGHT_PX = 88, 40  # margins with paragraph labels and evidence numbers
_NARROW_PX, _NARROW_LEFT_PX = 480, 24  # below this width the labels give way to the text
_TOP_PX, _BOTTOM_PX = 24, 40
_CARD_PX = 12
_MAX_BLOCKS = 160
_SAMPLES, _SAMPLE = 3, 400
_FALLBACK_LETTER_PX = 8.0

Shown = list[tuple[int, int]]


class ReadingPage:
    """The layout of one document for one width and one reading size.

    Attributes:
        document: The text.
        pieces: What is laid out one by one.
        flow: Where the pieces are.
        left: Left edge of the column, in px of the screen.
        width: Width of the column.
        has_labels: Whether there is room for paragraph labels.
    """

    def __init__(
        self,
        theme: Theme,
        document: Document,
        pieces: Pieces,
        width: int,
        measure: int,
        compact_left: int | None = None,
        small: bool = False,
    ) -> None:
        """Guesses all heights; lays nothing out.

        Args:
            theme: Fonts and line heights.
            document: The text.
            pieces: Its pieces.
            width: Logical px there are, margins included.
            measure: Characters of the longest line.
            compact_left: The left margin in a card, where there are no paragraph labels and other
                margins are small too; None for a page.
            small: Whether text is set smaller, as in narrow columns.
        """
        self._styles = SMALL_STYLES if small else STYLES
        self._compact_left = compact_left
        self.document, self.pieces = document, pieces
        self._theme = theme
        self._codes = style_codes(document)
        self._spaces = spaces_above(document, pieces)
        self._blocks: OrderedDict[int, TextBlock] = OrderedDict()
        self.num_laid_out = 0
        self._set_column(width, measure)
        before, after = (_TOP_PX, _BOTTOM_PX) if compact_left is None else (_CARD_PX, _CARD_PX)
        self.flow = Flow(self._guesses(), self._measure, before=before, after=after)

    def _set_column(self, width: int, measure: int) -> None:
        self.has_labels = width >= _NARROW_PX and self._compact_left is None
        widest = round(min(measure, MAX_MEASURE) * _LETTER_PX * self._theme.reading_size)
        if self._compact_left is not None:
            room = max(80, width - self._compact_left - 16)
            self.left, self.width = self._compact_left, min(widest + 1, room)
            return
        left = _LEFT_PX if self.has_labels else _NARROW_LEFT_PX
        room = max(80, width - left - _RIGHT_PX)
        self.width = min(widest + 1, room)
        self.left = left + (room - self.width) // 2

    def _guesses(self) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        letter = _mean_letter_px(self._theme, self.document.text)
        size = self._theme.reading_size
        sizes = [self._theme.font(style.role).pixelSize() / size for style in self._styles]
        widths = [self.width - style.indent for style in self._styles]
        per_line = np.array(widths) / (letter * np.array(sizes))
        lines = guess_lines(self.document, self.pieces, per_line)
        heights = np.array([self._theme.line_height(style.role) for style in self._styles])
        codes = self._codes[self.pieces.paragraphs]
        guesses: np.ndarray[tuple[int], np.dtype[np.int32]]
        guesses = (lines * heights[codes] + self._spaces).astype(np.int32)
        return guesses

    def _measure(self, piece: int) -> int:
        return self.space(piece) + self.block(piece).height

    def style(self, piece: int) -> Style:
        """How a piece is set."""
        return self._styles[int(self._codes[self.pieces.paragraphs[piece]])]

    def space(self, piece: int) -> int:
        """Logical px between a piece and the one before."""
        return int(self._spaces[piece])

    def kind(self, piece: int) -> Kind:
        """What a piece's paragraph is."""
        return Kind(int(self.document.kinds[self.pieces.paragraphs[piece]]))

    def span(self, piece: int) -> tuple[int, int]:
        """First and last-but-one code point of a piece."""
        return int(self.pieces.starts[piece]), int(self.pieces.ends[piece])

    def block(self, piece: int) -> TextBlock:
        """The lines of a piece, laid out now unless they were lately."""
        if piece in self._blocks:
            self._blocks.move_to_end(piece)
            return self._blocks[piece]
        start, end = self.span(piece)
        style = self.style(piece)
        made = TextBlock(
            self.document.text[start:end],
            self._theme.font(style.role),
            self._theme.line_height(style.role),
            self.width - style.indent,
            wrap=style.wrap,
        )
        self.num_laid_out += 1
        self._blocks[piece] = made
        if len(self._blocks) > _MAX_BLOCKS:
            self._blocks.popitem(last=False)
        return made

    def corner(self, piece: int, top: int) -> QPointF:
        """Where the words of a piece begin when it begins at a height of the screen."""
        return QPointF(self.left + self.style(piece).indent, top + self.space(piece))

    def words(self, start: int, end: int, shown: Shown) -> list[QRectF]:
        """Where some words are on screen, a rectangle a line.

        Args:
            start: First code point.
            end: One past the last.
            shown: The pieces on screen and their tops.

        Returns:
            Rectangles of the full line height, in px of the screen.
        """
        return [rect for piece, top in shown for rect in self._words_in(piece, top, start, end)]

    def _words_in(self, piece: int, top: int, start: int, end: int) -> Iterator[QRectF]:
        first, last = self.span(piece)
        if start < last and end > first:
            corner = self.corner(piece, top)
            block = self.block(piece)
            for rect in block.rects(max(start, first) - first, min(end, last) - first):
                yield rect.translated(corner)

    def place(self, offset: int) -> tuple[int, int]:
        """The piece that holds a code point, and the top of its line from the piece's top."""
        piece = self.pieces.at(offset)
        start, end = self.span(piece)
        block = self.block(piece)
        line = block.line_of(min(max(offset, start), end) - start)
        return piece, self.space(piece) + line * block.line_height

    def first_line(self, shown: Shown) -> tuple[int, int]:
        """The first code point of the first whole line on screen, and the line's top."""
        piece, top = shown[0]
        block = self.block(piece)
        hidden = -(top + self.space(piece))
        line = max(0, -(-hidden // block.line_height))
        if line >= block.num_lines and len(shown) > 1:
            return self.first_line(shown[1:])
        line = min(line, block.num_lines - 1)
        y = top + self.space(piece) + line * block.line_height
        return self.span(piece)[0] + block.line_start(line), y

    def last_offset(self, shown: Shown, screen: int) -> int:
        """One past the last code point on screen."""
        piece, top = shown[-1]
        block = self.block(piece)
        line = (screen - top - self.space(piece)) // block.line_height + 1
        start, end = self.span(piece)
        return end if line >= block.num_lines else start + block.line_start(max(0, line))


def _mean_letter_px(theme: Theme, text: str) -> float:
    # Scripts differ in width by two: a few samples tell them apart.
    metrics = QFontMetricsF(theme.font("read"))
    step = max(1, len(text) // _SAMPLES)
    sample = "".join(text[at : at + _SAMPLE] for at in range(0, len(text), step)).replace("\n", " ")
    width = metrics.horizontalAdvance(sample)
    return width / len(sample) if width else _FALLBACK_LETTER_PX
