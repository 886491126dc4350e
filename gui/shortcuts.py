"""All keys of the window: the window listens to them, Settings lists them."""

from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QKeySequence

from gui.widgets.inputs.menu import shown_keys

Where = Literal["everywhere", "document", "text", "summary", "source", "list", "chart"]

_StandardKey = QKeySequence.StandardKey
_SIGNS: Final = {
    "-": "−",
    "Return": "Enter",
    "Down": "↓",
    "Up": "↑",
    "Right": "→",
    "Left": "←",
    "Del": "Delete",
    "PgDown": "Page Down",
    "PgUp": "Page Up",
}

translate = QCoreApplication.translate


@dataclass(frozen=True)
class Shortcut:
    """Keys and what they do.

    Args:
        key: Its name in the program.
        keys: What is shown, as `QKeySequence` reads it; on macOS "Ctrl" is the Command key.
        title: What it does.
        where: Where it acts; but for "everywhere" and "document", never while a field has the
            focus.
        standard: The system's own keys for the same deed; they act too.
    """

    key: str
    keys: tuple[str, ...]
    title: str
    where: Where = "everywhere"
    standard: QKeySequence.StandardKey | None = None

    @property
    def sequences(self) -> list[QKeySequence]:
        """All keys that do it, those shown first; the system's own need a QGuiApplication."""
        found = [QKeySequence(keys) for keys in self.keys]
        standard = [] if self.standard is None else QKeySequence.keyBindings(self.standard)
        return found + [keys for keys in standard if keys not in found]

    @property
    def shown(self) -> tuple[str, ...]:
        """What is written on key caps: "Ctrl Shift C"; keys of one name, as both Enters, once."""
        names = [_with_signs(shown_keys(QKeySequence(keys))) for keys in self.keys]
        return tuple(dict.fromkeys(names))


def _with_signs(keys: str) -> str:
    return " ".join(_SIGNS.get(key, key) for key in keys.split(" "))


def shortcut(key: str) -> Shortcut:
    """The shortcut of a name; a name that is none is a KeyError."""
    return {each.key: each for each in shortcuts()}[key]


@cache
def places() -> dict[Where, str]:
    """Where keys act, in the order of the list."""
    return {
        "everywhere": translate("Shortcuts", "Everywhere"),
        "document": translate("Shortcuts", "With a document"),
        "text": translate("Shortcuts", "In source and summary"),
        "summary": translate("Shortcuts", "In the summary"),
        "source": translate("Shortcuts", "In the source"),
        "list": translate("Shortcuts", "In lists of corpora, models, comparisons and summaries"),
        "chart": translate("Shortcuts", "In charts"),
    }


def panel_shortcut(
    name: str, title: str, keys: str, standard: QKeySequence.StandardKey | None = None
) -> Shortcut:
    """The keys that show a panel.

    Args:
        name: The panel's name in the program.
        title: Its name in the rail.
        keys: As `QKeySequence` reads them.
        standard: The system's own keys for it.

    Returns:
        The shortcut; its key is the panel's name.
    """
    go_to = translate("Shortcuts", "Go to {panel}").format(panel=title)
    return Shortcut(name, (keys,), go_to, standard=standard)


