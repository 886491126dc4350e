"""Fields: text, number with unit, password; and the frame with label, help and error."""

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QLineEdit, QWidget

from core.numbers import format_count
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.sign import Sign
from gui.widgets.inputs.button import HEIGHT_PX, STRIP_HEIGHT_PX, Button
from gui.widgets.support import layouts
from gui.widgets.support.dragged import leave_files
from gui.widgets.support.numbers import parse_number
from gui.widgets.support.paint import draw_icon, painter_on

_ICON_INSET_PX = 10
_ICON_PX = 16
_PAGE = 10


class TextField(QLineEdit):
    """A line of text; border, focus and error come from the style sheet."""

    error_changed = Signal(str)

    def __init__(
        self,
        theme: Theme,
        text: str = "",
        *,
        name: str,
        placeholder: str = "",
        icon: str = "",
        unit: str = "",
        height: int = HEIGHT_PX,
        from_start: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        """A field.

        Args:
            theme: The look.
            text: At first.
            name: Accessible name.
            placeholder: Shown while it is empty.
            icon: Lucide's name of an icon at the left, or none.
            unit: Shown at the right.
            height: 32, or 28 in strips.
            from_start: Whether a long text shows its start while nobody types, not its end.
            parent: Qt's owner.
        """
        super().__init__(text, parent)
        self._theme, self._icon, self._unit = theme, icon, unit
        self._from_start = from_start
        self._error = ""
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        self.setFixedHeight(height)
        self._dress()
        self.textEdited.connect(lambda: self.set_error(""))
        theme.changed.connect(self._dress)

    @property
    def error(self) -> str:
        """The error of the value, or ""."""
        return self._error

    def set_error(self, sentence: str) -> None:
        """Shows an error at the field, or clears it.

        Args:
            sentence: What is wrong and what is allowed; "" for nothing.
        """
        if sentence == self._error:
            return
        self._error = sentence
        self.setAccessibleDescription(sentence)
        self.setProperty("error", bool(sentence))
        self.style().unpolish(self)
        self.style().polish(self)
        self.error_changed.emit(sentence)

    def set_unit(self, unit: str) -> None:
        """Shows another unit at the right."""
        self._unit = unit
        self._dress()
        self.update()

    def setText(self, text: str | None) -> None:
        super().setText(text)
        if not self.hasFocus():
            self._show_start()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        passing = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
        if event.reason() not in passing:  # after these the typing goes on
            self._show_start()

    def _show_start(self) -> None:
        if self._from_start:
            self.home(False)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = painter_on(self)
        if self._icon:
            at = QPointF(_ICON_INSET_PX, (self.height() - _ICON_PX) / 2)
            draw_icon(painter, self._theme, self._icon, "text2", at)
        if self._unit:
            box = QRectF(self.rect()).adjusted(0, 0, -10, 0)
            painter.setFont(self._theme.font("body"))
            painter.setPen(self._theme.color("text3" if self.isEnabled() else "disabled"))
            align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(box, align, self._unit)
        painter.end()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if not leave_files(event):
            super().dragEnterEvent(event)

    def minimumSizeHint(self) -> QSize:
        # Qt asks for room for the widest character of every font that was used so far: two digits
        # are enough, whatever was drawn before.
        hint, metrics = super().minimumSizeHint(), QFontMetricsF(self.font())
        spare = max(0, round(metrics.maxWidth() - metrics.horizontalAdvance("00")))
        return QSize(hint.width() - spare, hint.height())

    def _dress(self) -> None:
        self.setFont(self._theme.font("body"))
        left = _ICON_PX + _ICON_INSET_PX - 4 if self._icon else 0
        unit = QFontMetricsF(self.font()).horizontalAdvance(self._unit) + 6 if self._unit else 0
        self.setTextMargins(left, 0, round(unit), 0)


class FindField(TextField):
    """The find field; Esc empties it, before it means anything to the window."""

    def event(self, event: QEvent) -> bool:
        asked_first = event.type() == QEvent.Type.ShortcutOverride
        if asked_first and isinstance(event, QKeyEvent) and self._empties(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._empties(event):
            self.clear()
            return
        super().keyPressEvent(event)

    def _empties(self, event: QKeyEvent) -> bool:
        return event.key() == Qt.Key.Key_Escape and bool(self.text())


class NumberField(TextField):
    """A whole number within bounds; accepts 16384, 16 384 and 16k. Up and Down change it by 1.

    It is checked on leaving the field or Enter, and mended on typing. A wrong value stays.
    """

    value_changed = Signal(int)
    """A new valid value entered by the user."""

    def __init__(
        self,
        theme: Theme,
        minimum: int,
        maximum: int,
        value: int,
        *,
        name: str,
        unit: str = "",
        width: int = 0,
        height: int = HEIGHT_PX,
        parent: QWidget | None = None,
    ) -> None:
        """A field for a whole number.

        Args:
            theme: The look.
            minimum: Lowest allowed value.
            maximum: Highest allowed value.
            value: At first.
            name: Accessible name.
            unit: What it counts, shown at the right.
            width: In px; 0 leaves it to the layout.
            height: 32, or 28 in strips.
            parent: Qt's owner.
        """
        super().__init__(theme, name=name, unit=unit, height=height, parent=parent)
        self._minimum, self._maximum = minimum, maximum
        self._value = value
        if width:
            self.setFixedWidth(width)
        self.set_value(value)
        self.editingFinished.connect(self._check)

    @property
    def value(self) -> int:
        """The last valid value."""
        return self._value

    def set_value(self, value: int) -> None:
        """Shows a value without a signal."""
        self._value = value
        self.setText(format_count(value))
        self.set_error("")

    def set_bounds(self, minimum: int, maximum: int) -> None:
        """Sets the minimum and the maximum."""
        self._minimum, self._maximum = minimum, maximum

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            undoing = event.matches(QKeySequence.StandardKey.Undo)
            redoing = event.matches(QKeySequence.StandardKey.Redo)
            # Once a number is taken, undo belongs to what the number did, not to its digits.
            if (undoing or redoing) and self.text() == format_count(self._value):
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Up: 1,
            Qt.Key.Key_Down: -1,
            Qt.Key.Key_PageUp: _PAGE,
            Qt.Key.Key_PageDown: -_PAGE,
        }
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        self._take(min(max(self._value + step, self._minimum), self._maximum))

    def _check(self) -> None:
        value = parse_number(self.text())
        if value is None:
            self.set_error(self.tr("Enter a whole number, such as 512 or 16k."))
        elif value < self._minimum:
            self.set_error(self.tr("Must be at least %s.") % format_count(self._minimum))
        elif value > self._maximum:
            self.set_error(self.tr("Must be at most %s.") % format_count(self._maximum))
        else:
            self._take(value)

    def _take(self, value: int) -> None:
        changed = value != self._value
        self.set_value(value)
        if changed:
            self.value_changed.emit(value)


class PasswordField(TextField):
    """A password: dots until the eye is pressed; hidden again when the focus leaves."""

    def __init__(self, theme: Theme, *, name: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, name=name, parent=parent)
        self.setEchoMode(QLineEdit.EchoMode.Password)
        self._eye = Button(
            theme,
            kind="ghost",
            icon="eye",
            height=STRIP_HEIGHT_PX - 4,
            tooltip=self.tr("Show the password"),
            parent=self,
        )
        self._eye.setCursor(Qt.CursorShape.ArrowCursor)
        self._eye.triggered.connect(self._turn)
        self.setTextMargins(0, 0, STRIP_HEIGHT_PX, 0)

    @property
    def eye(self) -> Button:
        """The button that shows and hides the password."""
        return self._eye

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        size = self._eye.sizeHint().width()
        self._eye.move(self.width() - size - 4, (self.height() - size) // 2)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if not self._eye.hasFocus():
            self._show(False)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange:
            self._eye.setEnabled(self.isEnabled())

    def _turn(self) -> None:
        self._show(self.echoMode() == QLineEdit.EchoMode.Password)

    def _show(self, shown: bool) -> None:
        mode = QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password
        self.setEchoMode(mode)
        self._eye.set_icon_name("eye-off" if shown else "eye")
        self._eye.set_tooltip(
            self.tr("Hide the password") if shown else self.tr("Show the password")
        )


class FieldFrame(QWidget):
    """A field with its label above and one line below: help, or what is wrong."""

    def __init__(
        self,
        theme: Theme,
        label: str,
        field: QWidget,
        help_text: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """A labelled field.

        Args:
            theme: The look.
            label: Above the field.
            field: A `TextField` or another control.
            help_text: Below it, while nothing is wrong.
            parent: Qt's owner.
        """
        super().__init__(parent)
        self._help_text = help_text
        self._label = Label(theme, label, "smallb", "text2")
        self._label.setBuddy(field)
        self._sign = Sign(theme, "octagon-x", "err", 14)
        self._below = Label(theme, help_text, "small", "text3")
        layouts.column(
            self._label,
            field,
            layouts.row(self._sign, (self._below, 1), spacing=4),
            into=self,
            spacing=4,
        )
        self._show_error("")
        if isinstance(field, TextField):
            field.error_changed.connect(self._show_error)
            self._show_error(field.error)

    def _show_error(self, sentence: str) -> None:
        self._sign.setVisible(bool(sentence))
        self._below.setText(sentence or self._help_text)
        self._below.set_color("err" if sentence else "text3")
