"""Uses the window at random for a long time, and looks whether it stays well.

    python tests/benchmarks/soak.py                      # forty minutes
    python tests/benchmarks/soak.py --minutes 300 --seed 7
    python tests/benchmarks/soak.py --pointer moving --actions 2000   # also: parked

The real window, drawn without a screen, in a home of its own: documents are opened, edited,
exported and closed, panels switched, runs and batches queued, paused and cancelled, keys typed and
buttons pressed, odd things dropped, and the processes that read and train are killed. What is done
follows from the seed; how far each job is by then does not. It fails at the first warning of Qt, at
the first error that no code foresaw, and when memory, open files or threads grow without end. A row
every ten seconds goes to `results/soak.csv`.

With a pointer the window is shown on a screen of its own (Xvfb) and clicked by xdotool as well,
also in its settings: Qt then sends what no window without a screen is sent when a widget goes from
under the pointer. The pointer moves before each click, or is parked on a button for fifty actions.
The rows go to `results/soak-moving.csv` and `results/soak-parked.csv`.
"""

import argparse
import csv
import faulthandler
import gc
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import psutil  # noqa: E402
from PySide6.QtCore import QMimeData, QPoint, Qt, QTimer, QUrl, qInstallMessageHandler  # noqa: E402
from PySide6.QtGui import QDesktopServices  # noqa: E402
from PySide6.QtTest import QTest  # noqa: E402
from PySide6.QtWidgets import (  # noqa: E402
    QAbstractButton,
    QApplication,
    QDialog,
    QFileDialog,
    QMenu,
    QWidget,
)

from core.errors import EpitomeError  # noqa: E402
from core.jobs.queue.job_queue import JobQueue  # noqa: E402
from core.jobs.queue.queued import LASTING  # noqa: E402
from core.jobs.sources.sources import SourceRef  # noqa: E402
from core.jobs.training.queued_training import specify_training  # noqa: E402
from core.library.folders import HOME_VARIABLE, Folders  # noqa: E402
from core.system.allocator import return_freed_memory  # noqa: E402
from gui.faults import guard_overrides  # noqa: E402

guard_overrides()  # as the program does before it loads what it shows
from gui.main_window import MainWindow  # noqa: E402
from gui.panel_table import panel_table  # noqa: E402
from tests.helpers.queued_jobs import end_all, processes_of  # noqa: E402
from tests.helpers.runs import tiny_corpus, tiny_plan  # noqa: E402
from tests.helpers.windows import (  # noqa: E402
    ARTICLE,
    PATENT,
    REPORT,
    desk,
    drop,
    end_window,
    files_data,
    show_window,
    text_data,
)
from tests.helpers.x_display import (  # noqa: E402
    click_pointer,
    middle_of,
    move_pointer,
    why_missing,
    x_display,
)

RESULTS = Path(__file__).parent / "results"
COLUMNS = ("seconds", "actions", "rss_mib", "files", "threads", "children")
ON_SCREEN = "EPITOME_SOAK_ON_SCREEN"
SAMPLE_S = 10.0
STUCK_S = 180.0
ANSWER_MS = 400
MOST_OPEN, MOST_RUNS = 6, 8
PARKED_FOR = 50
GROWTH, SLACK_MIB, MORE_FILES, MORE_THREADS = 1.25, 60, 40, 15
USUAL = "This plugin does not support"
"""What the screenless platform says of itself."""

KEYS = (
    Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_J, Qt.Key.Key_K, Qt.Key.Key_Tab, Qt.Key.Key_Backtab,
    Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_Escape, Qt.Key.Key_Delete, Qt.Key.Key_P,
    Qt.Key.Key_PageDown, Qt.Key.Key_PageUp, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_F6,
    Qt.Key.Key_F1, Qt.Key.Key_Plus, Qt.Key.Key_Minus, Qt.Key.Key_A, Qt.Key.Key_3, Qt.Key.Key_Left,
    Qt.Key.Key_Right, Qt.Key.Key_Menu, Qt.Key.Key_Backspace, Qt.Key.Key_Question,
)  # fmt: skip
WITH_CONTROL = (
    Qt.Key.Key_Z, Qt.Key.Key_Y, Qt.Key.Key_F, Qt.Key.Key_C, Qt.Key.Key_D, Qt.Key.Key_Plus,
    Qt.Key.Key_Minus, Qt.Key.Key_E, Qt.Key.Key_V, Qt.Key.Key_A, Qt.Key.Key_0, Qt.Key.Key_O,
)  # fmt: skip
NOT_PRESSED = (
    "install", "close epitome", "folder", "check for updates", "browse", "print", "forget",
)  # fmt: skip
"""What would end the play or reach out of the window: other programs, network, a person's disk."""


