"""Where the program starts: with a command it never loads Qt, without one it opens the window."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from core.library.folders import Folders
    from gui.main_window import MainWindow


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the program.

    Args:
        argv: What was typed after ``epitome``; None for the process's own arguments.

    Returns:
        The exit code.

    Raises:
        Exception: Any unforeseen error, where a terminal shows it.
    """
    try:
        if argv is None:  # a program of its own
            from core.system.process_environment import prepare_process

            prepare_process()  # before anything else is imported
            from core.cli.interruptions import hear_lost_interruptions

            hear_lost_interruptions()
        return _run(list(sys.argv[1:] if argv is None else argv), is_process=argv is None)
    except KeyboardInterrupt:  # while modules are still being imported; later, commands say more
        _write_error("Interrupted. Nothing was written.")
        return 130
    except Exception as error:
        if sys.stderr is not None:  # else Python would end without a word
            raise
        _write_error("Epitome cannot start.", f"{type(error).__name__}: {error}")
        return 1


def _run(arguments: Sequence[str], *, is_process: bool) -> int:
    if _has_served(arguments):
        return 0
    if arguments and not _are_files(arguments):
        from core.cli.main import main as run_command

        return run_command(arguments, is_process=is_process)
    if not _has_display():
        return _tell_no_window(
            "There is no display to open a window on.",
            "Start it from a desktop, or write: epitome summarise FILE",
        )
    from core.cli.interruptions import raise_lost

    raise_lost()
    return open_window([Path(argument) for argument in arguments])


