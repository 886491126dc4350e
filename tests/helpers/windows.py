"""The real window for tests: a home of its own, a real engine child, real documents."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QLabel, QWidget

from core.distribution.resources import resource
from core.events import Progress
from core.jobs.sources.sources import SourceRef
from core.library.folders import Folders
from core.library.preferences import Preferences
from core.summaries.summary import Length
from gui.main_window import MainWindow
from gui.panels.summarise.controller import SummariseController
from gui.panels.summarise.state import Phase, SummariseState
from gui.theme.theme import Theme
from gui.widgets.inputs.menu import Menu
from gui.workers.inline import run_now
from tests.helpers.shelf import kept

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot  # windows in processes of their own need not load it

SECRET = "tide-clock-7391"
LOCKED_TEXT = (
    "The lantern was lit on the first of May. It burns oil from the mill and is cleaned every "
    "morning. Two keepers share the watch, and a third comes on Sundays. The lens was ground in "
    "the capital and came by ship. Nobody has counted the steps since the great storm. "
)
WIDE = (1440, 900)
ARTICLE = resource("samples", "article.md")
PATENT = resource("samples", "patent.pdf")
REPORT = resource("samples", "report.docx")


def _write_halves(folder: Path) -> None:
    paragraphs = ARTICLE.read_text("utf-8").split("\n\n")
    middle = len(paragraphs) // 2
    for name, part in (("tides", paragraphs[:middle]), ("springs", paragraphs[middle:])):
        (folder / f"{name}.md").write_text("\n\n".join(part), "utf-8")


TIDES, SPRINGS = (kept("halves of the article", _write_halves) / f"{name}.md"
                  for name in ("tides", "springs"))  # fmt: skip
"""Two documents that are read and ranked in a tenth of the time that the PDF takes."""
STILL = Preferences(theme="light", motion="off")
"""Settings under which nothing moves, so that nothing has to be waited for."""


def show_window(
    home: Path, *, preferences: Preferences = STILL, note: str = "", paths: Sequence[Path] = ()
) -> MainWindow:
    """A window as after its first paint; its engine starts with the first document.

    Args:
        home: The folder of its four folders.
        preferences: The settings.
        note: What it tells at the start.
        paths: Files it is opened with.

    Returns:
        The window; `end_window` must be called.
    """
    theme = Theme(scheme=preferences.theme, motion="off")
    theme.setParent(QApplication.instance())
    window = MainWindow(theme, preferences, Folders.under(home), note)
    window.show()
    window.activateWindow()
    window.begin(list(paths))
    return window


def end_window(window: MainWindow) -> None:
    """Closes a window as a person does, and takes it down."""
    window.close()
    theme = window.theme
    window.deleteLater()
    theme.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def desk(window: MainWindow) -> SummariseController:
    """Where the documents of the Summarise panel lie."""
    return window.panel("summarise").desk  # type: ignore[attr-defined, no-any-return]


def empty_again(qtbot: "QtBot", window: MainWindow) -> None:
    """Brings a window that tests share back to its first state."""
    panel = desk(window)
    for menu in menus(window):
        menu.close()
    while panel.documents.are_several:
        panel.close_document()
    panel.cancel()
    if panel.source.find_bar.isVisible():
        panel.source.find_bar.close_bar()
    for toast in window.toasts.shown:
        toast.close()
    qtbot.waitUntil(lambda: not window.keeper.is_busy)  # what was decided is written in a thread
    window.decisions.clear()
    vars(panel.state).update(vars(SummariseState(run_now, Length())))  # its other parts hold it too
    panel.show_side("summary")
    panel.stage.light(None)
    panel.redraw()
    window.show_panel("summarise")
    window.resize(*WIDE)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


def open_file(
    qtbot: "QtBot", window: MainWindow, path: Path = ARTICLE, phase: Phase = Phase.READY
) -> None:
    """Opens a document and waits for what comes of it."""
    desk(window).open_source(SourceRef(path=path))
    wait_for(qtbot, window, phase)


def wait_for(qtbot: "QtBot", window: MainWindow, phase: Phase = Phase.READY) -> None:
    """Waits until the panel is in a phase."""
    qtbot.waitUntil(lambda: desk(window).state.phase is phase)


def toasts(window: MainWindow) -> list[str]:
    """What the toasts in sight say."""
    return [toast.sentence for toast in window.toasts.shown]


def menus(window: QWidget) -> list[Menu]:
    """The open menus of a window."""
    return [menu for menu in window.findChildren(Menu) if menu.isVisible()]


def the_menu(window: QWidget) -> Menu:
    """The one open menu."""
    (menu,) = menus(window)
    return menu


def words_on(widget: QWidget) -> str:
    """All that is written in the visible labels of a part."""
    labels = [label for label in widget.findChildren(QLabel) if label.isVisible()]
    return "\n".join(label.text() for label in labels)


def texts(window: MainWindow) -> list[str]:
    """The sentences of the summary."""
    summary = desk(window).state.summary
    assert summary is not None
    return [sentence.text for sentence in summary.sentences]


def files_data(*paths: Path) -> QMimeData:
    """Files as they are dragged or copied in a file manager."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def text_data(text: str, html: str = "") -> QMimeData:
    """Text as it is dragged or copied, with its HTML when it has one."""
    data = QMimeData()
    data.setText(text)
    if html:
        data.setHtml(html)
    return data