class Faults:
    """Hears what must not be said."""

    def __init__(self) -> None:
        self.found: list[str] = []
        qInstallMessageHandler(self._of_qt)
        sys.excepthook = lambda *what: self.add("".join(traceback.format_exception(*what)))
        threading.excepthook = lambda what: self.add(f"{what.exc_type}: {what.exc_value}")
        sys.unraisablehook = lambda what: self.add(f"{what.exc_type}: {what.exc_value}")

    def _of_qt(self, kind: object, context: object, text: str) -> None:
        if not text.startswith(USUAL):
            self.add(f"Qt says: {text}")

    def add(self, what: str) -> None:
        self.found.append(what)


class Soak:
    """Somebody with a quick hand and no plan.

    Args:
        window: The window.
        folder: Where there is room for files.
        seed: What is done follows from it.
    """

    def __init__(self, window: MainWindow, folder: Path, seed: int) -> None:
        self.window, self.folder, self.chance = window, folder, random.Random(seed)
        self.queue, self.folders = JobQueue.of_this_user(), Folders.of_this_user()
        self.plan = tiny_plan(tiny_corpus(self.folders.corpora / "tiny"), steps=400, batch=20)
        self.documents = [ARTICLE, PATENT, REPORT, *self._written()]
        self.panels = [entry.name for entry in panel_table()]
        self.done: Counter[str] = Counter()
        self.last = ""
        self._runs = 0
        self._answers = QTimer(window, interval=ANSWER_MS)
        self._answers.timeout.connect(self._answer)
        self._answers.start()
        # Nobody is there to answer whether runs go on without the window.
        window.panel("train").ask_leaving = lambda *about: "leave"  # type: ignore[attr-defined]
        self.actions: dict[Callable[[], object], int] = {
            self.open: 12, self.drop_odd: 3, self.paste: 3, self.type: 30, self.press: 20,
            self.export: 4, self.close_document: 5, self.switch: 12, self.resize: 3,
            self.cancel: 4, self.train: 2, self.wish: 4, self.batch: 2, self.kill: 3,
            self.dismiss: 8, self.history: 2,
        }  # fmt: skip

    def _written(self) -> list[Path]:
        """Documents with odd names, and some that cannot be read."""
        text = ARTICLE.read_text("utf-8")
        names = ("two\nlines.md", "report\u202efdp.txt", f"{'long ' * 48}.md", "=cmd.txt", "-x.md")
        made = []
        for name in names:
            made.append(self.folder / name)
            made[-1].write_text(text, "utf-8")
        bad = {"broken.docx": b"PK\x03\x04" + bytes(500), "empty.txt": b"", "cut.pdf": b"%PDF-1.4"}
        for name, data in bad.items():
            made.append(self.folder / name)
            made[-1].write_bytes(data)
        return [*made, self.folder / "missing.txt", self.folder]

    def act(self) -> None:
        """Does one thing, and lets the window work for a moment."""
        action = self.chance.choices(list(self.actions), list(self.actions.values()))[0]
        self.last = action.__name__
        action()
        self.done[self.last] += 1
        QTest.qWait(self.chance.choice((0, 1, 5, 20, 60, 150)))

    # Documents

    def open(self) -> None:
        self.window.show_panel("summarise")
        desk(self.window).open_source(SourceRef(path=self.chance.choice(self.documents)))

    def close_document(self) -> None:
        desk(self.window).close_document()
        while len(desk(self.window).documents.all) > MOST_OPEN:
            desk(self.window).close_document()

    def drop_odd(self) -> None:
        data = self.chance.choice((self._urls, self._texts, self._empty, self._files))()
        drop(self.window, data)

    def _urls(self) -> QMimeData:
        data = QMimeData()
        places = (
            "https://example.org/a.pdf",
            "ftp://x/y",
            "file://host/share/z.txt",
            "data:,x",
            "",
        )
        data.setUrls([QUrl(self.chance.choice(places)) for _ in range(self.chance.choice((1, 50)))])
        return data

    def _texts(self) -> QMimeData:
        text = self.chance.choice(("", "one", "\0\0", "word " * 400, "<b>" * 300, "\ud83d"))
        return text_data(text, self.chance.choice(("", "<p>" + "word " * 300, "<table>" * 50)))

    def _empty(self) -> QMimeData:
        return QMimeData()

    def _files(self) -> QMimeData:
        return files_data(*self.chance.choices(self.documents, k=self.chance.choice((1, 3))))

    def paste(self) -> None:
        QApplication.clipboard().setMimeData(self._texts())
        desk(self.window).paste()

    def export(self) -> None:
        suffix = self.chance.choice((".md", ".txt", ".html", ".docx", ".json"))
        if desk(self.window).state.summary is not None:
            desk(self.window).outlet.export_to(self.folder / "out" / f"summary{suffix}")

    def cancel(self) -> None:
        desk(self.window).cancel()

    def history(self) -> None:
        self.window.show_panel("history")
        history = self.window.panel("history").controller  # type: ignore[attr-defined]
        actions = (
            history.delete, history.trash.undo, history.toggle_star, history.reopen, history.look
        )  # fmt: skip
        for action in self.chance.sample(actions, 2):
            action()

    # The hand

    def type(self) -> None:
        target = QApplication.focusWidget() or self.window
        for _ in range(self.chance.randrange(1, 6)):
            if self.chance.random() < 0.2:
                control = Qt.KeyboardModifier.ControlModifier
                QTest.keyClick(target, self.chance.choice(WITH_CONTROL), control)
            else:
                QTest.keyClick(target, self.chance.choice(KEYS))
            target = QApplication.focusWidget() or self.window

    def press(self) -> None:
        """Presses a button that is seen."""
        if self.window.shown is self.window.panel("settings"):
            return
        if shown := self._buttons():
            self.chance.choice(shown).click()

    def _buttons(self) -> list[QAbstractButton]:
        return [
            each
            for each in self.window.findChildren(QAbstractButton)
            if each.isVisible() and each.isEnabled() and not _reaches_out(each.text(), each)
        ]

    def switch(self) -> None:
        self.window.show_panel(self.chance.choice(self.panels))

    def resize(self) -> None:
        self.window.resize(self.chance.randrange(700, 2000), self.chance.randrange(500, 1300))

    def dismiss(self) -> None:
        for dialog in self.window.findChildren(QDialog):
            if dialog.isVisible():
                dialog.reject()
        popup = QApplication.activePopupWidget()
        if popup is not None:
            popup.close()

    def _answer(self) -> None:
        """Answers a question that the window waits for."""
        asked = QApplication.activeModalWidget()
        if isinstance(asked, QDialog):
            self.chance.choice((asked.accept, asked.reject))()

    # Work of others

    def train(self) -> None:
        """Queues a run; of the old ones, some are thrown away."""
        if sum(job.state in LASTING for job in self.queue.jobs()) > 2:
            return
        self._runs += 1
        folder = self.folders.runs / f"run-{self._runs % MOST_RUNS}"
        if folder.exists():
            return
        with suppress(EpitomeError):
            self.window.controller.queue_job(specify_training(self.plan, folder))

    def wish(self) -> None:
        """Pauses, resumes, stops, cancels or forgets a job."""
        jobs = self.queue.jobs()
        if not jobs:
            return
        job = self.chance.choice(jobs)
        deed = self.chance.choice(("pause", "stop", "cancel", "resume", "forget"))
        with suppress(EpitomeError):  # what a job cannot be asked for, it refuses
            if deed in ("pause", "stop", "cancel"):
                self.queue.ask(job.id, deed)
            elif deed == "resume":
                self.queue.resume(job.id)
            else:
                self.queue.discard(job.folder)

    def batch(self) -> None:
        """Adds documents to a batch and begins it."""
        if sum(job.state in LASTING for job in self.queue.jobs()) > 2:
            return
        self.window.show_panel("batch")
        panel = self.window.panel("batch")
        panel.intake.add(self.chance.sample(self.documents[:-2], 3))
        QTest.qWait(200)
        panel.starter.start()

    def kill(self) -> None:
        """Ends a process that works for the window, as the system does when memory runs out."""
        found = {process.pid for process in processes_of(self.folders.data.parent)}
        found |= {child.pid for child in psutil.Process().children(recursive=True)}
        if found:
            with suppress(psutil.Error):
                psutil.Process(self.chance.choice(sorted(found))).kill()


