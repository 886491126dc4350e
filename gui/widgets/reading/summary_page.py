"""A summary set as a list: its sentences laid out when asked for, and where their parts are."""

from collections import OrderedDict

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from core.documents.document import Document
from core.summaries.summary import Doubt, Summary, SummarySentence
from gui.theme.theme import Theme
from gui.widgets.reading.flow import Flow
from gui.widgets.reading.quote_card import QuoteCard
from gui.widgets.reading.text_block import TextBlock

NUMBER_RIGHT_PX, TEXT_LEFT_PX = 36, 56
_WIDEST = 560 / 17  # of the text column, in reading sizes
_COMPACT_RIGHT_PX = 84  # for the page, and the tools below it
_WIDE_RIGHT_PX = 180  # for the page, and the tools beside it
_PAGE_GAP_PX, _PAGE_RIGHT_PX = 32, 24
_TOOL_PX = 24
_SIGN_ROOM_PX = 20  # what "no support" needs more than a page
_ABOVE_PX, _BELOW_PX, _BETWEEN_PX = 6, 6, 2
_CARD_GAP_PX, _CARD_OUTSET_PX = 8, 4
_TOP_PX, _BOTTOM_PX = 7, 24
_MAX_BLOCKS = 200
TOOLS = ("pin", "replace", "drop")

Blocks = OrderedDict[tuple[str, int, int], TextBlock]


