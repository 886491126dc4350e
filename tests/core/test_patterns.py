"""No regular expression of the program takes far longer on some texts than on others."""

import math
import re
from functools import cache
from importlib.util import find_spec
from itertools import islice

import pytest

from tests.helpers.patterns import Found, all_patterns
from tests.helpers.regex_steps import Steps, TooManyStepsError, baits

needs_all_modules = pytest.mark.skipif(find_spec("torch") is None, reason="modules need torch")
SIZE, BUDGET = 6, 100_000
STEEPEST = 2.3
"""The power of the bait's length by which steps may grow: 2 is a scan from each character on, which
a search of a text does that holds nothing of what is looked for. What is more grows without end."""

# Made of what a call is given, where no bait can be known; each part is escaped or of words alone.
MADE_IN_CALLS = {
    "core/documents/boundaries.py: "
    "re.compile(f'\\\\s{lead}{number}{re.escape(close)}\\\\s(?=[^\\\\W\\\\d_a-zß-öø-ÿ])')",
    "core/documents/readers/markdown_marks.py: "
    "re.compile(f'.*\\\\{{%-?\\\\s*end{opening[1]}\\\\b')",
    "core/documents/readers/markdown_marks.py: re.compile(f'[ \\\\t>]*{mark}{mark[0]}*\\\\s*$')",
    "core/documents/readers/markup.py: "
    "re.sub(f'(</?){re.escape(declared[1])}:(?=[a-zA-Z])', '\\\\1', text)",
    "core/documents/readers/pdf_layout/initial_words.py: re.match(possible, rest)",  # of one word
    "core/documents/readers/pdf_layout/opening.py: re.search(_NUMBER % key, text)",
    "core/documents/readers/separated.py: re.search(pattern, sample, re.MULTILINE)",  # of a sample
    "core/evidence/names.py: re.finditer(f'(?={acronym})', self._initials, re.IGNORECASE)",
    "core/evidence/names.py: re.finditer(f'(?<!\\\\w){letters}\\\\b', self._text)",
    "gui/control_words.py: re.sub(pattern, words, text)",  # of one sentence
    "gui/widgets/support/finder.py: re.compile(_SPACE.join(parts), re.IGNORECASE)",
}
# Made when they are first wanted, for each language or table of words: the collector has them made.
MADE_LATER = (
    "core/documents/words.py",
    "core/evidence/quantities.py",
    "core/summarisers/features/surface.py",
    "core/summarisers/presentation/trimming.py",
    "core/summarisers/rules/defects.py",
    "core/summarisers/rules/discourse.py",
)


@cache
def counted(pattern: str | bytes, flags: int) -> Steps:
    """A pattern whose searches are counted, made once for all tests."""
    return Steps(pattern, flags)


def growth(pattern: str | bytes, flags: int = 0, *, anchored: bool = False) -> float:
    """The power by which steps grow with the bait, at most; infinite where no budget suffices."""
    steps, steepest = counted(pattern, flags), 0.0
    for short, long in dict.fromkeys(baits(steps, SIZE, 2 * SIZE)):
        try:
            few, found = steps.count(short, BUDGET, anchored=anchored), steps.found
            many = steps.count(long, BUDGET, anchored=anchored)
        except TooManyStepsError:
            return math.inf
        if steps.found == found and few > 2 * SIZE:
            steepest = max(steepest, math.log2(many / few))
    return steepest


@pytest.mark.parametrize(
    ("pattern", "anchored", "least", "most"),
    [
        (r"(a+)+b", True, math.inf, math.inf),
        (r"(?:\w+\s?)*!", True, math.inf, math.inf),
        (r"(?:a|a)*b", True, math.inf, math.inf),
        (rb"(?:[A-Za-z][\w-]*: ?.*\r?\n(?:[ \t].*\r?\n)*){3,}", True, math.inf, math.inf),
        (r"\d+\d+\d+x", True, 2.3, 3),
        (r"\s+$", False, 1.7, 2.1),
        (r"\s+$", True, 0, 1.2),
        (r"(?:[a-z]+,)*[a-z]+!", True, 0, 1.3),
        (r"(?>\w+\s?)*!", True, 0, 1.3),
        (r"(?:\w++\s?)*+!", True, 0, 1.3),
        (r"(?=(\w+))\1:", True, 0, 1.3),
    ],
)
def test_steps_grow_as_is_known_of_a_pattern(
    pattern: str | bytes, anchored: bool, least: float, most: float
) -> None:
    assert least <= growth(pattern, anchored=anchored) <= most


@pytest.mark.slow
@needs_all_modules
def test_the_counting_search_finds_what_the_engine_finds() -> None:
    for found in all_patterns()[0]:
        steps, engine = counted(found.pattern, found.flags), re.compile(found.pattern, found.flags)
        for (text,) in islice(baits(steps, 3), 12):
            given = text.encode("latin-1", "replace") if found.is_bytes else text
            shown = given.decode("latin-1") if isinstance(given, bytes) else given
            expected = engine.match(given) is None  # type: ignore[arg-type]
            assert steps.fails(shown) == expected, (found.place, text)


@pytest.mark.slow
@needs_all_modules
def test_no_pattern_of_the_program_has_texts_without_end() -> None:
    found, made_in_calls = all_patterns()
    assert len(found) > 300
    places = {place for place in made_in_calls if not place.startswith(MADE_LATER)}
    assert places == MADE_IN_CALLS
    steep = {each: growth(each.pattern, each.flags, anchored=each.anchored) for each in found}
    assert [_told(each, power) for each, power in steep.items() if power > STEEPEST] == []


def _told(found: Found, power: float) -> str:
    return f"{found.place}: {found.text!r} takes steps to the power of {power:.1f}"
