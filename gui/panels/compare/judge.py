"""Runs a blind session: the next pair is read, each answer is kept at once."""

import itertools
import os
import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from core.errors import EpitomeError
from core.evaluation.judging import FoundSession, list_sessions
from core.events import Failed
from core.jobs.call import CallJob
from core.jobs.evaluation.browse_comparison import ComparedDocument, CompareDocumentJob
from core.runs.judgements import (
    FOLDER,
    Answer,
    Judgements,
    begin_judging,
    keep_answer,
    keep_undo,
    new_session,
    read_judgements,
    take_session,
)
from core.storage.atomic_files import write_whole
from gui.panel import Services
from gui.panels.compare.judging_tab import Wish
from gui.panels.compare.state import CompareState
from gui.panels.compare.words import tr
from gui.workers.latest_run import LatestRun

_SIGNS = re.compile(r"[^\w-]+")
_ABOUT = "compare.judge"


class Judge(QObject):
    """The sessions of the open comparison, and the one that is going on.

    Args:
        services: Runs the jobs, keeps the answers.
        state: The open comparison, and which of its documents are listed.
        parent: The panel.
    """

    listed = Signal()
    """Other sessions are there."""
    begun = Signal()
    waiting = Signal()
    """The next pair is being read."""
    pair_ready = Signal(object)
    asked = Signal()
    """The next question is asked of the same pair."""
    over = Signal()

    def __init__(self, services: Services, state: CompareState, parent: QWidget) -> None:
        super().__init__(parent)
        self._services, self._state, self._window = services, state, parent
        self.sessions: tuple[FoundSession, ...] = ()
        self.judgements: Judgements | None = None
        self._path: Path | None = None
        self._release: Callable[[], None] = lambda: None
        self._shown = -1
        self._reading = LatestRun()
        self._writes = itertools.count()

    # The sessions there are

    def look(self) -> None:
        """Looks which sessions there are."""
        if self._state.opened is not None:
            job = CallJob(list_sessions, self._state.opened.folder)
            self._services.controller.run_in_thread(job).finished.connect(self._take)

    def _take(self, sessions: tuple[FoundSession, ...]) -> None:
        self.sessions = tuple(map(self._checked, sessions))
        self.listed.emit()

    def _checked(self, found: FoundSession) -> FoundSession:
        """A session as it is; of a comparison that was made anew with others, it is not shown."""
        opened, judgements = self._state.opened, found.judgements
        if opened is None or judgements is None:
            return found
        if judgements.session.is_of(self._titles, opened.names.ids):
            return found
        fault = tr("Judges other systems or documents than those that are compared now.")
        return FoundSession(found.path, None, fault)

    @property
    def last(self) -> Judgements | None:
        """The session that was changed last."""
        return next((each.judgements for each in self.sessions if each.judgements), None)

    @property
    def open_session(self) -> Path | None:
        """The last session that is not finished."""
        return next(
            (
                each.path
                for each in self.sessions
                if each.judgements and not each.judgements.is_over
            ),
            None,
        )

    def finished(self) -> Judgements | None:
        """The last session that is finished."""
        found = (each.judgements for each in self.sessions if each.judgements)
        return next((each for each in found if each.is_over), None)

    @property
    def colors(self) -> tuple[int, int]:
        """The numbers of the two systems of the last session."""
        titles = self._titles
        if self.last is None:
            return (0, 1)
        first, second = (titles.index(t) if t in titles else 0 for t in self.last.session.systems)
        return first, second

    @property
    def tab_words(self) -> str:
        """The words on the tab: "Blind judging, 12 of 40"."""
        if self.last is None:
            return tr("Blind judging")
        words = tr("Blind judging, {done} of {total}")
        total = len(self.last.session.documents)
        return words.format(done=self.last.documents_done, total=total)

    @property
    def _titles(self) -> list[str]:
        opened = self._state.opened
        return [system.title for system in opened.about.systems] if opened else []

    def ask_for_file(self) -> None:
        """Lets the person choose the file of another judge."""
        name, _ = QFileDialog.getOpenFileName(
            self._window, tr("A judge’s file"), str(Path.home()), "*.jsonl"
        )
        if name:
            self.add_file(Path(name))

    def add_file(self, path: Path) -> None:
        """Copies the file of another judge to the sessions of this comparison."""
        opened = self._state.opened
        if opened is None:
            return
        folder = opened.folder / FOLDER

        def copy() -> None:
            judgements = read_judgements(path)
            known = {system.title for system in opened.about.systems}
            if not known.issuperset(judgements.session.systems):
                names = " and ".join(judgements.session.systems)
                raise EpitomeError(
                    f"“{path.name}” judges {names}, which are not compared here.",
                    "Choose a file on the systems of this comparison.",
                )
            if not judgements.session.is_of(known, opened.names.ids):
                raise EpitomeError(
                    f"“{path.name}” judges other documents than those that are compared here.",
                    "Choose a file on the documents of this comparison, in the same order.",
                )
            write_whole(_free(folder / path.name), path.read_bytes())

        self._write(copy)

    # A session

    def begin(self, wish: Wish) -> None:
        """Begins a session over the listed documents."""
        opened = self._state.opened
        if opened is None:
            return
        titles = self._titles
        rows = sorted(self._state.rows.tolist()) or range(len(opened))
        documents = [(int(number), opened.names.ids[number]) for number in rows]
        systems = (titles[wish.systems[0]], titles[wish.systems[1]])
        session = new_session(wish.judge, systems, wish.questions, documents, wish.most, wish.seed)
        name = _SIGNS.sub("-", wish.judge).strip("-") or "judge"
        path = _free(opened.folder / FOLDER / f"{name}.jsonl")
        try:
            begin_judging(path, session)
        except EpitomeError as error:
            self._tell(Failed(error.message, error.remedy))
            return
        if self._take_session(path):
            self._start(path, Judgements(session))

    def go_on(self, path: Path) -> None:
        """Goes on with a session, as its file has it now; a finished one is left alone."""
        found = next((each for each in self.sessions if each.path == path), None)
        if found is None or found.judgements is None or found.judgements.is_over:
            return
        if not self._take_session(path):
            return
        opened, release = self._state.opened, self._release
        read: list[Judgements] = []

        def go_on() -> None:
            if self._release is not release:
                return  # left, or another session was begun
            if read and self._state.opened is opened and not read[0].is_over:
                self._start(path, read[0])
            else:
                self.leave()

        # After the answers that are still on their way, and those of another window.
        self._write(lambda: read.append(read_judgements(path)), go_on)

    def _take_session(self, path: Path) -> bool:
        """Takes a session for this window; says so where another one has it."""
        self._release()
        self._release = lambda: None
        try:
            lock = take_session(path)
        except EpitomeError as error:
            self._tell(Failed(error.message, error.remedy))
            return False
        if lock is None:
            told = tr("Another window judges in this session.")
            self._tell(Failed(told, tr("Go on there, or begin another session.")))
            return False
        self._release = lambda: lock.release(delete=True)
        return True

    def _start(self, path: Path, judgements: Judgements) -> None:
        self._path, self.judgements, self._shown = path, judgements, -1
        self.begun.emit()
        self._next()

    def leave(self) -> None:
        """Ends judging for now."""
        self._reading.stop()
        self._release()
        self._release = lambda: None
        self._path = self.judgements = None
        self.look()

    @property
    def sides(self) -> list[int]:
        """The number of the system that is A, and of the one that is B."""
        assert self.judgements is not None
        session = self.judgements.session
        first, second = (self._titles.index(title) for title in session.systems)
        swapped = session.swapped[self.judgements.place[0]]
        return [second, first] if swapped else [first, second]

    def answer(self, answer: Answer) -> None:
        """Takes an answer, keeps it, and asks the next question."""
        judgements, path = self.judgements, self._path
        if judgements is None or path is None or judgements.is_over or self._reading.is_running:
            return
        self.judgements = Judgements(judgements.session, (*judgements.answers, answer))
        self._write(lambda: keep_answer(path, answer))
        self._next()

    def undo(self) -> None:
        """Takes the last answer back."""
        judgements, path = self.judgements, self._path
        if judgements is None or path is None or not judgements.answers:
            return
        self.judgements = Judgements(judgements.session, judgements.answers[:-1])
        self._write(lambda: keep_undo(path))
        self._next()

    def _next(self) -> None:
        judgements, opened = self.judgements, self._state.opened
        if judgements is None or opened is None:
            return
        if judgements.is_over:
            self.over.emit()
            return
        number = judgements.session.documents[judgements.place[0]]
        if number == self._shown:
            self.asked.emit()
            return
        self.waiting.emit()
        run = self._services.controller.run_in_reader(CompareDocumentJob(opened.folder, number))
        self._reading.follow(run, self._take_pair, self._tell)

    def _take_pair(self, shown: ComparedDocument) -> None:
        self._shown = shown.number
        self.pair_ready.emit(shown)

    # What is kept

    def _write(
        self, write: Callable[[], object], after: Callable[[], object] | None = None
    ) -> None:
        """Writes in the order of the answers; none replaces another that waits."""
        name = f"{_ABOUT} {next(self._writes)}"
        keeper = self._services.keeper
        keeper.keep(name, write)

        def kept(what: str) -> None:
            if what == name:
                keeper.kept.disconnect(kept)
                if after is not None:
                    after()
                elif self.judgements is None:
                    self.look()

        keeper.kept.connect(kept)

    def _tell(self, failure: Failed) -> None:
        self._services.report_failure(failure, _ABOUT)


def _free(path: Path) -> Path:
    """A path that no file has yet."""
    number, free = 2, path
    while os.path.lexists(free):
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
        number += 1
    return free
