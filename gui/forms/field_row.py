"""A field in a form: words, control, unit, and what the preset has instead."""

from typing import Any

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.forms.controls import Controls
from gui.forms.fields import FormField
from gui.forms.row import Row
from gui.forms.values import range_of
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.tooltip import set_tooltip
from gui.widgets.inputs.button import icon_button
from gui.widgets.support import layouts
from gui.widgets.support.announce import announce
from gui.widgets.support.paint import painter_on

UNIT_PX = 64
MARK_PX = 132
_ROW_PX = 53
_DIAMOND_PX = 4.5  # from its middle to a corner
_GAP_PX = 8
_ANY_PX = 16_777_215


class Difference(QWidget):
    """A diamond and a few words: what differs."""

    def __init__(self, theme: Theme, text: str = "") -> None:
        super().__init__()
        self._theme, self._text = theme, text
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(20)
        theme.changed.connect(self.update)

    def text(self) -> str:
        """The words; empty when nothing differs."""
        return self._text

    def set_text(self, text: str) -> None:
        """Says what differs; "" for nothing."""
        self._text = text
        self.setAccessibleName(text)
        set_tooltip(self, self._theme, text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        words = QFontMetricsF(self._theme.font("small")).horizontalAdvance(self._text)
        return QSize(round(words) + 18, 20)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._text:
            return
        painter, middle = painter_on(self), QPointF(_DIAMOND_PX, self.height() / 2)
        corners = ((0, -_DIAMOND_PX), (_DIAMOND_PX, 0), (0, _DIAMOND_PX), (-_DIAMOND_PX, 0))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent"))
        painter.drawPolygon(QPolygonF([middle + QPointF(x, y) for x, y in corners]))
        painter.setFont(self._theme.font("small"))
        painter.setPen(self._theme.color("accent"))
        metrics = QFontMetricsF(self._theme.font("small"))
        words = metrics.elidedText(self._text, Qt.TextElideMode.ElideRight, self.width() - 14)
        box = self.rect().adjusted(14, 0, 0, 0)
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, words)
        painter.end()


class FieldRow(Row):
    """One field: its control at the right, and beside it what the preset has instead."""

    edited = Signal(str, object)
    """Name of the field, and what a person typed or chose."""
    committed = Signal(str)
    """The person is done with the field."""
    reset_wanted = Signal(str)

    _built = False

    def __init__(self, controls: Controls, field: FormField) -> None:
        """A row.

        Args:
            controls: Makes its control.
            field: What it shows.
        """
        theme = controls.theme
        help_text = " ".join(filter(None, (_sentence(field.help), range_of(field.kind))))
        super().__init__(theme, field.title, help_text, height=_ROW_PX)
        self.field, self._own_help = field, help_text
        self.told_error = ""
        self.editor = controls.make(field)
        self.difference = Difference(theme)
        reset = self.tr("Reset {0}").format(field.title)
        self.reset = icon_button(theme, "rotate-ccw", reset)
        self._unit = Label(theme, field.unit, "small", "text3")
        self._unit.setFixedWidth(UNIT_PX)
        self._side = QWidget()
        self._lay_out()
        self._built = True
        # Of a list the button that adds an entry: it is always there.
        adder = getattr(self.editor, "adder", None)
        self._label.setBuddy(adder or self.editor.control)
        self.show_error("")
        self.show_difference("")
        self.editor.edited.connect(lambda raw: self.edited.emit(field.name, raw))
        self.editor.committed.connect(lambda: self.committed.emit(field.name))
        self.reset.triggered.connect(lambda: self.reset_wanted.emit(field.name))

    def _lay_out(self) -> None:
        mark = self._mark = QWidget()
        mark.setFixedWidth(MARK_PX)
        layouts.row((self.difference, 1), self.reset, into=mark, spacing=4)
        self._keep_place(self.reset)
        side = layouts.row(
            (self.editor, 1 if self.editor.wide else 0),
            self._unit,
            (mark, 0, Qt.AlignmentFlag.AlignTop if self.editor.wide else _MIDDLE),
            into=self._side,
            spacing=_GAP_PX,
        )
        self._side_row = side
        self._row.addWidget(self._side, 0)
        self.set_stacked(False)

    @staticmethod
    def _keep_place(widget: QWidget) -> None:
        policy = widget.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        widget.setSizePolicy(policy)

    def set_stacked(self, stacked: bool) -> None:
        """Puts the control under the words; a list always stands there."""
        super().set_stacked(stacked or self.editor.wide)
        self._unit.setVisible(bool(self.field.unit) if stacked else not self.editor.wide)
        # Below the words there is room for all of what differs.
        self._mark.setMaximumWidth(_ANY_PX if stacked else MARK_PX)
        if stacked and not self.editor.wide and self._side_row.count() == 3:
            self._side_row.insertStretch(2, 1)
        elif not stacked and self._side_row.count() == 4:
            self._side_row.takeAt(2)

    def set_help(self, help_text: str) -> None:
        """Says something else under the title; the field's own help and range if empty."""
        super().set_help(help_text or self._own_help)
        if not self.told_error:
            self.editor.describe(" ".join(filter(None, (self._help_text, self.field.unit))))

    def show_raw(self, raw: Any) -> None:
        """Shows a value without a signal."""
        self.editor.show_raw(raw)

    def show_error(self, sentence: str, *, aloud: bool = False) -> None:
        """Says what is wrong instead of the help; "" for nothing.

        Args:
            sentence: What is wrong.
            aloud: Whether screen readers are told.
        """
        super().show_error(sentence)
        if not self._built:
            return  # the row itself is still being made
        self.told_error = sentence
        self.editor.set_error(sentence)
        described = " ".join(filter(None, (self._help_text, self.field.unit)))
        self.editor.describe(sentence or described)
        if sentence and aloud:
            announce(self, f"{self.title}: {sentence}", urgent=True)

    def show_difference(self, text: str) -> None:
        """Says what the preset has instead; "" when nothing differs."""
        self.difference.set_text(text)
        self.difference.setVisible(bool(text))
        self.reset.setVisible(bool(text))


_MIDDLE = Qt.AlignmentFlag.AlignVCenter


def _sentence(text: str) -> str:
    return text if not text or text.endswith(".") else f"{text}."
