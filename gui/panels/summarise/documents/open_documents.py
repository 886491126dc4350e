"""The open documents and which of them is shown, without Qt.

There is always at least one; while nothing is open its phase is `Phase.EMPTY`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.jobs.sources.sources import SourceRef
from core.library.decisions import Decisions
from core.library.session_state import SessionState
from core.summaries.length import Length
from gui.panels.summarise.documents.opened_document import OpenedDocument
from gui.panels.summarise.state import Phase, SummariseState
from gui.panels.summarise.summary.choices import Choices

MOST_DOCUMENTS = 50
"""How many can be open: enough for a handful; folders of hundreds are for the command line."""


@dataclass
class Position:
    """What of a document was on screen when another one was shown.

    Attributes:
        scroll_offset: The first code point of the source; 0 for its very beginning.
        row: The first sentence of the summary, and its top in px; None for the beginning.
        current: The sentence of the summary that the keyboard was on; -1 for none.
    """

    scroll_offset: int = 0
    row: tuple[int, int] | None = None
    current: int = -1


@dataclass(eq=False)
class OpenDocument:
    """One open document.

    Attributes:
        state: What is shown and allowed of it.
        copy: Number of its kept copy (`core.library.session.Session.copy_file`).
        left: What a crashed window showed of it, until it is read.
        kept: The decisions about it that are on disk.
        position: Where it was left.
        read_by: The run that it was read by.
    """

    state: SummariseState
    copy: int
    left: SessionState | None = None
    kept: Decisions = field(default_factory=lambda: Decisions(""))
    position: Position = field(default_factory=Position)
    read_by: object = None
    _compared: tuple[OpenedDocument, SummariseState] | None = None

    @property
    def second(self) -> SummariseState | None:
        """The second summary of it, with decisions of its own; None while there is one alone."""
        opened, second = self._compared or (None, None)
        is_same = self.state.phase is Phase.READY and opened is self.state.opened
        return second if second is not None and is_same else None

    def compare(self, model: str) -> None:
        """Makes a second summary.

        Args:
            model: What writes it; by the model of the first it is of another length.
        """
        assert self.state.opened is not None
        self._compared = (self.state.opened, self.state.make_second(model))

    def end_comparison(self) -> None:
        """Lets go of the second summary."""
        self._compared = None

    @property
    def to_keep(self) -> OpenedDocument | None:
        """What a next start shall show; after a failure what was open before it."""
        failed = self.state.phase is Phase.FAILED
        return self.state.before if failed else self.state.opened

    @property
    def path(self) -> Path | None:
        """Its file, absolute; None for pasted text, and when nothing is open."""
        source = self.state.source
        return source.path.absolute() if source and source.path else None


class OpenDocuments:
    """The open documents, in the order in which they came.

    Args:
        make_state: Makes the state of another document, from the length of a first summary.
        length: The length of a first summary.
    """

    def __init__(self, make_state: Callable[[Length], SummariseState], length: Length) -> None:
        self._make_state, self._length = make_state, length
        self._models: dict[str, str] = {}
        self._copies = 0
        self.all: list[OpenDocument] = [self._make()]
        self.place = 0

    def _make(self) -> OpenDocument:
        self._copies += 1
        state = self._make_state(self._length)
        state.models = self._models
        return OpenDocument(state, self._copies)

    # Which there are

    def __len__(self) -> int:
        return len(self.all)

    @property
    def shown(self) -> OpenDocument:
        """The document that is shown."""
        return self.all[self.place]

    @property
    def are_several(self) -> bool:
        """Whether there is a list to be shown."""
        return len(self.all) > 1

    @property
    def room(self) -> int:
        """How many more documents can be opened."""
        return MOST_DOCUMENTS - (0 if self._is_empty else len(self.all))

    @property
    def _is_empty(self) -> bool:
        return len(self.all) == 1 and self.shown.state.phase is Phase.EMPTY

    def next_to_read(self) -> OpenDocument | None:
        """The shown document if it waits to be read; else one beside it, which comes next."""
        # What is wished for of the shown one is waited for: nothing is read ahead then.
        steps = (0, 1, -1) if self.shown.state.wish is None else (0,)
        near = [self.beside(step) for step in steps]
        return next((each for each in near if each.state.phase is Phase.WAITING), None)

    # They come and go

    def add(
        self, sources: Sequence[SourceRef], choices: Choices | None = None
    ) -> list[OpenDocument]:
        """Lists sources after those that are open, to be read; the first of them is shown.

        Args:
            sources: Files and texts. A file that is open is not listed again; one that could
                not be read is to be read once more.
            choices: Decisions to restore; a file that is open is read again with them.

        Returns:
            Their documents; fewer when there is no `room` for all.
        """
        listed = [
            self._find(source, choices) or self._append(source, choices) for source in sources
        ]
        added = [document for document in listed if document is not None]
        if added:
            self.place = self.all.index(added[0])
        return added

    def _find(self, source: SourceRef, choices: Choices | None) -> OpenDocument | None:
        path = source.path.absolute() if source.path else None
        found = next((each for each in self.all if path and each.path == path), None)
        if found is None:
            return None
        if choices is not None:
            found.left, found.position = None, Position()
            found.state.wait(source, choices)
        elif found.state.phase is Phase.FAILED:
            found.state.wait(source, found.state.choices_again)
        return found

    def _append(self, source: SourceRef, choices: Choices | None) -> OpenDocument | None:
        if not self.room:
            return None
        model = self.shown.state.model
        if not self._is_empty:
            self.all.append(self._make())
        document = self.all[-1]
        document.state.model = model
        document.state.wait(source, choices)
        return document

    def close(self, document: OpenDocument) -> None:
        """Takes one of several out of the list; if it was shown, the next one is."""
        assert self.are_several
        index = self.all.index(document)
        del self.all[index]
        self.place -= index < self.place or self.place == len(self.all)

    def show(self, document: OpenDocument) -> None:
        """Shows one of them."""
        self.place = self.all.index(document)

    def beside(self, step: int) -> OpenDocument:
        """The document some steps after the shown one, or before it; the last meets the first."""
        return self.all[(self.place + step) % len(self.all)]

    def use_copies_from(self, number: int) -> None:
        """New documents get copies of higher numbers than this."""
        self._copies = max(self._copies, number)

    # What holds for all

    def set_default_length(self, length: Length) -> None:
        """Says how long a new summary is."""
        self._length = length
        for document in self.all:
            document.state.default_length = length

    def set_models(self, models: dict[str, str]) -> None:
        """Says which models there are: their titles by name."""
        self._models = models
        for document in self.all:
            for state in (document.state, document.second):
                if state is not None:
                    state.models = models
