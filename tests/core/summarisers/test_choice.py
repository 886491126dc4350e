"""A summary of any length is chosen from a ranking, whole sentences in the document's order."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.documents.document import Block, Document, Source, count_words
from core.summaries.length import LengthUnit
from core.summaries.summary import Length
from core.summarisers.choice import choose, prepare
from core.summarisers.presentation import trimming
from core.summarisers.presentation.notes import SPELT_OUT, is_about_size
from core.summarisers.ranking import CitationStyle, Order, Ranking
from core.summarisers.rules import discourse
from core.summarisers.selection.budget import ranks_needed

Case = tuple[Document, Ranking]


@st.composite
def leaning(draw: st.DrawFn, ranked: list[int], number: int) -> NDArray[np.int64]:
    """Some ranked sentences lean on one that comes before them in the order."""
    found = np.full(number, -1)
    for at, index in enumerate(ranked):
        found[index] = draw(st.sampled_from([-1, -1, *ranked[:at]]))
    return found


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A document of one-paragraph sentences, and a ranking of some of them."""
    counts = draw(st.lists(st.integers(1, 9), min_size=1, max_size=12))
    blocks = [Block(" ".join(["word"] * count) + ".") for count in counts]
    document = Document.from_blocks(blocks, title="T", source=Source("t"))
    order = draw(st.permutations(range(len(counts))))
    ranked = order[: draw(st.integers(1, len(counts)))]
    other = draw(st.permutations(ranked))
    ranking = Ranking(
        document.starts,
        document.ends,
        np.array(counts, np.int32),
        Order(np.array(ranked, np.int64), np.linspace(1, 0, len(ranked)), len(ranked), len(counts)),
        Order(np.array(other, np.int64), np.linspace(1, 0, len(other)), len(other), len(counts)),
        draw(leaning(ranked, len(counts))),
    )
    return document, ranking


lengths = st.one_of(
    st.builds(Length, st.integers(1, 15), st.just("sentences")),
    st.builds(Length, st.integers(1, 80), st.just("words")),
    st.builds(Length, st.integers(1, 100), st.just("share")),
)


@given(cases(), lengths, st.data())
def test_a_summary_keeps_to_its_length_and_to_what_was_decided(
    case: Case, length: Length, data: st.DataObject
) -> None:
    document, ranking = case
    indices = st.frozensets(st.integers(0, len(ranking.starts) - 1), max_size=3)
    pinned, banned = data.draw(indices), data.draw(indices)
    summary = choose(document, ranking, length, pinned=pinned, banned=banned)
    picked = [sentence.evidence[0].sentence for sentence in summary.sentences]
    assert picked == sorted(set(picked))
    assert pinned <= set(picked)
    assert not set(picked) & banned - pinned
    assert all(sentence.text in document.text for sentence in summary.sentences)
    chosen = set(picked) - pinned
    assert len(picked) == 1 or all(ranking.antecedents[index] in {-1, *picked} for index in chosen)
    allowed = {
        "sentences": length.value,
        "words": summary.words if length.unit == "sentences" else length.value,
        "share": document.reading.words * length.value / 100,
    }[length.unit]
    used = len(picked) if length.unit == "sentences" else summary.words
    assert used <= allowed or len(picked) <= max(1, len(pinned))


@given(cases())
def test_more_sentences_keep_those_that_were_there(case: Case) -> None:
    document, ranking = case
    shorter, longer = (
        {sentence.evidence[0].sentence for sentence in summary.sentences}
        for summary in (choose(document, ranking, Length(count)) for count in (2, 3))
    )
    assert shorter <= longer


def test_each_way_to_count_has_its_order() -> None:
    document, ranking = document_of("One two.", "Three four five.", "Six.")
    ranking = replace(
        ranking, by_number=Order(np.array([1, 0, 2]), np.array([3.0, 2.0, 1.0]), 3, 3)
    )
    (sentence,) = choose(document, ranking, Length(1)).sentences
    assert (sentence.text, sentence.score) == ("Three four five.", 3.0)
    for length in (Length(1, "words"), Length(17, "share")):
        (sentence,) = choose(document, ranking, length).sentences
        assert (sentence.text, sentence.score) == ("Six.", 1.0)


def document_of(*sentences: str) -> Case:
    document = Document.from_blocks(map(Block, sentences), title="T", source=Source("t"))
    count = len(sentences)
    words = np.array([count_words(sentence) for sentence in sentences], np.int32)
    order, alone = (
        Order(np.arange(count)[::-1].copy(), np.ones(count), count, count),
        np.full(count, -1),
    )
    return document, Ranking(document.starts, document.ends, words, order, order, alone)


