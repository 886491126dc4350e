"""What joins a sentence to its place is taken off, and nothing that it says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.summarisers.trimming import trimmed

TAKEN_OFF = {
    "However, the model was wrong about it.": "The model was wrong about it.",
    "In addition, mRNA was found in most of the cells.": "MRNA was found in most of the cells.",
    "1. It raises important questions and more.": "It raises important questions and more.",
    "• The plan covers all towns.": "The plan covers all towns.",
    "_____ The plan covers all towns.": "The plan covers all towns.",
    "But the plan covers all towns.": "The plan covers all towns.",
    "And most of the towns agreed to it.": "Most of the towns agreed to it.",
    "Title II: Work and Pay - Jobs Act - Subtitle A: Reforms - Amends the old law.": (
        "Amends the old law."
    ),
    "Jobs Act of 2012 - Title I: Taxes - (Sec. 101) Amends the old law.": "Amends the old law.",
    "[!NOTE] The plan covers all towns.": "The plan covers all towns.",
    "(b) The plan covers all towns.": "The plan covers all towns.",
    "Results: The drug cut deaths by half.": "The drug cut deaths by half.",
    "Abstract—The drug cut deaths by half.": "The drug cut deaths by half.",
    "The drug cut deaths (Fig. 3A) in mice [12, 14].": "The drug cut deaths in mice.",
    "We show that cats purr (Smith et al., 2010).": "We show that cats purr.",
    "The rate rose again last year.12": "The rate rose again last year.",
    "The set of all towns (see below) is finite.": "The set of all towns is finite.",
}
STAYS = (
    "However hard they try, the rate will fall.",
    "But for the plan, the towns would be poor.",
    "But not all of the towns agreed to it.",
    "The plan - like title I of the law - covers all towns.",
    "The plan of the county - the largest - covers all towns.",
    "Thus far the plan covers all towns.",
    "For example, a dog can smell fear.",
    "The rate was 3.5 in the year 2019.12",
    "The survey (2019) covers all towns.",
    "The members (all but three) agreed to it.",
    "Results are shown for all towns.",
    "A. Smith was the first to see it.",
    "Finally, yes.",
)


@pytest.mark.parametrize(("text", "left"), TAKEN_OFF.items())
def test_what_joins_it_to_its_place_is_taken_off(text: str, left: str) -> None:
    assert trimmed(text, "en") == left


@pytest.mark.parametrize("text", STAYS)
def test_what_is_said_stays(text: str) -> None:
    assert trimmed(text, "en") == text


def test_each_language_has_its_connectives() -> None:
    assert trimmed("Cependant, le modèle était faux ici.", "fr") == "Le modèle était faux ici."
    assert trimmed("Sin embargo, el modelo era falso.", "es") == "El modelo era falso."
    assert trimmed("Mais le modèle était faux ici.", "fr") == "Le modèle était faux ici."
    assert trimmed("Aber das Modell war falsch.", "de") == "Das Modell war falsch."
    assert trimmed("Pero el modelo era falso.", "es") == "El modelo era falso."
    german = "Allerdings, das Modell war falsch."
    assert trimmed(german, "de") == german


@given(st.text(), st.sampled_from(["", "en", "de", "fr", "ja"]))
def test_any_text_is_shortened_or_stays(text: str, language: str) -> None:
    line = " ".join(text.split())
    left = trimmed(line, language)
    assert len(left) <= len(line)
    assert left or not line
