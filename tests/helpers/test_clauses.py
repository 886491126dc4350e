"""What the clause deleter takes, and what it leaves alone."""

import pytest

from tests.helpers.clauses import FEWEST_WORDS, Setting, cuts, shortened


@pytest.mark.parametrize(
    ("sentence", "shorter"),
    [
        (
            "The cells (about ten thousand of them) were kept in a warm bath for a week.",
            "The cells were kept in a warm bath for a week.",
        ),
        (
            "The old bridge, which was built in 1880, is closed to all heavy traffic today.",
            "The old bridge is closed to all heavy traffic today.",
        ),
        (
            "The method finds the shortest path in a graph, which saves a lot of time.",
            "The method finds the shortest path in a graph.",
        ),
        (
            "The store sells many kinds of metal tools, such as saws, nails, and hammers.",
            "The store sells many kinds of metal tools.",
        ),
        (
            "The valve closes the line at once, thereby keeping the pressure within bounds.",
            "The valve closes the line at once.",
        ),
        (
            "As described above, the device sends the measured value to a remote server.",
            "The device sends the measured value to a remote server.",
        ),
    ],
)
def test_careful_takes_what_can_be_spared(sentence: str, shorter: str) -> None:
    assert shortened(sentence) == shorter


@pytest.mark.parametrize(
    "sentence",
    [
        "The World Health Organization (WHO) counted the cases in all of the countries.",
        "Metals such as iron and copper are dug out of the ground in many countries.",
        "The chapter lists what a person needs (a) at home and (b) on the road to work.",
        "The plan which the council had chosen was given up by the next one in May.",
        "The rule holds for all of the parts (but not for the last one) of the machine.",
        "The result would hardly be changed by including the three pairs that were left out.",
        "If the pressure falls, the valve closes the line until it has risen again.",
        "The short one (which is here) ends.",
    ],
)
@pytest.mark.parametrize("setting", ["careful", "bold"])
def test_leaves_the_rest_alone(sentence: str, setting: Setting) -> None:
    assert shortened(sentence, setting) == sentence


def test_bold_takes_reasons_and_openings_too() -> None:
    sentence = (
        "During the long war, the city lost its large old port, because the river had silted up."
    )
    assert shortened(sentence) == sentence
    assert shortened(sentence, "bold") == "The city lost its large old port."


def test_careful_leaves_a_clause_that_no_verb_follows() -> None:
    sentence = "He met the mayor, who lives there, and two of the guests at the old town hall."
    assert shortened(sentence) == sentence
    assert (
        shortened(sentence, "bold")
        == "He met the mayor and two of the guests at the old town hall."
    )


def test_cuts_follow_one_another() -> None:
    sentence = (
        "In this section, the large valve (made of steel) closes the main line, which is hot."
    )
    found = list(cuts(sentence))
    assert [cut.kind for cut in found] == ["bracket", "relative clause at the end", "opening"]
    assert [cut.before for cut in found] == [sentence, *(cut.after for cut in found[:-1])]
    assert found[-1].after == "The large valve closes the main line."
    assert len(found[-1].after.split()) >= FEWEST_WORDS
