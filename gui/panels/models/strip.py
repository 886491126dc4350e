"""Over the list of models: which are shown, in which order, and the field that finds one."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gui.panels.models.state import Kept, Order
from gui.panels.models.words import tr
from gui.theme.theme import Theme
from gui.widgets.inputs.button import STRIP_HEIGHT_PX
from gui.widgets.inputs.combo import ComboBox
from gui.widgets.inputs.field import FindField
from gui.widgets.inputs.segmented import SegmentedControl
from gui.widgets.support import layouts

_FIND_PX = 168
_ORDER_FROM_PX = 720
_NARROW_PX = 1200


class Strip(QWidget):
    """A switch of three, a field and a box."""

    changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._kept = SegmentedControl(
            theme,
            [
                ("all", tr("All")),
                ("trained", tr("Trained here")),
                ("imported", tr("Imported")),
            ],
            value="all",
            name=tr("Which models are shown"),
            height=STRIP_HEIGHT_PX,
        )
        self.find_field = FindField(
            theme,
            name=tr("Find a model"),
            placeholder=tr("Find a model"),
            icon="search",
            height=STRIP_HEIGHT_PX,
        )
        self.find_field.setMaximumWidth(_FIND_PX)
        self._order = ComboBox(theme, name=tr("Order of the models"), height=STRIP_HEIGHT_PX)
        for words, value in ((tr("Newest first"), "newest"), (tr("By name"), "name"),
                             (tr("Largest first"), "size")):  # fmt: skip
            self._order.addItem(words, value)
        layouts.row(
            self._kept,
            layouts.stretch(),
            (self.find_field, 100),
            self._order,
            into=self,
            margins=(0, 0, 12, 0),
            spacing=8,
        )
        self._kept.chosen.connect(lambda value: self.changed.emit())
        self.find_field.textChanged.connect(lambda text: self.changed.emit())
        self._order.activated.connect(lambda index: self.changed.emit())

    @property
    def kept(self) -> Kept:
        """Which models are shown."""
        kept: Kept = self._kept.value  # type: ignore[assignment]
        return kept

    @property
    def order(self) -> Order:
        """In which order."""
        order: Order = self._order.currentData()
        return order

    @property
    def wanted(self) -> str:
        """The words that are looked for."""
        return self.find_field.text()

    def focus_find(self) -> None:
        """Puts the keyboard into the field, as Ctrl F does."""
        self.find_field.setFocus()
        self.find_field.selectAll()

    def fold(self, width_px: int) -> None:
        """Leaves the order out where there is no room for it."""
        self._order.setVisible(width_px >= _NARROW_PX or width_px < 1000)