@cache
def shortcuts() -> tuple[Shortcut, ...]:
    """All but those of panels, in the order of `places`; made once, when the language is known."""
    return (
        Shortcut(
            "open",
            ("Ctrl+O",),
            translate("Shortcuts", "Open a document"),
            standard=_StandardKey.Open,
        ),
        Shortcut(
            "paste",
            ("Ctrl+V",),
            translate("Shortcuts", "Paste as a new document"),
            standard=_StandardKey.Paste,
        ),
        Shortcut(
            "new",
            ("Ctrl+N",),
            translate("Shortcuts", "New training job, corpus or batch"),
            standard=_StandardKey.New,
        ),
        Shortcut(
            "quit",
            ("Ctrl+Q",),
            translate("Shortcuts", "Quit Epitome"),
            standard=_StandardKey.Quit,
        ),
        Shortcut("pause", ("Ctrl+.",), translate("Shortcuts", "Pause or resume the running job")),
        Shortcut("find", ("Ctrl+F",), translate("Shortcuts", "Find"), standard=_StandardKey.Find),
        Shortcut(
            "larger",
            ("Ctrl++",),
            translate("Shortcuts", "Larger text"),
            standard=_StandardKey.ZoomIn,
        ),
        Shortcut(
            "smaller",
            ("Ctrl+-",),
            translate("Shortcuts", "Smaller text"),
            standard=_StandardKey.ZoomOut,
        ),
        Shortcut("usual_size", ("Ctrl+0",), translate("Shortcuts", "Default text size")),
        Shortcut("next_control", ("Tab",), translate("Shortcuts", "Next control")),
        Shortcut("next_region", ("F6",), translate("Shortcuts", "Next region of the window")),
        Shortcut(
            "previous_region",
            ("Shift+F6",),
            translate("Shortcuts", "Previous region of the window"),
        ),
        Shortcut("menu", ("Shift+F10",), translate("Shortcuts", "Menu of what has the focus")),
        Shortcut("escape", ("Esc",), translate("Shortcuts", "Stop, close, clear the mark")),
        Shortcut("all_keys", ("Shift+F1",), translate("Shortcuts", "Show this list")),
        Shortcut("find_next", ("F3",), translate("Shortcuts", "Next match"), "document"),
        Shortcut(
            "find_previous",
            ("Shift+F3",),
            translate("Shortcuts", "Previous match"),
            "document",
        ),
        Shortcut(
            "export",
            ("Ctrl+E", "Ctrl+S"),
            translate("Shortcuts", "Export the summary"),
            "document",
            _StandardKey.Save,
        ),
        Shortcut(
            "print",
            ("Ctrl+P",),
            translate("Shortcuts", "Print the summary"),
            "document",
            _StandardKey.Print,
        ),
        Shortcut(
            "close",
            ("Ctrl+W",),
            translate("Shortcuts", "Close the document"),
            "document",
            _StandardKey.Close,
        ),
        Shortcut(
            "next_document",
            ("Ctrl+PgDown", "Ctrl+Tab"),
            translate("Shortcuts", "Next open document"),
            "document",
        ),
        Shortcut(
            "previous_document",
            ("Ctrl+PgUp", "Ctrl+Shift+Tab"),
            translate("Shortcuts", "Previous open document"),
            "document",
        ),
        Shortcut(
            "copy_summary",
            ("Ctrl+Shift+C",),
            translate("Shortcuts", "Copy the summary"),
            "document",
        ),
        Shortcut(
            "second_summary",
            ("Ctrl+D",),
            translate("Shortcuts", "Compare with a second summary, or close it"),
            "document",
        ),
        Shortcut(
            "start",
            ("Ctrl+Return", "Ctrl+Enter"),
            translate("Shortcuts", "Start the job"),
            "document",
        ),
        Shortcut(
            "copy_command",
            ("Ctrl+Shift+K",),
            translate("Shortcuts", "Copy the command that does this"),
            "document",
        ),
        Shortcut(
            "undo", ("Ctrl+Z",), translate("Shortcuts", "Undo"), "document", _StandardKey.Undo
        ),
        Shortcut(
            "redo",
            ("Ctrl+Shift+Z", "Ctrl+Y"),
            translate("Shortcuts", "Redo"),
            "document",
            _StandardKey.Redo,
        ),
        Shortcut("shorter", ("[",), translate("Shortcuts", "Shorter summary"), "text"),
        Shortcut("longer", ("]",), translate("Shortcuts", "Longer summary"), "text"),
        Shortcut(
            "next_sentence", ("J", "Down"), translate("Shortcuts", "Next sentence"), "summary"
        ),
        Shortcut(
            "previous_sentence",
            ("K", "Up"),
            translate("Shortcuts", "Previous sentence"),
            "summary",
        ),
        Shortcut(
            "show_evidence",
            ("Return",),
            translate("Shortcuts", "Show the sentence’s evidence in the source"),
            "summary",
        ),
        Shortcut("pin", ("P",), translate("Shortcuts", "Pin the sentence"), "summary"),
        Shortcut("replace", ("R",), translate("Shortcuts", "Replace the sentence"), "summary"),
        Shortcut("drop", ("Del",), translate("Shortcuts", "Drop the sentence"), "summary"),
        Shortcut("add", ("A",), translate("Shortcuts", "Add to the summary"), "source"),
        Shortcut("next_evidence", ("N",), translate("Shortcuts", "Next evidence"), "source"),
        Shortcut(
            "previous_evidence", ("Shift+N",), translate("Shortcuts", "Previous evidence"), "source"
        ),
        Shortcut("open_entry", ("Return",), translate("Shortcuts", "Open the entry"), "list"),
        Shortcut("delete_entry", ("Del",), translate("Shortcuts", "Delete the entry"), "list"),
        Shortcut(
            "rename_entry",
            ("F2",),
            translate("Shortcuts", "Rename the corpus or the summary"),
            "list",
        ),
        Shortcut("star_entry", ("S",), translate("Shortcuts", "Star the summary"), "list"),
        Shortcut("next_point", ("Right",), translate("Shortcuts", "Next point"), "chart"),
        Shortcut("previous_point", ("Left",), translate("Shortcuts", "Previous point"), "chart"),
        Shortcut("zoom_in", ("+",), translate("Shortcuts", "Zoom in"), "chart"),
        Shortcut("zoom_out", ("-",), translate("Shortcuts", "Zoom out"), "chart"),
        Shortcut("zoom_off", ("0",), translate("Shortcuts", "Show the whole chart"), "chart"),
    )
