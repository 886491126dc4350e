"""What stands in the panel once a document was opened: source, map and summary side by side."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QGuiApplication, QShortcut
from PySide6.QtWidgets import QFileDialog, QStackedWidget, QVBoxLayout, QWidget

from core.errors import EpitomeError
from core.jobs.describe import DescribeJob
from core.jobs.sources import SourceRef, openable_formats
from core.length import Length, LengthUnit
from core.library.recent import file_is_missing
from core.library.session import LeftBehind, Session
from core.numbers import format_quantity
from core.summary import Summary
from core.summary_lines import coverage_line
from gui.panel import Services
from gui.panels.summarise.actions import shortened
from gui.panels.summarise.columns import Columns, Width
from gui.panels.summarise.failure_page import FactsPage, FailurePage
from gui.panels.summarise.header import Header
from gui.panels.summarise.opener import Opener
from gui.panels.summarise.outlet import Outlet
from gui.panels.summarise.recent_menu import RecentMenu
from gui.panels.summarise.saver import Saver
from gui.panels.summarise.source_column import SourceColumn
from gui.panels.summarise.state import Choices, Opened, Phase, SummariseState
from gui.panels.summarise.summary_column import SummaryColumn
from gui.panels.summarise.waiting import progress_words, share_done
from gui.panels.summarise.wishes import WishRunner
from gui.shortcuts import shortcut
from gui.theme.theme import Theme
from gui.widgets.announce import announce
from gui.widgets.evidence_map import EvidenceMap
from gui.widgets.marks import evidence_marks
from gui.workers.inline import run_now
from gui.workers.presence import Presence


class Desk(QWidget):
    """Draws a `SummariseState`, and turns what a person does into changes of it.

    The helpers (`opener`, `wishes`, `saver`, `outlet`) act on the same state, and call `redraw`
    when they changed it.

    Args:
        services: What the window does for the panel.
        header: The panel's head, over this.
        length: As long a first summary is.
    """

    filled = Signal(bool)
    """Whether there is anything to see here now."""

    def __init__(self, services: Services, header: Header, length: Length) -> None:
        super().__init__()
        self._services, self._theme, self.header = services, services.theme, header
        self.state = SummariseState(run_now, length)
        self._side = "summary"
        self._phase = Phase.EMPTY
        self._opened: Opened | None = None
        self._summary: Summary | None = None
        self._had_wish = False
        self._scroll_back = 0
        self._presence = Presence(file_is_missing)
        self._make_parts(self._theme)
        self._make_helpers()
        self._connect_parts()
        self._connect_summary()
        self._connect_evidence()
        self._make_keys()
        self.redraw()

    def _make_parts(self, theme: Theme) -> None:
        self.source = SourceColumn(theme)
        self.map = EvidenceMap(theme)
        self.summary = SummaryColumn(theme)
        self.facts = FactsPage(theme)
        self.failure = FailurePage(theme)
        self._left = QStackedWidget()
        self._right = QStackedWidget()
        for stack, parts in (
            (self._left, (self.source, self.facts)),
            (self._right, (self.summary, self.failure)),
        ):
            for part in parts:
                stack.addWidget(part)
        self.columns = Columns(theme, self._left, self.map, self._right)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.columns)

    def _make_helpers(self) -> None:
        services, state = self._services, self.state
        self.outlet = Outlet(self._theme, services, state, self)
        self.saver = Saver(services, state, lambda: self.source.view.first_visible_offset, self)
        self.opener = Opener(services, state, self.saver, self.redraw, self.redraw_progress)
        self.wishes = WishRunner(services, state, self.redraw, self.redraw_progress)

    def _connect_parts(self) -> None:
        for opener in (self.header, self.failure):
            opener.open_asked.connect(self.ask_for_file)
            opener.paste_asked.connect(self.paste)
        self.header.recent_asked.connect(self._open_recents)
        self.header.export_asked.connect(self.outlet.open_menu)
        self.header.side_chosen.connect(self.show_side)
        self.failure.password_given.connect(self._unlock)
        self.failure.retry_asked.connect(self._retry)
        self.failure.go_back_asked.connect(self.go_back)

    def _connect_summary(self) -> None:
        column, rows = self.summary, self.summary.list
        column.length.length_wished.connect(self._wish_length)
        column.length.unit_chosen.connect(self._choose_unit)
        column.undo_asked.connect(self.undo)
        column.redo_asked.connect(self.redo)
        column.copy_asked.connect(self.outlet.copy_summary)
        column.export_asked.connect(self.outlet.open_menu)
        column.cancel_asked.connect(self.cancel)
        column.models.chosen.connect(self._choose_model)
        self.source.language.chosen.connect(self._choose_language)
        rows.pin_requested.connect(lambda row: self._decide(self.state.toggle_pin, row))
        rows.replace_requested.connect(lambda row: self._decide(self.state.replace, row))
        rows.drop_requested.connect(lambda row: self._decide(self.state.drop, row))
        rows.copy_requested.connect(self.outlet.copy_sentence)

    def _connect_evidence(self) -> None:
        view, rows, map_ = self.source.view, self.summary.list, self.map
        for part in (view, rows, map_):
            part.hovered.connect(self._light)
        rows.activated.connect(self._show_evidence)
        rows.show_in_source.connect(self._show_evidence)
        view.activated.connect(self._show_sentence)
        map_.activated.connect(self._show_evidence)
        map_.scroll_requested.connect(view.show_from)
        view.visible_changed.connect(lambda first, last, page: map_.set_visible_span(first, last))
        view.visible_changed.connect(lambda first, last, page: self.saver.touch())
        rows.rows_moved.connect(map_.set_rows)
        self.source.size_asked.connect(self._services.set_reading_size)

    def _make_keys(self) -> None:
        for text in (self.source.view, self.summary.list):
            for name, step in (("shorter", -1), ("longer", 1)):
                for keys in shortcut(name).sequences:
                    key = QShortcut(keys, text)
                    key.setContext(Qt.ShortcutContext.WidgetShortcut)
                    key.activated.connect(partial(self.step_length, step))

    # What the window's keys do

    def commands(self) -> Mapping[str, Callable[[], object]]:
        """As `gui.panel.Panel.commands`."""
        return {
            "open": self.ask_for_file,
            "paste": self.paste,
            "find": self.find_in_source,
            "find_next": self.source.view.find_next,
            "find_previous": self.source.view.find_previous,
            "export": self.export_from_keyboard,
            "copy_summary": self.outlet.copy_summary,
            "copy_command": self.outlet.copy_command,
            "undo": self.undo,
            "redo": self.redo,
        }

    def escape(self) -> bool:
        """Closes the find bar, stops what is read or written, or clears the marks."""
        if self.source.find_bar.isVisible():
            self.source.find_bar.close_bar()
            return True
        return self.cancel() or self.clear_marks()

    def regions(self) -> list[QWidget]:
        """What F6 goes through, left to right."""
        return [
            self.source.strip,
            self.source.view,
            self.facts,
            self.map,
            self.summary.head,
            self.summary.list,
            self.summary.foot,
            self.failure,
        ]

    # A document comes

    def open_source(self, source: SourceRef, choices: Choices | None = None) -> None:
        """Reads a source and shows it with its summary.

        Args:
            source: What to read.
            choices: Decisions to take up again, after a crash.
        """
        self._scroll_back = 0
        self.opener.open(source, choices)

    def open_text(self, text: str) -> None:
        """Reads a text that was pasted or dropped."""
        self.open_source(SourceRef(text=text))

    def open_files(self, paths: list[Path]) -> None:
        """Opens the first of some files; says so when there are more."""
        if not paths:
            return
        self.open_source(SourceRef(path=Path(paths[0])))
        if len(paths) > 1:
            self._services.tell(
                "warn",
                self.tr("Opened the first of {count} files").format(count=len(paths)),
                self.tr("The command “epitome summarise” takes several at once."),
            )

    def ask_for_file(self) -> None:
        """Lets the person choose a file."""
        suffixes = [f"*{suffix}" for _, several in openable_formats() for suffix in several]
        chosen, _ = QFileDialog.getOpenFileName(
            self,
            self.tr("Open a document"),
            "",
            self.tr("Documents ({suffixes});;All files (*)").format(suffixes=" ".join(suffixes)),
        )
        if chosen:
            self.open_source(SourceRef(path=Path(chosen)))

    def paste(self) -> None:
        """Opens what the clipboard holds: files, a web page's part, or text."""
        self.take(QGuiApplication.clipboard().mimeData(), self.tr("The clipboard contains no text"))

    def take(self, data: QMimeData | None, nothing: str) -> None:
        """Opens files or text, as they were dropped or copied.

        Args:
            data: The files or the text.
            nothing: What is said when there is neither.
        """
        files = (
            [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()] if data else []
        )
        # Fetched once: Qt makes each of them anew every time, and they may be long.
        text, html = (data.text(), data.html()) if data and not files else ("", "")
        if files:
            self.open_files(files)
        elif _has_words(text) or _has_words(html):
            self.open_source(SourceRef(text=text, html=html))
        else:
            self._services.tell("warn", nothing, self.tr("Copy some text, or open a file."))

    def _unlock(self, password: str) -> None:
        assert self.state.pending is not None
        path = self.state.pending.path
        self.open_source(SourceRef(path=path, password=password))

    def _retry(self) -> None:
        assert self.state.pending is not None
        self.open_source(self.state.pending)

    def take_up(self, left: LeftBehind, session: Session) -> None:
        """Opens what a crashed window had open, in the session it had."""
        self.saver.session = session
        state = left.state
        self.state.model = state.model
        choices = Choices(
            Length.parse(state.length),
            frozenset(state.pinned),
            frozenset(state.dropped),
            language=state.language,
        )
        path = Path(state.path) if state.path else None
        if left.has_document:
            self.open_source(SourceRef(path=path, kept=left.document_file), choices)
        elif path:
            self.open_source(SourceRef(path=path), choices)
        self._scroll_back = state.scroll_offset

    def cancel(self) -> bool:
        """Stops the reading, or the writing; what was shown before comes back, or stays.

        Returns:
            Whether something was being read or written.
        """
        return self.wishes.cancel() or self.opener.cancel()

    def go_back(self) -> None:
        """Shows what was open before."""
        self.state.go_back()
        self.redraw()

    # What is shown

    def redraw(self) -> None:
        """Draws the state as it is now; whoever changed it calls this."""
        state, before = self.state, self._phase
        self._phase = state.phase
        self._draw_document()
        failed = state.phase is Phase.FAILED
        self._left.setCurrentWidget(self.facts if failed else self.source)
        self._right.setCurrentWidget(self.failure if failed else self.summary)
        self.filled.emit(state.phase is not Phase.EMPTY)
        self.summary.head.show_models(state)
        if state.phase is Phase.EMPTY:
            self.header.show_empty()
        elif state.phase is Phase.READY:
            self._draw_ready()
        elif not failed:
            self._draw_waiting()
        elif before is not Phase.FAILED:  # what is typed into its page stays
            self._draw_failure()
        self.wishes.follow()
        self.fold()
        self._announce_summary(before)
        if failed and before is not Phase.FAILED:
            self.failure.focus_remedy()

    def redraw_progress(self) -> None:
        """Draws how far the work is, and nothing else."""
        if self.state.phase is Phase.READY:
            self.summary.show_writing(self.state)
        elif self.state.phase in (Phase.READING, Phase.RANKING):
            self._draw_waiting()

    def _draw_document(self) -> None:
        opened = self.state.opened
        if opened is None or self.state.phase is Phase.FAILED:
            self._opened = None
        elif opened is not self._opened:
            self._opened = opened
            # The map first: the view tells it what is on screen.
            self.map.set_document(opened.document)
            self.source.view.set_document(opened.document)
            if self._scroll_back:
                self.source.view.show_from(self._scroll_back)
            self._scroll_back = 0

    def _draw_waiting(self) -> None:
        progress, source = self.state.progress, self.state.pending
        assert source is not None
        name = source.path.name if source.path else self.tr("Pasted text")
        if self.state.opened is None:
            self.header.show_document(name, self.tr("being read"))
            self.source.show_waiting()
            self.map.set_document(None)
        else:
            self._show_head()
            self.source.show_text()
            self.source.language.show_state(self.state)
        doing = progress_words(progress) if progress else self.tr("Opening")
        self.summary.show_waiting(doing, share_done(progress))

    def _draw_ready(self) -> None:
        opened = self.state.opened
        assert opened is not None and opened.summary is not None
        self._show_head()
        self.source.show_text()
        self.source.language.show_state(self.state)
        self.summary.show_ready(self.state)
        marks = evidence_marks(opened.summary)
        self.source.view.set_marks(marks)
        self.map.set_marks(marks)
        self.saver.touch()

    def _announce_summary(self, before: Phase) -> None:
        """Announces a summary that was waited for, once."""
        had_wish, self._had_wish = self._had_wish, self.state.wish is not None
        known, self._summary = self._summary, self.state.summary
        is_ready = self.state.phase is Phase.READY
        was_waited_for = before is Phase.RANKING or (had_wish and not self._had_wish)
        if is_ready and was_waited_for and self._summary not in (None, known):
            assert self._summary is not None
            announce(self.summary.list, coverage_line(self._summary))

    def _draw_failure(self) -> None:
        failure, source = self.state.failure, self.state.pending
        assert failure is not None and source is not None
        name = source.path.name if source.path else self.tr("Pasted text")
        locked = failure.kind == "password"
        icon = "file-lock-2" if locked else "file-text"
        self.header.show_document(name, self.tr("not readable yet"), icon)
        self.facts.show_facts([], locked=locked)
        if source.path is not None:
            run = self._services.controller.run_in_engine(DescribeJob(source.path))
            run.finished.connect(partial(self._show_facts, source, locked))
        before = self.state.before
        told = ""
        if before is not None and before.summary is not None:
            count = format_quantity(len(before.summary.sentences), "sentence")
            told = f"{shortened(before.document.title)}, {count}"
        # Pasted text stays as it is: it is worth another try only when the reader was the cause.
        can_retry = not locked if source.path is not None else failure.kind == "ended"
        self.failure.show_failure(failure, told, can_retry=can_retry)
        self.map.set_document(None)
        self._side = "summary"

    def _show_facts(self, source: SourceRef, locked: bool, facts: list[tuple[str, str]]) -> None:
        if self.state.phase is Phase.FAILED and self.state.pending is source:
            self.facts.show_facts(facts, locked=locked)

    def _show_head(self) -> None:
        opened = self.state.opened
        assert opened is not None
        name = opened.document.source.name
        title = opened.document.title
        self.header.show_document(title, name if name != title else "")

    def show_side(self, side: str) -> None:
        """Shows source or summary, where there is room for one."""
        self._side = side
        self.header.show_side(side)
        self.fold()

    def fold(self) -> None:
        """Shows what there is room for."""
        width = Width.of_window(self.window().width())
        wide = width is Width.WIDE
        self.columns.fold(width, self._side)
        self.header.fold(wide, self.state.phase is Phase.READY, not wide)
        self.summary.fold(with_name=wide, with_export=wide)
        self.summary.list.set_quotations(not wide)

    # The summary is worked on

    def _wish_length(self, length: Length, more: bool) -> None:
        self.state.set_length(length, merge=more)
        if not self.summary.length.is_dragged:
            self.state.settle()
        self.redraw()

    def _choose_model(self, model: str) -> None:
        self.state.choose_model(model)
        self.redraw()

    def _choose_language(self, language: str) -> None:
        self.state.choose_language(language)
        self.redraw()

    def _choose_unit(self, unit: LengthUnit) -> None:
        self.state.set_unit(unit)
        self.redraw()

    def _decide(self, decide: Callable[[int], None], row: int) -> None:
        try:
            decide(row)
        except EpitomeError as error:
            self._services.tell("warn", error.message, error.remedy)
        self.redraw()

    def undo(self) -> None:
        """Takes the last decision back."""
        self.state.undo()
        self.redraw()

    def redo(self) -> None:
        """Takes the last undo back."""
        self.state.redo()
        self.redraw()

    def set_default_length(self, length: Length) -> None:
        """Says how long a new summary is."""
        if self.state.opened is None:
            self.state.length = length

    def step_length(self, by: int) -> None:
        """Makes the summary longer (1) or shorter (-1)."""
        if self.state.phase is Phase.READY:
            self.summary.length.step(by)

    def find_in_source(self) -> None:
        """Opens the find bar, where there is a source."""
        if self.state.opened is not None and self.state.phase is not Phase.FAILED:
            if Width.of_window(self.window().width()) is not Width.WIDE:
                self.show_side("source")
            self.source.find_bar.open_bar()

    # Evidence is lit

    def clear_marks(self) -> bool:
        """Lights nothing, selects nothing and closes the quotation; whether anything was open."""
        if self.state.opened is None:
            return False
        self.source.view.clear_selection()
        self.summary.list.close_quotation()
        self._light(None)
        return True

    def _light(self, number: int | None) -> None:
        for part in (self.source.view, self.summary.list, self.map):
            part.set_lit(number)

    def _show_evidence(self, number: int) -> None:
        summary = self.state.summary
        if summary is None or not 1 <= number <= len(summary.sentences):
            return
        if Width.of_window(self.window().width()) is not Width.WIDE:
            self.show_side("source")
        self._light(number)
        evidence = summary.sentences[number - 1].evidence
        if evidence:
            self.source.view.scroll_to(evidence[0].start)

    def _show_sentence(self, number: int) -> None:
        if Width.of_window(self.window().width()) is not Width.WIDE:
            self.show_side("summary")
        self._light(number)
        self.summary.list.scroll_to(number)

    def export_from_keyboard(self) -> None:
        """Opens the export menu under the button that is shown."""
        button = self.summary.export if self.summary.export.isVisible() else self.header.export
        self.outlet.open_menu(button)

    def _open_recents(self, button: QWidget) -> None:
        recents = self._services.recents.read()
        if self._services.recents.note:
            self._services.tell("warn", self._services.recents.note)
        menu = RecentMenu(
            self._theme,
            button,
            recents,
            self._presence,
            lambda path: self.open_source(SourceRef(path=Path(path))),
        )
        menu.open_below(button, flush_right=True)


def _has_words(text: str) -> bool:
    return bool(text) and not text.isspace()
