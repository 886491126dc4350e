"""Evidence of written sentences, on a text where it is plain."""

import pytest

from core.documents.readers.door import read_pasted
from core.documents.sentences import split_document
from core.events import result_of
from core.evidence.finder import EvidenceFinder
from core.stop import StopToken

TEXT = (
    "The pump feeds the boiler through a valve. Its walls were tested in 1931. "
    "A sensor reports the pressure to the panel. The dog of the engineer sleeps in the hall."
)


@pytest.mark.parametrize(
    ("written", "sentences"),
    [
        ("Pressure is reported to the panel by a sensor.", [2]),
        ("The valve feeds the boiler, and the walls were tested.", [0, 1]),
        ("Quarterly revenue doubled.", []),
        ("", []),
    ],
)
def test_a_written_sentence_rests_on_those_it_shares_words_with(
    written: str, sentences: list[int]
) -> None:
    document = result_of(read_pasted(TEXT, "", StopToken()))
    finder = EvidenceFinder(document, result_of(split_document(document, StopToken())))
    found = finder.checked(written).evidence
    assert [evidence.sentence for evidence in found] == sentences
    for evidence in found:
        assert TEXT[evidence.start : evidence.end].endswith(".")
