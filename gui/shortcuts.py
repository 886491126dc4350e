"""All keys of the window in one table: the window listens to them, Settings lists them."""

from dataclasses import dataclass
from typing import Final, Literal

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication
from PySide6.QtGui import QKeySequence

Where = Literal["everywhere", "document", "text", "summary", "source"]

_StandardKey = QKeySequence.StandardKey
_CONTEXT = "Shortcuts"

WHERE: Final[dict[Where, str]] = {
    "everywhere": QT_TRANSLATE_NOOP("Shortcuts", "Everywhere"),
    "document": QT_TRANSLATE_NOOP("Shortcuts", "With a document"),
    "text": QT_TRANSLATE_NOOP("Shortcuts", "In source and summary"),
    "summary": QT_TRANSLATE_NOOP("Shortcuts", "In the summary"),
    "source": QT_TRANSLATE_NOOP("Shortcuts", "In the source"),
}
"""Where keys act, in the order of the list. Those of the last three never act in a field."""


@dataclass(frozen=True)
class Shortcut:
    """Keys and what they do.

    Args:
        key: Its name in the program.
        keys: What is shown, as `QKeySequence` reads it; on macOS "Ctrl" is the Command key.
        words: What it does, in English.
        where: Where it acts.
        standard: The system's own keys for the same deed; they act too.
    """

    key: str
    keys: tuple[str, ...]
    words: str
    where: Where = "everywhere"
    standard: QKeySequence.StandardKey | None = None

    @property
    def title(self) -> str:
        """What it does, in the person's language."""
        return QCoreApplication.translate(_CONTEXT, self.words)

    @property
    def place(self) -> str:
        """Where it acts, in the person's language."""
        return QCoreApplication.translate(_CONTEXT, WHERE[self.where])

    @property
    def sequences(self) -> list[QKeySequence]:
        """All keys that do it, those shown first."""
        found = [QKeySequence(keys) for keys in self.keys]
        standard = [] if self.standard is None else QKeySequence.keyBindings(self.standard)
        return found + [keys for keys in standard if keys not in found]

    @property
    def shown(self) -> tuple[str, ...]:
        """What is written on key caps: "Ctrl Shift C"."""
        return tuple(shown_keys(QKeySequence(keys)) for keys in self.keys)


def shown_keys(keys: QKeySequence) -> str:
    """A key sequence as it is shown everywhere: "Ctrl Shift C", on macOS its signs."""
    text = keys.toString(QKeySequence.SequenceFormat.NativeText)
    shown = text[:-1].replace("+", " ") + text[-1:]  # the last may be the plus key itself
    for name, sign in _SIGNS.items():
        shown = shown.replace(name, sign)
    return shown


_SIGNS: Final = {"Ctrl -": "Ctrl −", "Return": "Enter", "Down": "↓", "Up": "↑", "Del": "Delete"}


def shortcut(key: str) -> Shortcut:
    """The shortcut of a name; a name that is none is a KeyError."""
    return _BY_KEY[key]


