"""All parts of the window in all their states, on one page of 1440 × 900."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from gui.theme.theme import Theme
from gui.widgets.chrome.toast import Toast
from gui.widgets.display.chip import Chip
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.display.progress import ProgressBar
from gui.widgets.display.sign import Sign
from gui.widgets.display.skeleton import Skeleton
from gui.widgets.display.tooltip import Tooltip
from gui.widgets.inputs.button import Button, Kind
from gui.widgets.inputs.combo import ComboBox
from gui.widgets.inputs.dialog import ConfirmDialog
from gui.widgets.inputs.field import NumberField
from gui.widgets.inputs.menu import Menu
from gui.widgets.inputs.segmented import SegmentedControl
from gui.widgets.inputs.slider import Slider
from gui.widgets.inputs.toggle import CheckBox, RadioButton, Switch
from gui.widgets.support.focus_ring import OUTSET_PX, RingFrame

SIZE_PX = (1440, 900)
_RIGHT_X = 920
_ICONS = (
    "text-quote",
    "settings",
    "folder-open",
    "clipboard-paste",
    "share",
    "copy",
    "search",
    "list-tree",
    "a-large-small",
    "pin",
    "repeat-2",
    "x",
    "undo-2",
    "redo-2",
    "download",
    "rotate-ccw",
    "eye",
    "eye-off",
    "trash-2",
    "file-text",
    "circle-check",
    "triangle-alert",
    "octagon-x",
    "info",
    "clock",
    "loader-circle",
    "circle-pause",
    "lock",
    "pause",
    "square",
    "play",
    "plus",
    "file-lock-2",
    "scroll-text",
    "landmark",
    "flask-conical",
    "file-down",
    "memory-stick",
)


def build(theme: Theme) -> QWidget:
    """The page; `grab()` it once it is shown."""
    page = Plane(theme, "surface")
    page.setFixedSize(*SIZE_PX)
    side = Plane(theme, "window", page)
    side.setGeometry(_RIGHT_X, 0, SIZE_PX[0] - _RIGHT_X, SIZE_PX[1])
    line = Divider(theme, Qt.Orientation.Vertical, page)
    line.setGeometry(_RIGHT_X - 1, 0, 1, SIZE_PX[1])
    for part in (_buttons, _fields, _toggles, _chips, _icons, _dialog, _toasts, _menu, _waiting):
        part(theme, page)
    return page


def _ring(theme: Theme, target: QWidget) -> None:
    ring = RingFrame(theme, 6, target.parentWidget() or target)
    outset = OUTSET_PX
    ring.setGeometry(target.geometry().adjusted(-outset, -outset, outset, outset))
    ring.show()


def _put(widget: QWidget, page: QWidget, x: int, y: int, width: int = 0) -> None:
    widget.setParent(page)
    widget.adjustSize()
    widget.move(x, y)
    if width:
        widget.resize(width, widget.height())


def _write(
    theme: Theme, page: QWidget, text: str, x: int, middle: int, role: str, color: str = "text"
) -> None:
    label = Label(theme, text, role, color)
    _put(label, page, x, middle - theme.line_height(role) // 2)


def _buttons(theme: Theme, page: QWidget) -> None:
    _write(theme, page, "Buttons", 40, 40, "title")
    states = {"rest": 136, "hover": 240, "pressed": 345, "focus": 450, "disabled": 565, "busy": 660}
    for state, x in states.items():
        _write(theme, page, state, x, 68, "small", "text3")
    rows: tuple[tuple[Kind, str, str], ...] = (
        ("primary", "Export", "share"),
        ("secondary", "Export", "share"),
        ("ghost", "Export", "share"),
        ("danger", "Delete", "trash-2"),
    )
    for row, (kind, verb, icon) in enumerate(rows):
        y = 84 + 50 * row
        _write(theme, page, kind.capitalize(), 40, y + 16, "small", "text3")
        for state in states:
            button = Button(theme, verb, kind=kind, icon=icon)
            x = {"pressed": 344, "focus": 452, "disabled": 560, "busy": 664}.get(
                state, states[state]
            )
            _put(button, page, x, y)
            _force(button, state)
            if state == "focus":
                _ring(theme, button)


def _force(button: Button, state: str) -> None:
    if state == "hover":
        button._hover.amount = 1.0
    elif state == "pressed":
        button.setDown(True)
    elif state == "disabled":
        button.setEnabled(False)
    elif state == "busy":
        button.set_busy(True)
        button._show_busy()


def _fields(theme: Theme, page: QWidget) -> None:
    _write(theme, page, "Fields", 40, 306, "title")
    names = (("Rest", 40), ("Focus", 210), ("Error", 380), ("Disabled", 588))
    for name, x in names:
        _write(theme, page, name, x, 334, "smallb", "text2")
    fields = []
    for (name, x), value in zip(names, (16384, 16384, 40000, 512), strict=True):
        field = NumberField(theme, 512, 65536, value, name=name)
        _put(field, page, x, 346, 150)
        fields.append(field)
    page.setFocusProxy(fields[1])
    fields[2].set_error("Must be at most 16 384.")
    fields[3].setEnabled(False)
    _write(theme, page, "tokens, 512 to 65\u202f536", 40, 390, "small", "text3")
    _put(Sign(theme, "octagon-x", "err", 14), page, 380, 383)
    _write(theme, page, "Must be at most 16\u202f384.", 398, 390, "small", "err")
    _write(theme, page, "Set by the model", 588, 390, "small", "text3")
    combo = ComboBox(theme, name="Score", width=150)
    combo.addItems(["ROUGE-1 F1", "ROUGE-2 F1"])
    _put(combo, page, 40, 410)
    parts = (("sentences", "Sentences"), ("words", "Words"), ("share", "Share"))
    _put(SegmentedControl(theme, parts), page, 210, 410)
    _put(Slider(theme, 0, 100, 41, name="Length"), page, 459, 414, 150)


def _toggles(theme: Theme, page: QWidget) -> None:
    boxes = (
        (CheckBox(theme, "Checked"), 40, True),
        (CheckBox(theme, "Not"), 143, False),
        (RadioButton(theme, "One"), 214, True),
        (RadioButton(theme, "Other"), 288, False),
        (Switch(theme, "On"), 371, True),
        (Switch(theme, "Off"), 451, False),
    )
    for box, x, on in boxes:
        _put(box, page, x, 453)
        box.setAutoExclusive(False)
        box.setChecked(on)


def _chips(theme: Theme, page: QWidget) -> None:
    _write(theme, page, "Chips and progress", 40, 510, "title")
    x = 40
    for chip in (
        Chip(theme, "done", "ok"),
        Chip(theme, "with a note", "warn"),
        Chip(theme, "not read", "err"),
        Chip(theme, "training, 41\u202f%", "accent"),
        Chip(theme, "imported", "plain"),
        Chip(theme, "outline", "outline"),
    ):
        _put(chip, page, x, 530)
        x += chip.width() + 8
    bars = (("known", 0.41), ("paused", 0.41), ("unknown length: a segment moves", None))
    for column, (name, share) in enumerate(bars):
        x = 40 + 224 * column
        _write(theme, page, name, x, 572, "small", "text3")
        bar = ProgressBar(theme, name=name)
        bar.set_share(share)
        bar.set_paused(name == "paused")
        _put(bar, page, x, 584, 200)


def _icons(theme: Theme, page: QWidget) -> None:
    _write(theme, page, "Icons", 40, 630, "title")
    for index, name in enumerate(_ICONS):
        row, column = divmod(index, 20)
        _put(Sign(theme, name, "text2", 20), page, 40 + 39 * column, 652 + 34 * row)


def _dialog(theme: Theme, page: QWidget) -> None:
    _write(theme, page, "Dialog", 960, 40, "title")
    text = (
        "They are removed from this computer for good. "
        "The documents themselves stay where they are."
    )
    dialog = ConfirmDialog(
        theme, "Delete 212 summaries?", text, deed="Delete 212 summaries", parent=page
    )
    dialog.setWindowFlags(Qt.WindowType.Widget)
    dialog.setModal(False)
    layout = dialog.layout()
    assert layout is not None
    dialog.setGeometry(960, 62, 420, layout.totalHeightForWidth(420))
    layout.setGeometry(dialog.rect())
    dialog.show()
    _ring(theme, dialog.keep_button)


def _toasts(theme: Theme, page: QWidget) -> None:
    _write(theme, page, "Toasts", 960, 268, "title")
    done = Toast(theme, "ok", "Exported to summary.docx", action="Show", parent=page)
    note = Toast(
        theme,
        "warn",
        "The GPU is full; running on the processor",
        "About six times slower. The job goes on.",
        parent=page,
    )
    for toast, y in ((done, 290), (note, 348)):
        toast.move(960 - 16, y - 16)
        toast.show()


def _menu(theme: Theme, page: QWidget) -> None:
    _write(theme, page, "Menu", 960, 446, "title")
    menu = Menu(theme, "Export", page)
    menu.setWindowFlags(Qt.WindowType.Widget)
    menu.add("Word, .docx", icon="file-text", shortcut="Ctrl+E")
    active = menu.add("Web page, .html", icon="file-code")
    menu.add("Markdown, .md", icon="hash")
    menu.add("JSON with evidence", icon="braces")
    menu.add("Copy as text", icon="copy", shortcut="Ctrl+Shift+C")
    menu.setMinimumWidth(260)
    menu.move(960, 468)
    menu.show()
    menu.setActiveAction(active)
    _write(theme, page, "Tooltip", 1248, 446, "title")
    _put(Tooltip(theme, "Pin this sentence", "P"), page, 1248, 468)


def _waiting(theme: Theme, page: QWidget) -> None:
    _write(theme, page, "Text on its way", 960, 674, "title")
    _put(Skeleton(theme), page, 960, 700, 420)
