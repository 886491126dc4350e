"""Source, map and summary side by side: draws the shown document, and decides nothing."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QStackedWidget, QVBoxLayout, QWidget

from core.distribution.parts import part_of
from core.jobs.call import CallJob
from core.jobs.documents.describe_file import describe_file
from core.jobs.sources.sources import SourceRef
from core.numbers import format_quantity
from core.summaries.summary import Summary
from core.summaries.summary_lines import coverage_line
from gui.panel import Services
from gui.panels.summarise.columns import Columns, Width
from gui.panels.summarise.documents.document_words import name_of
from gui.panels.summarise.documents.open_documents import OpenDocuments, Position
from gui.panels.summarise.documents.opened_document import OpenedDocument
from gui.panels.summarise.header import Header
from gui.panels.summarise.saving.export_actions import shortened
from gui.panels.summarise.source.failure_page import FactsPage, FailurePage
from gui.panels.summarise.source.source_column import SourceColumn
from gui.panels.summarise.state import Phase, SummariseState
from gui.panels.summarise.summary.choices import BUILT_IN
from gui.panels.summarise.summary.summary_column import SummaryColumn
from gui.panels.summarise.summary.writing_row import progress_words, share_done
from gui.widgets.reading.evidence_map import EvidenceMap
from gui.widgets.reading.marks import evidence_marks
from gui.widgets.support.announce import announce


class DocumentView(QWidget):
    """The widgets below the header, and what each shows in each phase.

    Args:
        services: The theme, and what looks up the facts of a file that cannot be read.
        header: The panel's head, over this.
        documents: What is open, and what is shown of it.
    """

    def __init__(self, services: Services, header: Header, documents: OpenDocuments) -> None:
        super().__init__()
        self._services, self.header, self._documents = services, header, documents
        theme = services.theme
        self.source = SourceColumn(theme)
        self.map = EvidenceMap(theme)
        self.second = SummaryColumn(theme, is_second=True)
        self.summary = SummaryColumn(theme)
        self.facts = FactsPage(theme)
        self.failure = FailurePage(theme)
        self._left = _stack(self.source, self.facts)
        self._right = _stack(self.summary, self.failure)
        self.columns = Columns(theme, self._left, self.map, self._right, self.second)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.columns)
        self._side = "summary"
        self._phase = Phase.EMPTY
        self._state: SummariseState | None = None
        self._opened: OpenedDocument | None = None
        self._summary: Summary | None = None
        self._had_wish = self._is_new = False
        self._beside = self.summary
        self._second_wish = False

    @property
    def compares(self) -> bool:
        """Whether there are two summaries."""
        return self._documents.shown.second is not None

    @property
    def beside_source(self) -> SummaryColumn:
        """The column whose evidence is marked in the source: the one last asked to show it."""
        return self._beside if self.compares else self.summary

    @property
    def state(self) -> SummariseState:
        """The state of the shown document."""
        return self._documents.shown.state

    def regions(self) -> list[QWidget]:
        """What F6 goes through, left to right."""
        return [
            self.source.strip,
            self.source.view,
            self.facts,
            self.map,
            self.summary.head,
            self.summary.list,
            self.summary.reference,
            self.summary.foot,
            self.second.head,
            self.second.list,
            self.second.foot,
            self.failure,
        ]

    # The state is drawn

    def draw(self) -> bool:
        """Draws the shown document as it is now.

        Returns:
            Whether it has just failed, so that the focus belongs to its remedy.
        """
        state, is_other = self.state, self.state is not self._state
        if is_other:
            self._turn_to_other()
        before = self._phase
        self._phase = state.phase
        failed = state.phase is Phase.FAILED
        self._draw_document()
        is_read = not failed or state.is_too_short
        self._left.setCurrentWidget(self.source if is_read else self.facts)
        self._right.setCurrentWidget(self.failure if failed else self.summary)
        self.summary.head.show_models(state)
        if state.phase is Phase.EMPTY:
            self.header.show_empty(self._writer())
        elif state.phase is Phase.READY:
            self._draw_ready()
        elif not failed:
            self._draw_waiting()
        elif before is not Phase.FAILED:  # what is typed into its page stays
            self._draw_failure()
        self.draw_reference()
        self.fold()
        self._announce_summary(before)
        return failed and before is not Phase.FAILED

    def _turn_to_other(self) -> None:
        """Another document is drawn from now on: nothing of the last one is known of it."""
        self._state, self._phase, self._had_wish = self.state, Phase.EMPTY, False
        self._beside, self._second_wish = self.summary, False
        self._summary = self.state.summary
        self.light(None)
        self.source.find_bar.clear()

    def leave(self) -> None:
        """Finishes what is typed for the shown document, and notes what of it is on screen."""
        if self._opened is None:
            return
        self.summary.length.field.finish()
        if self.compares:
            self.second.length.field.finish()
        view, rows = self.source.view, self.summary.list
        is_at_top = view.verticalScrollBar().value() == 0
        offset = 0 if is_at_top else view.first_visible_offset
        self._documents.shown.position = Position(offset, rows.anchor, rows.current)

    def draw_progress(self) -> None:
        """Draws how far the work is, and nothing else."""
        if self.state.phase is Phase.READY:
            self._clear_for_text()
            self.summary.show_writing(self.state)
            self.draw_reference()
        elif self.state.phase in (Phase.READING, Phase.RANKING):
            self._draw_waiting()

    def draw_second_progress(self) -> None:
        """Draws how far the second summary is."""
        second = self._documents.shown.second
        if second is not None:
            self.second.show_writing(second)
            self.draw_reference()

    def draw_reference(self) -> None:
        """Draws what the summaries score against the document's reference."""
        document = self._documents.shown
        self.summary.show_reference(document.state.opened, document.state)
        self.second.show_reference(document.state.opened, document.second)

    def _clear_for_text(self) -> None:
        """Takes the evidence of the summary before away once there is text of a new one."""
        is_marked = self.beside_source is self.summary
        if is_marked and self.state.text and not self.summary.stream.isVisible():
            self.light(None)
            self.source.view.set_marks([])
            self.map.set_marks([])

    def _draw_document(self) -> None:
        opened = self.state.opened
        failed = self.state.phase is Phase.FAILED
        if opened is None or (failed and not self.state.is_too_short):
            self._opened = None
        elif opened is not self._opened:
            self._opened = opened
            # The map first: the view tells it what is on screen.
            self.map.set_document(opened.document)
            self.summary.length.field.forget_typing()
            self.source.view.set_document(opened.document)
            self._is_new = True
            offset = self._documents.shown.position.scroll_offset
            if offset:
                self.source.view.show_from(offset)

    def _writer(self) -> str:
        """Who will write the next summary, where that is not the built-in summariser."""
        if self.state.model == BUILT_IN:
            return ""
        return self.tr("summaries by {model}").format(model=self.state.title_of(self.state.model))

    def _draw_waiting(self) -> None:
        progress, source = self.state.progress, self.state.pending
        assert source is not None
        if self.state.opened is None:
            self.header.show_document(name_of(source), self.tr("being read"))
            self.source.show_waiting()
            self.map.set_document(None)
        else:
            self._draw_head()
        doing = progress_words(progress) if progress else self.tr("Opening")
        self.summary.show_waiting(doing, share_done(progress))

    def _draw_ready(self) -> None:
        opened = self.state.opened
        assert opened is not None and opened.summary is not None
        self._draw_head()
        self.source.show_outline(opened.ranked.outline if opened.ranked else ())
        self.summary.show_ready(self.state)
        if self._is_new:
            position, self._is_new = self._documents.shown.position, False
            self.summary.list.return_to(position.row, position.current)
            self._take_focus()
        self._draw_second()
        self._draw_marks()

    def _draw_second(self) -> None:
        second = self._documents.shown.second
        if second is None:
            self._beside, self._second_wish = self.summary, False
            return
        before = self.second.list.summary
        self.second.head.show_models(second)
        self.second.show_ready(second)
        had_wish, self._second_wish = self._second_wish, second.wish is not None
        if had_wish and not self._second_wish and second.summary not in (None, before):
            assert second.summary is not None
            announce(self.second.list, coverage_line(second.summary))

    def _draw_marks(self) -> None:
        """Marks the evidence of the summary that stands beside the source."""
        column = self.beside_source
        summary = column.list.summary
        marks = evidence_marks(summary) if summary is not None else []
        self.source.view.set_marks(marks)
        self.source.view.can_add = column is self.summary and self.state.can_edit
        self.map.set_marks(marks)

    def _take_focus(self) -> None:
        """Brings the focus to a new document, unless it is in use on this page."""
        focus, page = self.window().focusWidget(), self.parentWidget()
        in_page = focus is not None and page is not None and page.isAncestorOf(focus)
        if self.isVisible() and not in_page and QApplication.activePopupWidget() is None:
            shown = self.source.view if self.source.view.isVisible() else self.summary.list
            shown.setFocus(Qt.FocusReason.OtherFocusReason)

    def _draw_head(self) -> None:
        """The document's title, and its text."""
        opened = self.state.opened
        assert opened is not None
        name, title = opened.document.source.name, opened.document.title
        self.header.show_document(title, name if name != title else "")
        self.source.show_text()
        self.source.language.show_state(self.state)

    def _announce_summary(self, before: Phase) -> None:
        """Announces a summary that was waited for, once."""
        had_wish, self._had_wish = self._had_wish, self.state.wish is not None
        known, self._summary = self._summary, self.state.summary
        is_ready = self.state.phase is Phase.READY
        was_waited_for = before is Phase.RANKING or (had_wish and not self._had_wish)
        if is_ready and was_waited_for and self._summary not in (None, known):
            assert self._summary is not None
            announce(self.summary.list, coverage_line(self._summary))

    # A failure

    def _draw_failure(self) -> None:
        failure, source = self.state.failure, self.state.pending
        assert failure is not None and source is not None
        locked = failure.kind == "password"
        icon = "file-lock-2" if locked else "file-text"
        part = part_of("scans") if self._offers_scans else None
        if self.state.is_too_short:
            self._draw_head()
            self.source.view.set_marks([])
        else:
            self.header.show_document(name_of(source), "", icon)
            self.map.set_document(None)
        self._show_facts(source, [])
        if source.path is not None and not self.state.is_too_short:
            run = self._services.controller.run_in_engine(CallJob(describe_file, source.path))
            run.finished.connect(partial(self._show_facts, source))
        # Pasted text stays as it is: it is worth another try only when the reader was the cause.
        can_retry = not locked if source.path is not None else failure.kind == "ended"
        self.failure.show_failure(failure, self._told_before(), can_retry=can_retry, part=part)
        if part is not None:
            self.failure.show_part(self._services.parts.state("scans"))
        self._side = "summary"

    @property
    def _offers_scans(self) -> bool:
        """Whether a part that can be installed would read what could not be read."""
        return self.state.has_unread_scans and self._services.parts.can_offer("scans")

    def _told_before(self) -> str:
        """What "go back" leads to: a title and a length; empty when it leads nowhere."""
        before = self.state.before
        if before is None or before.summary is None:
            return ""
        count = format_quantity(len(before.summary.sentences), "sentence")
        return f"{shortened(before.document.title)}, {count}"

    def _show_facts(self, source: SourceRef, facts: list[tuple[str, str]]) -> None:
        failure = self.state.failure
        if failure is not None and self.state.pending is source:
            locked = failure.kind == "password"
            self.facts.show_facts(facts, locked=locked, mendable=self._offers_scans)

    # What there is room for

    @property
    def is_wide(self) -> bool:
        """Whether source and summary stand side by side."""
        return Width.of_window(self.window().width()) is Width.WIDE

    def show_side(self, side: str) -> None:
        """Shows "source" or "summary", where there is room for one."""
        self._side = side
        self.header.show_side(side)
        self.fold()

    def turn_to(self, side: str) -> None:
        """Shows a side unless it is there."""
        if not self.is_wide or (self.compares and side == "source"):
            self.show_side(side)

    def fold(self) -> None:
        """Shows what there is room for."""
        wide, compares = self.is_wide, self.compares
        width = Width.of_window(self.window().width())
        beside = self.second if self.beside_source is self.second else None
        self.columns.fold(width, self._side, beside, compares)
        self.header.fold(wide, self.state.phase is Phase.READY, not wide or compares)
        self.header.show_side(self._side)
        self.summary.fold(with_name=wide or compares, with_export=wide, with_compare=not compares)
        has_source = wide and not (compares and self._side == "summary")
        for column in (self.summary, self.second):
            column.list.set_quotations(not has_source)

    # Evidence is lit

    def connect_evidence(self, moved: Callable[[], object]) -> None:
        """Links source, map and summary.

        Args:
            moved: Called when other lines of the source are on screen.
        """
        view, map_ = self.source.view, self.map
        for part in (view, map_):
            part.hovered.connect(self.light)
        for column in (self.summary, self.second):
            self._connect_rows(column)
        view.activated.connect(self.show_sentence)
        map_.activated.connect(self.show_evidence)
        map_.scroll_requested.connect(view.show_from)
        view.visible_changed.connect(lambda first, last, page: map_.set_visible_span(first, last))
        view.visible_changed.connect(lambda first, last, page: moved())
        self.source.heading_chosen.connect(self._show_heading)
        self.summary.outline_requested.connect(self.source.open_outline)

    def _connect_rows(self, column: SummaryColumn) -> None:
        rows = column.list
        rows.hovered.connect(lambda number: self._light_from(column, number))
        rows.activated.connect(lambda number: self.show_evidence(number, column))
        rows.show_in_source.connect(lambda number: self.show_evidence(number, column))
        rows.rows_moved.connect(lambda heights: self._place_rows(column, heights))

    def _light_from(self, column: SummaryColumn, number: int | None) -> None:
        if column is self.beside_source:  # the other column lights its sentence itself
            self.light(number)

    def _place_rows(self, column: SummaryColumn, heights: dict[int, int]) -> None:
        if column is self.beside_source:
            self.map.set_rows(heights)

    def light(self, number: int | None) -> None:
        """Lights a sentence of a summary and its evidence, on both sides and in the map."""
        for part in (self.source.view, self.beside_source.list, self.map):
            part.set_lit(number)

    def clear_marks(self) -> bool:
        """Lights nothing, selects nothing and closes the quotation; whether anything was open."""
        if self.state.opened is None:
            return False
        self.source.view.clear_selection()
        for column in (self.summary, self.second):
            column.list.close_quotation()
            column.list.set_lit(None)
        self.light(None)
        return True

    def show_evidence(self, number: int, column: SummaryColumn | None = None) -> None:
        """Brings the evidence of a sentence on screen.

        Args:
            number: The sentence's.
            column: The summary that it stands in; None for the one beside the source.
        """
        column = column or self.beside_source
        summary = column.list.summary
        if summary is None or not 1 <= number <= len(summary.sentences):
            return
        self._put_beside_source(column)
        self.turn_to("source")
        self.light(number)
        evidence = summary.sentences[number - 1].evidence
        if evidence:
            self.source.view.scroll_to(evidence[0].start)

    def _put_beside_source(self, column: SummaryColumn) -> None:
        if column is not self._beside:
            self._beside = column
            self._draw_marks()
            self.map.set_rows(column.list.row_heights())
            self.fold()

    def _show_heading(self, offset: int) -> None:
        self.turn_to("source")
        self.source.view.scroll_to_heading(offset)

    def show_sentence(self, number: int) -> None:
        """Brings a sentence of the summary on screen."""
        self.turn_to("summary")
        self.light(number)
        self.beside_source.list.scroll_to(number)


def _stack(*parts: QWidget) -> QStackedWidget:
    stack = QStackedWidget()
    for part in parts:
        stack.addWidget(part)
    return stack
