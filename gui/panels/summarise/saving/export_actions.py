"""What leaves the panel: copied text, the command that does the same; and its menus."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from html import escape

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from core.documents.languages import AUTO
from core.export.formats import FORMATS
from core.export.parts import reference, reference_html
from core.jobs.sources.sources import SourceRef
from core.summaries.length import Length
from core.summaries.summary import Summary
from core.system.shell import shell_line
from gui.panels.summarise.summary.choices import BUILT_IN
from gui.theme.theme import Theme
from gui.widgets.inputs.menu import Menu

_ICONS = {
    ".docx": "file-text",
    ".html": "file-code",
    ".md": "hash",
    ".json": "braces",
    ".txt": "file-text",
    ".pdf": "file-down",
}
PDF = ".pdf"
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


def copied_html(summary: Summary, row: int | None = None) -> str:
    """`copied_text` as HTML, for programs that take rich text."""
    rows = range(len(summary.sentences)) if row is None else (row,)
    parts = [reference_html(summary.title, summary.sentences[index]) for index in rows]
    if summary.model != BUILT_IN:
        told = tr("Written by the model {model}.").format(model=summary.model)
        parts.append(f"<p>{escape(told)}</p>")
    return "".join(parts)


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


@dataclass(frozen=True)
class ExportActions:
    """What the menu of the Export button does.

    Args:
        write: Called with a suffix and the format's name.
        print_it: Opens the print dialog.
        copy: Copies the summary.
        copy_command: Copies the command.
        set_quotations: Called with whether the evidence is written too.
    """

    write: Callable[[str, str], object]
    print_it: Callable[[], object]
    copy: Callable[[], object]
    copy_command: Callable[[], object]
    set_quotations: Callable[[bool], object]


def formats() -> dict[str, str]:
    """The formats that the window writes: suffix and name."""
    names = {suffix: known.name for suffix, known in FORMATS.items()}
    return {".docx": names.pop(".docx"), PDF: tr("PDF document"), **names}


def export_menu(theme: Theme, parent: QWidget, deeds: ExportActions, *, quotations: bool) -> Menu:
    """The menu of the Export button.

    Args:
        theme: The look.
        parent: Qt's owner.
        deeds: What its items do.
        quotations: Whether the evidence is written too.

    Returns:
        The menu, not open yet.
    """
    menu = Menu(theme, tr("Export"), parent)
    for suffix, name in formats().items():
        icon = _ICONS.get(suffix, "file-text")
        menu.add(f"{name}, {suffix}", partial(deeds.write, suffix, name), icon=icon)
    menu.add(tr("Print…"), deeds.print_it, icon="printer", shortcut="Ctrl+P")
    menu.addSeparator()
    with_quotations = menu.add(tr("With quotations"))
    with_quotations.setCheckable(True)
    with_quotations.setChecked(quotations)
    with_quotations.triggered.connect(deeds.set_quotations)
    menu.addSeparator()
    menu.add(tr("Copy with references"), deeds.copy, icon="copy", shortcut="Ctrl+Shift+C")
    menu.add(tr("Copy the command"), deeds.copy_command, icon="terminal", shortcut="Ctrl+Shift+K")
    return menu
