"""Documents, summaries and pointers for tests of the reading view, the summary list and the map."""

from core.documents.document import Block, Document, Kind, Source
from core.summaries.summary import Evidence, Length, Summary, SummarySentence

WORDS = "lithium nitride layer of the cell between thin suspension with argyrodite density grows"


def make_document(num_paragraphs: int, *, words: int = 40, per_page: int = 10) -> Document:
    """A document with a heading before every tenth paragraph; each paragraph names itself."""
    blocks = []
    vocabulary = WORDS.split()
    for i in range(num_paragraphs):
        page = 1 + i // per_page
        if i % 10 == 0:
            blocks.append(Block(f"Section {i // 10}", Kind.HEADING, 2, page=page))
        body = " ".join(vocabulary[(i + j) % len(vocabulary)] for j in range(words))
        blocks.append(Block(f"Paragraph {i} begins. {body}.", page=page))
    pages = 1 + (num_paragraphs - 1) // per_page
    return document_of(blocks, num_pages=pages)


def document_of(blocks: list[Block], *, num_pages: int = 0) -> Document:
    """A document of these blocks."""
    return Document.from_blocks(
        blocks, title="A title", source=Source("a.txt"), num_pages=num_pages
    )


def evidence_in(document: Document, text: str) -> Evidence:
    """The first place of some words as evidence."""
    start = document.text.index(text)
    return Evidence.at(document, 0, start, start + len(text))


def make_summary(document: Document, texts: list[str], *, pinned: tuple[int, ...] = ()) -> Summary:
    """A summary of these sentences; those that are not in the document have no evidence."""
    sentences = tuple(
        SummarySentence(
            text,
            (evidence_in(document, text),) if text in document.text else (),
            pinned=i in pinned,
        )
        for i, text in enumerate(texts)
    )
    return Summary(document.title, document.source, sentences, Length(9), document.reading)


def first_sentences(*paragraphs: int) -> list[str]:
    """The first sentences of paragraphs of `make_document`."""
    return [f"Paragraph {i} begins." for i in paragraphs]
