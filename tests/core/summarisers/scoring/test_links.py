""" "Second" comes into a summary only with "first", and an exception only with its rule."""

from dataclasses import replace

import numpy as np
import pytest

from core.documents.document import Block, Document, Kind, Source
from core.summaries.summary import Length
from core.summarisers.built_in import rank_scored
from core.summarisers.choice import choose
from core.summarisers.rules.discourse import markers_for
from core.summarisers.scoring.links import find_marked_antecedents
from core.summarisers.scoring.quality import Quality
from tests.helpers.ranking import cut, score

COUNTED = {
    "en": [
        "First, the plan saves money for all towns.",
        "The county agreed to that last week.",
        "Second, the plan brings work to the valley.",
        "And thirdly, the plan keeps the river clean.",
    ],
    "de": [
        "Erstens spart der Plan allen Städten viel Geld.",
        "Der Kreis hat dem Vorhaben zugestimmt.",
        "Zweitens bringt der Plan Arbeit in das Tal.",
        "Drittens hält der Plan den Fluss sauber.",
    ],
    "fr": [
        "Premièrement, le plan épargne de l’argent aux villes.",
        "Le comté a donné son accord au projet.",
        "Deuxièmement, le plan apporte du travail à la vallée.",
        "En troisième lieu, le plan garde la rivière propre.",
    ],
    "es": [
        "En primer lugar, el plan ahorra dinero a los pueblos.",
        "El condado aprobó el proyecto la semana pasada.",
        "En segundo lugar, el plan lleva trabajo al valle.",
        "En tercer lugar, el plan mantiene limpio el río.",
    ],
}
EXCEPTIONS = {
    "en": [
        "However, this does not apply to farms.",
        "This rule does not apply to farms.",
        "The only exception is the old mill.",
        "Except on Sundays and holidays.",
        "There is one exception to this.",
    ],
    "de": [
        "Dies gilt jedoch nicht für Höfe.",
        "Allerdings gilt dies nicht für Höfe.",
        "Es sei denn der Hof ist alt.",
    ],
    "fr": [
        "Toutefois, cette règle ne s'applique pas aux fermes.",
        "Sauf le dimanche et les jours fériés.",
    ],
    "es": [
        "Sin embargo, esta regla no se aplica a las granjas.",
        "Salvo los domingos y los días festivos.",
    ],
}
WHOLE = {
    "en": [
        "Except on Sundays, the bridge is open to all cars.",
        "Unless the council agrees, no town may leave the plan.",
        "Second World War bombs lie in the river.",
        "An exceptional year it was for the valley.",
    ],
    "de": ["Außer sonntags, wenn niemand fährt, ist die Brücke offen."],
    "fr": ["Sauf le dimanche, le pont est ouvert à tous."],
    "es": ["Salvo los domingos, el puente está abierto a todos."],
}
RULE = "All buildings in the valley need a permit."


def document_of(*texts: str | Block, language: str = "en") -> Document:
    blocks = [text if isinstance(text, Block) else Block(text) for text in texts]
    document = Document.from_blocks(blocks, title="", source=Source("a.txt"))
    return replace(document, reading=replace(document.reading, language=language))


def antecedents(document: Document) -> list[int]:
    return find_marked_antecedents(document, cut(document)).tolist()


@pytest.mark.parametrize("code", COUNTED)
def test_each_place_of_an_enumeration_needs_the_one_before(code: str) -> None:
    together = document_of(" ".join(COUNTED[code]), language=code)
    apart = document_of(*COUNTED[code], language=code)
    assert antecedents(together) == antecedents(apart) == [-1, -1, 0, 2]


def test_a_noun_that_is_counted_needs_the_same_noun() -> None:
    steps = ["The first step saves money.", "The second town agreed.", "The second step costs it."]
    assert antecedents(document_of(*steps)) == [-1, -1, 0]


def test_enumerations_end_at_headings() -> None:
    first, other, second, _ = COUNTED["en"]
    heading = Block("What the plan costs", kind=Kind.HEADING)
    assert antecedents(document_of(first, heading, other, second)) == [-1, -1, -1]


@pytest.mark.parametrize(
    ("code", "text"), [(code, text) for code, texts in EXCEPTIONS.items() for text in texts]
)
def test_an_exception_needs_the_sentence_before_it(code: str, text: str) -> None:
    rule = RULE if code == "en" else COUNTED[code][1]
    assert antecedents(document_of(f"{rule} {text}", language=code)) == [-1, 0]
    assert antecedents(document_of(rule, text, language=code)) == [-1, 0]


@pytest.mark.parametrize(
    ("code", "text"), [(code, text) for code, texts in WHOLE.items() for text in texts]
)
def test_a_sentence_with_its_own_rule_needs_none(code: str, text: str) -> None:
    assert not markers_for(code).is_exception(text)
    assert markers_for(code).parse_ordinal(text) is None


def summarise(document: Document, importance: list[float], length: Length) -> list[str]:
    """Makes a summary as if all sentences were clear and had a certain importance."""
    quality = Quality(np.array(importance), *np.zeros((2, len(importance))))
    ranking = rank_scored(document, score(document), quality)
    return [sentence.text for sentence in choose(document, ranking, length).sentences]


def test_a_summary_has_second_only_with_first_and_then_both_keep_their_words() -> None:
    first, other, second, third = COUNTED["en"]
    document = document_of(first, other, second, third)
    weak_first = summarise(document, [2.0, 2.3, 3.0, 2.9], Length(1))
    assert weak_first == [other]
    assert summarise(document, [2.6, 1.6, 3.0, 1.3], Length(2)) == [first, second]


def test_first_without_second_loses_its_word() -> None:
    first, other, second, third = COUNTED["en"]
    document = document_of(first, other, second, third)
    assert summarise(document, [3.0, 2.5, 2.0, 1.5], Length(1)) == [
        "The plan saves money for all towns."
    ]


def test_a_second_without_a_first_in_the_document_loses_its_word() -> None:
    document = document_of(COUNTED["en"][2])
    assert summarise(document, [3.0], Length(1)) == ["The plan brings work to the valley."]


def test_an_exception_comes_with_its_rule() -> None:
    exception = "This rule does not apply to old farms and their barns."
    document = document_of(f"{RULE} {exception}", "The council agreed to the plan in May.")
    importance = [2.0, 3.0, 2.5]
    assert summarise(document, importance, Length(1)) == ["The council agreed to the plan in May."]
    assert summarise(document, importance, Length(3))[:2] == [RULE, exception]
