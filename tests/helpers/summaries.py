"""A small document, its summary, and the same with awkward text."""

from core.documents.document import Block, Document, Kind, LeftOut, Source
from core.summaries.summary import Evidence, Length, Summary, SummarySentence

SCAN = LeftOut("pages without text", "they are scans", pages=(3, 4))
HEADS = LeftOut("running heads", "they repeat on every page", 12, (1, 2), missed=False)


def a_document(*paragraphs: str, title: str = "A lithium cell", pages: int = 5) -> Document:
    """A document whose paragraphs lie on pages 1, 2, 2, 2 …, with something left out."""
    texts = paragraphs or (
        "[0031] The separator is cast. It is 20 µm thick.",
        "[0032] Lithium reduces the electrolyte. A layer of nitride stops it.",
    )
    blocks = [Block("Description", Kind.HEADING, 1, 1)]
    blocks += [Block(text, page=min(2, number)) for number, text in enumerate(texts, 1)]
    if not pages:
        blocks = [Block(block.text, block.kind, block.level) for block in blocks]
    source = Source("cell.pdf", sha256="ab" * 32, size_bytes=9, format="pdf")
    return Document.from_blocks(
        blocks, title=title, source=source, num_pages=pages, left_out=(SCAN, HEADS) if pages else ()
    )


def a_summary(document: Document, *quotes: str, **changes: object) -> Summary:
    """A summary of exactly these words of the document; by default of its second paragraphs' ends.

    An empty quotation becomes a sentence without support.
    """
    wished = quotes or ("It is 20 µm thick.", "A layer of nitride stops it.")
    values: dict[str, object] = {
        "title": document.title,
        "source": document.source,
        "sentences": tuple(_sentence(document, quote) for quote in wished),
        "length": Length(2),
        "read": document.reading,
        "seconds": 0.42,
    }
    return Summary(**{**values, **changes})  # type: ignore[arg-type]


def _sentence(document: Document, quote: str) -> SummarySentence:
    if not quote:
        return SummarySentence("Nobody wrote this.", ())
    start = document.text.index(quote)
    evidence = Evidence.at(document, 3, start, start + len(quote))
    return SummarySentence(" ".join(quote.split()), (evidence,), 0.5)
