"""What stands where the summary would, when a document could not be read."""

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from core.distribution.parts import Part
from core.events import Failed
from core.numbers import format_size
from gui.theme.theme import Theme
from gui.widgets.chrome.part_offer import PartOffer
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.display.sign import Sign
from gui.widgets.display.strip import Strip
from gui.widgets.inputs.button import Button, Kind
from gui.widgets.inputs.field import PasswordField
from gui.widgets.support.leaving import clear
from gui.widgets.support.paint import draw_icon, draw_plate, painter_on
from gui.workers.part_installer import PartState

_MEASURE_PX = 520
_SHEET_PX = (172, 232)
_INDENT_PX = 31


class FailurePage(Plane):
    """One sentence, the remedy, the control that does it, and the ways out.

    All is made once, at the first failure, and filled anew: a click on one of its buttons may lead
    to the next failure.
    """

    password_given = Signal(str)
    retry_requested = Signal()
    open_requested = Signal()
    paste_requested = Signal()
    go_back_requested = Signal()
    install_requested = Signal()
    cancel_install_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self._theme = theme
        self._part: Part | None = None
        self._remedy: QWidget = self
        strip = Strip(theme)
        strip.row.addWidget(Label(theme, self.tr("Summary"), "section"))
        strip.row.addStretch(1)
        self._scroll = QScrollArea()
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (strip, Divider(theme)):
            column.addWidget(part)
        column.addWidget(self._scroll, 1)

    def show_failure(
        self, failure: Failed, before: str, *, can_retry: bool, part: Part | None = None
    ) -> None:
        """Tells a failure.

        Args:
            failure: What happened.
            before: The summary that was open before, in a few words; empty when there is none.
            can_retry: Whether reading the same source again makes sense.
            part: The part that would mend it, if it can be installed from here.
        """
        if self._scroll.widget() is None:
            self._make()
        is_locked = failure.kind == "password"
        self._part = None if is_locked else part
        self._message.setText(failure.message.rstrip("."))
        self._advice.setText(self._advised(failure))
        if self._part is not None:
            self._offer.install.setText(self._deed(self._part))
            self._offer.show_idle()
        self._field.clear()
        self._field.set_error("")
        self._again.setVisible(can_retry)
        self._details.setText(failure.details)
        self._show_details(False)
        words = self.tr("Your last summary is still here: {before}.").format(before=before)
        self._before_words.setText(words)
        offers = self._part is not None
        shown = {
            self._unlocking: is_locked,
            self._no_password: is_locked,
            self._offer: offers,
            self._reopening: not (is_locked or offers),
            self._details_part: bool(failure.details),
            self._before: bool(before),
        }
        for each, is_shown in shown.items():
            each.setVisible(is_shown)
        self._remedy = self._offer.install if offers else self._opening
        if is_locked:
            self._remedy = self._field
        self._scroll.verticalScrollBar().setValue(0)

    def show_part(self, state: PartState) -> None:
        """Shows how the part stands that is offered."""
        if self._part is None:
            return
        if state.status == "installing":
            self._offer.show_progress(state.doing, state.share)
        elif state.failure is not None:
            told = f"{state.failure.message} {state.failure.remedy}"
            self._offer.show_failure(told, self._part.command)
        else:
            self._offer.show_idle()

    def focus_remedy(self) -> None:
        """Puts the focus into the control that mends it."""
        self._remedy.setFocus(Qt.FocusReason.OtherFocusReason)

    def _advised(self, failure: Failed) -> str:
        if failure.kind == "password":
            return self.tr(
                "The text inside is encrypted, so there is nothing to summarise yet. Type the "
                "password to read it. It is used once, on this computer, and is not kept."
            )
        if self._part is not None:
            return self.tr(
                "Install text recognition (OCR) to read scans. It is downloaded once; documents "
                "stay on this computer."
            )
        return failure.remedy

    def _deed(self, part: Part) -> str:
        deed = self.tr("Install text recognition")
        return f"{deed} ({format_size(part.download_bytes)})" if part.download_bytes else deed

    def _unlock(self) -> None:
        if self._field.text():
            self.password_given.emit(self._field.text())
            self._field.clear()
        else:
            self._field.set_error(self.tr("Type the password first."))

    def _show_details(self, shown: bool) -> None:
        self._details.setVisible(shown)
        self._fold.set_icon_name("chevron-down" if shown else "chevron-right")

    # Its parts

    def _make(self) -> None:
        """Makes all that it can show; not at the start of the window, which seldom needs it."""
        self._message = Label(self._theme, "", "title", wrap=True)
        self._advice = Label(self._theme, "", "body", "text2", wrap=True)
        self._field = PasswordField(self._theme, name=self.tr("Password"))
        self._opening = self._made_opening("primary")
        self._again = Button(self._theme, self.tr("Try again"), icon="rotate-ccw")
        self._again.triggered.connect(self.retry_requested)
        self._offer = PartOffer(self._theme, self.tr("Install text recognition"), primary=True)
        self._offer.buttons.insertWidget(2, self._made_opening("secondary"))
        self._offer.install_requested.connect(self.install_requested)
        self._offer.cancel_requested.connect(self.cancel_install_requested)
        self._details = Label(self._theme, "", "monos", "text2", wrap=True)
        self._details.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._before_words = Label(self._theme, "", "body", "text2", wrap=True)
        self._unlocking, self._reopening = self._made_unlocking(), self._made_reopening()
        self._no_password = self._made_no_password()
        self._fold = Button(
            self._theme, self.tr("Technical details"), kind="ghost", icon="chevron-right", height=28
        )
        self._details_part, self._before = self._made_details(), self._made_before()
        self._lay_out()

    def _lay_out(self) -> None:
        content = QWidget()
        outer = QHBoxLayout(content)
        outer.setContentsMargins(32, 0, 32, 24)
        card = QWidget()
        card.setMaximumWidth(_MEASURE_PX)
        outer.addStretch(1)
        outer.addWidget(card, 100)
        outer.addStretch(1)
        column = QVBoxLayout(card)
        column.setContentsMargins(0, 97, 0, 0)
        column.setSpacing(0)
        head = QHBoxLayout()
        head.setSpacing(11)
        sign = Sign(self._theme, "octagon-x", "err", 20, beside="title")
        head.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self._message, 1)
        column.addLayout(head)
        column.addSpacing(8)
        inner = QVBoxLayout()
        inner.setContentsMargins(_INDENT_PX, 0, 0, 0)
        inner.setSpacing(0)
        inner.addWidget(self._advice)
        inner.addSpacing(20)
        for remedy in (self._unlocking, self._offer, self._reopening):
            inner.addWidget(remedy)
        inner.addSpacing(14)
        inner.addLayout(self._made_ways_out())
        column.addLayout(inner)
        column.addSpacing(18)
        column.addWidget(self._details_part)
        column.addWidget(self._before)
        column.addStretch(1)
        self._scroll.setWidget(content)
        content.setAutoFillBackground(False)  # the area has just turned it on
        self._scroll.viewport().setAutoFillBackground(False)

    def _made_opening(self, kind: Kind) -> Button:
        icon = "" if kind == "link" else "folder-open"
        opening = Button(self._theme, self.tr("Open another file"), kind=kind, icon=icon)
        opening.triggered.connect(self.open_requested)
        return opening

    def _made_unlocking(self) -> QWidget:
        part = QWidget()
        column = QVBoxLayout(part)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(Label(self._theme, self.tr("Password"), "smallb", "text2"))
        unlock = Button(self._theme, self.tr("Unlock and summarise"), kind="primary")
        self._field.returnPressed.connect(self._unlock)
        unlock.triggered.connect(self._unlock)
        column.addWidget(_row(self._field, unlock, spacing=8, stretch=0))
        return part

    def _made_reopening(self) -> QWidget:
        return _row(self._opening, self._again, spacing=8)

    def _made_no_password(self) -> QWidget:
        asked = Label(self._theme, self.tr("No password?"), "body", "text2")
        return _row(asked, self._made_opening("link"), spacing=6)

    def _made_ways_out(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self._no_password)
        row.addWidget(Label(self._theme, self.tr("or"), "body", "text2"))
        paste = Button(self._theme, self.tr("paste the text"), kind="link")
        paste.triggered.connect(self.paste_requested)
        row.addWidget(paste)
        row.addStretch(1)
        return row

    def _made_details(self) -> QWidget:
        part = QWidget()
        column = QVBoxLayout(part)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        copy = Button(self._theme, self.tr("Copy"), kind="link")
        row = QHBoxLayout()
        row.setContentsMargins(25, 4, 0, 4)
        row.addWidget(self._fold)
        row.addStretch(1)
        row.addWidget(copy)
        column.addWidget(Divider(self._theme))
        column.addLayout(row)
        column.addWidget(self._details)
        column.addWidget(Divider(self._theme))
        self._fold.triggered.connect(lambda: self._show_details(self._details.isHidden()))
        copy.triggered.connect(lambda: QGuiApplication.clipboard().setText(self._details.text()))
        return part

    def _made_before(self) -> QWidget:
        back = Button(self._theme, self.tr("Go back"), kind="link")
        back.triggered.connect(self.go_back_requested)
        sign = Sign(self._theme, "history", "text2", 16)
        part = _row(sign, self._before_words, back, spacing=8, stretch=1)
        part.setContentsMargins(_INDENT_PX, 12, 0, 0)
        return part


