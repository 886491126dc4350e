"""The picks are those of the plain twin, on every kind of document."""

import random
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from core.errors import EpitomeError
from core.events import Progress, result_of
from core.gsg import nearest, pair_sums, pairwise
from core.gsg.selection import num_picks, order, select, select_gap_sentences
from core.gsg.settings import GapSentenceSettings
from core.stop import Stopping, StopToken
from tests.helpers import gsg_twin
from tests.helpers.tokens import tokens_of

CASES = [
    *product(["independent-document", "sequential-document"], "12", [False, True], ["mean"]),
    *product(["independent-pairwise", "sequential-pairwise"], "12", [False, True], ["mean", "max"]),
    ("independent-document", "L", False, "mean"),
    ("independent-pairwise", "L", False, "mean"),
    ("independent-pairwise", "L", False, "max"),
]
LONG = [case for case in CASES if case[0].startswith("sequential") or case[1] == "L"]
PAIRWISE = [case for case in CASES if case[0].endswith("pairwise")]

AWKWARD = {
    "one word": ["a"],
    "two alike": ["a b", "a b"],
    "all equal": ["a b c"] * 7,
    "nothing shared": ["a", "b", "c d", "e f g"],
    "empty ones between": ["", "a b", "...", "b c", " ", "c a", "?!"],
    "repeats in a sentence": ["a a a", "a a", "a", "b b a", "b a b a"],
    "ties of different words": ["a x", "b y", "a z", "b w", "c c", "a", "b"],
    "one word sentences": ["a", "b", "a", "c", "b", "a"],
    "pairs turned round": ["a b", "b a", "a b a", "b a b"],
    "one long": [" ".join("abcdefgh" * 12), "a b c", "h g f", "a a b b", "c"],
    "equal sums of unequal parts": ["a b c d e", "a", "b q r s t", "c u v w x", "a d"],
}

sentence = st.lists(st.sampled_from("aabbcdef"), max_size=6).map(" ".join)
documents = st.lists(sentence, max_size=9)


def case_name(case):
    return "-".join(map(str, case))


def random_text(length, seed=0):
    """The paper's random sentences: a space is five times as likely as any other character."""
    generator = random.Random(seed)
    letters = "abcdefghijklmnopqrstuvwxyz. "
    return "".join(generator.choices(letters, [1] * 27 + [5], k=length)).split(".")


def picks(document, strategy, rouge, unique, aggregate, algorithm="fast", before=()):
    wanted = GapSentenceSettings(
        strategy=strategy, rouge=rouge, unique=unique, aggregate=aggregate, algorithm=algorithm
    )
    tokens = tokens_of(document)
    return result_of(order(tokens, wanted, StopToken(), given=before))


def assert_like_twin(document, case, algorithm="fast", before=()):
    expected = gsg_twin.order(document, *case, given=before)
    selection = picks(document, *case, algorithm=algorithm, before=before)
    assert list(selection.picked) == [index for index, _ in expected]
    for score, (_, exact) in zip(selection.scores, expected, strict=True):
        assert score == pytest.approx(float(exact), abs=1e-12)


@pytest.mark.parametrize("case", CASES, ids=case_name)
@settings(max_examples=40, deadline=None)
@given(documents)
def test_picks_equal_the_twin(case, document):
    assert_like_twin(document, case)


@pytest.mark.parametrize("case", PAIRWISE, ids=case_name)
@settings(max_examples=10, deadline=None)
@given(documents)
def test_the_papers_algorithm_picks_the_same(case, document):
    assert_like_twin(document, case, "paper")


@pytest.mark.parametrize("case", CASES, ids=case_name)
def test_awkward_documents_equal_the_twin(case):
    for document in AWKWARD.values():
        assert_like_twin(document, case)


@pytest.mark.parametrize("case", CASES, ids=case_name)
@settings(max_examples=15, deadline=None)
@given(documents, st.data())
def test_given_sentences_count_as_picked(case, document, data):
    before = data.draw(st.sets(st.integers(0, max(len(document) - 1, 0)), max_size=3))
    before = sorted(before) if document else []
    assert_like_twin(document, case, before=before)
    if case in PAIRWISE:
        assert_like_twin(document, case, "paper", before=before)


