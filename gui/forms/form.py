"""A form made from a settings class: the basic fields open, the others folded by group."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gui.forms.controls import Controls
from gui.forms.editors import Offer
from gui.forms.field_row import FieldRow
from gui.forms.fields import FormField
from gui.forms.fold_head import FoldHead
from gui.forms.given_row import Given, GivenRow
from gui.forms.state import FormState
from gui.forms.values import shown_value
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.sign import Sign
from gui.widgets.inputs.toggle import Switch
from gui.widgets.support import layouts
from gui.widgets.support.announce import announce
from gui.widgets.support.leaving import let_go
from gui.widgets.support.tab_order import put_in_order

STACKED_BELOW_PX = 600
_HEAD_PX = 48
_NUM_TOLD = 3  # values told of a folded group
_AT_ONCE = 3  # rows that are made in one go


class _Fields(QWidget):
    """Fields one below the other; their rows are made when they are first needed."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self.names = tuple(names)
        self._column = layouts.column(into=self)

    def add(self, row: FieldRow) -> None:
        """Puts the next row at the end."""
        row.set_line(True)
        self._column.addWidget(row)


class _Group(QWidget):
    """Fields under a head that folds them."""

    def __init__(self, theme: Theme, title: str, names: Sequence[str]) -> None:
        super().__init__()
        self.fields = _Fields(names)
        self.names = self.fields.names
        self.head = FoldHead(theme, title)
        layouts.column(self.head, self.fields, into=self)
        self.fields.hide()
        self.setAccessibleName(title)
        self.head.toggled.connect(self.fields.setVisible)


class _Rows(dict[str, FieldRow]):
    """The rows by the names of their fields; asking for one that is not made yet makes it."""

    def __init__(self, make: Callable[[str], None]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, name: str) -> FieldRow:
        self._make(name)
        return dict.__getitem__(self, name)


