"""Every letter of a document lies in exactly one piece of bearable length."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Block, Kind
from gui.widgets.reading.pieces import MAX_PIECE, Pieces, spaces_above
from tests.helpers.reading import document_of, make_document

LENGTHS = st.lists(st.integers(1, 3 * MAX_PIECE), min_size=1, max_size=6)


@given(LENGTHS, st.sampled_from(["x", "word ", "𝒜 "]))
def test_pieces_cover_each_paragraph_without_gap(lengths: list[int], unit: str) -> None:
    document = document_of([Block((unit * length)[:length].strip() or "x") for length in lengths])
    pieces = Pieces.of(document)
    assert (pieces.ends - pieces.starts).max() <= MAX_PIECE + 300
    for index in range(document.num_paragraphs):
        mine = np.flatnonzero(pieces.paragraphs == index)
        assert pieces.starts[mine[0]] == document.starts[index]
        assert pieces.ends[mine[-1]] == document.ends[index]
        assert (pieces.starts[mine[1:]] == pieces.ends[mine[:-1]]).all()
        assert pieces.is_first[mine].tolist() == [True] + [False] * (len(mine) - 1)


def test_long_paragraphs_are_parted_between_words() -> None:
    document = document_of([Block("word " * 4_000)])
    pieces = Pieces.of(document)
    assert len(pieces) > 3
    assert all(document.text[start - 1] == " " for start in pieces.starts[1:])


def test_a_page_is_announced_where_its_first_paragraph_begins() -> None:
    pages = Pieces.of(make_document(30)).pages
    assert pages[pages > 0].tolist() == [2, 3]
    going_on = [Block("a", page=1), Block("b" * 50, page=1, page_breaks=(20,)), Block("c", page=2)]
    assert Pieces.of(document_of(going_on, num_pages=2)).pages.tolist() == [0, 0, 2]


def test_spaces_follow_the_kind_and_the_heading_before() -> None:
    blocks = [Block("T", Kind.HEADING, 1), Block("a"), Block("b"), Block("S", Kind.HEADING, 2)]
    document = document_of(blocks)
    assert spaces_above(document, Pieces.of(document)).tolist() == [0, 8, 14, 18]


def test_an_empty_document_has_no_pieces() -> None:
    document = document_of([])
    assert len(Pieces.of(document)) == 0
    assert len(spaces_above(document, Pieces.of(document))) == 0