SHORTCUTS: Final[tuple[Shortcut, ...]] = (
    Shortcut("summarise", ("Ctrl+1",), QT_TRANSLATE_NOOP("Shortcuts", "Go to Summarise")),
    Shortcut(
        "settings",
        ("Ctrl+,",),
        QT_TRANSLATE_NOOP("Shortcuts", "Go to Settings"),
        standard=_StandardKey.Preferences,
    ),
    Shortcut(
        "open",
        ("Ctrl+O",),
        QT_TRANSLATE_NOOP("Shortcuts", "Open a document"),
        standard=_StandardKey.Open,
    ),
    Shortcut(
        "paste",
        ("Ctrl+V",),
        QT_TRANSLATE_NOOP("Shortcuts", "Paste as a new document"),
        standard=_StandardKey.Paste,
    ),
    Shortcut("next_control", ("Tab",), QT_TRANSLATE_NOOP("Shortcuts", "Next control")),
    Shortcut("next_region", ("F6",), QT_TRANSLATE_NOOP("Shortcuts", "Next region of the window")),
    Shortcut(
        "larger",
        ("Ctrl++",),
        QT_TRANSLATE_NOOP("Shortcuts", "Larger text"),
        standard=_StandardKey.ZoomIn,
    ),
    Shortcut(
        "smaller",
        ("Ctrl+-",),
        QT_TRANSLATE_NOOP("Shortcuts", "Smaller text"),
        standard=_StandardKey.ZoomOut,
    ),
    Shortcut("usual_size", ("Ctrl+0",), QT_TRANSLATE_NOOP("Shortcuts", "Usual text size")),
    Shortcut(
        "find",
        ("Ctrl+F",),
        QT_TRANSLATE_NOOP("Shortcuts", "Find"),
        standard=_StandardKey.Find,
    ),
    Shortcut("escape", ("Esc",), QT_TRANSLATE_NOOP("Shortcuts", "Stop, close, clear the mark")),
    Shortcut(
        "help",
        ("F1",),
        QT_TRANSLATE_NOOP("Shortcuts", "Show this list"),
        standard=_StandardKey.HelpContents,
    ),
    Shortcut("find_next", ("F3",), QT_TRANSLATE_NOOP("Shortcuts", "Next found words"), "document"),
    Shortcut(
        "find_previous",
        ("Shift+F3",),
        QT_TRANSLATE_NOOP("Shortcuts", "Previous found words"),
        "document",
    ),
    Shortcut(
        "export", ("Ctrl+E",), QT_TRANSLATE_NOOP("Shortcuts", "Export the summary"), "document"
    ),
    Shortcut(
        "copy_summary",
        ("Ctrl+Shift+C",),
        QT_TRANSLATE_NOOP("Shortcuts", "Copy the summary"),
        "document",
    ),
    Shortcut(
        "copy_command",
        ("Ctrl+Shift+K",),
        QT_TRANSLATE_NOOP("Shortcuts", "Copy the command that does this"),
        "document",
    ),
    Shortcut(
        "undo",
        ("Ctrl+Z",),
        QT_TRANSLATE_NOOP("Shortcuts", "Undo"),
        "document",
        _StandardKey.Undo,
    ),
    Shortcut(
        "redo",
        ("Ctrl+Shift+Z",),
        QT_TRANSLATE_NOOP("Shortcuts", "Redo"),
        "document",
        _StandardKey.Redo,
    ),
    Shortcut("shorter", ("[",), QT_TRANSLATE_NOOP("Shortcuts", "Shorter summary"), "text"),
    Shortcut("longer", ("]",), QT_TRANSLATE_NOOP("Shortcuts", "Longer summary"), "text"),
    Shortcut(
        "next_sentence", ("J", "Down"), QT_TRANSLATE_NOOP("Shortcuts", "Next sentence"), "summary"
    ),
    Shortcut(
        "previous_sentence",
        ("K", "Up"),
        QT_TRANSLATE_NOOP("Shortcuts", "Previous sentence"),
        "summary",
    ),
    Shortcut(
        "show_evidence",
        ("Return",),
        QT_TRANSLATE_NOOP("Shortcuts", "Show the sentence's evidence in the source"),
        "summary",
    ),
    Shortcut("pin", ("P",), QT_TRANSLATE_NOOP("Shortcuts", "Pin the sentence"), "summary"),
    Shortcut("replace", ("R",), QT_TRANSLATE_NOOP("Shortcuts", "Replace the sentence"), "summary"),
    Shortcut("drop", ("Del",), QT_TRANSLATE_NOOP("Shortcuts", "Drop the sentence"), "summary"),
    Shortcut("next_evidence", ("N",), QT_TRANSLATE_NOOP("Shortcuts", "Next evidence"), "source"),
    Shortcut(
        "previous_evidence",
        ("Shift+N",),
        QT_TRANSLATE_NOOP("Shortcuts", "Previous evidence"),
        "source",
    ),
)
_BY_KEY: Final = {each.key: each for each in SHORTCUTS}
