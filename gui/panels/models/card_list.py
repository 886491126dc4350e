"""The list of models, a card for each."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from core.display_names import shown
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
from gui.widgets.support.cut_words import fitted, tell_cut_words
from gui.widgets.support.paint import draw_icon, draw_plate, mixed

Index = QModelIndex | QPersistentModelIndex

CARD_PX, GAP_PX = 100, 8
_EDGE_PX = 16
_RADIUS_PX = 8
_SCORE_PX = 168
_NARROW_PX = 520
_TOP = QModelIndex()


class CardModel(QAbstractListModel):
    """The rows: models, and None for the built-in summariser."""

    def __init__(self, state: ModelsState) -> None:
        super().__init__()
        self._state = state
        self._rows: list[DescribedModel | None] = []

    @property
    def rows(self) -> Sequence[DescribedModel | None]:
        """What is listed."""
        return self._rows

    def refresh(self) -> None:
        """Shows what the state shows."""
        self.beginResetModel()
        self._rows = self._state.shown()
        self.endResetModel()

    def rowCount(self, parent: Index = _TOP) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        model = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return shown(title_of(model))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return shown(spoken(self._state, model))
        return None


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


class CardList(QListView):
    """Shows the models; arrow keys move, Enter opens, typing finds."""

    chosen = Signal(str)
    """The key of the model that the person moved to."""
    opened = Signal()
    """The person wants to see the chosen one's details."""

    def __init__(self, theme: Theme, state: ModelsState) -> None:
        super().__init__()
        self._theme, self._state = theme, state
        self.cards = CardModel(state)
        self.setAccessibleName(tr("Models"))
        self.setFrameShape(self.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setMouseTracking(True)
        self.setItemDelegate(_CardPainter(theme, state, self))
        self.setModel(self.cards)
        self.cards.setParent(self)
        self.viewport().setAutoFillBackground(False)
        tell_cut_words(self)
        self.selectionModel().currentChanged.connect(self._tell)
        theme.changed.connect(self.viewport().update)

    def refresh(self) -> None:
        """Shows what the state shows, without a signal."""
        self.blockSignals(True)
        self.selectionModel().blockSignals(True)
        at = self.verticalScrollBar().value()
        self.cards.refresh()
        keys = [key_of(model) for model in self.cards.rows]
        if self._state.chosen in keys:
            self.setCurrentIndex(self.cards.index(keys.index(self._state.chosen)))
        self.setMaximumHeight(max(1, len(keys) * (CARD_PX + GAP_PX)))
        self.verticalScrollBar().setValue(at)
        self.selectionModel().blockSignals(False)
        self.blockSignals(False)
        self.viewport().update()

    def card_box(self, row: QRect) -> QRect:
        """Where in its row a card stands: beside the scroll bar, also while there is none."""
        box = row.adjusted(0, 0, 0, -GAP_PX)
        edge = self.width() - self.verticalScrollBar().sizeHint().width()
        box.setRight(min(box.right(), edge - 1))
        return box

    def focus_shape(self) -> tuple[QRect, int]:
        """Where the focus ring goes: round the card with the keyboard."""
        index = self.currentIndex()
        box = self.card_box(self.visualRect(index)) if index.isValid() else self.viewport().rect()
        return box.intersected(self.viewport().rect()).adjusted(4, 4, -4, -4), _RADIUS_PX - 3

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
            return
        super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self.indexAt(event.position().toPoint()).isValid():
            self.opened.emit()

    def _tell(self, current: QModelIndex, before: QModelIndex) -> None:
        if current.isValid():
            self.chosen.emit(key_of(self.cards.rows[current.row()]))


class _CardPainter(QStyledItemDelegate):
    """Paints the cards."""

    def __init__(self, theme: Theme, state: ModelsState, view: CardList) -> None:
        super().__init__(view)
        self._theme, self._state, self._view = theme, state, view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(1, CARD_PX + GAP_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = self._view.cards.rows[index.row()]
        box = QRectF(self._view.card_box(option.rect))
        state = option.state
        selected = bool(state & state.State_Selected)
        hovered = bool(state & state.State_MouseOver)
        color = self._theme.color
        fill, line = (color("accentSoft"), color("accentLine")) if selected else (
            mixed(color("surface"), color("hover"), 0.5 if hovered else 0.0), color("line")
        )  # fmt: skip
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_plate(painter, box, _RADIUS_PX, fill, line)
        inner = box.adjusted(_EDGE_PX, 0, -_EDGE_PX, 0)
        if box.width() >= _NARROW_PX and self._paint_score(painter, inner, model):
            inner.setRight(inner.right() - _SCORE_PX)
        marks = [_outlined(mark) if selected else mark for mark in marks_of(model)]
        self._paint_head(painter, inner, title_of(model), marks)
        sentence = QRectF(inner.left(), box.top() + 38, inner.width(), 20)
        self._write(painter, sentence, sentence_of(model), "body", "text2")
        self._paint_facts(painter, inner, facts_line(self._state, model))
        painter.restore()

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
        self._write(painter, line, words, "section", "text")
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
            self._write(painter, line, name, "small", "text3")
            x += small.horizontalAdvance(name) + 6
            if is_warning:
                at = QPointF(round(x), box.top() + 69)
                draw_icon(painter, theme, "triangle-alert", "warn", at, 14)
                x += 18
            line = QRectF(x, box.top() + 66, max(box.right() - x, 0), 20)
            self._write(painter, line, value, "small", "warn" if is_warning else "text")
            x += small.horizontalAdvance(value) + 16

    def _paint_score(self, painter: QPainter, box: QRectF, model: DescribedModel | None) -> bool:
        """Paints the one score at the right; whether there is one."""
        value, half, caption = score_of(model, self._state.evaluations(model))
        if not caption:
            return False
        right = QRectF(box.right() - _SCORE_PX, box.top() + 26, _SCORE_PX, 24)
        align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        self._write(painter, right.translated(0, 24), caption, "small", "text2", align)
        if half:
            self._write(painter, right.translated(0, 1), half, "small", "text2", align)
            metrics = QFontMetricsF(self._theme.font("small"))
            right.setRight(right.right() - metrics.horizontalAdvance(half) - 8)
        self._write(painter, right, value, "figure", "text", align)
        return True

    def _write(
        self,
        painter: QPainter,
        box: QRectF,
        text: str,
        role: str,
        color: str,
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignVCenter,
    ) -> None:
        font = self._theme.font(role)
        painter.setFont(font)
        painter.setPen(self._theme.color(color))
        painter.drawText(box, int(align), fitted(painter, text, box))


def _outlined(mark: Mark) -> Mark:
    """A chip that is seen on the plate of a selected card, too."""
    return Mark(mark.text, "outline") if mark.state == "plain" else mark
