"""Shared and new words are found where they stand."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from core.evaluation.text_marks import (
    Words,
    differences,
    longest_run,
    novel_words,
    shared_runs,
)

TEXT = "A hearing aid estimates the direction of the speaker, and narrows its beam."
OTHER = "The aid estimates the direction of the wind. It narrows its beam slowly."


def words_of(text: str, spans: tuple[tuple[int, int], ...]) -> list[str]:
    return [text[start:end] for start, end in spans]


def test_sequences_of_three_words_are_found_with_all_they_go_on_to() -> None:
    text, other = Words(TEXT), Words(OTHER)
    found = shared_runs(text, set(other.runs(3)), 3)
    assert words_of(TEXT, found) == ["aid estimates the direction of the", "narrows its beam"]
    assert shared_runs(text, set(other.runs(7)), 7) == ()


def test_the_longest_sequence_is_found_alone() -> None:
    assert words_of(TEXT, longest_run(Words(TEXT), Words(OTHER))) == [
        "aid estimates the direction of the"
    ]
    assert longest_run(Words("one"), Words("one two")) == ()


def test_what_the_other_text_lacks_is_found() -> None:
    found = words_of(TEXT, differences(Words(TEXT), Words(OTHER)))
    assert found == ["A hearing", "speaker, and"]


def test_new_words_are_found_in_any_script() -> None:
    source = Words("Straße und 北京")
    assert words_of(
        "STRASSE in 北京, 東京", novel_words(Words("STRASSE in 北京, 東京"), source)
    ) == [
        "in",
        "東京",
    ]


TEXTS = st.text("abc .", max_size=60)


@given(TEXTS, TEXTS, st.integers(1, 4))
def test_shared_spans_hold_shared_words_and_do_not_overlap(text: str, other: str, n: int) -> None:
    ours, theirs = Words(text), Words(other)
    spans = shared_runs(ours, set(theirs.runs(n)), n)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    for start, end in spans:
        inside = Words(text[start:end])
        assert len(inside.forms) >= n
        assert set(inside.runs(n)) <= set(theirs.runs(n))
    marked = sum(len(Words(text[a:b]).runs(n)) for a, b in spans)
    assert marked == sum(run in set(theirs.runs(n)) for run in ours.runs(n))


@given(TEXTS, TEXTS)
def test_what_does_not_differ_stands_in_the_other_in_the_same_order(text: str, other: str) -> None:
    ours, theirs = Words(text), Words(other)
    apart = differences(ours, theirs)
    spans = zip(ours.forms, ours.spans, strict=True)
    left = [form for form, (a, _) in spans if not any(s <= a < e for s, e in apart)]
    rest = iter(theirs.forms)
    assert all(any(form == each for each in rest) for form in left)