def _row(*parts: QWidget, spacing: int, stretch: int | None = None) -> QWidget:
    """Widgets beside each other; the one at `stretch` takes what room is left, or none does."""
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(spacing)
    for place, part in enumerate(parts):
        row.addWidget(part, int(place == stretch))
    if stretch is None:
        row.addStretch(1)
    return holder


class PagePicture(QWidget):
    """A sheet whose lines cannot be read, with a lock when it is locked."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._locked = theme, False
        self.setFixedSize(*_SHEET_PX)
        theme.changed.connect(self.update)

    def set_locked(self, locked: bool) -> None:
        """Says whether a password is what is missing."""
        self._locked = locked
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        draw_plate(painter, QRectF(self.rect()), 4, color("window"), color("line"))
        for row in range(18):
            if row % 5 == 4:
                continue
            width = 84 if row % 5 == 0 and row else 128
            painter.fillRect(QRectF(21, 27 + row * 10, width, 3), color("line"))
        if self._locked:
            middle = QRectF(self.rect()).center()
            painter.setBrush(color("surface"))
            painter.setPen(color("line"))
            painter.drawEllipse(middle, 26, 26)
            draw_icon(painter, self._theme, "lock", "text2", middle - QPointF(11, 11), 22)
        painter.end()


class FactsPage(Plane):
    """What is known of a file that could not be read, where its text would stand."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self._theme = theme
        strip = Strip(theme)
        strip.row.addWidget(Label(theme, self.tr("Source"), "section"))
        self._told = Label(theme, "", "small", "text3")
        strip.row.addWidget(self._told)
        strip.row.addStretch(1)
        self._picture = PagePicture(theme)
        self._facts = QVBoxLayout()
        self._facts.setSpacing(4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (strip, Divider(theme)):
            column.addWidget(part)
        column.addStretch(2)
        row = QHBoxLayout()
        row.setContentsMargins(68, 0, 24, 0)
        row.setSpacing(32)
        row.addWidget(self._picture)
        row.addLayout(self._facts, 1)
        column.addLayout(row)
        column.addStretch(3)

    def show_facts(
        self, facts: list[tuple[str, str]], *, locked: bool, mendable: bool = False
    ) -> None:
        """Shows what is known.

        Args:
            facts: Names and values.
            locked: Whether a password is what is missing.
            mendable: Whether a part that can be installed would read it.
        """
        not_yet = self.tr("not readable yet")
        self._told.setText(not_yet if locked or mendable else self.tr("not readable"))
        self._picture.set_locked(locked)
        clear(self._facts)
        self._facts.addStretch(1)
        for name, value in facts:
            line = QWidget()
            row = QHBoxLayout(line)
            row.setContentsMargins(0, 0, 0, 0)
            label = Label(self._theme, name, "body", "text3")
            label.setFixedWidth(96)
            row.addWidget(label)
            row.addWidget(Label(self._theme, value, "body", elide=True), 1)
            self._facts.addWidget(line)
        self._facts.addStretch(1)