class SummaryPage:
    """The layout of one summary for one width and reading size.

    Attributes:
        summary: Its sentences.
        flow: Where the rows are.
        text_width: Width of the text column.
        is_wide: Whether there is room for the tools beside the page.
        open_row: The row whose quotation is open, or -1.
    """

    def __init__(
        self,
        theme: Theme,
        summary: Summary,
        document: Document | None,
        width: int,
        blocks: Blocks | None = None,
    ) -> None:
        """Guesses all heights; lays nothing out.

        Args:
            theme: Fonts and line heights.
            summary: What is shown.
            document: The source, for quotations.
            width: Logical px there are.
            blocks: Sentences laid out for the summary before.
        """
        self.summary = summary
        self._theme, self._document, self._width = theme, document, width
        self._blocks: Blocks = OrderedDict() if blocks is None else blocks
        self.open_row = -1
        self._card: QuoteCard | None = None
        widest = round(_WIDEST * theme.reading_size)
        self.is_wide = width >= TEXT_LEFT_PX + widest + _WIDE_RIGHT_PX
        right = _WIDE_RIGHT_PX if self.is_wide else _COMPACT_RIGHT_PX
        self.text_width = max(80, min(widest, width - TEXT_LEFT_PX - right))
        self.flow = Flow(self._guesses(), self._measure, before=_TOP_PX, after=_BOTTOM_PX)

    @property
    def blocks(self) -> Blocks:
        """The sentences laid out lately, to be handed to the next page."""
        return self._blocks

    def _guesses(self) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        sentences = self.summary.sentences
        lengths = np.fromiter((len(s.spoken) for s in sentences), np.int64, len(sentences))
        letter = QFontMetricsF(self._theme.font("read")).averageCharWidth()
        lines = np.maximum(1, np.ceil(lengths * letter / self.text_width))
        around = _ABOVE_PX + _BELOW_PX + _BETWEEN_PX
        made: np.ndarray[tuple[int], np.dtype[np.int32]]
        made = (lines * self._theme.line_height("read") + around).astype(np.int32)
        return made

    def _measure(self, row: int) -> int:
        card = _CARD_GAP_PX + self._card.height if row == self.open_row and self._card else 0
        return _ABOVE_PX + self.block(row).height + card + _BELOW_PX + _BETWEEN_PX

    def sentence(self, row: int) -> SummarySentence:
        """One sentence."""
        return self.summary.sentences[row]

    def block(self, row: int) -> TextBlock:
        """The lines of a sentence with its speaker, laid out now unless they were lately."""
        line_height = self._theme.line_height("read")
        sentence = self.sentence(row)
        key = (sentence.spoken, self.text_width - self._sign_room(sentence), line_height)
        if key not in self._blocks:
            made = TextBlock(key[0], self._theme.font("read"), line_height, key[1])
            self._blocks[key] = made
            if len(self._blocks) > _MAX_BLOCKS:
                self._blocks.popitem(last=False)
        self._blocks.move_to_end(key)
        return self._blocks[key]

    def _sign_room(self, sentence: SummarySentence) -> int:
        return 0 if sentence.evidence or self.is_wide else _SIGN_ROOM_PX

    # Quotations

    def open(self, row: int) -> None:
        """Opens the quotation under a row, -1 for none; the one before closes."""
        if row >= 0 and (self._document is None or not self.sentence(row).evidence):
            row = -1
        for changed in {self.open_row, row} - {-1}:
            self.flow.forget(changed)
        self.open_row = row
        self._card = None
        if row >= 0 and self._document is not None:
            width = self.text_width + 10
            self._card = QuoteCard(self._theme, self._document, self.sentence(row).evidence, width)

    def card(self, row: int, top: int) -> tuple[QuoteCard, QPointF] | None:
        """The quotation of a row that begins at a height of the screen, and its corner."""
        if row != self.open_row or self._card is None:
            return None
        y = top + _ABOVE_PX + self.block(row).height + _CARD_GAP_PX
        return self._card, QPointF(TEXT_LEFT_PX - _CARD_OUTSET_PX, y)

    def link(self, row: int, top: int) -> QRectF:
        """Where "Show in source" stands under a row; empty when its quotation is closed."""
        card = self.card(row, top)
        return card[0].link_rect().translated(card[1]) if card else QRectF()

    # Where things are

    def corner(self, top: int) -> QPointF:
        """Where the words of a row begin that begins at a height of the screen."""
        return QPointF(TEXT_LEFT_PX, top + _ABOVE_PX)

    def words(self, row: int, top: int) -> list[QRectF]:
        """Where the words of a row are, a rectangle a line."""
        at, block, first = self.corner(top), self.block(row), len(self.sentence(row).prefix)
        return [rect.translated(at) for rect in block.rects(first, len(block.text))]

    def doubts(self, row: int, top: int) -> list[tuple[Doubt, list[QRectF]]]:
        """What is doubtful in a row, and where those words are, a rectangle a line."""
        at, block, sentence = self.corner(top), self.block(row), self.sentence(row)
        first = len(sentence.prefix)
        found = []
        for doubt in sentence.doubts:
            rects = block.rects(first + doubt.start, first + doubt.end)
            found.append((doubt, [rect.translated(at) for rect in rects]))
        return found

    def doubt_at(self, row: int, top: int, point: QPointF) -> Doubt | None:
        """The doubtful words of a row under a point."""
        found = self.doubts(row, top)
        return next((d for d, words in found if any(w.contains(point) for w in words)), None)

    def first_line(self, top: int) -> QRectF:
        """The whole width of a row's first line."""
        return QRectF(0, top + _ABOVE_PX, self._width, self._theme.line_height("read"))

    def page_box(self, top: int) -> QRectF:
        """Where the page of a row is written: from the left when wide, else from the right."""
        line = self.first_line(top)
        if self.is_wide:
            return line.adjusted(TEXT_LEFT_PX + self.text_width + _PAGE_GAP_PX, 0, 0, 0)
        return line.adjusted(TEXT_LEFT_PX + self.text_width, 0, -_PAGE_RIGHT_PX, 0)

    def sign_box(self, top: int) -> QRectF:
        """Where a row says that it has no support."""
        if self.is_wide:
            return self.page_box(top)
        left = TEXT_LEFT_PX + self.text_width - _SIGN_ROOM_PX + 4
        return self.first_line(top).adjusted(left, 0, 0, 0)

    def tool_rects(self, row: int, top: int) -> dict[str, QRectF]:
        """Where the tools of a row are: beside the page when wide, else below it."""
        line = self.first_line(top)
        if self.is_wide:
            first, step = TEXT_LEFT_PX + self.text_width + 100, 28
            y = line.center().y()
        else:
            first, step = self._width - 72, 26
            y = line.top() + (38 if self.block(row).num_lines > 1 else 33)
        half = _TOOL_PX / 2
        return {
            tool: QRectF(first + step * i - half, y - half, _TOOL_PX, _TOOL_PX)
            for i, tool in enumerate(TOOLS)
        }

    def pin_rect(self, row: int, top: int) -> QRectF:
        """Where the pin of a pinned row is while its tools are hidden."""
        rect = self.tool_rects(row, top)["pin"]
        rect.moveTop(self.first_line(top).center().y() - _TOOL_PX / 2)
        return rect
