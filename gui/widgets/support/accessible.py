"""What screen readers see of painted widgets: a list of parts with names and positions."""

from dataclasses import dataclass
from functools import cache
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface
from PySide6.QtWidgets import QAbstractScrollArea, QAccessibleWidget, QWidget


@dataclass(frozen=True)
class Part:
    """One part of a painted widget.

    Args:
        name: What is read aloud.
        rect: Where it is, in px of the painted surface.
        role: What it is.
    """

    name: str
    rect: QRect
    role: QAccessible.Role = QAccessible.Role.ListItem


@runtime_checkable
class HasParts(Protocol):
    """A painted widget that can describe its parts."""

    def accessible_role(self) -> QAccessible.Role:
        """The role of the widget as a whole."""
        ...

    def accessible_count(self) -> int:
        """The number of parts."""
        ...

    def accessible_part(self, index: int) -> Part:
        """One part, in reading order."""
        ...

    def accessible_focus(self) -> int:
        """The part with the keyboard focus, or -1."""
        ...


class PaintedInterface(QAccessibleWidget):
    """The accessible interface of a painted widget, whose children are its parts."""

    def __init__(self, widget: QWidget, parts: HasParts) -> None:
        super().__init__(widget, parts.accessible_role())
        self._widget, self._parts = widget, parts
        self._children: dict[int, PartInterface] = {}

    def childCount(self) -> int:
        return self._parts.accessible_count()

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        if not 0 <= index < self.childCount():
            return None
        if index not in self._children:
            self._children[index] = PartInterface(self, index)
            QAccessible.registerAccessibleInterface(self._children[index])
        return self._children[index]

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return child.index if isinstance(child, PartInterface) else -1

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        return self.child(self._parts.accessible_focus())

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        at = QPoint(x, y)
        found = (i for i in range(self.childCount()) if self.rect_of(i).contains(at))
        return self.child(next(found, -1))

    def part(self, index: int) -> Part:
        """The part with an index; an empty one if it no longer exists."""
        gone = index >= self.childCount()
        return Part("", QRect()) if gone else self._parts.accessible_part(index)

    def rect_of(self, index: int) -> QRect:
        """The rectangle of a part on the screen."""
        surface = self._widget
        if isinstance(surface, QAbstractScrollArea):
            surface = surface.viewport()
        rect = self.part(index).rect
        return QRect(surface.mapToGlobal(rect.topLeft()), rect.size())

    def has_focus(self, index: int) -> bool:
        """Whether a part has the keyboard focus."""
        return self._widget.hasFocus() and self._parts.accessible_focus() == index


class PartInterface(QAccessibleInterface):
    """One part of a painted widget."""

    def __init__(self, owner: PaintedInterface, index: int) -> None:
        super().__init__()
        self._owner, self.index = owner, index

    def isValid(self) -> bool:
        return self._owner.isValid()

    def object(self) -> QObject | None:  # type: ignore[override]
        return None

    def parent(self) -> QAccessibleInterface:
        return self._owner

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        return None

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        return None

    def childCount(self) -> int:
        return 0

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return -1

    def rect(self) -> QRect:
        return self._owner.rect_of(self.index)

    def role(self) -> QAccessible.Role:
        return self._owner.part(self.index).role

    def state(self) -> QAccessible.State:
        state = QAccessible.State()
        state.readOnly = True
        state.focusable = True
        state.focused = self._owner.has_focus(self.index)
        return state

    def text(self, kind: QAccessible.Text) -> str:
        is_name = kind == QAccessible.Text.Name
        return self._owner.part(self.index).name if is_name else ""

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Does nothing: parts are read-only."""


def tell_focus(widget: QWidget, part: int) -> None:
    """Tells screen readers that another part of a painted widget has the focus."""
    if part >= 0 and widget.hasFocus() and QAccessible.isActive():
        event = QAccessibleEvent(widget, QAccessible.Event.Focus)
        event.setChild(part)
        QAccessible.updateAccessibility(event)


# Qt does not keep what the factory gives alive.
_interfaces: dict[int, PaintedInterface] = {}


def _interface(key: str, target: QObject) -> QAccessibleInterface | None:
    if not isinstance(target, QWidget) or not isinstance(target, HasParts):
        return None
    made = PaintedInterface(target, target)
    address = id(target)
    _interfaces[address] = made
    target.destroyed.connect(lambda: _interfaces.pop(address, None))
    return made


@cache
def install_accessibility() -> None:
    """Registers painted widgets with screen readers; called once per program."""
    QAccessible.installFactory(_interface)
