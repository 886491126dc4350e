"""The command that does the same, on a sunken plate, with a button that copies it."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.system.shell import shell_line
from core.training.train_command import Option
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.inputs.button import icon_button
from gui.widgets.support import layouts
from gui.widgets.support.paint import draw_plate, painter_on

_PADDING_PX, _INDENT_PX = 12, 16


class _Plate(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.options: tuple[Option, ...] | None = ()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSizePolicy(policy)
        theme.changed.connect(self.update)

    def show_options(self, options: Sequence[Option] | None) -> None:
        shown = None if options is None else tuple(options)
        if shown != self.options:
            self.options = shown
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        lines = len(self.options or ()) + 1
        return QSize(200, lines * self._theme.line_height("mono") + 2 * _PADDING_PX)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color, line_px = (
            painter_on(self),
            self._theme.color,
            self._theme.line_height("mono"),
        )
        draw_plate(painter, QRectF(self.rect()), 6, color("sunken"))
        font = self._theme.font("mono")
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        box = QRectF(_PADDING_PX, _PADDING_PX, self.width() - 2 * _PADDING_PX, line_px)
        if self.options is None:
            painter.setPen(color("text3"))
            painter.drawText(box, align, "–")
        else:
            painter.setPen(color("text"))
            painter.drawText(box, align, "epitome train")
        for option in self.options or ():
            box.translate(0, line_px)
            flag, *values = option
            painter.setPen(color("accent"))
            painter.drawText(box.adjusted(_INDENT_PX, 0, 0, 0), align, flag)
            left = _INDENT_PX + metrics.horizontalAdvance(flag + " ")
            room = box.adjusted(left, 0, 0, 0)
            words = shell_line(values) if values else ""
            shown = metrics.elidedText(words, Qt.TextElideMode.ElideMiddle, room.width())
            painter.setPen(color("text"))
            painter.drawText(room, align, shown)
        painter.end()


class CommandView(QWidget):
    """Title, copy button, and the command, an option a line."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._plate = _Plate(theme)
        self.copy_button = icon_button(theme, "copy", self.tr("Copy the command"))
        self.copy_button.triggered.connect(self.copy)
        self._title = Label(theme, "", "smallb", "text2")
        layouts.column(
            layouts.row(self._title, layouts.stretch(0), self.copy_button, spacing=None),
            self._plate,
            into=self,
            spacing=4,
        )
        self.show_options(())

    @property
    def title(self) -> str:
        """Which command it is."""
        return self._title.text()

    @property
    def words(self) -> list[str]:
        """The command, word by word; nothing where there is none."""
        options = self._plate.options
        if options is None:
            return []
        return ["epitome", "train", *(word for option in options for word in option)]

    def show_options(self, options: Sequence[Option] | None, jobs: int = 1) -> None:
        """Shows the options of a command.

        Args:
            options: None for no command, since a value is wrong.
            jobs: Of how many jobs it is the first.
        """
        first = self.tr("The first of {0} jobs on the command line").format(jobs)
        self._title.setText(first if jobs > 1 else self.tr("Same job on the command line"))
        self._plate.show_options(options)
        why = self.tr("Correct the marked values first.")
        self.copy_button.set_usable(options is not None, why)
        self._plate.setAccessibleName(why if options is None else shell_line(self.words))

    def copy(self) -> None:
        """Copies the command as the shell of the system reads it, where there is one."""
        if self.words:
            QGuiApplication.clipboard().setText(shell_line(self.words))
