"""The list of the open documents as a menu, where there is no room for it beside the text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtWidgets import QWidget

from gui.panels.summarise.documents.document_words import DocumentWords
from gui.panels.summarise.saving.export_actions import shortened, tr
from gui.shortcuts import shortcut
from gui.theme.theme import Theme
from gui.widgets.inputs.menu import Menu


@dataclass(frozen=True)
class DocumentActions:
    """What the menu of the open documents does.

    Args:
        show: Called with the place of the chosen document, from 0.
        step: Called with 1 for the next document, or -1 for the previous one.
        close: Closes the shown document.
    """

    show: Callable[[int], object]
    step: Callable[[int], object]
    close: Callable[[], object]


def open_documents_menu(
    theme: Theme, button: QWidget, rows: Sequence[DocumentWords], shown: int, deeds: DocumentActions
) -> None:
    """Offers the open documents under a button.

    Args:
        theme: The look.
        button: What was pressed.
        rows: One for each document.
        shown: The place of the one that is shown.
        deeds: What its items do.
    """
    menu = Menu(theme, tr("Open documents"), button)
    for index, row in enumerate(rows):
        name = shortened(row.name).replace("&", "&&")
        item = menu.add(name, partial(deeds.show, index), icon=row.icon, detail=row.short_words)
        item.setToolTip(row.tooltip)
        item.setCheckable(index == shown)
        item.setChecked(index == shown)
    menu.addSeparator()
    for key, words, deed in (
        ("next_document", tr("Next document"), partial(deeds.step, 1)),
        ("previous_document", tr("Previous document"), partial(deeds.step, -1)),
        ("close", tr("Close this document"), deeds.close),
    ):
        menu.add(words, deed, detail=shortcut(key).shown[0])
    menu.open_below(button)
