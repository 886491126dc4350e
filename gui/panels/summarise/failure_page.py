"""What stands where the summary would, when a document could not be read."""

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from core.events import Failed
from core.numbers import format_size
from core.parts import Part
from gui.theme.theme import Theme
from gui.widgets.button import Button, Kind
from gui.widgets.field import PasswordField
from gui.widgets.label import Label
from gui.widgets.paint import draw_icon, draw_plate, painter_on
from gui.widgets.part_offer import PartOffer
from gui.widgets.plane import Divider, Plane
from gui.widgets.sign import Sign
from gui.widgets.strip import Strip
from gui.workers.part_installer import PartState

_MEASURE_PX = 520
_SHEET_PX = (172, 232)


class FailurePage(Plane):
    """One sentence, the remedy, the control that does it, and the ways out."""

    password_given = Signal(str)
    retry_asked = Signal()
    open_asked = Signal()
    paste_asked = Signal()
    go_back_asked = Signal()
    install_asked = Signal()
    cancel_install_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self._theme = theme
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
        self._remedy: QWidget = self
        self._offer: PartOffer | None = None
        self._part: Part | None = None

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
        self._offer, self._part = None, part
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
        self._add_head(column, failure)
        self._add_remedy(column, failure, can_retry)
        self._add_ways_out(column, failure)
        self._add_details(column, failure)
        self._add_before(column, before)
        column.addStretch(1)
        self._scroll.setWidget(content)
        content.setAutoFillBackground(False)
        self._scroll.viewport().setAutoFillBackground(False)

    def show_part(self, state: PartState) -> None:
        """Shows how the part stands that is offered."""
        if self._offer is None or self._part is None:
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

    def _indented(self, column: QVBoxLayout) -> QVBoxLayout:
        inner = QVBoxLayout()
        inner.setContentsMargins(31, 0, 0, 0)
        inner.setSpacing(0)
        column.addLayout(inner)
        return inner

    def _add_head(self, column: QVBoxLayout, failure: Failed) -> None:
        row = QHBoxLayout()
        row.setSpacing(11)
        row.addWidget(
            Sign(self._theme, "octagon-x", "err", 20, beside="title"), 0, Qt.AlignmentFlag.AlignTop
        )
        message = failure.message.rstrip(".")
        row.addWidget(Label(self._theme, message, "title", wrap=True), 1)
        column.addLayout(row)
        column.addSpacing(8)
        inner = self._indented(column)
        remedy = failure.remedy
        if failure.kind == "password":
            remedy = self.tr(
                "The text inside is encrypted, so there is nothing to summarise yet. Type the "
                "password to read it. It is used once, on this computer, and is not kept."
            )
        elif self._part is not None:
            remedy = self.tr(
                "Install text recognition (OCR) to read scans. It is downloaded once; documents "
                "stay on this computer."
            )
        inner.addWidget(Label(self._theme, remedy, "body", "text2", wrap=True))

    def _add_remedy(self, column: QVBoxLayout, failure: Failed, can_retry: bool) -> None:
        inner = self._indented(column)
        inner.addSpacing(20)
        row = QHBoxLayout()
        row.setSpacing(8)
        if failure.kind == "password":
            inner.addWidget(Label(self._theme, self.tr("Password"), "smallb", "text2"))
            inner.addSpacing(6)
            field = PasswordField(self._theme, name=self.tr("Password"))
            unlock = Button(self._theme, self.tr("Unlock and summarise"), kind="primary")
            field.returnPressed.connect(lambda: self._unlock(field))
            unlock.triggered.connect(lambda: self._unlock(field))
            row.addWidget(field, 1)
            row.addWidget(unlock)
            self._remedy = field
        elif self._part is not None:
            inner.addWidget(self._made_offer(self._part))
            return
        else:
            opening = self._opening("primary")
            row.addWidget(opening)
            if can_retry:
                again = Button(self._theme, self.tr("Try again"), icon="rotate-ccw")
                again.triggered.connect(self.retry_asked)
                row.addWidget(again)
            row.addStretch(1)
            self._remedy = opening
        inner.addLayout(row)

    def _opening(self, kind: Kind) -> Button:
        opening = Button(self._theme, self.tr("Open another file"), kind=kind, icon="folder-open")
        opening.triggered.connect(self.open_asked)
        return opening

    def _made_offer(self, part: Part) -> PartOffer:
        deed = self.tr("Install text recognition")
        if part.download_bytes:
            deed += f" ({format_size(part.download_bytes)})"
        offer = self._offer = PartOffer(self._theme, deed, primary=True)
        offer.buttons.insertWidget(2, self._opening("secondary"))
        offer.install_asked.connect(self.install_asked)
        offer.cancel_asked.connect(self.cancel_install_asked)
        self._remedy = offer.install
        return offer

    def _unlock(self, field: PasswordField) -> None:
        if field.text():
            self.password_given.emit(field.text())
            field.clear()
        else:
            field.set_error(self.tr("Type the password first."))

    def _add_ways_out(self, column: QVBoxLayout, failure: Failed) -> None:
        inner = self._indented(column)
        inner.addSpacing(14)
        row = QHBoxLayout()
        row.setSpacing(6)
        if failure.kind == "password":
            row.addWidget(Label(self._theme, self.tr("No password?"), "body", "text2"))
            opening = Button(self._theme, self.tr("Open another file"), kind="link")
            opening.triggered.connect(self.open_asked)
            row.addWidget(opening)
        row.addWidget(Label(self._theme, self.tr("or"), "body", "text2"))
        paste = Button(self._theme, self.tr("paste the text"), kind="link")
        paste.triggered.connect(self.paste_asked)
        row.addWidget(paste)
        row.addStretch(1)
        inner.addLayout(row)

    def _add_details(self, column: QVBoxLayout, failure: Failed) -> None:
        column.addSpacing(18)
        if not failure.details:
            return
        column.addWidget(Divider(self._theme))
        row = QHBoxLayout()
        row.setContentsMargins(25, 4, 0, 4)
        fold = Button(
            self._theme, self.tr("Technical details"), kind="ghost", icon="chevron-right", height=28
        )
        copy = Button(self._theme, self.tr("Copy"), kind="link")
        row.addWidget(fold)
        row.addStretch(1)
        row.addWidget(copy)
        column.addLayout(row)
        text = Label(self._theme, failure.details, "monos", "text2", wrap=True)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        text.hide()
        column.addWidget(text)
        column.addWidget(Divider(self._theme))

        def turn() -> None:
            text.setVisible(text.isHidden())
            fold.set_icon_name("chevron-right" if text.isHidden() else "chevron-down")

        fold.triggered.connect(turn)
        copy.triggered.connect(lambda: QGuiApplication.clipboard().setText(failure.details))

    def _add_before(self, column: QVBoxLayout, before: str) -> None:
        if not before:
            return
        column.addSpacing(12)
        row = QHBoxLayout()
        row.setContentsMargins(31, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(Sign(self._theme, "history", "text2", 16))
        words = self.tr("Your last summary is still here: {before}.").format(before=before)
        row.addWidget(Label(self._theme, words, "body", "text2", wrap=True), 1)
        back = Button(self._theme, self.tr("Go back"), kind="link")
        back.triggered.connect(self.go_back_asked)
        row.addWidget(back)
        column.addLayout(row)


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
        while item := self._facts.takeAt(0):
            if widget := item.widget():
                widget.deleteLater()
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
