"""Nothing longer than the model is cut without being counted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.fitting import Fate, best_window, fit
from core.errors import EpitomeError
from core.numbers import THIN_SPACE
from tests.helpers.examples import examples_of

MASK_ID = 3
TOKENS = st.lists(st.integers(4, 12), min_size=1, max_size=40)


@st.composite
def gap_rows(draw: st.DrawFn) -> tuple[list[int], list[int], list[int]]:
    """A source with masks, and the gap sentences that stood there, each of a token of its own."""
    pieces = draw(st.lists(st.lists(st.integers(100, 120), max_size=9), min_size=2, max_size=6))
    source, summary, gaps = list(pieces[0]), list[int](), list[int]()
    for number, piece in enumerate(pieces[1:]):
        gaps.append(len(source))
        source += [MASK_ID, *piece]
        summary += [4 + number] * draw(st.integers(1, 8))
        gaps.append(len(summary))
    return source, summary, gaps


@given(st.lists(TOKENS, min_size=1, max_size=5), st.integers(3, 20))
def test_pieces_of_plain_text_are_the_text(texts: list[list[int]], length: int) -> None:
    examples = examples_of([(text, [], []) for text in texts], "text")
    fitted = fit(examples, length, "split")
    found = [fitted[row] for row in range(len(fitted))]
    assert all(row.summary is None and len(row.source) <= length - 2 for row in found)
    assert [token for row in found for token in row.source] == [t for text in texts for t in text]
    assert fitted.fate.left_out == 0
    assert fitted.lengths[:, 0].tolist() == [len(row.source) for row in found]


def test_the_start_of_a_source_is_kept_whatever_its_summary_says() -> None:
    source, summary = [4] * 20 + [9] * 10, [9, 9, 9]
    examples = examples_of([(source, summary, []), ([4, 9], summary, [])], "pairs")
    window, start = fit(examples, 15, "window"), fit(examples, 15, "start")
    assert 9 in window[0].source
    assert start[0].source.tolist() == source[:10]
    assert start[0].summary is not None and start[0].summary.tolist() == summary
    assert start[1].source.tolist() == [4, 9]
    assert (start.fate.whole, start.fate.windowed, start.fate.left_out) == (1, 1, 20)


def test_the_start_of_plain_text_and_of_gap_sentences_is_one_row() -> None:
    text = fit(examples_of([([5] * 30, [], [])], "text"), 12, "start")
    assert [len(text[row].source) for row in range(len(text))] == [10]
    source = [7, 7, MASK_ID, *[8] * 20, MASK_ID, 9]
    gaps = fit(examples_of([(source, [20, 21], [2, 1, 23, 2])], "gsg"), 12, "start")
    assert len(gaps) == 1 and gaps[0].summary is not None and gaps[0].summary.tolist() == [20]


@given(st.lists(gap_rows(), min_size=1, max_size=4), st.integers(6, 40))
def test_pieces_with_gaps_keep_each_gap_with_its_sentence(
    rows: list[tuple[list[int], list[int], list[int]]], length: int
) -> None:
    fitted = fit(examples_of(rows, "gsg"), length, "split")
    for row in range(len(fitted)):
        number, start, stop = fitted.rows[row, :3].tolist()
        _, summary, gaps = rows[number]
        found = fitted[row]
        assert found.summary is not None and len(found.summary)
        assert len(found.source) + len(found.summary) + 2 <= length
        ends = gaps[1::2]
        firsts = [0, *ends[:-1]]
        inside = [
            summary[firsts[gap] : ends[gap]]
            for gap, place in enumerate(gaps[::2])
            if start <= place < stop
        ]
        assert found.summary.tolist() == [token for sentence in inside for token in sentence]
    kept = int(fitted.lengths.sum())
    assert fitted.fate.left_out == fitted.fate.of_tokens - kept


def test_a_gap_sentence_without_room_is_passed_over_and_counted() -> None:
    source = [9, 9, MASK_ID, 9, MASK_ID, 9]
    examples = examples_of([(source, [5] * 30 + [6], [2, 30, 4, 31])], "gsg")
    fitted = fit(examples, 8, "split")
    assert [fitted[0].source.tolist(), fitted[0].summary.tolist()] == [[9, MASK_ID, 9], [6]]  # type: ignore[union-attr]
    assert fitted.fate == Fate(0, 0, 1, 0, rows=1, left_out=33, of_tokens=37)


def test_window_takes_the_piece_with_most_gap_sentences() -> None:
    source = [9] * 5 + [MASK_ID] + [9] * 5 + [MASK_ID, MASK_ID] + [9] * 5
    examples = examples_of([(source, [4, 5, 6], [5, 1, 11, 2, 12, 3])], "gsg")
    found = fit(examples, 12, "window")
    assert found.fate.windowed == 1
    assert found[0].summary is not None and found[0].summary.tolist() == [5, 6]


@given(TOKENS, TOKENS, st.integers(1, 40))
def test_the_window_is_the_earliest_best(source: list[int], summary: list[int], width: int) -> None:
    def held(start: int) -> int:
        stretch = set(source[start : start + width])
        return sum(token in stretch for token in summary)

    starts = range(max(len(source) - width, 0) + 1)
    wanted = max(starts, key=lambda start: (held(start), -start))
    assert best_window(np.array(source), np.array(summary), width) == wanted


def test_pairs_keep_their_whole_summary() -> None:
    source = [9] * 10 + [5, 6, 7] + [9] * 10
    examples = examples_of([(source, [5, 6, 7], []), ([9, 9], [5], []), (source, [5] * 20, [])],
                           "pairs")  # fmt: skip
    for policy in ("window", "split"):
        fitted = fit(examples, 12, policy)
        assert [row.source.tolist() for row in map(fitted.__getitem__, range(2))] == [
            [9, 9, 9, 9, 5, 6, 7],
            [9, 9],
        ]
        assert fitted[0].summary is not None and fitted[0].summary.tolist() == [5, 6, 7]
        assert fitted.fate == Fate(1, 0, 1, 1, rows=2, left_out=16 + 43, of_tokens=72)
    skipped = fit(examples, 12, "skip")
    assert (len(skipped), skipped.fate.skipped) == (1, 2)


def test_a_summary_with_a_length_of_its_own_takes_no_room_from_the_source() -> None:
    examples = examples_of([([9] * 10, [5] * 10, []), ([9] * 3, [5] * 11, [])], "pairs")
    fitted = fit(examples, 10, "window", marks=0, summary_length=10)
    assert fitted.lengths.tolist() == [[10, 10]]
    assert fitted.fate.skipped == 1


def test_the_fate_is_told_in_one_sentence() -> None:
    examples = examples_of([([9] * 30, [5], []), ([9], [5], []), ([9], [5] * 30, [])], "pairs")
    assert fit(examples, 13, "window").fate.told() == (
        "Read 3 examples (1 whole, 1 cut to a window, 1 skipped) as 2 rows; "
        f"80{THIN_SPACE}% of the tokens left out."
    )


def test_a_model_without_room_is_told() -> None:
    with pytest.raises(EpitomeError, match=r"A model of 2 tokens has no room .* Use a longer"):
        fit(examples_of([([9], [], [])], "text"), 2, "split")
