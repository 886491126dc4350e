"""Takes up what a crashed window had open, and says what became of it."""

import platform
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QWidget

from core.errors import EpitomeError
from core.library.session import (
    LeftBehind,
    Session,
    delete_aside,
    left_behind,
    set_session_aside,
)
from core.numbers import format_quantity
from core.system.crash_reports import take_report
from core.version import VERSION
from gui.panel import Services
from gui.panels.summarise.saving.export_actions import shortened, tr
from gui.widgets.inputs.text_dialog import TextDialog


def notify_of_crash(services: Services, window: QWidget, text: str = "") -> None:
    """Says that the last window crashed, with its report, where it left one.

    Args:
        services: The folder of reports, and the notifications.
        window: The window, which shows the report.
        text: Says what became of the open documents; empty where none was open.
    """
    report = take_report(services.folders.crashes, "window")
    if not report and not text:
        return
    services.notify(
        "err"
        if report
        else "warn",  # an error stays until it is closed: the report is offered once
        tr("Epitome was not closed properly last time"),
        text,
        action=tr("Show the report") if report else "",
        on_action=partial(_show_report, services, window, report) if report else None,
    )


def _show_report(services: Services, window: QWidget, report: str) -> None:
    title = tr("Report of the crash")
    TextDialog(
        services.theme,
        title,
        tr("Where the program was when it ended. It holds no text of a document."),
        f"Epitome {VERSION}, {platform.platform()}, Python {platform.python_version()}\n\n{report}",
        window,
        name=title,
        can_copy=True,
    ).show_until_closed()


def recover(
    services: Services, window: QWidget, take_up: Callable[[LeftBehind, Session], object]
) -> Session | None:
    """Takes up the newest session that a crash left behind.

    Args:
        services: Where sessions lie, and who is told.
        window: The window, which shows the report of the crash.
        take_up: Opens what was open.

    Returns:
        The session, now this window's; None when there was none to take up.
    """
    for left in left_behind(services.folders.sessions):
        if left.is_newer:
            services.notify(
                "warn",
                tr("What a newer Epitome had open is left for it"),
                tr("Start the newer version to open it again."),
            )
            continue
        if not left.can_be_opened:
            aside = set_session_aside(left)
            title = tr("The document from last time cannot be restored")
            _tell_damaged(services, title, "", aside or left.folder)
            continue
        session = Session.adopt(left)
        if session is not None:
            take_up(left, session)
            _tell_recovered(services, window, left)
            return session
    return None


def begin_session(services: Services) -> Session | None:
    """A new session; None, and the person is told, when nothing can be kept."""
    try:
        return Session.begin(services.folders.sessions)
    except EpitomeError as error:
        services.notify("warn", error.message, error.remedy)
        return None


def _tell_recovered(services: Services, window: QWidget, left: LeftBehind) -> None:
    title = left.shown.state.title
    num_others = len(left.documents) - 1
    if left.damaged and num_others:
        _tell_damaged_list(services, left)
    elif left.damaged:
        lost, read_again = (
            tr("Its length, pins and drops are lost."),
            tr("It is read again from its file."),
        )
        _tell_damaged(
            services,
            tr("The saved state of “{title}” is damaged").format(title=title),
            lost if left.shown.file else read_again,
            left.aside_folder,
        )
    else:
        one, several = (
            tr("“{title}” is open again, as it was."),
            tr("“{title}” and {others} are open again, as they were."),
        )
        others = format_quantity(num_others, "other document")
        text = (several if num_others else one).format(title=title, others=others)
        notify_of_crash(services, window, text)


def _tell_damaged_list(services: Services, left: LeftBehind) -> None:
    """Says what became of several documents of which something is damaged."""
    damaged = [each for each in left.documents if each.file is None and each.state.sha256]
    lost = [each.state.title for each in damaged if not each.can_be_opened]
    again = [each.state.title for each in damaged if each.can_be_opened]
    said = []
    if again:
        said.append(tr("Read again from their files: {titles}.").format(titles=_quoted(again)))
    if lost:
        said.append(tr("They cannot be restored: {titles}.").format(titles=_quoted(lost)))
    if not damaged:
        said.append(tr("Their lengths, pins and drops are lost."))
    title = tr("Some of what was saved of the open documents is damaged")
    _tell_damaged(services, title, " ".join(said), left.aside_folder)


def _quoted(titles: list[str]) -> str:
    return ", ".join(f"“{shortened(title)}”" for title in titles)


def _tell_damaged(services: Services, title: str, what: str, folder: Path) -> None:
    kept = tr("The damaged files are kept in {folder}.").format(folder=folder)
    services.notify(
        "warn",
        title,
        f"{what} {kept}".strip(),
        action=tr("Delete"),
        on_action=partial(delete_aside, folder),
    )
