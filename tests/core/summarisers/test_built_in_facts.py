"""What the window says of the built-in summariser is what the documentation says."""

import re
from pathlib import Path

from core.summarisers.built_in_facts import built_in_facts

ROOT = Path(__file__).parents[3]
NUMBER = r"\d+(?:\.\d+)?"


def rows_of(page: str) -> list[str]:
    """The first two rows of docs/evaluation.md that say what the built-in summariser scored."""
    lines = (ROOT / "docs" / page).read_text("utf-8").splitlines()
    return [line for line in lines if line.startswith("| built-in |")]


def test_its_scores_are_those_of_the_documentation() -> None:
    documented = [re.findall(NUMBER, row) for row in rows_of("evaluation.md")[:2]]
    told = [
        [number for _, value in table.rows for number in re.findall(NUMBER, value)]
        for table in built_in_facts().tables
    ]
    assert told == documented
    assert len(told[0]) == 5 * 3 + 3 and len(told[1]) == 4 * 4


def test_every_table_says_how_it_was_measured_and_what_the_first_sentences_have() -> None:
    page = (ROOT / "docs" / "evaluation.md").read_text("utf-8")
    for table in built_in_facts().tables:
        command = table.recipe.partition("Command: ")[2]
        assert command in page and (ROOT / command.split()[1]).is_file()
        (lead,) = re.findall(rf"(?:mean of|alone has) ({NUMBER})", table.recipe)
        assert re.search(rf"\| lead \|.*{re.escape(lead)}", page)


def test_its_languages_are_known_by_name() -> None:
    known = built_in_facts().languages
    assert known[:3] == ("English", "German", "French") and len(known) > 20


def test_what_it_learnt_from_is_that_of_its_card() -> None:
    card = (ROOT / "resources" / "ranker" / "README.md").read_text("utf-8")
    sets = [770, 1123, 1128, 375, 799]
    assert all(f"{number:,}" in card for number in [*sets, 383, 6820])
    told = built_in_facts().trained_on
    assert all(f"{n:,}".replace(",", "\u202f") in told for n in (sum(sets), 383, 6820))
