"""Long documents in parts: nothing is lost, nothing too long, and each gets its share."""

from bisect import bisect_right
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Document
from core.documents.readers.door import read_pasted
from core.documents.sentences import split_document
from core.events import result_of
from core.gsg.selection import order
from core.gsg.settings import GapSentenceSettings
from core.gsg.tokens import tokenise
from core.stop import StopToken
from core.summaries.summary import Length
from core.summarisers.parts import (
    document_parts,
    get_limit,
    join_parts,
    portions,
    without_repeats,
)
from tests.helpers.corpora import TEXTS


def encode(texts: list[str]) -> list[list[int]]:
    """A token for each character: what is lost would show."""
    return [[ord(character) for character in text] for text in texts]


def parts_of(text: str, room: int):
    document = read(text)
    sentences = result_of(split_document(document, StopToken()))
    return document, result_of(document_parts(document, sentences, encode, room, StopToken()))


def read(text: str) -> Document:
    return result_of(read_pasted(text, "", StopToken()))


@pytest.mark.parametrize("room", [7, 100, 1000, 5000, 100_000])
def test_parts_hold_the_whole_document_and_none_is_too_long(room: int) -> None:
    document, parts = parts_of("\n\n".join(TEXTS[:12]), room)
    assert "".join(chr(one) for part in parts for one in part.ids) == document.text
    assert all(0 < len(part.ids) <= room for part in parts)
    assert sum(part.share for part in parts) == pytest.approx(1)


def test_parts_end_between_sentences() -> None:
    _, parts = parts_of("\n\n".join(TEXTS[:12]), 400)
    texts = ["".join(map(chr, part.ids)) for part in parts]
    assert len(texts) > 3
    assert all(text.rstrip().endswith(".") for text in texts)


def test_a_part_gets_the_share_of_its_gap_sentence_scores() -> None:
    document, parts = parts_of("\n\n".join(TEXTS[:5]) + "\n\nZyx wvu. Tsr qpo." * 20, 500)
    sentences = result_of(split_document(document, StopToken()))
    settings = GapSentenceSettings(strategy="independent-document", tokenizer="unicode")
    words = result_of(tokenise(sentences.texts(document.text), StopToken(), "unicode"))
    picks = result_of(order(words, settings, StopToken()))
    ends = list(accumulate(len(part.ids) for part in parts))
    sums = [0.0] * len(parts)
    for index, score in zip(picks.picked, picks.scores, strict=True):
        sums[bisect_right(ends, int(sentences.starts[index]))] += score
    assert [part.share for part in parts] == pytest.approx([each / sum(sums) for each in sums])
    assert max(sums) > 1.1 * min(sums)


@given(st.integers(0, 500), st.lists(st.floats(0.001, 1), min_size=1, max_size=9))
def test_portions_make_the_whole_and_are_nearest_to_the_shares(
    total: int, weights: list[float]
) -> None:
    shares = [weight / sum(weights) for weight in weights]
    found = portions(total, shares)
    assert sum(found) == total
    assert all(abs(one - total * share) < 1 for one, share in zip(found, shares, strict=True))


SENTENCES = ["One two three.", "Four five.", "Six."]


@pytest.mark.parametrize(
    ("limit", "unit", "kept"),
    [
        (2, "sentences", 2), (9, "sentences", 3), (0, "sentences", 0),
        (5, "words", 2), (4, "words", 1), (1, "words", 1), (0, "words", 0), (99, "words", 3),
    ],
)  # fmt: skip
def test_only_whole_sentences_stay(limit: int, unit: str, kept: int) -> None:
    assert join_parts([(limit, SENTENCES)], unit) == SENTENCES[:kept]


def test_a_long_sentence_is_paid_for_by_the_parts_that_follow() -> None:
    assert join_parts([(2, SENTENCES), (1, ["A b."]), (3, ["C d."])], "words") == [
        "One two three.",
        "C d.",
    ]


def test_what_a_part_leaves_is_for_those_that_follow() -> None:
    assert join_parts([(4, ["Six."]), (1, ["Four five.", "A b."])], "words") == [
        "Six.",
        "Four five.",
        "A b.",
    ]


@given(
    st.lists(
        st.tuples(st.integers(1, 30), st.lists(st.integers(1, 20).map(lambda n: "a " * n))),
        max_size=6,
    )
)
def test_a_summary_is_never_longer_than_asked_for(written: list[tuple[int, list[str]]]) -> None:
    kept = join_parts(written, "words")
    limit = sum(share for share, _ in written)
    assert len(kept) <= 1 or sum(text.count("a") for text in kept) <= limit
    assert bool(kept) == any(sentences for _, sentences in written)


def test_a_share_of_the_text_is_a_number_of_words() -> None:
    document = read(TEXTS[0])
    words = document.reading.words
    assert get_limit(document, Length(10, "share")) == (round(words / 10), "words")
    assert get_limit(document, Length(3, "sentences")) == (3, "sentences")


@given(
    st.lists(st.sampled_from(["The mill stands.", "the  mill stands.", "It turns.", "It fell."]))
)
def test_each_sentence_stands_once_and_in_its_first_place(sentences: list[str]) -> None:
    kept = without_repeats(sentences)
    plain = ["".join(sentence.lower().split()) for sentence in sentences]
    places = [at for at, sentence in enumerate(plain) if sentence not in plain[:at]]
    assert list(kept) == [sentences[at] for at in places]
