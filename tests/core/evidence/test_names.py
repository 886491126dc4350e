"""What is a name, and when a document has it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evidence.names import KnownNames, names

TEXT = (
    "The World Health Organization met in Europe. Marie Curie and Prince Andréy worked in Paris. "
    "A natural language "
    "processor reads; natural language processors are slow. GPUs and the mRNA of mice were used."
)


def words(text: str, **how: bool) -> list[str]:
    return [" ".join(text[start:end] for start, end in run) for run in names(text, **how)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The plan of Marie Curie was read in New York.", ["Marie Curie", "New York"]),
        ("Researchers agreed. However, they left.", []),
        ("WHO reports that p53 and mRNA vary.", ["WHO", "p53", "mRNA"]),
        ("• Protein: The Big Picture of Life", []),
        ("He said: “Nobody knows Bob.”", ["Bob"]),
    ],
)
def test_names_of_a_sentence(text: str, found: list[str]) -> None:
    assert words(text) == found


def test_where_every_noun_has_a_capital_only_odd_words_are_names() -> None:
    german = (
        "Gestern hat der Senat über die neuen Regeln für den Verkehr in der Stadt beraten, und die "
        "Parteien streiten noch über die Kosten für die Verwaltung."
    )
    assert not KnownNames(german * 5).by_capitals
    assert KnownNames(TEXT).by_capitals
    assert words("Der Rat der BVG mag das Rad.", by_capitals=False) == ["BVG"]


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("Curie", True), ("curie", True), ("Einstein", False), ("European", True),
        ("GPU", True), ("GPUs", True), ("mRNAs", True), ("NLP", True), ("WHO", True),
        ("CIA", False), ("Andrey", True), ("Curié", True),
    ],
)  # fmt: skip
def test_a_document_has_a_name_in_any_form(name: str, there: bool) -> None:
    assert bool(KnownNames(TEXT).places(name)) is there


@pytest.mark.parametrize(("name", "there"), [("UK", True), ("US", True), ("EU", False)])
def test_an_acronym_may_be_written_with_points(name: str, there: bool) -> None:
    assert bool(KnownNames("The U.K. and the U. S. met in E. Ulm.").places(name)) is there


def test_a_spelled_out_name_is_there_by_its_initials() -> None:
    sentence = "It was the World Health Organization."
    (run,) = names(sentence)
    assert KnownNames("The WHO met.").has_acronym_of(sentence, run)
    assert not KnownNames("The EU met.").has_acronym_of(sentence, run)


@given(st.text(), st.text())
def test_any_text_is_looked_up_in_any_other(text: str, sentence: str) -> None:
    known = KnownNames(text)
    for run in names(sentence, known.by_capitals):
        known.has_acronym_of(sentence, run)
        for start, end in run:
            assert all(0 <= place < len(text) for place in known.places(sentence[start:end]))


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("GPT-4", True), ("GPT-5", False), ("COVID-19", True), ("IL-6", True), ("IL-8", True),
        ("IL-2", False), ("Su-57s", True), ("BERT-2", False), ("MT-05", True),
    ],
)  # fmt: skip
def test_a_number_tied_to_a_name_must_stand_there_too(name: str, there: bool) -> None:
    text = "Both GPT-4 and GPT\u20113.5 knew COVID, IL 6, kinds such as IL-8, the Su-57, MT05. 5 2"
    assert words(f"It was {name} that was seen.") == [name]
    assert bool(KnownNames(text).places(name)) is there