class PointerSoak(Soak):
    """The same with a real pointer, which moves or is parked."""

    def __init__(self, window: MainWindow, folder: Path, seed: int, *, is_parked: bool) -> None:
        super().__init__(window, folder, seed)
        self._is_parked, self._parked_at = is_parked, QPoint()
        self.actions |= {self.click: 60, self.fail: 15, self.escape: 10}
        if not is_parked:
            self.actions[self.move] = 20

    def act(self) -> None:
        if self._is_parked and sum(self.done.values()) % PARKED_FOR == 0:
            self._parked_at = self._place()
            move_pointer(self._parked_at)
        super().act()

    def click(self) -> None:
        """Presses what lies under the pointer."""
        at = self._parked_at if self._is_parked else self._place()
        target = QApplication.widgetAt(at)
        if target is None or not _reaches_out(_words_at(target, at), target):
            click_pointer(at)

    def fail(self) -> None:
        """Opens what cannot be read, and presses one of the ways out, which may lead here again."""
        self.window.show_panel("summarise")
        desk(self.window).open_source(SourceRef(path=self.chance.choice(self.documents[-5:])))
        QTest.qWait(100)
        ways = [each for each in desk(self.window).failure.findChildren(QAbstractButton)
                if each.isVisible() and not _reaches_out(each.text(), each)]  # fmt: skip
        if ways:
            self._parked_at = middle_of(self.chance.choice(ways))
            click_pointer(self._parked_at)

    def move(self) -> None:
        move_pointer(self._place())

    def escape(self) -> None:
        QTest.keyClick(QApplication.focusWidget() or self.window, Qt.Key.Key_Escape)

    def _place(self) -> QPoint:
        """A button more often than any place of what is in front."""
        front = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        shown = self._buttons()
        if front is None and shown and self.chance.random() < 0.6:
            return middle_of(self.chance.choice(shown))
        front = front or self.window
        place = QPoint(self.chance.randrange(front.width()), self.chance.randrange(front.height()))
        return front.mapToGlobal(place)


