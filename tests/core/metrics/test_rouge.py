"""ROUGE is that of `rouge_score`, to the last digits; ROUGE-W is that of Lin's paper."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

import core.metrics.rouge
from core.errors import EpitomeError
from core.metrics.rouge import REFERENCE, TYPES, Rouge, RougeScore, recipe, rouge
from core.metrics.subsequences import weighted_common_length

SHARED = tuple(name for name in TYPES if name != "W")
THEIRS = {stem: RougeScorer([f"rouge{t}" for t in SHARED], use_stemmer=stem) for stem in (0, 1)}
OURS = {stem: Rouge(SHARED, stem=bool(stem)) for stem in (0, 1)}
# Few words and many lines: subsequences of equal length are many, and all of them are right.
FEW = st.text("ab \n", max_size=60)
REAL = st.lists(
    st.sampled_from(
        "the running runner runs cats a 3.5% it's e-mail organisation's İstanbul Straße 漢字 \n "
        "\n\n \r\n , generalizations generalization oscillators 2026".split(" ")
    ),
    max_size=40,
).map(" ".join)


def agree(prediction: str, reference: str, stem: int) -> None:
    wished = THEIRS[stem].score(target=reference, prediction=prediction)
    found = OURS[stem].score(prediction, reference)
    for name in SHARED:
        score, theirs = found[name], wished[f"rouge{name}"]
        parts = (score.precision, score.recall, score.f1)
        assert parts == pytest.approx(tuple(theirs), rel=0, abs=1e-9), name


@given(FEW, FEW, st.sampled_from([0, 1]))
def test_lines_of_few_words_score_as_rouge_score_has_it(
    prediction: str, reference: str, stem: int
) -> None:
    agree(prediction, reference, stem)


@given(REAL | st.text(max_size=80), REAL | st.text(max_size=80), st.sampled_from([0, 1]))
def test_any_text_scores_as_rouge_score_has_it(prediction: str, reference: str, stem: int) -> None:
    agree(prediction, reference, stem)


@pytest.mark.parametrize("stem", [0, 1])
def test_long_texts_of_many_sentences_score_as_rouge_score_has_it(stem: int) -> None:
    chance = random.Random(7)
    words = [f"{root}{end}" for root in ("oper", "generat", "valv", "press") for end in
             ("e", "ing", "ed", "ation", "ations", "es", "s")]  # fmt: skip
    texts = [
        "\n".join(" ".join(chance.choices(words, k=chance.randrange(30))) for _ in range(9))
        for _ in range(12)
    ]
    for prediction, reference in pairwise(texts):
        agree(prediction, reference, stem)


@pytest.mark.parametrize("stem", [0, 1])
@pytest.mark.parametrize(
    ("prediction", "reference"),
    [
        ("was its", "wa it"),  # three letters, which are not stemmed
        ("a b\rc d", "c d\ra b"),  # one line: only line feeds part sentences
        ("a b\u2028c d", "c d\u2028a b"),
        ("c d\r\na b", "a b\r\nc d"),
    ],
)
def test_what_is_a_word_and_what_a_line_is_as_rouge_score_has_it(
    prediction: str, reference: str, stem: int
) -> None:
    agree(prediction, reference, stem)


def test_words_shared_by_hand():
    scores = rouge("the cat sat", "the cat lay down", ("1", "2", "L"))
    assert scores["1"] == RougeScore(2 / 3, 2 / 4, pytest.approx(4 / 7))
    assert scores["2"] == RougeScore(1 / 2, 1 / 3, pytest.approx(2 / 5))
    assert scores["L"].f1 == pytest.approx(4 / 7)


def test_longer_runs_of_words():
    scores = rouge("a b c d e", "x b c d e", ("3", "4"))
    assert scores["3"].f1 == pytest.approx(2 / 3)
    assert scores["4"].f1 == pytest.approx(1 / 2)


def test_lsum_takes_lines_for_sentences():
    prediction, reference = "c d\na b", "a b\nc d"
    scores = rouge(prediction, reference, ("L", "Lsum"))
    assert scores["Lsum"].f1 == 1
    assert scores["L"].f1 == pytest.approx(1 / 2)


def test_stems_are_compared_when_asked():
    assert rouge("running cats", "run cat", ("1",))["1"].f1 == 0
    assert rouge("running cats", "run cat", ("1",), stem=True)["1"].f1 == 1


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Кошка спит на ковре.", "Собака лает во дворе."),
        ("猫在地毯上睡觉。", "狗在院子里叫。"),
        ("แมวนอนบนพรม", "สุนัขเห่าในสวน"),
        ("القطة تنام على السجادة", "الكلب ينبح في الفناء"),
        ("बिल्ली कालीन पर सोती है", "कुत्ता आँगन में भौंकता है"),
    ],
)
def test_texts_of_any_script_score_by_their_words(text: str, other: str) -> None:
    assert rouge(text, text, ("1", "L"))["L"].f1 == 1.0
    assert rouge(other, text, ("1",))["1"].f1 < 0.5


def test_texts_of_the_latin_script_score_as_rouge_score_has_it() -> None:
    agree("Die Größe der Bäume: 3,5 m", "Größe und Höhe der Bäume", 0)
    german = rouge("Die Größe der Bäume: 3,5 m", "Größe und Höhe der Bäume", SHARED)
    assert german == OURS[0].score("Die Größe der Bäume: 3,5 m", "Größe und Höhe der Bäume")


def test_empty_texts_share_nothing():
    for prediction, reference in (("", ""), ("a", ""), ("", "a"), ("…", "\n")):
        scores = rouge(prediction, reference, TYPES)
        assert set(scores.values()) == {RougeScore(0, 0, 0)}


def test_weighted_scores_are_those_of_the_paper() -> None:
    # Lin (2004), section 4, with the weight 2: 4 in a row, or 4 that lie apart.
    words = dict(zip("ABCDEFGHIK", range(10), strict=True))
    x, in_a_row, apart = ([words[w] for w in text] for text in ("ABCDEFG", "ABCDHIK", "AHBKCID"))
    assert weighted_common_length(x, in_a_row, 2) == 16
    assert weighted_common_length(x, apart, 2) == 4
    assert weighted_common_length(x, apart, 2) ** 0.5 / 7 == pytest.approx(0.286, abs=5e-4)
    assert weighted_common_length(x, in_a_row, 2) ** 0.5 / 7 == pytest.approx(0.571, abs=5e-4)


@pytest.mark.parametrize(
    ("prediction", "reference", "length"),
    [
        ("a b c", "a b c", 3),
        ("a x b", "a b", 2 ** (1 / 1.2)),  # two runs of 1: 1 + 1
        ("a b x c", "a b c", (2**1.2 + 1) ** (1 / 1.2)),  # a run of 2 and one of 1
        ("x y", "a b", 0),
    ],
)
def test_weighted_scores_by_hand(prediction: str, reference: str, length: float) -> None:
    score = rouge(prediction, reference, ("W",))["W"]
    assert score.precision == pytest.approx(length / len(prediction.split()))
    assert score.recall == pytest.approx(length / len(reference.split()))


@given(FEW, FEW)
def test_a_weight_of_one_counts_no_more_than_the_longest_subsequence(a: str, b: str) -> None:
    first, second = ([*text.replace("\n", " ").split()] for text in (a, b))
    numbers = {word: number for number, word in enumerate({*first, *second})}
    x, y = ([numbers[word] for word in words] for words in (first, second))
    assert weighted_common_length(x, y, 1.0) == core.metrics.rouge.common_length(x, y)


@pytest.mark.parametrize("name", ["w", "5", "0", ""])
def test_an_unknown_kind_is_refused(name):
    told = r"not a ROUGE type; the types are 1, 2, 3, 4, L, Lsum, W\. Choose one of these\."
    with pytest.raises(EpitomeError, match=told):
        rouge("a", "a", ("1", name))


def test_the_recipe_names_version_words_and_stemming():
    assert "as rouge-score 0.1.2: its tokenizer" in recipe()
    assert "no stemming" in recipe()
    assert "Porter" in recipe(stem=True)
    assert "Lsum over the lines" in recipe() and "Lin (2004)" in recipe()
    assert recipe(("1", "2")) == recipe().partition(";")[0]


def test_the_recipe_names_the_program_that_the_tests_compare_with():
    from importlib.metadata import version

    assert f"rouge-score {version('rouge-score')}" == REFERENCE