@pytest.mark.parametrize("case", PAIRWISE[:8], ids=case_name)
@settings(max_examples=25, deadline=None)
@given(documents)
def test_small_blocks_and_fingerprints_change_no_pick(case, document):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairwise, "_BLOCK_FACTOR", 0)
        patch.setattr(pairwise, "_BLOCK_LEAST", 1)
        patch.setattr(pairwise, "MANY", 1)
        patch.setattr(pair_sums, "MANY", 1)
        patch.setattr(pair_sums, "_FEW", 1)
        patch.setattr(nearest, "_LISTED", 2)
        assert_like_twin(document, case)


@pytest.mark.parametrize("block", [1, 32], ids=["small blocks", "one block"])
@pytest.mark.parametrize("numbers", [np.zeros, np.ones, np.arange], ids=lambda each: each.__name__)
@pytest.mark.parametrize("case", [c for c in PAIRWISE if c[3] == "mean"], ids=case_name)
@settings(max_examples=15, deadline=None)
@given(documents)
def test_sums_with_one_fingerprint_are_told_apart(block, numbers, case, document):
    """Coarse sums are close to one another, and planted fingerprints agree where sums differ."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairwise, "_BLOCK_FACTOR", 0)
        patch.setattr(pairwise, "_BLOCK_LEAST", block)
        patch.setattr(pairwise, "MANY", 1)
        patch.setattr(pair_sums, "MANY", 1)
        patch.setattr(pair_sums, "_MAX_SCALE", 2)
        patch.setattr(pair_sums, "_random_numbers", lambda count: numbers(count).astype(np.int64))
        selection = picks(document, *case)
    assert list(selection.picked) == [index for index, _ in gsg_twin.order(document, *case)]


@pytest.mark.parametrize("unique", [False, True])
@pytest.mark.parametrize(
    "document",
    [
        random_text(9_000),
        [f"a{i // 2} b{i} c{i % 3}" for i in range(300)],
        [f"error {i % 5} at node {i % 7} code {i % 31}" for i in range(300)],
    ],
    ids=["random", "lines with one partner", "log lines"],
)
def test_long_documents_equal_the_twin(document, unique):
    words = [gsg_twin.words_of(text) for text in document if gsg_twin.words_of(text)]
    expected = gsg_twin.long_pairwise(words, unique, len(words) // 3)
    document = [" ".join(each) for each in words]
    selection = picks(document, "sequential-pairwise", "1", unique, "mean")
    assert list(selection.picked[: len(expected)]) == expected


@pytest.mark.parametrize("strategy", ["sequential-document", "sequential-pairwise"])
def test_fewer_picks_are_the_first_of_more(strategy):
    tokens = tokens_of(random_text(4_000))
    wanted = GapSentenceSettings(strategy=strategy)
    long = result_of(order(tokens, wanted, StopToken()))
    short = result_of(order(tokens, wanted, StopToken(), limit=10))
    assert short.picked == long.picked[:10]
    assert sorted(long.picked) == np.flatnonzero(tokens.lengths).tolist()


@pytest.mark.parametrize("rouge", ["1", "2", "L"])
@pytest.mark.parametrize("stem", [False, True])
def test_scores_agree_with_rouge_score(rouge, stem):
    document = [text for text in random_text(1_500) if gsg_twin.words_of(text)]
    document += [
        "The cats were running happily.",
        "A cat runs happier than running cats",
        "The cat",
    ]
    scorer = RougeScorer([f"rouge{rouge}"], use_stemmer=stem)
    pairs = select_gap_sentences(
        document, GapSentenceSettings(strategy="independent-pairwise", rouge=rouge, stem=stem)
    )
    for index, score in zip(pairs.picked, pairs.scores, strict=True):
        others = [text for at, text in enumerate(document) if at != index]
        f1s = [scorer.score(other, document[index])[f"rouge{rouge}"].fmeasure for other in others]
        assert score == pytest.approx(sum(f1s) / len(f1s), abs=1e-9)


@pytest.mark.parametrize("strategy", ["independent-document", "sequential-document"])
def test_document_scores_agree_with_rouge_score(strategy):
    document = [text for text in random_text(3_000) if gsg_twin.words_of(text)]
    scorer = RougeScorer(["rouge1"])
    selection = select_gap_sentences(document, GapSentenceSettings(strategy=strategy))
    for rank, (index, score) in enumerate(zip(selection.picked, selection.scores, strict=True), 1):
        chosen = selection.picked[:rank] if strategy.startswith("sequential") else [index]
        sides = [
            " ".join(text for at, text in enumerate(document) if (at in chosen) == inside)
            for inside in (True, False)
        ]
        assert score == pytest.approx(scorer.score(*sides)["rouge1"].fmeasure, abs=1e-9)


def test_lead_and_random_have_no_scores():
    document = ["", "one", "two", "three", "four", "!"]
    lead = select_gap_sentences(document, GapSentenceSettings(strategy="lead", count=2))
    assert lead.picked == (1, 2)
    assert lead.scores == (None, None)
    chance = [
        select_gap_sentences(document, GapSentenceSettings(strategy="random", count=3, seed=seed))
        for seed in (1, 1, 2, 3)
    ]
    assert chance[0] == chance[1]
    assert len({selection.picked for selection in chance}) > 1
    assert all(set(selection.picked) <= {1, 2, 3, 4} for selection in chance)


def test_each_document_draws_its_own_chance():
    tokens = tokens_of(random_text(2_000))
    wanted = GapSentenceSettings(strategy="random")
    first, second = (
        result_of(select(tokens, wanted, StopToken(), document=number)) for number in (0, 1)
    )
    assert first.picked != second.picked


@pytest.mark.parametrize(
    ("number", "ratio", "expected"),
    [(2, 0.3, 1), (5, 0.3, 2), (100, 0.145, 15), (3, 0.01, 1), (3, 0.99, 2), (15, 0.1, 2)],
)
def test_ratio_rounds_halves_up_and_leaves_one(number, ratio, expected):
    assert num_picks(number, GapSentenceSettings(ratio=ratio)) == expected


def test_count_wins_over_the_ratio_and_leaves_one():
    assert num_picks(10, GapSentenceSettings(ratio=0.5, count=3)) == 3
    assert num_picks(10, GapSentenceSettings(count=99)) == 9


def test_a_range_of_ratios_is_drawn_evenly_per_document():
    wanted = GapSentenceSettings(ratio=0.15, ratio_to=0.45)
    counts = [num_picks(1000, wanted, document) for document in range(400)]
    assert 150 <= min(counts) < 165
    assert 435 < max(counts) <= 450
    assert sum(counts) / len(counts) == pytest.approx(300, abs=15)


def test_noise_changes_the_order_but_not_the_scores():
    document = random_text(2_000)
    plain, noisy = (
        select_gap_sentences(
            document, GapSentenceSettings(strategy="independent-document", ratio=0.9, noise=noise)
        )
        for noise in (0.0, 0.2)
    )
    assert plain.picked != noisy.picked
    known = dict(zip(plain.picked, plain.scores, strict=True))
    both = [
        (known[at], score)
        for at, score in zip(noisy.picked, noisy.scores, strict=True)
        if at in known
    ]
    assert len(both) > 30
    assert all(a == b for a, b in both)


@pytest.mark.parametrize("document", [[], [""], ["!", "?"], ["one", ""]])
@pytest.mark.parametrize("strategy", ["sequential-document", "independent-pairwise", "lead"])
def test_too_little_text_picks_nothing_and_says_so(document, strategy):
    selection = select_gap_sentences(document, GapSentenceSettings(strategy=strategy))
    assert selection.picked == ()
    assert selection.note.startswith("Nothing was picked: ")
    assert selection.num_scorable < 2


def test_sentences_of_another_script_name_the_tokenizer_that_sees_them():
    sentences = ["Кошка спит.", "Собака лает.", "Дом стоит у реки."]
    assert "--tokenizer unicode" in select_gap_sentences(sentences).note
    assert select_gap_sentences(sentences, GapSentenceSettings(tokenizer="unicode")).picked


def test_a_given_sentence_that_is_not_there_is_refused():
    tokens = tokens_of(["a b", "b c"])
    with pytest.raises(EpitomeError, match="Sentence 2 is not in the document"):
        result_of(order(tokens, GapSentenceSettings(), StopToken(), given=[2]))


@pytest.mark.parametrize("case", LONG, ids=case_name)
def test_a_wish_to_stop_is_heard_midway(case):
    stop = StopToken()
    strategy, rouge, unique, aggregate = case
    wanted = GapSentenceSettings(strategy=strategy, rouge=rouge, unique=unique, aggregate=aggregate)
    with pytest.raises(Stopping):
        for _ in order(tokens_of(random_text(100_000)), wanted, stop):
            stop.request("cancel")


def test_long_work_tells_how_far_it_is():
    tokens = tokens_of(random_text(20_000))
    for strategy in ("sequential-document", "sequential-pairwise"):
        steps = list(select(tokens, GapSentenceSettings(strategy=strategy), StopToken()))
        assert steps and all(isinstance(step, Progress) for step in steps)
        assert all(0 <= step.done <= step.total for step in steps)
