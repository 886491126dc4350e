"""What keeps a sentence of another language from standing alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.languages import languages
from core.summarisers.rules.defects import DefectRules, is_incomplete, is_signpost, rules_for
from core.summarisers.rules.noise import classify_noise
from core.summarisers.scoring.corrections import correct_quality
from core.summarisers.scoring.quality import Quality
from core.summarisers.selection.ordering import MAX_DEFECT_PROB
from core.summarisers.selection.utility import WORD_BUDGET


def get_rules(code: str) -> DefectRules:
    rules = rules_for(code)
    assert rules is not None
    return rules


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
DEFECTS = {
    ("de", "Siehe Abb. 3 im Anhang."): "refers elsewhere",
    ("de", "In Tabelle 2 stehen die Kosten."): "refers elsewhere",
    ("de", "Abbildung 4 zeigt die Brücke von Süden."): "refers elsewhere",
    ("de", "und das war alles, was er sagte."): "fragment",
    ("de", "Folgende Gründe sprechen dafür:"): "continues",
    ("fr", "Le tableau 2 donne les coûts."): "refers elsewhere",
    ("fr", "Voir la figure 3 de l’annexe."): "refers elsewhere",
    ("es", "Véase la figura 3 del anexo."): "refers elsewhere",
    ("it", "La tabella 2 riporta i costi."): "refers elsewhere",
    ("pt", "A figura 3 mostra a ponte."): "refers elsewhere",
    ("nl", "Zie afbeelding 3 in de bijlage."): "refers elsewhere",
    ("ru", "На рис. 3 показан мост."): "refers elsewhere",
    ("ru", "См. таблицу 2 в конце отчёта."): "refers elsewhere",
    ("zh", "当然。"): "fragment",
    ("it", "a) un ponte nuovo per la città."): "fragment",
    ("pl", "Rada postanowiła , ; zbudować most."): "damaged",
    ("fr", "© 2021 Les Éditions du Pont, tous droits réservés."): "boilerplate",
    ("de", "Was ihn trieb, war der Neid."): None,
    ("pt", "Do outro lado do rio, a cidade cresce."): None,
    ("nl", "'s Avonds werd het stil in de stad."): None,
    ("zh", "市议会决定建一座新桥。"): None,
    ("ar", "قرر المجلس بناء الجسر."): None,
}


@pytest.mark.parametrize(("code", "text"), [(c, t) for c, texts in LEANING.items() for t in texts])
def test_a_sentence_that_takes_up_the_one_before_is_dependent(code: str, text: str) -> None:
    assert get_rules(code).is_dependent(text)


@pytest.mark.parametrize(("code", "text"), [(c, t) for c, texts in STANDING.items() for t in texts])
def test_a_sentence_that_stands_alone_is_not_dependent(code: str, text: str) -> None:
    assert not get_rules(code).is_dependent(text)
    assert get_rules(code).find_defect(text) is None


@pytest.mark.parametrize(("code", "text"), DEFECTS)
def test_defects_are_those_of_the_language(code: str, text: str) -> None:
    assert get_rules(code).find_defect(text) == DEFECTS[code, text]


def test_of_english_and_of_an_unknown_language_what_was_learnt_decides_about_words() -> None:
    assert rules_for("") is rules_for("en") is None


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
    assert is_incomplete(text)


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
    assert not is_incomplete(text)


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
    (defect_prob,) = correct_quality(learnt, [text], "en").defect_prob
    assert WORD_BUDGET.max_defect_prob < defect_prob <= MAX_DEFECT_PROB


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
    quality = correct_quality(learnt, ["(It may be left out.)", "The valve opens."], "en")
    assert quality.defect_prob.tolist() == [1.0, 0.1]
    assert quality.dependency_prob.tolist() == [0.0, 0.1]


@given(st.text(max_size=80), st.sampled_from(sorted({*languages()} - {"en"})))
def test_any_sentence_is_judged_in_any_language(text: str, code: str) -> None:
    rules = get_rules(code)
    rules.find_defect(text)
    rules.is_dependent(text)


def test_vowel_signs_are_no_damage() -> None:
    assert classify_noise("सभी मनुष्य स्वतन्त्र और समान जन्म लेते हैं।") is None
