"""All settings of the model and its step, on a page of their own."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout

from gui.forms.form import Form
from gui.panels.memory.state import MemoryState
from gui.panels.memory.words import tr
from gui.theme.theme import Theme
from gui.widgets.display.area import Area
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.inputs.button import icon_button
from gui.widgets.support import layouts
from gui.widgets.support.leaving import clear

_EDGE_PX = 24


class SettingsPage(Plane):
    """The form; `show_form` makes it for the family that is set."""

    changed = Signal()
    left = Signal()

    def __init__(self, theme: Theme, state: MemoryState) -> None:
        super().__init__(theme, "surface")
        self._theme, self._state = theme, state
        self.form: Form | None = None
        self.back = icon_button(theme, "arrow-left", tr("Back to the charts"))
        self.back.triggered.connect(self.left)
        head = layouts.row(
            self.back,
            (Label(theme, tr("All settings"), "title"), 1),
            margins=(_EDGE_PX - 8, 8, _EDGE_PX, 8),
            spacing=8,
        )
        self._area, self._content = Area(), QVBoxLayout()
        self._make_page()
        layouts.column(head, Divider(theme), (self._area, 1), into=self)

    def show_form(self) -> None:
        """Shows the fields as they are set now."""
        known = {field.name for field in self._state.form.fields}
        groups = {
            title: [name for name in names if name in known] for title, names in _groups().items()
        }
        self.form = Form(self._theme, self._state.form, groups=groups)
        self.form.changed.connect(self._take)
        clear(self._content)
        self._content.addWidget(self.form)
        self._content.addStretch()
        next(iter(self.form.groups.values())).head.setChecked(True)

    def _make_page(self) -> None:
        page = Plane(self._theme, "surface")
        page.setLayout(self._content)
        self._content.setContentsMargins(_EDGE_PX, 0, _EDGE_PX, _EDGE_PX)
        self._area.setWidget(page)

    def _take(self) -> None:
        self._state.figure = None
        self._state.renew()
        self.changed.emit()


def _groups() -> dict[str, tuple[str, ...]]:
    """Fields by what they change; the others stand under "More"."""
    return {
        tr("Attention"): (
            "attention", "encoder_attention", "decoder_attention", "heads", "head_width", "rounds",
            "bucket_size", "buckets", "rotations", "window", "chunk_size", "kernel_size",
            "compression", "shortening",
        ),
        tr("What is stored"): (
            "reversible", "checkpointing", "kept_mib", "ff_chunks", "loss_chunks",
        ),
        tr("How it is measured"): (
            "precision", "device", "threads", "steps", "warm_up", "memory_limit", "loss_tokens",
            "clip", "smoothing", "learning_rate",
        ),
    }  # fmt: skip