def _words_at(target: QWidget, at: QPoint) -> str:
    """The words of a menu's item or a button."""
    if isinstance(target, QMenu):
        action = target.actionAt(target.mapFromGlobal(at))
        return action.text() if action is not None else ""
    return target.text() if isinstance(target, QAbstractButton) else ""


def _reaches_out(words: str, target: QWidget) -> bool:
    told = f"{words} {target.accessibleName()} {target.toolTip()}".lower()
    return any(word in told for word in NOT_PRESSED)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=40.0)
    parser.add_argument("--actions", type=int, help="instead of a time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pointer", choices=("moving", "parked"), help="on a screen of its own")
    parser.add_argument("--results", type=Path, help="the file of its rows")
    arguments = parser.parse_args()
    name = f"soak-{arguments.pointer}.csv" if arguments.pointer else "soak.csv"
    results = arguments.results or RESULTS / name
    if arguments.pointer and ON_SCREEN not in os.environ:
        return on_screen()
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        place = Path(folder)
        (place / "out").mkdir()
        os.environ[HOME_VARIABLE] = str(place / "home")
        os.environ["PYTHONPATH"] = str(ROOT)
        return soak(place, arguments, results)


def on_screen() -> int:
    """Does the same on a screen of its own, and says so if the process is ended there."""
    if lack := why_missing():
        print(f"There is {lack}.")
        return 2
    with x_display() as environment:
        rc = subprocess.call([sys.executable, *sys.argv], env={**environment, ON_SCREEN: "1"})
    if rc < 0:
        print(f"FAULT: the window was ended by signal {-rc}")
    return abs(rc)


