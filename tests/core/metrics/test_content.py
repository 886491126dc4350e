"""Content words of summaries against their documents, by hand and by the reference program."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from core.metrics.content import ContentWords, recipe

ENGLISH = "The pump feeds the boiler of the hall, and it was tested in the year 1950."
WORDS = st.lists(st.sampled_from("the of pump boiler hall valve it opens".split()), max_size=12)


def test_function_words_do_not_count() -> None:
    found = ContentWords().score("The boiler was of the tested valve", ENGLISH)
    # boiler tested valve, against pump feeds boiler hall tested year 1950
    assert found.precision == pytest.approx(2 / 3)
    assert found.recall == pytest.approx(2 / 7)


def test_order_counts() -> None:
    assert ContentWords().score("boiler pump", ENGLISH).precision == 0.5
    assert ContentWords().score("pump boiler", ENGLISH).precision == 1


def test_a_summary_of_function_words_alone_scores_nothing() -> None:
    found = ContentWords().score("It was in the", ENGLISH)
    assert (found.precision, found.recall) == (0, 0)


def test_the_language_of_the_document_says_which_words_are_function_words() -> None:
    german = (
        "Die Pumpe speist den Kessel der Halle, und sie wurde in dem Jahr geprüft. Der Kessel ist "
        "älter als die Pumpe, und das Ventil wird von Hand geöffnet, wenn der Druck fällt."
    )
    found = ContentWords().score("Die Pumpe und der Kessel", german)
    assert found.precision == 1
    assert ContentWords().score("Der und die mit", german).precision == 0


@given(WORDS, WORDS, st.booleans())
def test_it_is_rouge_l_without_stop_words(
    summary: list[str], document: list[str], stem: bool
) -> None:
    stop = {"the", "of", "it"}
    texts = (" ".join(word for word in each if word not in stop) for each in (document, summary))
    wished = RougeScorer(["rougeL"], use_stemmer=stem).score(*texts)["rougeL"]
    # The sentence says that the document is English; none of its words is in a summary.
    told = "He says that this is what they were asked for. " + " ".join(document)
    found = ContentWords(stem=stem).score(" ".join(summary), told)
    more = 2  # says, asked
    assert found.precision == pytest.approx(wished.precision)
    length = len([word for word in document if word not in stop])
    assert found.recall == pytest.approx(wished.recall * length / (length + more))


def test_the_recipe_names_the_source() -> None:
    assert "Hoang et al. (2019): ROUGE-L" in recipe() and "Porter" in recipe(stem=True)
