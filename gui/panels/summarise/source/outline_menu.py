"""The outline of the source as a menu: each heading, and below it what it says."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QAction, QFontMetricsF, QPainter, Qt
from PySide6.QtWidgets import QWidget

from core.numbers import format_count
from gui.panels.summarise.saving.export_actions import tr
from gui.theme.theme import Theme
from gui.widgets.inputs.menu import Menu
from gui.widgets.support.paint import draw_plate

_MOST = 300
_WIDTH_PX, _INDENT_PX, _MARGIN_PX = 460, 16, 12
_TITLE_PX, _SENTENCE_PX = 20, 16
_DEEPEST = 4

Heading = tuple[int, int, str]
"""Where it stands, its level from 1, its words."""


class OutlineMenu(Menu):
    """Headings, indented by level, each with a good sentence under it, cut at the edge."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        """An empty menu.

        Args:
            theme: The look.
            parent: What it opens under.
        """
        super().__init__(theme, tr("Outline"), parent)
        self._look = theme
        self._entries: dict[QAction, tuple[int, str, str]] = {}

    def show_headings(
        self,
        headings: list[Heading],
        sentences: Mapping[int, str],
        go_to: Callable[[int], object],
    ) -> None:
        """Fills the menu.

        Args:
            headings: The headings in order.
            sentences: From the place of a heading to a good sentence below it.
            go_to: Called with the place of the heading that is chosen.
        """
        self.setProperty("lines", 2 if any(sentences.values()) else 1)
        top = min((level for _, level, _ in headings), default=1)
        for offset, level, title in headings[:_MOST]:
            sentence = sentences.get(offset, "")
            action = self.add(self._fitting(title), partial(go_to, offset))
            self._entries[action] = (min(level - top, _DEEPEST), title, sentence)
            action.setToolTip(sentence)
            action.setStatusTip(sentence)
        for words in _notes(len(headings)):
            self.add(words).setEnabled(False)
        self.setFixedWidth(_WIDTH_PX)

    def _fitting(self, title: str) -> str:
        """A title that does not make the menu wider than it is to be."""
        metrics, mode = QFontMetricsF(self.font()), Qt.TextElideMode.ElideRight
        return metrics.elidedText(title, mode, _WIDTH_PX - 6 * _MARGIN_PX).replace("&", "&&")

    def _paint_item(self, painter: QPainter, action: QAction, box: QRect) -> None:
        if action not in self._entries:
            super()._paint_item(painter, action, box)
            return
        depth, title, sentence = self._entries[action]
        if action is self.activeAction():
            draw_plate(painter, QRectF(box), 6, self._look.color("sunken"))
        words = QRectF(box).adjusted(_MARGIN_PX + depth * _INDENT_PX, 0, -_MARGIN_PX, 0)
        height = _TITLE_PX + (_SENTENCE_PX if sentence else 0)
        words.setTop(words.top() + (words.height() - height) / 2)
        words.setHeight(_TITLE_PX)
        self._line(painter, words, title, "body" if depth else "strong", "text")
        if sentence:
            words.translate(0, _TITLE_PX)
            words.setHeight(_SENTENCE_PX)
            self._line(painter, words, sentence, "small", "text3")

    def _line(self, painter: QPainter, box: QRectF, text: str, role: str, color: str) -> None:
        font = self._look.font(role)
        painter.setFont(font)
        painter.setPen(self._look.color(color))
        shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)


def _notes(count: int) -> Iterable[str]:
    if not count:
        yield tr("The source has no headings")
    if count > _MOST:
        yield tr("{count} more: use Find").format(count=format_count(count - _MOST))
