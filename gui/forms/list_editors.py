"""The controls of fields that hold several values: a list of items, a table of rows."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from gui.forms.editors import Editor
from gui.forms.fields import FormField, Items, Table
from gui.forms.values import blank, blank_row
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.inputs.button import STRIP_HEIGHT_PX, Button, icon_button
from gui.widgets.support import layouts
from gui.widgets.support.leaving import clear

_INDEX_PX = 20


class ListEditor(Editor):
    """Any number of entries, one below the other; the last button adds one.

    An empty list says none where none may be given.
    """

    wide = True

    def __init__(
        self, theme: Theme, field: FormField, make: Callable[[FormField, str], Editor]
    ) -> None:
        """A list.

        Args:
            theme: The look.
            field: Its description; its kind is `Items` or `Table`.
            make: Makes the control of a column or item, which gets an accessible name.
        """
        super().__init__(field.title)
        assert isinstance(field.kind, Items | Table)
        self._theme, self._field, self._make = theme, field, make
        self._columns = _columns(field)
        self._entries: list[dict[str, Any]] = []
        self.editors: list[dict[str, Editor]] = []
        self.removers: list[Button] = []
        self._body = QWidget()
        self._grid = QGridLayout(self._body)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(4)
        self.adder = Button(
            theme, self.tr("Add"), kind="ghost", icon="plus", height=STRIP_HEIGHT_PX
        )
        self.adder.setAccessibleName(self.tr("Add: {0}").format(field.title))
        self.adder.triggered.connect(self._add)
        self._row.addLayout(
            layouts.column(self._body, (self.adder, 0, Qt.AlignmentFlag.AlignLeft), spacing=4)
        )
        self._rebuild()

    @property
    def control(self) -> QWidget:
        """The first control of the list; the button that adds an entry while it is empty."""
        for editors in self.editors:
            return next(iter(editors.values())).control
        return self.adder

    def show_raw(self, raw: Any) -> None:
        """Shows entries without a signal."""
        entries = [self._entry(each) for each in raw or ()]
        if len(entries) != len(self._entries):
            self._entries = entries
            self._rebuild()
            return
        self._entries = entries
        for entry, editors in zip(entries, self.editors, strict=True):
            for name, editor in editors.items():
                editor.show_raw(entry[name])

    def _entry(self, raw: Any) -> dict[str, Any]:
        return dict(raw) if isinstance(self._field.kind, Table) else {self._field.name: raw}

    def _raw(self) -> Any:
        if not self._entries and self._field.optional:
            return None
        if isinstance(self._field.kind, Table):
            return tuple(dict(entry) for entry in self._entries)
        return tuple(entry[self._field.name] for entry in self._entries)

    def _add(self) -> None:
        kind = self._field.kind
        if isinstance(kind, Table):
            self._entries.append(blank_row(kind.columns))
        elif isinstance(kind, Items):
            last = self._raw()[-1] if self._entries else blank(kind.item)
            self._entries.append(self._entry(last))
        self._rebuild()
        next(iter(self.editors[-1].values())).control.setFocus(Qt.FocusReason.TabFocusReason)
        self._tell(self._raw())

    def _remove(self, index: int) -> None:
        del self._entries[index]
        self._rebuild()
        left = self.removers[min(index, len(self.removers) - 1)] if self.removers else self.adder
        left.setFocus(Qt.FocusReason.TabFocusReason)
        self._tell(self._raw())

    def _change(self, index: int, name: str, value: object) -> None:
        self._entries[index][name] = value
        self.edited.emit(self._raw())

    def _rebuild(self) -> None:
        clear(self._grid)
        self.editors, self.removers = [], []
        self._body.setVisible(bool(self._entries))
        if isinstance(self._field.kind, Table) and self._entries:
            for at, column in enumerate(self._columns):
                title = f"{column.title}, {column.unit}" if column.unit else column.title
                self._grid.addWidget(Label(self._theme, title, "smallb", "text3"), 0, at + 1)
        for index, entry in enumerate(self._entries):
            self._build_entry(index, entry)
        self._grid.setColumnStretch(len(self._columns) + 2, 1)

    def _build_entry(self, index: int, entry: dict[str, Any]) -> None:
        number = Label(self._theme, str(index + 1), "small", "text3")
        number.setFixedWidth(_INDEX_PX)
        self._grid.addWidget(number, index + 1, 0)
        made: dict[str, Editor] = {}
        for at, column in enumerate(self._columns):
            editor = self._make(column, f"{column.title} {index + 1}")
            editor.show_raw(entry[column.name])
            editor.edited.connect(
                lambda value, i=index, key=column.name: self._change(i, key, value)
            )
            editor.committed.connect(self.committed)
            self._grid.addWidget(editor, index + 1, at + 1, Qt.AlignmentFlag.AlignLeft)
            made[column.name] = editor
        self.editors.append(made)
        tooltip = self.tr("Remove {0} {1}").format(self._field.title, index + 1)
        remover = icon_button(self._theme, "x", tooltip)
        remover.triggered.connect(lambda i=index: self._remove(i))
        self._grid.addWidget(remover, index + 1, len(self._columns) + 1)
        self.removers.append(remover)


def _columns(field: FormField) -> tuple[FormField, ...]:
    if isinstance(field.kind, Table):
        return field.kind.columns
    assert isinstance(field.kind, Items)
    return (replace(field, kind=field.kind.item, optional=False, default=None),)