def test_a_text_with_less_than_the_wish_gives_what_it_has_with_a_note() -> None:
    summary = choose(*document_of("One is here.", "Two is there."), Length(9))
    assert [sentence.text for sentence in summary.sentences] == ["One is here.", "Two is there."]
    assert summary.notes == ("The text has only 2 sentences to choose from; all of them are here.",)


@pytest.mark.parametrize("unit", ["words", "sentences"])
def test_only_good_sentences_come_unless_most_is_wanted(unit: LengthUnit) -> None:
    texts = ["One is here.", "Two is there.", "Six is far.", "Ten is near.", "All is well."]
    document, ranking = document_of(*texts)
    order = replace(ranking.by_words, num_offered=1)
    ranking = replace(ranking, by_words=order, by_number=order, num_candidates=5)
    short, long = (2, 3) if unit == "sentences" else (6, 9)
    few = choose(document, ranking, Length(short, unit))
    assert [sentence.text for sentence in few.sentences] == ["All is well."]
    wish = "3 sentences" if unit == "sentences" else "half of the text"
    only = "Only 1 sentence seems to matter enough and to be clear alone; it is here."
    assert few.notes == (only, f"Ask for {wish} or more to have weaker ones, too.")
    none_else = replace(order, indices=order.indices[:1], scores=order.scores[:1], num_rankable=1)
    rest = replace(ranking, by_words=none_else, by_number=none_else)
    assert choose(document, rest, Length(short, unit)).notes == (only,)
    other = choose(document, ranking, Length(short, unit), banned=frozenset({4}))
    assert [sentence.text for sentence in other.sentences] == ["Ten is near."]
    assert len(choose(document, ranking, Length(long, unit)).sentences) == 3


@pytest.mark.parametrize(
    ("sound", "good", "note"),
    [
        (
            1,
            2,
            "Only 1 sentence seems to matter enough and to be clear alone; the next best one is",
        ),
        (2, 4, "Only 2 sentences seem to matter enough and to be clear alone; the next best 2 are"),
        (0, 1, "No sentence seems to matter enough and to be clear alone; the best one is"),
        (0, 3, "No sentence seems to matter enough and to be clear alone; the best 3 are"),
    ],
)
def test_sentences_that_come_for_lack_of_good_ones_are_not_called_good(
    sound: int, good: int, note: str
) -> None:
    document, ranking = document_of(*(f"Sentence {number} is here." for number in range(12)))
    order = replace(ranking.by_number, num_offered=good, num_eligible=sound)
    few = choose(document, replace(ranking, by_number=order, num_candidates=12), Length(5))
    assert len(few.sentences) == good
    there = " here, too." if sound else " here."
    assert few.notes[0] == note + there
    assert is_about_size(few.notes[0])


def test_where_all_is_dropped_no_sentence_is_said_to_be_here() -> None:
    document, ranking = document_of(*(f"Sentence {number} is here." for number in range(12)))
    every = frozenset(range(12))
    ranking = replace(ranking, num_candidates=12)
    assert choose(document, ranking, Length(5), banned=every).notes[0] == (
        "No sentence seems to matter enough and to be clear alone. Dropped sentences are left out."
    )


def test_a_wish_that_is_met_needs_no_note() -> None:
    assert not choose(*document_of("One is here.", "Two is there."), Length(2)).notes


def test_a_doubt_is_told_before_anything_else() -> None:
    document, ranking = document_of("One is here.", "Two is there.")
    doubted = replace(ranking, doubt="This looks like a form.")
    notes = choose(document, doubted, Length(9)).notes
    assert notes[0] == "This looks like a form."
    assert len(notes) == 2


def test_an_abbreviation_is_spelt_out_where_it_first_comes_and_there_is_room() -> None:
    document, ranking = document_of("The RTC was closed in May.", "The RTC had no money left.")
    ranking = replace(ranking, short_forms={"RTC": "Resolution Trust Corporation"})
    summary = choose(document, ranking, Length(2))
    first, second = summary.sentences
    assert first.text == "The RTC [Resolution Trust Corporation] was closed in May."
    assert (first.spelt_out, first.trimmed, second.spelt_out) == (True, False, False)
    assert summary.notes == (SPELT_OUT,)
    tight = choose(document, ranking, Length(14, "words"))
    assert tight.words == 12
    assert not any(sentence.spelt_out for sentence in tight.sentences)
    whole = choose(document, ranking, Length(2), trims=False)
    assert whole.sentences[0].text == "The RTC was closed in May."


def test_an_answer_tells_its_question_unless_that_is_in_the_summary() -> None:
    document, ranking = document_of("What was closed?", "The bank was.")
    ranking = replace(ranking, questions={1: 0})
    order = replace(ranking.by_number, indices=np.array([1, 0]))
    alone = choose(document, replace(ranking, by_number=order), Length(1)).sentences[0]
    assert (alone.question, alone.spoken) == (
        "What was closed?",
        "Asked “What was closed?”: The bank was.",
    )
    assert not any(one.question for one in choose(document, ranking, Length(2)).sentences)