def drop(target: QWidget, data: QMimeData) -> bool:
    """Drops something on the middle of a widget.

    Args:
        target: Where.
        data: What.

    Returns:
        Whether it was taken.
    """
    middle, copy = target.rect().center(), Qt.DropAction.CopyAction
    held = (data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    enter = QDragEnterEvent(middle, copy, *held)
    QApplication.sendEvent(target, enter)
    if enter.isAccepted():
        QApplication.sendEvent(target, QDropEvent(QPointF(middle), copy, *held))
    return enter.isAccepted()


def hover(widget: QWidget, point: QPoint) -> None:
    """Moves the pointer over a place of a widget."""
    where = QPointF(point)
    buttons = Qt.MouseButton.NoButton
    move = QMouseEvent(
        QEvent.Type.MouseMove,
        where,
        QPointF(widget.mapToGlobal(point)),
        buttons,
        buttons,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(widget, move)


def wheel(view: QAbstractScrollArea, at: QPointF, delta: int) -> bool:
    """Turns the wheel over a place of a view; True if the view takes it."""
    viewport = view.viewport()
    event = QWheelEvent(
        at, viewport.mapToGlobal(at), QPoint(0, 0), QPoint(0, delta), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(viewport, event)
    return event.isAccepted()


def leave(widget: QWidget) -> None:
    """Takes the pointer away."""
    QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))


def failing(kind: str, folder: Path) -> tuple[Path, str]:
    """A file that cannot be read, and a piece of the sentence that says so."""
    if kind == "scan":
        from tests.helpers.pdf_maker import scan  # loads much
    data, name, said = {
        "scan": (scan() if kind == "scan" else b"", "scan.pdf", "all of its 2 pages are pictures"),
        "empty": (b"", "empty.txt", "is empty (0 bytes)"),
        "binary": (bytes(range(256)) * 200, "binary.txt", "contains binary data"),
        "picture": (b"\x89PNG\r\n\x1a\n" + bytes(400), "picture.txt", "picture"),
        "broken": (b"PK\x03\x04" + bytes(500), "broken.docx", "broken.docx"),
        "short": (b"Two words.", "short.txt", "words"),
        "vanished": (b"", "vanished.txt", "There is no file"),
    }[kind]
    path = folder / name
    path.write_bytes(data)
    if kind == "vanished":
        path.unlink()
    return path, said


def locked(folder: Path) -> Path:
    """A PDF with enough text, behind a password."""
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfgen.canvas import Canvas

    path = folder / "Lighthouse.pdf"
    lock = StandardEncryption(SECRET, ownerPassword="owner", strength=128)
    canvas = Canvas(str(path), pagesize=A4, encrypt=lock)
    for row, sentence in enumerate(LOCKED_TEXT.split(". ")):
        canvas.drawString(72, 760 - 14 * row, sentence.strip(". ") + ".")
    canvas.save()
    return path


def show_phase(qtbot: "QtBot", window: MainWindow, phase: str, folder: Path) -> None:
    """Brings the window into one of the states a person sees."""
    if phase == "ready":
        open_file(qtbot, window, PATENT)
    elif phase == "several":
        desk(window).open_files([ARTICLE, failing("broken", folder)[0], REPORT])
        qtbot.waitUntil(lambda: desk(window).documents.are_several)
        wait_for(qtbot, window)
        qtbot.waitUntil(lambda: desk(window).opener.run is None)
    elif phase == "found":
        open_file(qtbot, window, PATENT)
        desk(window).show_side("source")
        desk(window).source.find_bar.open_bar()
        desk(window).source.find_bar.field.setText("the")
        qtbot.waitUntil(lambda: bool(desk(window).source.find_bar._count.text()))
    elif phase == "failed":
        open_file(qtbot, window, ARTICLE)
        open_file(qtbot, window, failing("vanished", folder)[0], Phase.FAILED)
    elif phase == "locked":
        open_file(qtbot, window, ARTICLE)
        open_file(qtbot, window, locked(folder), Phase.FAILED)
    elif phase == "reading":
        desk(window).state.begin(SourceRef(path=folder / f"{'A long name ' * 12}.pdf"))
        desk(window).state.progress = Progress(4, 10, "pages", "Opening")
        desk(window).redraw()
    elif phase in ("settings", "help"):
        window.show_panel(phase)
