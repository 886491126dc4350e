"""What leaves the panel: copied text, the command that does the same; and its menus."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from core.documents.languages import AUTO
from core.export.formats import FORMATS
from core.export.parts import reference
from core.jobs.shell import shell_line
from core.jobs.sources import SourceRef
from core.length import Length
from core.summary import Summary
from gui.panels.summarise.choices import BUILT_IN
from gui.theme.theme import Theme
from gui.widgets.menu import Menu

_ICONS = {
    ".docx": "file-text",
    ".html": "file-code",
    ".md": "hash",
    ".json": "braces",
    ".txt": "file-text",
}
_LONGEST_TITLE = 56
ABOUT = "summary"
"""What toasts are about that go when another document is opened."""


def tr(text: str) -> str:
    """The text in the person's language."""
    return QCoreApplication.translate("SummarisePanel", text)


def shortened(title: str) -> str:
    """A title short enough for a menu or a sentence."""
    return title if len(title) <= _LONGEST_TITLE else f"{title[: _LONGEST_TITLE - 1]}…"


def copied_text(summary: Summary, row: int | None = None) -> str:
    """The summary as it is copied: every sentence with its reference.

    Args:
        summary: What to copy.
        row: One sentence of it, from 0; None for all.

    Returns:
        The text; what a model wrote says so in its last line.
    """
    rows = range(len(summary.sentences)) if row is None else (row,)
    lines = [reference(summary.title, summary.sentences[index]) for index in rows]
    if summary.model != BUILT_IN:
        lines.append(tr("Written by the model {model}.").format(model=summary.model))
    return "\n".join(lines)


def reproduce_command(
    source: SourceRef, length: Length, model: str = BUILT_IN, language: str = AUTO
) -> str:
    """The command that makes the same summary.

    Args:
        source: What is open.
        length: The requested length.
        model: `BUILT_IN`, or the name of a run.
        language: What the source is said to be in; `AUTO` for what it tells itself.

    Returns:
        A line for the system's shell; pasted text is read from standard input.
    """
    words = ["epitome", "summarise", str(source.path) if source.path else "-"]
    words += ["--length", str(length)]
    if model != BUILT_IN:
        words += ["--model", model]
    if language != AUTO:
        words += ["--language", language]
    return shell_line(words)


def export_menu(
    theme: Theme,
    parent: QWidget,
    on_format: Callable[[str, str], object],
    on_copy: Callable[[], object],
    on_command: Callable[[], object],
) -> Menu:
    """The menu of the Export button.

    Args:
        theme: The look.
        parent: Qt's owner.
        on_format: Called with a suffix and the format's name.
        on_copy: Copies as text.
        on_command: Copies the command.

    Returns:
        The menu, not open yet.
    """
    menu = Menu(theme, tr("Export"), parent)
    for suffix, known in FORMATS.items():
        menu.add(
            f"{known.name}, {suffix}",
            partial(on_format, suffix, known.name),
            icon=_ICONS.get(suffix, "file-text"),
        )
    menu.add(tr("Copy as text"), on_copy, icon="copy", shortcut="Ctrl+Shift+C")
    menu.add(tr("Copy the command"), on_command, icon="terminal", shortcut="Ctrl+Shift+K")
    return menu