class Form(QWidget):
    """All fields of a settings class. It scrolls with what it stands in.

    A value is checked when the focus leaves its field, and what is wrong with it goes as soon as
    the person types.
    """

    changed = Signal()
    """A value is another one; the state has it."""

    def __init__(
        self,
        theme: Theme,
        state: FormState[Any],
        *,
        groups: Mapping[str, Sequence[str]] = {},
        offers: Mapping[str, Offer] = {},
        words: Mapping[object, str] = {},
        sliders: Collection[str] = (),
        compared_with: str = "preset",
        basic: Sequence[str] = (),
        brief: Mapping[str, str] = {},
        parent: QWidget | None = None,
    ) -> None:
        """A form.

        Args:
            theme: The look.
            state: What it shows and changes.
            groups: Names of fields by the title of their group; other fields stand under "Basic"
                where they are, else under "More".
            offers: What fields of text may be filled from.
            words: How the values of choices are called where their own name would not do.
            sliders: Names of bounded whole numbers that are drawn as sliders.
            compared_with: What differences are told against: "preset", "default", "parent".
            basic: Names of fields that stand first, open, in this order; those of the settings
                class if there are none.
            brief: How the line of a folded group tells a field, where its title and its value would
                read badly: "β2 {0}".
            parent: Qt's owner.
        """
        super().__init__(parent)
        self._theme, self.state, self._compared_with = theme, state, compared_with
        self._words, self._brief = dict(words), dict(brief)
        self._controls = Controls(theme, offers, words, sliders)
        self._told: set[str] = set()
        self._reasons: Mapping[str, str] = {}
        self._stacked = False
        self._names = {field.name for field in state.fields}
        self._opening: list[_Fields] = []
        self._next_row = QTimer(self, singleShot=True, interval=0)
        self._next_row.timeout.connect(self._make_some)
        self.rows: dict[str, FieldRow] = _Rows(self._make_group_of)
        self.only_changed = Switch(theme, name=self.tr("Show only changed"))
        self._basic = tuple(basic)
        self.groups: dict[str, _Group] = {}
        self._across_sign = Sign(theme, "octagon-x", "err", 14, beside="small")
        self._across = Label(theme, "", "small", "err", wrap=True)
        self._lay_out(self._grouped(groups))
        self.only_changed.toggled.connect(self.refresh)
        self.refresh()

    def _grouped(self, groups: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
        named = {name for names in groups.values() for name in names}
        free = [field for field in self.state.fields if field.name not in named]
        made = {
            title: [name for name in names if name in self._names]
            for title, names in groups.items()
        }
        for name in named:
            self.state.field(name)  # a name that is none is a KeyError
        basic = [field.name for field in free if field.basic]
        if self._basic:
            basic = [name for name in self._basic if name in self._names]
        made[self.tr("More")] = [field.name for field in free if field.name not in basic]
        return {"": basic, **{title: names for title, names in made.items() if names}}

    def _lay_out(self, grouped: dict[str, list[str]]) -> None:
        column = layouts.column(self._head(), into=self)
        self._given = QVBoxLayout()
        column.addLayout(self._given)
        self.given: tuple[GivenRow, ...] = ()
        for title, names in grouped.items():
            if title:
                group = self.groups[title] = _Group(self._theme, title, names)
                group.head.toggled.connect(
                    lambda on, fields=group.fields: self._open(fields) if on else None
                )
                column.addWidget(group)
                continue
            self._open_fields = _Fields(names)
            column.addWidget(self._open_fields)
            self._open(self._open_fields)
        if len(grouped) == 2 and not grouped[""]:
            next(iter(self.groups.values())).head.setChecked(True)
        column.addWidget(self._foot())
        column.addStretch()

    # Rows are made when they are needed: all at once would hold the window for too long.

    def _make_row(self, name: str) -> FieldRow:
        row = FieldRow(self._controls, self.state.field(name))
        dict.__setitem__(self.rows, name, row)
        row.edited.connect(self._on_edited)
        row.committed.connect(self._on_committed)
        row.reset_wanted.connect(self._on_reset)
        row.set_stacked(self._stacked)
        row.set_help(self._reasons.get(name, ""))
        return row

    def _make_group_of(self, name: str) -> None:
        """Makes all rows of a field's group; a name that is none is a KeyError."""
        together = [self._open_fields, *(group.fields for group in self.groups.values())]
        fields = next((each for each in together if name in each.names), None)
        if fields is None:
            raise KeyError(name)
        self._make_more(fields, len(fields.names))
        put_in_order(self)

    def _make_more(self, fields: _Fields, count: int) -> None:
        """Makes the next rows of some fields."""
        missing = [name for name in fields.names if not dict.__contains__(self.rows, name)]
        problems = self.state.problems
        for name in missing[:count]:
            fields.add(self._make_row(name))
            self._show_row(name, problems, {name} if self.state.differs(name) else set())

    def _open(self, fields: _Fields) -> None:
        """Makes the rows of fields that are to be seen, a few at a time."""
        self._make_more(fields, _AT_ONCE)
        self._opening.append(fields)
        self._next_row.start()

    def _make_some(self) -> None:
        while self._opening:
            fields = self._opening[0]
            if all(dict.__contains__(self.rows, name) for name in fields.names):
                self._opening.pop(0)
                continue
            self._make_more(fields, _AT_ONCE)
            self._next_row.start()
            return
        put_in_order(self)

    def _head(self) -> QWidget:
        head = QWidget()
        head.setFixedHeight(_HEAD_PX)
        label = Label(self._theme, self.tr("Show only changed"), "small", "text2")
        label.setBuddy(self.only_changed)
        layouts.row(
            Label(self._theme, self.tr("Basic"), "section"),
            layouts.stretch(0),
            label,
            self.only_changed,
            into=head,
            margins=(0, 0, 8, 0),
            spacing=8,
        )
        return head

    def _foot(self) -> QWidget:
        self._foot_line = QWidget()
        layouts.row(
            (self._across_sign, 0, Qt.AlignmentFlag.AlignTop),
            (self._across, 1),
            into=self._foot_line,
            margins=(0, 12, 0, 12),
            spacing=6,
        )
        return self._foot_line

    def refresh(self) -> None:
        """Shows the state as it is, as after another preset was taken."""
        problems, changed = self.state.problems, set(self.state.changed)
        if self.only_changed.isChecked():
            for name in (changed | problems.keys()) & self._names:
                self.rows[name]  # made if it was not
        for name in list(self.rows):
            self._show_row(name, problems, changed)
        for group in self.groups.values():
            self._tell_group(group, changed)
        self._across.setText(self.state.across)
        self._foot_line.setVisible(bool(self.state.across))

    def _show_row(self, name: str, problems: Mapping[str, str], changed: set[str]) -> None:
        row = self.rows[name]
        row.show_raw(self.state.raw(name))
        sentence = problems.get(name, "") if name in self._told else ""
        if row.told_error != sentence:
            row.show_error(sentence)
        row.show_difference(self._difference(name) if name in changed else "")
        in_use = row.editor.control.hasFocus()
        shown = name in changed or name in problems or in_use
        row.setVisible(shown or not self.only_changed.isChecked())

    def tell(self, reasons: Mapping[str, str]) -> None:
        """Says in place of a field's help what its value means; others have their own help."""
        self._reasons = dict(reasons)
        for name, row in self.rows.items():
            row.set_help(reasons.get(name, ""))

    def show_given(self, given: Sequence[Given]) -> None:
        """Shows values that cannot be edited here, above the basic fields."""
        for row in self.given:
            self._given.removeWidget(row)
            let_go(row)
        self.given = tuple(GivenRow(self._theme, each) for each in given)
        for row in self.given:
            row.set_stacked(self._stacked)
            self._given.addWidget(row)

    def show_problems(self) -> bool:
        """Shows what is wrong and goes to the first of it, as when a job shall start.

        Returns:
            Whether anything is wrong.
        """
        problems = self.state.problems
        self._told |= set(problems)
        self.refresh()
        order = [field.name for field in self.state.fields]
        first = next((name for name in order if name in problems), None)
        if first is not None:
            self.go_to(first)
            announce(self, f"{self.rows[first].title}: {problems[first]}", urgent=True)
        elif problems:
            self._go(self._foot_line)
            announce(self, self.state.across, urgent=True)
        return bool(problems)

    def go_to(self, name: str) -> None:
        """Puts the keyboard into a field, and opens its group."""
        row = self.rows[name]
        for group in self.groups.values():
            if name in group.names:
                group.head.setChecked(True)
        row.editor.control.setFocus(Qt.FocusReason.OtherFocusReason)
        self._go(row)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        stacked = self.width() < STACKED_BELOW_PX
        if stacked != self._stacked:
            self._stacked = stacked
            for row in (*self.rows.values(), *self.given):
                row.set_stacked(stacked)

    def minimumSizeHint(self) -> QSize:
        return QSize(320, super().minimumSizeHint().height())

    def _go(self, widget: QWidget) -> None:
        above = self.parentWidget()
        while above is not None and not isinstance(above, QScrollArea):
            above = above.parentWidget()
        if isinstance(above, QScrollArea):
            above.ensureWidgetVisible(widget)

    def _difference(self, name: str) -> str:
        field = self.state.field(name)
        shown = shown_value(field, self.state.preset_value(name), self._words)
        return f"{self._compared_with}: {shown}"

    def _tell_group(self, group: _Group, changed: set[str]) -> None:
        names = group.names
        values = {name: self.state.value(name) for name in names}
        told_of = [name for name in names if values[name] not in (None, "", ())][:_NUM_TOLD]
        parts = [self._part(self.state.field(name), values[name]) for name in told_of]
        told = ", ".join(parts) or self.tr("Nothing set")
        group.head.tell(told[:1].upper() + told[1:], len(changed.intersection(names)))
        hidden = self.only_changed.isChecked() and not changed.intersection(names)
        group.setVisible(not hidden)
        if self.only_changed.isChecked() and not hidden:
            group.head.setChecked(True)

    def _part(self, field: FormField, value: object) -> str:
        """A field in the line of its group: "dropout 0.1"."""
        shown = shown_value(field, value, self._words)
        brief = self._brief.get(field.name, f"{_lowered(field.title)} {{0}}")
        return brief.format(shown)

    def _on_edited(self, name: str, raw: object) -> None:
        self._told.discard(name)
        self.state.put(name, raw)
        self.refresh()
        self.changed.emit()

    def _on_committed(self, name: str) -> None:
        self._told.add(name)
        self.state.tidy(name)
        row, before = self.rows[name], self.rows[name].told_error
        across = self._across.text()
        self.refresh()
        sentence = self.state.problems.get(name, "")
        if sentence != before:
            row.show_error(sentence, aloud=True)
        elif self.state.across and self.state.across != across:
            announce(self, self.state.across, urgent=True)

    def _on_reset(self, name: str) -> None:
        self._told.discard(name)
        self.state.reset(name)
        self.rows[name].editor.control.setFocus(Qt.FocusReason.OtherFocusReason)
        self.refresh()
        self.changed.emit()


def _lowered(title: str) -> str:
    """A title in the middle of a sentence: "warm-up", but "ROUGE rows"."""
    return title if title[1:2].isupper() else title[:1].lower() + title[1:]
