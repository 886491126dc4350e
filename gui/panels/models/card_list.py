"""The list of models, a card for each."""

from collections.abc import Hashable, Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from core.jobs.models.describe_models import DescribedModel
from gui.panels.models.score_words import score_of
from gui.panels.models.state import ModelsState, key_of
from gui.panels.models.words import (
    Mark,
    length_of,
    marks_of,
    sentence_of,
    size_of,
    title_of,
    tr,
)
from gui.theme.theme import Theme
from gui.widgets.display.chip import CHIP_PX, chip_width, paint_chip
from gui.widgets.support.cut_words import fitted, write_line
from gui.widgets.support.paint import draw_icon, draw_plate, mixed
from gui.widgets.tables.row_list import RowList, RowLook

CARD_PX, GAP_PX = 100, 8
_EDGE_PX = 16
_RADIUS_PX = 8
_SCORE_PX = 168
_NARROW_PX = 520


def spoken(state: ModelsState, model: DescribedModel | None) -> str:
    """A card as it is read aloud."""
    marks = ", ".join(mark.text for mark in marks_of(model))
    facts = ", ".join(f"{name} {value}" for name, value, _ in facts_line(state, model))
    score = " ".join(filter(None, score_of(model, state.evaluations(model))))
    parts = (title_of(model), marks, sentence_of(model), facts, score)
    return ". ".join(part.rstrip(".") for part in parts if part)


def facts_line(state: ModelsState, model: DescribedModel | None) -> list[tuple[str, str, bool]]:
    """Names and values of a card's last line, and whether each is a warning."""
    licence = state.built_in_licence if model is None else state.licence(model)
    return [
        (tr("Reads"), length_of(model), False),
        (tr("Size"), size_of(model, state.built_in_bytes), False),
        (tr("Licence"), licence or tr("unknown"), not licence),
    ]


class CardList(RowList):
    """The models, of which None is the built-in summariser; typing finds one by its title."""

    def __init__(self, theme: Theme, state: ModelsState) -> None:
        super().__init__(theme, tr("Models"), ring_radius=_RADIUS_PX - 3)
        self._state = state

    def refresh(self) -> None:
        """Shows the state, without a signal."""
        models = self._state.shown()
        self.setMaximumHeight(max(1, len(models) * (CARD_PX + GAP_PX)))
        self.show_rows(models, self._state.chosen)

    def key(self, item: DescribedModel | None) -> Hashable:
        return key_of(item)

    def words(self, item: DescribedModel | None) -> str:
        return title_of(item)

    def spoken(self, item: DescribedModel | None) -> str:
        return spoken(self._state, item)

    def row_height(self, row: DescribedModel | None, place: int) -> int:
        return CARD_PX + GAP_PX

    def plate(self, box: QRect) -> QRect:
        """The card: beside the scroll bar, also while there is none."""
        card = box.adjusted(0, 0, 0, -GAP_PX)
        edge = self.width() - self.verticalScrollBar().sizeHint().width()
        card.setRight(min(card.right(), edge - 1))
        return card

    def paint_row(
        self, painter: QPainter, box: QRectF, row: DescribedModel | None, look: RowLook
    ) -> None:
        color, card = self._theme.color, QRectF(self.plate(box.toRect()))
        fill, line = (color("accentSoft"), color("accentLine")) if look.selected else (
            mixed(color("surface"), color("hover"), 0.5 if look.hovered else 0.0), color("line")
        )  # fmt: skip
        draw_plate(painter, card, _RADIUS_PX, fill, line)
        inner = card.adjusted(_EDGE_PX, 0, -_EDGE_PX, 0)
        if card.width() >= _NARROW_PX and self._paint_score(painter, inner, row):
            inner.setRight(inner.right() - _SCORE_PX)
        marks = [_outlined(mark) if look.selected else mark for mark in marks_of(row)]
        self._paint_head(painter, inner, title_of(row), marks)
        sentence = QRectF(inner.left(), card.top() + 38, inner.width(), 20)
        write_line(painter, self._theme, sentence, sentence_of(row), "body", "text2")
        self._paint_facts(painter, inner, facts_line(self._state, row))

    def _paint_head(
        self, painter: QPainter, box: QRectF, title: str, marks: Sequence[Mark]
    ) -> None:
        theme = self._theme
        widths = [chip_width(theme, mark.text, mark.state) for mark in marks]
        room = box.width() - sum(width + 6 for width in widths) - 2
        metrics = QFontMetricsF(theme.font("section"))
        line = QRectF(box.left(), box.top() + 14, max(room, 48), 20)
        painter.setFont(theme.font("section"))
        words = fitted(painter, title, line, Qt.TextElideMode.ElideMiddle)
        line.setWidth(box.width())
        write_line(painter, self._theme, line, words, "section", "text")
        x = box.left() + metrics.horizontalAdvance(words) + 8
        for mark, width in zip(marks, widths, strict=True):
            chip = QRectF(round(x), box.top() + 14, width, CHIP_PX)
            paint_chip(painter, theme, chip, mark.text, mark.state)
            x += width + 6

    def _paint_facts(
        self, painter: QPainter, box: QRectF, facts: Sequence[tuple[str, str, bool]]
    ) -> None:
        x, theme = box.left(), self._theme
        small = QFontMetricsF(theme.font("small"))
        for name, value, is_warning in facts:
            line = QRectF(x, box.top() + 66, box.right() - x, 20)
            write_line(painter, self._theme, line, name, "small", "text3")
            x += small.horizontalAdvance(name) + 6
            if is_warning:
                at = QPointF(round(x), box.top() + 69)
                draw_icon(painter, theme, "triangle-alert", "warn", at, 14)
                x += 18
            line = QRectF(x, box.top() + 66, max(box.right() - x, 0), 20)
            write_line(painter, self._theme, line, value, "small", "warn" if is_warning else "text")
            x += small.horizontalAdvance(value) + 16

    def _paint_score(self, painter: QPainter, box: QRectF, model: DescribedModel | None) -> bool:
        """Paints the one score at the right; whether there is one."""
        value, half, caption = score_of(model, self._state.evaluations(model))
        if not caption:
            return False
        right = QRectF(box.right() - _SCORE_PX, box.top() + 26, _SCORE_PX, 24)
        align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        write_line(painter, self._theme, right.translated(0, 24), caption, "small", "text2", align)
        if half:
            write_line(painter, self._theme, right.translated(0, 1), half, "small", "text2", align)
            metrics = QFontMetricsF(self._theme.font("small"))
            right.setRight(right.right() - metrics.horizontalAdvance(half) - 8)
        write_line(painter, self._theme, right, value, "figure", "text", align)
        return True


def _outlined(mark: Mark) -> Mark:
    """A chip that is seen on the plate of a selected card, too."""
    return Mark(mark.text, "outline") if mark.state == "plain" else mark
