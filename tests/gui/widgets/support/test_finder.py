"""Words are found in slices as they would be found at once."""

import re

from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from gui.widgets.support import finder
from gui.widgets.support.finder import SLICE, Finder


def hits(found: Finder) -> list[tuple[int, int]]:
    return [found.hit(index) for index in range(found.count)]


@given(st.text("abA ", max_size=80), st.sampled_from(["a", "ab", "AB a", "aa"]), st.integers(1, 9))
def test_slices_find_what_one_search_finds(text: str, words: str, size: int) -> None:
    whole = finder.SLICE
    finder.SLICE = size
    try:
        found = Finder()
        found.start(text, words)
        while found.is_running:
            found.search_slice()
    finally:
        finder.SLICE = whole
    pattern = r"\s+".join(map(re.escape, words.split()))
    assert hits(found) == [m.span() for m in re.finditer(pattern, text, re.IGNORECASE)]


def test_each_turn_searches_one_slice(qtbot: QtBot) -> None:
    found = Finder()
    text = "needle " + "hay " * SLICE
    found.start(text, "Needle")
    turns = 0
    while found.is_running:
        found.search_slice()
        turns += 1
    assert turns == -(-len(text) // SLICE)
    assert hits(found) == [(0, 6)]


def test_letter_case_that_changes_length_keeps_places(qtbot: QtBot) -> None:
    found = Finder()
    found.start("İİİ Straße 𝒜 word", "WORD")
    found.search_slice()
    assert hits(found) == [(13, 17)]


def test_words_are_not_found_across_paragraphs(qtbot: QtBot) -> None:
    found = Finder()
    found.start("thin\u00a0layer, thin\nlayer, thin\n\nlayer", "thin layer")
    found.search_slice()
    assert hits(found) == [(0, 10), (12, 22)]


def test_hits_are_found_by_place(qtbot: QtBot) -> None:
    found = Finder()
    found.start("ab ab ab", "ab")
    found.search_slice()
    assert [found.first_from(at) for at in (0, 1, 6, 7)] == [0, 1, 2, 0]
    assert found.between(1, 4) == [(0, 0, 2), (1, 3, 5)]
    found.start("ab", "  ")
    assert (found.count, found.is_running) == (0, False)
