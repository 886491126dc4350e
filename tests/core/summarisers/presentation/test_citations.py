"""How a document cites is told by the document."""

import pytest

from core.documents.document import Block, Document, Kind, Source
from core.summarisers.presentation.citations import detect_citation_style
from core.summarisers.ranking import CitationStyle


def a_document(*texts: str, kind: Kind = Kind.PARAGRAPH) -> Document:
    return Document.from_blocks([Block(text, kind) for text in texts], title="", source=Source("a"))


@pytest.mark.parametrize(
    ("text", "citing"),
    [
        ("Bees purr [1]. Cats do so, too [2], [3].", CitationStyle(numbers=True)),
        ("Bees purr.[1] Cats do,[2] too.[3]", CitationStyle(numbers=True, glued=True)),
        ("The first value is args[0], then come [1] and [2] and [3].", CitationStyle()),
        ("The matrix m[1], m[2] and m[3] has three rows.", CitationStyle()),
        ("The war cost 60,000 [50,000] lives, as [1] says.", CitationStyle()),
        (
            "Bees purr (Cho et al., 2010). Cats do (Lee, 2011; Kim and Lee, 2012).",
            CitationStyle(names=True),
        ),
        ("It met thrice (Kyoto, 1997), (Copenhagen, 2009) and (Paris, 2015).", CitationStyle()),
        ("It was paid late (May 2011), (June 2012) and (July 2013a).", CitationStyle()),
    ],
)
def test_how_a_document_cites(text: str, citing: CitationStyle) -> None:
    assert detect_citation_style(a_document(text)) == citing


def test_numbered_entries_of_references_tell_that_numbers_are_citations() -> None:
    entries = [f"[{number}] A. Smith. Of bees. 2010." for number in (1, 2, 3)]
    assert detect_citation_style(a_document(*entries, kind=Kind.REFERENCE)) == CitationStyle(
        numbers=True
    )
    assert (
        detect_citation_style(a_document(*entries)) == CitationStyle()
    )  # the paragraphs of a judgment
