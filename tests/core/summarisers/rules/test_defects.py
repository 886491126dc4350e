"""What keeps a sentence of another language from standing alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.languages import languages
from core.summarisers.built_in import checked
from core.summarisers.rules.defects import Checks, checks_for, is_broken, is_signpost
from core.summarisers.rules.noise import waste_of
from core.summarisers.scoring.quality import Quality
from core.summarisers.selection.ordering import BY_WORDS, HOPELESS


def checks_of(code: str) -> Checks:
    checks = checks_for(code)
    assert checks is not None
    return checks


LEANING = {
    "de": [
        "Dies kostet mehr.",
        "Er kam spät.",
        "Jedoch blieb der Rat dabei.",
        "„Dabei fiel es auf.“",
    ],
    "fr": ["Cependant, le coût augmente.", "Elle fut détruite.", "C'est pourquoi il a refusé."],
    "es": ["Sin embargo, el coste sube.", "Por lo tanto, ganó.", "¡Esto no basta!"],
    "it": ["Tuttavia il costo sale.", "Questo non basta.", "Per questo motivo si decise."],
    "pt": ["No entanto, o custo sobe.", "Ela foi destruída.", "Por isso, o conselho recusou."],
    "nl": ["Daarom stijgen de kosten.", "Dit is niet genoeg.", "Hij kwam te laat."],
    "ru": ["Однако расходы выросли.", "Он опоздал на час.", "Таким образом, спор решён."],
    "zh": ["然而费用上升了很多。", "它建于十九世纪末。"],
    "ja": ["しかし費用は上がった。", "これは十分ではない。"],
    "ar": ["ومع ذلك ارتفعت التكلفة كثيرا.", "لكن المدينة لم تسقط."],
}
STANDING = {
    "de": ["Der Rat beschloss den Bau.", "Diese Arbeit untersucht Brücken.", "Es gibt drei Gründe.",
           "Erst 1998 wurde gebaut.", "Sobald es regnet, steigt die Ahr."],
    "fr": ["Le conseil a décidé.", "Il faut trois ans.", "Ce rapport décrit le pont.",
           "Il y a deux raisons.", "Oubliée pendant un siècle, la tour revit."],
    "es": ["El consejo decidió.", "Este informe describe el puente.", "Así como crece, mengua."],
    "it": ["Il consiglio ha deciso.", "Questo articolo descrive un ponte.",
           "Edifici nuovi sorgono."],
    "pt": ["O conselho decidiu.", "Este relatório descreve a ponte.",
           "Elaborar planos custa caro."],
    "nl": ["De raad besloot.", "Dit rapport beschrijft de brug.", "Zonder brug geen verkeer."],
    "ru": ["Совет решил строить мост.", "Эта статья описывает мост.", "Онтология изучает бытие."],
    "zh": ["市议会决定建桥。", "其他城市也在建桥。"],
    "ja": ["市議会は橋を建てることにした。", "それぞれの町に橋がある。"],
    "ar": ["قرر المجلس بناء الجسر.", "هذا التقرير يصف الجسر."],
}  # fmt: skip
FAULTS = {
    ("de", "Siehe Abb. 3 im Anhang."): "points away",
    ("de", "In Tabelle 2 stehen die Kosten."): "points away",
    ("de", "Abbildung 4 zeigt die Brücke von Süden."): "points away",
    ("de", "und das war alles, was er sagte."): "fragment",
    ("de", "Folgende Gründe sprechen dafür:"): "goes on",
    ("fr", "Le tableau 2 donne les coûts."): "points away",
    ("fr", "Voir la figure 3 de l’annexe."): "points away",
    ("es", "Véase la figura 3 del anexo."): "points away",
    ("it", "La tabella 2 riporta i costi."): "points away",
    ("pt", "A figura 3 mostra a ponte."): "points away",
    ("nl", "Zie afbeelding 3 in de bijlage."): "points away",
    ("ru", "На рис. 3 показан мост."): "points away",
    ("ru", "См. таблицу 2 в конце отчёта."): "points away",
    ("zh", "当然。"): "fragment",
    ("it", "a) un ponte nuovo per la città."): "fragment",
    ("pl", "Rada postanowiła , ; zbudować most."): "rubble",
    ("fr", "© 2021 Les Éditions du Pont, tous droits réservés."): "boilerplate",
    ("de", "Was ihn trieb, war der Neid."): None,
    ("pt", "Do outro lado do rio, a cidade cresce."): None,
    ("nl", "'s Avonds werd het stil in de stad."): None,
    ("zh", "市议会决定建一座新桥。"): None,
    ("ar", "قرر المجلس بناء الجسر."): None,
}


@pytest.mark.parametrize(("code", "text"), [(c, t) for c, texts in LEANING.items() for t in texts])
def test_what_takes_up_the_sentence_before_leans_on_it(code: str, text: str) -> None:
    assert checks_of(code).leans_back(text)


@pytest.mark.parametrize(("code", "text"), [(c, t) for c, texts in STANDING.items() for t in texts])
def test_what_stands_alone_leans_on_nothing(code: str, text: str) -> None:
    assert not checks_of(code).leans_back(text)
    assert checks_of(code).fault_of(text) is None


@pytest.mark.parametrize(("code", "text"), FAULTS)
def test_faults_are_those_of_the_language(code: str, text: str) -> None:
    assert checks_of(code).fault_of(text) == FAULTS[code, text]


def test_of_english_and_of_an_unknown_language_what_was_learnt_decides_about_words() -> None:
    assert checks_for("") is checks_for("en") is None


@pytest.mark.parametrize(
    "text",
    [
        "(Thus allows a particular agreement to be effective.",
        "(It may be left out.)",
        "“Tokens are a new asset class.",
        'He said "no.',
        "and the valve opens.",
        "It is shown in on the left.",
        "The pipe is concea. tric with the axis of it.",
        "The type is defined as one without values, e.g.",
        "Some laws allow the operation, i.e.",
        "The valve closes the inlet that is shown in Fig.",
    ],
)
def test_signs_alone_tell_an_english_sentence_that_is_not_whole(text: str) -> None:
    assert is_broken(text)


@pytest.mark.parametrize(
    "text",
    [
        "The valve (a small one) opens.",
        "The valve opens to all sides, etc.",
        "“No,” he said, and the “valve” opened.",
        "ssdtools is an R package to fit distributions.",
        "13. Provide an estimate for the total annual cost.",
        r"Values of $\text{HC}_5$ are estimated by the model.",
    ],
)
def test_names_numbers_and_formulas_are_no_such_signs(text: str) -> None:
    assert not is_broken(text)


@pytest.mark.parametrize(
    "text",
    [
        "In Section 3, we present a new system of transitions.",
        "Finally, in section 5.2 we compare it with older ones.",
        "Section 2 describes the algorithm and what it is for.",
        "Sections 3 and 4 then discuss the results.",
        "The rest of this paper is organized as follows.",
        "The remainder of the article describes the data.",
        "This paper is structured as follows: Section 2 is on the data.",
    ],
)
def test_what_tells_where_something_stands_is_a_signpost(text: str) -> None:
    assert is_signpost(text)
    learnt = Quality(np.ones(1), np.full(1, 0.1), np.zeros(1))
    (fault,) = checked(learnt, [text], "en").fault
    assert BY_WORDS.most_faulty < fault <= HOPELESS


@pytest.mark.parametrize(
    "text",
    [
        "Section 508 of the Rehabilitation Act requires access to technology.",
        "Section 2 provides that tenants may leave at once.",
        "In this paper, we present a new system of transitions.",
        "The rest of the money describes a long way to the county.",
        "In Section 8 housing, tenants pay a third of the rent.",
        "We present a new system, which Section 3 describes.",
    ],
)
def test_laws_and_findings_are_no_signposts(text: str) -> None:
    assert not is_signpost(text)


def test_what_is_not_whole_is_a_fault_for_certain() -> None:
    learnt = Quality(np.ones(2), np.full(2, 0.1), np.full(2, 0.1))
    found = checked(learnt, ["(It may be left out.)", "The valve opens."], "en")
    assert found.fault.tolist() == [1.0, 0.1] and found.leans.tolist() == [0.0, 0.1]


@given(st.text(max_size=80), st.sampled_from(sorted({*languages()} - {"en"})))
def test_any_sentence_is_judged_in_any_language(text: str, code: str) -> None:
    checks = checks_of(code)
    checks.fault_of(text)
    checks.leans_back(text)


def test_signs_for_vowels_are_no_rubble() -> None:
    assert waste_of("सभी मनुष्य स्वतन्त्र और समान जन्म लेते हैं।") is None
