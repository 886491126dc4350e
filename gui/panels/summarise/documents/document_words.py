"""What the list of open documents says of each: its name, how it is, and a few words."""

from dataclasses import dataclass

from core.jobs.sources.sources import SourceRef
from core.numbers import format_quantity
from gui.panels.summarise.documents.open_documents import OpenDocument
from gui.panels.summarise.saving.export_actions import tr
from gui.panels.summarise.state import Phase, SummariseState


@dataclass(frozen=True)
class DocumentWords:
    """A row of the list.

    Args:
        name: The document's title, or the name of its file until it is read.
        icon: Lucide's name of the sign of its state.
        color: The sign's token.
        words: How it is, or what else identifies it.
        tooltip: All that is known, in full.
    """

    name: str
    icon: str
    color: str
    words: str
    tooltip: str

    @property
    def short_words(self) -> str:
        """The words where there is little room."""
        return tr("cannot be read") if self.has_failed else self.words

    @property
    def has_failed(self) -> bool:
        """Whether the words say why it cannot be read."""
        return self.color == "err"


def listed(document: OpenDocument) -> DocumentWords:
    """What is said of a document."""
    state, name = document.state, title_of(document)
    source = state.source
    assert source is not None
    icon, color, words = _told(state, name)
    lines = [name, str(source.path) if source.path else "", words if color == "err" else ""]
    return DocumentWords(name, icon, color, words, "\n".join(filter(None, lines)))


def title_of(document: OpenDocument) -> str:
    """Its title, or the name of its file until it is read; empty where nothing is open."""
    state = document.state
    if state.opened is not None:
        return state.opened.document.title
    if document.left is not None and document.left.title:
        return document.left.title
    return name_of(state.source) if state.source is not None else ""


def name_of(source: SourceRef) -> str:
    """What a source is called before it is read."""
    return source.path.name if source.path else tr("Pasted text")


def _told(state: SummariseState, name: str) -> tuple[str, str, str]:
    match state.phase:
        case Phase.WAITING:
            return "clock", "text3", tr("waiting")
        case Phase.READING | Phase.RANKING:
            return "loader-circle", "accent", tr("being read")
        case Phase.FAILED:
            assert state.failure is not None
            source = state.source
            named = f"“{name_of(source)}” " if source is not None else ""
            why = state.failure.message.removeprefix(named)
            return "octagon-x", "err", why
    assert state.opened is not None
    document = state.opened.document
    file = document.source.name if document.source.path else ""
    words = format_quantity(document.reading.words, "word")
    return "circle-check", "ok", words if file in ("", name) else file