def test_sentences_of_one_answer_tell_their_question_once() -> None:
    document, ranking = document_of("Why?", "Ice came.", "It broke the dam.", "Who?", "A mill.")
    ranking = replace(ranking, questions={1: 0, 2: 0, 4: 3})
    order = replace(ranking.by_number, indices=np.array([1, 2, 4]), scores=np.ones(3))
    summary = choose(document, replace(ranking, by_number=order), Length(3))
    assert [one.question for one in summary.sentences] == ["Why?", "", "Who?"]


def test_what_is_trimmed_is_told_and_may_be_left_whole() -> None:
    document, ranking = document_of("However, one is here today [3].")
    ranking = replace(ranking, citing=CitationStyle(numbers=True))
    (sentence,) = choose(document, ranking, Length(1)).sentences
    assert (sentence.text, sentence.trimmed) == ("One is here today.", True)
    assert document.text[sentence.evidence[0].start :] == "However, one is here today [3]."
    (whole,) = choose(document, ranking, Length(1), trims=False).sentences
    assert (whole.text, whole.trimmed) == ("However, one is here today [3].", False)


def test_a_wish_shorter_than_every_sentence_gives_the_shortest_with_a_note() -> None:
    case = document_of("This one has five words.", "Three words here.", "Four words are here.")
    summary = choose(*case, Length(2, "words"))
    assert [sentence.text for sentence in summary.sentences] == ["Three words here."]
    assert "this is the shortest one" in summary.notes[0]


def test_a_sentence_is_never_cut_to_fit() -> None:
    case = document_of("This one has five words.", "Three words here.", "Four words are here.")
    summary = choose(*case, Length(7, "words"))
    assert [sentence.text for sentence in summary.sentences] == [
        "Three words here.",
        "Four words are here.",
    ]


@pytest.mark.parametrize("length", [Length(12, "words"), Length(50, "share")])
def test_a_summary_far_shorter_than_the_wish_says_so(
    length: Length,
) -> None:
    long = "This one has so many words that it does not fit in what is left of the room."
    other = "That one has just as many words, and it does not fit in what is left either."
    document, ranking = document_of("Three words here.", long, other)
    order = replace(ranking.by_words, indices=np.array([0, 1, 2]), num_offered=3)
    case = document, replace(ranking, by_words=order, num_candidates=3)
    if length.unit == "share":
        case = document, replace(case[1], words=np.array([3, 30, 30], np.int32))
    summary = choose(*case, length)
    assert [sentence.text for sentence in summary.sentences] == ["Three words here."]
    needed = int(case[1].words[1:].min())
    assert summary.notes == (
        f"No other good sentence fits into the requested length; the shortest has {needed} words.",
    )


def test_line_breaks_inside_a_sentence_become_spaces() -> None:
    document, ranking = document_of("One sentence\nover two lines.")
    assert choose(document, ranking, Length(1)).text == "One sentence over two lines."


@pytest.mark.parametrize(
    ("length", "needed"), [(Length(40), 40), (Length(50, "words"), 25), (Length(50, "share"), 3)]
)
def test_so_many_sentences_are_ranked_as_a_length_may_need(length: Length, needed: int) -> None:
    document, _ = document_of("One two three.", "Four five six.", "Seven eight nine ten eleven x.")
    assert ranks_needed(document, length) == needed


def test_a_sentence_does_not_come_without_its_antecedent() -> None:
    document, ranking = document_of("It is red.", "A pump is here.", "Two men left town.")
    leaning = replace(ranking, antecedents=np.array([1, -1, -1]))
    texts = [sentence.text for sentence in choose(document, leaning, Length(3)).sentences]
    assert texts == ["It is red.", "A pump is here.", "Two men left town."]
    summary = choose(document, leaning, Length(3), banned=frozenset({1}))
    assert [sentence.text for sentence in summary.sentences] == ["Two men left town."]
    assert summary.notes == (
        "The text has only 1 sentence to choose from; it is here. "
        "Dropped sentences, and what needs them, are left out.",
    )
    pinned = choose(document, leaning, Length(3), banned=frozenset({1}), pinned=frozenset({0}))
    assert [sentence.text for sentence in pinned.sentences] == ["It is red.", "Two men left town."]


def test_after_prepare_a_choice_makes_no_patterns() -> None:
    made = (discourse.markers_for, trimming._connectives, trimming._joints)
    for each in (*made, trimming.trim_sentence):
        each.cache_clear()
    document, ranking = document_of("However, a pump is here.")
    prepare(document.reading.language)
    before = [each.cache_info().misses for each in made]
    assert before == [1, 1, 1]
    choose(document, ranking, Length(1))
    assert [each.cache_info().misses for each in made] == before
