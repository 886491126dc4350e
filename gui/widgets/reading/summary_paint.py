"""How the rows of a summary are painted."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from core.summaries.summary import SummarySentence
from gui.theme.theme import Theme
from gui.widgets.reading.summary_page import NUMBER_RIGHT_PX, SummaryPage
from gui.widgets.reading.text_block import Ink, paint_mark
from gui.widgets.support.paint import draw_icon, draw_plate

_ICONS = {"pin": "pin", "replace": "repeat-2", "drop": "x"}
_ICON_PX, _SIGN_PX = 16, 14
_DOUBT_X_PX = 11  # the middle of a doubt's sign, left of the row's number
_BAR_X_PX, _BAR_PX = 0, 3  # of a sentence that is new
_CENTRE = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine


def page_text(sentence: SummarySentence) -> str:
    """Where a sentence comes from, in a word or two."""
    if not sentence.evidence:
        return _tr("no support")
    first = sentence.evidence[0]
    if first.page:
        return _tr("p. {0}").format(first.page)
    return first.paragraph if first.paragraph.startswith("[") else f"¶ {first.paragraph}"


@dataclass(frozen=True)
class RowPainter:
    """Paints rows of one summary.

    Args:
        painter: On the screen.
        theme: The look.
        page: The layout.
        clip: What needs to be painted.
    """

    painter: QPainter
    theme: Theme
    page: SummaryPage
    clip: QRectF

    def row(self, row: int, top: int, *, lit: bool, active: bool, new: bool = False) -> None:
        """Paints a row without its tools.

        Args:
            row: Which one.
            top: Where it begins on the screen.
            lit: Whether its evidence is lit.
            active: Whether its tools are shown.
            new: Whether it was just added, or took another's place.
        """
        sentence = self.page.sentence(row)
        if new:
            self._bar(row, top)
        supported = bool(sentence.evidence)
        ink = "warn" if not supported else "ev" if lit else "text3"
        role = "smallb" if lit else "small"
        self._number(str(row + 1), top, role, ink)
        if lit or not supported:
            style = "lit" if supported else "unsupported"
            paint_mark(self.painter, self.page.words(row, top), style, self.theme)  # type: ignore[arg-type]
        for doubt, words in self.page.doubts(row, top):
            style = "unsupported" if doubt.elsewhere else "doubtful"
            paint_mark(self.painter, words, style, self.theme)  # type: ignore[arg-type]
        if sentence.doubts and supported:
            left = QPointF(_DOUBT_X_PX, self.page.first_line(top).center().y())
            self._icon("triangle-alert", "warn", left, _SIGN_PX)
        first = len(sentence.prefix)
        inks = [Ink(0, first, self.theme.color("text2"))] if first else []
        if lit and supported:
            inks.append(Ink(first, len(sentence.spoken), self.theme.color("evStrongText")))
        corner, color = self.page.corner(top), self.theme.color("text")
        self.page.block(row).draw(self.painter, corner, color, inks, self.clip)
        self._page(sentence, top, role, ink)
        if sentence.pinned and not active:
            centre = self.page.pin_rect(row, top).center() - QPointF(1, 0)
            self._icon("pin", "accent", centre, _SIGN_PX)
        if card := self.page.card(row, top):
            card[0].paint(self.painter, card[1])

    def tools(self, row: int, top: int, under_pointer: str | None) -> None:
        """Paints pin, replace and drop of a row.

        Args:
            row: Which one.
            top: Where it begins on the screen.
            under_pointer: The tool that is pointed at, if any.
        """
        pinned = self.page.sentence(row).pinned
        for tool, rect in self.page.tool_rects(row, top).items():
            if tool == under_pointer:
                draw_plate(self.painter, rect, 6, self.theme.color("hover"))
            color = "accent" if tool == "pin" and pinned else "text2"
            self._icon(_ICONS[tool], color, rect.center())

    def _bar(self, row: int, top: int) -> None:
        """A bar at the left edge, as high as the sentence."""
        corner, height = self.page.corner(top), self.page.block(row).height
        bar = QRectF(_BAR_X_PX, corner.y(), _BAR_PX, height)
        draw_plate(self.painter, bar, 1.5, self.theme.color("accent"))

    def _number(self, text: str, top: int, role: str, color: str) -> None:
        box = self.page.first_line(top)
        box.setRight(NUMBER_RIGHT_PX)
        self._write(text, box, Qt.AlignmentFlag.AlignRight, role, color)

    def _page(self, sentence: SummarySentence, top: int, role: str, color: str) -> None:
        sides = Qt.AlignmentFlag
        if sentence.evidence:
            side = sides.AlignLeft if self.page.is_wide else sides.AlignRight
            self._write(page_text(sentence), self.page.page_box(top), side, role, color)
            return
        box = self.page.sign_box(top)
        centre = QPointF(box.left() + _SIGN_PX / 2, box.center().y())
        self._icon("triangle-alert", color, centre, _SIGN_PX)
        words = box.adjusted(20 if self.page.is_wide else 18, 0, 0, 0)
        self._write(page_text(sentence), words, sides.AlignLeft, role, color)

    def _icon(self, name: str, color: str, centre: QPointF, size: int = _ICON_PX) -> None:
        # On whole px, or its strokes blur.
        corner = QPointF(int(centre.x() - size / 2), int(centre.y() - size / 2))
        draw_icon(self.painter, self.theme, name, color, corner, size)

    def _write(self, text: str, box: QRectF, side: Qt.AlignmentFlag, role: str, color: str) -> None:
        self.painter.setFont(self.theme.font(role))
        self.painter.setPen(self.theme.color(color))
        self.painter.drawText(box, _CENTRE | side, text)


def _tr(text: str) -> str:
    return QCoreApplication.translate("SummaryList", text)
