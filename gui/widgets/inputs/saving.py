"""Asks under which name a file is saved; no file is ever replaced unasked."""

from collections.abc import Collection
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from core.storage.portable_names import make_portable
from gui.theme.theme import Theme
from gui.widgets.inputs.dialog import ConfirmDialog

CHART_FORMATS = (".png", ".svg", ".csv")
"""What a chart is saved as; its name may end in any of them."""


def ask_where(
    theme: Theme,
    parent: QWidget,
    title: str,
    name: str,
    suffix: str,
    *,
    folder: Path | None = None,
    kind: str = "",
    known: Collection[str] = (),
) -> Path | None:
    """Lets the person name a file.

    Args:
        theme: The look of the question whether a file is replaced.
        parent: Over what the dialogs open.
        title: What is saved.
        name: The name that is offered, without its ending; made one that every system takes.
        suffix: The ending of the format, such as ".csv".
        folder: The folder that is offered; None for the one that Qt offers.
        kind: What the dialog calls the format: "Word document".
        known: As for `whole_name`.

    Returns:
        Where to write it, with its ending; None when the person gave it up.
    """
    kinds = f"{kind} (*{suffix})" if kind else f"*{suffix}"
    offered = make_portable(name, "document", suffix)
    first = str(folder / offered) if folder else offered
    chosen, _ = QFileDialog.getSaveFileName(parent, title, first, kinds)
    return whole_name(theme, parent, chosen, suffix, known) if chosen else None


def whole_name(
    theme: Theme, parent: QWidget, name: str, suffix: str, known: Collection[str] = ()
) -> Path | None:
    """Adds the ending to a name that lacks it; asks before that replaces another file.

    What was typed stays whole: "lr-0.001" becomes "lr-0.001.csv".

    Args:
        theme: The look of the question.
        parent: Over what it opens.
        name: What was typed; the dialog asked whether a file of this very name may be replaced.
        suffix: The ending of the format that was chosen.
        known: Other endings that may be typed instead, because they choose another format.

    Returns:
        Where to write it; None when the file that is there is to be kept.
    """
    path = Path(name)
    if path.suffix.lower() in {suffix, *known}:
        return path
    path = path.with_name(path.name + suffix)
    return path if not path.exists() or _may_replace(theme, parent, path) else None


def _may_replace(theme: Theme, parent: QWidget, path: Path) -> bool:
    return ConfirmDialog.ask(
        theme,
        tr("Replace “{name}”?").format(name=path.name),
        tr("There is a file of this name in {folder}.").format(folder=path.parent),
        deed=tr("Replace"),
        parent=parent.window(),
    )


def tr(text: str) -> str:
    """Translates a text."""
    return QCoreApplication.translate("saving", text)