def soak(folder: Path, arguments: argparse.Namespace, results: Path) -> int:
    """Uses a window; gives the exit code."""
    faulthandler.enable()
    return_freed_memory()  # as the program does when it starts
    app = QApplication(["epitome"])
    faults = Faults()
    _keep_inside()
    window = show_window(folder / "home")
    pointer, seed = arguments.pointer, arguments.seed
    person = (
        PointerSoak(window, folder, seed, is_parked=pointer == "parked")
        if pointer
        else Soak(window, folder, seed)
    )
    rows: list[dict[str, float]] = []
    begun_s = time.monotonic()
    next_s, until_s = begun_s, begun_s + 60 * arguments.minutes

    def goes_on() -> bool:
        if arguments.actions:
            return sum(person.done.values()) < arguments.actions
        return time.monotonic() < until_s

    try:
        while goes_on() and not faults.found:
            faulthandler.dump_traceback_later(STUCK_S, exit=True)
            try:
                person.act()
            except Exception:
                faults.add(traceback.format_exc())
            if time.monotonic() >= next_s:
                next_s = time.monotonic() + SAMPLE_S
                rows.append(_sample(time.monotonic() - begun_s, sum(person.done.values())))
                _write(rows, results)
    finally:
        faulthandler.dump_traceback_later(STUCK_S, exit=True)
        person.dismiss()
        end_window(window)
        end_all(folder / "home")
        # What Python put on the clipboard, Qt's off-screen platform deletes when Python has ended,
        # and the process crashes; the clipboards of desktops are gone before.
        app.clipboard().clear()
        app.processEvents()
        faulthandler.cancel_dump_traceback_later()
    return _told(rows, faults.found, person)


def _keep_inside() -> None:
    """Nobody answers a file dialog, and no other program is started."""
    for name in ("getOpenFileName", "getOpenFileNames", "getSaveFileName"):
        setattr(QFileDialog, name, staticmethod(lambda *_, **__: ("", "")))
    QFileDialog.getExistingDirectory = staticmethod(lambda *_, **__: "")  # type: ignore[method-assign]
    QDesktopServices.openUrl = staticmethod(lambda *_: True)  # type: ignore[method-assign]


def _sample(seconds: float, actions: int) -> dict[str, float]:
    gc.collect()
    process = psutil.Process()
    return {
        "seconds": round(seconds, 1),
        "actions": actions,
        "rss_mib": round(process.memory_info().rss / 2**20, 1),
        "files": process.num_fds() if hasattr(process, "num_fds") else process.num_handles(),
        "threads": process.num_threads(),
        "children": len(process.children(recursive=True)),
    }


def growth(rows: list[dict[str, float]]) -> list[str]:
    """What grew without end: the last quarter against the second one, a sentence each."""
    quarter = len(rows) // 4
    if quarter < 2:
        return []
    early, late = rows[quarter : 2 * quarter], rows[-quarter:]
    found = []
    limits: dict[str, Callable[[float], float]] = {
        "rss_mib": lambda before: GROWTH * before + SLACK_MIB,
        "files": lambda before: before + MORE_FILES,
        "threads": lambda before: before + MORE_THREADS,
    }
    for name, limit in limits.items():
        before, after = (statistics.median(row[name] for row in some) for some in (early, late))
        if after > limit(before):
            found.append(f"{name} grew from {before:g} to {after:g}.")
    return found


def _write(rows: list[dict[str, float]], results: Path) -> None:
    with results.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)


def _told(rows: list[dict[str, float]], faults: list[str], person: Soak) -> int:
    print(", ".join(f"{name} {count}" for name, count in sorted(person.done.items())))
    if rows:
        print(f"{rows[-1]['seconds']:.0f} s, {rows[-1]['actions']} actions, "
              f"{rows[0]['rss_mib']} to {rows[-1]['rss_mib']} MiB, "
              f"{rows[0]['files']} to {rows[-1]['files']} files")  # fmt: skip
    found = [*faults, *growth(rows)]
    for fault in found:
        print(f"FAULT during {person.last}: {fault}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
