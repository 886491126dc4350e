"""How many sentences of a summary its document does not support.

A sentence is unsupported if `core.evidence` finds nothing in the document that supports it. An
empty summary counts as unsupported, so that a system gains nothing by writing nothing.
"""

from core.documents.guessing import guess_language
from core.documents.plain import plain_document
from core.documents.sentences import split_document, split_paragraph
from core.events import result_of
from core.evidence.finder import EvidenceFinder
from core.stop import StopToken
from core.version import VERSION

Span = tuple[int, int]


class Support:
    """Finds unsupported sentences; several summaries of one document in a row are cheapest."""

    def __init__(self) -> None:
        self._text: str | None = None
        self._finder: EvidenceFinder | None = None
        self.language = ""
        """The language of the last document."""

    def finder(self, document: str) -> EvidenceFinder:
        """What finds evidence in a document; made anew only for another document."""
        if self._finder is None or document != self._text:
            self.language = guess_language(document)
            made = plain_document(document, "", "", self.language)
            sentences = result_of(split_document(made, StopToken()))
            self._finder, self._text = EvidenceFinder(made, sentences), document
        return self._finder

    def unsupported_share(self, summary: str, document: str) -> float:
        """The share of a summary's sentences without support, from 0 to 1; 1 if it has none."""
        finder = self.finder(document)
        spans = sentences_of(summary, self.language)
        unsupported = sum(not finder.checked(summary[a:b]).evidence for a, b in spans)
        return unsupported / len(spans) if spans else 1.0


def sentences_of(summary: str, language: str = "") -> list[Span]:
    """Where the sentences of a summary stand; a line end always ends one."""
    spans, start = [], 0
    for line in summary.split("\n"):
        found = split_paragraph(line, language)
        spans += [(start + first, start + last) for first, last in found]
        start += len(line) + 1
    return spans


def recipe() -> str:
    """How the share is computed, to be reported with it."""
    return (
        f"Epitome {VERSION}: sentences for which no sentence of the document is evidence; an empty "
        "prediction counts as 100 %"
    )
