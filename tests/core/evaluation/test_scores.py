"""What is measured of each document, what of all, and what a reader is told."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.errors import EpitomeError
from core.evaluation.pairs import Pairs
from core.evaluation.scores import UNSUPPORTED, Scores, cautions, cautions_of_pairs, recipes, score
from core.evaluation.settings import ALL, Metric, ScoreSettings
from core.events import result_of
from core.metrics import bleu
from core.metrics.content import ContentWords
from core.metrics.novelty import novelty
from core.metrics.rouge import rouge
from core.stop import Stopping, StopToken

REFERENCES = ("The valve opens. The pump runs.", "A lamp is lit.", "")
PREDICTIONS = ("The pump runs.\nThe valve opens.", "The lamp was lit at last.", "Nothing.")
DOCUMENTS = ("When the pump runs, the valve opens.", "A lamp is lit at last.", "Nothing at all.")
PAIRS = Pairs(Path("pairs.csv"), ("a", "b", "c"), REFERENCES, DOCUMENTS, ())


def scored(*metrics: Metric, pairs: Pairs = PAIRS, **settings: object) -> Scores:
    chosen = ScoreSettings.checked({"metrics": metrics, **settings})
    return result_of(score("it", "it, whole", PREDICTIONS, pairs, chosen, StopToken()))


def column(scores: Scores, name: str) -> list[float]:
    names = [measure.name for measure in scores.measures]
    found: list[float] = scores.values[:, names.index(name)].tolist()
    return found


def test_rouge_is_in_percent_for_each_document() -> None:
    scores = scored("rouge-2", "rouge-w", stem=True)
    for name, kind in (("rouge-2", "2"), ("rouge-w", "W")):
        for part in ("precision", "recall", "f1"):
            wished = [
                100 * getattr(rouge(*texts, (kind,), stem=True)[kind], part)
                for texts in zip(PREDICTIONS, REFERENCES, strict=True)
            ]
            assert column(scores, f"{name} {part}") == wished


def test_sentences_are_lines_unless_they_are_to_be_found() -> None:
    turned = Pairs(Path("pairs.csv"), ("a",), ("The pump runs. The valve opens.",), None)
    for breaks, wished in (("lines", 50), ("found", 100)):
        settings = ScoreSettings.checked({"metrics": ["rouge-lsum"], "sentence_breaks": breaks})
        steps = score("it", "", REFERENCES[:1], turned, settings, StopToken())
        assert column(result_of(steps), "rouge-lsum f1") == [pytest.approx(wished)]


def test_a_system_gains_no_support_by_writing_nothing() -> None:
    chosen = ScoreSettings.checked({"metrics": ["support"]})
    written = ("", "\n ", "Nothing at all.")
    scores = result_of(score("it", "", written, PAIRS, chosen, StopToken()))
    assert column(scores, UNSUPPORTED) == [100, 100, 0]
    assert "an empty prediction counts as 100 %" in recipes(chosen, PAIRS)["support"]


def test_novelty_content_and_words_are_those_of_the_prediction() -> None:
    scores = scored("novelty", "content", "words")
    wished = novelty(PREDICTIONS[1], DOCUMENTS[1])
    for size in (1, 2, 3, 4):
        assert column(scores, f"novel {size}-grams")[1] == 100 * wished.novel[size - 1]
    assert column(scores, "coverage")[1] == wished.coverage
    assert column(scores, "density")[1] == wished.density
    assert column(scores, "compression")[1] == wished.compression
    content = ContentWords().score(PREDICTIONS[1], DOCUMENTS[1])
    assert column(scores, "content precision")[1] == 100 * content.precision
    assert column(scores, "content recall")[1] == 100 * content.recall
    assert column(scores, "words") == [6, 6, 1]
    assert column(scores, "reference words") == [6, 4, 0]


def test_over_all_documents_means_are_taken_and_bleu_is_counted_once() -> None:
    scores = scored("rouge-1", "bleu")
    names = [measure.name for measure in scores.all_measures]
    assert names[3:] == ["bleu-1", "bleu-2", "bleu-3", "bleu-4"]
    assert scores.of_all[0] == pytest.approx(np.mean(column(scores, "rouge-1 f1")))
    texts = zip(PREDICTIONS, REFERENCES, strict=True)
    counts = np.sum([bleu.bleu_counts(*pair) for pair in texts], axis=0)
    assert scores.of_all[3:].tolist() == list(bleu.bleu_of(counts))


def test_bleu_alone_is_enough() -> None:
    scores = scored("bleu")
    assert scores.values.shape == (3, 0)
    assert len(scores.of_all) == 4 and scores.drawn(0).shape == (1000, 4)


def test_a_drawing_counts_each_document_as_often_as_it_was_drawn() -> None:
    scores = scored("words", "bleu")
    words, _, bleu_1, *_ = scores.over(np.array([1, 0, 3])).tolist()
    assert words == pytest.approx((6 + 3 * 1) / 4)
    counts = [bleu.bleu_counts(PREDICTIONS[at], REFERENCES[at]) for at in (0, 2, 2, 2)]
    assert bleu_1 == bleu.bleu_of(np.sum(counts, axis=0))[0]


def test_a_wish_to_end_is_heard() -> None:
    stop = StopToken()
    steps = score("it", "it", PREDICTIONS, PAIRS, ScoreSettings(), stop)
    assert next(steps).what == "Scoring it"
    stop.request("stop")
    with pytest.raises(Stopping):
        next(steps)


def test_every_metric_that_is_asked_for_has_its_recipe() -> None:
    told = recipes(ScoreSettings(metrics=ALL, stem=True, sentence_breaks="found"), PAIRS)
    assert list(told) == ["rouge", "bleu", "novelty", "content", "support", "words"]
    assert "Porter stemming" in told["rouge"] and told["rouge"].endswith("detected sentences")
    alone = replace(PAIRS, documents=None)
    assert list(recipes(ScoreSettings(metrics=("words", "novelty")), alone)) == ["words"]


def test_the_package_scores_where_it_is_chosen() -> None:
    theirs = scored("rouge-1", "rouge-lsum", scorer="rouge-score")
    ours = scored("rouge-1", "rouge-lsum")
    np.testing.assert_allclose(theirs.values, ours.values, rtol=0, atol=1e-9)
    recipe = recipes(ScoreSettings(metrics=("rouge-1",), scorer="rouge-score"), PAIRS)["rouge"]
    assert recipe.startswith("rouge-score 0.1.2: its tokenizer")


def test_lines_of_several_sentences_are_told_where_lines_are_sentences() -> None:
    lsum, found = ScoreSettings(metrics=("rouge-lsum",)), {"sentence_breaks": "found"}
    assert list(cautions_of_pairs(PAIRS, lsum))[1:] == [
        "rouge-lsum takes each line as a sentence, but 1 of 3 references have lines with several; "
        "--sentence-breaks found splits them."
    ]
    assert not list(cautions(scored("rouge-lsum"), PAIRS, lsum))
    for settings in (ScoreSettings(metrics=("rouge-l",)), lsum.model_copy(update=found)):
        assert not any("rouge-lsum" in line for line in cautions_of_pairs(PAIRS, settings))


def test_empty_texts_and_missing_documents_are_told() -> None:
    alone = Pairs(Path("pairs.csv"), ("a", "b", "c"), ("", "", "x"), None, ())
    assert list(cautions_of_pairs(alone, ScoreSettings(metrics=("novelty",)))) == [
        "Empty: 2 references, which nothing can match.",
        "“pairs.csv” has no documents, so novelty is not measured.",
    ]
    assert list(cautions_of_pairs(alone, ScoreSettings(metrics=("content", "novelty"))))[1:] == [
        "“pairs.csv” has no documents, so content and novelty are not measured."
    ]
    assert scored("novelty", "words", pairs=alone).values.shape == (3, 2)
    with pytest.raises(EpitomeError, match=r"pairs\.csv” has no column of documents.*--document-c"):
        scored("novelty", pairs=alone)
    scores = result_of(score("it", "", ("", " ", "x"), alone, ScoreSettings(), StopToken()))
    assert list(cautions(scores, alone, ScoreSettings())) == ["Empty: 2 predictions of it."]


RUSSIAN = ("Кошка спит на ковре.", "Собака лает во дворе.", "Дом стоит у реки.")


def test_a_set_is_scored_by_words_of_its_script() -> None:
    pairs = replace(PAIRS, references=RUSSIAN, documents=RUSSIAN)
    settings = ScoreSettings(metrics=("rouge-1", "content"))
    found = result_of(score("it", "it", RUSSIAN, pairs, settings, StopToken()))
    assert found.of_all.tolist() == [100.0] * 5
    assert "words of any script" in recipes(settings, pairs)["rouge"]
    as_before = settings.model_copy(update={"tokenizer": "rouge"})
    assert "a–z and 0–9" in recipes(as_before, pairs)["rouge"]
    assert list(cautions_of_pairs(pairs, as_before)) == [
        "3 of 3 references have no words that ROUGE counts (a–z and 0–9), and score 0; "
        "--tokenizer unicode finds those of any script."
    ]


def test_a_mixed_set_says_how_many_rows_have_no_word() -> None:
    mixed = replace(PAIRS, references=(RUSSIAN[0], "The cat sleeps on the long red carpet.", "A."))
    (told,) = cautions_of_pairs(mixed, ScoreSettings(metrics=("rouge-1",)))
    assert told.startswith("1 of 3 references have no words that ROUGE counts")
