"""The Summarise panel: its head, the page of an empty panel, and the desk once it is needed."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from core.library.preferences import PanelState, Preferences
from core.summaries.length import Length
from gui.panel import Panel, Services, parted
from gui.panels.summarise.columns import Width
from gui.panels.summarise.header import Header
from gui.panels.summarise.source.empty_page import EmptyPage, Sample
from gui.widgets.display.plane import Divider

if TYPE_CHECKING:
    from gui.panels.summarise.controller import SummariseController

_PER_MILLE = 1000


class SummarisePanel(Panel):
    """Paste, drop or open a document; read its summary beside it.

    The desk, on which documents lie, is made after the window's first paint, since it takes as
    long to load as all the rest.

    Args:
        services: What the window does for it.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services.theme, "surface")
        self._services = services
        self._preferences = services.preferences
        self._state: PanelState = {}
        self._desk: SummariseController | None = None
        self.header = Header(services.theme)
        self.empty = EmptyPage(services.theme)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(Divider(services.theme))
        column.addWidget(self._pages, 1)
        self.header.show_empty()
        self._connect_empty_page()

    def _connect_empty_page(self) -> None:
        empty = self.empty
        empty.open_requested.connect(lambda: self.desk.ask_for_file())
        empty.paste_requested.connect(lambda: self.desk.paste())
        empty.files_dropped.connect(lambda paths: self.desk.open_files(paths))
        empty.text_dropped.connect(lambda text: self.desk.open_text(text))
        empty.sample_chosen.connect(self._open_sample)

    def _open_sample(self, sample: Sample) -> None:
        self.desk.open_files([sample.path])

    @property
    def desk(self) -> "SummariseController":
        """Where documents lie; made when it is first asked for."""
        if self._desk is None:
            from gui.panels.summarise.controller import SummariseController

            desk = SummariseController(
                self._services, self.header, Length.parse(self._preferences.length)
            )
            self._pages.addWidget(desk)
            desk.filled.connect(
                lambda filled: self._pages.setCurrentWidget(desk if filled else self.empty)
            )
            desk.filled.connect(self.titled)
            desk.source.view.set_measure(self._preferences.line_width)
            share = self._state.get("source_share")
            if isinstance(share, int):
                desk.columns.set_share(share / _PER_MILLE)
            desk.outlet.quotations = self._state.get("export_quotations") != 0
            self._desk = desk
        return self._desk

    # What the window asks

    @property
    def title(self) -> str:
        """The title of the shown document, or the name of its file while it is not read."""
        if self._desk is None:
            return ""
        from gui.panels.summarise.documents.document_words import title_of

        return title_of(self._desk.documents.shown)

    def begin(self, paths: list[Path]) -> None:
        """Opens files, or takes up what a crash left behind."""
        from gui.panels.summarise.saving.recovery import begin_session, notify_of_crash, recover

        services, window = self._services, self.window()
        if not self._preferences.private:
            session = None if paths else recover(services, window, self.desk.take_up)
            self.desk.saver.session = session or begin_session(services)
        notify_of_crash(services, window)
        self.desk.wishes.list_models()
        self.desk.open_files(paths)

    def end(self) -> None:
        """Ends the session: nothing of it is needed any more."""
        if self._desk is not None:
            self._desk.recorder.end()
            self._desk.saver.end()
            self._desk.outlet.end()

    def forget(self) -> None:
        """Closes all documents, and begins a session without them."""
        if self._desk is not None:
            self._desk.forget()

    def commands(self) -> Mapping[str, Callable[[], object]]:
        """Opening, finding, exporting, copying, undoing."""
        return self.desk.commands()

    def choose(self, chosen: Mapping[str, str]) -> None:
        """Opens a file or a text as it was summarised elsewhere, or files; or chooses a model."""
        if chosen.keys() & {"file", "text"}:
            self._open_chosen(chosen)
        elif files := chosen.get("files"):
            self.desk.open_files(parted(files))
        elif model := chosen.get("model"):
            self.desk.choose_model(model)

    def _open_chosen(self, chosen: Mapping[str, str]) -> None:
        from core.documents.languages import AUTO
        from core.jobs.sources.sources import SourceRef
        from gui.panels.summarise.summary.choices import BUILT_IN, Choices

        source = SourceRef(
            path=Path(chosen["file"]) if "file" in chosen else None,
            text=chosen.get("text", ""),
        )
        model = chosen.get("model") or BUILT_IN
        length = Length.parse(chosen.get("length") or self._preferences.length)
        language = chosen.get("language") or AUTO
        pinned, dropped, replaced = (
            frozenset(map(int, chosen.get(name, "").split()))
            for name in ("pinned", "dropped", "replaced")
        )
        choices = Choices(length, pinned, dropped | replaced, replaced, model, language)
        self.desk.open_source(source, choices)

    def escape(self) -> bool:
        """Closes the find bar, stops what is read or written, or clears the marks."""
        return self._desk is not None and self._desk.escape()

    def regions(self) -> list[QWidget]:
        """The head, and what stands below it."""
        below = self._desk.regions() if self._desk is not None else []
        return [self.header, self.empty, *below]

    def can_take(self, data: QMimeData) -> bool:
        """Takes files and text."""
        return data.hasUrls() or data.hasText()

    def take(self, data: QMimeData) -> None:
        """Opens what was dropped."""
        self.desk.take(data, self.tr("Nothing readable was dropped"))

    def apply_preferences(self, preferences: Preferences) -> None:
        """Takes the width of a line, and the length of a new summary."""
        before, self._preferences = self._preferences, preferences
        if self._desk is not None:
            self._desk.source.view.set_measure(preferences.line_width)
            if preferences.private != before.private:
                self._desk.saver.follow_privacy(preferences.private)
            if preferences.length != before.length:
                self._desk.set_default_length(Length.parse(preferences.length))

    def saved_state(self) -> PanelState:
        """The source's share of the width, in per mille; whether exports hold the evidence."""
        if self._desk is None:
            return self._state
        return {
            "source_share": round(self._desk.columns.share * _PER_MILLE),
            "export_quotations": int(self._desk.outlet.quotations),
        }

    def restore_state(self, state: PanelState) -> None:
        """Keeps the source's share of the width for the desk."""
        self._state = state

    # What Qt says

    def event(self, event: QEvent) -> bool:
        """Looks for new models when the person comes back to the window."""
        if event.type() == QEvent.Type.WindowActivate and self._desk is not None:
            self._desk.wishes.list_models()
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._desk is not None:
            self._desk.wishes.list_models()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._desk is not None:
            self._desk.fold()
        else:
            wide = Width.of_window(self.window().width()) is Width.WIDE
            self.header.fold(wide, False, not wide)