def _has_display() -> bool:
    """Whether Qt will find a place to draw; it would end the whole program where there is none."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")))


_WITHOUT = "The command line works without a window: epitome summarise FILE"


def _tell_not_loaded(error: ImportError) -> int:
    """Says why Qt cannot be imported; gives the exit code."""
    if isinstance(error, ModuleNotFoundError):
        what = f"The window cannot open: {error.name} is not installed."
        from core.installation import installation

        return _tell_no_window(what, f"Run: {installation().mend}")
    from core.distribution.system_libraries import window_advice

    return _tell_no_window(
        "The window cannot open: Qt does not load.", window_advice() or str(error), _WITHOUT
    )


def _tell_no_window(*lines: str) -> int:
    _write_error(*lines)
    return 1


def _write_error(*lines: str) -> None:
    """Writes lines to standard error, or shows them in a message box where there is none.

    A program that the Start menu of Windows starts (`pythonw.exe`) has no standard streams.
    """
    text = "\n".join(lines)
    if sys.stderr is not None:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
    else:
        _show_message_box(text)


def _show_message_box(text: str) -> None:
    """Shows a message that needs no Qt, which may be what fails; Windows only."""
    if sys.platform == "win32":
        import ctypes

        has_error_icon = 0x10
        ctypes.windll.user32.MessageBoxW(None, text, "Epitome", has_error_icon)


@contextmanager
def _reported_qt_failures() -> Iterator[None]:
    """Ends the program with the reason where Qt would abort it: no display, libraries missing.

    Nothing is looked up before Qt has failed, so that the start is not late.

    Yields:
        None: the application is made inside the block.
    """
    from PySide6.QtCore import QtMsgType, qInstallMessageHandler

    messages: list[str] = []

    def hear(kind: QtMsgType, context: object, text: str) -> None:
        messages.append(text)
        if kind == QtMsgType.QtFatalMsg:
            _report_qt_failure(messages)
            os._exit(1)  # Qt would abort

    before = qInstallMessageHandler(hear)
    try:
        yield
    finally:
        qInstallMessageHandler(before)
        if messages and sys.stderr is not None:  # warnings are worth no message box
            sys.stderr.writelines(f"{text}\n" for text in messages)


def _report_qt_failure(messages: list[str]) -> None:
    from core.distribution.system_libraries import window_advice

    advice = window_advice()
    if not advice and any("connect to display" in text for text in messages):
        shown = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY", "")
        advice = f"The display “{shown}” does not answer. Start Epitome from a desktop."
    what = "The window cannot open: Qt finds no way to draw it."
    _tell_no_window(what, advice or " ".join(" ".join(messages).split()), _WITHOUT)


def _leave_sources_unread() -> None:
    """Spares PySide a look into the source of every module that is imported.

    It looks for its own name there, to turn on names in snake case in modules that ask for them.
    Nobody asks here, and reading half a thousand files takes a sixth of the time of the start.
    """
    feature: Any = sys.modules.get("shibokensupport.feature")
    if hasattr(feature, "_mod_uses_pyside"):
        feature._mod_uses_pyside = lambda module: False


def open_window(paths: list[Path]) -> int:
    """Opens the window, and runs until it is closed.

    Args:
        paths: Files to open in it.

    Returns:
        The exit code.
    """
    import gc

    # Plugins of other packages have no say here, and looking for them takes time.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # Nothing that is made until the window stands is let go again: there is nothing to collect.
    # After that a timer of the window collects.
    gc.disable()
    try:
        from PySide6.QtWidgets import QApplication
    except ImportError as error:
        return _tell_not_loaded(error)

    from core.errors import EpitomeError
    from core.library.folders import Folders
    from core.system import crash_reports
    from core.system.allocator import return_freed_memory
    from gui.faults import FaultReporter, guard_overrides
    from gui.workers.garbage import GarbageCollector

    try:
        folders = Folders.of_this_user()
    except EpitomeError as error:
        return _tell_no_window(error.message, error.remedy)
    crash_reports.begin("window", folders.crashes)
    return_freed_memory()
    _leave_sources_unread()
    guard_overrides()
    with _reported_qt_failures():
        app = QApplication(["epitome"])
    app.setApplicationName("Epitome")
    app.setDesktopFileName("epitome")
    window = make_window(folders)
    FaultReporter(window.notify, window)
    # The engine is started after the first paint, so that the window is not late.
    window.first_painted.connect(window.warm_up)
    window.first_painted.connect(lambda: window.begin(paths))
    _fit_to_screen(window)
    window.show()
    GarbageCollector(window)
    _close_when_asked(window)
    if sys.platform == "win32":  # elsewhere a signal reaches the jobs, or they outlive the session
        app.commitDataRequest.connect(lambda manager: _pause_jobs())
    return app.exec()


def _pause_jobs() -> None:
    """Pauses the jobs at work, so that they keep their steps when the session ends."""
    from core.jobs.queue.job_queue import JobQueue

    JobQueue.of_this_user(sets_aside=False).pause_running()


def make_window(folders: "Folders") -> "MainWindow":
    """The window as the person left it; what cannot be read of that is told when it is shown.

    Args:
        folders: Where the program keeps its files.

    Returns:
        The window, not shown yet; its theme is applied.
    """
    from core.library.preferences import load_preferences
    from gui.main_window import MainWindow
    from gui.theme.theme import Theme

    preferences, note = load_preferences(folders.settings_file)
    theme = Theme(scheme=preferences.theme)
    theme.apply()
    return MainWindow(theme, preferences, folders, note)


def _fit_to_screen(window: "QWidget") -> None:
    """Shrinks and maximises a window larger than its screen: its buttons would lie outside.

    It is shrunk too, since without a window manager nobody maximises it.
    """
    from PySide6.QtCore import Qt

    room = window.screen().availableSize()
    window.setMinimumSize(window.minimumSize().boundedTo(room))
    if window.width() > room.width() or window.height() > room.height():
        window.resize(window.size().boundedTo(room))
        window.setWindowState(window.windowState() | Qt.WindowState.WindowMaximized)


def _close_when_asked(window: "QWidget") -> None:
    """Asked to end by the system or from a terminal: that is a close, not a crash."""
    import signal
    import socket

    from PySide6.QtCore import QSocketNotifier

    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: window.close())
    # Python heeds a signal only when it runs next, and Qt may wait for long before it calls
    # Python: so a signal wakes Qt with a byte.
    near, far = socket.socketpair()
    far.setblocking(False)
    signal.set_wakeup_fd(far.detach(), warn_on_full_buffer=False)
    woken = QSocketNotifier(near.fileno(), QSocketNotifier.Type.Read, window)
    woken.activated.connect(lambda: near.recv(1))


def _has_served(arguments: Sequence[str]) -> bool:
    """Does what one of the packaged program's own processes is for; whether this is one."""
    match arguments:
        case ["--engine-child"]:
            from core.jobs.lanes.child import main as serve

            serve()
        case ["--lane", lane]:
            from core.jobs.lanes.lane import main as start_jobs

            start_jobs(lane)
        case ["--queued-job", id, start]:
            from core.jobs.lanes.detached import main as do_job

            do_job(id, int(start))
        case _:
            return False
    return True


def _are_files(arguments: Sequence[str]) -> bool:
    """Whether the first argument names a file, or can be nothing else (``report.pdf``)."""
    from core.cli.main import COMMANDS

    first = arguments[0]
    if first in COMMANDS or first.startswith("-"):
        return False
    return Path(first).exists() or Path(first).suffix != ""
