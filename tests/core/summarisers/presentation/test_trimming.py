"""What joins a sentence to its place is taken off, and nothing that it says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.summarisers.presentation.trimming import trim_sentence
from core.summarisers.ranking import CitationStyle

PAPER = CitationStyle(numbers=True, names=True)
TAKEN_OFF = {
    "However, the model was wrong about it.": "The model was wrong about it.",
    "In addition, mice were found in most of the barns.": "Mice were found in most of the barns.",
    "In addition, mRNA was found in most of the cells.": "mRNA was found in most of the cells.",
    "Moreover, p53 and c-Myc stop most of the cells.": "p53 and c-Myc stop most of the cells.",
    "Thus, read_all() takes the whole of the file.": "read_all() takes the whole of the file.",
    "However, β-catenin was lost in most of the cells.": "β-catenin was lost in most of the cells.",
    "However, anti-DNA drugs were of no use to them.": "Anti-DNA drugs were of no use to them.",
    "1. It raises important questions and more.": "It raises important questions and more.",
    "• The plan covers all towns.": "The plan covers all towns.",
    "_____ The plan covers all towns.": "The plan covers all towns.",
    "But the plan covers all towns.": "The plan covers all towns.",
    "And most of the towns agreed to it.": "Most of the towns agreed to it.",
    "Still, however, the plan covers all towns.": "The plan covers all towns.",
    "However, and most of all, the plan is old.": "Most of all, the plan is old.",
    "And finally, the plan covers all towns.": "The plan covers all towns.",
    "Title II: Work and Pay - Jobs Act - Subtitle A: Reforms - Amends the old law.": (
        "Amends the old law."
    ),
    "Jobs Act of 2012 - Title I: Taxes - (Sec. 101) Amends the old law.": "Amends the old law.",
    "[!NOTE] The plan covers all towns.": "The plan covers all towns.",
    "(b) The plan covers all towns.": "The plan covers all towns.",
    "b. The plan covers all towns.": "The plan covers all towns.",
    "iv. The plan covers all towns.": "The plan covers all towns.",
    "XIV. The plan covers all towns.": "The plan covers all towns.",
    "4.2. The plan covers all towns.": "The plan covers all towns.",
    "4.2.1 The plan covers all towns.": "The plan covers all towns.",
    "Results: The drug cut deaths by half.": "The drug cut deaths by half.",
    "Abstract—The drug cut deaths by half.": "The drug cut deaths by half.",
    "The drug cut deaths (Fig. 3A) in mice [12, 14].": "The drug cut deaths in mice.",
    "We show that cats purr (Smith et al., 2010).": "We show that cats purr.",
    "The rate rose again last year.12": "The rate rose again last year.",
    "The set of all towns (see below) is finite.": "The set of all towns is finite.",
    "The set of all towns (§2.1) is finite (see §§ 3–5).": "The set of all towns is finite.",
    "Bees were found in many towns [14], [16]–[18].": "Bees were found in many towns.",
    "Many tests of fit exist ([18], [1], [22]).": "Many tests of fit exist.",
    "The rate of loss rose (Table 1; p < 0.01).": "The rate of loss rose (p < 0.01).",
    "Cells lost the dye (green; Cho and Lee, 2010).": "Cells lost the dye (green).",
    "The dye is lost at once (for a review, see Cho, 2010).": "The dye is lost at once.",
}
STAYS = (
    "However hard they try, the rate will fall.",
    "But for the plan, the towns would be poor.",
    "But not all of the towns agreed to it.",
    "And, but for the plan, they would be poor.",
    "V. Smith covers all towns in his plan.",
    "1.5 Tesla magnets were used for all of it.",
    "3.11.2 is the last release of them all.",
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
    "The layer maps each input to the interval [1, 2] before the sum.",
    "Numbers in the range [1–255] are divided by the mean.",
    "The loop reads the value of args[3] and of the_list[4].",
    "This is the same as writing let a = [3, 3, 3] by hand.",
    "The Act (effective January 1, 2020) repeals the duty.",
    "The loan (due March 31, 2027) bears interest.",
    "Beer was tasted again (Spring and Summer, 2013) in town.",
    "The stake (worth $3 billion, 2010) was sold to the state.",
    "The limit applies to income (Box 1 of Form W-2) and to tips.",
    "The tenants may leave at once (§ 543 BGB).",
    "Tenants with vouchers (Section 8 housing) pay a third.",
    "Too much sucrose (table sugar) is bad for the teeth.",
    "It derives the traits of a list (Eq, PartialEq) by itself.",
    "The time was as long as before (Figure 3B, τ = 540 s).",
    "The method was first described by (Chiang, 2007) in a note.",
    "It uses the same set of rules as in [12] and [14].",
    "Deliver all returned goods to Warehouse No. 12",
    "Deliver all returned goods by Sept. 12",
)
NO_PAPER = (
    "The year was hot, and a plan [50] of the town was lost.",
    "The third meeting of the board (Copenhagen, 2009) failed.",
)


@pytest.mark.parametrize(("text", "left"), TAKEN_OFF.items())
def test_what_joins_it_to_its_place_is_taken_off(text: str, left: str) -> None:
    assert trim_sentence(text, "en", PAPER) == left


@pytest.mark.parametrize("text", STAYS)
def test_what_is_said_stays(text: str) -> None:
    assert trim_sentence(text, "en", PAPER) == text


def test_a_number_right_behind_a_word_is_an_index_unless_the_document_cites_so() -> None:
    text = "It reads the mice[12] and the_list[3] at once.[4]"
    assert trim_sentence(text, "en", PAPER) == "It reads the mice[12] and the_list[3] at once."
    glued = CitationStyle(numbers=True, glued=True)
    assert trim_sentence(text, "en", glued) == "It reads the mice and the_list[3] at once."


@pytest.mark.parametrize("text", NO_PAPER)
def test_where_a_document_does_not_cite_nothing_is_taken_for_a_citation(text: str) -> None:
    assert trim_sentence(text, "en") == text
    assert trim_sentence(text, "en", PAPER) != text


@pytest.mark.parametrize(
    "text",
    [
        "Le rapport pose une question simple : qui paiera la facture ?",
        "Le conseil a voté le budget ; il entre en vigueur en mai.",
    ],
)
def test_french_keeps_the_spaces_before_its_marks(text: str) -> None:
    assert trim_sentence(text, "fr") == text


def test_each_language_has_its_connectives() -> None:
    assert (
        trim_sentence("Cependant, le modèle était faux ici.", "fr") == "Le modèle était faux ici."
    )
    assert trim_sentence("Sin embargo, el modelo era falso.", "es") == "El modelo era falso."
    assert trim_sentence("Mais le modèle était faux ici.", "fr") == "Le modèle était faux ici."
    assert trim_sentence("Aber das Modell war falsch.", "de") == "Das Modell war falsch."
    assert trim_sentence("Pero el modelo era falso.", "es") == "El modelo era falso."
    german = "Allerdings, das Modell war falsch."
    assert trim_sentence(german, "de") == german


@given(st.text(), st.sampled_from(["", "en", "de", "fr", "ja"]))
def test_any_text_is_shortened_or_stays(text: str, language: str) -> None:
    line = " ".join(text.split())
    left = trim_sentence(line, language)
    assert len(left) <= len(line)
    assert left or not line
