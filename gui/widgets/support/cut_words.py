"""Words that had to be shortened are told whole where the pointer rests on them."""

from functools import partial
from html import escape

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QPainter
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from core.display_names import shown
from gui.theme.theme import Theme
from gui.widgets.support.listening import listen

_heard: list[list[tuple[QRectF, str]]] = []
"""Where what is being painted tells what it shortened; empty while nobody asks."""


def fitted(
    painter: QPainter,
    words: str,
    box: QRectF,
    mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> str:
    """Words as they fit into a box on one line, in the painter's font.

    Args:
        painter: Where they are drawn.
        words: All of them.
        box: Their room.
        mode: Where they lose letters, if they must.

    Returns:
        The words, with "…" where letters are missing.
    """
    cut = QFontMetricsF(painter.font()).elidedText(words, mode, max(box.width(), 0))
    if _heard and cut != words:
        _heard[-1].append((painter.worldTransform().mapRect(box), words))
    return cut


def write_line(
    painter: QPainter,
    theme: Theme,
    box: QRectF,
    text: str,
    role: str,
    color: str,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignVCenter,
) -> float:
    """Writes one line, shortened where there is no room.

    Args:
        painter: Where it is written.
        theme: The look.
        box: Its room.
        text: The words.
        role: Font role.
        color: Token.
        align: Across and down.

    Returns:
        The width of what was written, in px.
    """
    painter.setFont(theme.font(role))
    painter.setPen(theme.color(color))
    words = fitted(painter, text, box)
    painter.drawText(box, align | Qt.TextFlag.TextSingleLine, words)
    return QFontMetricsF(painter.font()).horizontalAdvance(words)


def cut_words_at(widget: QWidget, point: QPoint) -> str:
    """The whole of the words that a widget shortened at a place; "" where it shortened none.

    It is painted once more for that, out of sight: so what it shows now is what counts,
    however it was scrolled or folded since.
    """
    heard: list[tuple[QRectF, str]] = []
    _heard.append(heard)
    try:
        widget.grab()
    finally:
        _heard.remove(heard)
    return next((words for box, words in reversed(heard) if box.contains(QPointF(point))), "")


def tell_cut_words(widget: QWidget) -> None:
    """Shows the whole of what a widget draws with `fitted` where the pointer rests on it.

    Args:
        widget: What is painted; of a scroll area, its viewport is. Its own tooltip comes first.
    """
    if isinstance(widget, QAbstractScrollArea):
        listen(widget, partial(_tell, widget.viewport()), "viewportEvent")
    else:
        listen(widget, partial(_tell, widget))


def show_whole(event: QHelpEvent, widget: QWidget, words: str) -> None:
    """Shows words in a tooltip, never as markup, on several lines if they are long."""
    plain = escape(shown(words, lines=True)).replace("\n", "<br>")
    QToolTip.showText(event.globalPos(), f"<p>{plain}</p>", widget)


def _tell(widget: QWidget, event: QEvent) -> bool:
    if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip:
        return False
    if widget.toolTip():
        return False
    if words := cut_words_at(widget, event.pos()):
        show_whole(event, widget, words)
    else:
        QToolTip.hideText()
    return True
